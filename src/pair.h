/* pair.h - facets a of part A and b of part B as one number, a << 32 | b. */
#ifndef SC_PAIR_H
#define SC_PAIR_H

#include <stdint.h>

static inline uint64_t sc_pair(uint32_t a, uint32_t b)
{
    return (uint64_t)a << 32 | b;
}

/* The facet of part 0, A, or 1, B. */
static inline uint32_t sc_pair_facet(uint64_t pair, int part)
{
    return (uint32_t)(part == 0 ? pair >> 32 : pair);
}

/* The same with the parts exchanged. */
static inline uint64_t sc_pair_turned(uint64_t pair)
{
    return pair << 32 | pair >> 32;
}

#endif
