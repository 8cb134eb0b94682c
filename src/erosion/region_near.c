/* region_near.c - see region_near.h. */
#include "region_near.h"

#include "base/lower_bound.h"
#include "overlap/overlap_regions.h"

#include <math.h>

static bool is_before(const void *region, const void *number)
{
    return ((const sc_erosion_region *)region)->number < *(const uint32_t *)number;
}

/* NULL: it is not one of these, or not open. */
static sc_erosion_region *find_open(const sc_erosion_regions *regions, uint32_t number)
{
    const size_t at = sc_lower_bound(regions->region, regions->count, sizeof *regions->region,
                                     is_before, &number);
    sc_erosion_region *found = &regions->region[at];
    return at < regions->count && found->number == number && found->open ? found : NULL;
}

void sc_region_at(const sc_erosion_regions *regions, int i, uint32_t facet, sc_vec3 place,
                  sc_region_take *take, void *context)
{
    if (regions->of && !regions->of->times) {
        sc_erosion_region *region = find_open(regions, sc_regions_at(regions->of, i, facet, place));
        if (region) {
            take(context, region);
        }
        return;
    }
    for (size_t k = 0; k < regions->count; k++) {
        sc_erosion_region *region = &regions->region[k];
        if (region->open && sc_box_holds(&region->bounds, place)) {
            take(context, region);
        }
    }
}

/* A search about one box. */
typedef struct looking {
    const sc_region_near *near;
    const sc_box *box;
    int part;       /* whose facets are looked at */
    bool by_bounds; /* these tell as much, or some facet does not tell */
} looking;

static bool may_be_near(const looking *l, const sc_erosion_region *region)
{
    return region->open && sc_boxes_meet(l->box, &region->bounds);
}

static bool take_facet(void *context, uint32_t facet, const sc_vec3 v[3])
{
    enum { FEW = 8 };
    looking *l = context;
    const sc_erosion_regions *regions = l->near->regions;
    uint32_t number[FEW];
    const size_t count = sc_regions_about(regions->of, l->part, facet, number, FEW);
    (void)v;
    l->by_bounds = count > FEW;
    for (size_t k = 0; k < count && !l->by_bounds; k++) {
        sc_erosion_region *region = find_open(regions, number[k]);
        if (region && may_be_near(l, region)) {
            l->near->take(l->near->context, region);
        }
    }
    return !l->by_bounds;
}

/* Whether it makes no difference which of those are near whose bounds are. */
static bool do_bounds_tell(const looking *l)
{
    static const double alike = 1.0 + 0x1p-10;
    const sc_erosion_regions *regions = l->near->regions;
    double least = INFINITY, greatest = 0.0;
    size_t count = 0;
    for (size_t k = 0; k < regions->count; k++) {
        if (may_be_near(l, &regions->region[k])) {
            least = sc_fmin(least, regions->region[k].limit);
            greatest = sc_fmax(greatest, regions->region[k].limit);
            count++;
        }
    }
    return !regions->of || count <= 1 || (l->near->limits && greatest <= alike * least);
}

void sc_region_near_box(const sc_region_near *near, const sc_box *box)
{
    looking l = {.near = near, .box = box};
    const sc_walk walk = {.within = *box, .facet = take_facet, .context = &l};
    l.by_bounds = do_bounds_tell(&l);
    for (l.part = 0; l.part < 2 && !l.by_bounds; l.part++) {
        sc_surface_walk(near->surface[l.part], &walk);
    }
    for (size_t k = 0; k < near->regions->count && l.by_bounds; k++) {
        sc_erosion_region *region = &near->regions->region[k];
        if (may_be_near(&l, region)) {
            near->take(near->context, region);
        }
    }
}
