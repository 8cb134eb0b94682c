/* octree_build.c - the tree of a part, but for what is opened later: its blocks that matter, the
 * families that are made of them, and the levels above. */
#include "octree.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/sort.h"
#include "divide.h"
#include "morton.h"

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

/* n equal blocks on a surface have about the n-th part of its diagonal squared. A block
 * this much larger may be one that the file's order does not keep together, unless its
 * facets are as large, or form a strip. */
static const double oversize_factor = 256.0;

static bool is_scattered(const sc_octree *tree, size_t block, const sc_fbox *box)
{
    const sc_way_in way = sc_octree_way_in(tree);
    uint32_t first, count = sc_block_facets(tree->facets, block, &first);
    double lengths = 0.0;
    for (uint32_t i = 0; i < count; i += 4) { /* some tell enough */
        sc_ffacet f;
        sc_frame_facet(&way, first + i, &f);
        lengths += 4.0 * sqrt(sc_fbox_diagonal_squared(&f.box));
    }
    return sc_fbox_diagonal_squared(box) > lengths * lengths;
}

static bool matters(const sc_octree *tree, const sc_vicinity *near, const sc_fbox *box)
{
    return sc_fbox_meet(box, &tree->region) && (!near || sc_cells_meet(&near->cells, box));
}

/* Where a block's own box says nothing of where its facets are, those are asked. */
static bool block_matters(const sc_octree *tree, const sc_vicinity *near, size_t block,
                          const sc_fbox *box, size_t *listed)
{
    if (near && sc_loose_find(&near->loose, block, listed)) {
        return sc_fbox_meet(box, &tree->region);
    }
    return matters(tree, near, box);
}

/* The facets of a block among which those that matter are; returns how many. *listed: where the
 * one before was in the list of loose facets, at first 0. */
static uint32_t find_facets(const sc_octree *tree, const sc_vicinity *near, size_t block,
                            size_t *listed, uint32_t facet[SC_BLOCK])
{
    if (near && sc_loose_find(&near->loose, block, listed)) {
        return sc_loose_meeting(&near->loose, *listed, near->cells.row, facet);
    }
    uint32_t first, count = sc_block_facets(tree->facets, block, &first), found = 0;
    uint64_t left = sc_frame_facets_about(&tree->frame, tree->facets, tree->placement, first, count,
                                          &tree->region);
    for (; left != 0; left &= left - 1) {
        facet[found++] = first + (uint32_t)__builtin_ctzll(left);
    }
    return found;
}

/* The boxes of facets; keeps those that matter, and returns how many they are; or some of them once
 * the watch is over. */
static size_t keep_what_matters(const sc_octree *tree, const sc_vicinity *near, sc_watch *watch,
                                uint32_t *facet, sc_fbox *box, size_t count)
{
    enum { AHEAD = 16 };
    const sc_way_in way = sc_octree_way_in(tree);
    size_t kept = 0;
    for (size_t i = 0; i < count && !sc_watch_ends(watch, i); i++) {
        sc_ffacet f;
        sc_facet_prefetch(tree->facets, facet[i + AHEAD < count ? i + AHEAD : i]);
        sc_frame_facet(&way, facet[i], &f);
        facet[kept] = facet[i];
        box[kept] = f.box;
        kept += matters(tree, near, &f.box); /* without a branch: it is as good as chance */
    }
    return kept;
}

/* Where a block is cut in two, so that the larger box is smallest: as where a row of a grid ends
 * in it, and the next one begins far off. */
typedef struct cut {
    uint32_t before; /* so many facets */
    sc_fbox box[2];
    double larger; /* squared diagonal of that box */
} cut;

static cut find_cut(const sc_octree *tree, size_t block)
{
    const sc_way_in way = sc_octree_way_in(tree);
    uint32_t first, count = sc_block_facets(tree->facets, block, &first);
    sc_fbox own[SC_BLOCK], from[SC_BLOCK], before = sc_fbox_empty(), after = before;
    cut best = {.larger = INFINITY};
    for (uint32_t i = count; i-- > 0;) {
        sc_ffacet f;
        sc_frame_facet(&way, first + i, &f);
        own[i] = f.box;
        sc_fbox_add(&after, &f.box);
        from[i] = after;
    }
    for (uint32_t i = 1; i < count; i++) {
        sc_fbox_add(&before, &own[i - 1]);
        const double larger =
            sc_fmax(sc_fbox_diagonal_squared(&before), sc_fbox_diagonal_squared(&from[i]));
        if (larger < best.larger) {
            best = (cut){i, {before, from[i]}, larger};
        }
    }
    return best;
}

/* Cuts blocks of a list in two, as long as that mostly leaves none of both oversized; the others
 * stay in the list. Returns how many they are; or too many once the watch is over. */
static size_t cut_in_two(const sc_octree *tree, size_t *oversized, size_t count, double limit,
                         sc_watch *watch, draft *d)
{
    enum { MOST_IN_VAIN = 16 }; /* more often than not */
    size_t kept = 0, tries = MOST_IN_VAIN;
    for (size_t i = 0; i < count; i++) {
        const size_t block = oversized[i];
        const bool is_tried = tries > 0 && !sc_watch_ends(watch, i);
        const cut c = is_tried ? find_cut(tree, block) : (cut){.larger = INFINITY};
        if (c.larger <= limit) {
            uint32_t first, all = sc_block_facets(tree->facets, block, &first);
            draft_add(d, (sc_block_span){first, (uint8_t)c.before, false}, &c.box[0]);
            draft_add(d, (sc_block_span){first + c.before, (uint8_t)(all - c.before), false},
                      &c.box[1]);
            tries++;
        } else {
            oversized[kept++] = block;
            tries -= tries > 0;
        }
    }
    return kept;
}

/* Triangles of oversized blocks that matter, in Morton order, to the pool and from there
 * into blocks of their own. */
static stlclash_code pool_blocks(sc_octree *tree, const sc_octree_request *request,
                                 const size_t *oversized, size_t oversized_count, draft *d,
                                 stlclash_error *error)
{
    const sc_vicinity *near = request->near;
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
    for (size_t o = 0, listed = 0; o < oversized_count && !sc_watch_ends(request->watch, o); o++) {
        count += find_facets(tree, near, oversized[o], &listed, facets + count);
    }
    count = keep_what_matters(tree, near, request->watch, facets, boxes, count);
    if (sc_watch_was_over(request->watch)) {
        code = sc_error_memory(error);
        goto done;
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
        draft_add(d, (sc_block_span){(uint32_t)i, (uint8_t)n, true}, &box);
    }
done:
    sc_free(keys);
    sc_free(boxes);
    sc_free(facets);
    return code;
}

/* The blocks that matter, their boxes for now in the draft, which has room for them where it gets
 * its own; or some of them once the watch is over. Returns how many they are. */
static size_t find_blocks(const sc_octree *tree, const sc_octree_request *request, size_t *ids,
                          draft *d)
{
    const sc_blocks *blocks = &request->mesh->blocks;
    size_t kept = 0, listed = 0;
    d->all = sc_fbox_empty();
    for (size_t g = 0; g < blocks->group_count && !sc_watch_ends(request->watch, g); g++) {
        sc_fbox box = sc_frame_block(&tree->frame, tree->placement, &blocks->groups[g]);
        size_t end = sc_fbox_meet(&box, &tree->region) ? sc_group_end(blocks, g) : 0;
        for (size_t b = g * SC_GROUP; b < end; b++) {
            box = sc_frame_block(&tree->frame, tree->placement, &blocks->boxes[b]);
            if (block_matters(tree, request->near, b, &box, &listed)) {
                sc_fbox_add(&d->all, &box);
                ids[kept] = b;
                d->boxes[kept++] = box;
            }
        }
    }
    return kept;
}

/* What was last found of the blocks of the file: they are asked for in order. */
typedef struct scatter {
    double limit;     /* squared diagonal of a box, above which a block is worth a look */
    size_t looked_at; /* of ALIKE blocks that are taken to be scattered as one of them is */
    bool scattered;
    size_t listed; /* in the list of loose facets */
} scatter;

/* Whether the facets of a block are to be divided anew. */
static bool is_oversized(const sc_octree *tree, const sc_vicinity *near, size_t block,
                         const sc_fbox *box, scatter *s)
{
    enum { ALIKE = 8 };
    if (!(sc_fbox_diagonal_squared(box) > s->limit)) {
        return false;
    }
    if (near && sc_loose_find(&near->loose, block, &s->listed)) {
        s->scattered = true;
    } else if (block / ALIKE != s->looked_at) {
        s->scattered = is_scattered(tree, block, box);
    }
    s->looked_at = block / ALIKE;
    return s->scattered;
}

/* Of so many blocks more. */
static bool make_room_for_halves(draft *d, size_t blocks)
{
    size_t room = d->count + 2 * blocks;
    return sc_resize(&d->spans, &room, room, sizeof *d->spans) &&
           sc_resize(&d->boxes, &room, room, sizeof *d->boxes);
}

/* Each anew, by itself or with others. */
static stlclash_code divide_oversized(sc_octree *tree, const sc_octree_request *request,
                                      size_t *oversized, size_t count, double limit, draft *d,
                                      stlclash_error *error)
{
    if (!request->near) { /* else some facets of a block may not matter */
        if (!make_room_for_halves(d, count)) {
            return sc_error_memory(error);
        }
        count = cut_in_two(tree, oversized, count, limit, request->watch, d);
    }
    return count > 0 ? pool_blocks(tree, request, oversized, count, d, error) : STLCLASH_OK;
}

/* Keeps the blocks that meet the region; divides the oversized ones anew. */
static stlclash_code collect_blocks(sc_octree *tree, const sc_octree_request *request, draft *d,
                                    stlclash_error *error)
{
    const size_t count = request->mesh->blocks.count;
    size_t oversized_count = 0;
    size_t *ids = sc_alloc(count, sizeof *ids);
    d->spans = sc_alloc(count, sizeof *d->spans);
    d->boxes = sc_alloc(count, sizeof *d->boxes);
    if (!ids || !d->spans || !d->boxes) {
        sc_free(ids);
        return sc_error_memory(error);
    }
    const size_t kept = find_blocks(tree, request, ids, d);
    scatter s = {oversize_factor * sc_fbox_diagonal_squared(&d->all) / (double)kept, SIZE_MAX,
                 false, 0};
    tree->blocks_kept = kept;
    for (size_t i = 0; i < kept && !sc_watch_ends(request->watch, i); i++) {
        const sc_fbox box = d->boxes[i]; /* draft_add puts another in its place */
        if (is_oversized(tree, request->near, ids[i], &box, &s)) {
            ids[oversized_count++] = ids[i];
        } else {
            uint32_t first, n = sc_block_facets(tree->facets, ids[i], &first);
            draft_add(d, (sc_block_span){first, (uint8_t)n, false}, &box);
        }
    }
    stlclash_code code = STLCLASH_OK;
    if (sc_watch_was_over(request->watch)) {
        code = sc_error_memory(error);
    } else if (oversized_count > 0) {
        code = divide_oversized(tree, request, ids, oversized_count, s.limit, d, error);
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
            sc_octet_clear(&octets[i]);
        }
        for (size_t i = 0; i < count; i++) {
            sc_fbox box = sc_octet_union(&tree->octets[level][i]);
            sc_octet_set(&octets[i / 8], (int)(i % 8), &box);
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
        sc_divide((const float(*)[4])centre, within, count, SC_FAMILY_BLOCKS);
        for (uint32_t i = 0; i < count; i++) {
            order[first + i] = (uint32_t)keys[first + within[i]];
        }
    }
}

/* The blocks of the draft in the given order; every run of them is a family. */
static void place_families(sc_octree *tree, const draft *d, const uint32_t *order)
{
    for (size_t i = 0; i < (tree->count[1] + 7) / 8; i++) {
        sc_octet_clear(&tree->octets[1][i]);
    }
    for (size_t f = 0; f < tree->count[1]; f++) {
        size_t end, first = sc_family_spans(tree, f, &end);
        sc_fbox box = sc_fbox_empty();
        for (size_t i = first; i < end; i++) {
            tree->spans[i] = d->spans[order[i]];
            sc_fbox_add(&box, &d->boxes[order[i]]);
        }
        sc_octet_set(&tree->octets[1][f / 8], (int)(f % 8), &box);
    }
}

/* Level 1, from blocks in Morton order. */
static bool make_families(sc_octree *tree, const draft *d)
{
    size_t families = (d->count + SC_FAMILY_BLOCKS - 1) / SC_FAMILY_BLOCKS;
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

stlclash_code sc_octree_build(const sc_octree_request *request, sc_octree *tree,
                              stlclash_error *error)
{
    const stlclash_mesh *mesh = request->mesh;
    draft d = {.all = sc_fbox_empty()};
    *tree = (sc_octree){.facets = &mesh->file.facets,
                        .placement = request->placement,
                        .frame = *request->frame,
                        .region = sc_frame_fbox(request->frame, request->region)};

    stlclash_code code = collect_blocks(tree, request, &d, error);
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
