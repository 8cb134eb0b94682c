/* screw_shallow.h - two parts that touch, of which one moves along a screw: until when they
 * certainly lie no deeper in each other than they may. */
#ifndef SC_SCREW_SHALLOW_H
#define SC_SCREW_SHALLOW_H

#include "base/parallel.h"
#include "motion.h"
#include "screw.h"

typedef struct sc_screw_leg {
    const sc_part *part; /* [2], A and B as they stand at time 0, closed */
    int moves;           /* which one does: 0 A, 1 B */
    const sc_screw *screw;
    double error; /* by how much a place on the way may be wrong */
    sc_crew *crew;
} sc_screw_leg;

/* Poses would have to be as close to each other as they may lie deep. Here one part is eroded by
 * that (erosion_proof.h), and as long as it passes by the other one nothing lies deeper. *until is
 * that time, from 0 on; infinite: all of the way; 0: not known. */
stlclash_code sc_screw_shallow(sc_motion_run *run, const sc_screw_leg *leg, double *until);

#endif
