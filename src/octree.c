/* octree.c - see octree.h. */
#include "octree.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/sort.h"
#include "divide.h"
#include "morton.h"

typedef struct sc_block_span {
    uint32_t first, count; /* facets of the file, or entries of the pool */
    bool pooled;
} sc_block_span;

/* ---- boxes --------------------------------------------------------------- */

static inline void facet_in_frame(const sc_octree *tree, uint32_t facet, sc_ffacet *out)
{
    sc_frame_facet(&tree->frame, tree->facets, tree->placement, facet, out);
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

static void octet_set(sc_octet *octet, int i, const sc_fbox *box)
{
    for (int k = 0; k < 3; k++) {
        octet->low[k][i] = box->low[k];
        octet->high[k][i] = box->high[k];
    }
}

static sc_fbox octet_union(const sc_octet *octet)
{
    sc_fbox box = sc_fbox_empty();
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 8; i++) {
            box.low[k] = octet->low[k][i] < box.low[k] ? octet->low[k][i] : box.low[k];
            box.high[k] = octet->high[k][i] > box.high[k] ? octet->high[k][i] : box.high[k];
        }
    }
    return box;
}

/* ---- opening a family ---------------------------------------------------- */

/* In the file blocks are often strips; only side by side are they a patch. */
enum { FAMILY_BLOCKS = SC_FAMILY / SC_BLOCK };

/* A family once opened: its facets, divided into clusters. */
typedef struct sc_family {
    sc_octet boxes; /* of the clusters */
    sc_slab slab[8];
    _Atomic(sc_opened *) clusters[8]; /* NULL until opened */
    uint32_t count, facet[];
} sc_family;

/* The facets of a family that meet the region. */
typedef struct gathered {
    uint32_t count;
    uint32_t facet[SC_FAMILY], order[SC_FAMILY];
    float centre[SC_FAMILY][4]; /* twice that of its box */
    sc_ffacet in_frame[SC_FAMILY];
} gathered;

static uint32_t facet_of_span(const sc_octree *tree, const sc_block_span *span, uint32_t i)
{
    return span->pooled ? tree->pool[span->first + i] : span->first + i;
}

/* The spans of a family: from the result to before *end. */
static size_t first_span(const sc_octree *tree, size_t family, size_t *end)
{
    size_t first = FAMILY_BLOCKS * family;
    *end = first + FAMILY_BLOCKS < tree->span_count ? first + FAMILY_BLOCKS : tree->span_count;
    return first;
}

static void gather(const sc_octree *tree, size_t family, gathered *g)
{
    size_t end, first = first_span(tree, family, &end);

    g->count = 0;
    for (size_t b = first; b < end; b++) {
        const sc_block_span *span = &tree->spans[b], *next = b + 1 < end ? span + 1 : NULL;
        for (uint32_t i = 0; i < span->count; i++) {
            uint32_t n = g->count;
            if (next && i < next->count) { /* blocks lie far apart in the file */
                sc_facet_prefetch(tree->facets, facet_of_span(tree, next, i));
            }
            g->facet[n] = facet_of_span(tree, span, i);
            facet_in_frame(tree, g->facet[n], &g->in_frame[n]);
            if (sc_fbox_meet(&g->in_frame[n].box, &tree->region)) {
                sc_fbox_twice_the_centre(&g->in_frame[n].box, g->centre[n]);
                g->count++;
            }
        }
    }
    sc_divide((const float(*)[4])g->centre, g->order, g->count, SC_CLUSTER);
}

/* Up to 8 facets side by side; absent ones: the last once more. */
static void side_by_side(const sc_ffacet *in_frame, const uint32_t *order, uint32_t count,
                         sc_side_by_side *out)
{
    const float(*facet[8])[4];
    for (uint32_t i = 0; i < 8; i++) {
        facet[i] = in_frame[order[i < count ? i : count - 1]].v;
    }
    sc_put_side_by_side(facet, out);
}

static void place_cluster(const gathered *g, uint32_t first, sc_family *family)
{
    sc_side_by_side eights[SC_CLUSTER / 8];
    uint32_t count = g->count - first < SC_CLUSTER ? g->count - first : SC_CLUSTER;
    sc_fbox box = sc_fbox_empty();

    for (uint32_t i = 0; i < count; i++) {
        uint32_t from = g->order[first + i];
        family->facet[first + i] = g->facet[from];
        sc_fbox_add(&box, &g->in_frame[from].box);
    }
    for (uint32_t i = 0; i < count; i += 8) {
        side_by_side(g->in_frame, g->order + first + i, count - i, &eights[i / 8]);
    }
    octet_set(&family->boxes, (int)(first / SC_CLUSTER), &box);
    sc_slab_make(eights, (count + 7) / 8, &box, &family->slab[first / SC_CLUSTER]);
}

static sc_family *open_family(sc_octree *tree, size_t index)
{
    gathered g;

    gather(tree, index, &g);
    sc_family *family =
        sc_arena_alloc(&tree->opened, sizeof *family + g.count * sizeof family->facet[0]);
    if (!family) {
        return NULL;
    }
    octet_clear(&family->boxes);
    family->count = g.count;
    for (int i = 0; i < 8; i++) {
        atomic_init(&family->clusters[i], NULL);
    }
    for (uint32_t first = 0; first < g.count; first += SC_CLUSTER) {
        place_cluster(&g, first, family);
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
        return other; /* another thread was first, with the same result */
    }
    return family;
}

/* ---- opening a cluster ----------------------------------------------------- */

static void fill_leaf(const uint32_t *facet, const sc_ffacet *in_frame, const uint32_t *order,
                      uint32_t count, sc_leaf *leaf, sc_fbox *box)
{
    sc_side_by_side v;

    leaf->count = (int)count;
    atomic_init(&leaf->boxes, NULL);
    *box = sc_fbox_empty();
    for (uint32_t i = 0; i < count; i++) {
        leaf->triangle[i] = facet[order[i]];
        sc_fbox_add(box, &in_frame[order[i]].box);
    }
    side_by_side(in_frame, order, count, &v);
    sc_slab_make(&v, 1, box, &leaf->slab);
}

static sc_opened *open_cluster(sc_octree *tree, const sc_family *family, uint32_t index)
{
    enum { AHEAD = 8 };
    uint32_t first = SC_CLUSTER * index, left = family->count - first, order[SC_CLUSTER];
    uint32_t count = left < SC_CLUSTER ? left : SC_CLUSTER;
    sc_ffacet in_frame[SC_CLUSTER];
    float centre[SC_CLUSTER][4];
    sc_opened *cluster = sc_arena_alloc(&tree->opened, sizeof *cluster);

    if (!cluster) {
        return NULL;
    }
    for (uint32_t i = 0; i < count; i++) {
        sc_facet_prefetch(tree->facets, family->facet[first + (i + AHEAD < count ? i + AHEAD : i)]);
        facet_in_frame(tree, family->facet[first + i], &in_frame[i]);
        sc_fbox_twice_the_centre(&in_frame[i].box, centre[i]);
    }
    sc_divide((const float(*)[4])centre, order, count, 8);
    octet_clear(&cluster->boxes);
    for (uint32_t i = 0; i < count; i += 8) {
        sc_fbox box;
        fill_leaf(family->facet + first, in_frame, order + i, count - i < 8 ? count - i : 8,
                  &cluster->leaves[i / 8], &box);
        octet_set(&cluster->boxes, (int)(i / 8), &box);
    }
    return cluster;
}

static sc_opened *cluster_of(sc_octree *tree, uint32_t index)
{
    sc_family *family = family_of(tree, index / 8);
    if (!family) {
        return NULL;
    }
    sc_opened *cluster = atomic_load_explicit(&family->clusters[index % 8], memory_order_acquire);
    if (cluster) {
        return cluster;
    }
    cluster = open_cluster(tree, family, index % 8);
    sc_opened *other = NULL;
    if (cluster && !atomic_compare_exchange_strong(&family->clusters[index % 8], &other, cluster)) {
        return other; /* another thread was first, with the same result */
    }
    return cluster;
}

const sc_opened *sc_octree_cluster(sc_octree *tree, uint32_t index)
{
    return cluster_of(tree, index);
}

/* ---- the boxes of a leaf ----------------------------------------------------- */

static const sc_octet *make_boxes(sc_octree *tree, const sc_leaf *leaf)
{
    sc_octet *boxes = sc_arena_alloc(&tree->opened, sizeof *boxes);
    if (boxes) {
        octet_clear(boxes);
        for (int i = 0; i < leaf->count; i++) {
            sc_ffacet in_frame;
            facet_in_frame(tree, leaf->triangle[i], &in_frame);
            octet_set(boxes, i, &in_frame.box);
        }
    }
    return boxes;
}

static const sc_octet *boxes_of(sc_octree *tree, sc_leaf *leaf)
{
    const sc_octet *boxes = atomic_load_explicit(&leaf->boxes, memory_order_acquire);
    if (boxes) {
        return boxes;
    }
    boxes = make_boxes(tree, leaf);
    const sc_octet *other = NULL;
    if (boxes && !atomic_compare_exchange_strong(&leaf->boxes, &other, boxes)) {
        return other; /* another thread was first, with the same result */
    }
    return boxes;
}

/* ---- nodes --------------------------------------------------------------- */

const sc_octet *sc_octree_children(sc_octree *tree, int level, uint32_t index)
{
    if (level > 1) {
        return &tree->octets[level - 1][index];
    }
    if (level == 1) {
        sc_family *family = family_of(tree, index);
        return family ? &family->boxes : NULL;
    }
    const bool is_leaf = level < 0;
    sc_opened *cluster = cluster_of(tree, is_leaf ? index / 8 : index);
    if (!cluster) {
        return NULL;
    }
    return is_leaf ? boxes_of(tree, &cluster->leaves[index % 8]) : &cluster->boxes;
}

const sc_octet *sc_octree_siblings(sc_octree *tree, int level, uint32_t index)
{
    return level + 1 < tree->levels ? sc_octree_children(tree, level + 1, index / 8)
                                    : tree->octets[level];
}

const sc_leaf *sc_octree_leaf(sc_octree *tree, uint32_t index)
{
    return &sc_octree_cluster(tree, index / 8)->leaves[index % 8];
}

const sc_slab *sc_octree_slab(sc_octree *tree, int level, uint32_t index)
{
    return level < 0 ? &sc_octree_leaf(tree, index)->slab
                     : &family_of(tree, index / 8)->slab[index % 8];
}

/* Those that were opened, and are known to be. */
static const sc_family *opened_family(const sc_octree *tree, uint32_t index)
{
    return atomic_load_explicit(&tree->families[index], memory_order_acquire);
}

static const sc_leaf *opened_leaf(const sc_octree *tree, uint32_t index)
{
    const sc_family *family = opened_family(tree, index / 64);
    const sc_opened *cluster =
        atomic_load_explicit(&family->clusters[index / 8 % 8], memory_order_acquire);
    return &cluster->leaves[index % 8];
}

uint32_t sc_octree_some_facet(const sc_octree *tree, int level, uint32_t index)
{
    if (level < 0) {
        return opened_leaf(tree, index)->triangle[0];
    }
    if (level == 0) {
        return opened_family(tree, index / 8)->facet[index % 8 * SC_CLUSTER];
    }
    size_t family = (size_t)index << 3 * (level - 1);
    return facet_of_span(tree, &tree->spans[FAMILY_BLOCKS * family], 0);
}

uint32_t sc_octree_facets(const sc_octree *tree, int level, uint32_t index,
                          uint32_t facet[SC_FAMILY])
{
    uint32_t count = 0;
    if (level < 0) {
        const sc_leaf *leaf = opened_leaf(tree, index);
        memcpy(facet, leaf->triangle, (size_t)leaf->count * sizeof *facet);
        return (uint32_t)leaf->count;
    }
    if (level == 0) {
        const sc_family *family = opened_family(tree, index / 8);
        uint32_t first = index % 8 * SC_CLUSTER, left = family->count - first;
        count = left < SC_CLUSTER ? left : SC_CLUSTER;
        memcpy(facet, family->facet + first, count * sizeof *facet);
        return count;
    }
    size_t end, first = first_span(tree, index, &end);
    for (size_t b = first; b < end; b++) {
        for (uint32_t i = 0; i < tree->spans[b].count; i++) {
            facet[count++] = facet_of_span(tree, &tree->spans[b], i);
        }
    }
    return count;
}

size_t sc_octree_opened(const sc_octree *tree)
{
    size_t opened = 0;
    for (size_t i = 0; tree->levels > 0 && i < tree->count[1]; i++) {
        if (atomic_load_explicit(&tree->families[i], memory_order_relaxed)) {
            size_t end, first = first_span(tree, i, &end);
            opened += end - first;
        }
    }
    return opened;
}

/* ---- building ------------------------------------------------------------ */

/* What the tree is made from: blocks with their boxes, not yet in order. */
typedef struct draft {
    sc_block_span *spans;
    sc_fbox *boxes;
    size_t count;
    sc_fbox all;
} draft;

static void draft_add(draft *d, sc_block_span span, const sc_fbox *box)
{
    d->spans[d->count] = span;
    d->boxes[d->count++] = *box;
    sc_fbox_add(&d->all, box);
}

static double diagonal_squared(const sc_fbox *box)
{
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
        double extent = (double)box->high[k] - (double)box->low[k];
        sum += extent * extent;
    }
    return sum;
}

/* n equal blocks on a surface have about the n-th part of its diagonal squared. A block
 * this much larger may be one that the file's order does not keep together, unless its
 * facets are as large, or form a strip. */
static const double oversize_factor = 256.0;

static bool is_scattered(const sc_octree *tree, size_t block, const sc_fbox *box)
{
    uint32_t first, count = sc_block_facets(tree->facets, block, &first);
    double lengths = 0.0;
    for (uint32_t i = 0; i < count; i += 4) { /* some tell enough */
        sc_ffacet f;
        facet_in_frame(tree, first + i, &f);
        lengths += 4.0 * sqrt(diagonal_squared(&f.box));
    }
    return diagonal_squared(box) > lengths * lengths;
}

static bool matters(const sc_octree *tree, const sc_cells *near, const sc_fbox *box)
{
    return sc_fbox_meet(box, &tree->region) && (!near || sc_cells_meet(near, box));
}

/* Triangles of oversized blocks that matter, in Morton order, to the pool and from there
 * into blocks of their own. */
static stlclash_code pool_blocks(sc_octree *tree, const sc_cells *near, const size_t *oversized,
                                 size_t oversized_count, draft *d, stlclash_error *error)
{
    size_t capacity = oversized_count * SC_BLOCK, count = 0;
    uint64_t *keys = sc_alloc(2 * capacity, sizeof *keys);
    sc_fbox *boxes = sc_alloc(capacity, sizeof *boxes);
    uint32_t *facets = sc_alloc(capacity, sizeof *facets);
    tree->pool = sc_alloc(capacity, sizeof *tree->pool);
    stlclash_code code = STLCLASH_OK;
    if (!keys || !boxes || !facets || !tree->pool) {
        code = sc_error_memory(error);
        goto done;
    }
    sc_grid cells = sc_grid_over(&d->all, 10);
    for (size_t o = 0; o < oversized_count; o++) {
        uint32_t first, n = sc_block_facets(tree->facets, oversized[o], &first);
        count += sc_cells_pick(near, &tree->region, &tree->frame, tree->facets, tree->placement,
                               first, n, facets + count, boxes + count);
    }
    for (size_t i = 0; i < count; i++) {
        keys[i] = (uint64_t)sc_morton(&boxes[i], &cells) << 32 | i;
    }
    sc_sort_keys(keys, keys + capacity, count, 32, 30);
    for (size_t i = 0; i < count; i += SC_BLOCK) {
        size_t n = count - i < SC_BLOCK ? count - i : SC_BLOCK;
        sc_fbox box = sc_fbox_empty();
        for (size_t k = i; k < i + n; k++) {
            uint32_t from = (uint32_t)keys[k];
            tree->pool[k] = facets[from];
            sc_fbox_add(&box, &boxes[from]);
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
static stlclash_code collect_blocks(sc_octree *tree, const sc_blocks *blocks, const sc_cells *near,
                                    draft *d, stlclash_error *error)
{
    size_t kept = 0, oversized_count = 0;
    size_t *ids = sc_alloc(blocks->count, sizeof *ids);
    d->spans = sc_alloc(blocks->count, sizeof *d->spans);
    d->boxes = sc_alloc(blocks->count, sizeof *d->boxes);
    if (!ids || !d->spans || !d->boxes) {
        sc_free(ids);
        return sc_error_memory(error);
    }
    sc_fbox all = sc_fbox_empty();
    for (size_t g = 0; g < blocks->group_count; g++) {
        sc_fbox box = sc_frame_block(&tree->frame, tree->placement, &blocks->groups[g]);
        size_t end = sc_fbox_meet(&box, &tree->region) ? sc_group_end(blocks, g) : 0;
        for (size_t b = g * SC_GROUP; b < end; b++) {
            box = sc_frame_block(&tree->frame, tree->placement, &blocks->boxes[b]);
            if (matters(tree, near, &box)) {
                sc_fbox_add(&all, &box);
                ids[kept] = b;
                d->boxes[kept++] = box; /* for now; draft_add puts it in its final place */
            }
        }
    }
    tree->blocks_kept = kept;
    double limit = oversize_factor * diagonal_squared(&all) / (double)kept;
    d->all = all;
    enum { ALIKE = 8 }; /* blocks of the file that are taken to be scattered as one of them is */
    size_t looked_at = SIZE_MAX;
    bool scattered = false;
    for (size_t i = 0; i < kept; i++) {
        sc_fbox box = d->boxes[i];
        bool large = diagonal_squared(&box) > limit;
        if (large && ids[i] / ALIKE != looked_at) {
            looked_at = ids[i] / ALIKE;
            scattered = is_scattered(tree, ids[i], &box);
        }
        if (large && scattered) {
            ids[oversized_count++] = ids[i];
        } else {
            uint32_t first, n = sc_block_facets(tree->facets, ids[i], &first);
            draft_add(d, (sc_block_span){first, n, false}, &box);
        }
    }
    stlclash_code code = STLCLASH_OK;
    if (oversized_count > 0) {
        code = pool_blocks(tree, near, ids, oversized_count, d, error);
    }
    sc_free(ids);
    return code;
}

/* The levels above the families, each from the one below; one at least. */
static bool build_levels(sc_octree *tree)
{
    int level = 1;
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
            sc_fbox box = octet_union(&tree->octets[level][i]);
            octet_set(&octets[i / 8], (int)(i % 8), &box);
        }
        level++;
        tree->octets[level] = octets;
        tree->count[level] = count;
    } while (tree->count[level] > 1);
    tree->levels = level + 1;
    return true;
}

/* Runs of blocks in Morton order jump where the curve does: within larger runs families
 * are made of what lies close together. */
static void choose_families(const draft *d, const uint64_t *keys, uint32_t *order)
{
    for (size_t first = 0; first < d->count; first += SC_DIVIDE_MAX) {
        size_t left = d->count - first;
        uint32_t count = left < SC_DIVIDE_MAX ? (uint32_t)left : SC_DIVIDE_MAX;
        uint32_t within[SC_DIVIDE_MAX];
        float centre[SC_DIVIDE_MAX][4];
        for (uint32_t i = 0; i < count; i++) {
            sc_fbox_twice_the_centre(&d->boxes[(uint32_t)keys[first + i]], centre[i]);
        }
        sc_divide((const float(*)[4])centre, within, count, FAMILY_BLOCKS);
        for (uint32_t i = 0; i < count; i++) {
            order[first + i] = (uint32_t)keys[first + within[i]];
        }
    }
}

/* The blocks of the draft in the given order; every run of them is a family. */
static void place_families(sc_octree *tree, const draft *d, const uint32_t *order)
{
    for (size_t i = 0; i < (tree->count[1] + 7) / 8; i++) {
        octet_clear(&tree->octets[1][i]);
    }
    for (size_t f = 0; f < tree->count[1]; f++) {
        size_t end, first = first_span(tree, f, &end);
        sc_fbox box = sc_fbox_empty();
        for (size_t i = first; i < end; i++) {
            tree->spans[i] = d->spans[order[i]];
            sc_fbox_add(&box, &d->boxes[order[i]]);
        }
        octet_set(&tree->octets[1][f / 8], (int)(f % 8), &box);
    }
}

/* Level 1, from blocks in Morton order. */
static bool make_families(sc_octree *tree, const draft *d)
{
    size_t families = (d->count + FAMILY_BLOCKS - 1) / FAMILY_BLOCKS;
    uint64_t *keys = sc_alloc(2 * d->count, sizeof *keys);
    uint32_t *order = sc_alloc(d->count, sizeof *order);
    tree->spans = sc_alloc(d->count, sizeof *tree->spans);
    tree->octets[1] = sc_alloc((families + 7) / 8, sizeof *tree->octets[1]);
    tree->families = sc_calloc(families, sizeof *tree->families);
    bool good = keys && order && tree->spans && tree->octets[1] && tree->families;
    if (good) {
        sc_grid cells = sc_grid_over(&d->all, 10);
        for (size_t i = 0; i < d->count; i++) {
            keys[i] = (uint64_t)sc_morton(&d->boxes[i], &cells) << 32 | i;
        }
        sc_sort_keys(keys, keys + d->count, d->count, 32, 30);
        choose_families(d, keys, order);
        tree->span_count = d->count;
        tree->count[1] = families;
        place_families(tree, d, order);
    }
    sc_free(keys);
    sc_free(order);
    return good;
}

stlclash_code sc_octree_build(const sc_blocks *blocks, const sc_facets *facets,
                              const sc_placement *placement, const sc_frame *frame,
                              const sc_box *region, const sc_cells *near, sc_octree *tree,
                              stlclash_error *error)
{
    draft d = {.all = sc_fbox_empty()};
    *tree = (sc_octree){.facets = facets, .placement = placement, .frame = *frame};
    tree->region = sc_frame_fbox(frame, region);

    stlclash_code code = collect_blocks(tree, blocks, near, &d, error);
    if (code == STLCLASH_OK && d.count > 0 && (!make_families(tree, &d) || !build_levels(tree))) {
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
    sc_arena_free(&tree->opened);
    for (int level = 0; level < SC_LEVELS; level++) {
        sc_free(tree->octets[level]);
    }
    sc_free(tree->families);
    sc_free(tree->spans);
    sc_free(tree->pool);
    *tree = (sc_octree){.levels = 0};
}
