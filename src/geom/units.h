/* units.h - differences of points as whole numbers of some unit, and the exact sign of determinants
 * of them: of parts whose coordinates are floats of about one size, several times as fast as
 * expansions. */
#ifndef SC_UNITS_H
#define SC_UNITS_H

#include "twofold.h"
#include "vec3.h"

#include <stdint.h>
#include <string.h>

__extension__ typedef __int128 sc_wide;

/* Below 2^SC_UNIT_BITS in magnitude: six products of three of them stay below 2^126. */
enum { SC_UNIT_BITS = 41 };

typedef struct sc_units {
    int64_t of[3];
} sc_units;

/* Whether a difference is exact, and so many times that a whole number. */
static inline bool sc_to_units(sc_pair difference, double times, int64_t *units)
{
    const double scaled = difference.high * times;
    *units = (int64_t)scaled;
    return difference.low == 0.0 && (double)*units == scaled;
}

/* a - b, in the largest unit that leaves room; false: it is not a whole number of these. */
static inline bool sc_difference_in_units(sc_vec3 a, sc_vec3 b, sc_units *units)
{
    const sc_pair x = sc_two_sum(a.x, -b.x), y = sc_two_sum(a.y, -b.y), z = sc_two_sum(a.z, -b.z);
    const double most = sc_max(fabs(x.high), sc_max(fabs(y.high), fabs(z.high)));
    if (!(most >= 0x1p-900 && most <= 0x1p900)) {
        return false;
    }
    const double times = sc_power_of_two(SC_UNIT_BITS - 1 - sc_binary_exponent(most));
    return sc_to_units(x, times, &units->of[0]) && sc_to_units(y, times, &units->of[1]) &&
           sc_to_units(z, times, &units->of[2]);
}

static inline int sc_wide_sign(sc_wide a)
{
    return (a > 0) - (a < 0);
}

/* u x v, component `axis`. */
static inline sc_wide sc_units_cross(const sc_units *u, const sc_units *v, int axis)
{
    const int i = (axis + 1) % 3, k = (axis + 2) % 3;
    return (sc_wide)u->of[i] * v->of[k] - (sc_wide)u->of[k] * v->of[i];
}

/* u . (v x w) */
static inline sc_wide sc_units_triple(const sc_units *u, const sc_units *v, const sc_units *w)
{
    return u->of[0] * sc_units_cross(v, w, 0) + u->of[1] * sc_units_cross(v, w, 1) +
           u->of[2] * sc_units_cross(v, w, 2);
}

#endif
