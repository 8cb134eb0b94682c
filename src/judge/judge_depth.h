/* judge_depth.h - how deep the parts of a judgement lie in each other: whether deeper than the
 * touch overlap allows, and, where it is reported, how deep in all and region by region. */
#ifndef SC_JUDGE_DEPTH_H
#define SC_JUDGE_DEPTH_H

#include "judging.h"

/* A depth up to here counts as no deeper than the touch overlap, in a box of this size. */
double sc_judge_depth_limit(const sc_judging *s, const sc_box *within);

/* Whether a common point lies deeper than the touch overlap: sets j->deep. Of sound solids. */
stlclash_code sc_judge_depth(sc_judging *s);

/* The same, with both parts read as stored, if a glance shows it: of parts that are inside out, or
 * do not lie deep, it might take long to see nothing. */
stlclash_code sc_judge_depth_at_a_glance(sc_judging *s, bool *deep);

/* Of an overlap that has been measured: depth, and that of its regions, into the judgement. */
stlclash_code sc_judge_measure_depth(sc_judging *s);

#endif
