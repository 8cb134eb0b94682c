/* screw.h - the screw motion between two placements: a turn about an axis and a shift along
 * it, both even in time. */
#ifndef SC_SCREW_H
#define SC_SCREW_H

#include "geom/box.h"
#include "stlclash.h"

typedef struct sc_screw {
    double from[3][4], to[3][4]; /* the placements, as given */
    double attitude[3][3];       /* the rotation of `from`, made orthonormal */
    stlclash_screw screw;
    double moment[3];               /* direction x point */
    double turn_error, shift_error; /* see sc_screw_deviation */
} sc_screw;

/* A placement as options have it: 16 numbers, or those of none where it is NULL. */
const double *sc_placement_numbers(const double *placement);

/* The placements are rigid, 16 numbers or NULL. The turn is the one of at most half a turn. */
sc_screw sc_screw_between(const double *from, const double *to);

/* Whether the placements, 16 numbers or NULL, differ by a shift alone. */
bool sc_same_attitude(const double *from, const double *to);

/* No point of the part none of whose coordinates exceeds `reach` starts farther than this from
 * where `from`, or ends up farther from where `to`, has it. */
double sc_screw_deviation(const sc_screw *screw, double reach);

/* The placement at time t, 16 numbers: exactly `from` at 0 and `to` at 1. */
void sc_screw_at(const sc_screw *screw, double t, double placement[16]);

/* A box around all places to which what lies in a box of the part's own coordinates comes from time
 * `from` to `to`, 0 <= from <= to <= 1. */
sc_box sc_screw_sweep(const sc_screw *screw, double from, double to, const sc_box *local);

/* The distance of a point from the axis; how far it moves in time 1. */
double sc_screw_radius(const sc_screw *screw, sc_vec3 p);
double sc_screw_way(const sc_screw *screw, double radius);

#endif
