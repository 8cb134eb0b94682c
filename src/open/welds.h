/* welds.h - edges in the border of a part that is not closed which run back beside others, though
 * none of their ends are the same: as facets have them whose corners were rounded one by one. */
#ifndef SC_WELDS_H
#define SC_WELDS_H

#include "rim.h"
#include "tiles.h"

/* Makes ends that lie close together one, where that leaves no more than `most` edges of a border
 * that nothing was taken out of, and matters nowhere on the tiles: its slack is what that may
 * amount to. Else it stays as it is. False if memory ran out. */
bool sc_welds_close(const sc_tiles *tiles, size_t most, sc_rim *rim);

#endif
