/* facet_distance.c - see facet_distance.h. */
#include "facet_distance.h"

/* The nearest of the edges' points, and the foot in the plane where it lies inside:
 * each is the distance of a point of the facet, however thin that is. */
double sc_facet_distance(sc_vec3 p, const sc_vec3 v[3], sc_vec3 *on)
{
    double least = INFINITY;

    for (int i = 0; i < 3; i++) {
        sc_vec3 edge = sc_sub(v[(i + 1) % 3], v[i]), w = sc_sub(p, v[i]);
        double length_sq = sc_dot(edge, edge);
        double t = length_sq > 0.0 ? sc_clamp01(sc_dot(w, edge) / length_sq) : 0.0;
        sc_vec3 gap = sc_mul_add(w, -t, edge);
        double sq = sc_dot(gap, gap);
        if (sq < least) {
            least = sq;
            *on = sc_mul_add(v[i], t, edge);
        }
    }
    sc_vec3 e1 = sc_sub(v[1], v[0]), e2 = sc_sub(v[2], v[0]), w = sc_sub(p, v[0]);
    sc_vec3 n = sc_cross(e1, e2);
    double det = sc_dot(n, n);
    double s = sc_dot(sc_cross(w, e2), n), t = sc_dot(sc_cross(e1, w), n);
    if (det > 0.0 && s > 0.0 && t > 0.0 && s + t < det) {
        sc_vec3 foot = sc_add(sc_scale(e1, s / det), sc_scale(e2, t / det));
        sc_vec3 gap = sc_sub(w, foot);
        if (sc_dot(gap, gap) < least) {
            least = sc_dot(gap, gap);
            *on = sc_add(v[0], foot);
        }
    }
    return sqrt(least);
}
