/* health_union.h - sets that grow together (union-find): each is known by its least
 * member, its root, and a parent is never larger than its child. */
#ifndef SC_HEALTH_UNION_H
#define SC_HEALTH_UNION_H

#include "base/alloc.h"

#include <stdbool.h>
#include <stdint.h>

/* The sets {0}, {1}, ...; NULL if memory ran out. The caller frees it with sc_free. */
static inline uint32_t *sc_union_make(uint32_t count)
{
    uint32_t *parent = sc_alloc(count, sizeof parent[0]);
    for (uint32_t i = 0; i < count && parent; i++) {
        parent[i] = i;
    }
    return parent;
}

static inline uint32_t sc_union_root(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]]; /* halves the path for the next search */
        i = parent[i];
    }
    return i;
}

/* True if they were two sets. */
static inline bool sc_union_join(uint32_t *parent, uint32_t i, uint32_t j)
{
    if (parent[i] == parent[j]) {
        return false; /* as most: no need to find the root */
    }
    i = sc_union_root(parent, i);
    j = sc_union_root(parent, j);
    parent[i > j ? i : j] = i < j ? i : j;
    return i != j;
}

#endif
