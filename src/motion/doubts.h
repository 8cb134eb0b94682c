/* doubts.h - crossings on a straight way that may be deep: those that no small shift keeps
 * apart. */
#ifndef SC_DOUBTS_H
#define SC_DOUBTS_H

#include "sweep.h"

/* When triangles begin to pass through each other that no shift of at most `limit` keeps apart, of
 * the crossings that the sweep kept: some such times, farther from each other than `apart`; returns
 * how many, at most `most`. */
int sc_doubts_find(const sc_sweep *sweep, double limit, double apart, double *times, int most);

#endif
