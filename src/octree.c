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

/* ---- a facet in the frame ------------------------------------------------ */

/* Its vertices, each coordinate within 2^-24 of where it is, and its box. */
typedef struct frame_facet {
    float v[3][3];
    frame_box box;
} frame_facet;

/* Below this, floats lose bits; in the frame it is nothing. */
#define FRAME_TINY 0x1p-126f

static inline float least(float a, float b, float c)
{
    float d = a < b ? a : b;
    return d < c ? d : c;
}

static inline float most(float a, float b, float c)
{
    float d = a > b ? a : b;
    return d > c ? d : c;
}

/* Outwards at the cost of up to two units in the last place where the coordinates are
 * not floats already; as stored (no placement, no origin) the box is exact. */
static void facet_in_frame(const sc_octree *tree, uint32_t i, frame_facet *f)
{
    const sc_frame *frame = &tree->frame;
    float widen = tree->placement->is_identity && frame->pad == 0.0 ? 0.0f : 0x1p-23f;

    if (tree->placement->is_identity) {
        float xyz[9];
        sc_facet_load(tree->facets, i, xyz);
        for (int k = 0; k < 9; k++) {
            f->v[k / 3][k % 3] = (float)to_frame(frame, (double)xyz[k], k % 3);
        }
    } else {
        sc_vec3 v[3];
        sc_triangle_vertices(tree->facets, tree->placement, i, v);
        for (int k = 0; k < 3; k++) {
            f->v[k][0] = (float)to_frame(frame, v[k].x, 0);
            f->v[k][1] = (float)to_frame(frame, v[k].y, 1);
            f->v[k][2] = (float)to_frame(frame, v[k].z, 2);
        }
    }
    for (int k = 0; k < 3; k++) {
        float low = least(f->v[0][k], f->v[1][k], f->v[2][k]);
        float high = most(f->v[0][k], f->v[1][k], f->v[2][k]);
        f->box.low[k] = low - (fabsf(low) * widen + FRAME_TINY);
        f->box.high[k] = high + (fabsf(high) * widen + FRAME_TINY);
    }
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

/* A cube that is to be divided into 2^bits cells along each side. */
typedef struct grid {
    float low[3]; /* twice the corner */
    float cells;  /* half the cells per length */
    float last;   /* the last cell */
} grid;

static grid grid_over(const frame_box *box, int bits)
{
    float extent = 0.0f, cells = (float)(1 << bits);
    for (int k = 0; k < 3; k++) {
        extent = most(extent, box->high[k] - box->low[k], 0.0f);
    }
    return (grid){{2.0f * box->low[0], 2.0f * box->low[1], 2.0f * box->low[2]},
                  extent > cells * FRAME_TINY ? 0.5f * cells / extent : 0.0f,
                  cells - 1.0f};
}

/* The cell of a box's centre. */
static uint32_t morton(const frame_box *box, const grid *g)
{
    uint32_t code = 0;
    for (int k = 0; k < 3; k++) {
        float cell = (box->low[k] + box->high[k] - g->low[k]) * g->cells;
        cell = cell > 0.0f ? cell : 0.0f;
        cell = cell < g->last ? cell : g->last;
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

/* ---- opening a family ---------------------------------------------------- */

/* Everything is within -1 .. 1 here, so one absolute margin covers the floats of both
 * a slab and the tests against it. */
#define SLAB_MARGIN 0x1p-19f

static void mean_normal(const frame_facet *const *f, size_t count, float normal[3])
{
    float sum[3] = {0.0f, 0.0f, 0.0f};

    for (size_t i = 0; i < count; i++) {
        float e1[3], e2[3];
        for (int k = 0; k < 3; k++) {
            e1[k] = f[i]->v[1][k] - f[i]->v[0][k];
            e2[k] = f[i]->v[2][k] - f[i]->v[0][k];
        }
        for (int k = 0; k < 3; k++) {
            int m = (k + 1) % 3, n = (k + 2) % 3;
            sum[k] += e1[m] * e2[n] - e1[n] * e2[m];
        }
    }
    double length = sqrt((double)sum[0] * (double)sum[0] + (double)sum[1] * (double)sum[1] +
                         (double)sum[2] * (double)sum[2]);
    for (int k = 0; k < 3; k++) {
        normal[k] = length > 0.0 ? (float)((double)sum[k] / length * (1.0 - 0x1p-20)) : 0.0f;
    }
}

static void make_slab(const frame_facet *const *f, size_t count, const frame_box *box,
                      sc_slab *slab)
{
    float low = INFINITY, high = -INFINITY, farthest = 0.0f;

    mean_normal(f, count, slab->normal);
    for (int k = 0; k < 3; k++) {
        slab->centre[k] = 0.5f * (box->low[k] + box->high[k]);
    }
    for (size_t i = 0; i < count; i++) {
        float at[3], out[3];
        for (int k = 0; k < 3; k++) {
            const float *v = f[i]->v[k], *n = slab->normal, *c = slab->centre;
            float x = v[0] - c[0], y = v[1] - c[1], z = v[2] - c[2];
            at[k] = n[0] * v[0] + n[1] * v[1] + n[2] * v[2];
            out[k] = x * x + y * y + z * z;
        }
        low = least(at[0], at[1], least(at[2], low, low));
        high = most(at[0], at[1], most(at[2], high, high));
        farthest = most(out[0], out[1], most(out[2], farthest, farthest));
    }
    slab->low = low - SLAB_MARGIN;
    slab->high = high + SLAB_MARGIN;
    slab->radius = (float)sqrt((double)farthest) + SLAB_MARGIN;
}

/* Blocks of one parent are opened together: in the file they are often strips, and
 * only side by side a patch. */
enum { FAMILY = 8 * SC_BLOCK, FAMILY_BITS = 6 };

/* The facets of a family that meet the region. */
typedef struct gathered {
    size_t count;
    uint64_t order[FAMILY]; /* Morton code, then index into the others */
    uint32_t facet[FAMILY];
    frame_facet in_frame[FAMILY];
} gathered;

static void gather(const sc_octree *tree, size_t family, gathered *g)
{
    uint64_t scratch[FAMILY];
    frame_box all = empty_box();
    size_t end = 8 * family + 8 < tree->count[0] ? 8 * family + 8 : tree->count[0];

    g->count = 0;
    for (size_t b = 8 * family; b < end; b++) {
        const sc_block_span *span = &tree->spans[b];
        for (uint32_t i = 0; i < span->count; i++) {
            size_t n = g->count;
            g->facet[n] = span->pooled ? tree->pool[span->first + i] : span->first + i;
            facet_in_frame(tree, g->facet[n], &g->in_frame[n]);
            if (meets_region(tree, &g->in_frame[n].box)) {
                add_box(&all, &g->in_frame[n].box);
                g->count++;
            }
        }
    }
    grid cells = grid_over(&all, FAMILY_BITS);
    for (size_t i = 0; i < g->count; i++) {
        g->order[i] = (uint64_t)morton(&g->in_frame[i].box, &cells) << 32 | (uint64_t)i;
    }
    sc_sort_keys(g->order, scratch, g->count, 32, 3 * FAMILY_BITS);
}

static frame_box fill_leaf(const gathered *g, size_t first, const frame_facet *const *f,
                           size_t count, sc_leaf *leaf)
{
    leaf->count = (int)count;
    octet_clear(&leaf->boxes);
    for (size_t i = 0; i < count; i++) {
        leaf->triangle[i] = g->facet[(uint32_t)g->order[first + i]];
        octet_set(&leaf->boxes, (int)i, &f[i]->box);
    }
    frame_box box = octet_union(&leaf->boxes);
    make_slab(f, count, &box, &leaf->slab);
    return box;
}

static frame_box fill_block(const gathered *g, size_t first, sc_opened *block)
{
    const frame_facet *f[SC_BLOCK];
    size_t count = g->count - first < SC_BLOCK ? g->count - first : SC_BLOCK;

    for (size_t i = 0; i < count; i++) {
        f[i] = &g->in_frame[(uint32_t)g->order[first + i]];
    }
    octet_clear(&block->boxes);
    for (size_t i = 0; i < count; i += 8) {
        size_t n = count - i < 8 ? count - i : 8;
        frame_box box = fill_leaf(g, first + i, f + i, n, &block->leaves[i / 8]);
        octet_set(&block->boxes, (int)(i / 8), &box);
    }
    frame_box box = octet_union(&block->boxes);
    make_slab(f, count, &box, &block->slab);
    return box;
}

static sc_family *open_family(const sc_octree *tree, size_t index)
{
    gathered g;

    gather(tree, index, &g);
    size_t blocks = (g.count + SC_BLOCK - 1) / SC_BLOCK;
    sc_family *family = sc_alloc(1, sizeof *family + blocks * sizeof family->blocks[0]);
    if (!family) {
        return NULL;
    }
    octet_clear(&family->boxes);
    for (size_t b = 0; b < blocks; b++) {
        frame_box box = fill_block(&g, SC_BLOCK * b, &family->blocks[b]);
        octet_set(&family->boxes, (int)b, &box);
    }
    return family;
}

static sc_family *family_of(sc_octree *tree, size_t index)
{
    sc_family *family = atomic_load_explicit(&tree->families[index], memory_order_acquire);
    if (family) {
        return family;
    }
    family = open_family(tree, index);
    sc_family *other = NULL;
    if (family && !atomic_compare_exchange_strong(&tree->families[index], &other, family)) {
        sc_free(family); /* another thread was first, with the same result */
        return other;
    }
    return family;
}

const sc_octet *sc_octree_children(sc_octree *tree, int level, uint32_t index)
{
    if (level > 1) {
        return &tree->octets[level - 1][index];
    }
    sc_family *family = family_of(tree, level == 1 ? index : index / 8);
    return !family ? NULL : level == 1 ? &family->boxes : &family->blocks[index % 8].boxes;
}

const sc_octet *sc_octree_siblings(sc_octree *tree, int level, uint32_t index)
{
    return level + 1 < tree->levels ? sc_octree_children(tree, level + 1, index / 8)
                                    : tree->octets[level];
}

const sc_leaf *sc_octree_leaf(sc_octree *tree, uint32_t index)
{
    return &family_of(tree, index / 64)->blocks[index / 8 % 8].leaves[index % 8];
}

const sc_slab *sc_octree_slab(sc_octree *tree, int level, uint32_t index)
{
    return level < 0 ? &sc_octree_leaf(tree, index)->slab
                     : &family_of(tree, index / 8)->blocks[index % 8].slab;
}

size_t sc_octree_opened(const sc_octree *tree)
{
    size_t opened = 0;
    for (size_t i = 0; tree->levels > 0 && i < tree->count[1]; i++) {
        if (atomic_load_explicit(&tree->families[i], memory_order_relaxed)) {
            opened += tree->count[0] - 8 * i < 8 ? tree->count[0] - 8 * i : 8;
        }
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
 * block this much larger is one that the file's order does not keep together. Strips
 * are not: as families they are patches. */
static const double oversize_factor = 256.0;

/* Triangles of oversized blocks that meet the region, in Morton order, to the pool
 * and from there into blocks of their own. */
static stlclash_code pool_blocks(sc_octree *tree, const size_t *oversized, size_t oversized_count,
                                 draft *d, stlclash_error *error)
{
    size_t capacity = oversized_count * SC_BLOCK, count = 0;
    uint64_t *keys = sc_alloc(2 * capacity, sizeof *keys);
    frame_box *boxes = sc_alloc(capacity, sizeof *boxes);
    uint32_t *facets = sc_alloc(capacity, sizeof *facets);
    tree->pool = sc_alloc(capacity, sizeof *tree->pool);
    stlclash_code code = STLCLASH_OK;
    if (!keys || !boxes || !facets || !tree->pool) {
        code = sc_error_memory(error);
        goto done;
    }
    grid cells = grid_over(&d->all, 10);
    for (size_t o = 0; o < oversized_count; o++) {
        uint32_t first, n = sc_block_facets(tree->facets, oversized[o], &first);
        for (uint32_t i = first; i < first + n; i++) {
            frame_facet f;
            facet_in_frame(tree, i, &f);
            if (meets_region(tree, &f.box)) {
                boxes[count] = f.box;
                facets[count] = i;
                keys[count] = (uint64_t)morton(&f.box, &cells) << 32 | count;
                count++;
            }
        }
    }
    sc_sort_keys(keys, keys + capacity, count, 32, 30);
    for (size_t i = 0; i < count; i += SC_BLOCK) {
        size_t n = count - i < SC_BLOCK ? count - i : SC_BLOCK;
        frame_box box = empty_box();
        for (size_t k = i; k < i + n; k++) {
            uint32_t from = (uint32_t)keys[k];
            tree->pool[k] = facets[from];
            add_box(&box, &boxes[from]);
        }
        draft_add(d, (sc_block_span){(uint32_t)i, (uint32_t)n, true}, &box);
    }
done:
    sc_free(keys);
    sc_free(boxes);
    sc_free(facets);
    return code;
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
    double limit = oversize_factor * diagonal_squared(&all) / (double)kept;
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

/* The levels above the blocks, each from the one below; one at least. */
static bool build_levels(sc_octree *tree)
{
    int level = 0;
    do {
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
    } while (tree->count[level] > 1);
    tree->levels = level + 1;
    sc_free(tree->octets[0]); /* families have boxes of their own once they are opened */
    tree->octets[0] = NULL;
    return true;
}

/* Level 0: the blocks of the draft in Morton order. */
static bool order_blocks(sc_octree *tree, const draft *d)
{
    size_t octets = (d->count + 7) / 8;
    uint64_t *keys = sc_alloc(2 * d->count, sizeof *keys);
    tree->spans = sc_alloc(d->count, sizeof *tree->spans);
    tree->octets[0] = sc_alloc(octets, sizeof *tree->octets[0]);
    tree->families = sc_calloc(octets, sizeof *tree->families);
    if (!keys || !tree->spans || !tree->octets[0] || !tree->families) {
        sc_free(keys);
        return false;
    }
    grid cells = grid_over(&d->all, 10);
    for (size_t i = 0; i < d->count; i++) {
        keys[i] = (uint64_t)morton(&d->boxes[i], &cells) << 32 | i;
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
    for (size_t i = 0; tree->families && i < (tree->count[0] + 7) / 8; i++) {
        sc_free(atomic_load_explicit(&tree->families[i], memory_order_relaxed));
    }
    for (int level = 0; level < SC_LEVELS; level++) {
        sc_free(tree->octets[level]);
    }
    sc_free(tree->families);
    sc_free(tree->spans);
    sc_free(tree->pool);
    *tree = (sc_octree){.levels = 0};
}
