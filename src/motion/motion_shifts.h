/* motion_shifts.h - a part that goes from placement to placement without turning. */
#ifndef SC_MOTION_SHIFTS_H
#define SC_MOTION_SHIFTS_H

#include "motion.h"
#include "screw.h"

/* As sc_motion_screw, where all legs[count] keep the attitude: part `moves` (0 A, 1 B) shifts along
 * one after the other. */
stlclash_code sc_motion_shifts(sc_motion_run *run, int moves, const sc_screw *legs, size_t count);

#endif
