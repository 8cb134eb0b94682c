/* depth_crossing.h - a proof that parts whose surfaces cross lie deep in each other, from
 * what is near the crossing alone. */
#ifndef SC_DEPTH_CROSSING_H
#define SC_DEPTH_CROSSING_H

#include "solids/solid.h"

/* Whether some edge of one part passes through the surface of the other once and begins
 * and ends farther than `limit` from it: one of its ends lies inside a closed part, that
 * deep. False proves nothing. hits: pairs of facets that meet; the solids need to have, of
 * either part, what lies within `limit` of the other. */
bool sc_depth_crossing(sc_solid near[2], const uint64_t *hits, size_t hit_count, double limit);

#endif
