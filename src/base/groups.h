/* groups.h - which of many items are in each of some groups: a counting sort. */
#ifndef SC_GROUPS_H
#define SC_GROUPS_H

#include <stdbool.h>
#include <stdint.h>

/* The group, below `groups`, of an item below `count`. */
typedef uint32_t sc_group_of(const void *context, uint32_t item);

typedef struct sc_groups {
    uint32_t *from; /* [groups + 1] */
    uint32_t
        *items; /* [count] those of group g, in order: items[from[g]] .. items[from[g + 1] - 1] */
} sc_groups;

/* False if memory ran out; free in any case. */
bool sc_groups_make(uint32_t count, uint32_t groups, sc_group_of *group_of, const void *context,
                    sc_groups *made);
void sc_groups_free(sc_groups *made);

#endif
