/* gap_joins.h - pairs of facets that are near each other -> which of them are one gap, as they hang
 * together by edges and vertices.
 *
 * The points of two facets that are so near are a convex set of pairs. So those of one facet with
 * two others that share an edge or a vertex are one where that itself comes so near. First those of
 * each facet of A are joined; mostly they are one then, and one facet of B is enough to join those
 * of two facets of A. */
#ifndef SC_GAP_JOINS_H
#define SC_GAP_JOINS_H

#include "gap_pairs.h"
#include "gap_seams.h"

typedef struct sc_gap_joins {
    double reach;
    const uint64_t *pairs; /* [count] of places of facets in: */
    uint32_t count;
    sc_gap_facets of[2];
    uint32_t *from; /* [of[0].count + 1] where the pairs of each facet of A begin */
    sc_gap_seams seams[2];
    uint32_t *from_b; /* by sc_gap_joins_index: those of facet b of B are by_b[from_b[b]] .. */
    uint32_t *by_b;   /* [count] */
    uint32_t *joined; /* [count] union-find: those of one set are one gap */
} sc_gap_joins;

/* Of pairs in order, whose facets become their places in of[], and which must outlive it. False if
 * memory or time ran out; free in any case. */
bool sc_gap_joins_make(const sc_gap_request *request, sc_pair_list *pairs, sc_gap_joins *joins);
void sc_gap_joins_free(sc_gap_joins *joins);

/* Makes from_b and by_b. False if memory ran out. */
bool sc_gap_joins_index(sc_gap_joins *joins);

/* Whether a segment comes as near to a triangle as that. Its ends obey orient.h. */
bool sc_gap_segment_within(sc_vec3 p, sc_vec3 q, const sc_triangle *triangle, double distance);

#endif
