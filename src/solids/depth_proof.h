/* depth_proof.h - proofs that no point of a triangle or cell lies deep in a part.
 *
 * Each is a proof, not an estimate: true, or a finite bound, never errs; false and
 * infinity mean only that this proof does not apply. "Depth" here is the distance
 * from the surface of `shell`, of points inside it. */
#ifndef SC_DEPTH_PROOF_H
#define SC_DEPTH_PROOF_H

#include "depth_near.h"

/* Facets that a proof looks at before it gives up: with more of them, smaller cells
 * are cheaper. */
enum { SC_DEPTH_FACETS = 64 };

/* The distance to one facet is convex, so on a convex hull of points it is largest at
 * one of them: that largest. */
double sc_depth_facet_bound(const sc_shell *shell, uint32_t facet, const sc_vec3 *points,
                            int count);

/* Whether a few facets about a convex hull of points, up to 8 about their mean, keep all of it from
 * lying deeper than the limit: the middle of a wall, where walls meet, a profile along its length.
 * `nearest` is a facet near the mean. */
bool sc_depth_is_surrounded(sc_shell *shell, const sc_vec3 *points, int count, sc_vec3 mean,
                            const sc_nearest *nearest, double limit);

/* Whether the triangle moved by `way` lies outside: then every point of it that is
 * inside meets the surface on the way, and is no deeper than that is long. */
bool sc_depth_triangle_leaves(sc_shell *shell, const sc_vec3 v[3], sc_vec3 way);
bool sc_depth_box_leaves(sc_shell *shell, const sc_box *box, sc_vec3 way);

/* No point in the box that is inside lies deeper than this: within the column of the
 * box along the unit vector `axis`, up to `reach` beyond both ends, the surface lies
 * between two heights, and beyond one of them, or both, is outside. Infinite where it
 * would exceed `reach` at once, and after so many facets (0: any number). */
double sc_depth_column_bound(sc_shell *shell, const sc_box *box, sc_vec3 axis, double reach,
                             int facets);

/* Whether the distance has no local maximum in the box among inner points. At one, the
 * nearest points of the surface surround it. But here all surface that may be nearest
 * lies ahead in one direction, or has outward normals that do, and from inside, the
 * way to a nearest point is a combination of outward normals there. `nearest` is a
 * facet near the centre. */
bool sc_depth_no_peak(sc_shell *shell, const sc_box *box, const sc_nearest *nearest);

#endif
