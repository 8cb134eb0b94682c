/* cracks.h - cracks in the border of a part that is not closed: loops as narrow as rounding,
 * along edges that other vertices lie on, which T-junctions leave. */
#ifndef SC_CRACKS_H
#define SC_CRACKS_H

#include "rim.h"
#include "solid.h"

/* Takes those cracks out of the border that are so far from all of the other part that they
 * matter nowhere on it: the border's slack is what all of them may amount to there. False if
 * memory ran out. Where the poll, which may be NULL, says to give up all of them stay. */
bool sc_cracks_close(sc_rim *rim, sc_solid *other, bool (*poll)(void *context), void *context);

#endif
