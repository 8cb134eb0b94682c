/* overlap_regions.h - in which region of an overlap a place on its boundary lies, and facets
 * that do. */
#ifndef SC_OVERLAP_REGIONS_H
#define SC_OVERLAP_REGIONS_H

#include "overlap.h"
#include "overlap_pieces.h"
#include "region_segments.h"

typedef struct sc_regions {
    sc_region_segments on[2];      /* A, B */
    struct sc_region_times *times; /* [2]; NULL: neither part covers a place more than once */
    size_t *by_region;             /* numbers of segments of A, by their region */
    size_t *of_region;             /* [regions + 1] the first of each in by_region */
} sc_regions;

/* For what was measured of these crossings; not to be moved afterwards. False if memory ran out;
 * free in any case. */
bool sc_regions_make(const sc_crossings *crossings, const sc_pieces *pieces,
                     const sc_overlap *overlap, sc_regions *regions);
void sc_regions_free(sc_regions *regions);

/* In how many segments the surfaces cross about a region, and the facets of A and of B that cross
 * in one of these, 0 .. their count - 1. */
size_t sc_regions_segments(const sc_regions *regions, uint32_t region);
void sc_regions_segment(const sc_regions *regions, uint32_t region, size_t number,
                        uint32_t facet[2]);

/* The regions that a facet may have a part in the boundary of, some of them more than once: lists
 * them, and returns how many; more than `most`, if not all of them are listed. */
size_t sc_regions_about(const sc_regions *regions, int part, uint32_t facet, uint32_t *list,
                        size_t most);

/* The region at a point of a facet (of part 0 is A, 1 is B) that lies inside the other part or
 * on its surface. Where the facet crosses the other part, that of the crossing nearest to it:
 * nothing lies between. Of crossings with walls that stand on each other that of the wall whose
 * inner side the point is on. Double precision; else does not say when two are equally near. */
uint32_t sc_regions_at(const sc_regions *regions, int part, uint32_t facet, sc_vec3 point);

/* Whether no point of the facet within `radius` of that point is on the boundary of this
 * region: none is nearer to a crossing of it than to others. False if that is in doubt. */
bool sc_regions_exclude(const sc_regions *regions, int part, uint32_t facet, sc_vec3 point,
                        double radius, uint32_t region);

#endif
