/* union_find.h - sets that grow together: each is known by its least member, its root, and a
 * parent is never larger than its child. The roots depend on what is joined, not on the order.
 * (Where a member also has an offset from its parent: windings.c.) */
#ifndef SC_UNION_FIND_H
#define SC_UNION_FIND_H

#include "alloc.h"

#include <stdbool.h>
#include <stdint.h>

/* Four functions for members numbered by an `index` type:
 *   begin(parent, count)  the sets {0}, {1}, ...
 *   make(count)  the same in memory of their own, or NULL. The caller frees it with sc_free.
 *   root(parent, i)     halves the path for the next search.
 *   join(parent, i, j)  true if they were two sets. */
#define SC_UNION_FIND(index, begin, make, root, join)                                              \
    static inline void begin(index *parent, index count)                                           \
    {                                                                                              \
        for (index i = 0; i < count; i++) {                                                        \
            parent[i] = i;                                                                         \
        }                                                                                          \
    }                                                                                              \
    static inline index *make(index count)                                                         \
    {                                                                                              \
        index *parent = sc_alloc_scattered(count, sizeof parent[0]);                               \
        if (parent) {                                                                              \
            begin(parent, count);                                                                  \
        }                                                                                          \
        return parent;                                                                             \
    }                                                                                              \
    static inline index root(index *parent, index i)                                               \
    {                                                                                              \
        while (parent[i] != i) {                                                                   \
            parent[i] = parent[parent[i]];                                                         \
            i = parent[i];                                                                         \
        }                                                                                          \
        return i;                                                                                  \
    }                                                                                              \
    static inline bool join(index *parent, index i, index j)                                       \
    {                                                                                              \
        if (parent[i] == parent[j]) {                                                              \
            return false; /* as most: no need to find the root */                                  \
        }                                                                                          \
        i = root(parent, i);                                                                       \
        j = root(parent, j);                                                                       \
        parent[i > j ? i : j] = i < j ? i : j;                                                     \
        return i != j;                                                                             \
    }

SC_UNION_FIND(uint32_t, sc_union_begin, sc_union_make, sc_union_root, sc_union_join)
SC_UNION_FIND(size_t, sc_union_begin_wide, sc_union_make_wide, sc_union_root_wide,
              sc_union_join_wide)

#endif
