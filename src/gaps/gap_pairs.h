/* gap_pairs.h - two parts -> all pairs of their facets that lie near each other. */
#ifndef SC_GAP_PAIRS_H
#define SC_GAP_PAIRS_H

#include "base/parallel.h"
#include "base/poll.h"
#include "frame.h"
#include "pair_list.h"
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

/* The leaf of a facet as the facet that stands for it, + 1; 0: it does not matter. */
typedef _Atomic uint32_t sc_gap_leaf;

/* Pairs of facets whose nearest points are within the reach, up to the rounding of sc_tri_closest,
 * each once: by itself, or with all others of two leaves, up to 8 facets each, of which no two
 * points are farther apart. */
typedef struct sc_gap_list {
    sc_pair_list pairs;   /* sorted */
    sc_pair_list leaves;  /* by the facets that stand for them; sorted */
    sc_gap_leaf *leaf[2]; /* [facets] of either part */
} sc_gap_list;

/* More of both together are not looked at: with what goes with them, up to 28 bytes each. */
enum { SC_MOST_GAP_PAIRS = 1 << 24 };

/* The same for any number of threads. *complete: these are all; else there are more than can be
 * looked at, or time ran out. Free in any case. */
stlclash_code sc_gap_list_make(const sc_gap_request *request, sc_gap_list *list, bool *complete,
                               stlclash_error *error);
void sc_gap_list_free(sc_gap_list *list);

#endif
