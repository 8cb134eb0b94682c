/* groups.c - see groups.h. */
#include "groups.h"

#include "alloc.h"

#include <string.h>

static uint32_t *starts_of(uint32_t count, uint32_t groups, sc_group_of *group_of,
                           const void *context)
{
    uint32_t *from = sc_calloc((size_t)groups + 1, sizeof *from);
    for (uint32_t i = 0; i < count && from; i++) {
        from[group_of(context, i) + 1]++;
    }
    for (uint32_t i = 0; i < groups && from; i++) {
        from[i + 1] += from[i];
    }
    return from;
}

bool sc_groups_make(uint32_t count, uint32_t groups, sc_group_of *group_of, const void *context,
                    sc_groups *made)
{
    uint32_t *next = sc_alloc(groups, sizeof *next);
    *made = (sc_groups){.from = starts_of(count, groups, group_of, context),
                        .items = sc_alloc(count, sizeof *made->items)};
    const bool good = next && made->from && made->items;
    for (uint32_t i = 0; i < groups && good; i++) {
        next[i] = made->from[i];
    }
    for (uint32_t i = 0; i < count && good; i++) {
        made->items[next[group_of(context, i)]++] = i;
    }
    sc_free(next);
    return good;
}

bool sc_groups_order(void *array, uint32_t count, size_t size, uint32_t groups,
                     sc_group_of *group_of, sc_groups *made)
{
    char *items, *ordered = sc_alloc(count, size);
    memcpy(&items, array, sizeof items); /* as in sc_resize */
    if (!sc_groups_make(count, groups, group_of, items, made) || !ordered) {
        sc_free(ordered);
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        memcpy(ordered + i * size, items + made->items[i] * size, size);
        made->items[i] = i;
    }
    sc_free(items);
    memcpy(array, &ordered, sizeof ordered);
    return true;
}

void sc_groups_free(sc_groups *made)
{
    sc_free(made->from);
    sc_free(made->items);
    *made = (sc_groups){.from = NULL};
}
