/* health_boundary.h - whether the boundary of a mesh vanishes: one look at each facet, no
 * memory, and nothing else learnt. */
#ifndef SC_HEALTH_BOUNDARY_H
#define SC_HEALTH_BOUNDARY_H

#include "mesh.h"

/* True: every edge is used as often one way as the other, up to a chance below 2^-56; false:
 * not, or split at T-junctions. Facets without area do not count, and nothing but them is
 * no boundary either: false. */
bool sc_boundary_vanishes(const stlclash_mesh *mesh);

#endif
