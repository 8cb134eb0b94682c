/* fins.h - facets of a solid on which others of its own lie, the other way round: with the solid on
 * both sides or on none they bound nothing. */
#ifndef SC_FINS_H
#define SC_FINS_H

#include "solids/surface.h"

/* Whether all of a facet is such. Where some lie the one way and more the other, as many of them as
 * cancel out are, the largest first. False if memory ran out. */
bool sc_is_fin(sc_surface *own, uint32_t facet, bool *fin);

#endif
