/* sort.h - a stable radix sort of 64-bit keys. */
#ifndef SC_SORT_H
#define SC_SORT_H

#include <stddef.h>
#include <stdint.h>

/* Sorts keys[count] by the `bits` bits from bit `low` up; the others come along.
 * scratch holds count keys; the result is in `keys`. */
void sc_sort_keys(uint64_t *keys, uint64_t *scratch, size_t count, int low, int bits);

#endif
