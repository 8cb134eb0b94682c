/* tri_distance.c - see tri_distance.h.
 *
 * Every candidate is evaluated as the distance of two points of the triangles,
 * from differences of vertices: so no candidate is too small, and an offset from
 * the origin costs no accuracy. */
#include "tri_distance.h"

/* The point at parameter t of the edge from p to q, from the nearer end. */
static sc_vec3 point_on(sc_vec3 p, sc_vec3 q, double t)
{
    return t <= 0.5 ? sc_mul_add(p, t, sc_sub(q, p)) : sc_mul_add(q, 1.0 - t, sc_sub(p, q));
}

static sc_feature feature_at(double t)
{
    return t == 0.0 || t == 1.0 ? SC_VERTEX : SC_EDGE;
}

/* Between the closest points of two segments along u and v, of which the first starts at w from the
 * second: the solution of the two lines, clamped to the first, then to the second, then again to
 * the first (Ericson 5.1.9). Parallel ones have no unique solution; s = 0 is as good as any. */
static inline sc_vec3 gap_of(sc_vec3 u, sc_vec3 v, sc_vec3 w, double *on_u, double *on_v)
{
    double uu = sc_dot(u, u), vv = sc_dot(v, v), uv = sc_dot(u, v);
    double uw = sc_dot(u, w), vw = sc_dot(v, w);
    double s = 0.0, t = 0.0;

    if (uu > 0.0 && vv > 0.0) {
        sc_vec3 n = sc_cross(u, v);
        double det = sc_dot(n, n); /* = uu vv - uv uv, without its cancellation */
        s = det > 0.0 ? sc_clamp01(sc_dot(sc_cross(v, w), n) / det) : 0.0;
        t = (uv * s + vw) / vv;
        if (t < 0.0 || t > 1.0) {
            t = sc_clamp01(t);
            s = sc_clamp01((uv * t - uw) / uu);
        }
    } else if (uu > 0.0) {
        s = sc_clamp01(-uw / uu);
    } else if (vv > 0.0) {
        t = sc_clamp01(vw / vv);
    }
    *on_u = s;
    *on_v = t;
    return sc_sub(sc_mul_add(w, s, u), sc_scale(v, t));
}

/* Closest points of edge i of a and edge j of b. */
static void edge_edge(sc_closest *best, const sc_triangle *a, int i, const sc_triangle *b, int j)
{
    double s, t;
    sc_vec3 gap = gap_of(a->edge[i], b->edge[j], sc_sub(a->v[i], b->v[j]), &s, &t);
    double d = sc_dot(gap, gap);

    if (d < best->distance_sq) {
        *best = (sc_closest){d, point_on(a->v[i], a->v[(i + 1) % 3], s),
                             point_on(b->v[j], b->v[(j + 1) % 3], t), feature_at(s), feature_at(t)};
    }
}

double sc_segments_distance(const sc_vec3 a[2], const sc_vec3 b[2])
{
    double s, t;
    return sc_length(gap_of(sc_sub(a[1], a[0]), sc_sub(b[1], b[0]), sc_sub(a[0], b[0]), &s, &t));
}

/* The foot of p in the plane of t, moved into the triangle where it lies just outside:
 * a point of the triangle in any case. The F vectors tell the far cases off. The rest
 * is done in the two perpendicular directions of the longest edge and the height above
 * it, which a needle leaves as accurate as any other triangle. */
static int foot_inside(sc_vec3 p, const sc_triangle *t, sc_vec3 *gap, sc_vec3 *foot)
{
    sc_vec3 from = sc_sub(p, t->v[0]);
    double r1 = sc_dot(t->f[0], from) * t->inverse_det;
    double r2 = sc_dot(t->f[1], from) * t->inverse_det;
    double margin = t->foot_margin;

    if (!(r1 >= -margin && r2 >= -margin && r1 + r2 <= 1.0 + margin)) {
        return 0; /* an edge is nearer */
    }
    int i = 0;
    for (int k = 1; k < 3; k++) {
        i = sc_dot(t->edge[k], t->edge[k]) > sc_dot(t->edge[i], t->edge[i]) ? k : i;
    }
    sc_vec3 e = t->edge[i], side = sc_scale(t->edge[(i + 2) % 3], -1.0), w = sc_sub(p, t->v[i]);
    double ee = sc_dot(e, e);
    sc_vec3 height = sc_mul_add(side, -sc_dot(side, e) / ee, e);
    height = sc_mul_add(height, -sc_dot(height, e) / ee, e); /* twice is enough (Kahan) */
    double hh = sc_dot(height, height);
    if (!(hh > 0.0)) {
        return 0;
    }
    sc_vec3 above = sc_mul_add(w, -sc_dot(w, e) / ee, e);
    double u = sc_clamp01(sc_dot(above, height) / hh);
    sc_vec3 rest = sc_mul_add(w, -u, side);
    double s = sc_clamp01(sc_dot(rest, e) / ee);
    s = s + u > 1.0 ? 1.0 - u : s;
    *gap = sc_mul_add(rest, -s, e);
    *foot = sc_mul_add(sc_mul_add(t->v[i], u, side), s, e);
    return 1;
}

sc_closest sc_tri_closest(const sc_triangle *a, const sc_triangle *b)
{
    sc_closest best = {.distance_sq = INFINITY};
    sc_vec3 gap, foot;

    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            edge_edge(&best, a, i, b, j);
        }
    }
    for (int i = 0; i < 3; i++) {
        if (foot_inside(a->v[i], b, &gap, &foot) && sc_dot(gap, gap) < best.distance_sq) {
            best = (sc_closest){sc_dot(gap, gap), a->v[i], foot, SC_VERTEX, SC_FACE};
        }
        if (foot_inside(b->v[i], a, &gap, &foot) && sc_dot(gap, gap) < best.distance_sq) {
            best = (sc_closest){sc_dot(gap, gap), foot, b->v[i], SC_FACE, SC_VERTEX};
        }
    }
    return best;
}

/* What is shortest between two vectors. */
static sc_vec3 shortest_of_two(sc_vec3 p, sc_vec3 q)
{
    const sc_vec3 to = sc_sub(q, p);
    return sc_mul_add(p, sc_clamp01(-sc_dot(p, to) / sc_dot(to, to)), to);
}

/* What is shortest in the triangle of three of which the edge from x to q holds nothing shorter
 * than x; false if nothing is between all three. */
static bool shortest_of_three(sc_vec3 x, sc_vec3 p, sc_vec3 q, sc_vec3 *shortest)
{
    const sc_vec3 d = sc_sub(p, x), e = sc_sub(q, x);
    const double dd = sc_dot(d, d), de = sc_dot(d, e), ee = sc_dot(e, e);
    const double xd = sc_dot(x, d), xe = sc_dot(x, e), det = dd * ee - de * de;
    const double u = xe * de - xd * ee, v = xd * de - xe * dd;

    if (u > 0.0 && v > 0.0 && u + v < det) {
        *shortest = sc_mul_add(sc_mul_add(x, u / det, d), v / det, e);
        return true;
    }
    return false;
}

/* Gilbert's algorithm (SIAM J. Control 4, 1966): from a difference x of two points, of b and of a,
 * to what is shortest between it and the differences that lay farthest back along it, this time and
 * the last time; how far back is how far apart the triangles are along x. Before the first
 * difference, x is the way given. */
bool sc_tri_farther(const sc_triangle *a, const sc_triangle *b, double than, sc_vec3 *way)
{
    enum { STEPS = 13 }; /* most pairs take 3 or 4, and 1 where the way shows it */
    const double reach = a->radius + b->radius + sc_length(sc_sub(b->centre, a->centre));
    const double beyond = (than + reach * 0x1p-48) * (1.0 + 0x1p-48), beyond_sq = beyond * beyond;
    sc_vec3 x = *way, last = x, v[3], w[3];

    for (int k = 0; k < 3; k++) {
        v[k] = sc_sub(a->v[k], a->centre);
        w[k] = sc_sub(b->v[k], a->centre);
    }
    for (int step = 0; step < STEPS; step++) {
        const double out[] = {sc_dot(x, v[0]), sc_dot(x, v[1]), sc_dot(x, v[2])};
        const double in[] = {sc_dot(x, w[0]), sc_dot(x, w[1]), sc_dot(x, w[2])};
        const double front = sc_max(out[0], sc_max(out[1], out[2]));
        const double back = sc_min(in[0], sc_min(in[1], in[2]));
        const double gap = back - front, xx = sc_dot(x, x);
        if (gap > 0.0 && gap * gap > beyond_sq * xx) {
            *way = x;
            return true;
        }
        if (step > 0 && (xx <= than * than || !(gap < xx))) {
            return false; /* they are as near as that, or nothing is nearer than x */
        }
        const int of_a = front == out[0] ? 0 : front == out[1] ? 1 : 2;
        const int of_b = back == in[0] ? 0 : back == in[1] ? 1 : 2;
        const sc_vec3 next = sc_sub(w[of_b], v[of_a]);
        if (step == 0) {
            x = next;
        } else if (step == 1) {
            x = shortest_of_two(x, next);
        } else if (!shortest_of_three(x, next, last, &x)) {
            const sc_vec3 one = shortest_of_two(x, next), other = shortest_of_two(last, next);
            x = sc_dot(one, one) < sc_dot(other, other) ? one : other;
        }
        last = next;
    }
    return false;
}

sc_closest sc_segment_closest(const sc_triangle *s, const sc_triangle *t)
{
    sc_closest best = {.distance_sq = INFINITY};
    sc_vec3 gap, foot;

    for (int j = 0; j < 3; j++) {
        edge_edge(&best, s, 0, t, j);
    }
    for (int i = 0; i < 2; i++) {
        if (foot_inside(s->v[i], t, &gap, &foot) && sc_dot(gap, gap) < best.distance_sq) {
            best = (sc_closest){sc_dot(gap, gap), s->v[i], foot, SC_VERTEX, SC_FACE};
        }
    }
    return best;
}
