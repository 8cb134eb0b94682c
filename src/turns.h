/* turns.h - closest points of two octrees by turns: of either the nearest one to that of the other,
 * until they come no closer, or many facets were looked at. Then the distance is a least one there,
 * if not of all. */
#ifndef SC_TURNS_H
#define SC_TURNS_H

#include "octree.h"

typedef struct sc_turns {
    double distance; /* of the facets, or somewhat more */
    uint32_t facet[2];
} sc_turns;

/* From two facets on, with their distance. False if memory ran out. */
bool sc_turns_take(sc_octree *const tree[2], sc_turns *turns);

#endif
