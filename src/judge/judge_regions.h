/* judge_regions.h - how deep the parts of a judgement lie in each other region by region. */
#ifndef SC_JUDGE_REGIONS_H
#define SC_JUDGE_REGIONS_H

#include "depth/depth.h"
#include "judging.h"

/* Each common point lies in some region, and each of those may be small where the whole is not:
 * region by region, up to the first that cannot be told, or lies deeper than the threshold. */
stlclash_code sc_judge_by_region(sc_judging *s, double threshold, sc_depth *depth);

/* Of each region that is not measured yet, as far as they are told, once all of the overlap is;
 * which becomes what is found deeper. */
stlclash_code sc_judge_measure_regions(sc_judging *s);

#endif
