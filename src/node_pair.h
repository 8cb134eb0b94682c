/* node_pair.h - two nodes, one of either octree, that wait to be looked at by a traversal. */
#ifndef SC_NODE_PAIR_H
#define SC_NODE_PAIR_H

#include <stddef.h>
#include <stdint.h>

typedef struct sc_node_pair {
    float key; /* the least one is looked at first */
    int8_t level[2];
    uint32_t index[2];
} sc_node_pair;

/* The greatest key first: what waits is taken from the end. Like keys stay as they are. Few pairs:
 * insertion. */
static inline void sc_node_pairs_sort(sc_node_pair *pairs, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        sc_node_pair pair = pairs[i];
        size_t at = i;
        for (; at > 0 && pairs[at - 1].key < pair.key; at--) {
            pairs[at] = pairs[at - 1];
        }
        pairs[at] = pair;
    }
}

#endif
