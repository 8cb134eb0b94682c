/* depth_region.h - for a search for the depth of one region: what belongs to it, and what is
 * proven not to. Without a region all points belong, and nothing is proven. */
#ifndef SC_DEPTH_REGION_H
#define SC_DEPTH_REGION_H

#include "brick.h"
#include "depth.h"
#include "solids/surface.h"

/* Facets that a proof about a region looks at before it gives up: more than of other proofs, since
 * how far it looks does not shrink with what it is about. */
enum { SC_REGION_FACETS = 64 };

/* Whether a common point is one of the region, or may be; whether it surely is. By the nearest
 * surface; of parts that cover places more than once, by rays. */
bool sc_depth_region_holds(const sc_depth_request *request, sc_surface surface[2], sc_vec3 p);
bool sc_depth_region_surely_holds(const sc_depth_request *request, sc_surface surface[2],
                                  sc_vec3 p);

/* Whether what a facet of part `part` has within `radius` of p is on the boundary of other
 * regions. */
bool sc_depth_region_lacks_facet(const sc_depth_request *request, int part, uint32_t facet,
                                 sc_vec3 p, double radius);

/* Whether all common points within `radius` of c are of other regions. hint: facets near c, as
 * for sc_seek. */
bool sc_depth_region_lacks_cell(const sc_depth_request *request, sc_surface surface[2],
                                const uint32_t hint[2], sc_vec3 c, double radius);

/* Whether no point of the region in the brick lies deeper than the limit in part x, by what bounds
 * the region about it; false without a region. */
bool sc_depth_region_is_shallow(const sc_depth_request *request, sc_surface surface[2], int x,
                                const sc_brick *brick, double limit);

#endif
