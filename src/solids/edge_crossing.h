/* edge_crossing.h - surfaces that pass through each other along edges of their facets, so that no
 * two facets cross properly: asked of parts without inside, where no volume tells. */
#ifndef SC_EDGE_CROSSING_H
#define SC_EDGE_CROSSING_H

#include "solid.h"
#include "verdict.h"

/* *found is SC_DEEP where, along an edge, a sheet of one part leads from one side of a facet of the
 * other, or of two sheets that meet in that edge, to the other side; exactly. Facets that lie on
 * each other there are one sheet. SC_DEEP_UNKNOWN: to find out would take too long. Not seen: a
 * surface that goes on along the other one, flush, before it leaves to the other side; edges of
 * many sheets of both. solid[0], solid[1] and hits[count] as for sc_crossings_find. The function
 * is false if memory ran out. */
bool sc_crosses_along_edges(sc_solid *const solid[2], const uint64_t *hits, size_t count,
                            sc_deep *found);

#endif
