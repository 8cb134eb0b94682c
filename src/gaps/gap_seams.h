/* gap_seams.h - where facets lie side by side without an edge in common: T-junctions.
 *
 *     a-------b-------c      The facet above has the edge a-c, those below a-b and b-c. */
#ifndef SC_GAP_SEAMS_H
#define SC_GAP_SEAMS_H

#include "gap_facets.h"

/* What edges of two facets have in common, but for rounding. */
typedef struct sc_gap_seam {
    uint32_t facet[2];
    sc_vec3 from, to;
} sc_gap_seam;

typedef struct sc_gap_seams {
    sc_gap_seam *seam; /* [count] */
    size_t count, capacity;
} sc_gap_seams;

/* Those of edges that no two facets share, no farther apart than that. False if memory or time ran
 * out; free in any case. */
bool sc_gap_seams_find(const sc_gap_facets *facets, double within, sc_watch *watch,
                       sc_gap_seams *seams);
void sc_gap_seams_free(sc_gap_seams *seams);

#endif
