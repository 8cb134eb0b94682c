/* depth_axes.h - how cells of space lie: along the walls that most of what parts have in common is
 * between. */
#ifndef SC_DEPTH_AXES_H
#define SC_DEPTH_AXES_H

#include "brick.h"
#include "solids/surface.h"

/* Where cells have their coordinates, as lengths along these axes: unit vectors, square to each
 * other but for rounding. */
typedef struct sc_depth_axes {
    sc_vec3 origin, axis[3];
    double margin; /* that of the surfaces */
} sc_depth_axes;

/* From facets of both parts about the box: those of the coordinates, unless others are clearly
 * better. */
sc_depth_axes sc_depth_axes_find(const sc_surface surface[2], const sc_box *within);

/* A box along the axes that encloses one in the coordinates of the parts. */
sc_box sc_depth_axes_box(const sc_depth_axes *axes, const sc_box *box);

/* What a box along the axes is there, no smaller for rounding. */
sc_brick sc_depth_axes_brick(const sc_depth_axes *axes, const sc_box *box);

#endif
