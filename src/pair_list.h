/* pair_list.h - pairs of facets, one of either part, in a list that grows. */
#ifndef SC_PAIR_LIST_H
#define SC_PAIR_LIST_H

#include "base/alloc.h"
#include "base/watch.h"

#include <stdint.h>

/* As in pair.h, in any order. Zero: none. */
typedef struct sc_pair_list {
    uint64_t *pairs; /* [count] */
    size_t count, capacity;
} sc_pair_list;

/* False if memory ran out. */
static inline bool sc_pairs_add(sc_pair_list *list, uint64_t pair)
{
    if (!sc_make_room(&list->pairs, &list->capacity, list->count + 1, sizeof *list->pairs)) {
        return false;
    }
    list->pairs[list->count++] = pair;
    return true;
}

/* All of another list, which is empty then, in any case. False if memory ran out. */
bool sc_pairs_take(sc_pair_list *list, sc_pair_list *more);

/* Sorts them. False if memory ran out; where time did, they are in no order. */
bool sc_pairs_sort(sc_pair_list *list, sc_watch *watch);

#endif
