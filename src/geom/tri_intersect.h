/* tri_intersect.h - whether two closed triangles meet, and where.
 *
 * Decided exactly, degenerate triangles included: those count as the segment or
 * the point that they are. Devillers and Guigue, Faster Triangle-Triangle
 * Intersection Tests, 2002, on exact signs. */
#ifndef SC_TRI_INTERSECT_H
#define SC_TRI_INTERSECT_H

#include "feature.h"
#include "vec3.h"

typedef enum sc_meeting {
    SC_APART, /* no common point */
    SC_TOUCH, /* common points, but no proper crossing */
    SC_CROSS  /* each straddles the other's plane strictly and the open segments
                  that they cut from the common line overlap */
} sc_meeting;

/* Vertices in the range that orient.h states. Exchanging a and b changes nothing. */
sc_meeting sc_tri_meet(const sc_vec3 a[3], const sc_vec3 b[3]);

/* The common points of two triangles that meet: the convex hull of points[0] ..
 * points[count - 1], a point, the ends of a segment, or a polygon's corners in
 * order. Which corners there are, and on which features of A and B the first one
 * lies, is exact; coordinates are rounded. */
typedef struct sc_common {
    int count; /* 0 where the triangles do not meet, at most 6 */
    sc_vec3 points[6];
    sc_feature feature_a, feature_b; /* of the point found first; see `first` */
    sc_vec3 first;
} sc_common;

/* The same of vertices in the same range. Exchanging a and b may give other points of it first. */
sc_common sc_tri_common(const sc_vec3 a[3], const sc_vec3 b[3]);

#endif
