/* overlap_bounds.h - the bounds of what has volume in the regions of an overlap. */
#ifndef SC_OVERLAP_BOUNDS_H
#define SC_OVERLAP_BOUNDS_H

#include "overlap.h"
#include "overlap_pieces.h"
#include "overlap_sums.h"

/* Sets the bounds of the overlap, and narrows those of all regions, which hold their boundaries, to
 * those of what has volume: where faces are flush a boundary may go there and back without any in
 * between. Exact as to which points count, up to chance 2^-60; but a region remains as it is,
 * within the bounds of all, where T-junctions keep the pieces of its boundary from hanging
 * together. False if memory ran out. */
bool sc_overlap_narrow_bounds(const sc_crossings *crossings, const sc_pieces *pieces,
                              const sc_sums *sums, sc_overlap *overlap);

#endif
