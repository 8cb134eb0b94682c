/* overlap_mesh.h - the overlap as a mesh: the surface of either part as far as it lies inside the
 * other one, facets that cross cut along the curves in which they do. */
#ifndef SC_OVERLAP_MESH_H
#define SC_OVERLAP_MESH_H

#include "overlap.h"
#include "overlap_pieces.h"

/* The mesh of all regions of what was measured of these crossings, if that is not nothing. Each
 * edge is used as often one way as the other where the parts have each edge from vertex to vertex;
 * T-junctions of theirs it has as well, and gaps where these came apart when a part was placed.
 * What is covered twice is there twice. The same for any number of threads. False if memory or time
 * ran out, or for more than 2^32 corners. */
bool sc_overlap_make_mesh(const sc_crossings *crossings, const sc_pieces *pieces,
                          sc_overlap *overlap);

#endif
