/* integer.h - whole numbers of a fixed largest size: exact ratios of determinants.
 *
 * Doubles become whole numbers over a common power of two. Coordinates of one geometric
 * question span at most 350 bits (floats from 2^-149 beside placed ones up to 2^200), so
 * a determinant of three differences takes 1055 and a product of two of them 2110. */
#ifndef SC_INTEGER_H
#define SC_INTEGER_H

#include "vec3.h"

#include <stdint.h>

enum { SC_INTEGER_WORDS = 36 };

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

/* a / b with a relative error below 2^-51; b is not 0. */
double sc_integer_ratio(const sc_integer *a, const sc_integer *b);

#endif
