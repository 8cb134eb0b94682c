/* groups.h - which of many items are in each of some groups: a counting sort. */
#ifndef SC_GROUPS_H
#define SC_GROUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The group, below `groups`, of an item below `count`. */
typedef uint32_t sc_group_of(const void *context, uint32_t item);

/* Those of group g, in order: items[from[g]] .. items[from[g + 1] - 1]. */
typedef struct sc_groups {
    uint32_t *from;  /* [groups + 1] */
    uint32_t *items; /* [count] */
} sc_groups;

/* False if memory ran out; free in any case. */
bool sc_groups_make(uint32_t count, uint32_t groups, sc_group_of *group_of, const void *context,
                    sc_groups *made);
void sc_groups_free(sc_groups *made);

/* Puts an array, whose address is given, with items of so many bytes in the order of their groups,
 * those of one as they are; the array is what group_of is asked with, and *made what is true then.
 * False if memory ran out: the array is as it was; free *made in any case. */
bool sc_groups_order(void *array, uint32_t count, size_t size, uint32_t groups,
                     sc_group_of *group_of, sc_groups *made);

#endif
