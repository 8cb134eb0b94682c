/* segment_triangle.h - where a closed segment meets a closed triangle, exactly.
 *
 * Triangles without area count as the segment or the point that they are, and a segment
 * may be a point. Coordinates obey orient.h. */
#ifndef SC_SEGMENT_TRIANGLE_H
#define SC_SEGMENT_TRIANGLE_H

#include "feature.h"
#include "vec3.h"

#include <stdbool.h>

typedef struct sc_segment {
    sc_vec3 p, q; /* parameter 0 and 1 */
} sc_segment;

/* How a parameter of a segment is defined. */
typedef enum sc_stop_kind {
    SC_STOP_START, /* 0 */
    SC_STOP_END,   /* 1 */
    SC_STOP_PLANE, /* where it crosses the plane of v[0], v[1], v[2] */
    SC_STOP_LINE,  /* where it crosses the line of v[0], v[1], seen along `axis` */
    SC_STOP_POINT  /* where its coordinate `axis` is that of v[0] */
} sc_stop_kind;

/* A parameter of a segment: a number with an error bound, and what it is exactly. */
typedef struct sc_stop {
    sc_stop_kind kind;
    int axis;
    double t, error; /* error of t; infinite where the filter is off */
    sc_vec3 v[3];
} sc_stop;

/* -1, 0, 1: a before, at or after b on the same segment. Exact. */
int sc_stop_compare(const sc_segment *segment, const sc_stop *a, const sc_stop *b);

/* What a segment and a triangle have in common. */
typedef struct sc_stretch {
    bool meets;
    bool interval;      /* from < to: they lie in one plane, or on one line */
    sc_stop from, to;   /* the same unless interval */
    sc_feature feature; /* of the triangle: where `from` lies, or the stretch runs */
} sc_stretch;

/* The relative error of the rounded parameters, except those very near 0: 2^-40. */
sc_stretch sc_segment_meet(const sc_segment *segment, const sc_vec3 v[3]);

/* Where a segment whose ends lie strictly on either side of the triangle's plane passes it. */
sc_stop sc_segment_plane(const sc_segment *segment, const sc_vec3 v[3]);

/* Whether they meet, no more. */
bool sc_segment_meets(const sc_segment *segment, const sc_vec3 v[3]);

/* The point at t, rounded, from the nearer end. */
static inline sc_vec3 sc_segment_point(const sc_segment *s, double t)
{
    return t <= 0.5 ? sc_mul_add(s->p, t, sc_sub(s->q, s->p))
                    : sc_mul_add(s->q, 1.0 - t, sc_sub(s->p, s->q));
}

#endif
