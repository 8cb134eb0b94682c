/* span.h - whether a winding number stays below one half all over triangles, and not only where it
 * is asked for. */
#ifndef SC_SPAN_H
#define SC_SPAN_H

#include "rim.h"
#include "tiles.h"

#include <stdint.h>

/* Whether what the border tells of the generalized winding number stays below 0.5 in magnitude all
 * over the tiles: then it is less than that, or the border lacks the same integer of it all over
 * what hangs together. Looks at edges of the border are counted down from *edges: *below is false
 * as well where those do not do, or who is polled gives up. False if memory ran out. */
bool sc_span_stays_below(const sc_rim *rim, const sc_tiles *tiles, uint64_t *edges, bool *below);

#endif
