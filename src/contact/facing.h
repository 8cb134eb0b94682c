/* facing.h - the facets of two solids that lie along each other, farther apart than the search for
 * those that meet looks (narrow.h). */
#ifndef SC_FACING_H
#define SC_FACING_H

#include "base/parallel.h"
#include "geom/tri_flush.h"
#include "solids/solid.h"

typedef struct sc_facing {
    uint64_t *pairs; /* [count] triangle of solid[0] << 32 | triangle of solid[1], sorted */
    size_t count;
    bool complete;
} sc_facing;

/* All pairs that are flush in part, also those that face the same way; not if there is too much to
 * look at, as within tolerances as wide as the parts. False if memory ran out, or the time of the
 * solids; free in any case. */
bool sc_facing_find(sc_solid *const solid[2], const sc_flush *flush, sc_crew *crew,
                    sc_facing *facing);
void sc_facing_free(sc_facing *facing);

#endif
