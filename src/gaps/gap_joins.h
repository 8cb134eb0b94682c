/* gap_joins.h - pairs of facets that are near each other -> which of them are one gap, as they hang
 * together by edges and vertices.
 *
 * The points of two facets that are so near are a convex set of pairs. So those of one facet with
 * two others that share an edge or a vertex are one where that itself comes so near. First those of
 * two leaves are joined among themselves: mostly all of them are one, and from then on an item. */
#ifndef SC_GAP_JOINS_H
#define SC_GAP_JOINS_H

#include "base/groups.h"
#include "gap_borders.h"

typedef struct sc_gap_joins {
    double reach;
    sc_gap_facets of[2];
    sc_gap_borders borders[2];
    sc_gap_pairs *items; /* [count] */
    size_t count, capacity;
    sc_groups items_of[2]; /* those of each leaf of either part */
    uint32_t *joined;      /* [count] union-find: items of one set are one gap */
} sc_gap_joins;

/* Empties the list. Without joins if there are more items than SC_MOST_GAP_PAIRS; then *complete is
 * false. False if memory or time ran out; free in any case. */
bool sc_gap_joins_make(const sc_gap_request *request, sc_gap_list *list, sc_gap_joins *joins,
                       bool *complete);
void sc_gap_joins_free(sc_gap_joins *joins);

/* The facets of the other part, as bits of their leaf, that one of a part, number `index` of its
 * leaf, is paired with. */
static inline unsigned sc_gap_others(uint64_t set, int part, unsigned index)
{
    const uint64_t column = set >> index & UINT64_C(0x0101010101010101);
    return part == 0 ? (unsigned)(set >> 8 * index) & 0xff
                     : (unsigned)(column * UINT64_C(0x0102040810204080) >> 56);
}

/* The item that two facets are in, by their places; UINT32_MAX: none. */
uint32_t sc_gap_item(const sc_gap_joins *joins, const uint32_t facet[2]);

/* Whether a segment comes as near to a facet as that. Its ends obey orient.h. */
bool sc_gap_segment_within(sc_vec3 p, sc_vec3 q, const sc_triangle *triangle, double distance);

#endif
