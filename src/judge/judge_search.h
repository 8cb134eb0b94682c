/* judge_search.h - searches for the depth, as the parts of a judgement allow them. */
#ifndef SC_JUDGE_SEARCH_H
#define SC_JUDGE_SEARCH_H

#include "depth/depth.h"
#include "judging.h"

/* Looks at cells and triangles: of a search in all of the overlap, and of one before other
 * proofs are tried. */
enum { SC_LOOKS = 1250000, SC_FIRST_LOOKS = 50000 };

/* Of a depth that is reported. */
#define SC_USUAL_DEPTH_ERROR 0.01

/* A depth up to here counts as no deeper than the touch overlap, in a box of this size. */
double sc_judge_depth_limit(const sc_judging *s, const sc_box *within);

/* What rounding alone may have made of parts that touch. */
double sc_rounding_of(const sc_judging *s);

/* In all of the overlap, or in one of several regions (else SC_NO_REGION); with a budget of fewer
 * looks where more would be of no use. */
sc_depth_request sc_search_ask(sc_judging *s, const sc_box *within, uint32_t region,
                               double threshold);

/* Above what was found, within its error: if nothing lies deeper, the depth is known. */
double sc_judge_limit_above(const sc_depth_request *request, const sc_depth *depth);

stlclash_code sc_search_at_once(sc_judging *s, const sc_depth_request *request, sc_depth *depth);

/* After a search that took so many looks: vertices that lie deeper than what it found, in no more
 * time than that, or little. */
stlclash_code sc_judge_vertices(sc_judging *s, const sc_depth_request *request, uint64_t looks,
                                sc_depth *depth);

/* One that goes on where it was left. */
typedef struct sc_search {
    sc_depth_request request;
    sc_depth_search *search;
    sc_depth *depth; /* what is known so far; it may be bounded otherwise in between */
} sc_search;

/* From what is known so far, of nothing that is {.bound = INFINITY}, which is to outlive it. */
sc_search sc_search_begin(const sc_depth_request *request, sc_depth *depth);
void sc_search_end(sc_search *search);

/* Up to that budget in all. */
stlclash_code sc_search_on(sc_judging *s, sc_search *search, uint64_t budget);

/* Up to that budget, but of a depth that is to be told to an eighth of it where the bound is not on
 * its way to come to an end by then. */
stlclash_code sc_search_unless_hopeless(sc_judging *s, sc_search *search, uint64_t budget);

/* Up to that budget, and as long after that, step by step, as it comes closer to its end. */
stlclash_code sc_search_while_closing(sc_judging *s, sc_search *search, uint64_t budget,
                                      uint64_t step);

#endif
