/* twofold.h - sums and products of doubles with what rounding took from them.
 *
 * A pair is the sum of two doubles, the first of them its rounding. The elementary ones are exact
 * as long as nothing over- or underflows: Dekker 1971, Knuth 1981 (4.2.2), as in Shewchuk 1997.
 * Compile without contraction and without -ffast-math. */
#ifndef SC_TWOFOLD_H
#define SC_TWOFOLD_H

#include <float.h>

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "exact signs need -fno-fast-math: compilers else leave out what rounding took"
#endif
#if FLT_EVAL_METHOD != 0
#error "exact signs need doubles as they are rounded: -mfpmath=sse, or -fexcess-precision=fast"
#endif

typedef struct sc_pair {
    double high, low;
} sc_pair;

/* ---- exact ----------------------------------------------------------------- */

static inline sc_pair sc_two_sum(double a, double b)
{
    double sum = a + b;
    double b_part = sum - a;
    double a_part = sum - b_part;
    return (sc_pair){sum, (a - a_part) + (b - b_part)};
}

/* Needs |a| >= |b| or a = 0. */
static inline sc_pair sc_fast_two_sum(double a, double b)
{
    double sum = a + b;
    return (sc_pair){sum, b - (sum - a)};
}

static inline sc_pair sc_split(double a)
{
    double c = 134217729.0 * a; /* 2^27 + 1 */
    double high = c - (c - a);
    return (sc_pair){high, a - high};
}

static inline sc_pair sc_two_product(double a, double b)
{
    double product = a * b;
    sc_pair x = sc_split(a), y = sc_split(b);
    double error = product - x.high * y.high;
    error -= x.low * y.high;
    error -= x.high * y.low;
    return (sc_pair){product, x.low * y.low - error};
}

/* ---- of pairs, rounded to a pair --------------------------------------------- */

/* Off by less than 2^-102 of |a| + |b|. */
static inline sc_pair sc_pair_sum(sc_pair a, sc_pair b)
{
    sc_pair sum = sc_two_sum(a.high, b.high);
    return sc_fast_two_sum(sum.high, sum.low + (a.low + b.low));
}

static inline sc_pair sc_pair_difference(sc_pair a, sc_pair b)
{
    return sc_pair_sum(a, (sc_pair){-b.high, -b.low});
}

/* Off by less than 2^-102 of |a| |b|. */
static inline sc_pair sc_pair_product(sc_pair a, sc_pair b)
{
    sc_pair product = sc_two_product(a.high, b.high);
    return sc_fast_two_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}

/* Off by less than 2^-100 of |a / b|; b is not 0. */
static inline sc_pair sc_pair_quotient(sc_pair a, sc_pair b)
{
    const double quotient = a.high / b.high;
    const sc_pair product = sc_two_product(quotient, b.high);
    const double rest = (a.high - product.high - product.low) + (a.low - quotient * b.low);
    return sc_fast_two_sum(quotient, rest / b.high);
}

#endif
