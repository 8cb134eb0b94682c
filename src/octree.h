/* octree.h - blocks -> octree: what of a part lies near the other part.
 *
 * A linear octree, 8 children a node, boxes of floats rounded outwards. At its bottom
 * stand leaves of up to 8 facets (level -1), clusters of up to 8 leaves (level 0), and
 * families of up to 8 clusters (level 1); a node of level k > 1 has as children the 8
 * consecutive nodes of level k-1 (some of them may be absent).
 *
 * A family is made of blocks of the file that lie close together, and opened when a
 * traversal first comes to it: its facets are divided anew into compact clusters
 * (divide.h), and those that lie beyond the region of interest are left out; a cluster is
 * opened into leaves when something lies near it. So nothing is stored for facets that no
 * query comes near.
 *
 * Where the order of the file is no guide (shuffled facets), the facets of oversized
 * blocks are pooled, put in Morton order and divided into blocks anew. */
#ifndef SC_OCTREE_H
#define SC_OCTREE_H

#include "base/arena.h"
#include "base/watch.h"
#include "blocks.h"
#include "cells.h"
#include "frame.h"
#include "octets.h"
#include "part.h"

#include <stdatomic.h>

enum { SC_LEVELS = 11 };                              /* 8^10 clusters exceed 2^32 triangles */
enum { SC_CLUSTER = 64, SC_FAMILY = 8 * SC_CLUSTER }; /* facets at most */
enum { SC_FAMILY_LEAVES = SC_FAMILY / 8 };

/* In the file blocks are often strips; only side by side are they a patch. */
enum { SC_FAMILY_BLOCKS = SC_FAMILY / SC_BLOCK };

/* Up to 8 facets, which sc_leaf_facet tells. Most of what a tree takes are leaves; and memory takes
 * time, that of the system before it is used for the first time. So it is no more than its slab,
 * which has room for the `count` of its facets, its `number` among its cluster's leaves, that of
 * the `cluster` among its family's, and whether the family's list has its facets in the order of
 * leaves. */
typedef struct sc_leaf {
    sc_slab slab;
} sc_leaf;

/* What is made of leaves once somebody asks for it; mostly nobody does. */
typedef struct sc_leaf_details {
    _Atomic(const sc_octet *) boxes[8];         /* see sc_leaf_boxes */
    _Atomic(const sc_octet_facets *) facets[8]; /* see sc_sift_facets */
    atomic_uchar asked[8];                      /* how often for boxes, until they were kept */
} sc_leaf_details;

typedef struct sc_block_span {
    uint32_t first; /* facet of the file, or entry of the pool, of so many: SC_BLOCK at most */
    uint8_t count;
    bool pooled;
} sc_block_span;

/* A cluster once opened. */
typedef struct sc_opened {
    sc_octet boxes;                     /* of the leaves */
    sc_leaf leaves[8];                  /* each of 8 facets, but for the last */
    const uint16_t *facet;              /* its part of the family's list: where in these blocks */
    const sc_block_span *blocks;        /* its family's */
    const uint32_t *pool;               /* the tree's */
    _Atomic(sc_leaf_details *) details; /* NULL: none */
    /* [SC_CLUSTER] of its facets in that list, a leaf after the other, unless the list is in that
     * order; behind it tubes of leaves, where some are slivers. */
    uint8_t place[];
} sc_opened;

typedef struct sc_octree {
    const sc_facets *facets;
    const sc_placement *placement;
    sc_frame frame;
    sc_fbox region;              /* triangles that miss it do not matter */
    int levels;                  /* 0: nothing of the part matters; else >= 2 */
    size_t count[SC_LEVELS];     /* nodes of each level >= 1; one in the topmost */
    sc_octet *octets[SC_LEVELS]; /* [(count + 7) / 8]: boxes of the nodes of level >= 1 */
    sc_block_span *spans;        /* [span_count]: a family after the other */
    size_t span_count;
    uint32_t *pool;                        /* triangles of blocks that were divided anew */
    _Atomic(struct sc_family *) *families; /* [count[1]], NULL until opened */
    sc_arena opened;                       /* families and clusters */
    _Atomic(void *) room;                  /* to open a family in, while no thread does; or NULL */
    _Atomic(void *) normals;               /* of families, see solids/normals.h; NULL: none yet */
    atomic_uint left, opened_later; /* clusters that were not opened with their family; and of
                                              them those that were since */
    size_t blocks_kept;             /* blocks of the file that met the region */
    bool *opened_before;            /* [count[1]] families that were when the tree was forgotten;
                                              NULL: it never was */
} sc_octree;

/* A node on the way down; level -1 is a leaf. */
typedef struct sc_node {
    uint32_t index;
    int level;
} sc_node;

/* Nodes that wait at most, where one at a time is replaced by its children. */
enum { SC_WAITING = 8 * (SC_LEVELS + 2) };

/* Of what a tree is to be. Mesh and placement must outlive the tree; the rest is copied, or no
 * longer looked at once it is built. */
typedef struct sc_octree_request {
    const stlclash_mesh *mesh;
    const sc_placement *placement;
    const sc_frame *frame;
    const sc_box *region; /* what misses it does not matter; in length units */
    const sc_vicinity
        *near;       /* nor does what meets none of its cells; NULL: all of the region does */
    sc_watch *watch; /* once it is over, all ends as if memory had run out; NULL: it never is */
} sc_octree_request;

/* Freed by sc_octree_free; an error leaves nothing to free. */
stlclash_code sc_octree_build(const sc_octree_request *request, sc_octree *tree,
                              stlclash_error *error);
void sc_octree_free(sc_octree *tree);

/* Frees the memory of what was opened, where it is so many bytes at least; it will be opened anew
 * as it is asked for. While no other thread uses the tree, and nobody keeps leaves of it. */
void sc_octree_forget(sc_octree *tree, size_t least);

/* Builds that of a part as it is compared. */
static inline stlclash_code sc_octree_of_part(const sc_part *part, const sc_frame *frame,
                                              const sc_box *region, const sc_vicinity *near,
                                              sc_octree *tree, stlclash_error *error)
{
    const sc_octree_request request = {part->mesh, &part->used, frame, region, near, NULL};
    return sc_octree_build(&request, tree, error);
}

/* The way of the part's facets into the frame. */
static inline sc_way_in sc_octree_way_in(const sc_octree *tree)
{
    return sc_frame_way_in(&tree->frame, tree->facets, tree->placement);
}

/* The boxes of the 8 children of a node, numbers 8 * index on; those of a leaf, level -1, are
 * its triangles. Opens what it must; NULL if memory ran out. Any number of threads may call
 * it. */
const sc_octet *sc_octree_children(sc_octree *tree, int level, uint32_t index);

/* The boxes among which a node's own is number index % 8. */
const sc_octet *sc_octree_siblings(sc_octree *tree, int level, uint32_t index);

/* A node's own box. */
static inline sc_fbox sc_octree_box(sc_octree *tree, sc_node node)
{
    return sc_octet_box(sc_octree_siblings(tree, node.level, node.index), node.index % 8);
}

/* The slab of a node of level 1, which it opens, and its centre; NULL where that is not all
 * slivers. False if memory ran out. */
bool sc_octree_family_slab(sc_octree *tree, uint32_t index, const sc_slab **slab, float centre[4]);

/* The slab of a node of level 0 or -1 whose box was seen. */
const sc_slab *sc_octree_slab(sc_octree *tree, int level, uint32_t index);

/* A node of level 0 whose box was seen, opened; NULL if memory ran out. */
const sc_opened *sc_octree_cluster(sc_octree *tree, uint32_t index);

/* The leaf of a node of level -1 whose box was seen. */
sc_leaf *sc_octree_leaf(sc_octree *tree, uint32_t index);

/* Its children, as above. Most leaves are asked once or twice, and many take much memory: so only
 * for the third time they are kept, before that they are made in the room; without one at once. */
const sc_octet *sc_leaf_boxes(sc_octree *tree, sc_leaf *leaf, sc_octet *room);

/* The same for who hardly comes by again: those that are not kept never are, nor counted. */
const sc_octet *sc_leaf_boxes_once(const sc_octree *tree, const sc_leaf *leaf, sc_octet *room);

/* The leaf's number among those of its family. */
static inline size_t sc_leaf_in_family(const sc_leaf *leaf)
{
    return 8 * (size_t)leaf->slab.cluster + leaf->slab.number;
}

/* The cluster of a leaf. */
static inline sc_opened *sc_leaf_cluster(const sc_leaf *leaf)
{
    return (sc_opened *)((uintptr_t)(leaf - leaf->slab.number) - offsetof(sc_opened, leaves));
}

/* The number, in file order, of facet i of a block. */
static inline uint32_t sc_facet_of_block(const sc_block_span *block, const uint32_t *pool,
                                         uint32_t i)
{
    return block->pooled ? pool[block->first + i] : block->first + i;
}

/* The same of several blocks, with room for SC_BLOCK each. */
static inline uint32_t sc_facet_of_blocks(const sc_block_span *blocks, const uint32_t *pool,
                                          uint32_t i)
{
    return sc_facet_of_block(&blocks[i / SC_BLOCK], pool, i % SC_BLOCK);
}

/* The number of one of a leaf's facets in file order. */
static inline uint32_t sc_leaf_facet(const sc_leaf *leaf, int i)
{
    const sc_opened *cluster = sc_leaf_cluster(leaf);
    const uint32_t at = 8 * leaf->slab.number + (uint32_t)i;
    return sc_facet_of_blocks(cluster->blocks, cluster->pool,
                              cluster->facet[leaf->slab.ordered ? at : cluster->place[at]]);
}

/* Those of all of them; returns how many. */
static inline uint32_t sc_leaf_list(const sc_leaf *leaf, uint32_t facet[8])
{
    const sc_opened *cluster = sc_leaf_cluster(leaf);
    const sc_block_span *blocks = cluster->blocks;
    const uint32_t *pool = cluster->pool;
    const uint32_t count = leaf->slab.count, first = 8 * leaf->slab.number;
    const uint16_t *list = cluster->facet;
    if (leaf->slab.ordered) {
        for (uint32_t i = 0; i < count; i++) {
            facet[i] = sc_facet_of_blocks(blocks, pool, list[first + i]);
        }
        return count;
    }
    for (uint32_t i = 0; i < count; i++) {
        facet[i] = sc_facet_of_blocks(blocks, pool, list[cluster->place[first + i]]);
    }
    return count;
}

/* NULL if memory ran out. Any number of threads may call it. */
sc_leaf_details *sc_leaf_details_of(sc_octree *tree, sc_leaf *leaf);

/* The boxes of the leaf's facets if they are kept, else NULL. */
static inline const sc_octet *sc_kept_boxes(const sc_leaf_details *details, const sc_leaf *leaf)
{
    return atomic_load_explicit(&details->boxes[leaf->slab.number], memory_order_acquire);
}

/* Number of a facet below a node, whatever its level; of level 0 or -1, its box was seen. */
uint32_t sc_octree_some_facet(const sc_octree *tree, int level, uint32_t index);

/* All facets below a node of level 1 or less, in an order that does not depend on what was opened;
 * returns how many. Of level 0 or -1, its box was seen. Level 1: also those beyond the region. */
uint32_t sc_octree_facets(const sc_octree *tree, int level, uint32_t index,
                          uint32_t facet[SC_FAMILY]);

/* Blocks of the file that were opened so far. */
size_t sc_octree_opened(const sc_octree *tree);

/* ---- of octree.c and octree_build.c alone ---- */

/* The spans of a family: from the result to before *end. */
static inline size_t sc_family_spans(const sc_octree *tree, size_t family, size_t *end)
{
    size_t first = SC_FAMILY_BLOCKS * family;
    *end =
        first + SC_FAMILY_BLOCKS < tree->span_count ? first + SC_FAMILY_BLOCKS : tree->span_count;
    return first;
}

#endif
