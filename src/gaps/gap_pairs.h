/* gap_pairs.h - two parts -> all pairs of their facets that lie near each other. */
#ifndef SC_GAP_PAIRS_H
#define SC_GAP_PAIRS_H

#include "base/parallel.h"
#include "base/poll.h"
#include "base/watch.h"
#include "frame.h"
#include "part.h"

/* What is asked of two parts, in the order in which they are compared. */
typedef struct sc_gap_request {
    const sc_part *part; /* [2] */
    const sc_frame *frame;
    double reach;      /* pairs of points up to so far apart matter; >= 0 */
    double resolution; /* what lies no farther apart may be one place but for rounding */
    sc_crew *crew;
    sc_poll poll;
    sc_watch *watch;
} sc_gap_request;

/* A few facets that lie side by side. */
typedef struct sc_gap_leaf {
    uint32_t facet[8]; /* [count] */
    uint32_t count;
} sc_gap_leaf;

/* Pairs of facets of two leaves: bit 8 i + k is that of facet[i] of one of A and facet[k] of one of
 * B. */
typedef struct sc_gap_pairs {
    uint32_t leaf[2];
    uint64_t set;
} sc_gap_pairs;

/* All pairs of facets that are no farther apart than the reach, up to the rounding of
 * sc_tri_closest, each once; and the leaves that have some. In any order. */
typedef struct sc_gap_list {
    sc_gap_pairs *pairs; /* [count] */
    size_t count, capacity;
    sc_gap_leaf *leaves[2]; /* [leaf_count] of either part; no two have a facet in common */
    size_t leaf_count[2], leaf_capacity[2];
} sc_gap_list;

/* More are not looked at: with what goes with them, up to 48 bytes each. */
enum { SC_MOST_GAP_PAIRS = 1 << 24 };

/* *complete: these are all; else there are more than can be looked at, or time ran out. Free in any
 * case. */
stlclash_code sc_gap_list_make(const sc_gap_request *request, sc_gap_list *list, bool *complete,
                               stlclash_error *error);
void sc_gap_list_free(sc_gap_list *list);

#endif
