/* cracks.h - cracks in the border of a part that is not closed: loops as narrow as rounding,
 * along edges that other vertices lie on, which T-junctions leave. */
#ifndef SC_CRACKS_H
#define SC_CRACKS_H

#include "rim.h"
#include "solid.h"

typedef struct sc_cracks_request {
    sc_solid *other;
    const bool *ignored;         /* [facets] those of it that do not matter */
    bool (*poll)(void *context); /* NULL, or false: give up, and all cracks stay */
    void *poll_context;
} sc_cracks_request;

/* Takes those cracks out of the border that are so far from all of the other part that they
 * matter nowhere on it: the border's slack is what all of them may amount to there. False if
 * memory ran out. */
bool sc_cracks_close(const sc_cracks_request *request, sc_rim *rim);

#endif
