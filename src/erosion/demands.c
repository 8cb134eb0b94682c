/* demands.c - see demands.h. */
#include "demands.h"

#include <math.h>

static int add_ways(sc_vec3 n, sc_vec3 *ways, int count)
{
    const double length = sc_length(n);
    if (length > 0.0) {
        ways[count++] = sc_scale(n, 1.0 / length);
        ways[count++] = sc_scale(n, -1.0 / length);
    }
    return count;
}

int sc_ways_between(const sc_vec3 a[3], const sc_vec3 b[3], sc_vec3 d,
                    sc_vec3 ways[SC_WAYS_BETWEEN])
{
    const sc_vec3 *const triangle[2] = {a, b};
    sc_vec3 edge[2][3];
    int count = 0;
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 3; k++) {
            edge[i][k] = sc_sub(triangle[i][(k + 1) % 3], triangle[i][k]);
            count = add_ways(sc_cross(edge[i][k], d), ways, count);
        }
        count = add_ways(sc_cross(edge[i][0], edge[i][1]), ways, count);
    }
    for (int k = 0; k < 9; k++) {
        count = add_ways(sc_cross(edge[0][k / 3], edge[1][k % 3]), ways, count);
    }
    return count;
}

double sc_demand_along(sc_vec3 way, const sc_vec3 a[3], const sc_vec3 b[3], sc_vec3 d,
                       sc_demand *demand)
{
    double farthest = -INFINITY, most = -INFINITY;
    demand->way = way;
    for (int k = 0; k < 3; k++) { /* from one origin near both */
        farthest = sc_fmax(farthest, sc_dot(way, sc_sub(a[k], a[0])));
    }
    for (int k = 0; k < 3; k++) {
        demand->least[k] =
            farthest - sc_dot(way, sc_sub(b[k], a[0])) - sc_fmin(0.0, sc_dot(way, d));
        most = sc_fmax(most, demand->least[k]);
    }
    return most;
}

/* Where a faces, and back from where b does, but for rounded facets. */
static bool is_between(sc_vec3 way, const sc_vec3 out[2])
{
    const double askew = 0x1p-10;
    return sc_dot(way, out[0]) >= -askew && sc_dot(way, out[1]) <= askew;
}

double sc_demand_find(const sc_vec3 a[3], const sc_vec3 b[3], sc_vec3 d, const sc_vec3 out[2],
                      sc_demand *demand)
{
    sc_vec3 ways[SC_WAYS_BETWEEN];
    const int count = sc_ways_between(a, b, d, ways);
    double shortest = INFINITY;
    for (int i = 0; i < count; i++) {
        sc_demand along;
        if (!is_between(ways[i], out)) {
            continue;
        }
        const double most = sc_demand_along(ways[i], a, b, d, &along);
        if (most < shortest) {
            shortest = most;
            *demand = along;
        }
    }
    return shortest;
}

bool sc_demand_face(const sc_vec3 a[3], const sc_vec3 b[3], const sc_vec3 out[2], double most,
                    sc_demand *demand)
{
    const sc_vec3 rest = {0.0, 0.0, 0.0};
    sc_vec3 ways[SC_WAYS_BETWEEN];
    const int count = sc_ways_between(a, b, rest, ways);
    const double across = 0.5; /* else facets face the same way, and what lies beside them asks */
    double best = across;
    for (int i = 0; i < count; i++) {
        const double facing = sc_dot(ways[i], out[0]) - sc_dot(ways[i], out[1]);
        sc_demand along;
        if (facing > best && is_between(ways[i], out) &&
            sc_demand_along(ways[i], a, b, rest, &along) <= most) {
            best = facing;
            *demand = along;
        }
    }
    return best > across;
}
