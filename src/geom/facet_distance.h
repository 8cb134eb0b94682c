/* facet_distance.h - from a point to a facet. */
#ifndef SC_FACET_DISTANCE_H
#define SC_FACET_DISTANCE_H

#include "vec3.h"

/* The distance of p from the nearest point of the facet, which is *on. Rounded: a facet
 * without area counts as the segment or point that it is. */
double sc_facet_distance(sc_vec3 p, const sc_vec3 v[3], sc_vec3 *on);

#endif
