/* shallow.h - how a part would have to give for a motion to pass through nothing. */
#ifndef SC_SHALLOW_H
#define SC_SHALLOW_H

#include "sweep.h"

/* Displacements of one part's points: shift + strain (p - centre), as the part stands where the
 * sweep starts. */
typedef struct sc_yield {
    int part; /* of the sweep: 0 or 1 */
    sc_vec3 centre, shift;
    double strain[3][3];
} sc_yield;

/* From the crossings that the sweep kept: displacements of no point by more than `limit` with which
 * none of them would be; a shift if there is one, else the part may be drawn together, or apart.
 * False if none was found, or memory is short, or the poll of the sweep does not go on. Whether
 * they do is for another sweep to tell. */
bool sc_shallow_yield(const sc_sweep *sweep, double limit, sc_yield *yield);

/* The part with its points displaced. */
sc_part sc_yielding_part(const sc_part *part, const sc_yield *yield);

/* When triangles begin to pass through each other that no shift of at most `limit` keeps apart:
 * some such times, farther from each other than `apart`; returns how many, at most `most`. */
int sc_shallow_doubts(const sc_sweep *sweep, double limit, double apart, double *times, int most);

#endif
