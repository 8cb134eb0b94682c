/* health_boundary.c - see health_boundary.h.
 *
 * Each vertex has two hashes, f and g. An edge from u to v counts f(u) g(v) - f(v) g(u),
 * which changes its sign with the direction: so what vanishes as a sum of edges vanishes
 * as a sum of numbers, without asking which way an edge runs. What does not is a bilinear
 * form in the hashes that is not 0 everywhere, and zero by chance with about the
 * probability that a random factor divides it (Schwartz and Zippel): modulo 2^64, with few
 * facets an edge, below 2^-56. Of a facet, the six products come down to two. */
#include "health_boundary.h"

#include "health_scan.h"

static inline uint64_t facet_boundary(const unsigned char *bytes)
{
    uint64_t f[3], g[3];
    sc_hash_vertices_twice(bytes, f, g);
    return (f[1] - f[0]) * (g[2] - g[0]) - (f[2] - f[0]) * (g[1] - g[0]);
}

static bool has_area(const sc_facets *facets, uint32_t i)
{
    float xyz[9];
    sc_facet_load(facets, i, xyz);
    return sc_health_has_area(xyz);
}

bool sc_boundary_vanishes(const stlclash_mesh *mesh)
{
    const sc_facets *facets = &mesh->file.facets;
    const bool all_have_area = mesh->blocks.degenerate == 0;
    uint64_t sum = 0;

    for (uint32_t i = 0; i < facets->count; i++) {
        const unsigned char *bytes = sc_health_bytes(facets, i);
        sc_facet_prefetch_behind(bytes);
        if (all_have_area || has_area(facets, i)) {
            sum += facet_boundary(bytes);
        }
    }
    return sum == 0 && facets->count > mesh->blocks.degenerate;
}
