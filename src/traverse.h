/* traverse.h - two octrees -> pairs of leaves with candidate triangles: the mid-phase.
 *
 * Interference and clearance are one dual traversal with a distance bound, nearest
 * nodes first: a pair of boxes farther apart than the bound is dropped, a pair of
 * leaves within it goes to the callback, which returns the new bound. With
 * bound 0 only boxes that meet are followed.
 *
 * No pair at exactly the bound is dropped, and pairs are compared with a margin
 * for rounding: so whichever order the pairs come in, all that matter do come. */
#ifndef SC_TRAVERSE_H
#define SC_TRAVERSE_H

#include "base/parallel.h"
#include "base/watch.h"
#include "octree.h"
#include "support.h"

/* Returned instead of a bound: stop everything. */
#define SC_STOP (-1.0)

/* Where many pairs are equally far apart: the way along which the gaps of pairs tell which of them
 * need no look, and what one thread has found, whose triangle numbers others must be below. */
typedef struct sc_ties {
    bool compared;         /* pairs are, by their gaps along: */
    sc_support_way way[2]; /* from A to B, and back */
    double distance;       /* of the nearest pair of the thread; infinite: none */
    uint32_t a, b;
} sc_ties;

/* Two leaves that are near, and which pairs of their triangles may be: bit 8 i + j is that of
 * number i of a and number j of b; also of absent ones. None: what the thread has found so far is
 * to be compared as ties are from now on, and what comes back is the bound, some pair being as near
 * as the one that is given. */
typedef struct sc_leaf_pair {
    const sc_leaf *a, *b;
    uint64_t among;
    sc_ties *ties; /* that of the thread */
} sc_leaf_pair;

typedef struct sc_traversal {
    sc_octree *a, *b; /* both with levels > 0 */
    double bound;     /* to start from, in length units; finite, >= 0 */
    bool measures;    /* the nearest pair within it matters: ties are worth a look */
    sc_crew *crew;

    /* Leaves that may be within the bound, or the limit, which is the same in the frame, squared
     * and with a margin. `worker` is the calling thread's own, of as many as the crew has. */
    double (*leaves)(void *worker, const sc_leaf_pair *pair, float limit, double bound);
    void **workers;

    /* Called now and then by thread 0 with the part of the work done; false stops. */
    bool (*poll)(void *context, double done);
    void *poll_context;
    sc_watch *watch; /* looked at by all threads; over: stops. NULL: none */

    /* Set by the traversal. Of several threads that find a reason to stop, that counts which
     * one thread alone would have come to. */
    bool stopped;       /* by SC_STOP or poll: not all pairs came */
    int settled_by;     /* the thread whose last call returned SC_STOP; -1: none */
    bool out_of_memory; /* not all pairs came */
    uint64_t box_tests;
} sc_traversal;

/* Hands over all pairs of leaves that may be within the bound as it is by then, by all threads of
 * the crew, and returns when nothing is left or it was stopped. */
void sc_traverse(sc_traversal *traversal);

#endif
