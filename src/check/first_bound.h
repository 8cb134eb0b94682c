/* first_bound.h - an upper bound of the distance before anything is searched. */
#ifndef SC_FIRST_BOUND_H
#define SC_FIRST_BOUND_H

#include "part.h"

/* The triangle numbers of a pair that lies close together: the nearest of some hundred sampled
 * vertices of either part. Both have triangles. */
void sc_nearest_samples(const sc_part part[2], uint32_t triangle[2]);

/* From such a pair to one that lies closer, if a few steps lead there: from a point of one
 * part to the nearest of the other and back. */
void sc_nearest_by_turns(const sc_part part[2], uint32_t triangle[2]);

#endif
