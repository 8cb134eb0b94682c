/* gaps.h - where parts come near each other: every gap, each where it is narrowest.
 *
 * Of all pairs of points, one of either surface, that are no farther apart than the reach, those
 * are one gap which can be moved into each other along the surfaces while they stay so near. That
 * is told from pairs of facets (gap_joins.h). How the surfaces are divided into these makes no
 * difference, T-junctions included.
 *
 * What is seen from the other part only through the part's own surface, such as the far side of a
 * plate, belongs to the gap in front of it. */
#ifndef SC_GAPS_H
#define SC_GAPS_H

#include "gap_pairs.h"
#include "geom/tri_distance.h"
#include "pair_list.h"

/* Its narrowest place. */
typedef struct sc_gap {
    uint32_t triangle[2]; /* of the parts in the order in which they are compared */
    double distance;      /* 0: the triangles meet, and `closest` means nothing */
    sc_closest closest;
} sc_gap;

typedef struct sc_gaps {
    bool complete; /* false: there are too many pairs to be looked at, or time ran out */
    sc_gap *gaps;  /* [count] the narrowest first, of equally narrow ones that of lower triangles */
    size_t count;
} sc_gaps;

/* hits: all pairs of triangles that meet, sorted. nearest: [2] the triangles of which the distance
 * of the parts was told, where none meet, by which their gap is to be shown, too; NULL: it was not.
 * The same for any number of threads. To be freed also where `complete` is false. */
stlclash_code sc_gaps_find(const sc_gap_request *request, const sc_pair_list *hits,
                           const uint32_t *nearest, sc_gaps *gaps, stlclash_error *error);
void sc_gaps_free(sc_gaps *gaps);

#endif
