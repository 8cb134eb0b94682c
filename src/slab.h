/* slab.h - what holds a few facets more tightly than a box where they lie aslant: two
 * parallel planes across their mean normal, a sphere, and about its centre a tube along
 * their longest edges, thin where they are slivers. In the frame, with margins for the
 * rounding of floats in it and in tests against it. */
#ifndef SC_SLAB_H
#define SC_SLAB_H

#include "frame.h"

typedef struct sc_slab {
    float normal[3]; /* at most of unit length; zero: no useful planes */
    float low, high; /* along the normal */
    float centre[3], radius;
    float along[3], tube; /* a unit vector, or zero; radius of the tube */
} sc_slab;

/* Whether the tube is thinner than the sphere. */
static inline bool sc_slab_is_long(const sc_slab *slab)
{
    return slab->tube < slab->radius;
}

/* The slab of 8 * eights facets and their box. Facets that are there more than once do not
 * matter, but that the directions lean to them. */
void sc_slab_make(const sc_side_by_side *facets, size_t eights, const sc_fbox *box, sc_slab *slab);

/* Whether tubes that pass each other keep the two farther apart than the limit, squared. */
bool sc_slabs_pass(const sc_slab *a, const sc_slab *b, float limit);

/* Whether the planes of either, or tubes that pass each other, keep the two farther apart than
 * the limit, squared. */
bool sc_slabs_apart(const sc_slab *a, const sc_slab *b, float limit);

#endif
