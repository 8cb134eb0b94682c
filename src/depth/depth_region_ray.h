/* depth_region_ray.h - whether a point is inside a region, by what a ray from there passes
 * through: of parts that overlap themselves the nearest surface may lie within, and tells
 * nothing. */
#ifndef SC_DEPTH_REGION_RAY_H
#define SC_DEPTH_REGION_RAY_H

#include "depth.h"
#include "solids/surface.h"

typedef enum sc_ray_side { SC_RAY_OUTSIDE, SC_RAY_INSIDE, SC_RAY_UNKNOWN } sc_ray_side;

/* A point on the boundary is inside. Unknown where all rays that are tried pass where it is not
 * clear which region is bounded. */
sc_ray_side sc_depth_region_ray(const sc_depth_request *request, sc_surface surface[2], sc_vec3 p);

#endif
