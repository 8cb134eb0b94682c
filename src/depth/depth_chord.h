/* depth_chord.h - places to begin with inside: between one surface and the next along a line. */
#ifndef SC_DEPTH_CHORD_H
#define SC_DEPTH_CHORD_H

#include "solids/surface.h"

/* Half way between two surfaces, of either part, that follow each other along a line: from there no
 * more than `half` away. */
typedef struct sc_midway {
    sc_vec3 point;
    double half;
} sc_midway;

/* The widest gaps, one by one, on the way from a point of the surface, `way` of unit length, as far
 * as it leads through the box; returns how many. Computed in doubles: a guess, no proof. */
enum { SC_MIDWAYS = 2 };
int sc_depth_chord(sc_surface surface[2], sc_vec3 from, sc_vec3 way, const sc_box *within,
                   sc_midway midway[SC_MIDWAYS]);

#endif
