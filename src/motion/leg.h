/* leg.h - parts of which one moves along a screw, or each along one of its own, for some time: by
 * pairs of facets as long as nothing meets, else by conservative advancement. */
#ifndef SC_LEG_H
#define SC_LEG_H

#include "advance.h"
#include "passage.h"

typedef struct sc_leg {
    sc_passing passing[2]; /* A and B, as they stand when it begins */
    double error;          /* by how much a place on it may be wrong */
    sc_crew *crew;
} sc_leg;

/* What passes by on it, passing[2], in place of its own: as sc_passage_make has it. */
sc_passage_code sc_leg_passage(sc_motion_run *run, const sc_leg *leg, const sc_passing *passing,
                               double within, sc_passage *passage);

/* Adds to the findings. The advance, of that leg, has poses and speeds. */
stlclash_code sc_leg_go(const sc_leg *leg, sc_advance *advance, sc_advance_findings *findings);

#endif
