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

/* Looks for a pose that is deep: the end, and soon after the first crossing, or the start; or
 * farther on, and all over what is left. */
typedef enum sc_poses { SC_POSES_SOON, SC_POSES_LATER } sc_poses;
stlclash_code sc_straight_find_deep_pose(const sc_straight *s, sc_poses poses, bool *deep);

/* The same soon after triangles begin to pass through each other that no shift by as little as the
 * touch overlap keeps apart: in a thin wall that other poses may have missed. */
stlclash_code sc_straight_look_behind_doubts(const sc_straight *s, bool *deep);

/* By how much a part may yield, the touch overlap, but for rounding. */
double sc_straight_most_yield(const sc_straight *s);

/* Whether the motion passes through nothing if each point of a part yields by no more than that, so
 * no common point lies deeper in either part: if all of the surface of one is drawn back;
 * if the part that moves is shifted along that unit vector; or along the normals of what passes
 * through each other first. */
stlclash_code sc_straight_find_erosion(const sc_straight *s, bool *shallow);
stlclash_code sc_straight_try_along(const sc_straight *s, sc_vec3 away, bool *shallow);
stlclash_code sc_straight_try_aside(const sc_straight *s, bool *shallow);

#endif
