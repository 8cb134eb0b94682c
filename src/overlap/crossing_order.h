/* crossing_order.h - in which order crossings stand along their edge. */
#ifndef SC_CROSSING_ORDER_H
#define SC_CROSSING_ORDER_H

#include "crossings.h"

typedef struct sc_numbered_crossing {
    sc_crossing c;
    size_t number;
} sc_numbered_crossing;

/* Of one lower vertex by edge; along it; by facet. Equal ones are the same crossing, seen from the
 * two facets at the edge. */
int sc_crossing_compare(const sc_crossing *a, const sc_crossing *b);

/* Sorts crossings with the same lower vertex: by edge, and along it, as part A is moved
 * symbolically. With walls that stand on each other the edge enters one before it leaves the other:
 * what lies on both sides is of one piece, whatever the order of the facets. False if memory or
 * time ran out. */
bool sc_crossing_sort(const sc_crossings *crossings, sc_numbered_crossing *items, size_t count);

#endif
