/* lower_bound.h - binary search in what is in order. */
#ifndef SC_LOWER_BOUND_H
#define SC_LOWER_BOUND_H

#include <stdbool.h>
#include <stddef.h>

/* The number of the first of count items of that size that is not before the key, or count: all
 * that are stand in front of all that are not. */
static inline size_t sc_lower_bound(const void *items, size_t count, size_t size,
                                    bool (*is_before)(const void *item, const void *key),
                                    const void *key)
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (is_before((const char *)items + middle * size, key)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

#endif
