/* overlap_holes.h - which region a hole or a cavity is in. */
#ifndef SC_OVERLAP_HOLES_H
#define SC_OVERLAP_HOLES_H

#include "overlap.h"
#include "overlap_pieces.h"

/* regions: a piece of the boundary each, the largest volume first; those of less than nothing
 * bound holes. holder[i] of a hole becomes the number of the region that it is in, SIZE_MAX if
 * there is none; of others it is that. Double precision. False if memory ran out, or the time of
 * the solids. */
bool sc_overlap_find_holders(const sc_crossings *crossings, const sc_pieces *pieces,
                             const sc_overlap_region *regions, size_t count, size_t *holder);

#endif
