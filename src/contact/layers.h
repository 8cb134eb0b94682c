/* layers.h - facets of a solid that lie over each other in one plane: what they bound together.
 *
 * Where as many of them face one way as the other, the solid is on both sides or on none, and they
 * bound nothing; else they bound it on the side that more of them face, once. */
#ifndef SC_LAYERS_H
#define SC_LAYERS_H

#include "contact_pairs.h"

/* The area in which the facets of a pair are flush, as far as both facets bound something there,
 * each by its share: where several of a solid face one way, the shares of all their pairs make up
 * the area once. *visited: more by the facets that were looked at for that. False if memory ran
 * out. */
bool sc_layers_touching(const sc_contact_request *request, const sc_contact_pair *pair,
                        double *area, uint64_t *visited);

/* The same of a pair that face each other by another share: of those of solid[1] that face as its
 * facet does, behind how many no other of solid[1] faces the other way. */
bool sc_layers_with_nothing_behind(const sc_contact_request *request, const sc_contact_pair *pair,
                                   double *area, uint64_t *visited);

/* Whether a facet of solid[side] bounds nothing at all. */
bool sc_layers_is_fin(const sc_contact_request *request, int side, uint32_t facet, bool *fin,
                      uint64_t *visited);

#endif
