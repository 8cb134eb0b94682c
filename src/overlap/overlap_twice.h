/* overlap_twice.h - a look for places that a part covers more than once. */
#ifndef SC_OVERLAP_TWICE_H
#define SC_OVERLAP_TWICE_H

#include "crossings.h"
#include "overlap.h"

/* Whether some part covers a place in the overlap more than once. Where surfaces meet and some
 * facet may pass such a place, as the winding numbers along its edges say (`perhaps`), or a
 * place behind a wall that the other part only touches: those are gone through. So is what lies of
 * several shells of one part inside the other: each piece of their surface, and where these meet,
 * unless that would take longer than all else. Otherwise, as of a single shell that passes through
 * itself deep inside the other part, as far as some points tell: on the surface of either part
 * where it lies inside the other, amid the regions, and amid what the boxes of two of them have in
 * common; *twice left false proves nothing then. False if memory ran out. */
bool sc_overlap_look_twice(const sc_crossings *crossings, const sc_overlap *overlap, bool perhaps,
                           bool *twice);

#endif
