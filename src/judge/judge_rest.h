/* judge_rest.h - searches for what lies deep in what erosion leaves of an overlap. */
#ifndef SC_JUDGE_REST_H
#define SC_JUDGE_REST_H

#include "depth/depth.h"
#include "judging.h"

/* Whether nothing lies deeper than the limit in any of so many boxes. What does raises the limit,
 * if it `rises`: what is deeper than that lies in the boxes, too. The request is of all of the
 * overlap, or of a region; `depth` is what was found of that. */
stlclash_code sc_judge_search_rest(sc_judging *s, const sc_depth_request *request,
                                   const sc_box *boxes, size_t count, bool rises, double *limit,
                                   sc_depth *depth, bool *shallow);

#endif
