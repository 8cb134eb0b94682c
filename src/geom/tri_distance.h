/* tri_distance.h - the shortest segment between two triangles that do not meet.
 *
 * It ends in two edges or in a vertex and the other triangle's face (Ericson,
 * Real-Time Collision Detection, 2005, 5.1.10). Degenerate triangles count as
 * the segment or point that they are. */
#ifndef SC_TRI_DISTANCE_H
#define SC_TRI_DISTANCE_H

#include "feature.h"
#include "triangles.h"

typedef struct sc_closest {
    double distance_sq;
    sc_vec3 on_a, on_b; /* rounded points of A and B */
    sc_feature feature_a, feature_b;
} sc_closest;

/* For triangles that do not meet (for others the result is only an upper bound).
 * Error of sqrt(distance_sq): at most 2^-50 times the larger of the triangles'
 * extents and the gap. */
sc_closest sc_tri_closest(const sc_triangle *a, const sc_triangle *b);

/* Whether a direction shows that the triangles lie farther apart than that, by more than the error
 * of sc_tri_closest, at a tenth of its cost. False says nothing. The first that is tried is *way,
 * of any length, from a to b; then *way is the one that shows it: it may for the next pair. */
bool sc_tri_farther(const sc_triangle *a, const sc_triangle *b, double than, sc_vec3 *way);

/* sc_tri_closest for the segment from s->v[0] to s->v[1], s being made of it with any third vertex
 * between these. */
sc_closest sc_segment_closest(const sc_triangle *s, const sc_triangle *t);

/* Between two segments; its error is that of sc_tri_closest. */
double sc_segments_distance(const sc_vec3 a[2], const sc_vec3 b[2]);

#endif
