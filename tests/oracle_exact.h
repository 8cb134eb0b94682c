/* oracle_exact.h - the truth about triangles, in integers and rationals of GMP.
 *
 * Written for plainness, not speed, and without any idea that the kernels use:
 * no filters, no expansions, no case trees. Every finite double is allowed, and
 * degenerate triangles count as the segment or point that they are. Not for
 * threads. */
#ifndef ORACLE_EXACT_H
#define ORACLE_EXACT_H

#include "geom/feature.h"
#include "geom/vec3.h"

#include <gmp.h>
#include <stdbool.h>

/* ---- signs ---------------------------------------------------------------- */

/* Sign of det[a-d; b-d; c-d], and its value rounded once. */
int oracle_orient3d(sc_vec3 a, sc_vec3 b, sc_vec3 c, sc_vec3 d);
double oracle_orient3d_value(sc_vec3 a, sc_vec3 b, sc_vec3 c, sc_vec3 d);

/* Sign of component `axis` of (b-a) x (c-a), and its value rounded once. */
int oracle_orient2d(sc_vec3 a, sc_vec3 b, sc_vec3 c, int axis);
double oracle_orient2d_value(sc_vec3 a, sc_vec3 b, sc_vec3 c, int axis);

/* Sign of component `axis` of (a-b) x (c-d). */
int oracle_cross_sign(sc_vec3 a, sc_vec3 b, sc_vec3 c, sc_vec3 d, int axis);

/* Whether the vertices lie on one line, or in one point. */
bool oracle_degenerate(const sc_vec3 a[3]);

/* The coordinates s, t of the foot a0 + s (a1 - a0) + t (a2 - a0) of p in the plane
 * of a triangle that is not degenerate; each rounded once. */
void oracle_foot(sc_vec3 p, const sc_vec3 a[3], double *s, double *t);

/* ---- meeting -------------------------------------------------------------- */

/* Whether the closed triangles have a common point: 0 is one of the differences
 * a - b, whose hull is that of the nine differences of vertices. */
bool oracle_meet(const sc_vec3 a[3], const sc_vec3 b[3]);

/* Whether the planes are not parallel, each triangle has points strictly on both
 * sides of the other's plane, and the open intervals that the triangles cut from
 * the common line overlap. */
bool oracle_cross(const sc_vec3 a[3], const sc_vec3 b[3]);

/* The corners of the common points in order around them, none of them between
 * two others; each rounded once. */
typedef struct oracle_common {
    int count; /* 0: the triangles do not meet */
    sc_vec3 points[6];
    sc_feature on_a[6], on_b[6]; /* of the triangle, segment or point that it is */
} oracle_common;

oracle_common oracle_common_points(const sc_vec3 a[3], const sc_vec3 b[3]);

/* ---- distance ------------------------------------------------------------- */

/* The squared distance; `square` must be initialised. */
void oracle_distance_sq(mpq_t square, const sc_vec3 a[3], const sc_vec3 b[3]);

/* sqrt(square). */
double oracle_sqrt(const mpq_t square);

/* distance - sqrt(square), worked out to 256 bits. */
double oracle_sqrt_error(const mpq_t square, double distance);

#endif
