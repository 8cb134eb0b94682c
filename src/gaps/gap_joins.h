/* gap_joins.h - pairs of facets that are near each other -> which of them are one gap, as they hang
 * together by edges and vertices.
 *
 * The points of two facets that are so near are a convex set of pairs. So those of one facet with
 * two others that share an edge or a vertex are one where that itself comes so near. First those of
 * each facet of A are joined; mostly they are one then, and one facet of B is enough to join those
 * of two facets of A.
 *
 * Of two patches of facets of which all points are so near (a block) all pairs are one from the
 * start, and whatever shares a vertex with one of them and is paired with the other joins them. */
#ifndef SC_GAP_JOINS_H
#define SC_GAP_JOINS_H

#include "gap_patches.h"
#include "gap_seams.h"

/* Items are pairs, and behind them blocks. */
typedef struct sc_gap_joins {
    double reach;
    sc_gap_facets of[2];
    sc_gap_patches patches[2];
    sc_gap_seams seams[2];
    sc_pair_list pairs;     /* of facets, by their places in of[], in order */
    sc_pair_list blocks;    /* of patches, in order */
    sc_groups pairs_of[2];  /* those of each facet of either part; of B by sc_gap_joins_index */
    sc_groups blocks_of[2]; /* those of each patch */
    uint32_t *joined;       /* [items] union-find: those of one set are one gap */
} sc_gap_joins;

static inline uint32_t sc_gap_block_item(const sc_gap_joins *joins, uint32_t block)
{
    return (uint32_t)joins->pairs.count + block;
}

/* Empties the list. Without joins if there are more blocks than can be looked at; then *complete is
 * false. False if memory or time ran out; free in any case. */
bool sc_gap_joins_make(const sc_gap_request *request, sc_gap_list *list, sc_gap_joins *joins,
                       bool *complete);
void sc_gap_joins_free(sc_gap_joins *joins);

/* Makes what tells the items of facets and patches of B. False if memory ran out. */
bool sc_gap_joins_index(sc_gap_joins *joins);

/* The item that two facets are in, by their places; UINT32_MAX: none. */
uint32_t sc_gap_item(const sc_gap_joins *joins, const uint32_t facet[2]);

/* Whether a segment comes as near to a triangle as that. Its ends obey orient.h. */
bool sc_gap_segment_within(sc_vec3 p, sc_vec3 q, const sc_triangle *triangle, double distance);

#endif
