/* away.h - where the vertices of a part go that lie in another part, or close to it: straight away
 * from its surface. */
#ifndef SC_AWAY_H
#define SC_AWAY_H

#include "proving.h"

/* way[fans] of part i, to be eroded: each as long as the limit, out of the other part, or, from
 * outside, as far as leaves it that far away; zero where it is so already, or lies deeper than the
 * limit. As facets face, if it may be, those are ways back from the part's own, as the erosion has
 * them go. *all: else time ran out, or it would take too long (stretches.h), and the rest is zero.
 * False if memory ran out. */
bool sc_away_find(const sc_erosion_proof *proof, int i, const sc_erosion *erosion, sc_manner manner,
                  sc_vec3 *way, bool *all);

#endif
