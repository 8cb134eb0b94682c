/* oracle_joins.h - the gaps between two meshes without T-junctions, all pairs of whose facets are
 * looked at, and joined, one by one. Of the library it has only the kernels for two facets. */
#ifndef TEST_ORACLE_JOINS_H
#define TEST_ORACLE_JOINS_H

#include "geom/tri_distance.h"

#include <stddef.h>

typedef struct oracle_place {
    double distance; /* 0: they meet */
    size_t facet[2];
} oracle_place;

typedef struct oracle_joins {
    size_t near;          /* pairs of facets within the reach */
    size_t apart;         /* gaps before those are joined of which one hides the other */
    oracle_place *places; /* [count] of each gap the narrowest place, the narrowest gap first */
    size_t count;
} oracle_joins;

/* Of facets[2][count[2]]; what comes so close is one place. Freed by oracle_joins_free. */
oracle_joins oracle_joins_of(const sc_triangle *const facets[2], const size_t count[2],
                             double reach, double resolution);
void oracle_joins_free(oracle_joins *joins);

#endif
