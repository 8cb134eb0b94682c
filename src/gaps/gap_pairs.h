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

/* More pairs than these are not looked at one by one: with what goes with them, 16 bytes each. */
enum { SC_MOST_GAP_PAIRS = 1 << 24 };

/* a << 32 | b, sorted, of those no farther apart than the reach, up to the rounding of
 * sc_tri_closest; the same for any number of threads. *complete: these are all; else there are
 * more than can be looked at, or time ran out, and none are listed. The caller frees the list with
 * sc_free. */
stlclash_code sc_gap_pairs_find(const sc_gap_request *request, sc_pair_list *pairs, bool *complete,
                                stlclash_error *error);

#endif
