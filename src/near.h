/* near.h - blocks -> near: what of either part can matter to the other, by boxes alone. */
#ifndef SC_NEAR_H
#define SC_NEAR_H

#include "base/parallel.h"
#include "cells.h"

/* What lies within some distance of the other part meets the region; has_cells: and a
 * marked cell too. */
typedef struct sc_near {
    bool none;         /* nothing of either lies that near */
    sc_box region[2];  /* of part 0, 1 */
    bool has_cells;    /* parts of a few blocks are not worth them */
    sc_vicinity of[2]; /* part 0, 1 */
} sc_near;

/* As before anything was found; and what was, freed. */
void sc_near_init(sc_near *near, const sc_part part[2]);
void sc_near_free(sc_near *near);

/* `distance` is in length units, not negative. The same for any number of threads. False if
 * memory ran out. */
bool sc_near_find(const sc_part part[2], const sc_frame *frame, double distance, sc_crew *crew,
                  sc_near *near);

/* Whether that is more than half of part i, by a sample of its facets: blocks may hold what
 * lies far apart in them. */
bool sc_near_is_much(const sc_near *near, const sc_frame *frame, const sc_part *part, int i);

/* What a tree of part i goes by, or NULL. */
static inline const sc_vicinity *sc_near_vicinity(const sc_near *near, int i)
{
    return near->has_cells ? &near->of[i] : NULL;
}

#endif
