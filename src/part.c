/* part.c - see part.h. */
#include "part.h"

stlclash_code sc_part_place(const stlclash_mesh *mesh, const double *placement, const char *whose,
                            sc_part *part, stlclash_error *error)
{
    double reach = mesh->file.facets.count ? sc_box_reach(&mesh->blocks.bounds) : 0.0;

    *part = (sc_part){.mesh = mesh};
    stlclash_code code = sc_placement_make(placement, whose, reach, &part->placement, error);
    if (code == STLCLASH_OK) {
        part->bounds = sc_blocks_placed_bounds(&mesh->blocks, &mesh->file.facets, &part->placement);
        part->used = part->placement;
        part->used_bounds = part->bounds;
    }
    return code;
}

static int compare_doubles(const double *a, const double *b, int count)
{
    for (int i = 0; i < count; i++) {
        if (a[i] != b[i]) {
            return a[i] < b[i] ? -1 : 1;
        }
    }
    return 0;
}

static int compare_facets(const sc_facets *a, const sc_facets *b)
{
    for (uint32_t i = 0; i < a->count; i++) {
        int order = memcmp(a->first + (size_t)i * a->stride, b->first + (size_t)i * b->stride,
                           SC_FACET_BYTES);
        if (order != 0) {
            return order;
        }
    }
    return 0;
}

static int compare_placements(const sc_placement *a, const sc_placement *b)
{
    if (a->is_identity || b->is_identity) {
        return b->is_identity - a->is_identity;
    }
    return compare_doubles(&a->m[0][0], &b->m[0][0], 12);
}

static int compare_parts(const sc_part *a, const sc_part *b)
{
    const stlclash_mesh *x = a->mesh, *y = b->mesh;

    if (x->file.facets.count != y->file.facets.count) {
        return x->file.facets.count < y->file.facets.count ? -1 : 1;
    }
    if (x != y) {
        int order = compare_doubles(x->blocks.bounds.low, y->blocks.bounds.low, 3);
        order = order ? order : compare_doubles(x->blocks.bounds.high, y->blocks.bounds.high, 3);
        order = order ? order : compare_facets(&x->file.facets, &y->file.facets);
        if (order != 0) {
            return order;
        }
    }
    return compare_placements(&a->placement, &b->placement);
}

sc_order sc_parts_order(sc_part part[2])
{
    const int order = compare_parts(&part[0], &part[1]);
    const sc_placement *placement = &part[0].placement;
    const bool later =
        !placement->is_identity && compare_placements(placement, &part[1].placement) == 0;

    for (int i = 0; i < 2 && later; i++) {
        part[i].used = (sc_placement){.is_identity = 1};
        part[i].used_bounds = part[i].mesh->blocks.bounds;
        part[i].shared = NULL; /* that is of the part as placed */
    }
    if (order > 0) {
        const sc_part first = part[1];
        part[1] = part[0];
        part[0] = first;
    }
    return (sc_order){.swapped = order > 0, .identical = order == 0, .placed_later = later};
}

double sc_parts_way_apart(const sc_part *a, const sc_part *b)
{
    const sc_box *x = &a->used_bounds, *y = &b->used_bounds;
    double least = INFINITY;
    for (int k = 0; k < 3; k++) {
        least = sc_min(least, sc_min(x->high[k] - y->low[k], y->high[k] - x->low[k]));
    }
    return least;
}

bool sc_parts_are_divided(const sc_part *a, const sc_part *b)
{
    return sc_parts_way_apart(a, b) <= 0.0;
}

sc_box sc_part_within(const sc_part *part, const sc_box *region)
{
    sc_box within = sc_box_empty(), box;

    for (size_t b = 0; sc_part_next_block(part, region, &b, &box); b++) {
        for (int k = 0; k < 3; k++) {
            box.low[k] = box.low[k] > region->low[k] ? box.low[k] : region->low[k];
            box.high[k] = box.high[k] < region->high[k] ? box.high[k] : region->high[k];
        }
        sc_box_add_box(&within, &box);
    }
    return within;
}

/* Whether some facet of block b may come into the region. */
static bool block_meets(const sc_part *part, size_t b, const sc_box *region)
{
    const sc_facets *facets = &part->mesh->file.facets;
    uint32_t first, count = sc_block_facets(facets, b, &first);
    for (uint32_t i = first; i < first + count; i++) {
        sc_vec3 v[3];
        sc_triangle_vertices(facets, &part->used, i, v);
        const sc_box box = sc_box_of_points(v, 3);
        if (sc_boxes_meet(&box, region)) {
            return true;
        }
    }
    return false;
}

bool sc_part_misses(const sc_part *part, const sc_box *region)
{
    sc_box box;
    for (size_t b = 0; sc_part_next_block(part, region, &b, &box); b++) {
        if (block_meets(part, b, region)) {
            return false;
        }
    }
    return true;
}

void sc_part_shift(sc_part *part, sc_vec3 shift)
{
    part->shared = NULL;
    sc_placement_shift(&part->used, shift, sc_box_reach(&part->used_bounds));
    part->used_bounds =
        sc_blocks_placed_bounds(&part->mesh->blocks, &part->mesh->file.facets, &part->used);
}
