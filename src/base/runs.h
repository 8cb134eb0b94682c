/* runs.h - items 0, 1, ... in runs of those that follow each other, in an order that soon comes to
 * every part of them: what some of the runs take tells what all will. */
#ifndef SC_RUNS_H
#define SC_RUNS_H

#include <stdint.h>

typedef struct sc_runs {
    uint32_t items, length; /* of a run, but for the last */
    uint64_t count, stride, done;
} sc_runs;

static inline uint64_t sc_common_divisor(uint64_t a, uint64_t b)
{
    while (b > 0) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static inline sc_runs sc_runs_of(uint32_t items, uint32_t length)
{
    const uint64_t count = ((uint64_t)items + length - 1) / length;
    sc_runs r = {items, length, count, count * 5 / 8 + 1, 0};
    while (sc_common_divisor(r.stride, count) > 1) {
        r.stride++;
    }
    return r;
}

/* The next one, of which there must be some left: items *first .. *end - 1. */
static inline void sc_runs_next(sc_runs *r, uint32_t *first, uint32_t *end)
{
    const uint64_t from = r->done++ * r->stride % r->count * r->length, to = from + r->length;
    *first = (uint32_t)from;
    *end = to < r->items ? (uint32_t)to : r->items;
}

#endif
