/* straight.h - parts on a straight way, between motion_straight.c and straight_deep.c: the poses on
 * it, and whether the parts come to overlap deeper than the touch overlap. */
#ifndef SC_STRAIGHT_H
#define SC_STRAIGHT_H

#include "motion.h"
#include "sweep.h"

/* The two parts in the order in which they are compared: the first rests, seen from it the second
 * moves by d. */
typedef struct sc_straight {
    sc_motion_run *run;
    const double (*way)[3];
    sc_part part[2];
    sc_order order;
    sc_sweep sweep;
} sc_straight;

/* The parts as the first sees them at some time: what stands far away costs no accuracy. */
stlclash_code sc_straight_parts(const sc_straight *s, double time, sc_part part[2]);

/* The status of such parts, within the tolerances of the run. */
stlclash_code sc_straight_status(const sc_straight *s, const sc_part part[2],
                                 stlclash_status *status);

/* Whether the interiors of two parts overlap, however little, or nobody can tell. */
stlclash_code sc_straight_may_overlap(const sc_straight *s, const sc_part part[2], bool *overlap);

/* Looks at poses after the first crossing, or the start: at small and then larger distances behind
 * it, and over all that is left. */
stlclash_code sc_straight_find_deep_pose(const sc_straight *s, bool *deep);

/* By how much a part may yield, the touch overlap, but for rounding. */
double sc_straight_most_yield(const sc_straight *s);

/* Whether the motion passes through nothing if each point of a part yields by no more than the
 * touch overlap: so no common point is farther than that from either surface. Or whether some pose
 * is deep. */
stlclash_code sc_straight_find_yield(const sc_straight *s, bool *shallow, bool *deep);

/* The same by drawing back all of the surface of a part. */
stlclash_code sc_straight_find_erosion(const sc_straight *s, bool *shallow);

/* Whether it passes through nothing if the part that moves yields along that unit vector. */
stlclash_code sc_straight_try_along(const sc_straight *s, sc_vec3 away, bool *shallow);

#endif
