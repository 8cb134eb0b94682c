/* first_inside.h - whether one part lies in the other, before anything is searched: for those who
 * ask for no more than a proof that parts clash. */
#ifndef SC_FIRST_INSIDE_H
#define SC_FIRST_INSIDE_H

#include "base/parallel.h"
#include "frame.h"
#include "part.h"

/* Whether both parts are closed, by the sums of their boundaries, and a vertex of one has a
 * winding number that is not 0 in the other: then it is inside, whichever way round that is to be
 * read; and no surface within `reach` of it (not negative). Tries a few vertices of a part whose
 * box lies in that of the other, and opens no more of that than the ways out lead through. */
stlclash_code sc_first_inside(const sc_part part[2], const sc_frame *frame, double reach,
                              sc_crew *crew, bool *inside, stlclash_error *error);

#endif
