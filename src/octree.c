/* octree.c - see octree.h. */
#include "octree.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/sort.h"

typedef struct sc_block_span {
    uint32_t first, count; /* facets of the file, or entries of the pool */
    bool pooled;
} sc_block_span;

/* A box in the frame. */
typedef struct frame_box {
    float low[3], high[3];
} frame_box;

/* ---- the frame: doubles to floats, outwards ------------------------------- */

sc_frame sc_frame_make(const sc_box *a, const sc_box *b)
{
    sc_frame frame = {.scale = 1.0};
    sc_box both = *a;
    double extent = 0.0;
    int exponent;

    sc_box_add_box(&both, b);
    for (int k = 0; k < 3; k++) {
        extent = fmax(extent, both.high[k] - both.low[k]);
    }
    double reach = sc_box_reach(&both);
    if (reach > 4.0 * extent) { /* far out: floats from the middle are finer */
        for (int k = 0; k < 3; k++) {
            frame.origin[k] = 0.5 * (both.low[k] + both.high[k]);
        }
        frame.pad = 0x1p-52;
        reach = extent;
    }
    frexp(reach, &exponent); /* reach < 2^exponent */
    frame.scale = reach > 0.0 ? ldexp(1.0, -exponent) : 1.0;
    return frame;
}

/* x in the frame, as a double. */
static inline double to_frame(const sc_frame *frame, double x, int axis)
{
    return (x - frame->origin[axis]) * frame->scale;
}

static inline float float_below(double x)
{
    float f[1];
    f[0] = (float)x; /* through memory: gcc 12 may drop the rounding otherwise */
    return (double)f[0] > x ? nextafterf(f[0], -INFINITY) : f[0];
}

static inline float frame_low(const sc_frame *frame, double x, int axis)
{
    x = to_frame(frame, x, axis);
    return float_below(x - fabs(x) * frame->pad);
}

static inline float frame_high(const sc_frame *frame, double x, int axis)
{
    x = to_frame(frame, x, axis);
    return -float_below(-x - fabs(x) * frame->pad);
}

void sc_frame_box(const sc_frame *frame, const sc_box *box, float low[3], float high[3])
{
    for (int k = 0; k < 3; k++) {
        low[k] = frame_low(frame, box->low[k], k);
        high[k] = frame_high(frame, box->high[k], k);
    }
}

static frame_box box_to_frame(const sc_frame *frame, const sc_box *box)
{
    frame_box out;
    sc_frame_box(frame, box, out.low, out.high);
    return out;
}

static bool meets_region(const sc_octree *tree, const frame_box *box)
{
    for (int k = 0; k < 3; k++) {
        if (box->low[k] > tree->region_high[k] || box->high[k] < tree->region_low[k]) {
            return false;
        }
    }
    return true;
}

static frame_box triangle_box(const sc_octree *tree, const sc_vec3 v[3])
{
    sc_box box = sc_box_empty();
    for (int k = 0; k < 3; k++) {
        sc_box_add_point(&box, v[k]);
    }
    return box_to_frame(&tree->frame, &box);
}

/* ---- Morton order -------------------------------------------------------- */

/* The low 10 bits of x, two places apart. */
static uint32_t spread(uint32_t x)
{
    x = (x | x << 16) & 0x030000FFu;
    x = (x | x << 8) & 0x0300F00Fu;
    x = (x | x << 4) & 0x030C30C3u;
    return (x | x << 2) & 0x09249249u;
}

/* The cell of a box's centre in a grid of 2^bits cells along each side of `in`. */
static uint32_t morton(const frame_box *box, const frame_box *in, int bits)
{
    uint32_t code = 0;
    float cells = (float)(1 << bits);
    for (int k = 0; k < 3; k++) {
        float extent = in->high[k] - in->low[k];
        float at = 0.5f * (box->low[k] + box->high[k]) - in->low[k];
        float cell = extent > 0.0f ? at / extent * cells : 0.0f;
        cell = cell > 0.0f ? cell : 0.0f;
        cell = cell < cells - 1.0f ? cell : cells - 1.0f;
        code |= spread((uint32_t)cell) << k;
    }
    return code;
}

static frame_box empty_box(void)
{
    return (frame_box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

static void add_box(frame_box *to, const frame_box *box)
{
    for (int k = 0; k < 3; k++) {
        to->low[k] = box->low[k] < to->low[k] ? box->low[k] : to->low[k];
        to->high[k] = box->high[k] > to->high[k] ? box->high[k] : to->high[k];
    }
}

static void octet_clear(sc_octet *octet)
{
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 8; i++) {
            octet->low[k][i] = INFINITY;
            octet->high[k][i] = -INFINITY;
        }
    }
}

static void octet_set(sc_octet *octet, int i, const frame_box *box)
{
    for (int k = 0; k < 3; k++) {
        octet->low[k][i] = box->low[k];
        octet->high[k][i] = box->high[k];
    }
}

static frame_box octet_union(const sc_octet *octet)
{
    frame_box box = empty_box();
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 8; i++) {
            box.low[k] = octet->low[k][i] < box.low[k] ? octet->low[k][i] : box.low[k];
            box.high[k] = octet->high[k][i] > box.high[k] ? octet->high[k][i] : box.high[k];
        }
    }
    return box;
}

/* ---- opening a block ----------------------------------------------------- */

/* The slab across the mean normal of the leaf's triangles. Everything is within
 * -1 .. 1 here, so one absolute margin covers the floats of both this and the
 * test against it. */
#define SLAB_MARGIN 0x1p-20

static void make_slab(const sc_frame *frame, const sc_vec3 (*v)[3], int count, sc_leaf *leaf)
{
    sc_vec3 sum = {0.0, 0.0, 0.0}, corner[24];
    double low = INFINITY, high = -INFINITY;

    for (int i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            corner[3 * i + k] =
                (sc_vec3){to_frame(frame, v[i][k].x, 0), to_frame(frame, v[i][k].y, 1),
                          to_frame(frame, v[i][k].z, 2)};
        }
        sum = sc_add(sum, sc_cross(sc_sub(corner[3 * i + 1], corner[3 * i]),
                                   sc_sub(corner[3 * i + 2], corner[3 * i])));
    }
    double length = sc_length(sum);
    sum = length > 0.0 ? sc_scale(sum, (1.0 - 0x1p-20) / length) : (sc_vec3){0.0, 0.0, 0.0};
    leaf->normal[0] = (float)sum.x;
    leaf->normal[1] = (float)sum.y;
    leaf->normal[2] = (float)sum.z;
    for (int i = 0; i < 3 * count; i++) {
        double at = (double)leaf->normal[0] * corner[i].x + (double)leaf->normal[1] * corner[i].y +
                    (double)leaf->normal[2] * corner[i].z;
        low = at < low ? at : low;
        high = at > high ? at : high;
    }
    leaf->slab_low = (float)(low - SLAB_MARGIN);
    leaf->slab_high = (float)(high + SLAB_MARGIN);
}

static uint32_t span_triangle(const sc_octree *tree, const sc_block_span *span, uint32_t i)
{
    return span->pooled ? tree->pool[span->first + i] : span->first + i;
}

/* The triangles of a block that meet the region, in Morton order of that block. */
typedef struct gathered {
    int count;
    uint64_t order[SC_BLOCK]; /* Morton code, then index into the others */
    uint32_t triangle[SC_BLOCK];
    sc_vec3 v[SC_BLOCK][3];
    frame_box box[SC_BLOCK];
} gathered;

static void gather(const sc_octree *tree, const sc_block_span *span, gathered *g)
{
    uint64_t scratch[SC_BLOCK];
    frame_box all = empty_box();

    g->count = 0;
    for (uint32_t i = 0; i < span->count; i++) {
        int n = g->count;
        g->triangle[n] = span_triangle(tree, span, i);
        sc_triangle_vertices(tree->facets, tree->placement, g->triangle[n], g->v[n]);
        g->box[n] = triangle_box(tree, g->v[n]);
        if (meets_region(tree, &g->box[n])) {
            add_box(&all, &g->box[n]);
            g->count++;
        }
    }
    for (int i = 0; i < g->count; i++) {
        g->order[i] = (uint64_t)morton(&g->box[i], &all, 5) << 32 | (uint64_t)i;
    }
    sc_sort_keys(g->order, scratch, (size_t)g->count, 32, 15);
}

static void fill_leaf(const sc_octree *tree, const gathered *g, int first, sc_leaf *leaf)
{
    sc_vec3 v[8][3];

    leaf->count = g->count - first < 8 ? g->count - first : 8;
    octet_clear(&leaf->boxes);
    for (int i = 0; i < leaf->count; i++) {
        int from = (int)(g->order[first + i] & (SC_BLOCK - 1));
        leaf->triangle[i] = g->triangle[from];
        octet_set(&leaf->boxes, i, &g->box[from]);
        for (int k = 0; k < 3; k++) {
            v[i][k] = g->v[from][k];
        }
    }
    make_slab(&tree->frame, (const sc_vec3(*)[3])v, leaf->count, leaf);
}

static sc_opened *open_block(const sc_octree *tree, const sc_block_span *span)
{
    gathered g;
    sc_opened *opened = sc_alloc(1, sizeof *opened);

    if (!opened) {
        return NULL;
    }
    gather(tree, span, &g);
    octet_clear(&opened->boxes);
    opened->count = (g.count + 7) / 8;
    for (int i = 0; i < opened->count; i++) {
        fill_leaf(tree, &g, 8 * i, &opened->leaves[i]);
        frame_box box = octet_union(&opened->leaves[i].boxes);
        octet_set(&opened->boxes, i, &box);
    }
    return opened;
}

const sc_opened *sc_octree_open(sc_octree *tree, size_t index)
{
    sc_opened *opened = atomic_load_explicit(&tree->opened[index], memory_order_acquire);
    if (opened) {
        return opened;
    }
    opened = open_block(tree, &tree->spans[index]);
    sc_opened *other = NULL;
    if (opened && !atomic_compare_exchange_strong(&tree->opened[index], &other, opened)) {
        sc_free(opened); /* another thread was first, with the same result */
        return other;
    }
    return opened;
}

size_t sc_octree_opened(const sc_octree *tree)
{
    size_t opened = 0;
    for (size_t i = 0; tree->levels > 0 && i < tree->count[0]; i++) {
        opened += atomic_load_explicit(&tree->opened[i], memory_order_relaxed) != NULL;
    }
    return opened;
}

/* ---- building ------------------------------------------------------------ */

/* What the tree is made from: blocks with their boxes, not yet in order. */
typedef struct draft {
    sc_block_span *spans;
    frame_box *boxes;
    size_t count;
    frame_box all;
} draft;

static void draft_add(draft *d, sc_block_span span, const frame_box *box)
{
    d->spans[d->count] = span;
    d->boxes[d->count++] = *box;
    add_box(&d->all, box);
}

static double diagonal_squared(const frame_box *box)
{
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
        double extent = (double)box->high[k] - (double)box->low[k];
        sum += extent * extent;
    }
    return sum;
}

/* n equal blocks on a surface have about the n-th part of its diagonal squared. A
 * block this much larger is one that the file's order does not keep together.
 * Where there are few blocks, sorting is cheap and pays sooner. */
static double oversize_factor(size_t blocks)
{
    return blocks <= 256 ? 16.0 : 256.0;
}

/* Triangles of oversized blocks that meet the region, in Morton order, to the pool
 * and from there into blocks of their own. */
static stlclash_code pool_blocks(sc_octree *tree, const size_t *oversized, size_t oversized_count,
                                 draft *d, stlclash_error *error)
{
    size_t capacity = oversized_count * SC_BLOCK, count = 0;
    uint64_t *keys = sc_alloc(2 * capacity, sizeof *keys);
    tree->pool = sc_alloc(capacity, sizeof *tree->pool);
    if (!keys || !tree->pool) {
        sc_free(keys);
        return sc_error_memory(error);
    }
    frame_box all = d->all;
    for (size_t o = 0; o < oversized_count; o++) {
        uint32_t first, n = sc_block_facets(tree->facets, oversized[o], &first);
        for (uint32_t i = first; i < first + n; i++) {
            sc_vec3 v[3];
            sc_triangle_vertices(tree->facets, tree->placement, i, v);
            frame_box box = triangle_box(tree, v);
            if (meets_region(tree, &box)) {
                keys[count++] = (uint64_t)morton(&box, &all, 10) << 32 | i;
            }
        }
    }
    sc_sort_keys(keys, keys + capacity, count, 32, 30);
    for (size_t i = 0; i < count; i += SC_BLOCK) {
        size_t n = count - i < SC_BLOCK ? count - i : SC_BLOCK;
        frame_box box = empty_box();
        for (size_t k = i; k < i + n; k++) {
            sc_vec3 v[3];
            tree->pool[k] = (uint32_t)keys[k];
            sc_triangle_vertices(tree->facets, tree->placement, tree->pool[k], v);
            frame_box one = triangle_box(tree, v);
            add_box(&box, &one);
        }
        draft_add(d, (sc_block_span){(uint32_t)i, (uint32_t)n, true}, &box);
    }
    sc_free(keys);
    return STLCLASH_OK;
}

/* Keeps the blocks that meet the region; divides the oversized ones anew. */
static stlclash_code collect_blocks(sc_octree *tree, const sc_blocks *blocks, draft *d,
                                    stlclash_error *error)
{
    size_t kept = 0, oversized_count = 0;
    size_t *ids = sc_alloc(blocks->count, sizeof *ids);
    d->spans = sc_alloc(blocks->count, sizeof *d->spans);
    d->boxes = sc_alloc(blocks->count, sizeof *d->boxes);
    if (!ids || !d->spans || !d->boxes) {
        sc_free(ids);
        return sc_error_memory(error);
    }
    frame_box all = empty_box();
    for (size_t b = 0; b < blocks->count; b++) {
        sc_box placed = sc_blocks_placed_box(blocks, tree->placement, b);
        frame_box box = box_to_frame(&tree->frame, &placed);
        if (meets_region(tree, &box)) {
            add_box(&all, &box);
            ids[kept] = b;
            d->boxes[kept++] = box; /* for now; draft_add puts it in its final place */
        }
    }
    tree->blocks_kept = kept;
    double limit = oversize_factor(kept) * diagonal_squared(&all) / (double)kept;
    d->all = all;
    for (size_t i = 0; i < kept; i++) {
        frame_box box = d->boxes[i];
        if (diagonal_squared(&box) > limit) {
            ids[oversized_count++] = ids[i];
        } else {
            uint32_t first, n = sc_block_facets(tree->facets, ids[i], &first);
            draft_add(d, (sc_block_span){first, n, false}, &box);
        }
    }
    stlclash_code code = STLCLASH_OK;
    if (oversized_count > 0) {
        code = pool_blocks(tree, ids, oversized_count, d, error);
    }
    sc_free(ids);
    return code;
}

/* The levels above the blocks, each from the one below. */
static bool build_levels(sc_octree *tree)
{
    int level = 0;
    while (tree->count[level] > 1) {
        size_t count = (tree->count[level] + 7) / 8;
        sc_octet *octets = sc_alloc((count + 7) / 8, sizeof *octets);
        if (!octets) {
            return false;
        }
        for (size_t i = 0; i < (count + 7) / 8; i++) {
            octet_clear(&octets[i]);
        }
        for (size_t i = 0; i < count; i++) {
            frame_box box = octet_union(&tree->octets[level][i]);
            octet_set(&octets[i / 8], (int)(i % 8), &box);
        }
        level++;
        tree->octets[level] = octets;
        tree->count[level] = count;
    }
    tree->levels = level + 1;
    return true;
}

/* Level 0: the blocks of the draft in Morton order. */
static bool order_blocks(sc_octree *tree, const draft *d)
{
    size_t octets = (d->count + 7) / 8;
    uint64_t *keys = sc_alloc(2 * d->count, sizeof *keys);
    tree->spans = sc_alloc(d->count, sizeof *tree->spans);
    tree->octets[0] = sc_alloc(octets, sizeof *tree->octets[0]);
    tree->opened = sc_calloc(d->count, sizeof *tree->opened);
    if (!keys || !tree->spans || !tree->octets[0] || !tree->opened) {
        sc_free(keys);
        return false;
    }
    for (size_t i = 0; i < d->count; i++) {
        keys[i] = (uint64_t)morton(&d->boxes[i], &d->all, 10) << 32 | i;
    }
    sc_sort_keys(keys, keys + d->count, d->count, 32, 30);
    for (size_t i = 0; i < octets; i++) {
        octet_clear(&tree->octets[0][i]);
    }
    for (size_t i = 0; i < d->count; i++) {
        uint32_t from = (uint32_t)keys[i];
        tree->spans[i] = d->spans[from];
        octet_set(&tree->octets[0][i / 8], (int)(i % 8), &d->boxes[from]);
    }
    tree->count[0] = d->count;
    sc_free(keys);
    return true;
}

stlclash_code sc_octree_build(const sc_blocks *blocks, const sc_facets *facets,
                              const sc_placement *placement, const sc_frame *frame,
                              const sc_box *region, sc_octree *tree, stlclash_error *error)
{
    draft d = {.all = empty_box()};
    *tree = (sc_octree){.facets = facets, .placement = placement, .frame = *frame};
    frame_box interest = box_to_frame(frame, region);
    memcpy(tree->region_low, interest.low, sizeof tree->region_low);
    memcpy(tree->region_high, interest.high, sizeof tree->region_high);

    stlclash_code code = collect_blocks(tree, blocks, &d, error);
    if (code == STLCLASH_OK && d.count > 0 && (!order_blocks(tree, &d) || !build_levels(tree))) {
        code = sc_error_memory(error);
    }
    sc_free(d.spans);
    sc_free(d.boxes);
    if (code != STLCLASH_OK) {
        sc_octree_free(tree);
    }
    return code;
}

void sc_octree_free(sc_octree *tree)
{
    for (size_t i = 0; tree->opened && i < tree->count[0]; i++) {
        sc_free(atomic_load_explicit(&tree->opened[i], memory_order_relaxed));
    }
    for (int level = 0; level < SC_LEVELS; level++) {
        sc_free(tree->octets[level]);
    }
    sc_free(tree->opened);
    sc_free(tree->spans);
    sc_free(tree->pool);
    *tree = (sc_octree){.levels = 0};
}
