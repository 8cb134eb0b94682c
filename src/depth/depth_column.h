/* depth_column.h - columns of space, and between which heights the surface of a part lies in
 * them. */
#ifndef SC_DEPTH_COLUMN_H
#define SC_DEPTH_COLUMN_H

#include "depth_proof.h"

/* A box, or more, in coordinates along two sides and the axis, from the centre. */
typedef struct sc_column {
    const sc_surface *surface;
    sc_vec3 centre, axis[3];
    double half[3], box_half; /* along the axis: of the column, which is longer, and of the brick */
    double low, high;         /* heights between which the surface in it lies, but for `slack` */
    bool below, above;        /* whether it is outside beyond them */
    double reach, slack;      /* measuring stops once the brick may be deeper than `reach` */
    int facets, looked_at;    /* or after so many in it; 0: any number */
} sc_column;

/* About the brick along a unit vector, up to `length` beyond both ends; not measured. */
sc_column sc_column_of(const sc_surface *surface, const sc_brick *brick, sc_vec3 axis,
                       double length);

/* Whether the box may reach into it: not proven to lie beyond one of its sides. */
bool sc_column_meets(const sc_column *c, const sc_box *box);

/* Over the facets in it, and some near it. */
sc_walk sc_column_walk(const sc_column *c, bool (*enter)(void *context, const sc_box *box),
                       bool (*facet)(void *context, uint32_t facet, const sc_vec3 v[3]),
                       void *context);

/* Finds out between which heights the surface lies, and what is beyond; false if there is none in
 * the column, or it stopped. */
bool sc_column_measure(sc_surface *surface, sc_column *c);

/* How far a point between these heights can lie from the surface below or above it, beyond which is
 * outside; infinite where neither is. */
double sc_column_deepest(const sc_column *c, double low, double high);

/* A corner of a convex polygon in coordinates of a column. */
enum { SC_MOST_CORNERS = 24 };
typedef double sc_corner[3];

/* What of a polygon lies no farther along `way` than the limit; or all of it, where rounding has
 * made so many corners of a sliver that there might be too many. Returns how many remain. */
int sc_clip(sc_corner *p, int count, const double way[3], double limit);

/* A facet's own corners. */
void sc_column_corners(const sc_column *c, const sc_vec3 v[3], sc_corner p[3]);

/* What of a facet lies in the column, and between which heights; nothing, if it has no corners. */
typedef struct sc_tile {
    sc_corner p[SC_MOST_CORNERS];
    int count;
    double low, high;
} sc_tile;
void sc_column_cut(const sc_column *c, const sc_vec3 v[3], sc_tile *tile);

#endif
