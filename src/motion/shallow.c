/* shallow.c - see shallow.h.
 *
 * A triangle and what another sweeps out are two convex bodies. Along the normals of both, at
 * a right angle to the way and an edge, or to an edge of each, they overlap by some length:
 * a shift by that much separates them, and any direction in which it is short will do. A
 * shift along one of these directions that content all crossings is looked for first, as flush
 * faces need it; then one that turns to those that are not content yet, again and again, as
 * a corner in a corner needs it; then an affine displacement, found in the same way, as a slider
 * between two walls needs it, or a pin in its hole. */
#include "shallow.h"

#include "base/alloc.h"

/* A pair of triangles that passes through each other, and the way of the second. */
typedef struct pair {
    sc_vec3 a[3], b[3], d;
    bool inward; /* see sweep.h: b must not get to the side of a to which it moves */
} pair;

/* What the vertices of the yielding triangle must be displaced by, at least, along a direction. */
typedef struct demand {
    sc_vec3 direction;
    double least[3];
} demand;

/* Of one crossing: to meet one of them is enough. */
enum { MAX_DEMANDS = 34 };
typedef struct demands {
    demand any[MAX_DEMANDS];
    sc_vec3 at[3]; /* the vertices from the centre of their part, in its radius */
    int count;
} demands;

/* That b lies beyond a along the unit vector n: what it takes of the triangle of `part`. */
static demand demand_along(sc_vec3 n, const pair *p, int part)
{
    const sc_vec3 *yields = part == 0 ? p->a : p->b, *stays = part == 0 ? p->b : p->a;
    demand want = {.direction = part == 0 ? sc_scale(n, -1.0) : n};
    double farthest = -INFINITY;
    for (int k = 0; k < 3; k++) { /* from one origin near both */
        farthest = fmax(farthest, sc_dot(want.direction, sc_sub(stays[k], p->a[0])));
    }
    for (int k = 0; k < 3; k++) {
        want.least[k] = farthest - sc_dot(want.direction, sc_sub(yields[k], p->a[0])) -
                        fmin(0.0, sc_dot(n, p->d));
    }
    return want;
}

static double most_of(const double least[3])
{
    return fmax(least[0], fmax(least[1], least[2]));
}

static void add_direction(demands *all, double limit, sc_vec3 n, const pair *p, int part)
{
    double length = sc_length(n);
    if (!(length > 0.0)) {
        return;
    }
    n = sc_scale(n, 1.0 / length);
    for (int side = 0; side < 2; side++) {
        demand want = demand_along(n, p, part);
        if (most_of(want.least) <= limit && !(p->inward && sc_dot(n, p->d) > 0.0)) {
            all->any[all->count++] = want;
        }
        n = sc_scale(n, -1.0);
    }
}

static void find_demands(demands *all, double limit, const pair *p, int part)
{
    sc_vec3 edge[2][3];
    const sc_vec3 *triangles[2] = {p->a, p->b};
    all->count = 0;
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 3; k++) {
            edge[i][k] = sc_sub(triangles[i][(k + 1) % 3], triangles[i][k]);
            add_direction(all, limit, sc_cross(edge[i][k], p->d), p, part);
        }
        add_direction(all, limit, sc_cross(edge[i][0], edge[i][1]), p, part);
    }
    for (int k = 0; k < 9; k++) {
        add_direction(all, limit, sc_cross(edge[0][k / 3], edge[1][k % 3]), p, part);
    }
}

static sc_vec3 strained(const sc_yield *yield, sc_vec3 v)
{
    const double(*m)[3] = yield->strain;
    return (sc_vec3){m[0][0] * v.x + m[0][1] * v.y + m[0][2] * v.z,
                     m[1][0] * v.x + m[1][1] * v.y + m[1][2] * v.z,
                     m[2][0] * v.x + m[2][1] * v.y + m[2][2] * v.z};
}

/* A vertex, the direction in which it would have to be displaced more, and how much. */
typedef struct complaint {
    sc_vec3 at, direction;
    double missing;
} complaint;

static complaint worst_vertex(const demands *all, const demand *want, const sc_yield *yield)
{
    complaint worst = {.missing = -INFINITY};
    for (int k = 0; k < 3; k++) {
        sc_vec3 moved = sc_add(yield->shift, strained(yield, all->at[k]));
        double missing = want->least[k] - sc_dot(want->direction, moved);
        if (missing > worst.missing) {
            worst = (complaint){all->at[k], want->direction, missing};
        }
    }
    return worst;
}

/* What a crossing misses least. */
static complaint complaint_of(const demands *all, const sc_yield *yield)
{
    complaint least = {.missing = INFINITY};
    for (int k = 0; k < all->count; k++) {
        complaint worst = worst_vertex(all, &all->any[k], yield);
        least = worst.missing < least.missing ? worst : least;
    }
    return least;
}

static bool are_content(const demands *all, size_t count, const sc_yield *yield)
{
    bool content = true;
    for (size_t i = 0; i < count && content; i++) {
        content = complaint_of(&all[i], yield).missing <= 0.0;
    }
    return content;
}

/* How far to shift along n until one of the demands is met; infinite: never. */
static double needed_along(const demands *all, sc_vec3 n)
{
    double needed = INFINITY;
    for (int i = 0; i < all->count; i++) {
        double along = sc_dot(n, all->any[i].direction), least = most_of(all->any[i].least);
        if (least <= 0.0) {
            return 0.0;
        }
        if (along > 0.0) {
            needed = fmin(needed, least / along);
        }
    }
    return needed;
}

static bool along_one(const demands *all, size_t count, double limit, const sc_poll *poll,
                      sc_yield *yield)
{
    enum { TRIED = 16 };
    double best = INFINITY;
    for (size_t i = 0; i < count && i < TRIED; i++) {
        for (int k = 0; k < all[i].count && sc_poll_goes_on(poll); k++) {
            sc_vec3 n = all[i].any[k].direction;
            double needed = 0.0;
            for (size_t j = 0; j < count && needed < best; j++) {
                needed = fmax(needed, needed_along(&all[j], n));
            }
            if (needed <= limit) {
                needed = fmin(needed + 0x1p-20 * limit, limit);
            }
            sc_yield shifted = *yield;
            shifted.shift = sc_scale(n, needed);
            if (needed < best && needed <= limit && are_content(all, count, &shifted)) {
                best = needed;
                *yield = shifted;
            }
        }
    }
    return best <= limit;
}

/* Displacements of a part in units of its radius: a shift, or with `strain` more than that. Each
 * crossing in turn has its way in what it misses least (Kaczmarz's method). */
static bool in_turns(const demands *all, size_t count, double limit, bool strain,
                     const sc_poll *poll, sc_yield *yield)
{
    enum { ROUNDS = 200, EFFORT = 1 << 20 };
    const double beyond = strain ? 0x1p-6 : 0x1p-20; /* or it takes too many rounds */
    const size_t most = EFFORT / count < ROUNDS ? EFFORT / count : ROUNDS;
    bool content = false;
    yield->shift = (sc_vec3){0.0, 0.0, 0.0};
    for (size_t round = 0; round < most && !content && sc_poll_goes_on(poll); round++) {
        content = true;
        for (size_t i = 0; i < count; i++) {
            complaint least = complaint_of(&all[i], yield);
            if (least.missing <= 0.0) {
                continue;
            }
            content = false;
            double weight = strain ? 1.0 / (1.0 + sc_dot(least.at, least.at)) : 1.0;
            sc_vec3 more = sc_scale(least.direction, weight * (least.missing + beyond * limit));
            yield->shift = sc_add(yield->shift, more);
            for (int k = 0; strain && k < 9; k++) {
                yield->strain[k / 3][k % 3] +=
                    sc_component(more, k / 3) * sc_component(least.at, k % 3);
            }
        }
    }
    return content;
}

/* Whether no point of the part is displaced by more than the limit. */
static bool is_within(const sc_yield *yield, const sc_part *part, double limit)
{
    const sc_facets *facets = &part->mesh->file.facets;
    bool within = true;
    for (uint32_t i = 0; i < facets->count && within; i++) {
        sc_vec3 v[3];
        sc_triangle_vertices(facets, &part->used, i, v);
        for (int k = 0; k < 3; k++) {
            sc_vec3 moved = sc_add(yield->shift, strained(yield, sc_sub(v[k], yield->centre)));
            within = within && sc_length(moved) <= limit;
        }
    }
    return within;
}

static bool find_yield(const demands *all, size_t count, double limit, const sc_part *part,
                       double radius, const sc_poll *poll, sc_yield *yield)
{
    if (along_one(all, count, limit, poll, yield) ||
        (in_turns(all, count, limit, false, poll, yield) && sc_length(yield->shift) <= limit)) {
        return true;
    }
    bool found = in_turns(all, count, limit, true, poll, yield);
    for (int k = 0; k < 9; k++) {
        yield->strain[k / 3][k % 3] /= radius;
    }
    return found && is_within(yield, part, limit);
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
        find_demands(&all, limit, &p, 1);
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

bool sc_shallow_yield(const sc_sweep *sweep, double limit, sc_yield *yield)
{
    const sc_box *boxes[2] = {&sweep->part[0]->used_bounds, &sweep->part[1]->used_bounds};
    const int part = sc_box_extent(boxes[0]) < sc_box_extent(boxes[1]) ? 0 : 1;
    const size_t count = sweep->crossing_count;
    const double radius = sc_box_extent(boxes[part]);
    demands *all = sc_alloc(count, sizeof *all);
    bool found = all != NULL && count > 0 && radius > 0.0;

    *yield = (sc_yield){.part = part, .centre = sc_box_centre(boxes[part])};
    for (size_t i = 0; i < count && found; i++) {
        pair p = pair_of(sweep, &sweep->crossings[i]);
        find_demands(&all[i], limit, &p, part);
        for (int k = 0; k < 3; k++) {
            sc_vec3 vertex = part == 0 ? p.a[k] : p.b[k];
            all[i].at[k] = sc_scale(sc_sub(vertex, yield->centre), 1.0 / radius);
        }
        found = all[i].count > 0;
    }
    found = found && find_yield(all, count, limit, sweep->part[part], radius, &sweep->poll, yield);
    sc_free(all);
    return found;
}

sc_part sc_yielding_part(const sc_part *part, const sc_yield *yield)
{
    sc_part out = *part;
    sc_vec3 shift = sc_sub(yield->shift, strained(yield, yield->centre));
    sc_placement_displace(&out.used, yield->strain, shift, sc_box_reach(&part->used_bounds));
    out.used_bounds = sc_blocks_placed_bounds(&out.mesh->blocks, &out.mesh->file.facets, &out.used);
    return out;
}
