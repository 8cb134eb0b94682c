/* probe_tree.c - see probe_tree.h.
 *
 * Built from the top: sets of boxes are halved where the surface area heuristic finds it
 * cheapest, by bins (Wald, On fast Construction of SAH-based Bounding Volume Hierarchies,
 * 2007), and a node takes eight of such parts at once. */
#include "probe_tree.h"

#include "base/alloc.h"
#include "base/error.h"

enum { BINS = 16, FEW = SC_PROBE_WIDTH * SC_PROBE_LANES, DEEP = 64 };

/* A triangle on its way into the tree: its box in the frame. */
typedef struct item {
    float low[3];
    uint32_t triangle;
    float high[3];
    uint32_t unused; /* 32 bytes: half a cache line */
} item;

typedef struct box {
    float low[3], high[3];
} box;

/* Consecutive items and the box about them. */
typedef struct set {
    item *items;
    uint32_t count;
    box bounds;
} set;

typedef struct builder {
    const sc_facets *facets;
    sc_probe_tree *tree;
    size_t node_capacity, bundle_capacity;
} builder;

/* ---- boxes ------------------------------------------------------------------------ */

static const box empty_box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static inline void add(box *to, const float low[3], const float high[3])
{
    for (int k = 0; k < 3; k++) {
        to->low[k] = low[k] < to->low[k] ? low[k] : to->low[k];
        to->high[k] = high[k] > to->high[k] ? high[k] : to->high[k];
    }
}

/* Half the surface; 0 for an empty box. */
static inline float area(const box *b)
{
    float x = b->high[0] - b->low[0], y = b->high[1] - b->low[1], z = b->high[2] - b->low[2];
    return x < 0.0f ? 0.0f : x * y + y * z + z * x;
}

/* Twice the middle. */
static inline float middle(const item *i, int axis)
{
    return i->low[axis] + i->high[axis];
}

static box bounds_of(const item *items, uint32_t count)
{
    box b = empty_box;
    for (uint32_t i = 0; i < count; i++) {
        add(&b, items[i].low, items[i].high);
    }
    return b;
}

static box middles_of(const item *items, uint32_t count)
{
    box b = empty_box;
    for (uint32_t i = 0; i < count; i++) {
        float at[3] = {middle(&items[i], 0), middle(&items[i], 1), middle(&items[i], 2)};
        add(&b, at, at);
    }
    return b;
}

/* ---- dividing --------------------------------------------------------------------- */

/* Bundles that so many triangles take. */
static inline float bundles(uint32_t count)
{
    return (float)((count + SC_PROBE_LANES - 1) / SC_PROBE_LANES);
}

typedef struct bin {
    box bounds;
    uint32_t count;
} bin;

static inline int bin_of(float at, float low, float per_length)
{
    int i = (int)((at - low) * per_length);
    return i < BINS - 1 ? i : BINS - 1;
}

/* The bin after which to divide, and its cost. */
static int best_division(const bin *bins, float *cost)
{
    float right[BINS];
    box b = empty_box;
    uint32_t count = 0;
    int best = 0;

    for (int i = BINS - 1; i > 0; i--) {
        add(&b, bins[i].bounds.low, bins[i].bounds.high);
        count += bins[i].count;
        right[i] = count > 0 ? area(&b) * bundles(count) : INFINITY;
    }
    b = empty_box;
    count = 0;
    *cost = INFINITY;
    for (int i = 0; i < BINS - 1; i++) {
        add(&b, bins[i].bounds.low, bins[i].bounds.high);
        count += bins[i].count;
        float sum = count > 0 ? area(&b) * bundles(count) + right[i + 1] : INFINITY;
        if (sum < *cost) {
            *cost = sum;
            best = i;
        }
    }
    return best;
}

static uint32_t partition(item *items, uint32_t count, int axis, float low, float per_length,
                          int last_left)
{
    uint32_t i = 0, j = count;
    for (;;) {
        while (i < j && bin_of(middle(&items[i], axis), low, per_length) <= last_left) {
            i++;
        }
        while (i < j && bin_of(middle(&items[j - 1], axis), low, per_length) > last_left) {
            j--;
        }
        if (i == j) {
            return i;
        }
        item swap = items[i];
        items[i++] = items[--j];
        items[j] = swap;
    }
}

/* Divides many items; returns how many come first, 0 where they all lie in one place. */
static uint32_t divide_by_bins(item *items, uint32_t count)
{
    box middles = middles_of(items, count);
    bin bins[3][BINS];
    float per_length[3], least = INFINITY;
    int axis = -1, last_left = 0;

    for (int k = 0; k < 3; k++) {
        float extent = middles.high[k] - middles.low[k];
        per_length[k] = extent > 0x1p-100f ? (float)BINS * 0.9999f / extent : 0.0f;
        for (int i = 0; i < BINS; i++) {
            bins[k][i] = (bin){empty_box, 0};
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        const item *it = &items[i];
        for (int k = 0; k < 3; k++) {
            bin *b = &bins[k][bin_of(middle(it, k), middles.low[k], per_length[k])];
            add(&b->bounds, it->low, it->high);
            b->count++;
        }
    }
    for (int k = 0; k < 3; k++) {
        float cost;
        int division = best_division(bins[k], &cost);
        if (cost < least) {
            least = cost;
            axis = k;
            last_left = division;
        }
    }
    return axis < 0 ? 0
                    : partition(items, count, axis, middles.low[axis], per_length[axis], last_left);
}

/* Divides a few items along their longest side, such that bundles stay full. */
static uint32_t divide_few(item *items, uint32_t count)
{
    box middles = middles_of(items, count), b = empty_box;
    float right[FEW / SC_PROBE_LANES + 1], least = INFINITY;
    uint32_t best = SC_PROBE_LANES;
    int axis = 0;

    for (int k = 1; k < 3; k++) {
        if (middles.high[k] - middles.low[k] > middles.high[axis] - middles.low[axis]) {
            axis = k;
        }
    }
    for (uint32_t i = 1; i < count; i++) {
        item moved = items[i];
        uint32_t j = i;
        for (; j > 0 && middle(&items[j - 1], axis) > middle(&moved, axis); j--) {
            items[j] = items[j - 1];
        }
        items[j] = moved;
    }
    for (uint32_t i = count; i > 0; i--) {
        add(&b, items[i - 1].low, items[i - 1].high);
        if ((i - 1) % SC_PROBE_LANES == 0) {
            right[(i - 1) / SC_PROBE_LANES] = area(&b) * bundles(count - i + 1);
        }
    }
    b = empty_box;
    for (uint32_t i = 0; i + SC_PROBE_LANES < count; i += SC_PROBE_LANES) {
        for (uint32_t j = i; j < i + SC_PROBE_LANES; j++) {
            add(&b, items[j].low, items[j].high);
        }
        uint32_t left = i + SC_PROBE_LANES;
        float cost = area(&b) * bundles(left) + right[left / SC_PROBE_LANES];
        if (cost < least) {
            least = cost;
            best = left;
        }
    }
    return best;
}

static void divide(set *whole, set *rest, int depth)
{
    uint32_t left = 0;
    if (whole->count <= FEW) {
        left = divide_few(whole->items, whole->count);
    } else if (depth < DEEP) {
        left = divide_by_bins(whole->items, whole->count);
    }
    left = left > 0 && left < whole->count ? left : whole->count / 2; /* all in one place */
    *rest = (set){.items = whole->items + left, .count = whole->count - left};
    whole->count = left;
    whole->bounds = bounds_of(whole->items, whole->count);
    rest->bounds = bounds_of(rest->items, rest->count);
}

/* Divides a set, and the largest of its parts again, until there are eight. What fits into
 * the eight bundles of one node stays together for it. */
static int divide_in_eight(const set *whole, set parts[SC_PROBE_WIDTH], int depth)
{
    uint32_t together = whole->count > FEW ? FEW : SC_PROBE_LANES;
    int count = 1;

    parts[0] = *whole;
    while (count < SC_PROBE_WIDTH) {
        int largest = -1;
        float most = -1.0f;
        for (int i = 0; i < count; i++) {
            if (parts[i].count > together && area(&parts[i].bounds) > most) {
                most = area(&parts[i].bounds);
                largest = i;
            }
        }
        if (largest < 0) {
            break;
        }
        divide(&parts[largest], &parts[count++], depth);
    }
    return count;
}

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
    sc_vec3 a = {x[0], x[1], x[2]};
    sc_vec3 u = sc_sub((sc_vec3){x[3], x[4], x[5]}, a), v = sc_sub((sc_vec3){x[6], x[7], x[8]}, a);
    sc_vec3 n = sc_cross(u, v);
    double area_sq = sc_dot(n, n), sides_sq = sc_dot(u, u) * sc_dot(v, v);

    bundle->triangle[lane] = triangle;
    if (!(area_sq > 0x1p-900 && sides_sq < needle * needle * area_sq)) {
        return; /* no map */
    }
    sc_vec3 along_u = sc_scale(sc_cross(v, n), 1.0 / area_sq);
    sc_vec3 along_v = sc_scale(sc_cross(n, u), 1.0 / area_sq);
    double slack = fmax(sum_of_entries(along_u), sum_of_entries(along_v));
    if (slack < large) {
        set_row(bundle, 0, lane, along_u, a);
        set_row(bundle, 1, lane, along_v, a);
        set_row(bundle, 2, lane, sc_scale(n, 1.0 / sqrt(area_sq)), a);
        bundle->slack[lane] = (float)(slack * (1.0 + 0x1p-20));
    }
}

/* ---- nodes ------------------------------------------------------------------------ */

static bool grow(void **array, size_t *capacity, size_t needed, size_t size)
{
    if (needed <= *capacity) {
        return true;
    }
    size_t larger = *capacity + *capacity / 2 + 64;
    void *grown = sc_realloc(*array, larger, size);
    if (grown) {
        *array = grown;
        *capacity = larger;
    }
    return grown != NULL;
}

static bool make_leaf(builder *made, const set *items, uint32_t *child)
{
    sc_probe_tree *tree = made->tree;
    void *array = tree->bundles;
    size_t index = tree->bundle_count;

    if (index >= SC_PROBE_LEAF ||
        !grow(&array, &made->bundle_capacity, index + 1, sizeof *tree->bundles)) {
        return false;
    }
    tree->bundles = array;
    tree->bundle_count++;
    sc_probe_bundle *bundle = &tree->bundles[index];
    *bundle = (sc_probe_bundle){.slack = {0.0f}};
    for (int lane = 0; lane < SC_PROBE_LANES; lane++) {
        if ((uint32_t)lane < items->count) {
            set_lane(made, bundle, lane, items->items[lane].triangle);
        } else {
            bundle->map[2][3][lane] = 1.0f;
            bundle->triangle[lane] = items->items[0].triangle;
        }
    }
    *child = SC_PROBE_LEAF + (uint32_t)index;
    return true;
}

static bool make_node(builder *made, const set *items, int depth, uint32_t *child)
{
    sc_probe_tree *tree = made->tree;
    void *array = tree->nodes;
    size_t index = tree->node_count;
    set parts[SC_PROBE_WIDTH];

    if (!grow(&array, &made->node_capacity, index + 1, sizeof *tree->nodes)) {
        return false;
    }
    tree->nodes = array;
    tree->node_count++;
    int count = divide_in_eight(items, parts, depth);
    for (int i = 0; i < SC_PROBE_WIDTH; i++) {
        sc_probe_node *node = &tree->nodes[index];
        const box *b = i < count ? &parts[i].bounds : &empty_box;
        for (int k = 0; k < 3; k++) {
            node->bounds[k][0][i] = b->low[k];
            node->bounds[k][1][i] = b->high[k];
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

static item *make_items(const sc_facets *facets, const sc_frame *frame)
{
    static const sc_placement as_stored = {.is_identity = 1};
    item *items = sc_alloc(facets->count, sizeof *items);

    for (uint32_t i = 0; items && i < facets->count; i++) {
        sc_ffacet facet;
        sc_frame_facet(frame, facets, &as_stored, i, &facet);
        for (int k = 0; k < 3; k++) {
            items[i].low[k] = facet.box.low[k];
            items[i].high[k] = facet.box.high[k];
        }
        items[i].triangle = i;
    }
    return items;
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
    item *items = make_items(facets, &tree->frame);
    if (!items) {
        return sc_error_memory(error);
    }
    set all = {items, facets->count, bounds_of(items, facets->count)};
    for (int k = 0; k < 3; k++) {
        tree->bounds.low[k] = all.bounds.low[k];
        tree->bounds.high[k] = all.bounds.high[k];
    }
    bool ok = make_node(&made, &all, 0, &root);
    sc_free(items);
    if (!ok) {
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
