/* seams.h - T-junctions of a part whose vertices move each by itself.
 *
 *     a-------b-------c      Where b keeps to the edge a-c on its way, no gap opens there. But each
 *                            pose is rounded, and b leaves the edge by as much.
 *
 * So the facets at a-c are divided there, for poses alone: they lie where they lay, but for
 * rounding, and edges match edges, wherever their vertices come to lie. */
#ifndef SC_SEAMS_H
#define SC_SEAMS_H

#include "facets.h"

#include <stdbool.h>

typedef struct sc_seams {
    bool match;       /* all edges do, of the facets as they are given or divided */
    bool divided;     /* else there is nothing to divide, or the part may open on its way */
    uint32_t count;   /* facets, divided */
    uint32_t *corner; /* [3 * count] 3 i + k: corner k of facet i of the given ones */
    uint32_t *given;  /* [count] which of those each is part of */
    double stray;     /* by how much a vertex leaves an edge that was divided there, at most */
} sc_seams;

/* Of facets that move from `start` to `end`, as many; only where all edges match then, and no
 * vertex leaves an edge by more than `limit`. False if memory ran out; free in any case. */
bool sc_seams_find(const sc_facets *start, const sc_facets *end, double limit, sc_seams *seams);
void sc_seams_free(sc_seams *seams);

#endif
