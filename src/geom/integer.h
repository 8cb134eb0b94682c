/* integer.h - whole numbers of a fixed largest size: exact determinants, and ratios of them,
 * for signs and orders that floating point leaves open.
 *
 * Doubles become whole numbers over a common power of two. Coordinates of one geometric
 * question span at most 482 bits: placed ones reach up to 2^200, and of a part that is placed where
 * none exceeds 2^-149, what is above 2^-80 of it is kept, with 53 bits. So a determinant of three
 * differences takes 1453 and a product of two of them 2906. */
#ifndef SC_INTEGER_H
#define SC_INTEGER_H

#include "vec3.h"

#include <stdint.h>

enum { SC_INTEGER_WORDS = 48 };

typedef struct sc_integer {
    int sign;  /* -1, 0, 1 */
    int count; /* words in use; the topmost is not 0 */
    uint64_t word[SC_INTEGER_WORDS];
} sc_integer;

/* The exponent of the lowest bit that is set in any of the doubles; 0 is skipped. */
int sc_integer_lowest_bit(const double *x, int count);

/* x / 2^exponent, which is whole; x is finite. */
void sc_integer_from(sc_integer *out, double x, int exponent);

/* a + b and a - b; out may be either. */
void sc_integer_add(sc_integer *out, const sc_integer *a, const sc_integer *b);
void sc_integer_subtract(sc_integer *out, const sc_integer *a, const sc_integer *b);

/* a * b; out differs from both. */
void sc_integer_multiply(sc_integer *out, const sc_integer *a, const sc_integer *b);

/* -1, 0, 1: a below, at or above b. */
int sc_integer_compare(const sc_integer *a, const sc_integer *b);

/* The order of over_a / under_a and over_b / under_b, both under > 0. */
int sc_integer_compare_ratios(const sc_integer *over_a, const sc_integer *under_a,
                              const sc_integer *over_b, const sc_integer *under_b);

/* a * 2^exponent with a relative error below 2^-52. */
double sc_integer_value(const sc_integer *a, int exponent);

/* a / b with a relative error below 2^-51; b is not 0. */
double sc_integer_ratio(const sc_integer *a, const sc_integer *b);

/* Of vectors: a - b, which out may be; a[i] b[j] - a[j] b[i], with i and j the axes after
 * `axis`; a . b; det[u; v; w] of three rows. */
void sc_integer_difference(sc_integer out[3], const sc_integer a[3], const sc_integer b[3]);
void sc_integer_cross(sc_integer *out, const sc_integer a[3], const sc_integer b[3], int axis);
void sc_integer_dot(sc_integer *out, const sc_integer a[3], const sc_integer b[3]);
void sc_integer_determinant(sc_integer *out, const sc_integer u[3], const sc_integer v[3],
                            const sc_integer w[3]);

#endif
