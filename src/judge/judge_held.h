/* judge_held.h - whether either part of a judgement holds a piece of the other that its surface
 * does not meet. */
#ifndef SC_JUDGE_HELD_H
#define SC_JUDGE_HELD_H

#include "judging.h"

/* Of parts whose surfaces do not meet: both are closed and hold nothing, as far as little work
 * tells. */
stlclash_code sc_held_plainly_not(sc_judging *s, bool *nothing);

/* Whether a few points of one lie inside the other; of solids. */
stlclash_code sc_held_plainly(sc_judging *s, bool *held);

/* Whether any piece does; of sound solids, both closed. */
stlclash_code sc_held(sc_judging *s, bool *held);

/* Of parts whose surfaces do not meet: whether one surrounds all of the other in a way that shows
 * that it is closed, and that its facets are to be read as stored there; of solids. */
stlclash_code sc_held_all_around(sc_judging *s, int part, bool *around);

/* Whether any piece may, where a part is open; of sound solids. */
stlclash_code sc_held_perhaps(sc_judging *s, bool *perhaps);

#endif
