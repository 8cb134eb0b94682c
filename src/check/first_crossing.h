/* first_crossing.h - whether the surfaces cross near a place, before whole parts are
 * searched: for those who ask for no more than one crossing, or will need whole trees if there
 * is one. */
#ifndef SC_FIRST_CROSSING_H
#define SC_FIRST_CROSSING_H

#include "narrow.h"
#include "part.h"

/* Looks about triangles near[0] and near[1] of the parts. Where it finds a crossing, that
 * is the only hit of `narrow`, and tree[2], unless that is NULL, has of either part all that
 * comes within `reach` of the two facets that cross; else there are no hits, and the trees
 * stay empty. They are to be freed in any case. `narrow` has no hits yet. Once the watch, which may
 * be NULL, is over, nothing is found. */
stlclash_code sc_first_crossing(const sc_part part[2], const sc_frame *frame,
                                const uint32_t near[2], double reach, sc_watch *watch,
                                sc_narrow *narrow, sc_octree *tree, stlclash_error *error);

#endif
