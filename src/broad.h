/* broad.h - many boxes -> the pairs that lie near each other: the broad phase.
 *
 * Sweep and prune: the boxes are sorted along one axis, and a box is compared with those
 * only that reach its place on that axis. Pairs that are not near are never looked at one
 * by one, and never stored. */
#ifndef SC_BROAD_H
#define SC_BROAD_H

#include "base/watch.h"
#include "geom/box.h"

#include <stddef.h>
#include <stdint.h>

/* A box and how far around it others are near: two boxes are near each other if on every
 * axis the gap between them is at most the sum of their margins. */
typedef struct sc_broad_box {
    sc_box box;    /* not empty; infinite sides are fine */
    double margin; /* >= 0, may be infinite */
} sc_broad_box;

typedef struct sc_broad_pair {
    uint32_t a, b; /* a < b */
} sc_broad_pair;

/* All near pairs (and, within rounding, a few that are not quite), by (a, b). The caller
 * frees *pairs with sc_free; count is at most 2^32. False if memory ran out. */
bool sc_broad_find(const sc_broad_box *boxes, size_t count, sc_broad_pair **pairs,
                   size_t *pair_count);

/* Told of boxes a and b, which meet; false ends the sweep. */
typedef bool sc_broad_meet(void *context, uint32_t a, uint32_t b);

/* Tells of all boxes that meet, each pair once, in any order. False if it was ended, or memory or
 * the time of the watch, which may be NULL, ran out. */
bool sc_broad_sweep(const sc_box *boxes, size_t count, sc_watch *watch, sc_broad_meet *meet,
                    void *context);

/* The distance of two boxes, rounded down. */
double sc_box_distance(const sc_box *a, const sc_box *b);

#endif
