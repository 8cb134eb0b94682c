/* health_scan.h - one look at every facet: does the boundary vanish, what is the volume.
 *
 * The boundary is a sum, modulo 2^64. Each vertex has two hashes, f and g. An edge from u to v
 * counts f(u) g(v) - f(v) g(u), which changes its sign with the direction: so what vanishes as a
 * sum of edges vanishes as a sum of numbers, without asking which way an edge runs. What does not
 * is a bilinear form in the hashes that is not 0 everywhere, and zero by chance with about the
 * probability that a random factor divides it (Schwartz and Zippel): modulo 2^64, with few facets
 * an edge, below 2^-56. Of a facet, the six products come down to two. */
#ifndef SC_HEALTH_SCAN_H
#define SC_HEALTH_SCAN_H

#include "health_match.h"
#include "mesh.h"

#include "base/hash.h"
#include "geom/orient.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* ---- facets ----------------------------------------------------------------- */

static inline const unsigned char *sc_health_bytes(const sc_facets *facets, uint32_t i)
{
    return facets->first + (size_t)i * facets->stride;
}

/* The vertices of a facet, -0 folded to +0: equal places, equal bits. */
static inline void sc_health_facet(const sc_facets *facets, uint32_t i, float xyz[9])
{
    sc_facet_load(facets, i, xyz);
    for (int k = 0; k < 9; k++) {
        xyz[k] += 0.0f;
    }
}

static inline sc_vec3 sc_health_vertex(const float *xyz)
{
    return (sc_vec3){(double)xyz[0], (double)xyz[1], (double)xyz[2]};
}

/* Exact. Facets without area bound nothing and are left out everywhere. */
static inline bool sc_health_has_area(const float xyz[9])
{
    sc_vec3 a = sc_health_vertex(xyz), b = sc_health_vertex(xyz + 3), c = sc_health_vertex(xyz + 6);
    return sc_projection_axis(a, b, c) >= 0;
}

/* ---- hashes ----------------------------------------------------------------- */

/* The bits of the vertices of a facet, -0 as +0: equal places, equal bits. From what is in the
 * file: going through folded floats in memory would stall on loads that span two stores. */
typedef struct sc_vertex_bits {
    uint64_t xy, z;
} sc_vertex_bits;

#if defined(__SSE2__) && defined(__x86_64__)

static inline sc_vertex_bits sc_vertex_bits_of(__m128 v)
{
    const __m128i bits = _mm_castps_si128(_mm_add_ps(v, _mm_setzero_ps())); /* -0 + 0 is +0 */
    return (sc_vertex_bits){(uint64_t)_mm_cvtsi128_si64(bits),
                            (uint32_t)_mm_cvtsi128_si32(_mm_unpackhi_epi64(bits, bits))};
}

static inline void sc_facet_bits(const unsigned char *bytes, sc_vertex_bits vertex[3])
{
    __m128 v[3];
    sc_facet_registers(bytes, v);
    for (int k = 0; k < 3; k++) {
        vertex[k] = sc_vertex_bits_of(v[k]);
    }
}

#else

static inline uint64_t sc_folded_bits(const unsigned char *bytes)
{
    uint64_t word = sc_load_u32(bytes);
    return word == 0x80000000 ? 0 : word;
}

static inline void sc_facet_bits(const unsigned char *bytes, sc_vertex_bits vertex[3])
{
    for (int k = 0; k < 3; k++, bytes += 12) {
        vertex[k].xy = sc_folded_bits(bytes) | sc_folded_bits(bytes + 4) << 32;
        vertex[k].z = sc_folded_bits(bytes + 8);
    }
}

#endif

/* The product of which the hashes of a vertex are made. */
static inline sc_u128 sc_hash_product(sc_vertex_bits v)
{
    return (sc_u128)(v.xy ^ UINT64_C(0x2D358DCCAA6C78A5)) *
           (v.z * UINT64_C(0x9E3779B97F4A7C15) ^ UINT64_C(0x8BB84B93962EACC9));
}

/* Two of each of the three vertices of a facet. */
typedef struct sc_vertex_hashes {
    uint64_t f[3], g[3];
} sc_vertex_hashes;

static inline sc_vertex_hashes sc_hash_vertices(const unsigned char *bytes)
{
    sc_vertex_bits vertex[3];
    sc_vertex_hashes hash;
    sc_facet_bits(bytes, vertex);
    for (int k = 0; k < 3; k++) {
        sc_u128 product = sc_hash_product(vertex[k]);
        hash.f[k] = sc_hash_halves(product);
        hash.g[k] = (uint64_t)product * UINT64_C(0xD1342543DE82EF95) + (uint64_t)(product >> 64);
    }
    return hash;
}

static inline uint64_t sc_boundary_of(const sc_vertex_hashes *hash)
{
    const uint64_t *f = hash->f, *g = hash->g;
    return (f[1] - f[0]) * (g[2] - g[0]) - (f[2] - f[0]) * (g[1] - g[0]);
}

/* The hash of the edge of a facet from vertex k on, and whether it is used from the larger of the
 * vertices to the smaller one. Their product is the same either way round, and as good as a hash of
 * both. */
static inline uint64_t sc_edge_hash(const uint64_t vertex[3], int k, bool *back)
{
    const uint64_t u = vertex[k], v = vertex[k == 2 ? 0 : k + 1];
    *back = u > v;
    return sc_hash_halves((sc_u128)u * v);
}

/* Takes the edges of a facet with area to a batch, under the number `as`. */
static inline void sc_batch_add(sc_match_batch *b, const sc_matcher *matcher,
                                const uint64_t vertex[3], uint32_t as)
{
    for (int k = 0; k < 3; k++) {
        bool back;
        const uint64_t hash = sc_edge_hash(vertex, k, &back);
        sc_matcher_expect(matcher, hash);
        b->use[3 * b->count + (uint32_t)k] = sc_edge_use(hash, back);
    }
    b->facet[b->count++] = as;
}

/* ---- the pass --------------------------------------------------------------- */

typedef struct sc_scan {
    uint64_t boundary;  /* 0: closed */
    uint32_t facets;    /* those with area */
    uint32_t first;     /* the first of them */
    double volume;      /* signed, as stored; means nothing unless closed */
    int sign;           /* of the volume, exact; of closed meshes only */
    sc_matcher matcher; /* its facets, joined at their edges; if asked for */
} sc_scan;

/* False if memory ran out; free in any case. */
bool sc_health_scan(const stlclash_mesh *mesh, bool match, sc_scan *scan);
void sc_scan_free(sc_scan *scan);

static inline bool sc_scan_balanced(const sc_scan *scan)
{
    return scan->boundary == 0;
}

#endif
