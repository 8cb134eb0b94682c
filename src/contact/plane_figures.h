/* plane_figures.h - facets, and convex pieces of them, as they are seen in a plane: corners
 * counter-clockwise, x and y of each. */
#ifndef SC_PLANE_FIGURES_H
#define SC_PLANE_FIGURES_H

#include "geom/tri_flush.h"

/* A cut adds a corner; what has too many is to be cut in two across. */
enum { SC_POLYGON_CORNERS = SC_FLUSH_CORNERS + 4 };

typedef struct sc_polygon {
    int count;
    double corner[SC_POLYGON_CORNERS][2];
} sc_polygon;

/* A facet, and the box about it. */
typedef struct sc_seen_facet {
    double corner[3][2], low[2], high[2];
} sc_seen_facet;

/* What it is the edge of lies to the left. */
typedef struct sc_plane_line {
    double at[2], way[2];
    double on; /* what is no farther off may be on it as well, but for rounding */
} sc_plane_line;

/* Positive to the left. */
static inline double sc_plane_beside(const sc_plane_line *line, const double p[2])
{
    return line->way[0] * (p[1] - line->at[1]) - line->way[1] * (p[0] - line->at[0]);
}

/* Turns the corners round if they are clockwise. */
void sc_plane_orient(double (*corner)[2], int count);

/* Whether nothing of a facet is to the left of a line, but for rounding. */
bool sc_plane_has_beyond(const sc_plane_line *line, const sc_seen_facet *facet);

/* The box about them. */
void sc_plane_span(const double (*corner)[2], int count, double low[2], double high[2]);

/* The largest coordinate of a box, in magnitude. */
double sc_plane_reach(const double low[2], const double high[2]);

/* Not negative, whichever way round the corners are; 0 of less than three. */
double sc_polygon_area(const sc_polygon *p);

/* What of it is to the left of a line, and to the right. */
void sc_polygon_cut(const sc_polygon *p, const sc_plane_line *line, sc_polygon side[2]);

/* From its corners. */
void sc_seen_facet_finish(sc_seen_facet *facet);

/* `reach`: the largest coordinate of what is held against it. */
sc_plane_line sc_seen_facet_edge(const sc_seen_facet *facet, int k, double reach);

bool sc_seen_boxes_meet(const sc_seen_facet *a, const sc_seen_facet *b);

/* Whether some of a lies over some of b, by more than rounding. */
bool sc_seen_facets_overlie(const sc_seen_facet *a, const sc_seen_facet *b);

#endif
