/* stretches.h - what is looked at one by one, vertices or facets of one part, each held against the
 * surface of the other: in stretches, by as many threads as there are.
 *
 * Stretches are the same for any number of threads, and so is what comes out, if it is put together
 * in their order. */
#ifndef SC_STRETCHES_H
#define SC_STRETCHES_H

#include "proving.h"

enum { SC_STRETCHES = 32 };

/* For the thread that is at it alone. */
typedef struct sc_stretch {
    const sc_erosion_proof *proof;
    sc_surface other;    /* of the other part */
    int number;          /* below SC_STRETCHES */
    uint32_t first, end; /* of the items */
    uint32_t looks;      /* so far */
    bool spent;          /* they took too long */
    atomic_bool *over;   /* for all of them */
} sc_stretch;

/* Whether there is time for a look more: to be asked before each. Not where each is at very many
 * facets, as where the limit is long beside them: erosion is of no use there. */
bool sc_stretch_goes_on(sc_stretch *stretch);

/* Asks for no more looks at any of them. */
void sc_stretch_end_all(sc_stretch *stretch);

/* Items 0 .. count - 1, to be held against part i. *all: time did not run out, no stretch took too
 * long, and nobody asked for no more. False if memory ran out. */
bool sc_stretches_look(const sc_erosion_proof *proof, int i, uint32_t count,
                       void (*look)(void *context, sc_stretch *stretch), void *context, bool *all);

#endif
