/* crossing_residue.h - where edges cross facets, exactly: modulo a prime. */
#ifndef SC_CROSSING_RESIDUE_H
#define SC_CROSSING_RESIDUE_H

#include "crossings.h"
#include "geom/modular.h"

/* The place of a crossing, from the origin of the coordinates. */
sc_residue3 sc_crossing_point(const sc_crossings *w, const sc_field *f, const sc_crossing *x);

typedef struct sc_crossing_residue {
    uint64_t along;      /* by what share of its edge, from the lower vertex on */
    sc_residue3 point;   /* its place */
    sc_invertible under; /* for those who make it */
} sc_crossing_residue;

/* Of all crossings, in much less time than one by one; of some, once the watch of A is over. NULL
 * if memory ran out; freed by sc_free. */
sc_crossing_residue *sc_crossing_residues(const sc_crossings *w, const sc_field *f);

#endif
