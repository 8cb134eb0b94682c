/* embedded.h - whether the surface of a small part meets itself nowhere, so that all of it lies
 * between outside and inside. */
#ifndef SC_EMBEDDED_H
#define SC_EMBEDDED_H

#include "solids/solid.h"

/* Whether it was shown that the part's winding number is 0 or 1 everywhere but on its surface:
 * facets with area meet in common vertices and edges only, each edge is that of two facets that use
 * it in opposite directions, and on either side of every shell the number is as it should be. True
 * never errs. False for parts of more than a few thousand facets, without a look at them; and where
 * memory ran out (*failed). */
bool sc_solid_is_embedded(sc_solid *solid, bool *failed);

#endif
