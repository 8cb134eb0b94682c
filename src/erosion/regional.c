/* regional.c - see regional.h. */
#include "regional.h"

#include "base/alloc.h"

#include <math.h>

/* The least limit of open regions that a box comes to, as part of the greatest. */
static double share_near(const sc_erosion_regions *regions, const sc_box *box, double greatest)
{
    double least = greatest;
    for (size_t k = 0; k < regions->count; k++) {
        if (regions->region[k].open && sc_boxes_meet(box, &regions->region[k].bounds)) {
            least = fmin(least, regions->region[k].limit);
        }
    }
    return least / greatest;
}

bool sc_regional_share(const sc_erosion_proof *proof, sc_erosion *eroded)
{
    eroded->share = sc_alloc(eroded->fans, sizeof *eroded->share);
    for (uint32_t i = 0; i < eroded->fans && eroded->share; i++) {
        eroded->share[i] = 1.0;
    }
    for (uint32_t i = 0; i < eroded->pieces && eroded->share; i++) {
        if (eroded->near && !eroded->near[sc_erosion_facet(eroded, i)]) {
            continue; /* all of it stays on the same side of the other surface */
        }
        const uint32_t *fan = &eroded->fan[3 * (size_t)i];
        const sc_vec3 v[3] = {eroded->place[fan[0]], eroded->place[fan[1]], eroded->place[fan[2]]};
        sc_box box = sc_box_of_points(v, 3);
        box = sc_box_grown(&box, proof->limit);
        const double share = share_near(proof->regions, &box, proof->limit);
        for (int k = 0; k < 3; k++) {
            eroded->share[fan[k]] = fmin(eroded->share[fan[k]], share);
        }
    }
    return eroded->share != NULL;
}

/* Around those near the region, if there are any. */
static sc_box box_near(const sc_erosion_region *region, double limit, const sc_box *left,
                       size_t count)
{
    const sc_box near = sc_box_grown(&region->bounds, limit);
    sc_box all = sc_box_empty();
    for (size_t i = 0; i < count; i++) {
        if (sc_boxes_meet(&near, &left[i])) {
            sc_box_add_box(&all, &left[i]);
        }
    }
    return sc_box_is_empty(&all) ? all : sc_box_grown(&all, limit);
}

void sc_regional_close(const sc_erosion_proof *proof, const sc_box *left, size_t count)
{
    for (size_t k = 0; k < proof->regions->count; k++) {
        sc_erosion_region *region = &proof->regions->region[k];
        if (region->open) {
            const sc_box near = box_near(region, proof->limit, left, count);
            region->open = sc_boxes_meet(&region->left, &near);
            region->left = sc_boxes_common(&region->left, &near);
        }
    }
}

bool sc_regional_is_done(const sc_erosion_regions *regions)
{
    bool done = true;
    for (size_t k = 0; k < regions->count; k++) {
        done = done && !regions->region[k].open;
    }
    return done;
}

bool sc_regional_is_refuted(const sc_erosion_regions *regions)
{
    bool refuted = false;
    for (size_t k = 0; k < regions->count; k++) {
        const sc_erosion_region *r = &regions->region[k];
        refuted = refuted || (r->open && !isnan(r->place.x) && r->depth > r->limit);
    }
    return refuted;
}
