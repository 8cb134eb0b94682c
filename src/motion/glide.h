/* glide.h - how long two parts stay apart of which one moves along a screw, or both do.
 *
 * At some time a direction n is known along which the one lies behind the other. A point p that
 * moves at v(p) comes nearer by no more than s n.v(p) + s^2/2 w^2 r in a time s, w being the turn
 * and r the distance from the axis; so for some time they stay as far apart as is asked for. Where
 * surfaces glide along each other, n.v is about 0 and that time is long. Of two parts that move
 * along screws of their own n.v is what their velocities differ by, about 0 where they roll on each
 * other; where only one does, either may be taken for what moves, as seen from the other. */
#ifndef SC_GLIDE_H
#define SC_GLIDE_H

#include "geom/vec3.h"

#include <stdbool.h>

/* About and along the third of the coordinates of its own, which lie so in the common ones. */
typedef struct sc_glide_part {
    double turn, shift; /* in time 1; the turn is not negative */
    sc_vec3 origin, side[3];
} sc_glide_part;

typedef struct sc_glide {
    sc_glide_part part[2];
    bool both;     /* else the first one rests, and the coordinates of the second are common */
    double margin; /* by how much a distance may be wrong */
} sc_glide;

/* The screws at some time. */
typedef struct sc_glide_pose {
    double sine, cosine, lift;
} sc_glide_pose;

typedef struct sc_glide_poses {
    sc_glide_pose of[2];
} sc_glide_poses;

sc_glide_poses sc_glide_at(const sc_glide *glide, double t);

/* A point of a part, which has such coordinates of its own at time 0, in the common ones. */
sc_vec3 sc_glide_placed(const sc_glide *glide, const sc_glide_poses *at, int part, sc_vec3 v);
/* A direction that turns with a part, likewise; and back. */
sc_vec3 sc_glide_turned(const sc_glide *glide, const sc_glide_poses *at, int part, sc_vec3 own);
sc_vec3 sc_glide_turned_back(const sc_glide *glide, const sc_glide_poses *at, int part,
                             sc_vec3 way);
/* By how much a part lies farther along a direction than it had those coordinates tell. */
double sc_glide_lift(const sc_glide *glide, const sc_glide_poses *at, int part, sc_vec3 way);

/* How a point moves along a direction, or two against each other. Directions here are no longer
 * than 1 (sc_unit_shortened). */
typedef struct sc_glide_rate {
    double along;       /* its velocity that way */
    double bend, speed; /* half its acceleration, and its velocity, no larger than these */
    double rough;       /* what the rounding of `along` is in proportion to */
} sc_glide_rate;

/* Of a point and a direction as a part has them: `along`; and all of it, of points that are no
 * farther from the axis than that. */
static inline double sc_glide_along(const sc_glide_part *part, sc_vec3 v, sc_vec3 way)
{
    return part->turn * (way.y * v.x - way.x * v.y) + way.z * part->shift;
}
sc_glide_rate sc_glide_rate_within(const sc_glide_part *part, double radius, double along);
sc_glide_rate sc_glide_rate_of(const sc_glide_part *part, sc_vec3 v, sc_vec3 way);
/* Of two, the second as seen from the first. */
sc_glide_rate sc_glide_rate_between(sc_glide_rate first, sc_glide_rate second);

/* How long it takes to come nearer by `room`, before or after; 0 where there is none, infinite
 * where nothing moves. */
double sc_glide_time(const sc_glide_rate *rate, double room);

/* Two facets at a time, one of either part, along a direction. */
typedef struct sc_glide_look {
    sc_vec3 v[2][3], way;
    double height[2][3]; /* along the way */
} sc_glide_look;

sc_glide_look sc_glide_look_at(const sc_glide *glide, const sc_vec3 first[3],
                               const sc_vec3 second[3], double t);
/* Across the facet of the first part, towards the other one. */
void sc_glide_look_across(sc_glide_look *look);
/* Along the way between the closest points. Returns the distance. */
double sc_glide_look_at_closest(sc_glide_look *look);
/* For how long before and after the facets are certainly no nearer than `keep`. */
double sc_glide_safe_time(const sc_glide *glide, const sc_glide_look *look, double keep);

#endif
