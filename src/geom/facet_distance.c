/* facet_distance.c - see facet_distance.h. */
#include "facet_distance.h"

#include <stdbool.h>

/* Whether rounding leaves the inner sides of the edges well told, as seen from a point at w. */
static bool is_stout(sc_vec3 e1, sc_vec3 e2, double det, sc_vec3 w)
{
    double one = sc_dot(e1, e1), two = sc_dot(e2, e2);
    return det > 0x1p-6 * (one * two) && sc_min(one, two) > 0x1p-60 * sc_dot(w, w);
}

/* The nearest of the edges' points, and the foot in the plane where it lies inside: each is the
 * distance of a point of the facet, however thin that is. Where the facet is not thin, an edge
 * need not be looked at if the foot lies clearly on its inner side: the nearest point is the foot,
 * or on an edge that has the foot outside. */
double sc_facet_distance(sc_vec3 p, const sc_vec3 v[3], sc_vec3 *on)
{
    double least = INFINITY;

    sc_vec3 e1 = sc_sub(v[1], v[0]), e2 = sc_sub(v[2], v[0]), w0 = sc_sub(p, v[0]);
    sc_vec3 n = sc_cross(e1, e2);
    double det = sc_dot(n, n);
    double s = sc_dot(sc_cross(w0, e2), n), t = sc_dot(sc_cross(e1, w0), n);
    double clearly = is_stout(e1, e2, det, w0) ? 0x1p-6 * det : INFINITY;
    const double inner[3] = {t, det - s - t, s}; /* of det, on the inner side of edge i */

    for (int i = 0; i < 3; i++) {
        if (inner[i] > clearly) {
            continue;
        }
        sc_vec3 edge = sc_sub(v[(i + 1) % 3], v[i]), w = sc_sub(p, v[i]);
        double length_sq = sc_dot(edge, edge);
        double along = length_sq > 0.0 ? sc_clamp01(sc_dot(w, edge) / length_sq) : 0.0;
        sc_vec3 gap = sc_mul_add(w, -along, edge);
        double sq = sc_dot(gap, gap);
        if (sq < least) {
            least = sq;
            *on = sc_mul_add(v[i], along, edge);
        }
    }
    if (det > 0.0 && s > 0.0 && t > 0.0 && s + t < det) {
        sc_vec3 foot = sc_add(sc_scale(e1, s / det), sc_scale(e2, t / det));
        sc_vec3 gap = sc_sub(w0, foot);
        if (sc_dot(gap, gap) < least) {
            least = sc_dot(gap, gap);
            *on = sc_add(v[0], foot);
        }
    }
    return sqrt(least);
}
