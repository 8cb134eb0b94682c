/* region_near.h - which regions of an overlap a place on a facet, or what is in a box, may have to
 * do with: of most facets it is known which they are about (sc_regions_about); where it is not, the
 * bounds of regions tell. Of regions that are open. */
#ifndef SC_REGION_NEAR_H
#define SC_REGION_NEAR_H

#include "proving.h"

/* What is told of each; of some more than once. */
typedef void sc_region_take(void *context, sc_erosion_region *region);

/* Of a place on a facet of part i, inside the other part: the one that it is in. */
void sc_region_at(const sc_erosion_regions *regions, int i, uint32_t facet, sc_vec3 place,
                  sc_region_take *take, void *context);

/* Searches by one thread. */
typedef struct sc_region_near {
    const sc_erosion_regions *regions;
    sc_surface *surface[2]; /* of both parts; which fail if memory runs out */
    bool limits;            /* only limits matter, but for a thousandth */
    sc_region_take *take;
    void *context;
} sc_region_near;

/* All that a facet about them comes to the box of, and perhaps others whose bounds do. */
void sc_region_near_box(const sc_region_near *near, const sc_box *box);

#endif
