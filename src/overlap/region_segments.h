/* region_segments.h - where the surfaces cross about the regions of an overlap, facet by facet. */
#ifndef SC_REGION_SEGMENTS_H
#define SC_REGION_SEGMENTS_H

#include "overlap.h"
#include "solids/solid.h"

/* Of a facet: it may be on the boundary of several; SC_NO_REGION: on that of none. */
#define SC_CROSSED (UINT32_MAX - 1)

/* A segment in which the surfaces cross, as part of a facet. */
typedef struct sc_region_segment {
    uint32_t facet, other; /* of this part, and of the other one */
    uint32_t region;
    sc_vec3 start, end; /* as sc_segment goes */
} sc_region_segment;

/* On the facets of one part. */
typedef struct sc_region_segments {
    const sc_solid *solid;
    uint32_t *of_facet;         /* [facets] the region that it bounds, or one of the above */
    sc_region_segment *segment; /* [count] by facet */
    size_t count;
} sc_region_segments;

/* The first segment of a facet. */
static inline size_t sc_region_segments_first(const sc_region_segments *segments, uint32_t facet)
{
    size_t first = 0, end = segments->count;
    while (first < end) {
        const size_t middle = (first + end) / 2;
        if (segments->segment[middle].facet < facet) {
            first = middle + 1;
        } else {
            end = middle;
        }
    }
    return first;
}

static inline double sc_region_segment_distance_sq(const sc_region_segment *s, sc_vec3 p)
{
    const sc_vec3 along = sc_sub(s->end, s->start);
    const sc_vec3 off = sc_off_segment(sc_sub(p, s->start), along, sc_dot(along, along));
    return sc_dot(off, off);
}

#endif
