/* shallow.c - see shallow.h.
 *
 * A triangle and what another sweeps out are two convex bodies. Along the normals of both and
 * across the way, at a right angle to their edges, they overlap by some length: a shift by
 * the least of these separates them. Each crossing asks for so much along one direction; one
 * shift for all is found by turning to those that are not content yet, again and again. */
#include "shallow.h"

/* A shift s with s . direction >= least. */
typedef struct demand {
    sc_vec3 direction;
    double least;
} demand;

/* By how much b, swept by d, must move along the unit vector n to lie beyond a. */
static double overlap_along(sc_vec3 n, const sc_vec3 a[3], const sc_vec3 b[3], sc_vec3 d)
{
    double high = -INFINITY, low = INFINITY;
    for (int k = 0; k < 3; k++) { /* from one origin near both */
        high = fmax(high, sc_dot(n, sc_sub(a[k], a[0])));
        low = fmin(low, sc_dot(n, sc_sub(b[k], a[0])));
    }
    return high - (low + fmin(0.0, sc_dot(n, d)));
}

static void try_direction(demand *best, sc_vec3 n, const sc_vec3 a[3], const sc_vec3 b[3],
                          sc_vec3 d)
{
    double length = sc_length(n);
    if (!(length > 0.0)) {
        return;
    }
    n = sc_scale(n, 1.0 / length);
    for (int side = 0; side < 2; side++) {
        double overlap = overlap_along(n, a, b, d);
        if (overlap < best->least) {
            *best = (demand){n, overlap};
        }
        n = sc_scale(n, -1.0);
    }
}

static demand least_demand(const sc_vec3 a[3], const sc_vec3 b[3], sc_vec3 d)
{
    demand best = {.least = INFINITY};
    const sc_vec3 *triangles[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        const sc_vec3 *t = triangles[i];
        try_direction(&best, sc_cross(sc_sub(t[1], t[0]), sc_sub(t[2], t[0])), a, b, d);
        for (int k = 0; k < 3; k++) {
            try_direction(&best, sc_cross(sc_sub(t[(k + 1) % 3], t[k]), d), a, b, d);
        }
    }
    return best;
}

bool sc_shallow_shift(const sc_sweep *sweep, double limit, sc_vec3 *shift)
{
    enum { ROUNDS = 50 };
    sc_vec3 s = {0.0, 0.0, 0.0};
    bool content = false;

    for (int round = 0; round < ROUNDS && !content; round++) {
        content = true;
        for (size_t i = 0; i < sweep->crossing_count; i++) {
            sc_vec3 v[2][3];
            for (int p = 0; p < 2; p++) {
                const sc_part *part = sweep->part[p];
                sc_triangle_vertices(&part->mesh->file.facets, &part->used,
                                     sweep->crossings[i].triangle[p], v[p]);
            }
            demand want = least_demand(v[0], v[1], sweep->d);
            if (want.least > limit) {
                return false;
            }
            double target = want.least + fmin(0x1p-20 * limit, limit - want.least);
            double missing = target - sc_dot(s, want.direction);
            if (missing > 0x1p-30 * limit) {
                s = sc_mul_add(s, missing, want.direction);
                content = false;
            }
        }
    }
    *shift = s;
    return content && sc_length(s) <= limit;
}
