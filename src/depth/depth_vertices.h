/* depth_vertices.h - the vertices of parts that lie deeper than what was found.
 *
 * A depth that is known to within an error may be that of a point a little above the deepest one;
 * and of all points it is vertices that others look at as well. */
#ifndef SC_DEPTH_VERTICES_H
#define SC_DEPTH_VERTICES_H

#include "depth.h"

/* Takes the vertex of either part that lies deepest in the other one, or what lies uphill from
 * there, if that is deeper than what was found: a common point, of the region that is asked for. Up
 * to about so many looks: then there may be others. False if memory ran out. */
bool sc_depth_try_vertices(const sc_depth_request *request, uint64_t looks, sc_depth *depth);

#endif
