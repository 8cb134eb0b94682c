/* prepared.h - the leaves of two octrees as those need them who look at pairs of their facets: the
 * facets loaded, with planes, boxes, vertices and triangles, each made when it is first asked for.
 *
 * For one thread. A leaf meets several others in turn, and few at a time are in use: so what was
 * made is kept for a while. */
#ifndef SC_PREPARED_H
#define SC_PREPARED_H

#include "part.h"
#include "sift.h"
#include "traverse.h"

/* Those of a family stand side by side. That is 0.2 megabytes for either part, where all of it is
 * needed: for two threads and two parts of 10,000 facets it is in one large page. */
enum { SC_CACHED_LEAVES = SC_FAMILY_LEAVES };

/* Apart from each other, for most leaves come no farther than the first. */
typedef struct sc_leaf_cache {
    const sc_leaf *leaf[SC_CACHED_LEAVES]; /* NULL: none */
    uint32_t facet[SC_CACHED_LEAVES][8];
    sc_loaded_leaf loaded[SC_CACHED_LEAVES];
    bool has_planes[SC_CACHED_LEAVES], has_boxes[SC_CACHED_LEAVES];
    uint8_t placed[SC_CACHED_LEAVES]; /* bit i: it is there of triangle i: */
    uint8_t made[SC_CACHED_LEAVES];
    sc_vec3 vertices[SC_CACHED_LEAVES][8][3];
    sc_triangle triangles[SC_CACHED_LEAVES][8];
} sc_leaf_cache;

typedef struct sc_leaves {
    const sc_frame *frame;
    const sc_facets *facets[2];
    const sc_placement *placement[2];
    const sc_octets_isa *octets;
    float vertex_error;      /* of both parts, in the frame */
    sc_leaf_cache *cache[2]; /* NULL until the first leaves come */
} sc_leaves;

/* Of two parts that are compared in a frame; all of it must outlive them. */
sc_leaves sc_leaves_of(const sc_frame *frame, const sc_part *a, const sc_part *b);
void sc_leaves_free(sc_leaves *leaves);

/* Makes room for leaves, if there is none yet; false if memory ran out. */
bool sc_leaves_make_room(sc_leaves *leaves);

/* Forgets them, and their trees may be freed. */
void sc_leaves_forget(sc_leaves *leaves);

/* A leaf in the cache of its part. */
typedef struct sc_prepared {
    int part;
    sc_leaf_cache *cache;
    size_t slot;
} sc_prepared;

/* Not to be part of sc_prepared_leaf, which mostly finds what it is asked for. */
void sc_leaves_load(const sc_leaves *leaves, int part, const sc_leaf *leaf, size_t slot);

/* Where there is room. */
static inline sc_prepared sc_prepared_leaf(const sc_leaves *leaves, int part, const sc_leaf *leaf)
{
    sc_leaf_cache *cache = leaves->cache[part];
    const size_t slot = sc_leaf_in_family(leaf);
    if (cache->leaf[slot] != leaf) {
        sc_leaves_load(leaves, part, leaf, slot);
    }
    return (sc_prepared){part, cache, slot};
}

/* The number of its triangle i. */
static inline uint32_t sc_prepared_number(const sc_prepared *p, int i)
{
    return p->cache->facet[p->slot][i];
}

static inline const sc_vec3 *sc_prepared_vertices(const sc_leaves *leaves, const sc_prepared *p,
                                                  int i)
{
    sc_vec3 *v = p->cache->vertices[p->slot][i];
    if ((p->cache->placed[p->slot] >> i & 1) == 0) {
        sc_triangle_vertices(leaves->facets[p->part], leaves->placement[p->part],
                             sc_prepared_number(p, i), v);
        p->cache->placed[p->slot] |= (uint8_t)(1u << i);
    }
    return v;
}

static inline const sc_triangle *sc_prepared_triangle(const sc_leaves *leaves, const sc_prepared *p,
                                                      int i)
{
    sc_triangle *t = &p->cache->triangles[p->slot][i];
    if ((p->cache->made[p->slot] >> i & 1) == 0) {
        sc_triangle_set(t, sc_prepared_vertices(leaves, p, i));
        p->cache->made[p->slot] |= (uint8_t)(1u << i);
    }
    return t;
}

/* The pairs of triangles that both leaves have, of those that are asked for. */
static inline uint64_t sc_leaf_pair_set(const sc_leaf_pair *pair)
{
    const uint64_t rows = UINT64_MAX >> (64 - 8 * pair->a->slab.count);
    return pair->among & rows &
           ((UINT64_C(1) << pair->b->slab.count) - 1) * UINT64_C(0x0101010101010101);
}

static inline const sc_side_by_side *sc_prepared_corners(const sc_prepared *p)
{
    return &p->cache->loaded[p->slot].facets.corners;
}

static inline const sc_octet_facets *sc_prepared_planes(const sc_leaves *leaves,
                                                        const sc_prepared *p)
{
    sc_octet_facets *facets = &p->cache->loaded[p->slot].facets;
    if (!p->cache->has_planes[p->slot]) {
        leaves->octets->planes(facets);
        p->cache->has_planes[p->slot] = true;
    }
    return facets;
}

static inline const sc_octet *sc_prepared_boxes(const sc_leaves *leaves, const sc_prepared *p)
{
    sc_octet *boxes = &p->cache->loaded[p->slot].boxes;
    if (!p->cache->has_boxes[p->slot]) {
        leaves->octets->boxes(sc_prepared_corners(p),
                              sc_frame_widen(leaves->frame, leaves->placement[p->part]), boxes);
        p->cache->has_boxes[p->slot] = true;
    }
    return boxes;
}

/* Those of them that may be within the limit, as far as slabs, boxes and planes tell; `near` has
 * how far the boxes of these are apart. */
static inline uint64_t sc_prepared_near(const sc_leaves *leaves, const sc_leaf_pair *pair,
                                        const sc_prepared *a, const sc_prepared *b, float limit,
                                        sc_near_pairs *near)
{
    uint64_t left = sc_leaf_pair_set(pair);
    left &= leaves->octets->near_slabs(sc_prepared_corners(a), &pair->a->slab,
                                       sc_prepared_corners(b), &pair->b->slab, limit);
    if (left != 0) {
        leaves->octets->near_pairs(sc_prepared_boxes(leaves, a), sc_prepared_boxes(leaves, b), left,
                                   limit, near);
        left = near->set;
    }
    if (left != 0) {
        left = sc_sift(leaves->octets, (sc_sifted_leaf){pair->a, sc_prepared_planes(leaves, a)},
                       (sc_sifted_leaf){pair->b, sc_prepared_planes(leaves, b)}, left,
                       leaves->vertex_error, limit);
    }
    return left;
}

#endif
