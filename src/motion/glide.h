/* glide.h - how long what moves along a screw stays apart from what rests.
 *
 * At some time a direction n is known along which the one lies behind the other. A point p that
 * moves at v(p) comes nearer by no more than s n.v(p) + s^2/2 w^2 r in a time s, w being the turn
 * and r the distance from the axis; so for some time they stay as far apart as is asked for. Where
 * surfaces glide along each other, n.v is about 0 and that time is long. Either of the two may be
 * taken for what moves, as seen from the other. */
#ifndef SC_GLIDE_H
#define SC_GLIDE_H

#include "geom/vec3.h"

/* About and along the z axis. */
typedef struct sc_glide {
    double turn, shift; /* in time 1; the turn is not negative */
    double margin;      /* by how much a distance may be wrong */
} sc_glide;

/* The screw at some time. */
typedef struct sc_glide_pose {
    double sine, cosine, lift;
} sc_glide_pose;

sc_glide_pose sc_glide_at(const sc_glide *glide, double t);

static inline sc_vec3 sc_glide_moved(const sc_glide_pose *at, sc_vec3 v)
{
    return (sc_vec3){v.x * at->cosine - v.y * at->sine, v.x * at->sine + v.y * at->cosine,
                     v.z + at->lift};
}

/* A direction as it was at time 0. */
static inline sc_vec3 sc_glide_turned_back(const sc_glide_pose *at, sc_vec3 way)
{
    return (sc_vec3){way.x * at->cosine + way.y * at->sine, way.y * at->cosine - way.x * at->sine,
                     way.z};
}

/* How fast what moves goes along a direction, where it has a point. Directions here are no longer
 * than 1 (sc_unit_shortened). */
static inline double sc_glide_speed(const sc_glide *glide, sc_vec3 v, sc_vec3 way)
{
    return glide->turn * (way.y * v.x - way.x * v.y) + way.z * glide->shift;
}

/* How long what is no farther from the axis than a radius, and now no faster along a direction
 * than `closing`, takes to come nearer by `room`; 0 where there is none, infinite where nothing
 * moves. */
double sc_glide_time(const sc_glide *glide, double closing, double radius, double room);
/* The same of a point. */
double sc_glide_time_of(const sc_glide *glide, sc_vec3 v, sc_vec3 way, double room);

/* Two facets at a time, what rests and what moves, along a direction. */
typedef struct sc_glide_look {
    sc_vec3 v[2][3], way;
    double height[2][3]; /* along the way */
} sc_glide_look;

sc_glide_look sc_glide_look_at(const sc_glide *glide, const sc_vec3 rest[3],
                               const sc_vec3 moving[3], double t);
/* Across the facet that rests, towards the other one. */
void sc_glide_look_across(sc_glide_look *look);
/* Along the way between the closest points. Returns the distance. */
double sc_glide_look_at_closest(sc_glide_look *look);
/* For how long before and after the facets are certainly no nearer than `keep`. */
double sc_glide_safe_time(const sc_glide *glide, const sc_glide_look *look, double keep);

#endif
