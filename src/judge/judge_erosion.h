/* judge_erosion.h - whether the parts of a judgement lie no deeper in each other than a limit, as
 * erosion shows (erosion/erosion_proof.h): which goes facet by facet, where a search for the depth
 * has cells as small as what is thin. */
#ifndef SC_JUDGE_EROSION_H
#define SC_JUDGE_EROSION_H

#include "depth/depth.h"
#include "judging.h"

/* About how many looks of a search for the depth take as long as an erosion of what is thin. */
uint64_t sc_judge_erosion_looks(const sc_judging *s);

/* Whether nothing lies deeper than the limit. */
stlclash_code sc_judge_erode(sc_judging *s, double limit, bool *shallow);

/* Of all of the overlap: whether nothing lies deeper than the limit, which bounds the depth; where
 * that is not shown, what stays in the way is tried, which may well be deeper. And the same with
 * what was found as the limit, within its error, as long as that is exceeded. */
stlclash_code sc_judge_erode_below(sc_judging *s, const sc_depth_request *request, double limit,
                                   sc_depth *depth, bool *shallow);
stlclash_code sc_judge_erode_to(sc_judging *s, const sc_depth_request *request, sc_depth *depth);

/* The same of some regions, one by each request, from what is known of each, as far as they are not
 * known within their errors. Of one that is not then, its request is within what is left of it:
 * nothing else lies deeper than what is known of it, within its error. */
stlclash_code sc_judge_erode_regions(sc_judging *s, sc_depth_request *requests, size_t count,
                                     sc_depth *depths);

#endif
