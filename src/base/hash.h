/* hash.h - mixing of bits, for keys and hashes. */
#ifndef SC_HASH_H
#define SC_HASH_H

#include <stdint.h>

__extension__ typedef unsigned __int128 sc_u128;

/* Both halves of the product, mixed: every bit of the result depends on all. */
static inline uint64_t sc_hash_halves(sc_u128 product)
{
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Of two words; small ones, too. */
static inline uint64_t sc_hash_words(uint64_t a, uint64_t b)
{
    return sc_hash_halves((sc_u128)(a ^ UINT64_C(0x2D358DCCAA6C78A5)) *
                          (b ^ UINT64_C(0x8BB84B93962EACC9)));
}

/* Of what was hashed so far and one word more. */
static inline uint64_t sc_hash_add(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 29;
}

#endif
