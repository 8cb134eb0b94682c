/* gap_seams.h - where facets lie side by side without an edge in common: T-junctions.
 *
 *     a-------b-------c      The facet above has the edge a-c, those below a-b and b-c. */
#ifndef SC_GAP_SEAMS_H
#define SC_GAP_SEAMS_H

#include "base/groups.h"
#include "gap_facets.h"

/* What edges of two facets have in common, but for rounding. */
typedef struct sc_gap_seam {
    uint32_t facet[2];
    sc_vec3 from, to;
} sc_gap_seam;

typedef struct sc_gap_seams {
    sc_gap_seam *seam; /* [count] */
    size_t count, capacity;
    sc_groups of_facet; /* item 2 i + k: that seam i is one of facet[k] */
} sc_gap_seams;

/* Those of edges that no two facets share, no farther apart than that. False if memory or time ran
 * out, or there are 2^31 of them; free in any case. */
bool sc_gap_seams_find(const sc_gap_facets *facets, double within, sc_watch *watch,
                       sc_gap_seams *seams);
void sc_gap_seams_free(sc_gap_seams *seams);

/* Of what of_facet has at i. */
static inline const sc_gap_seam *sc_gap_seam_at(const sc_gap_seams *seams, uint32_t i)
{
    return &seams->seam[seams->of_facet.items[i] / 2];
}

/* And the facet on the other side of it than that one. */
static inline uint32_t sc_gap_beyond(const sc_gap_seams *seams, uint32_t i)
{
    return sc_gap_seam_at(seams, i)->facet[1 - seams->of_facet.items[i] % 2];
}

#endif
