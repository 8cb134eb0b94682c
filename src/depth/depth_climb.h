/* depth_climb.h - a good guess at the deepest point, by walking uphill. */
#ifndef SC_DEPTH_CLIMB_H
#define SC_DEPTH_CLIMB_H

#include "solids/surface.h"

/* From *p, a point of `within`, to a point of both parts about as deep below the surface of
 * part x as any around it, by steps of up to `step`, and down to four times `part` of its depth. Moves *p if *p is a common point and a
 * deeper one was found, and returns a proven lower bound of its depth, within `part` of it; 0 if *p
 * is not common. */
double sc_depth_climb(sc_surface surface[2], int x, const sc_box *within, double part, double step,
                      sc_vec3 *p);

#endif
