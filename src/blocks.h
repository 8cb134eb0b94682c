/* blocks.h - facets -> blocks: the first and only pass over all of a part.
 *
 * A block is SC_BLOCK consecutive facets of the file and their bounding box. What
 * later stages look at, they choose by blocks; facets in blocks far from the
 * other part are never looked at again. */
#ifndef SC_BLOCKS_H
#define SC_BLOCKS_H

#include "facets.h"
#include "geom/box.h"
#include "stlclash.h"
#include "triangles.h"

/* Few, since in many files what follows each other is a thin strip of the surface. */
enum { SC_BLOCK = 16, SC_GROUP = 64 };

/* As stored, so floats are exact. */
typedef struct sc_block_box {
    float low[3], high[3];
} sc_block_box;

typedef struct sc_blocks {
    sc_block_box *boxes; /* [count] */
    size_t count;
    sc_block_box *groups; /* [group_count], each around SC_GROUP consecutive blocks */
    size_t group_count;
    sc_box bounds;       /* of all facets; empty if there are none */
    uint64_t degenerate; /* facets without area, and the first of them */
    uint64_t first_degenerate;
} sc_blocks;

/* Fails with STLCLASH_E_NONFINITE, naming the facet, or STLCLASH_E_MEMORY. */
stlclash_code sc_blocks_build(const sc_facets *facets, sc_blocks *blocks, stlclash_error *error);
void sc_blocks_free(sc_blocks *blocks);

static inline sc_box sc_block_box_as_stored(const sc_block_box *box)
{
    sc_box stored;
    for (int k = 0; k < 3; k++) {
        stored.low[k] = (double)box->low[k] + 0.0; /* -0 + 0 = +0 */
        stored.high[k] = (double)box->high[k] + 0.0;
    }
    return stored;
}

/* A box that encloses a box after a placement other than identity. */
sc_box sc_block_box_turned(const sc_block_box *box, const sc_placement *placement);

static inline sc_box sc_block_placed(const sc_block_box *box, const sc_placement *placement)
{
    return placement->is_identity ? sc_block_box_as_stored(box)
                                  : sc_block_box_turned(box, placement);
}

/* A box that encloses block b after placement, not always tightly. */
static inline sc_box sc_blocks_placed_box(const sc_blocks *blocks, const sc_placement *placement,
                                          size_t b)
{
    return sc_block_placed(&blocks->boxes[b], placement);
}

/* The same for group g: blocks SC_GROUP * g on. Where it is of no use, neither is any of
 * them. */
static inline sc_box sc_blocks_placed_group(const sc_blocks *blocks, const sc_placement *placement,
                                            size_t g)
{
    return sc_block_placed(&blocks->groups[g], placement);
}

/* The end of the blocks of group g. */
static inline size_t sc_group_end(const sc_blocks *blocks, size_t g)
{
    size_t end = (g + 1) * SC_GROUP;
    return end < blocks->count ? end : blocks->count;
}

/* The tight bounds of all placed vertices; looks only into blocks that can reach
 * them. */
sc_box sc_blocks_placed_bounds(const sc_blocks *blocks, const sc_facets *facets,
                               const sc_placement *placement);

/* The facets of block b are first .. first + count - 1. */
static inline uint32_t sc_block_facets(const sc_facets *facets, size_t b, uint32_t *first)
{
    *first = (uint32_t)(b * SC_BLOCK);
    uint32_t left = facets->count - *first;
    return left < SC_BLOCK ? left : SC_BLOCK;
}

#endif
