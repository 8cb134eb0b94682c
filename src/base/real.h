/* real.h - what is asked of doubles everywhere, inline: with the same results as the functions of
 * the mathematical library, of which each is a call, and which takes a process longer to load than
 * small parts to be read. Roots are instructions of the processor, and frexp and ldexp belong to
 * the C library itself. */
#ifndef SC_REAL_H
#define SC_REAL_H

#include <math.h>
#include <stdint.h>
#include <string.h>

/* ---- the larger one -------------------------------------------------------- */

/* Of numbers. */
static inline double sc_min(double a, double b)
{
    return a < b ? a : b;
}

static inline double sc_max(double a, double b)
{
    return a > b ? a : b;
}

/* fmin and fmax: where one is not a number, the other. */
static inline double sc_fmin(double a, double b)
{
    const double least = sc_min(a, b);
    return b == b ? least : a;
}

static inline double sc_fmax(double a, double b)
{
    const double most = sc_max(a, b);
    return b == b ? most : a;
}

/* To 0 .. 1. */
static inline double sc_clamp01(double t)
{
    return t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
}

/* ---- whole numbers ---------------------------------------------------------- */

/* floor, ceil and, halves to the even one, nearbyint; a zero has no sign. */
static inline double sc_floor(double x)
{
    if (!(fabs(x) < 0x1p52)) { /* whole already, or not a number */
        return x;
    }
    const double cut = (double)(int64_t)x;
    return cut > x ? cut - 1.0 : cut;
}

static inline double sc_ceil(double x)
{
    return 0.0 - sc_floor(-x);
}

static inline double sc_round(double x)
{
    const double below = sc_floor(x), beyond = x - below; /* exact */
    const int64_t odd = fabs(x) < 0x1p52 ? (int64_t)below & 1 : 0;
    return beyond > 0.5 || (beyond == 0.5 && odd) ? below + 1.0 : below;
}

/* ---- bits ------------------------------------------------------------------- */

static inline uint64_t sc_bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double sc_of_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* 2^n, for n of -1022 .. 1023. */
static inline double sc_power_of_two(int n)
{
    return sc_of_bits((uint64_t)(n + 1023) << 52);
}

/* The largest n with 2^n <= x, of a normal positive x; 1024 if it is infinite. */
static inline int sc_binary_exponent(double x)
{
    return (int)(sc_bits_of(x) >> 52) - 1023;
}

/* The next double above and below: nextafter. */
static inline double sc_next_above(double x)
{
    if (!(x < INFINITY)) {
        return x;
    }
    return x == 0.0 ? 0x1p-1074 : sc_of_bits(x > 0.0 ? sc_bits_of(x) + 1 : sc_bits_of(x) - 1);
}

static inline double sc_next_below(double x)
{
    return -sc_next_above(-x);
}

#endif
