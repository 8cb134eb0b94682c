/* tri_approach.c - see tri_approach.h. */
#include "tri_approach.h"

/* From x to the edge u from p on, which moves along d, at a time. */
static double from_edge(sc_vec3 x, sc_vec3 p, sc_vec3 u, sc_vec3 d, double time)
{
    const sc_vec3 w = sc_sub(sc_mul_add(x, -time, d), p);
    return sc_length(sc_off_segment(w, u, sc_dot(u, u)));
}

/* When the point x lies on the wall that the edge from p to q sweeps out: x = p + s (q - p)
 * + t d, in the sense of least squares. Of an edge along the way, but for rounding, that tells
 * nothing: it is as early as its leading end reaches the point. */
static double time_on_wall(sc_vec3 x, sc_vec3 p, sc_vec3 q, sc_vec3 d)
{
    const sc_vec3 u = sc_sub(q, p), w = sc_sub(x, p), n = sc_cross(u, d);
    const double nn = sc_dot(n, n), along = sc_fmax(sc_dot(u, d), 0.0);
    const double reached = sc_clamp01((sc_dot(w, d) - along) / sc_dot(d, d));
    const double across = nn > 0.0 ? sc_clamp01(sc_dot(sc_cross(u, w), n) / nn) : reached;
    const double rounding = 0x1p-40 * (sc_length(u) + sc_length(d));
    return from_edge(x, p, u, d, reached) <= from_edge(x, p, u, d, across) + rounding ? reached
                                                                                      : across;
}

static bool nearer_than(const sc_closest *best, const sc_vec3 t[3], const sc_triangle *a,
                        sc_closest *found)
{
    sc_triangle b = sc_triangle_make(t);
    *found = sc_tri_closest(a, &b);
    return found->distance_sq < best->distance_sq;
}

/* What a triangle sweeps out is bounded by itself at both ends and by what its edges sweep
 * out: of triangles that do not meet the nearest point lies there. */
sc_closest sc_tri_approach(const sc_vec3 a[3], const sc_vec3 b[3], sc_vec3 d, double *time)
{
    sc_triangle rests = sc_triangle_make(a);
    sc_vec3 end[3] = {sc_add(b[0], d), sc_add(b[1], d), sc_add(b[2], d)};
    sc_closest best = {.distance_sq = INFINITY}, found;

    *time = 0.0;
    if (nearer_than(&best, b, &rests, &found)) {
        best = found;
    }
    if (nearer_than(&best, end, &rests, &found)) {
        best = found;
        *time = 1.0;
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3;
        const sc_vec3 halves[2][3] = {{b[i], b[j], end[j]}, {b[i], end[j], end[i]}};
        for (int k = 0; k < 2; k++) {
            if (!nearer_than(&best, halves[k], &rests, &found)) {
                continue;
            }
            best = found;
            *time = time_on_wall(found.on_b, b[i], b[j], d);
            /* On an end of the edge a vertex, else the edge: never the face of the wall. */
            sc_vec3 from = sc_mul_add(b[i], *time, d), to = sc_mul_add(b[j], *time, d);
            double size = 0x1p-40 * (sc_length(sc_sub(to, from)) + sc_length(d));
            bool vertex = sc_length(sc_sub(found.on_b, from)) <= size ||
                          sc_length(sc_sub(found.on_b, to)) <= size;
            best.feature_b = vertex ? SC_VERTEX : SC_EDGE;
        }
    }
    return best;
}
