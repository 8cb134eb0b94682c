/* least_overlap.h - the direction in which facets that meet overlap least. */
#ifndef SC_LEAST_OVERLAP_H
#define SC_LEAST_OVERLAP_H

#include "base/watch.h"
#include "part.h"

/* *direction: of the axes that can separate a pair of facets (Gottschalk, Lin and Manocha, OBBTree,
 * 1996, for triangles: both normals, cross products of edges, normals of edges within their
 * facets), pair by pair until facets only touch along one of them, the one along which part 1 would
 * have the least way to go down, for facets of part 0 to lie above those of part 1 in all pairs: a
 * unit vector from part 1 to part 0, 0 to go where they only touch. False if its opposite does as
 * well, or the facets have no area, or time is over. hits[count], count > 0, as in sc_case. */
bool sc_least_overlap(const sc_part *const part[2], const uint64_t *hits, size_t count,
                      sc_watch *watch, sc_vec3 *direction);

#endif
