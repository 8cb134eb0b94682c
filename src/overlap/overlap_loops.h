/* overlap_loops.h - what of a facet lies inside the other part: the loops around it, with the
 * region that each bounds. */
#ifndef SC_OVERLAP_LOOPS_H
#define SC_OVERLAP_LOOPS_H

#include "ear_holes.h"
#include "overlap.h"
#include "overlap_pieces.h"

/* A corner of the boundary of the overlap, on a facet. */
typedef struct sc_loop_corner {
    sc_flat at;  /* as the facet is seen from outside, where it turns to the left */
    size_t node; /* overlap_pieces.h */
} sc_loop_corner;

typedef struct sc_loop {
    size_t first, end; /* of its corners */
    uint32_t region;   /* SC_NO_REGION: the overlap is nothing there */
} sc_loop;

/* Of the facets of one part, one at a time; kept from facet to facet. */
typedef struct sc_overlap_loops {
    const sc_crossings *crossings;
    const sc_pieces *pieces;
    const uint32_t *region_of; /* of a piece (overlap.h) */
    int part;

    sc_loop_corner *corners; /* [corner_count] of the facet looked at last */
    sc_loop *loops;          /* [count] of it, by region */
    size_t corner_count, count;

    size_t corner_capacity, capacity;
    struct sc_stretch *stretches;
    size_t stretch_count, stretch_capacity;
    bool covered_twice; /* some stretch is there several times */
    uint64_t *segments; /* [segments] facets << 32 | segments, sorted */
    size_t next;        /* the first of these that is of no facet looked at before */
} sc_overlap_loops;

/* False if memory ran out; free in any case. */
bool sc_overlap_loops_begin(const sc_crossings *crossings, const sc_pieces *pieces,
                            const uint32_t *region_of, int part, sc_overlap_loops *loops);
void sc_overlap_loops_free(sc_overlap_loops *loops);

/* Of each facet of the windings, in the order in which they stand there. A part that covers a place
 * several times may have as many loops about it. False if memory or time ran out. */
bool sc_overlap_loops_find(sc_overlap_loops *loops, const sc_active *facet);

/* The point that a node stands for: of a vertex of the part, or of a crossing. */
sc_vec3 sc_overlap_loops_point(const sc_overlap_loops *loops, size_t node);

#endif
