/* shallow.c - see shallow.h.
 *
 * A triangle and what another sweeps out are two convex bodies. Along the normals of both, at
 * a right angle to the way and an edge, or to an edge of each, they overlap by some length:
 * a shift by that much separates them, and any direction in which it is short will do. A
 * shift along one of these directions that content all crossings is looked for first, as flush
 * faces need it; then one that turns to those that are not content yet, again and again, as
 * a corner in a corner needs it. */
#include "shallow.h"

#include "base/alloc.h"

/* A shift s with s . direction >= least. */
typedef struct demand {
    sc_vec3 direction;
    double least;
} demand;

/* Of one crossing: to meet one of them is enough. */
enum { MAX_DEMANDS = 34 };
typedef struct demands {
    demand any[MAX_DEMANDS];
    int count;
} demands;

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

/* A pair of triangles that passes through each other, and the way of the second. */
typedef struct pair {
    sc_vec3 a[3], b[3], d;
    bool inward; /* see sweep.h: b must not get to the side of a to which it moves */
} pair;

static void add_direction(demands *all, double limit, sc_vec3 n, const pair *p)
{
    double length = sc_length(n);
    if (!(length > 0.0)) {
        return;
    }
    n = sc_scale(n, 1.0 / length);
    for (int side = 0; side < 2; side++) {
        double overlap = overlap_along(n, p->a, p->b, p->d);
        if (overlap <= limit && !(p->inward && sc_dot(n, p->d) > 0.0)) {
            all->any[all->count++] = (demand){n, overlap};
        }
        n = sc_scale(n, -1.0);
    }
}

static void find_demands(demands *all, double limit, const pair *p)
{
    sc_vec3 edge[2][3];
    const sc_vec3 *triangles[2] = {p->a, p->b};
    all->count = 0;
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 3; k++) {
            edge[i][k] = sc_sub(triangles[i][(k + 1) % 3], triangles[i][k]);
            add_direction(all, limit, sc_cross(edge[i][k], p->d), p);
        }
        add_direction(all, limit, sc_cross(edge[i][0], edge[i][1]), p);
    }
    for (int k = 0; k < 9; k++) {
        add_direction(all, limit, sc_cross(edge[0][k / 3], edge[1][k % 3]), p);
    }
}

/* How far to go along n until one of the demands is met; infinite: never. */
static double needed_along(const demands *all, sc_vec3 n)
{
    double needed = INFINITY;
    for (int i = 0; i < all->count; i++) {
        double along = sc_dot(n, all->any[i].direction);
        if (all->any[i].least <= 0.0) {
            return 0.0;
        }
        if (along > 0.0) {
            needed = fmin(needed, all->any[i].least / along);
        }
    }
    return needed;
}

static bool along_one(const demands *all, size_t count, double limit, sc_vec3 *shift)
{
    enum { TRIED = 16 };
    double best = INFINITY;
    for (size_t i = 0; i < count && i < TRIED; i++) {
        for (int k = 0; k < all[i].count; k++) {
            sc_vec3 n = all[i].any[k].direction;
            double needed = 0.0;
            for (size_t j = 0; j < count && needed < best; j++) {
                needed = fmax(needed, needed_along(&all[j], n));
            }
            needed += 0x1p-20 * limit;
            if (needed < best && needed <= limit) {
                best = needed;
                *shift = sc_scale(n, needed);
            }
        }
    }
    return best <= limit;
}

static bool in_turns(const demands *all, size_t count, double limit, sc_vec3 *shift)
{
    enum { ROUNDS = 50 };
    bool content = false;
    *shift = (sc_vec3){0.0, 0.0, 0.0};
    for (int round = 0; round < ROUNDS && !content; round++) {
        content = true;
        for (size_t i = 0; i < count; i++) {
            double least = INFINITY;
            sc_vec3 direction = {0.0, 0.0, 0.0};
            for (int k = 0; k < all[i].count; k++) {
                const demand *want = &all[i].any[k];
                double missing = want->least - sc_dot(*shift, want->direction);
                if (missing < least) {
                    least = missing;
                    direction = want->direction;
                }
            }
            if (least > 0.0) {
                *shift = sc_mul_add(*shift, least + 0x1p-20 * limit, direction);
                content = false;
            }
        }
    }
    return content && sc_length(*shift) <= limit;
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

int sc_shallow_doubts(const sc_sweep *sweep, double limit, double apart, double *times, int most)
{
    int count = 0;
    for (size_t i = 0; i < sweep->crossing_count && count < most; i++) {
        pair p = pair_of(sweep, &sweep->crossings[i]);
        demands all;
        find_demands(&all, limit, &p);
        if (all.count > 0) {
            continue;
        }
        double time = sc_tri_sweep(p.a, p.b, p.d).first.time;
        bool known = false;
        for (int k = 0; k < count; k++) {
            known = known || fabs(times[k] - time) <= apart;
        }
        times[count] = time;
        count += !known;
    }
    return count;
}

bool sc_shallow_shift(const sc_sweep *sweep, double limit, sc_vec3 *shift)
{
    size_t count = sweep->crossing_count;
    demands *all = sc_alloc(count, sizeof *all);
    bool found = all != NULL;
    for (size_t i = 0; i < count && found; i++) {
        pair p = pair_of(sweep, &sweep->crossings[i]);
        find_demands(&all[i], limit, &p);
        found = all[i].count > 0;
    }
    found = found && (along_one(all, count, limit, shift) || in_turns(all, count, limit, shift));
    sc_free(all);
    return found;
}
