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
    sc_cells cells[2]; /* for part 0, 1 */
} sc_near;

/* `distance` is in length units, not negative. The same for any number of threads. */
void sc_near_find(const sc_part part[2], const sc_frame *frame, double distance, sc_crew *crew,
                  sc_near *near);

/* Whether that is more than half of part i, by a sample of its facets: blocks may hold what
 * lies far apart in them. */
bool sc_near_is_much(const sc_near *near, const sc_frame *frame, const sc_part *part, int i);

/* The cells that a tree of part i goes by, or NULL. */
static inline const sc_cells *sc_near_cells(const sc_near *near, int i)
{
    return near->has_cells ? &near->cells[i] : NULL;
}

#endif
