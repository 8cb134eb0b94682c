/* leg.h - parts of which one moves along a screw, or each along one of its own, for some time: by
 * pairs of facets as long as nothing meets, else by conservative advancement. */
#ifndef SC_LEG_H
#define SC_LEG_H

#include "advance.h"
#include "passage.h"

typedef struct sc_leg {
    sc_passing passing[2]; /* A and B, as they stand when it begins */
    double error;          /* by how much a place on it may be wrong */
    double apart;          /* the parts when it begins; infinite if that is not known */
    sc_crew *crew;
} sc_leg;

/* Adds to the findings. The advance, of that leg, has poses and speeds. */
stlclash_code sc_leg_go(const sc_leg *leg, sc_advance *advance, sc_advance_findings *findings);

#endif
