/* shallow.h - two parts that touch, of which one moves along a screw, or each along one of its own:
 * until when they certainly lie no deeper in each other than they may. */
#ifndef SC_SHALLOW_H
#define SC_SHALLOW_H

#include "leg.h"

/* Poses would have to be as close to each other as they may lie deep. Here one part is eroded by
 * that (erosion_proof.h), or shifted, and as long as it passes by the other one nothing lies
 * deeper. *until is that time, from 0 on; infinite: all of the leg; 0: not known. Both parts are
 * closed. */
stlclash_code sc_shallow_until(sc_motion_run *run, const sc_leg *leg, double *until);

#endif
