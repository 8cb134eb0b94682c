/* doubts.c - see doubts.h. */
#include "doubts.h"

#include "erosion/demands.h"

/* A pair of triangles that passes through each other, and the way of the second. */
typedef struct pair {
    sc_vec3 a[3], b[3], d;
    bool inward; /* see sweep.h: b must not get to the side of a to which it moves */
} pair;

/* Whether a shift across some plane that may lie between them is short enough. */
static bool may_be_shifted_apart(const pair *p, double limit)
{
    sc_vec3 ways[SC_WAYS_BETWEEN];
    const int count = sc_ways_between(p->a, p->b, p->d, ways);
    bool found = false;
    for (int i = 0; i < count && !found; i++) {
        const bool turns_in = p->inward && sc_dot(ways[i], p->d) > 0.0;
        sc_demand demand;
        found = !turns_in && sc_demand_along(ways[i], p->a, p->b, p->d, &demand) <= limit;
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
