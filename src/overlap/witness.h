/* witness.h - facets which show that volume ends where the boundary of an overlap does, and that
 * this is no sheet there. */
#ifndef SC_WITNESS_H
#define SC_WITNESS_H

#include "overlap_corners.h"

enum { SC_MOST_WITNESSES = 2 };

/* A facet with an edge at the end of a side that has length within the other part. */
typedef struct sc_witness {
    sc_vec3 plane[3], edge[2];
    int times;       /* of the corners there: if not 0 the edge goes on from there */
    sc_vec3 way;     /* the way between them */
    bool at_the_end; /* they are no farther in than rounding takes them */
    bool doubted;    /* another facet lies in its plane and faces the other way */
} sc_witness;

typedef struct sc_witnesses {
    sc_witness items[SC_MOST_WITNESSES];
    int count;
} sc_witnesses;

/* Takes a corner about the end of a side, of those of edges first, then of segments: the first
 * facets with an edge there are witnesses, of which all others may give cause to doubt. */
void sc_witnesses_add(sc_witnesses *w, const sc_boundary_line *line,
                      const sc_boundary_corner *corner, bool at_the_end);

/* Whether one shows it, where all that meets crosses properly; false tells nothing. */
bool sc_witnesses_tell(const sc_witnesses *w, double slack);

#endif
