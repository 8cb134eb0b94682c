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

/* What the border tells about the part's generalized winding number at a point, and about it. */
typedef struct sc_rim_look {
    double winding; /* up to an integer: -0.5 .. 0.5; 0.5 where it cannot be told */
    double error;   /* of that, with the slack */
    sc_vec3 gradient;
    double gradient_error;
    double nearest; /* the distance of the border; infinite if there is none */
    double bend;    /* at least the greatest second derivative: if the border came nearer, to a part
                       q of its distance, no more than 1 / q^3 of this */
} sc_rim_look;

void sc_rim_look_at(const sc_rim *rim, sc_vec3 p, sc_rim_look *look);

/* Adds what an edge tells of all but the winding number itself and its error; its distance. */
double sc_rim_add_edge(const sc_rim_edge *e, sc_vec3 p, sc_rim_look *look);

/* What an edge adds to the winding number on the straight way from p, but for an integer times how
 * often it counts: what it sweeps out, seen from there, takes up a solid angle. So no pole is
 * needed, and the derivative at p is what the edge adds to the gradient. */
double sc_rim_change(const sc_rim_edge *e, sc_vec3 p, sc_vec3 to, double *error);

/* The generalized winding number at p, up to an integer: -0.5 .. 0.5. *within: no farther from
 * p than this it changes by less than it lacks to 0.5 in magnitude; 0 where it lacks nothing that
 * can be told. */
double sc_rim_winding(const sc_rim *rim, sc_vec3 p, double *within);

/* Whether it stays below 0.5 in magnitude along the straight way from a place where it is to
 * another, where that does not pass the surface. Looks at the whole border once each step:
 * *looks, what is left of those, is counted down; false, too, where they do not do. */
bool sc_rim_stays_below(const sc_rim *rim, sc_vec3 from, sc_vec3 to, uint64_t *looks);

/* The generalized winding number at p of a part that a ray from p to `to` and on would not pass:
 * each time that it leaves the part makes one more, each time that it enters one less. False where
 * the ray passes so close to the border that rounding may take one side for the other. */
bool sc_rim_winding_along(const sc_rim *rim, sc_vec3 p, sc_vec3 to, double *winding);

#endif
