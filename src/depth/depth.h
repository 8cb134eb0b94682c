/* depth.h - how deep two closed parts lie in each other.
 *
 * depth = max over common points p of max(dist(p, surface of A), dist(p, surface of
 * B)), by branch and bound: over the surface of either part inside the other, and over
 * cells of space for interior maxima of the distance. */
#ifndef SC_DEPTH_H
#define SC_DEPTH_H

#include "base/parallel.h"
#include "base/poll.h"
#include "solids/solid.h"

typedef struct sc_depth_request {
    sc_solid *solid[2]; /* both closed */
    sc_box within;      /* encloses all common points that matter */
    /* NULL: all common points count; else those of one region, and `all` is what was found for
     * all of them, none of which lies deeper than its bound, or NULL where that is not known. */
    const struct sc_regions *regions;
    uint32_t region;
    const struct sc_depth *all;
    double relative_error; /* stop when depth is known to within this part of it; > 0 */
    /* With threshold >= 0: only whether the depth exceeds it. Stops at the first
     * point deeper than that, or when none can be. */
    double threshold;
    const uint64_t *hits; /* [hit_count] pairs that meet: with a threshold, places to try first */
    size_t hit_count;
    uint64_t budget; /* cells and triangles to look at, about */
    sc_poll poll;
    sc_crew *crew;
} sc_depth_request;

typedef struct sc_depth {
    bool complete;   /* the bound below holds; false: budget or poll ended it */
    double depth;    /* of `point`; 0 if no common point was found; beyond a threshold, at least */
    double bound;    /* no common point lies deeper; may be infinite if not complete */
    sc_vec3 point;   /* a common point that lies `depth` deep */
    int in;          /* 0: depth is its distance from the surface of solid[0], 1 */
    sc_vec3 nearest; /* the nearest point of that surface; beyond a threshold, not told */
} sc_depth;

/* False if memory ran out. */
bool sc_depth_find(const sc_depth_request *request, sc_depth *depth);

/* The same bit by bit. The request is copied; what it points to stays. NULL if memory ran out. */
typedef struct sc_depth_search sc_depth_search;
sc_depth_search *sc_depth_begin(const sc_depth_request *request);

/* Up to that budget, all looks so far included. A deeper point in *depth, found otherwise, is what
 * to beat; it starts as {0}. False if memory ran out. */
bool sc_depth_go_on(sc_depth_search *search, uint64_t budget, sc_depth *depth);

/* What it has taken so far, in looks. */
uint64_t sc_depth_looks(const sc_depth_search *search);

/* How much it has still to look at, if nothing of that had to be divided further than into
 * facets: at most so many looks, less where it is dropped as a whole. */
uint64_t sc_depth_pending(const sc_depth_search *search);
void sc_depth_end(sc_depth_search *search); /* may be NULL */

/* Takes a place that may lie deeper, or what lies uphill from there, if it does: a common point, in
 * place of the one that was found. Of all of the overlap. False if memory ran out. */
bool sc_depth_try(const sc_depth_request *request, sc_vec3 place, sc_depth *depth);

/* Tells of a point found beyond a threshold what was not told. False if memory ran out. */
bool sc_depth_tell(const sc_depth_request *request, sc_depth *depth);

#endif
