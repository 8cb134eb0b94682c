/* tri_approach.h - how near a triangle that moves straight comes to one at rest. */
#ifndef SC_TRI_APPROACH_H
#define SC_TRI_APPROACH_H

#include "tri_distance.h"

/* Triangle b moves by t d, t in 0..1, and does not meet a, which rests. Nearest points as they
 * stand at the time of the closest approach; error of the distance: at most 2^-49 times the
 * largest extent of the triangles, the way and the gap. */
sc_closest sc_tri_approach(const sc_vec3 a[3], const sc_vec3 b[3], sc_vec3 d, double *time);

#endif
