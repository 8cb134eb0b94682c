/* oracle_gaps.h - the gaps between two small meshes, by counting: points on a grid of every facet,
 * and all pairs of them that are near each other, joined step by step along the grids. */
#ifndef TEST_ORACLE_GAPS_H
#define TEST_ORACLE_GAPS_H

#include "shapes.h"

typedef struct oracle_gaps {
    /* Whether a grid so coarse tells how many there are: nowhere do they nearly meet, or are they
     * nearly as wide as the reach. */
    bool sure;
    double step; /* of the grid: no distance below is more than twice that too large */
    int hidden;  /* joined to one that hides them */
    int count;
    double *distance; /* [count] the least of each, in order */
} oracle_gaps;

/* Facets that share a vertex share its bits; `steps` along each edge, up to 16. Freed by
 * oracle_gaps_free. */
oracle_gaps oracle_gaps_of(const stl_image *a, const stl_image *b, double reach, int steps);
void oracle_gaps_free(oracle_gaps *gaps);

#endif
