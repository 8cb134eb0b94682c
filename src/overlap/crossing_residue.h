/* crossing_residue.h - where edges cross facets, exactly: modulo a prime. */
#ifndef SC_CROSSING_RESIDUE_H
#define SC_CROSSING_RESIDUE_H

#include "crossings.h"
#include "geom/modular.h"

/* Where along its edge, from u to v, a crossing lies. */
uint64_t sc_crossing_parameter(const sc_crossings *w, const sc_field *f, const sc_crossing *x,
                               sc_residue3 u, sc_residue3 v);

/* The place of a crossing, from the origin of the coordinates. */
sc_residue3 sc_crossing_point(const sc_crossings *w, const sc_field *f, const sc_crossing *x);

#endif
