/* facet_distance.h - from a point to a facet. */
#ifndef SC_FACET_DISTANCE_H
#define SC_FACET_DISTANCE_H

#include "vec3.h"

/* The distance of p from the nearest point of the facet, which is *on. A facet without area counts
 * as the segment or point that it is.
 *
 * Error: with r the largest coordinate of all four points, *on lies within 2^-46 r of the facet,
 * and the distance is within that of the exact one, however thin the facet is. That is proven, in
 * facet_distance.c; of 10^7 random ones none was off by more than 2^-49 r. */
double sc_facet_distance(sc_vec3 p, const sc_vec3 v[3], sc_vec3 *on);

#endif
