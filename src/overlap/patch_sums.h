/* patch_sums.h - what facets that lie wholly inside the other part add to sums of an overlap. */
#ifndef SC_PATCH_SUMS_H
#define SC_PATCH_SUMS_H

#include "solids/solid.h"
#include "sum.h"

/* Facets of patches in a row of which the box is kept. */
enum { SC_SUMS_RUN = 512 };

/* The sums of a run of a patch: of few enough facets that their terms can be added as they come,
 * but for those of the volume: its error is stated. */
typedef struct sc_run_sums {
    sc_account account;
    sc_vec3 moment, area; /* as in sc_sums */
    double area_terms;
} sc_run_sums;

/* Of up to SC_SUMS_RUN facets, seen from the origin; the area only if it is asked for. */
sc_run_sums sc_run_sums_of(const sc_solid *own, const uint32_t *facets, size_t count,
                           sc_vec3 origin, bool with_area);

#endif
