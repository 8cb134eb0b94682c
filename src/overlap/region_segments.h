/* region_segments.h - where the surfaces cross about the regions of an overlap, facet by facet. */
#ifndef SC_REGION_SEGMENTS_H
#define SC_REGION_SEGMENTS_H

#include "base/lower_bound.h"
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

static inline bool sc_region_segment_is_before(const void *segment, const void *facet)
{
    return ((const sc_region_segment *)segment)->facet < *(const uint32_t *)facet;
}

/* The first segment of a facet. */
static inline size_t sc_region_segments_first(const sc_region_segments *segments, uint32_t facet)
{
    return sc_lower_bound(segments->segment, segments->count, sizeof *segments->segment,
                          sc_region_segment_is_before, &facet);
}

static inline double sc_region_segment_distance_sq(const sc_region_segment *s, sc_vec3 p)
{
    const sc_vec3 along = sc_sub(s->end, s->start);
    const sc_vec3 off = sc_off_segment(sc_sub(p, s->start), along, sc_dot(along, along));
    return sc_dot(off, off);
}

#endif
