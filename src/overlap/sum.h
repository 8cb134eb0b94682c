/* sum.h - sums over the boundary of an overlap, and what bounds their rounding. */
#ifndef SC_SUM_H
#define SC_SUM_H

#include "geom/box.h"
#include "geom/twofold.h"

/* A sum that loses nothing in the order of its terms (Neumaier 1974; here without a branch), and
 * what bounds the rounding of the terms themselves: the products that they were
 * made of. */
typedef struct sc_sum {
    double value, lost, magnitude;
} sc_sum;

static inline double sc_sum_total(const sc_sum *s)
{
    return s->value + s->lost;
}

static inline void sc_sum_add(sc_sum *s, double term)
{
    const sc_pair total = sc_two_sum(s->value, term);
    s->value = total.high;
    s->lost += total.low;
}

static inline void sc_sum_join(sc_sum *to, const sc_sum *other)
{
    sc_sum_add(to, other->value);
    to->lost += other->lost;
    to->magnitude += other->magnitude;
}

/* What is summed for one piece, and for all of them together. */
typedef struct sc_account {
    sc_sum volume6;
    sc_box bounds;
} sc_account;

static inline void sc_account_join(sc_account *to, const sc_account *other)
{
    sc_sum_join(&to->volume6, &other->volume6);
    sc_box_add_box(&to->bounds, &other->bounds);
}

#endif
