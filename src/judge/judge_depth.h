/* judge_depth.h - how deep the parts of a judgement lie in each other, in all and region by
 * region. */
#ifndef SC_JUDGE_DEPTH_H
#define SC_JUDGE_DEPTH_H

#include "judging.h"

/* Of an overlap that has been measured: depth, and that of its regions, into the judgement. */
stlclash_code sc_judge_measure_depth(sc_judging *s);

/* That of all of the overlap alone, within the error that is asked for or as well as it can be
 * told; once. */
stlclash_code sc_need_depth(sc_judging *s);

#endif
