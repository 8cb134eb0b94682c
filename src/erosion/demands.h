/* demands.h - how far a triangle must give way for another not to meet it.
 *
 * Two triangles, or one and what another sweeps out, are convex: some plane lies between them once
 * the second was shifted far enough across it. Of planes along either, along an edge and the way,
 * and along an edge of each, that counts which takes the shortest shift. */
#ifndef SC_DEMANDS_H
#define SC_DEMANDS_H

#include "geom/vec3.h"

#include <stdbool.h>

/* Unit normals of the planes, to either side; returns how many. */
enum { SC_WAYS_BETWEEN = 34 };
int sc_ways_between(const sc_vec3 a[3], const sc_vec3 b[3], sc_vec3 d,
                    sc_vec3 ways[SC_WAYS_BETWEEN]);

/* That each vertex k goes along the unit vector `way` by least[k], which may be negative. */
typedef struct sc_demand {
    sc_vec3 way;
    double least[3];
} sc_demand;

/* Of b, to lie beyond a all the way, along a unit vector; returns the most. */
double sc_demand_along(sc_vec3 way, const sc_vec3 a[3], const sc_vec3 b[3], sc_vec3 d,
                       sc_demand *demand);

/* Of b, which moves by d as seen from a: it is to end where a faces, and to go back from where it
 * faces itself; `out` are unit normals out of both parts, or zero. Returns the most; infinite: no
 * plane does so. */
double sc_demand_find(const sc_vec3 a[3], const sc_vec3 b[3], sc_vec3 d, const sc_vec3 out[2],
                      sc_demand *demand);

/* The same at rest, of planes that take no more than `most`, by that which lies across as the
 * facets face: what is asked by facets next to each other agrees so. False: no plane does. */
bool sc_demand_face(const sc_vec3 a[3], const sc_vec3 b[3], const sc_vec3 out[2], double most,
                    sc_demand *demand);

#endif
