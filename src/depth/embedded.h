/* embedded.h - whether the surface of a part meets itself nowhere, so that all of it lies between
 * outside and inside. */
#ifndef SC_EMBEDDED_H
#define SC_EMBEDDED_H

#include "solids/solid.h"

/* Whether it was shown that the part's winding number is 0 or 1 everywhere but on its surface:
 * facets with area meet in common vertices and edges only, each edge is that of two facets that use
 * it in opposite directions, and on either side of every shell the number is as it should be. True
 * never errs. False where the solid's tree does not hold all of the part, and where memory ran out
 * (*failed). Found out once, which takes some microseconds a facet. */
bool sc_solid_is_embedded(sc_solid *solid, bool *failed);

/* The same as far as it was found out before. */
static inline bool sc_solid_is_known_embedded(const sc_solid *solid)
{
    return atomic_load(&solid->embedded) > 0;
}

#endif
