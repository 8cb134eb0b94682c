/* layers.h - facets of a solid that lie over each other in one plane: what they bound together.
 *
 * Where as many of them face one way as the other, the solid is on both sides or on none, and they
 * bound nothing; else they bound it on the side that more of them face, once. */
#ifndef SC_LAYERS_H
#define SC_LAYERS_H

#include "geom/tri_flush.h"
#include "solids/solid.h"

/* One facet of either solid, and its vertices as they are placed; how far apart they may lie. */
typedef struct sc_layers_pair {
    sc_solid *const *solid; /* [2] */
    uint32_t facet[2];
    const sc_vec3 *v[2];
    const sc_flush *within;
} sc_layers_pair;

/* The area in which they are flush, as far as both facets bound something there, each by its share:
 * where several of a solid face one way, the shares of all their pairs make up the area once. False
 * if memory ran out. */
bool sc_layers_touching(const sc_layers_pair *pair, double *area);

/* Whether one of the two bounds nothing at all. */
bool sc_layers_some_fin(const sc_layers_pair *pair, bool *fin);

#endif
