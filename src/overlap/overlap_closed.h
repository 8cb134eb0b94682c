/* overlap_closed.h - whether the boundaries of the regions of an overlap are closed. */
#ifndef SC_OVERLAP_CLOSED_H
#define SC_OVERLAP_CLOSED_H

#include "overlap_corners.h"
#include "overlap_pieces.h"

/* Of the regions that are set in `open` leaves those whose boundary is not closed: up to a chance
 * of 2^-60 each. False if memory ran out. */
bool sc_overlap_open_regions(const sc_crossings *crossings, const sc_pieces *pieces,
                             const uint32_t *region_of, const sc_field field[SC_LINE_FIELDS],
                             bool *open, size_t regions);

#endif
