/* integer.h - exact integers of a fixed capacity, for signs that floating point leaves
 * open: coordinates as multiples of a power of two, their determinants, and quotients of
 * those compared with each other.
 *
 * A coordinate takes up to 352 bits (2^200 down to 2^-149, see orient.h), a determinant of
 * three differences three times that, a product of two of these six times: 2130 bits. */
#ifndef SC_INTEGER_H
#define SC_INTEGER_H

#include "vec3.h"

#include <stdint.h>

enum { SC_INTEGER_LIMBS = 36 };

/* sign * sum of limb[i] 2^(64 i); zero has sign 0 and no limbs. */
typedef struct sc_integer {
    int sign, count;
    uint64_t limb[SC_INTEGER_LIMBS];
} sc_integer;

/* The largest exponent e for which every finite x[i] is a multiple of 2^e; 0 if all are 0. */
int sc_integer_unit(const double *x, int count);

/* x / 2^unit, which must be an integer. */
void sc_integer_set(sc_integer *out, double x, int unit);

/* x + sign * y and x * y; out may be x or y. */
void sc_integer_add(sc_integer *out, const sc_integer *x, const sc_integer *y, int sign);
void sc_integer_multiply(sc_integer *out, const sc_integer *x, const sc_integer *y);

/* det[u; v; w] of three rows. */
void sc_integer_determinant(sc_integer *out, const sc_integer u[3], const sc_integer v[3],
                            const sc_integer w[3]);

/* x * 2^exponent, rounded with a relative error below 2^-52. */
double sc_integer_value(const sc_integer *x, int exponent);

#endif
