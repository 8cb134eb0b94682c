/* expansion.h - exact sums and products of doubles.
 *
 * An expansion is a sum of doubles, smallest first, that do not overlap; zero has
 * no terms. Shewchuk 1997, sections 2.2-2.5. Exact as long as nothing over- or
 * underflows. Compile without contraction and without -ffast-math. */
#ifndef SC_EXPANSION_H
#define SC_EXPANSION_H

/* Terms of a determinant of three rows of differences:
 * 3 * 2 * (2 * (2 * 2 * 2)) * 2. */
enum { SC_EXPANSION_MAX = 192 };

typedef struct sc_expansion {
    int count;
    double term[SC_EXPANSION_MAX];
} sc_expansion;

/* a - b */
void sc_expansion_difference(sc_expansion *out, double a, double b);

/* e + sign * f, sign being 1 or -1; out differs from both. */
void sc_expansion_add(sc_expansion *out, const sc_expansion *e, const sc_expansion *f, double sign);

/* e * f; out differs from both. The shorter factor is best put second. */
void sc_expansion_multiply(sc_expansion *out, const sc_expansion *e, const sc_expansion *f);

/* Sign, and the value rounded with a relative error of a few ulps. */
int sc_expansion_sign(const sc_expansion *e);
double sc_expansion_value(const sc_expansion *e);

#endif
