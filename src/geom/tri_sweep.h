/* tri_sweep.h - whether a triangle that moves straight meets one at rest, and when first.
 *
 * Triangle b moves by t d, t in 0..1; a rests. All decisions are exact for d and vertices
 * in the range that orient.h states, no component of d that is not 0 being smaller than
 * 2^-80 of the largest coordinate or component. Seen along d the triangles are two shapes in
 * a plane, and the times at which they meet are the gap between them over the common points
 * of these shapes: linear, so least and greatest at a vertex over a face, a face over a
 * vertex, or where two edges cross. */
#ifndef SC_TRI_SWEEP_H
#define SC_TRI_SWEEP_H

#include "feature.h"
#include "vec3.h"

#include <stdbool.h>

/* Where the common point of an event lies: at w[0], at w[1], or on the edge u. */
typedef enum sc_sweep_where {
    SC_AT_VERTEX_OF_A,
    SC_AT_VERTEX_OF_B,
    SC_ON_EDGE_OF_A
} sc_sweep_where;

/* The moment of a first contact. With the differences u, v, w of two points each ([1] - [0])
 * it is exactly -det(w, u, v) / det(d, u, v). */
typedef struct sc_sweep_event {
    double time;   /* 0..1, rounded: relative error below 2^-46 */
    bool at_start; /* they meet at t = 0: the time is exactly 0, and u, v, w do not count */
    sc_vec3 u[2], v[2], w[2];
    sc_sweep_where where;
    sc_vec3 point; /* the common point then, rounded */
    sc_feature feature_a, feature_b;
} sc_sweep_event;

typedef struct sc_swept {
    bool touches; /* they have a common point at some t in 0..1 */
    /* One passes through the other: a point of one lies over the inside of the other, seen
     * along d, or two edges cross, and they meet there at some t, 0 < t < 1. */
    bool crosses;
    /* They lie on each other at t = 0 and at no other time, with some area in common:
     * the sign of n . d, n being (a1-a0) x (a2-a0); else 0. */
    int leaves_along_normal;
    sc_sweep_event first; /* where they touch */
} sc_swept;

sc_swept sc_tri_sweep(const sc_vec3 a[3], const sc_vec3 b[3], sc_vec3 d);

/* Which of two events comes first: -1, 0, 1; exact. Both of motions by the same d. */
int sc_sweep_compare(const sc_sweep_event *x, const sc_sweep_event *y, sc_vec3 d);

#endif
