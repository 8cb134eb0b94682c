/* shallow.h - a small shift after which a motion would pass through nothing. */
#ifndef SC_SHALLOW_H
#define SC_SHALLOW_H

#include "sweep.h"

/* From the crossings that the sweep kept: how little the second part must be shifted for each
 * of them to end, and one shift, no longer than `limit`, that does it for all. False if none
 * was found. Whether it does is for another sweep to tell. */
bool sc_shallow_shift(const sc_sweep *sweep, double limit, sc_vec3 *shift);

/* When triangles begin to pass through each other that no shift of at most `limit` keeps apart: some
 * such times, farther from each other than `apart`; returns how many, at most `most`. */
int sc_shallow_doubts(const sc_sweep *sweep, double limit, double apart, double *times, int most);

#endif
