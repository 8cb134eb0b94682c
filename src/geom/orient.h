/* orient.h - exact signs of determinants: the only decisions of the exact core.
 *
 * A floating-point filter answers nearly always; expansion arithmetic answers
 * the rest. Exact for finite doubles that are floats, or whose magnitudes are 0
 * or lie within 2^-80 .. 1 of their largest, that one being 2^-149 .. 2^200 (what
 * placing guarantees): then no product of three differences leaves the range.
 * Shewchuk, Adaptive Precision Floating-Point Arithmetic and Fast Robust
 * Geometric Predicates, 1997: filter bounds from 4.2 and 4.3. */
#ifndef SC_ORIENT_H
#define SC_ORIENT_H

#include "vec3.h"

/* Relative error bounds of the two filters; both infinite where the filter is off. */
typedef struct sc_orient_filter {
    double bound_3d, bound_2d;
} sc_orient_filter;
extern sc_orient_filter sc_orient_bounds;

/* The exact halves, for the filters below. */
int sc_orient3d_exact(sc_vec3 a, sc_vec3 b, sc_vec3 c, sc_vec3 d);
int sc_cross_sign_exact(sc_vec3 a, sc_vec3 b, sc_vec3 c, sc_vec3 d, int axis);

/* det[u; v; w] in doubles. */
typedef struct sc_rounded_det {
    double value;
    double bound; /* of what rounding added, also where each row is a difference rounded once */
    double terms; /* the sum of the magnitudes of its terms */
} sc_rounded_det;

static inline sc_rounded_det sc_det_rounded(sc_vec3 u, sc_vec3 v, sc_vec3 w)
{
    double vxwy = v.x * w.y, vywx = v.y * w.x;
    double wxuy = w.x * u.y, wyux = w.y * u.x;
    double uxvy = u.x * v.y, uyvx = u.y * v.x;
    sc_rounded_det det = {.value = u.z * (vxwy - vywx) + v.z * (wxuy - wyux) + w.z * (uxvy - uyvx),
                          .terms = fabs(u.z) * (fabs(vxwy) + fabs(vywx)) +
                                   fabs(v.z) * (fabs(wxuy) + fabs(wyux)) +
                                   fabs(w.z) * (fabs(uxvy) + fabs(uyvx))};
    det.bound = sc_orient_bounds.bound_3d * det.terms;
    return det;
}

/* Sign of det[a-d; b-d; c-d]: +1 where d lies below the plane of a, b, c, that is
 * on the side opposite to (b-a) x (c-a); -1 above; 0 exactly in the plane. */
static inline int sc_orient3d(sc_vec3 a, sc_vec3 b, sc_vec3 c, sc_vec3 d)
{
    sc_rounded_det det = sc_det_rounded(sc_sub(a, d), sc_sub(b, d), sc_sub(c, d));

    if (det.value > det.bound) {
        return 1;
    }
    if (det.value < -det.bound) {
        return -1;
    }
    if (det.bound == 0.0) {
        return 0; /* every product is zero: most axis-aligned contacts end here */
    }
    return sc_orient3d_exact(a, b, c, d);
}

/* The signs of sc_orient3d for the plane of three points and each of three others: what the plane
 * gives is worked out once, from its first point. The same filter, for the same determinant. */
static inline void sc_orient3d_of_three(const sc_vec3 plane[3], const sc_vec3 d[3], int sign[3])
{
    const sc_vec3 v = sc_sub(plane[1], plane[0]), w = sc_sub(plane[2], plane[0]);
    const double vywz = v.y * w.z, vzwy = v.z * w.y;
    const double vzwx = v.z * w.x, vxwz = v.x * w.z;
    const double vxwy = v.x * w.y, vywx = v.y * w.x;

    for (int i = 0; i < 3; i++) {
        sc_vec3 u = sc_sub(d[i], plane[0]);
        double above = u.x * (vywz - vzwy) + u.y * (vzwx - vxwz) + u.z * (vxwy - vywx);
        double permanent = fabs(u.x) * (fabs(vywz) + fabs(vzwy)) +
                           fabs(u.y) * (fabs(vzwx) + fabs(vxwz)) +
                           fabs(u.z) * (fabs(vxwy) + fabs(vywx));
        double bound = sc_orient_bounds.bound_3d * permanent;
        if (above > bound) {
            sign[i] = -1;
        } else if (above < -bound) {
            sign[i] = 1;
        } else {
            sign[i] = bound == 0.0 ? 0 : sc_orient3d_exact(plane[0], plane[1], plane[2], d[i]);
        }
    }
}

/* Sign of component `axis` (0, 1, 2) of (a-b) x (c-d). */
static inline int sc_cross_sign(sc_vec3 a, sc_vec3 b, sc_vec3 c, sc_vec3 d, int axis)
{
    int i = (axis + 1) % 3, j = (axis + 2) % 3;
    double left =
        (sc_component(a, i) - sc_component(b, i)) * (sc_component(c, j) - sc_component(d, j));
    double right =
        (sc_component(a, j) - sc_component(b, j)) * (sc_component(c, i) - sc_component(d, i));
    double det = left - right;
    double bound = sc_orient_bounds.bound_2d * (fabs(left) + fabs(right));

    if (det > bound) {
        return 1;
    }
    if (det < -bound) {
        return -1;
    }
    if (bound == 0.0) {
        return 0;
    }
    return sc_cross_sign_exact(a, b, c, d, axis);
}

/* Sign of component `axis` of (b-a) x (c-a): +1 where a, b, c turn
 * counter-clockwise in the projection along that axis. */
static inline int sc_orient2d(sc_vec3 a, sc_vec3 b, sc_vec3 c, int axis)
{
    return sc_cross_sign(b, a, c, a, axis);
}

/* Sign of (a-b) . ((c-d) x (e-f)), without a filter: seldom asked for. */
int sc_triple_sign(sc_vec3 a, sc_vec3 b, sc_vec3 c, sc_vec3 d, sc_vec3 e, sc_vec3 f);

/* The determinants themselves, with a relative error of at most 2^-48; exactly 0
 * where the sign is 0. For coordinates of constructed points. */
double sc_orient3d_value(sc_vec3 a, sc_vec3 b, sc_vec3 c, sc_vec3 d);
double sc_orient2d_value(sc_vec3 a, sc_vec3 b, sc_vec3 c, int axis);

/* The first axis along which a, b, c project to a triangle with area, so that
 * orient2d is not 0 there; -1 where they lie on a line. */
int sc_projection_axis(sc_vec3 a, sc_vec3 b, sc_vec3 c);

/* Tests only: with `off` not 0 every sign takes the exact path, in all threads. */
void sc_orient_filter_off(int off);

/* Signs of this thread that the filter could not give, since the last call. */
unsigned long sc_orient_exact_calls(void);

#endif
