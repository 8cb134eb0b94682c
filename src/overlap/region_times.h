/* region_times.h - how often facets bound a region, of parts that cover places more than once:
 * there the nearest crossing does not tell of what region a place on a facet is. */
#ifndef SC_REGION_TIMES_H
#define SC_REGION_TIMES_H

#include "crossings.h"
#include "overlap_pieces.h"
#include "region_segments.h"

/* Of the facets of one part. */
typedef struct sc_region_times {
    int part;
    const sc_region_segments *on;      /* it */
    int32_t *of_facet;                 /* [facets] where they are on the boundary of one region */
    struct sc_region_corners *corners; /* [corner_count] by facet: those that cross */
    size_t corner_count;
} sc_region_times;

/* False if memory ran out; free in any case. */
bool sc_region_times_make(const sc_crossings *crossings, const sc_pieces *pieces,
                          const uint32_t *region_of, int part, const sc_region_segments *on,
                          sc_region_times *times);
void sc_region_times_free(sc_region_times *times);

/* How often a facet bounds the region at a point of it: 0, not at all; the winding number of the
 * region about what is behind it, less that of what is before it. False where that is not clear, as
 * within `radius` of where it changes. */
bool sc_region_times_at(const sc_region_times *times, uint32_t facet, sc_vec3 point, double radius,
                        uint32_t region, int *found);

#endif
