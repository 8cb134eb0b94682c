/* health_scan.h - one look at every facet: does the boundary vanish, what is the volume. */
#ifndef SC_HEALTH_SCAN_H
#define SC_HEALTH_SCAN_H

#include "health_match.h"
#include "mesh.h"

#include "geom/orient.h"
#include "octets.h"

/* ---- facets ----------------------------------------------------------------- */

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

/* Of the facets from i on, as many as are had at once. Returns how many. */
static inline uint32_t sc_hash_some(const sc_facets *facets, uint32_t i,
                                    sc_facet_hashes hashes[SC_HASHED_AT_ONCE])
{
    const uint32_t left = facets->count - i;
    const uint32_t count = left < SC_HASHED_AT_ONCE ? left : SC_HASHED_AT_ONCE;
    sc_octets()->hashes(facets, i, count, hashes);
    return count;
}

/* Takes the edges of a facet with area to a batch, under the number `as`. */
static inline void sc_batch_add(sc_match_batch *b, const sc_matcher *matcher,
                                const sc_facet_hashes *hashes, uint32_t as)
{
    for (int k = 0; k < 3; k++) {
        bool back;
        const uint64_t hash = sc_edge_hash(hashes, k, &back);
        b->bucket[3 * b->count + (uint32_t)k] = sc_matcher_expect(matcher, hash);
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
