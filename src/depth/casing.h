/* casing.h - what encloses a facet: a prism about it, whose faces are all about as far from it. Who
 * comes to the facet from afar comes through one of them. */
#ifndef SC_CASING_H
#define SC_CASING_H

#include "piece.h"
#include "solids/surface.h"

/* In front of the facet and behind it, beside its sides, beyond its corners. */
enum { SC_CASING_FACES = 8 };

/* No point of a face is nearer to the facet than `distance`, none farther than so many times that,
 * rounding and corners off the plane of the wall by 0.001 of it aside. */
#define SC_CASING_FARTHEST 1.735

void sc_casing_make(const sc_wall *wall, double distance, sc_piece faces[SC_CASING_FACES]);

/* The same about the longest side of a facet that is no wider than rounding. The last face is
 * nothing: it lies in the middle of others. */
void sc_casing_make_of_line(const sc_vec3 v[3], double distance, sc_piece faces[SC_CASING_FACES]);

/* Whether no point has its nearest one of the whole surface on this facet, and that face between
 * them: other facets of the surface that lead on there are nearer. False proves nothing. */
bool sc_casing_is_barred(sc_surface *surface, const sc_wall *wall, int face);

#endif
