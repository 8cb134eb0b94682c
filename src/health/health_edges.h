/* health_edges.h - the vertices and edges of a mesh: exact, in memory, for parts whose
 * boundary does not simply vanish and for the whole judgement. */
#ifndef SC_HEALTH_EDGES_H
#define SC_HEALTH_EDGES_H

#include "facets.h"

#include <stdbool.h>

#define SC_NO_INDEX UINT32_MAX

typedef struct sc_edge {
    uint32_t low, high; /* its vertices, low < high */
    int32_t net;        /* uses from low to high less uses from high to low */
    uint32_t uses;
    uint32_t last; /* its uses: last, next[last], ... SC_NO_INDEX */
} sc_edge;

/* Use 3 i + k is the side of facet i from its vertex k to the following one. */
typedef struct sc_edges {
    float (*vertex)[3]; /* [vertices] */
    uint32_t vertices;
    uint32_t *corner; /* [3 * facets] vertices; SC_NO_INDEX in facets without area */
    sc_edge *edge;    /* [count], by first use */
    uint32_t count;
    uint32_t *next; /* [3 * facets] the use before of the same edge */
} sc_edges;

/* False if memory ran out (facets beyond 2^32 / 3 count as too many for it). */
bool sc_edges_make(const sc_facets *facets, sc_edges *edges);

/* The same, but only of edges that may not balance (health_balance.h): of these all that do not are
 * there, with all their uses. Of other uses `corner` and `next` say nothing. In a mesh that is
 * nearly closed they are few, and found in half the time. */
bool sc_edges_make_unbalanced(const sc_facets *facets, sc_edges *edges);
void sc_edges_free(sc_edges *edges);

/* +1 where the use runs from the edge's low vertex to its high one, else -1. */
static inline int sc_edge_use_sign(const sc_edges *edges, const sc_edge *edge, uint32_t use)
{
    return edges->corner[use] == edge->low ? 1 : -1;
}

/* The lowest facet that uses the edge in the direction of `sign`; SC_NO_INDEX: none. */
uint32_t sc_edge_first_facet(const sc_edges *edges, const sc_edge *edge, int sign);

/* ---- counts, for the whole judgement ----------------------------------------- */

typedef struct sc_count {
    uint64_t count;
    uint64_t first; /* first facet concerned */
} sc_count;

typedef struct sc_repeats {
    sc_count same;     /* facets with the corners of an earlier one, the same way round */
    sc_count opposite; /* those that no earlier one has the same way, but one has the other */
} sc_repeats;

/* Counts them. False if memory ran out. */
bool sc_edges_repeats(const sc_edges *edges, const sc_facets *facets, sc_repeats *repeats);

/* Edges used more than twice. */
sc_count sc_edges_non_manifold(const sc_edges *edges);

/* Counts the pieces into which facets with area fall, joined by vertices. Of a closed mesh each is
 * closed by itself: where a line of its boundary did not balance, what balances it there would have
 * to end in the same vertices. False if memory ran out. */
bool sc_edges_components(const sc_edges *edges, const sc_facets *facets, uint64_t *components);

#endif
