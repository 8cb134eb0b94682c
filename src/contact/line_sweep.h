/* line_sweep.h - which of many facets in one plane lie over each other, by a line that sweeps over
 * them: however long and thin they are, and however their boxes overlap. */
#ifndef SC_LINE_SWEEP_H
#define SC_LINE_SWEEP_H

#include "plane_figures.h"

#include <stdint.h>

/* Marks those that lie over another, but for rounding. *told: false, and not all are marked, where
 * too many of them do. False if memory ran out. */
bool sc_line_sweep(const sc_seen_facet *seen, uint32_t count, bool *marked, bool *told);

#endif
