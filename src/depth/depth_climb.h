/* depth_climb.h - a good guess at the deepest point, by walking uphill. */
#ifndef SC_DEPTH_CLIMB_H
#define SC_DEPTH_CLIMB_H

#include "solids/surface.h"

/* From *p, or the surface of the other part near it if *p is outside of that, to a point of both
 * parts about as deep below the surface of part x as any around it, by steps that begin with
 * `step`, down to four times `part` of the depth. Moves *p there, and returns a proven lower bound
 * of its depth, within `part` of it; 0, and *p stays, where there is nothing in common. */
double sc_depth_climb(sc_surface surface[2], int x, const sc_box *within, double part, double step,
                      sc_vec3 *p);

#endif
