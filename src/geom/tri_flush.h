/* tri_flush.h - how much of two facets lies flush: face to face, or in one another. */
#ifndef SC_TRI_FLUSH_H
#define SC_TRI_FLUSH_H

#include "vec3.h"

#include <stdbool.h>

/* The area in which a and b lie over each other, seen along the mean of their normals by area, if
 * a is nowhere there farther than `within` (not negative) off the plane of b; else 0. 0 too where
 * their normals differ by more than rounding tilts a facet that it leaves flush, some 6 degrees,
 * or one has no area. With `within` 0 they must be coplanar, exactly.
 *
 * *opposed: their normals are, as they are wound: the inside of either lies beyond the other. */
double sc_tri_flush_area(const sc_vec3 a[3], const sc_vec3 b[3], double within, bool *opposed);

/* Whether they are coplanar, exactly, and have area. */
bool sc_tri_coplanar(const sc_vec3 a[3], const sc_vec3 b[3]);

#endif
