/* expansion.c - see expansion.h. */
#include "expansion.h"

#include "twofold.h"

#include <string.h>

static inline void push(sc_expansion *e, double term)
{
    if (term != 0.0) {
        e->term[e->count++] = term;
    }
}

void sc_expansion_difference(sc_expansion *out, double a, double b)
{
    sc_pair d = sc_two_sum(a, -b);
    out->count = 0;
    push(out, d.low);
    push(out, d.high);
}

/* Merges by magnitude, then sweeps the sum upwards. */
void sc_expansion_add(sc_expansion *out, const sc_expansion *e, const sc_expansion *f, double sign)
{
    int i = 0, j = 0;
    double sum = 0.0;

    out->count = 0;
    for (int k = 0; k < e->count + f->count; k++) {
        double next;
        double x = i < e->count ? e->term[i] : 0.0;
        double y = j < f->count ? f->term[j] : 0.0;
        if (j == f->count || (i < e->count && (x < 0 ? -x : x) < (y < 0 ? -y : y))) {
            next = x;
            i++;
        } else {
            next = sign * y;
            j++;
        }
        sc_pair s = sc_two_sum(sum, next);
        push(out, s.low);
        sum = s.high;
    }
    push(out, sum);
}

static void scale(sc_expansion *out, const sc_expansion *e, double factor)
{
    double carry = 0.0;

    out->count = 0;
    for (int i = 0; i < e->count; i++) {
        sc_pair product = sc_two_product(e->term[i], factor);
        sc_pair low = sc_two_sum(carry, product.low);
        push(out, low.low);
        sc_pair high = sc_fast_two_sum(product.high, low.high);
        push(out, high.low);
        carry = high.high;
    }
    push(out, carry);
}

void sc_expansion_multiply(sc_expansion *out, const sc_expansion *e, const sc_expansion *f)
{
    out->count = 0;
    for (int i = 0; i < f->count; i++) {
        sc_expansion part, sum;
        scale(&part, e, f->term[i]);
        if (i == 0) {
            out->count = part.count;
            memcpy(out->term, part.term, (size_t)part.count * sizeof part.term[0]);
        } else {
            sc_expansion_add(&sum, out, &part, 1.0);
            out->count = sum.count;
            memcpy(out->term, sum.term, (size_t)sum.count * sizeof sum.term[0]);
        }
    }
}

int sc_expansion_sign(const sc_expansion *e)
{
    if (e->count == 0) {
        return 0;
    }
    return e->term[e->count - 1] > 0.0 ? 1 : -1;
}

double sc_expansion_value(const sc_expansion *e)
{
    double sum = 0.0;
    for (int i = 0; i < e->count; i++) {
        sum += e->term[i];
    }
    return sum;
}
