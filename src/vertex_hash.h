/* vertex_hash.h - places as two numbers each, and edges as one: whether edges balance, told without
 * sorting them.
 *
 * The boundary of a mesh is a sum, modulo 2^64. Each vertex has two hashes, f and g. An edge from u
 * to v counts f(u) g(v) - f(v) g(u), which changes its sign with the direction: so what vanishes as
 * a sum of edges vanishes as a sum of numbers, without asking which way an edge runs. What does not
 * is a bilinear form in the hashes that is not 0 everywhere, and zero by chance with about the
 * probability that a random factor divides it (Schwartz and Zippel): modulo 2^64, with few facets
 * an edge, below 2^-56. Of a facet, the six products come down to two.
 *
 * octets.h makes the hashes of vertices, in a way of its own for each instruction set: they are
 * compared within a run, and tell nothing outside it. */
#ifndef SC_VERTEX_HASH_H
#define SC_VERTEX_HASH_H

#include <stdbool.h>
#include <stdint.h>

typedef struct sc_vertex_hash {
    uint64_t f, g;
} sc_vertex_hash;

/* Of the vertices of a facet. */
typedef struct sc_facet_hashes {
    sc_vertex_hash vertex[3];
} sc_facet_hashes;

/* How many facets those who go through all of them have hashed at a time. */
enum { SC_HASHED_AT_ONCE = 64 };

/* What the edges of a facet add to the boundary. */
static inline uint64_t sc_boundary_of(const sc_facet_hashes *hashes)
{
    const sc_vertex_hash *v = hashes->vertex;
    return (v[1].f - v[0].f) * (v[2].g - v[0].g) - (v[2].f - v[0].f) * (v[1].g - v[0].g);
}

/* The hash of the edge of a facet from vertex k on, and whether it is used from the larger of the
 * vertices to the smaller one. The sum of two random numbers is the same either way round, and as
 * random. */
static inline uint64_t sc_edge_hash(const sc_facet_hashes *hashes, int k, bool *back)
{
    const uint64_t u = hashes->vertex[k].f, v = hashes->vertex[k == 2 ? 0 : k + 1].f;
    *back = u > v;
    return u + v;
}

#endif
