/* first_between.h - whether parts that lie on each other have a deep point in common, before all
 * pairs of facets that touch are searched for a crossing in vain: for those who ask for no more
 * than a proof that parts clash. */
#ifndef SC_FIRST_BETWEEN_H
#define SC_FIRST_BETWEEN_H

#include "base/parallel.h"
#include "octree.h"
#include "part.h"

/* Whether both parts are closed, by the sums of their boundaries, and a point half way between
 * walls of theirs lies inside both, whichever way round they are to be read, and farther than
 * `reach` (not negative) from the surface of one of them. Tries a few places; the trees are those
 * of the whole parts. */
stlclash_code sc_first_between(const sc_part part[2], const sc_frame *frame, sc_octree tree[2],
                               double reach, sc_crew *crew, bool *deep, stlclash_error *error);

#endif
