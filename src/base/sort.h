/* sort.h - a stable radix sort of 64-bit keys; and of anything, as long as time allows. */
#ifndef SC_SORT_H
#define SC_SORT_H

#include "watch.h"

#include <stddef.h>
#include <stdint.h>

/* Sorts keys[count] by the `bits` bits from bit `low` up; the others come along.
 * scratch holds count keys; the result is in `keys`. */
void sc_sort_keys(uint64_t *keys, uint64_t *scratch, size_t count, int low, int bits);

/* As qsort: for items of which there may be so many that it would outlast the time of a check.
 * False if memory or time ran out; then they are in no order. */
bool sc_sort_items(void *items, size_t count, size_t size, int (*order)(const void *, const void *),
                   sc_watch *watch);

#endif
