/* sift.h - of the facets of two leaves whose boxes are near, those that planes do not keep
 * apart: eight at a time, in floats, before any pair is looked at by itself. */
#ifndef SC_SIFT_H
#define SC_SIFT_H

#include "octree.h"

/* The facets of a leaf side by side: their corners, and once they are made their planes and boxes.
 * In place of absent ones stands the first once more. */
typedef struct sc_loaded_leaf {
    sc_octet_facets facets;
    sc_octet boxes;
} sc_loaded_leaf;

/* The corners alone, of up to 8 facets. */
void sc_sift_load(const sc_way_in *way, const uint32_t *facet, uint32_t count,
                  sc_side_by_side *out);

/* The same of all facets of a leaf. */
void sc_sift_load_leaf(const sc_octree *tree, const sc_leaf *leaf, sc_side_by_side *out);

/* The facets with their planes, kept with the leaf if its boxes are (sc_leaf_boxes), else made in
 * the room. NULL if memory ran out. Any number of threads may call it. */
const sc_octet_facets *sc_sift_facets(sc_octree *tree, sc_leaf *leaf, sc_octet_facets *room);

/* The margin of planes where no two points are farther apart than `reach`, for what rounding
 * takes from it, and the vertices of both are off by `error` together. */
static inline float sc_sift_margin(float reach, float error)
{
    return reach * 0x1p-19f + error;
}

/* A leaf, and its facets with their planes. */
typedef struct sc_sifted_leaf {
    const sc_leaf *leaf;
    const sc_octet_facets *facets;
} sc_sifted_leaf;

/* Of a set of pairs of their facets, bits as in sc_near_pairs, those that may be within the
 * limit (squared, in the frame, with a margin), as far as that shows along a normal, or across
 * the long edges of slivers. `error`: what the vertices of both are off together. */
uint64_t sc_sift(const sc_octets_isa *octets, sc_sifted_leaf a, sc_sifted_leaf b, uint64_t set,
                 float error, float limit);

#endif
