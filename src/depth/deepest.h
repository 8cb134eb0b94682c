/* deepest.h - the deepest point that a search for the depth has found so far, and a good one
 * to start from. */
#ifndef SC_DEEPEST_H
#define SC_DEEPEST_H

#include "depth.h"
#include "solids/surface.h"

/* Facets whose distance is told are work, too: so many count as one look. */
enum { SC_FACETS_A_LOOK = 64 };

typedef struct sc_deepest {
    const sc_depth_request *request;
    sc_surface surface[2];
    double error, floor; /* relative, and the least depth that counts */
    double fine;         /* part by which a depth may be stated too small */
    double best;         /* proven: `point` lies at least this deep in part `in` */
    sc_vec3 point;
    int in;
} sc_deepest;

/* Nothing found as yet. */
sc_deepest sc_deepest_make(const sc_depth_request *request);

/* What another one, made alike, has found. */
void sc_deepest_join(sc_deepest *d, const sc_deepest *other);

/* What may be deeper than this matters. */
double sc_deepest_limit(const sc_deepest *d);

/* Only whether the depth exceeds a threshold was asked, and it does. */
bool sc_deepest_beaten(const sc_deepest *d);

/* Whether p lies in the box that encloses all common points that matter. */
bool sc_deepest_within(const sc_deepest *d, sc_vec3 p);

/* A lower bound of the distance of p from the surface of part x, within a part of it; where
 * the distance is at most `enough`, any. `hint` as for sc_seek. */
double sc_deepest_at(sc_deepest *d, int x, sc_vec3 p, uint32_t hint, double part, double enough);

/* A common point p that lies deeper in part x than the best; taken if it is of the region that
 * is asked for. */
void sc_deepest_improve(sc_deepest *d, sc_vec3 p, int x, double depth);

/* A point that may be common, and lie deeper than the best in either part. */
void sc_deepest_try(sc_deepest *d, sc_vec3 p);

/* Uphill from a point, below the surface of part x, by steps of up to `step`, to within `part` of
 * what is found. */
void sc_deepest_climb_from(sc_deepest *d, int x, sc_vec3 from, double part, double step);

/* The same from the best point, where there is one, by steps of up to a part of its depth. */
void sc_deepest_climb(sc_deepest *d, double step);

/* The same up to where it is deepest, to nearly all digits. */
void sc_deepest_climb_up(sc_deepest *d);

/* Sets how deep the point of `depth` lies in the part of that surface, and what is nearest. */
void sc_deepest_measure(sc_surface *surface, sc_depth *depth);

/* Tells the best point, if it lies deeper than what is told already. False if memory ran out: then
 * it may lie less deep. */
bool sc_deepest_tell(sc_deepest *d, sc_depth *depth);

/* Half way between walls, from up to so many facets of either part, until anything is found. */
enum { SC_FEW_CHORDS = 6, SC_MANY_CHORDS = 48 };
void sc_deepest_try_between(sc_deepest *d, uint32_t most);

/* Points near crossings, some vertices, and uphill from the best of them: a good best at the
 * start settles most of the rest. */
void sc_deepest_start(sc_deepest *d, sc_crew *crew);

#endif
