/* rim.h - the border of a part that is not closed, and what it tells about the part's
 * generalized winding number: all but an integer, and how fast it can change. */
#ifndef SC_RIM_H
#define SC_RIM_H

#include "part.h"

typedef struct sc_rim_edge {
    sc_vec3 from, to; /* as its facets run */
    int32_t times;    /* how often more than the other way; not 0 */
} sc_rim_edge;

/* The edges that are used more often one way than the other; no more is needed of the surface.
 * Empty where it is closed. */
typedef struct sc_rim {
    sc_rim_edge *edges; /* [count] */
    size_t count;
    double slack; /* so much more or less the winding number may be than the edges tell */
} sc_rim;

/* As stored; and a placed copy. False if memory ran out; free in any case. */
bool sc_rim_make(const stlclash_mesh *mesh, sc_rim *rim);
bool sc_rim_place(const sc_rim *rim, const sc_placement *placement, sc_rim *placed);
void sc_rim_free(sc_rim *rim);

/* The generalized winding number at p, up to an integer: -0.5 .. 0.5. *within: no farther from
 * p than this, where a way there does not pass the surface, it changes by less than it lacks
 * to 0.5 in magnitude; 0 where it lacks nothing that can be told. */
double sc_rim_winding(const sc_rim *rim, sc_vec3 p, double *within);

/* Whether it stays below 0.5 in magnitude along the straight way from a place where it is to
 * another, where that does not pass the surface. Looks at the whole border once each step:
 * *looks, what is left of those, is counted down; false, too, where they do not do. */
bool sc_rim_stays_below(const sc_rim *rim, sc_vec3 from, sc_vec3 to, uint64_t *looks);

#endif
