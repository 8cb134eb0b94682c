/* depth_proof.h - proofs that no point of a triangle or cell lies deep in a part.
 *
 * Each is a proof, not an estimate: true, or a finite bound, never errs; false and
 * infinity mean only that this proof does not apply. "Depth" here is the distance
 * from `surface`, of points inside it. */
#ifndef SC_DEPTH_PROOF_H
#define SC_DEPTH_PROOF_H

#include "brick.h"
#include "solids/surface.h"

/* Facets that a proof looks at before it gives up: with more of them, smaller cells
 * are cheaper. */
enum { SC_DEPTH_FACETS = 32 };

/* The distance to one facet is convex, so on a convex hull of points it is largest at
 * one of them: that largest. Infinite for UINT32_MAX, no facet. */
double sc_depth_facet_bound(const sc_surface *surface, uint32_t facet, const sc_vec3 *points,
                            int count);

/* Whether a few facets about a convex hull of points, up to 8 about their mean, keep all of it from
 * lying deeper than the limit: the middle of a wall, where walls meet, a profile along its length.
 * `nearest` is a facet near the mean. */
bool sc_depth_is_surrounded(sc_surface *surface, const sc_vec3 *points, int count, sc_vec3 mean,
                            const sc_nearest *nearest, double limit);

/* Whether the triangle moved by `way` lies outside: then every point of it that is
 * inside meets the surface on the way, and is no deeper than that is long. */
bool sc_depth_triangle_leaves(sc_surface *surface, const sc_vec3 v[3], sc_vec3 way);
bool sc_depth_box_leaves(sc_surface *surface, const sc_box *box, sc_vec3 way);

/* No point in the brick that is inside lies deeper than this: within the column of the
 * brick along the unit vector `axis`, up to `reach` beyond both ends, the surface lies
 * between two heights, and beyond one of them, or both, is outside. Infinite where it
 * would exceed `reach` at once, and after so many facets (0: any number). */
double sc_depth_column_bound(sc_surface *surface, const sc_brick *brick, sc_vec3 axis, double reach,
                             int facets);

/* Whether no point in the brick that is inside both lies deeper than the limit in either. In its
 * column they lie between the surface of one part, beyond which that is outside, and that of the
 * other, as where walls of both face each other. False after so many facets (0: any number). */
bool sc_depth_common_column(sc_surface surface[2], const sc_brick *brick, sc_vec3 axis,
                            double limit, int facets);

/* Whether the distance has no local maximum in the brick among inner points. At one, the
 * nearest points of the surface surround it. But here all surface that may be nearest
 * lies ahead in one direction, a, or faces it and is seen from inside. `nearest` is a facet
 * near the centre, and no point of the brick is farther from the surface than `most`.
 *
 * Why: let facets that all have n . a > 0 meet in q, the nearest point to p, and d be the unit
 * vector from p to q. Winding numbers about q grow along directions y with n . y < 0 for all n, and
 * fall along a; so they are largest at q + y, least at q + a. No facet comes into the half space d
 * . y < 0. If each n . d >= -e (n . a) for some e < 1, which keeps p from lying far in front of a
 * facet, y = -d - e a is one of those directions, and in that half space: so p sees the largest
 * winding number, the least is not in the half space, and d . a >= 0; and > 0, as the same holds
 * for directions a little off a. It does not matter whether a part overlaps itself. Where p may lie
 * in front of a facet, the part must be known to be embedded, or winding numbers at either end of
 * the surroundings show that there are but two of them. */
bool sc_depth_no_peak(sc_surface *surface, const sc_brick *brick, const sc_nearest *nearest,
                      double most);

/* Whether the surface keeps out of the brick: then all of that is inside, or all outside. */
bool sc_depth_is_clear(sc_surface *surface, const sc_brick *brick);

#endif
