/* facets.h - the triangles of a file as it stores them, where they lie.
 *
 * A view: nothing is copied. Facet i has its nine little-endian floats (three
 * vertices of x, y, z) at first + i * stride; the address need not be aligned.
 * Binary STL: stride 50, first = 96 bytes into the file (the stored normal in
 * front and the attribute bytes behind are skipped). ASCII STL, once parsed:
 * stride 36. */
#ifndef SC_FACETS_H
#define SC_FACETS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#define SC_FACET_BYTES 36

typedef struct sc_facets {
    const unsigned char *first;
    size_t stride; /* in bytes, >= SC_FACET_BYTES */
    uint32_t count;
} sc_facets;

static inline uint32_t sc_load_u32(const unsigned char *bytes)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint32_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
#else
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
#endif
}

/* In a pass over all facets, at one of them: asks for what comes some way behind it, for the
 * processor by itself looks no farther than to the end of the page. Harmless past the end. */
static inline void sc_facet_prefetch_behind(const unsigned char *facet)
{
    enum { BYTES_AHEAD = 4800 };
    __builtin_prefetch((const void *)((uintptr_t)facet + BYTES_AHEAD));
}

/* Asks for a facet that will be looked at soon. */
static inline void sc_facet_prefetch(const sc_facets *facets, uint32_t i)
{
    const unsigned char *facet = facets->first + (size_t)i * facets->stride;
    __builtin_prefetch(facet);
    __builtin_prefetch(facet + SC_FACET_BYTES - 1); /* often in the next cache line */
}

#if defined(__SSE2__)

/* The vertices of the facet that begins there, as stored. Nothing from beyond it is read: each has
 * a fourth lane that does not matter, of another vertex. */
static inline void sc_facet_registers(const unsigned char *facet, __m128 v[3])
{
    const __m128 last = _mm_loadu_ps((const float *)(const void *)(facet + 20)); /* one before */
    v[0] = _mm_loadu_ps((const float *)(const void *)facet);
    v[1] = _mm_loadu_ps((const float *)(const void *)(facet + 12));
    v[2] = _mm_shuffle_ps(last, last, _MM_SHUFFLE(0, 3, 2, 1));
}

#endif

/* The nine coordinates of facet i, as stored. */
static inline void sc_facet_load(const sc_facets *facets, uint32_t i, float xyz[9])
{
    const unsigned char *bytes = facets->first + (size_t)i * facets->stride;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(xyz, bytes, SC_FACET_BYTES);
#else
    for (int k = 0; k < 9; k++) {
        uint32_t bits = sc_load_u32(bytes + 4 * k);
        memcpy(&xyz[k], &bits, 4);
    }
#endif
}

#endif
