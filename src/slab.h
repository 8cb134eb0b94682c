/* slab.h - what holds a few facets more tightly than a box where they lie aslant: two
 * parallel planes across their mean normal, a sphere about the centre of their box, and, where they
 * are slivers, a thin tube about it along their longest edges. In the frame, with margins for the
 * rounding of floats in it and in tests against it. */
#ifndef SC_SLAB_H
#define SC_SLAB_H

#include "frame.h"

typedef struct sc_slab {
    float normal[3]; /* at most of unit length; zero: no useful planes */
    float low, high; /* along the normal */
    float radius;    /* about sc_fbox_centre of the box, which tells that, so that it is not here */
    unsigned tube : 16; /* how many bytes behind this slab its tube stands; 0: it has none */
    unsigned count : 4, number : 3, cluster : 3, ordered : 1; /* of a leaf: see sc_leaf */
} sc_slab;

/* Apart from the slab: few have one, and there are many slabs. */
typedef struct sc_tube {
    float along[3]; /* a unit vector */
    float radius;
    float centre[4]; /* a point of its axis */
} sc_tube;

/* NULL where it would not be thinner than the sphere. */
static inline const sc_tube *sc_slab_tube(const sc_slab *slab)
{
    return slab->tube == 0 ? NULL
                           : (const sc_tube *)(const void *)((const char *)slab + slab->tube);
}

/* Gives a slab its tube, which stands behind it in the same object. */
static inline void sc_slab_set_tube(sc_slab *slab, const sc_tube *tube)
{
    slab->tube = (uint16_t)((const char *)tube - (const char *)slab);
}

/* The slab of 8 * eights facets and their box, without a tube; true if *tube was set, and should
 * be given to it: else only its centre was. Facets that are there more than once do not matter, but
 * that the directions lean to them. */
bool sc_slab_make(const sc_side_by_side *facets, size_t eights, const sc_fbox *box, sc_slab *slab,
                  sc_tube *tube);

/* Whether tubes that pass each other keep the two farther apart than the limit, squared. */
bool sc_slabs_pass(const sc_slab *a, const sc_slab *b, float limit);

/* Whether the planes of either, or tubes that pass each other, keep the two farther apart than
 * the limit, squared; of slabs about these centres. */
bool sc_slabs_apart(const sc_slab *a, const float centre_a[4], const sc_slab *b,
                    const float centre_b[4], float limit);

#endif
