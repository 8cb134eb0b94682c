/* judge_limit.h - whether the parts of a judgement lie deeper in each other than the touch overlap
 * allows. */
#ifndef SC_JUDGE_LIMIT_H
#define SC_JUDGE_LIMIT_H

#include "judging.h"

/* Whether a common point lies deeper: sets j->deep. Of sound solids. */
stlclash_code sc_judge_limit(sc_judging *s);

/* The same, with both parts read as stored, if a glance shows it: of parts that are inside out, or
 * do not lie deep, it might take long to see nothing. */
stlclash_code sc_judge_limit_at_a_glance(sc_judging *s, bool *deep);

#endif
