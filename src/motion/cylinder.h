/* cylinder.h - the facets of a part in cylindrical coordinates about an axis, in a tree.
 *
 * A screw about that axis moves all of them alike and straight, so that boxes of radius, angle and
 * height do not change their shape on the way. */
#ifndef SC_CYLINDER_H
#define SC_CYLINDER_H

#include "erosion/erosion.h"
#include "part.h"
#include "screw.h"

/* Cartesian coordinates of which the third runs along the axis of a screw. */
typedef struct sc_axis {
    sc_vec3 origin, side[3]; /* of length 1, and right-handed */
} sc_axis;

sc_axis sc_axis_of(const sc_screw *screw);

enum { SC_RADIUS, SC_ANGLE, SC_HEIGHT };

/* Angles in radians: from one of -pi..pi to a larger one, at most a whole turn away. */
typedef struct sc_cylinder_box {
    double low[3], high[3];
} sc_cylinder_box;

typedef struct sc_cylinder_facet {
    sc_vec3 v[3]; /* along the sides of the axis */
    sc_cylinder_box box;
} sc_cylinder_facet;

/* Of each node, four that follow each other are the children; of one of level 0, facets. The last
 * may have fewer. */
enum { SC_CYLINDER_CHILDREN = 4, SC_CYLINDER_LEVELS = 17 };

typedef struct sc_cylinder_node {
    sc_cylinder_box box;
    sc_vec3 centre; /* of a sphere around it */
    double radius;
    sc_vec3 middle, half; /* of a box along the sides of the axis: its centre, half of its sides */
    sc_vec3 area;         /* the areas of its facets as vectors, summed up */
} sc_cylinder_node;

typedef struct sc_cylinder {
    sc_cylinder_facet *facets;
    size_t facet_count;
    sc_cylinder_node *nodes[SC_CYLINDER_LEVELS]; /* [count[level]] */
    size_t count[SC_CYLINDER_LEVELS];
    int levels; /* 0: nothing of the part matters; else one node in the topmost */
} sc_cylinder;

/* Around all of a part as placed, by its blocks: not tightly. */
sc_cylinder_box sc_cylinder_bounds(const sc_part *part, const sc_axis *axis);

/* The largest distance of a vertex from the axis. */
double sc_cylinder_radius(const sc_part *part, const sc_axis *axis);

/* Of the facets whose radii and heights reach those of the box; or of what these are eroded to,
 * unless that is NULL. Rounding makes no box smaller than what it encloses by more than 2^-48 of
 * the largest coordinate. False if memory ran out; free in any case. */
bool sc_cylinder_make(const sc_part *part, const sc_erosion *eroded, const sc_axis *axis,
                      const sc_cylinder_box *within, sc_cylinder *tree);
void sc_cylinder_free(sc_cylinder *tree);

#endif
