/* normals.h - about which way the normals of facets lie that stand side by side in an octree: so it
 * is seen at once how all of them face. */
#ifndef SC_NORMALS_H
#define SC_NORMALS_H

#include "octree.h"

/* A cone that holds unit normals, with room for rounding: those at no more than an angle from its
 * axis. Facets without area have no normal; of slivers that rounding may turn any is taken to be
 * possible. */
typedef struct sc_normals {
    sc_vec3 axis;  /* unit */
    double cosine; /* of the angle; more than 1: there are none */
} sc_normals;

/* Of the facets of a node of level 1 or 0 as they are stored, without those beyond the region; of
 * level 0, its box was seen. Found out once. NULL if memory ran out. Any number of threads may call
 * it. */
const sc_normals *sc_octree_normals(sc_octree *tree, int level, uint32_t index);

/* The least that any faces along a unit vector; infinite where there are none. */
double sc_normals_least(const sc_normals *normals, sc_vec3 way);

/* No normal ends farther from the end of the axis than this. */
double sc_normals_spread(const sc_normals *normals);

#endif
