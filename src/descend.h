/* descend.h - a pair of nodes -> the pairs of leaves below it: what each thread of a traversal
 * does, nearest nodes first, under a bound that all of them share. */
#ifndef SC_DESCEND_H
#define SC_DESCEND_H

#include "node_pair.h"
#include "sift.h"
#include "traverse.h"

/* What all threads of one traversal share. */
typedef struct sc_search {
    sc_traversal *traversal;
    _Atomic double bound; /* in length units; only ever lowered */
    atomic_bool halt, stopped, out_of_memory;
    sc_node_pair *queue; /* pieces of the work, nearest first; threads take one by one */
    size_t queue_count;
    atomic_size_t next;
    _Atomic uint64_t settled; /* piece << 8 | thread: the first piece with a reason to stop */
    _Atomic uint64_t box_tests;
    const sc_supports *supports; /* [2]; NULL: ties are of no interest */
} sc_search;

/* The pairs of leaves that a thread has handed over, of which the last ones are kept: enough to
 * see whether many are equally far apart. */
enum { SC_RECENT_PAIRS = 64 };
typedef struct sc_recent_pairs {
    const sc_leaf *pair[SC_RECENT_PAIRS][2];
} sc_recent_pairs;

/* A leaf whose facets are looked at one by one, against nodes that are smaller. */
typedef struct sc_wide_leaf {
    const sc_leaf *leaf; /* NULL: none yet */
    uint32_t index;      /* its node's */
    bool of_a;
    sc_loaded_leaf loaded;
    float margin; /* for their planes */
} sc_wide_leaf;

/* One thread's. */
typedef struct sc_walker {
    sc_search *search;
    const sc_octets_isa *octets;
    void *worker;
    int thread;
    size_t piece;          /* of the queue, at work */
    double bound;          /* the last value seen of search->bound */
    float limit;           /* keys up to which pairs are followed */
    sc_node_pair *waiting; /* [capacity], the last one comes next; the key is the squared distance
                            * of the boxes, in the frame */
    size_t count, capacity;
    sc_wide_leaf wide;
    uint64_t box_tests;
    uint64_t items;          /* expanded, of all pieces: when to ask whether to go on */
    uint64_t leaf_pairs;     /* handed over: the same */
    uint64_t pause_after;    /* of these it leaves what waits as it is */
    sc_recent_pairs *recent; /* or NULL */
    sc_ties ties;            /* where the search has supports */
    sc_cluster_supports *clusters[2];
    int slabs_pay; /* more than 0: those of leaves have kept many apart lately */
} sc_walker;

void sc_walker_init(sc_walker *walker, sc_search *search, int thread);
void sc_walker_free(sc_walker *walker);

/* Lets a pair wait, in front of all others. Without memory the search is over. */
void sc_walker_push(sc_walker *walker, sc_node_pair pair);

/* Lets the children of two nodes wait that are not both leaves or clusters: of either where they
 * are of like size, else of the larger one alone. */
void sc_walker_divide(sc_walker *walker, sc_node_pair pair);

/* Does all that is below a pair, and forgets what waited; unless it pauses. */
void sc_walker_descend(sc_walker *walker, sc_node_pair pair);

/* Whether nothing is left to do for it: the search was stopped, or an earlier piece has a reason
 * to stop. */
bool sc_walker_is_over(const sc_walker *walker);

#endif
