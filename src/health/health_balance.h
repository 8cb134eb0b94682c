/* health_balance.h - which edges of a mesh may be used more often one way than the other: most
 * are not, and are told from the rest in little memory. */
#ifndef SC_HEALTH_BALANCE_H
#define SC_HEALTH_BALANCE_H

#include "facets.h"

#include <stdbool.h>

/* Edges fall into bins by their hash, and add it, or where they are used the other way take it
 * off. */
typedef struct sc_balance {
    uint64_t *sum; /* [2^bits] */
    int bits;
} sc_balance;

/* Of all facets with area. False if memory ran out; free in any case. */
bool sc_balance_make(const sc_facets *facets, sc_balance *balance);
void sc_balance_free(sc_balance *balance);

/* Of up to SC_HASHED_AT_ONCE facets in a row, the edges in bins that do not come to 0: bit k of
 * chosen[i] for the edge from vertex k of the facet `first` + i to the next one. An edge that does
 * not balance is left out by a chance of 2^-60; some that do are chosen. */
void sc_balance_choose(const sc_balance *balance, const sc_facets *facets, uint32_t first,
                       uint32_t count, uint8_t *chosen);

#endif
