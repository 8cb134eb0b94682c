/* sweep.h - two parts, of which one moves straight: the pairs of triangles that meet on the
 * way, when first, and if none does how near the parts come.
 *
 * Both octrees stand in a frame that is turned so that its first axis is the way: swept
 * boxes are boxes there, only longer. What the trees leave over is decided for the
 * coordinates themselves (geom/tri_sweep.h). One thread; the result does not depend on the
 * order in which pairs come. */
#ifndef SC_SWEEP_H
#define SC_SWEEP_H

#include "base/poll.h"
#include "erosion/erosion.h"
#include "geom/tri_approach.h"
#include "geom/tri_sweep.h"
#include "octree.h"
#include "part.h"

/* A triangle of each part, and when they meet first. Of equal times the lowest numbers. */
typedef struct sc_sweep_meeting {
    bool found;
    uint32_t triangle[2];
    sc_sweep_event event;
} sc_sweep_meeting;

/* A pair of which one passes through the other. */
typedef struct sc_sweep_crossing {
    uint32_t triangle[2];
    bool inward; /* they lie against each other at the start: the second moves into the part */
} sc_sweep_crossing;

typedef struct sc_sweep {
    const sc_part *part[2];      /* the first rests, the second moves; as `used` places them */
    sc_vec3 d;                   /* not zero, as tri_sweep.h wants it */
    const sc_erosion *eroded[2]; /* what a part is to be taken for when meetings are looked for, or
                                    NULL */
    /* List crossings, of eroded parts all that meet, behind those that are listed, at most
     * SC_SWEEP_KEPT, and look for all. */
    bool keep_crossings;

    /* Of a part that is closed: parts that lie against each other at the start and part
     * along the normal only leave each other where it points the right way. */
    bool closed_first;
    const int8_t *orientation; /* of the first part's facets, or NULL: as stored */

    sc_poll poll;

    /* Found. */
    sc_sweep_meeting contact;  /* the first common point */
    sc_sweep_meeting crossing; /* the first from which on one passes through the other */
    sc_sweep_crossing *crossings;
    size_t crossing_count; /* kept */
    bool stopped;          /* by poll */
} sc_sweep;

enum { SC_SWEEP_KEPT = 16384 };

/* Fills what is found. sc_sweep_free in any case. */
stlclash_code sc_sweep_meetings(sc_sweep *sweep, stlclash_error *error);
void sc_sweep_free(sc_sweep *sweep);

/* Nearest points on the way of parts that do not meet. */
typedef struct sc_sweep_approach {
    double distance_sq; /* infinite: farther than the bound asked for */
    uint32_t triangle[2];
    double time;
    sc_closest closest; /* its points as they stand at that time */
} sc_sweep_approach;

/* `bound` is finite; what comes no nearer is not looked for. Error of the distance: at most
 * 2^-49 times the largest extent of the triangles, the way and the gap. */
stlclash_code sc_sweep_nearest(sc_sweep *sweep, double bound, sc_sweep_approach *approach,
                               stlclash_error *error);

#endif
