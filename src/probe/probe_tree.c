/* probe_tree.c - see probe_tree.h. */
#include "probe_tree.h"

#include "base/alloc.h"
#include "base/error.h"
#include "probe_divide.h"

#include <string.h>

typedef struct builder {
    const sc_facets *facets;
    sc_probe_tree *tree;
    size_t node_capacity, bundle_capacity;
} builder;

/* ---- triangles -------------------------------------------------------------------- */

/* Beyond these a map says too little: 1 / sine of the angle at v0, and largest entry. */
static const double needle = 0x1p20, large = 0x1p60;

static void set_row(sc_probe_bundle *b, int row, int lane, sc_vec3 n, sc_vec3 origin)
{
    float entries[4] = {(float)n.x, (float)n.y, (float)n.z, (float)-sc_dot(n, origin)};
    for (int k = 0; k < 4; k++) {
        b->map[row][k][lane] = entries[k];
    }
}

static double sum_of_entries(sc_vec3 n)
{
    return fabs(n.x) + fabs(n.y) + fabs(n.z);
}

static void set_lane(const builder *made, sc_probe_bundle *bundle, int lane, uint32_t triangle)
{
    const sc_frame *frame = &made->tree->frame;
    float xyz[9];
    double x[9];
    sc_facet_load(made->facets, triangle, xyz);
    for (int i = 0; i < 9; i++) {
        x[i] = ((double)xyz[i] - frame->origin[i % 3]) * frame->scale;
    }
    sc_vec3 a = sc_vec3_of(x);
    sc_vec3 u = sc_sub((sc_vec3){x[3], x[4], x[5]}, a), v = sc_sub((sc_vec3){x[6], x[7], x[8]}, a);
    sc_vec3 n = sc_cross(u, v);
    double area_sq = sc_dot(n, n), sides_sq = sc_dot(u, u) * sc_dot(v, v);

    bundle->triangle[lane] = triangle;
    if (!(area_sq > 0x1p-900 && sides_sq < needle * needle * area_sq)) {
        return; /* no map */
    }
    sc_vec3 along_u = sc_scale(sc_cross(v, n), 1.0 / area_sq);
    sc_vec3 along_v = sc_scale(sc_cross(n, u), 1.0 / area_sq);
    double slack = sc_fmax(sum_of_entries(along_u), sum_of_entries(along_v));
    if (slack < large) {
        set_row(bundle, 0, lane, along_u, a);
        set_row(bundle, 1, lane, along_v, a);
        set_row(bundle, 2, lane, sc_scale(n, 1.0 / sqrt(area_sq)), a);
        bundle->slack[lane] = (float)(slack * (1.0 + 0x1p-20));
    }
}

/* ---- nodes ------------------------------------------------------------------------ */

static bool make_leaf(builder *made, const sc_probe_set *items, uint32_t *child)
{
    sc_probe_tree *tree = made->tree;
    size_t index = tree->bundle_count;

    if (index >= SC_PROBE_LEAF ||
        !sc_make_room(&tree->bundles, &made->bundle_capacity, index + 1, sizeof *tree->bundles)) {
        return false;
    }
    tree->bundle_count++;
    sc_probe_bundle *bundle = &tree->bundles[index];
    *bundle = (sc_probe_bundle){.slack = {0.0f}};
    for (int lane = 0; lane < SC_PROBE_LANES; lane++) {
        if ((uint32_t)lane < items->count) {
            set_lane(made, bundle, lane, items->items[lane].triangle);
        } else {
            bundle->map[2][3][lane] = 0x1p100f; /* beyond every error */
            bundle->triangle[lane] = items->items[0].triangle;
        }
    }
    *child = SC_PROBE_LEAF + (uint32_t)index;
    return true;
}

static bool make_node(builder *made, const sc_probe_set *items, int depth, uint32_t *child)
{
    sc_probe_tree *tree = made->tree;
    size_t index = tree->node_count;
    sc_probe_set parts[SC_PROBE_WIDTH];

    if (!sc_make_room(&tree->nodes, &made->node_capacity, index + 1, sizeof *tree->nodes)) {
        return false;
    }
    tree->node_count++;
    int count = sc_probe_divide(items, parts, depth);
    for (int i = 0; i < SC_PROBE_WIDTH; i++) {
        sc_probe_node *node = &tree->nodes[index];
        sc_fbox b = i < count ? parts[i].bounds : sc_fbox_empty();
        for (int k = 0; k < 3; k++) {
            node->bounds[k][0][i] = b.low[k];
            node->bounds[k][1][i] = b.high[k];
        }
        node->child[i] = 0;
    }
    for (int i = 0; i < count; i++) {
        uint32_t made_child;
        bool leaf = parts[i].count <= SC_PROBE_LANES;
        if (!(leaf ? make_leaf(made, &parts[i], &made_child)
                   : make_node(made, &parts[i], depth + 1, &made_child))) {
            return false;
        }
        tree->nodes[index].child[i] = made_child; /* the array may have moved */
    }
    *child = (uint32_t)index;
    return true;
}

/* ---- the whole -------------------------------------------------------------------- */

static sc_probe_item *make_items(const sc_facets *facets, const sc_frame *frame)
{
    static const sc_placement as_stored = {.is_identity = 1};
    const sc_way_in way = sc_frame_way_in(frame, facets, &as_stored);
    sc_probe_item *items = sc_alloc(facets->count, sizeof *items);

    for (uint32_t i = 0; items && i < facets->count; i++) {
        sc_ffacet facet;
        sc_frame_facet(&way, i, &facet);
        for (int k = 0; k < 3; k++) {
            items[i].low[k] = facet.box.low[k];
            items[i].high[k] = facet.box.high[k];
        }
        items[i].triangle = i;
    }
    return items;
}

/* Nodes and bundles to their last place: probes look at them in no order. */
static bool settle(sc_probe_tree *tree)
{
    sc_probe_node *nodes = sc_alloc_scattered(tree->node_count, sizeof *nodes);
    sc_probe_bundle *bundles = sc_alloc_scattered(tree->bundle_count, sizeof *bundles);

    if (!nodes || !bundles) {
        sc_free(nodes);
        sc_free(bundles);
        return false;
    }
    memcpy(nodes, tree->nodes, tree->node_count * sizeof *nodes);
    sc_free(tree->nodes);
    tree->nodes = nodes;
    memcpy(bundles, tree->bundles, tree->bundle_count * sizeof *bundles);
    sc_free(tree->bundles);
    tree->bundles = bundles;
    return true;
}

stlclash_code sc_probe_tree_build(const sc_facets *facets, const sc_box *bounds,
                                  sc_probe_tree *tree, stlclash_error *error)
{
    builder made = {.facets = facets, .tree = tree};
    uint32_t root;

    *tree = (sc_probe_tree){.bounds = sc_fbox_empty()};
    if (facets->count == 0) {
        return STLCLASH_OK;
    }
    tree->frame = sc_frame_make(bounds, bounds);
    sc_probe_item *items = make_items(facets, &tree->frame);
    if (!items) {
        return sc_error_memory(error);
    }
    sc_probe_set all = {items, facets->count, sc_probe_box_of(items, facets->count)};
    tree->bounds = all.bounds;
    bool ok = make_node(&made, &all, 0, &root);
    sc_free(items);
    if (!ok || !settle(tree)) {
        sc_probe_tree_free(tree);
        return sc_error_memory(error);
    }
    return STLCLASH_OK;
}

void sc_probe_tree_free(sc_probe_tree *tree)
{
    sc_free(tree->nodes);
    sc_free(tree->bundles);
    tree->nodes = NULL;
    tree->bundles = NULL;
}
