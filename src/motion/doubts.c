/* doubts.c - see doubts.h.
 *
 * A triangle and what another sweeps out are two convex bodies. Along the normals of both, at
 * a right angle to the way and an edge, or to an edge of each, they overlap by some length: a shift
 * by that much separates them. */
#include "doubts.h"

/* A pair of triangles that passes through each other, and the way of the second. */
typedef struct pair {
    sc_vec3 a[3], b[3], d;
    bool inward; /* see sweep.h: b must not get to the side of a to which it moves */
} pair;

/* How far b must be shifted along the unit vector n to lie beyond a all the way. */
static double shift_along(sc_vec3 n, const pair *p)
{
    double farthest = -INFINITY, nearest = INFINITY;
    for (int k = 0; k < 3; k++) { /* from one origin near both */
        farthest = fmax(farthest, sc_dot(n, sc_sub(p->a[k], p->a[0])));
        nearest = fmin(nearest, sc_dot(n, sc_sub(p->b[k], p->a[0])));
    }
    return farthest - nearest - fmin(0.0, sc_dot(n, p->d));
}

/* Whether a shift one way along n, or the other, is short enough. */
static bool is_short(sc_vec3 n, const pair *p, double limit)
{
    const double length = sc_length(n);
    bool found = false;
    for (int side = 0; side < 2 && length > 0.0; side++) {
        const sc_vec3 way = sc_scale(n, (side == 0 ? 1.0 : -1.0) / length);
        const bool turns_in = p->inward && sc_dot(way, p->d) > 0.0;
        found = found || (!turns_in && shift_along(way, p) <= limit);
    }
    return found;
}

static bool may_be_shifted_apart(const pair *p, double limit)
{
    sc_vec3 edge[2][3];
    const sc_vec3 *triangles[2] = {p->a, p->b};
    bool found = false;
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 3; k++) {
            edge[i][k] = sc_sub(triangles[i][(k + 1) % 3], triangles[i][k]);
            found = found || is_short(sc_cross(edge[i][k], p->d), p, limit);
        }
        found = found || is_short(sc_cross(edge[i][0], edge[i][1]), p, limit);
    }
    for (int k = 0; k < 9 && !found; k++) {
        found = is_short(sc_cross(edge[0][k / 3], edge[1][k % 3]), p, limit);
    }
    return found;
}

static pair pair_of(const sc_sweep *sweep, const sc_sweep_crossing *crossing)
{
    pair p = {.d = sweep->d, .inward = crossing->inward};
    sc_triangle_vertices(&sweep->part[0]->mesh->file.facets, &sweep->part[0]->used,
                         crossing->triangle[0], p.a);
    sc_triangle_vertices(&sweep->part[1]->mesh->file.facets, &sweep->part[1]->used,
                         crossing->triangle[1], p.b);
    return p;
}

int sc_doubts_find(const sc_sweep *sweep, double limit, double apart, double *times, int most)
{
    int count = 0;
    for (size_t i = 0; i < sweep->crossing_count && count < most; i++) {
        const pair p = pair_of(sweep, &sweep->crossings[i]);
        if (may_be_shifted_apart(&p, limit)) {
            continue;
        }
        const double time = sc_tri_sweep(p.a, p.b, p.d).first.time;
        bool known = false;
        for (int k = 0; k < count; k++) {
            known = known || fabs(times[k] - time) <= apart;
        }
        times[count] = time;
        count += !known;
    }
    return count;
}
