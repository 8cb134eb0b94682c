/* first_crossing.c - see first_crossing.h. */
#include "first_crossing.h"

#include "base/error.h"
#include "pair.h"
#include "traverse.h"

/* Whether a region has more of a part than a quick look should take. */
static bool has_much(const sc_part *part, const sc_box *region)
{
    enum { MOST = 1000 };
    int found = 0;
    sc_box box;
    for (size_t b = 0; found <= MOST && sc_part_next_block(part, region, &b, &box); b++) {
        found++;
    }
    return found > MOST;
}

/* Whether a region is most of what the parts' boxes have in common: then all of it may as well be
 * searched at once. */
static bool covers_most(const sc_part part[2], const sc_box *region)
{
    bool covers = true;
    for (int k = 0; k < 3; k++) {
        double low = sc_fmax(part[0].used_bounds.low[k], part[1].used_bounds.low[k]);
        double high = sc_fmin(part[0].used_bounds.high[k], part[1].used_bounds.high[k]);
        double covered = sc_fmin(high, region->high[k]) - sc_fmax(low, region->low[k]);
        covers = covers && 2.0 * covered >= high - low;
    }
    return covers;
}

static stlclash_code build_trees(const sc_part part[2], const sc_frame *frame, const sc_box *region,
                                 sc_octree tree[2], stlclash_error *error)
{
    stlclash_code code = STLCLASH_OK;
    for (int i = 0; i < 2 && code == STLCLASH_OK; i++) {
        code = sc_octree_of_part(&part[i], frame, region, NULL, &tree[i], error);
    }
    return code;
}

static sc_box box_of(const sc_part part[2], const uint32_t facet[2])
{
    sc_box box = sc_box_empty();
    for (int i = 0; i < 2; i++) {
        sc_vec3 v[3];
        sc_triangle_vertices(&part[i].mesh->file.facets, &part[i].used, facet[i], v);
        for (int k = 0; k < 3; k++) {
            sc_box_add_point(&box, v[k]);
        }
    }
    return box;
}

/* Some facets around them, too. */
static sc_box about(const sc_part part[2], const uint32_t facet[2])
{
    sc_box box = box_of(part, facet);
    return sc_box_grown(&box, 2.0 * sc_box_extent(&box));
}

/* False if memory ran out. However few facets there are, all of them may meet in one point, none of
 * which is a crossing: that takes long. */
static bool search(sc_octree tree[2], sc_watch *watch, sc_narrow *narrow, bool *found)
{
    void *worker = narrow;
    const bool stops = narrow->stop_at_crossing;
    sc_traversal t = {.a = &tree[0],
                      .b = &tree[1],
                      .leaves = sc_narrow_leaves,
                      .workers = &worker,
                      .watch = watch};

    *found = false;
    if (tree[0].levels == 0 || tree[1].levels == 0) {
        return true;
    }
    narrow->stop_at_crossing = true;
    sc_traverse(&t);
    narrow->stop_at_crossing = stops;
    *found = t.settled_by == 0 && !narrow->out_of_memory;
    return !t.out_of_memory && !narrow->out_of_memory;
}

stlclash_code sc_first_crossing(const sc_part part[2], const sc_frame *frame,
                                const uint32_t near[2], double reach, sc_watch *watch,
                                sc_narrow *narrow, sc_octree *tree, stlclash_error *error)
{
    sc_box region = about(part, near);
    sc_octree about_them[2] = {{.levels = 0}, {.levels = 0}};
    bool found = false;

    if (covers_most(part, &region) || has_much(&part[0], &region) || has_much(&part[1], &region)) {
        return STLCLASH_OK;
    }
    stlclash_code code = build_trees(part, frame, &region, about_them, error);
    if (code == STLCLASH_OK && !search(about_them, watch, narrow, &found)) {
        code = sc_error_memory(error);
    }
    sc_octree_free(&about_them[0]);
    sc_octree_free(&about_them[1]);
    (found ? sc_narrow_settle : sc_narrow_restart)(narrow);
    if (found && tree) {
        const uint32_t facet[2] = {sc_pair_facet(narrow->hits.pairs[0], 0),
                                   sc_pair_facet(narrow->hits.pairs[0], 1)};
        region = box_of(part, facet);
        region = sc_box_grown(&region, reach);
        code = build_trees(part, frame, &region, tree, error);
    }
    return code;
}
