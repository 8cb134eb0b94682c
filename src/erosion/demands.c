/* demands.c - see demands.h. */
#include "demands.h"

#include <math.h>

typedef struct finding {
    const sc_vec3 *a, *b, *out;
    sc_vec3 d;
    double shortest; /* shift so far; infinite: none */
    sc_demand *demand;
} finding;

/* What it takes that b lies beyond a along a unit vector, all the way; returns the most. */
static double demand_along(const finding *f, sc_vec3 way, sc_demand *demand)
{
    double farthest = -INFINITY, most = -INFINITY;
    demand->way = way;
    for (int k = 0; k < 3; k++) { /* from one origin near both */
        farthest = fmax(farthest, sc_dot(way, sc_sub(f->a[k], f->a[0])));
    }
    for (int k = 0; k < 3; k++) {
        demand->least[k] =
            farthest - sc_dot(way, sc_sub(f->b[k], f->a[0])) - fmin(0.0, sc_dot(way, f->d));
        most = fmax(most, demand->least[k]);
    }
    return most;
}

/* Either way along a vector that need not be unit. */
static void try_along(finding *f, sc_vec3 n)
{
    const double askew = 0x1p-10; /* rounded facets are by no more than this */
    const double length = sc_length(n);
    for (int side = 0; side < 2 && length > 0.0; side++) {
        const sc_vec3 way = sc_scale(n, (side == 0 ? 1.0 : -1.0) / length);
        sc_demand demand;
        if (sc_dot(way, f->out[0]) < -askew || sc_dot(way, f->out[1]) > askew) {
            continue;
        }
        const double most = demand_along(f, way, &demand);
        if (most < f->shortest) {
            f->shortest = most;
            *f->demand = demand;
        }
    }
}

bool sc_demand_find(const sc_vec3 a[3], const sc_vec3 b[3], sc_vec3 d, const sc_vec3 out[2],
                    sc_demand *demand)
{
    finding f = {a, b, out, d, INFINITY, demand};
    sc_vec3 edge[2][3];
    const sc_vec3 *const triangle[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 3; k++) {
            edge[i][k] = sc_sub(triangle[i][(k + 1) % 3], triangle[i][k]);
            try_along(&f, sc_cross(edge[i][k], d));
        }
        try_along(&f, sc_cross(edge[i][0], edge[i][1]));
    }
    for (int k = 0; k < 9; k++) {
        try_along(&f, sc_cross(edge[0][k / 3], edge[1][k % 3]));
    }
    return f.shortest < INFINITY;
}
