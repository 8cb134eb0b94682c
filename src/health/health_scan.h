/* health_scan.h - one look at every facet: does the boundary vanish, what is the volume.
 *
 * The boundary is the signed sum, modulo 2^64, of a hash of each directed edge. An edge
 * and its reverse cancel, so the sum of a mesh that uses every edge as often one way as
 * the other is 0; any other sum is 0 by a chance of 2^-64 (two sums: less). The direction
 * of an edge is that from the smaller to the larger hash of its vertices. */
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

/* Of the three vertices of a facet. */
static inline void sc_hash_vertices(const unsigned char *bytes, uint64_t hash[3])
{
    sc_vertex_bits vertex[3];
    sc_facet_bits(bytes, vertex);
    for (int k = 0; k < 3; k++) {
        hash[k] = sc_hash_halves(sc_hash_product(vertex[k]));
    }
}

/* Two hashes of each. */
static inline void sc_hash_vertices_twice(const unsigned char *bytes, uint64_t hash[3],
                                          uint64_t other[3])
{
    sc_vertex_bits vertex[3];
    sc_facet_bits(bytes, vertex);
    for (int k = 0; k < 3; k++) {
        sc_u128 product = sc_hash_product(vertex[k]);
        hash[k] = sc_hash_halves(product);
        other[k] = (uint64_t)product * UINT64_C(0xD1342543DE82EF95) + (uint64_t)(product >> 64);
    }
}

/* UINT64_MAX where the edge u -> v runs from the larger hash to the smaller, else 0.
 * A mask: the direction is a coin toss, at which a branch would be mispredicted. */
static inline uint64_t sc_hash_reversed(uint64_t u, uint64_t v)
{
    return (uint64_t)0 - (uint64_t)(u > v);
}

/* Of the edge between two vertices, the same both ways; other: a second one, less good. */
static inline uint64_t sc_hash_edge(uint64_t u, uint64_t v, uint64_t reversed, uint64_t *other)
{
    uint64_t swap = (u ^ v) & reversed;
    sc_u128 product = (sc_u128)(u ^ swap ^ UINT64_C(0x4B33A62ED433D4A3)) *
                      (v ^ swap ^ UINT64_C(0xAA2B1A7C5D5F3E65));
    *other = (uint64_t)product + (uint64_t)(product >> 64) * UINT64_C(0xD1342543DE82EF95);
    return sc_hash_halves(product);
}

/* Takes the edges of a facet with area to a batch, under the number `as`, and to the sums of
 * the boundary. */
static inline void sc_batch_add(sc_match_batch *b, const sc_matcher *matcher,
                                const unsigned char *bytes, uint32_t as, uint64_t boundary[2])
{
    uint64_t vertex[3], *hash = b->hash + 3 * b->count, *reversed = b->reversed + 3 * b->count;

    sc_hash_vertices(bytes, vertex);
    for (int k = 0; k < 3; k++) {
        uint64_t u = vertex[k], v = vertex[k == 2 ? 0 : k + 1], other;
        reversed[k] = sc_hash_reversed(u, v);
        hash[k] = sc_hash_edge(u, v, reversed[k], &other);
        boundary[0] += (hash[k] ^ reversed[k]) - reversed[k]; /* negated where reversed */
        boundary[1] += (other ^ reversed[k]) - reversed[k];
        sc_matcher_expect(matcher, hash[k]);
    }
    b->facet[b->count++] = as;
}

/* ---- the pass --------------------------------------------------------------- */

typedef struct sc_scan {
    uint64_t boundary[2]; /* both 0: closed */
    uint32_t facets;      /* those with area */
    uint32_t first;       /* the first of them */
    double volume;        /* signed, as stored; means nothing unless closed */
    int sign;             /* of the volume, exact; of closed meshes only */
    sc_matcher matcher;   /* its facets, joined at their edges; if asked for */
} sc_scan;

/* False if memory ran out; free in any case. */
bool sc_health_scan(const stlclash_mesh *mesh, bool match, sc_scan *scan);
void sc_scan_free(sc_scan *scan);

static inline bool sc_scan_balanced(const sc_scan *scan)
{
    return (scan->boundary[0] | scan->boundary[1]) == 0;
}

#endif
