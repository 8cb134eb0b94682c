/* sheet.c - see sheet.h.
 *
 * A point that lies deeper than the limit in part A lies in its core, which begins that far
 * below the surface. No core holds a point of B if
 *
 *     1. no facet of B comes into it, and
 *     2. it does not lie inside B with all of one of its pieces: some facet of A bounds each piece
 *        at the depth of the limit, so it is enough to look there.
 *
 * For 1, what lies near facets of A is taken off a facet of B: of a strip along the plane of
 * such a facet, what lies over it. What is left meets none of them, so it lies inside A or
 * outside with all of each piece, and one winding number tells. For 2, the same is done with
 * facets of A, moved inwards, and what is left of them asked for in B. */
#include "sheet.h"

#include "base/alloc.h"
#include "depth_near.h"

/* Of the limit: how thick the strips along facets are, and how far they reach beyond the sides of
 * these, so that nothing is left between neighbours. */
static const double strip = 0.99, reach_over = 0.001;

/* Of the limit: where a core begins, past all that is near; how far rounding may leave the corners of
 * a facet off its plane. */
static const double begin_of_core = 1.0 + 0x1p-20, in_plane = 0.001;

/* Of the largest coordinate: how wide a facet is that rounding made; the least limit that leaves
 * room for rounding. */
static const double hair = 0x1p-46, least_limit = 0x1p-30;

enum {
    MAX_CORNERS = 32, /* of a piece */
    FEW = 12,         /* facets whose strips are taken off a piece without dividing it before */
    MAX_HALVINGS = 60,
    FACETS_A_POLL = 64 /* looked at between two polls */
};

/* Facets held against pieces at most. */
static const uint64_t most_steps_in_all = 1000000, steps_a_facet = 200;

/* A convex piece of a plane. */
typedef struct piece {
    sc_vec3 corner[MAX_CORNERS];
    int count;
} piece;

/* A facet with area. */
typedef struct wall {
    sc_vec3 v[3], normal; /* unit */
    sc_box box;
} wall;

/* What is looked with. */
typedef struct look {
    sc_shell near, in; /* from what strips are taken off; in what nothing may be left */
    bool moved;        /* facets to where their own core begins */
    double limit, reach;
    sc_vec3 normal; /* of the facet at hand; zero if it is not known well */
    wall *walls; /* [capacity] the lists of the pieces that are being divided, one after another */
    size_t count, capacity;
    uint64_t steps, most_steps;
    bool failed; /* memory ran out */
} look;

/* ---- pieces ---------------------------------------------------------------- */

static sc_box box_of(const sc_vec3 *points, int count)
{
    sc_box box = sc_box_empty();
    for (int i = 0; i < count; i++) {
        sc_box_add_point(&box, points[i]);
    }
    return box;
}

/* What has `height` at least 0, and the rest: either may be empty. False if one has too many
 * corners. */
static bool divide(const piece *p, const double height[MAX_CORNERS], piece *above, piece *below)
{
    above->count = below->count = 0;
    for (int i = 0; i < p->count; i++) {
        int next = i + 1 < p->count ? i + 1 : 0;
        double at = height[i], to = height[next];
        if (above->count > MAX_CORNERS - 2 || below->count > MAX_CORNERS - 2) {
            return false;
        }
        if (at >= 0.0) {
            above->corner[above->count++] = p->corner[i];
        }
        if (at <= 0.0) {
            below->corner[below->count++] = p->corner[i];
        }
        if ((at > 0.0 && to < 0.0) || (at < 0.0 && to > 0.0)) {
            sc_vec3 between = sc_sub(p->corner[next], p->corner[i]);
            sc_vec3 cut = sc_mul_add(p->corner[i], at / (at - to), between);
            above->corner[above->count++] = cut;
            below->corner[below->count++] = cut;
        }
    }
    above->count = above->count < 3 ? 0 : above->count;
    below->count = below->count < 3 ? 0 : below->count;
    return true;
}

/* By a plane through `at`: above is where `normal` points, from `offset` along it on. */
static bool divide_by(const piece *p, sc_vec3 normal, sc_vec3 at, double offset, piece *above,
                      piece *below)
{
    double height[MAX_CORNERS];
    for (int i = 0; i < p->count; i++) {
        height[i] = sc_dot(normal, sc_sub(p->corner[i], at)) - offset;
    }
    return divide(p, height, above, below);
}

static bool halve(const piece *p, piece half[2])
{
    sc_box box = box_of(p->corner, p->count);
    int axis = 0;
    for (int k = 1; k < 3; k++) {
        axis = box.high[k] - box.low[k] > box.high[axis] - box.low[axis] ? k : axis;
    }
    double middle = 0.5 * (box.low[axis] + box.high[axis]), height[MAX_CORNERS];
    for (int i = 0; i < p->count; i++) {
        height[i] = sc_component(p->corner[i], axis) - middle;
    }
    return divide(p, height, &half[0], &half[1]);
}

/* Whether all points lie farther than `limit` to one side of a plane. */
static bool lies_off(const sc_vec3 *points, int count, sc_vec3 normal, sc_vec3 at, double limit)
{
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < count; i++) {
        double height = sc_dot(normal, sc_sub(points[i], at));
        low = sc_min(low, height);
        high = sc_max(high, height);
    }
    return low > limit || high < -limit;
}

/* Whether a wall may come near a piece. */
static bool may_be_near(const look *l, const piece *p, const sc_box *box, const wall *w)
{
    return sc_boxes_meet(box, &w->box) &&
           !lies_off(p->corner, p->count, w->normal, w->v[0], l->limit) &&
           !lies_off(w->v, 3, l->normal, p->corner[0], l->limit);
}

/* Points near a facet are near it with all that lies between them. */
static bool is_near(const look *l, const piece *p, const wall *w)
{
    for (int i = 0; i < p->count; i++) {
        sc_vec3 on;
        if (!(sc_facet_distance(p->corner[i], w->v, &on) <= l->limit)) {
            return false;
        }
    }
    return true;
}

/* For so many walls more. */
static bool make_room(look *l, size_t more)
{
    if (l->count + more > l->capacity) {
        size_t capacity = 2 * (l->count + more) + 64;
        wall *walls = sc_realloc(l->walls, capacity, sizeof *walls);
        l->failed = !walls;
        if (!walls) {
            return false;
        }
        l->walls = walls;
        l->capacity = capacity;
    }
    return true;
}

/* ---- what is left of a piece ------------------------------------------------ */

static sc_vec3 middle_of(const piece *p)
{
    sc_vec3 sum = p->corner[0];
    for (int i = 1; i < p->count; i++) {
        sum = sc_add(sum, p->corner[i]);
    }
    return sc_scale(sum, 1.0 / p->count);
}

static double distance_at(look *l, sc_vec3 p)
{
    return sc_shell_nearest(&l->near, p, (sc_seek){.enough = 0.0, .hint = UINT32_MAX}).distance;
}

/* A facet that all of a piece may be near. */
typedef struct nearness {
    const look *look;
    const piece *piece;
} nearness;

static bool is_not_near(void *context, uint32_t facet, const sc_vec3 v[3])
{
    const nearness *n = context;
    const wall w = {.v = {v[0], v[1], v[2]}};
    (void)facet;
    return !is_near(n->look, n->piece, &w);
}

/* Whether a small piece beyond the sides of what is near lies near it all the same. */
static bool is_near_at_last(look *l, const piece *p)
{
    const sc_vec3 middle = middle_of(p);
    const sc_box box = box_of(p->corner, p->count);
    nearness n = {l, p};
    const sc_walk walk = {
        .within = sc_box_grown(&box, l->limit), .facet = is_not_near, .context = &n};
    double radius = 0.0;

    if (!sc_shell_walk(&l->near, &walk)) {
        return true;
    }
    for (int i = 0; i < p->count; i++) {
        radius = fmax(radius, sc_length(sc_sub(p->corner[i], middle)));
    }
    return radius <= l->limit && distance_at(l, middle) + radius <= l->limit;
}

static bool is_inside(look *l, sc_vec3 p)
{
    return sc_shell_contains(&l->in, sc_shell_tidy(&l->in, p));
}

/* Whether what is left lies outside. It meets no facet of the part, so one point tells. */
static bool is_outside(look *l, const piece *p)
{
    return !is_inside(l, middle_of(p)) || is_near_at_last(l, p);
}

/* The same of what is left where a core begins: of those of its points that lie in the core. Of
 * several, for what joins them may lie beside it. */
static bool is_core_outside(look *l, const piece *p)
{
    const sc_vec3 middle = middle_of(p);
    for (int i = -1; i < p->count; i++) {
        sc_vec3 at = middle;
        if (i >= 0) {
            at = sc_mul_add(middle, 0.875, sc_sub(p->corner[i], middle));
        }
        if (is_inside(l, at) && distance_at(l, at) > l->limit) {
            return false;
        }
    }
    return true;
}

static bool settle(look *l, const piece *p, size_t first, size_t count, int halvings);

/* The one that takes off most: mostly the one along the piece. */
static void flattest_last(look *l, size_t first, size_t count)
{
    size_t best = first, last = first + count - 1;
    for (size_t i = first; i <= last; i++) {
        double cosine = fabs(sc_dot(l->walls[i].normal, l->normal));
        best = cosine > fabs(sc_dot(l->walls[best].normal, l->normal)) ? i : best;
    }
    wall w = l->walls[best];
    l->walls[best] = l->walls[last];
    l->walls[last] = w;
}

/* Settles what lies beyond the sides of the last of the walls, by more than `over`, with the
 * others; the rest stays. */
static bool take_off_beyond(look *l, piece *p, size_t first, size_t count, int halvings,
                            double over)
{
    const wall w = l->walls[first + count - 1];
    for (int k = 0; k < 3 && p->count > 0; k++) {
        sc_vec3 side = sc_sub(w.v[k < 2 ? k + 1 : 0], w.v[k]), out = sc_cross(side, w.normal);
        piece beyond, within;
        if (!divide_by(p, sc_scale(out, 1.0 / sc_length(out)), w.v[k], over, &beyond, &within) ||
            (beyond.count > 0 && !is_near(l, &beyond, &w) &&
             !settle(l, &beyond, first, count - 1, halvings))) {
            return false;
        }
        *p = within;
    }
    return true;
}

/* Takes off the strip along the last of the walls, and settles what is left with the others. */
static bool take_off(look *l, const piece *p, size_t first, size_t count, int halvings)
{
    const wall w = l->walls[first + count - 1];
    const double thick = strip * l->limit;
    piece front, rest, back, middle;

    if (!divide_by(p, w.normal, w.v[0], thick, &front, &rest) ||
        (front.count > 0 && !settle(l, &front, first, count - 1, halvings)) ||
        !divide_by(&rest, w.normal, w.v[0], -thick, &middle, &back) ||
        (back.count > 0 && !settle(l, &back, first, count - 1, halvings)) ||
        !take_off_beyond(l, &middle, first, count, halvings, reach_over * l->limit)) {
        return false;
    }
    if (middle.count == 0 || is_near(l, &middle, &w)) {
        return true;
    }
    /* what lies beyond the tip of a sliver, but not beyond its sides */
    return take_off_beyond(l, &middle, first, count, halvings, 0.0) &&
           (middle.count == 0 || is_near(l, &middle, &w));
}

/* Whether nothing of a piece is left inside, with the walls of a list. */
static bool settle(look *l, const piece *p, size_t first, size_t count, int halvings)
{
    const size_t begin = l->count;
    const sc_box corners = box_of(p->corner, p->count), box = sc_box_grown(&corners, l->limit);
    bool good = true, near = false;

    l->steps += count + 1;
    if (l->steps > l->most_steps || !make_room(l, count)) {
        return false;
    }
    for (size_t i = first; i < first + count && !near; i++) {
        if (may_be_near(l, p, &box, &l->walls[i])) {
            l->walls[l->count++] = l->walls[i];
            near = is_near(l, p, &l->walls[i]);
        }
    }
    if (!near) {
        const size_t kept = l->count - begin;
        piece half[2];
        if (kept == 0) {
            good = l->moved ? is_core_outside(l, p) : is_outside(l, p);
        } else if (kept <= FEW || halvings == 0) {
            flattest_last(l, begin, kept);
            good = take_off(l, p, begin, kept, halvings);
        } else if (halve(p, half)) {
            for (int i = 0; i < 2 && good; i++) {
                good = half[i].count == 0 || settle(l, &half[i], begin, kept, halvings - 1);
            }
        } else {
            good = false;
        }
    }
    l->count = begin;
    return good;
}

/* The unit normal of a facet. False where rounding leaves its plane in doubt. */
static bool find_normal(const look *l, const sc_vec3 v[3], sc_vec3 *normal)
{
    const sc_vec3 e = sc_sub(v[1], v[0]), f = sc_sub(v[2], v[0]), n = sc_cross(e, f);
    *normal = sc_scale(n, 1.0 / sc_length(n));
    double off = fmax(fabs(sc_dot(*normal, e)), fabs(sc_dot(*normal, f)));
    return off <= in_plane * l->limit; /* not if it has no area, NaN */
}

/* A facet that is no wider than rounding: its neighbours' strips reach over it. */
static bool is_hair(const look *l, const sc_vec3 v[3])
{
    const sc_vec3 e = sc_sub(v[1], v[0]), f = sc_sub(v[2], v[0]), g = sc_sub(f, e);
    double longest = sqrt(fmax(sc_dot(e, e), fmax(sc_dot(f, f), sc_dot(g, g))));
    return sc_length(sc_cross(e, f)) <= hair * l->reach * longest;
}

static bool add_wall(void *context, uint32_t facet, const sc_vec3 v[3])
{
    look *l = context;
    wall w = {.v = {v[0], v[1], v[2]}, .box = box_of(v, 3)};
    (void)facet;
    if (!find_normal(l, v, &w.normal)) {
        return is_hair(l, v);
    }
    if (!make_room(l, 1)) {
        return false;
    }
    l->walls[l->count++] = w;
    return true;
}

static bool settle_facet(look *l, const sc_vec3 v[3])
{
    const double offset = l->moved ? begin_of_core * l->limit : 0.0;
    piece p = {.count = 3};

    if (!find_normal(l, v, &l->normal)) {
        if (l->moved) {
            return true; /* there are others to find a piece of the core by */
        }
        l->normal = (sc_vec3){0.0, 0.0, 0.0};
    }
    for (int k = 0; k < 3; k++) {
        p.corner[k] = sc_mul_add(v[k], -offset, l->normal);
    }
    const sc_box box = box_of(p.corner, 3);
    sc_walk walk = {.within = sc_box_grown(&box, l->limit), .facet = add_wall, .context = l};
    l->count = 0;
    return sc_shell_walk(&l->near, &walk) && settle(l, &p, 0, l->count, MAX_HALVINGS);
}

/* ---- all facets ------------------------------------------------------------- */

/* Facets of part i: whether they come into the core of the other part; or, moved inwards, lie inside
 * the other one. */
static bool settle_facets(look *l, const sc_sheet_request *request, int i)
{
    const sc_solid *own = request->solid[i];
    const uint32_t facets = own->part->mesh->file.facets.count;
    const sc_box near = sc_box_grown(&request->solid[1 - i]->part->used_bounds, 2.5 * l->limit);

    for (uint32_t f = 0; f < facets; f++) {
        sc_vec3 v[3];
        sc_solid_facet(own, f, v);
        sc_box box = box_of(v, 3);
        if ((sc_boxes_meet(&box, &near) && !settle_facet(l, v)) ||
            (f % FACETS_A_POLL == 0 && request->poll && !request->poll(request->poll_context))) {
            return false;
        }
    }
    return true;
}

bool sc_sheet_overlap(const sc_sheet_request *request, bool *shallow)
{
    sc_solid *const *solid = request->solid;
    const sc_part *a = solid[0]->part, *b = solid[1]->part;
    const double reach = fmax(sc_box_reach(&a->used_bounds), sc_box_reach(&b->used_bounds));
    look l = {.limit = request->limit,
              .reach = reach,
              .most_steps = most_steps_in_all + steps_a_facet * sc_parts_facets(a, b)};
    bool failed = false;

    *shallow = request->limit > least_limit * reach;
    for (int moved = 0; moved < 2; moved++) {
        for (int i = 0; i < 2 && *shallow; i++) {
            l.moved = moved != 0;
            l.near =
                (sc_shell){.solid = solid[moved ? i : 1 - i], .margin = reach * SC_SHELL_MARGIN};
            l.in = (sc_shell){.solid = solid[1 - i], .margin = reach * SC_SHELL_MARGIN};
            *shallow = settle_facets(&l, request, i);
            failed = failed || l.failed || l.near.failed || l.in.failed;
        }
    }
    sc_free(l.walls);
    return !failed;
}
