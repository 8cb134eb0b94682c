/* probe_divide.h - a set of boxes -> up to eight, for a node of a probe tree.
 *
 * Sets are halved where the surface area heuristic finds it cheapest, by bins (Wald, On fast
 * Construction of SAH-based Bounding Volume Hierarchies, 2007). */
#ifndef SC_PROBE_DIVIDE_H
#define SC_PROBE_DIVIDE_H

#include "probe_tree.h"

/* A triangle on its way into the tree: its box in the frame. */
typedef struct sc_probe_item {
    float low[3];
    uint32_t triangle;
    float high[3];
    uint32_t unused; /* 32 bytes: half a cache line */
} sc_probe_item;

/* Consecutive items and the box about them. */
typedef struct sc_probe_set {
    sc_probe_item *items;
    uint32_t count;
    sc_fbox bounds;
} sc_probe_set;

/* The box about `count` items. */
sc_fbox sc_probe_box_of(const sc_probe_item *items, uint32_t count);

/* Divides a set, and the largest of its parts again, until there are eight or each fits into a
 * bundle: puts the items in another order, and returns how many parts there are. `depth`
 * counts the nodes above. */
int sc_probe_divide(const sc_probe_set *whole, sc_probe_set parts[SC_PROBE_WIDTH], int depth);

#endif
