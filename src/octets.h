/* octets.h - the arithmetic on eight boxes or facets at a time, for several instruction sets.
 *
 * isa/octets.inc is compiled once for each of them: "baseline" is what the compiler takes
 * for granted, "scalar" plain C, "avx2" and "avx512" are for processors that have those.
 * All round alike, operation by operation: which one runs changes no result, but hashes, which
 * are compared with each other only. Developers choose another than the usual one by its name
 * in the environment, STLCLASH_ISA; a name that the processor does not have is ignored, of one
 * that is unknown the command tells. */
#ifndef SC_OCTETS_H
#define SC_OCTETS_H

#include "divide.h"
#include "facets.h"
#include "slab.h"
#include "vertex_hash.h"

/* The boxes of 8 siblings; absent ones are empty (low +inf, high -inf). */
typedef struct sc_octet {
    float low[3][8], high[3][8];
} sc_octet;

static inline void sc_octet_clear(sc_octet *octet)
{
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 8; i++) {
            octet->low[k][i] = INFINITY;
            octet->high[k][i] = -INFINITY;
        }
    }
}

static inline void sc_octet_set(sc_octet *octet, int i, const sc_fbox *box)
{
    for (int k = 0; k < 3; k++) {
        octet->low[k][i] = box->low[k];
        octet->high[k][i] = box->high[k];
    }
}

static inline sc_fbox sc_octet_union(const sc_octet *octet)
{
    sc_fbox box = sc_fbox_empty();
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 8; i++) {
            box.low[k] = octet->low[k][i] < box.low[k] ? octet->low[k][i] : box.low[k];
            box.high[k] = octet->high[k][i] > box.high[k] ? octet->high[k][i] : box.high[k];
        }
    }
    return box;
}

static inline sc_fbox sc_octet_box(const sc_octet *octet, size_t i)
{
    return sc_fbox_of(octet->low[0][i], octet->low[1][i], octet->low[2][i], octet->high[0][i],
                      octet->high[1][i], octet->high[2][i]);
}

/* The centre of one, as sc_fbox_centre has it. */
static inline void sc_octet_centre(const sc_octet *octet, size_t i, float centre[4])
{
    const sc_fbox box = sc_octet_box(octet, i);
    sc_fbox_centre(&box, centre);
}

/* Up to 8 facets side by side, their vertices in the frame, and for each two planes across
 * its normal with the facet in between. */
typedef struct sc_octet_facets {
    sc_side_by_side corners;
    float normal[3][8];    /* at most of length 1; 0 where the facet is too small for one */
    float low[8], high[8]; /* where the planes lie along the normal, from the first vertex of all */
} sc_octet_facets;

/* Which of the boxes or facets of one octet lie within a limit of which of another, and how
 * far apart their boxes are. */
typedef struct sc_near_pairs {
    uint64_t set;            /* bit 8 i + j: i of the one and j of the other */
    float distance_sq[8][8]; /* [i][j] of those; of others, anything */
} sc_near_pairs;

/* All pairs of those in the mask, bits as in sc_near_pairs. */
static inline uint64_t sc_rows_of(unsigned mask)
{
    uint64_t each = mask * UINT64_C(0x0101010101010101) & UINT64_C(0x8040201008040201);
    return ((each + UINT64_C(0x7f7f7f7f7f7f7f7f)) >> 7 & UINT64_C(0x0101010101010101)) * 0xff;
}

static inline uint64_t sc_columns_of(unsigned mask)
{
    return mask * UINT64_C(0x0101010101010101);
}

typedef struct sc_octets_isa {
    const char *name;

    /* Squared distances from b to the eight boxes; infinite to absent ones. Returns a bit
     * mask of those within the limit. */
    unsigned (*near_boxes)(const sc_fbox *b, const sc_octet *octet, float limit,
                           float distance_sq[8]);

    /* Of a set of pairs of boxes those within the limit. */
    void (*near_pairs)(const sc_octet *a, const sc_octet *b, uint64_t set, float limit,
                       sc_near_pairs *near);

    /* Raises the squared distances to the eight boxes to what separates them from the slab
     * of a leaf, and clears those beyond the limit from the mask, in which absent boxes are
     * not. Boxes alone are thick where a surface lies aslant; the slab is as thin as the
     * leaf is flat. */
    unsigned (*near_slab)(const sc_slab *slab, const sc_octet *octet, float limit, unsigned mask,
                          float distance_sq[8]);

    /* Of eight facets the sum of their cross products, and of the squares of their longest
     * edges. */
    void (*normals)(const sc_side_by_side *facets, float sum[4]);

    /* Between which two values all vertices of 8 * eights facets lie along a direction. */
    void (*extent)(const sc_side_by_side *facets, size_t eights, const float way[3], float *low,
                   float *high);

    /* The planes of eight facets from their vertices; and their boxes, each coordinate outwards
     * by `widen` times itself, and by SC_FRAME_TINY. */
    void (*planes)(sc_octet_facets *facets);
    void (*boxes)(const sc_side_by_side *facets, float widen, sc_octet *boxes);

    /* The pairs of facets of two leaves, bits as in sc_near_pairs, of which neither lies beyond the
     * limit of the slab of the other's leaf. */
    uint64_t (*near_slabs)(const sc_side_by_side *a, const sc_slab *slab_a,
                           const sc_side_by_side *b, const sc_slab *slab_b, float limit);

    /* Of a set of pairs of facets, those that the planes of neither keep beyond the limit by
     * more than the margin: 2^-19 of the distance of any two vertices here, for the rounding,
     * and what the vertices of both are off. */
    uint64_t (*near_planes)(const sc_octet_facets *a, const sc_octet_facets *b, uint64_t set,
                            float margin, float limit);

    /* Of the facets in the mask, in their boxes, and eight other boxes those pairs that neither
     * the boxes nor the planes of the facet keep beyond the limit, and how far these keep them
     * apart. The margin is as for near_planes. */
    void (*near_facets)(const sc_octet_facets *facets, const sc_octet *own, unsigned mask,
                        const sc_octet *boxes, float margin, float limit, sc_near_pairs *near);

    /* Of the facets in the mask those that may be within the limit of a ball; and those whose
     * planes do not keep what is in a slab about a centre beyond it. Margins as for near_planes. */
    unsigned (*near_ball)(const sc_octet_facets *facets, unsigned mask, const float centre[3],
                          float radius, float margin, float limit);
    unsigned (*facing)(const sc_octet_facets *facets, unsigned mask, const sc_slab *slab,
                       const float centre[3], float margin, float limit);

    /* Bit i: box i meets the box low .. high. */
    unsigned (*meeting)(const sc_octet *octet, const float low[3], const float high[3]);

    /* Bit i: all of box i lies where the dot product with `way` exceeds the limit, in floats:
     * errors of 2^-22 of the largest product. Of absent boxes, anything. */
    unsigned (*beyond)(const sc_octet *octet, const float way[3], float limit);

    /* Puts the `rank` least of them first, along the longest side of what they span (the first of
     * equal ones): of those that are equal there the first ones, and either half in the order in
     * which it was. 0 < rank < count <= SC_DIVIDE_MAX, no coordinate is negative or INT16_MAX. Up
     * to SC_DIVIDED_ROOM items behind the last are read, and up to 3 behind the `rank` least
     * written to on the way. */
    void (*halve)(sc_divided *items, uint32_t count, uint32_t rank);

    /* Of `count` facets from the `first` on. Equal places have equal hashes, -0 as 0; which ones,
     * each instruction set decides. */
    void (*hashes)(const sc_facets *facets, uint32_t first, uint32_t count,
                   sc_facet_hashes *hashed);
} sc_octets_isa;

/* The one in use, chosen at the first call. */
const sc_octets_isa *sc_octets(void);

/* Those that the processor has, from 0 on; NULL behind the last. */
const sc_octets_isa *sc_octets_build(int number);

#endif
