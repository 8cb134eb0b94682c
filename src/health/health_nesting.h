/* health_nesting.h - which shell lies in which, and which is inside out. */
#ifndef SC_HEALTH_NESTING_H
#define SC_HEALTH_NESTING_H

#include "health_shells.h"

typedef struct sc_nesting {
    /* Shells. A reversed one with no solid around it is inverted: it is read the other
     * way round, with all that is nested in it. An outward one in a solid stays solid. */
    sc_count inverted, outward;
    bool known;  /* else there were too many to tell, and nothing is turned */
    bool simple; /* no point was found at which the winding number is negative */
} sc_nesting;

/* Sets `flip` of the shells; false if memory ran out. */
bool sc_nesting_find(const sc_facets *facets, sc_health_shells *shells, sc_nesting *nesting);

#endif
