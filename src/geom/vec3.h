/* vec3.h - a vector of three doubles, by value. */
#ifndef SC_VEC3_H
#define SC_VEC3_H

#include "base/real.h"

#include <stdbool.h>

typedef struct sc_vec3 {
    double x, y, z;
} sc_vec3;

/* From three numbers, and into them. */
static inline sc_vec3 sc_vec3_of(const double v[3])
{
    return (sc_vec3){v[0], v[1], v[2]};
}

static inline void sc_vec3_store(sc_vec3 a, double out[3])
{
    out[0] = a.x;
    out[1] = a.y;
    out[2] = a.z;
}

/* With 0 in place of coordinates below `least` in magnitude. */
static inline sc_vec3 sc_flushed(sc_vec3 a, double least)
{
    return (sc_vec3){fabs(a.x) < least ? 0.0 : a.x, fabs(a.y) < least ? 0.0 : a.y,
                     fabs(a.z) < least ? 0.0 : a.z};
}

static inline sc_vec3 sc_add(sc_vec3 a, sc_vec3 b)
{
    return (sc_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline sc_vec3 sc_sub(sc_vec3 a, sc_vec3 b)
{
    return (sc_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline bool sc_same(sc_vec3 a, sc_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static inline sc_vec3 sc_scale(sc_vec3 a, double s)
{
    return (sc_vec3){a.x * s, a.y * s, a.z * s};
}

/* a + s * b */
static inline sc_vec3 sc_mul_add(sc_vec3 a, double s, sc_vec3 b)
{
    return (sc_vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline double sc_dot(sc_vec3 a, sc_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline sc_vec3 sc_cross(sc_vec3 a, sc_vec3 b)
{
    return (sc_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* The axis of the component that is largest in magnitude; of equal ones the first. */
static inline int sc_largest_axis(sc_vec3 a)
{
    return fabs(a.x) >= fabs(a.y) && fabs(a.x) >= fabs(a.z) ? 0 : fabs(a.y) >= fabs(a.z) ? 1 : 2;
}

/* Of a triangle: twice its area, along its normal. */
static inline sc_vec3 sc_area_twice(const sc_vec3 v[3])
{
    return sc_cross(sc_sub(v[1], v[0]), sc_sub(v[2], v[0]));
}

/* Where its medians meet. */
static inline sc_vec3 sc_triangle_middle(const sc_vec3 v[3])
{
    return sc_scale(sc_add(sc_add(v[0], v[1]), v[2]), 1.0 / 3.0);
}

static inline double sc_length(sc_vec3 a)
{
    return sqrt(sc_dot(a, a));
}

static inline double sc_triangle_longest_side(const sc_vec3 v[3])
{
    double longest = 0.0;
    for (int k = 0; k < 3; k++) {
        longest = sc_fmax(longest, sc_length(sc_sub(v[(k + 1) % 3], v[k])));
    }
    return longest;
}

/* Of length 1, exactly so along an axis: hence no product with the reciprocal. */
static inline sc_vec3 sc_unit(sc_vec3 a)
{
    const double length = sc_length(a);
    return (sc_vec3){a.x / length, a.y / length, a.z / length};
}

/* The same, but zero of what has no direction. */
static inline sc_vec3 sc_unit_or_zero(sc_vec3 a)
{
    return sc_length(a) > 0.0 ? sc_unit(a) : (sc_vec3){0.0, 0.0, 0.0};
}

/* A direction that is certainly no longer than 1: shortened by more than rounding may have
 * lengthened it; zero of what has none. */
static inline sc_vec3 sc_unit_shortened(sc_vec3 a)
{
    const double length = sc_length(a);
    return sc_scale(a, length > 0.0 && length < INFINITY ? (1.0 - 0x1p-48) / length : 0.0);
}

static inline double sc_component(sc_vec3 a, int axis)
{
    return axis == 0 ? a.x : axis == 1 ? a.y : a.z;
}

/* An order of points: by x, then y, then z. */
static inline bool sc_vec3_before(sc_vec3 a, sc_vec3 b)
{
    if (a.x != b.x) {
        return a.x < b.x;
    }
    return a.y != b.y ? a.y < b.y : a.z < b.z;
}

/* From the nearest point of a segment to p, which lies at `to` from its start; `length_sq` is that
 * of `along`, from there to its end. */
static inline sc_vec3 sc_off_segment(sc_vec3 to, sc_vec3 along, double length_sq)
{
    double t = length_sq > 0.0 ? sc_clamp01(sc_dot(to, along) / length_sq) : 0.0;
    return sc_mul_add(to, -t, along);
}

#endif
