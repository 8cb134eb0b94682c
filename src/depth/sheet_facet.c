/* sheet_facet.c - see sheet_facet.h, and sheet.c for what it is part of. */
#include "sheet_facet.h"

#include "base/alloc.h"
#include "depth_region.h"
#include "geom/facet_distance.h"

/* Of the limit: how thick the strips along facets are, and how far they reach beyond the sides of
 * these, so that nothing is left between neighbours. */
static const double strip = 0.998, reach_over = 0.001;

/* Of the limit: how far rounding may leave the corners of a facet off its plane. */
static const double part_off_plane = 0.001;

/* Of the limit: where casings are, well past what is near, corners off the plane included. */
static const double casing_at = 1.002;

/* Of the limit: pieces whose halves have about as many walls; and the last. If nothing that is
 * common lies deeper than the limit less 0.003 of it, what is not near is as far from the other
 * part: more than such a piece is large and a look for its side takes as room. */
static const double small = 0.01, smallest = 0.0005;

/* Of the largest coordinate: how wide a facet is that rounding made. */
static const double hair = 0x1p-46;

enum {
    MANY_CORNERS = 16,  /* of a piece that is divided first: cuts add some, and room is for 32 */
    FEW = 12,           /* facets whose strips are taken off a piece without dividing it before */
    MAX_DEPTH = 300,    /* of pieces of pieces */
    STEPS_A_POINT = 32, /* what it takes to tell whether one lies inside, about */
    VISITS_A_STEP = 8   /* facets that a walk looks at the boxes of */
};

/* Between two polls: one facet alone may take many times as many. */
static const uint64_t steps_a_poll = 1 << 16;

typedef sc_sheet_look look;

/* A piece that is to be settled, with a part of the list of walls; those that a piece was divided
 * into share one. */
typedef struct sc_sheet_task {
    sc_piece piece;
    size_t first, count;
    int depth; /* pieces of pieces */
} task;

static double in_plane(const look *l)
{
    return part_off_plane * l->limit;
}

/* A piece, for walks over facets about it. */
typedef struct about {
    look *look;
    const sc_piece *piece;
    const sc_outline *outline;
    double room;
} about;

/* ---- walls ----------------------------------------------------------------- */

/* A facet that is no wider than rounding: its neighbours' strips reach over it. */
static bool is_hair(const look *l, const sc_vec3 v[3])
{
    const sc_vec3 e = sc_sub(v[1], v[0]), f = sc_sub(v[2], v[0]), g = sc_sub(f, e);
    double longest = sqrt(sc_fmax(sc_dot(e, e), sc_fmax(sc_dot(f, f), sc_dot(g, g))));
    return sc_length(sc_cross(e, f)) <= hair * l->reach * longest;
}

static bool add_wall(void *context, uint32_t facet, const sc_vec3 v[3])
{
    const about *a = context;
    look *l = a->look;
    sc_wall wall;
    (void)facet;
    if (sc_piece_misses_facet(a->piece, a->outline, v, a->room)) {
        return true;
    }
    if (!sc_facet_has_area(v)) {
        return true; /* it bounds nothing */
    }
    if (!sc_wall_make(v, in_plane(l), &wall)) {
        return is_hair(l, v);
    }
    if (!sc_make_room(&l->walls, &l->wall_capacity, l->wall_count + 1, sizeof *l->walls)) {
        l->failed = true;
        return false;
    }
    l->walls[l->wall_count++] = wall;
    return true;
}

static bool make_room_in_list(look *l, size_t more)
{
    bool room = sc_make_room(&l->list, &l->list_capacity, l->list_count + more, sizeof *l->list);
    l->failed |= !room;
    return room;
}

/* ---- what is left of a piece ------------------------------------------------ */

static double distance_at(look *l, sc_vec3 p)
{
    return sc_surface_nearest(&l->near, p, (sc_seek){.enough = 0.0, .hint = UINT32_MAX}).distance;
}

static bool is_not_near(void *context, uint32_t facet, const sc_vec3 v[3])
{
    const about *a = context;
    (void)facet;
    return !sc_facet_has_area(v) || !sc_piece_is_near(a->piece, v, a->look->limit);
}

/* Whether a small piece beyond the sides of what is near lies near it all the same. */
static bool is_near_at_last(look *l, const sc_piece *p)
{
    const sc_vec3 middle = sc_piece_middle(p);
    const sc_box box = sc_piece_box(p);
    about a = {.look = l, .piece = p};
    const sc_walk walk = {
        .within = sc_box_grown(&box, l->limit), .facet = is_not_near, .context = &a};

    if (!sc_surface_walk(&l->near, &walk)) {
        return true;
    }
    const double radius = sc_piece_radius(p, middle);
    return radius <= l->limit && distance_at(l, middle) + radius <= l->limit;
}

static bool is_inside(look *l, sc_surface *surface, sc_vec3 p)
{
    l->steps += STEPS_A_POINT;
    return sc_surface_contains(surface, sc_surface_tidy(surface, p));
}

/* Whether what is left of a facet bounds other regions only. */
static bool bounds_others(const look *l, const sc_piece *p)
{
    const sc_vec3 middle = sc_piece_middle(p);
    return l->request->region && sc_depth_region_lacks_facet(l->request->region, l->part, l->facet,
                                                             middle, sc_piece_radius(p, middle));
}

/* Whether what is left lies outside. It meets no facet of the part, so one point tells. */
static bool is_outside(look *l, const sc_piece *p)
{
    return !is_inside(l, &l->in, sc_piece_middle(p)) || is_near_at_last(l, p) ||
           bounds_others(l, p);
}

/* Whether a facet is farther from a small piece than `room`, as a ball about that shows: also one
 * that is no wider than rounding, which has no plane to tell by. */
static bool is_out_of_reach(const sc_piece *p, const sc_vec3 v[3], double room)
{
    const sc_vec3 middle = sc_piece_middle(p);
    sc_vec3 on;
    return sc_facet_distance(middle, v, &on) > sc_piece_radius(p, middle) + room;
}

static bool is_missed(void *context, uint32_t facet, const sc_vec3 v[3])
{
    const about *a = context;
    sc_wall wall;
    (void)facet;
    if (!sc_facet_has_area(v) || sc_piece_misses_facet(a->piece, a->outline, v, a->room)) {
        return true;
    }
    return sc_wall_make(v, in_plane(a->look), &wall)
               ? sc_piece_misses(a->piece, a->outline, &wall, a->room)
               : is_out_of_reach(a->piece, v, a->room);
}

/* Where all of a piece lies, as far as a look tells. */
typedef enum side { UNKNOWN, OUTSIDE, INSIDE } side;

static side side_of_all(look *l, sc_surface *surface, const sc_piece *p, const sc_outline *outline)
{
    const sc_box box = sc_piece_box(p);
    about a = {l, p, outline, 2.0 * in_plane(l)};
    const sc_walk walk = {.within = sc_box_grown(&box, a.room), .facet = is_missed, .context = &a};
    if (!sc_surface_walk(surface, &walk)) {
        return UNKNOWN;
    }
    return is_inside(l, surface, sc_piece_middle(p)) ? INSIDE : OUTSIDE;
}

/* Leaves a piece to be settled, with a list of walls. False if memory ran out. */
static bool settle_later(look *l, const sc_piece *p, size_t first, size_t count)
{
    if (!sc_make_room(&l->tasks, &l->task_capacity, l->task_count + 1, sizeof *l->tasks)) {
        l->failed = true;
        return false;
    }
    task *t = &l->tasks[l->task_count++];
    t->piece.count = p->count;
    t->piece.normal = p->normal;
    for (int i = 0; i < p->count; i++) {
        t->piece.corner[i] = p->corner[i];
    }
    t->first = first;
    t->count = count;
    t->depth = l->depth + 1;
    return true;
}

/* Takes that place out of the list, to its end. */
static const sc_wall *put_last(look *l, size_t place, size_t last)
{
    const uint32_t wall = l->list[place];
    l->list[place] = l->list[last];
    l->list[last] = wall;
    return &l->walls[wall];
}

/* One as long as the piece whose strip holds the middle of that: of slivers side by side, which all
 * come to it at one end, halves of it would keep as many. NULL: there is none. */
static const sc_wall *longest_last(look *l, const sc_piece *p, size_t first, size_t count)
{
    const sc_vec3 middle = sc_piece_middle(p);
    const sc_box box = sc_piece_box(p);
    for (size_t i = first; i < first + count; i++) {
        const sc_wall *w = &l->walls[l->list[i]];
        bool holds = fabs(sc_dot(w->normal, sc_sub(middle, w->v[0]))) <= strip * l->limit;
        for (int k = 0; k < 3 && holds; k++) {
            holds = sc_dot(w->out[k], sc_sub(middle, w->v[k])) <= reach_over * l->limit;
        }
        if (holds && sc_box_extent(&w->box) >= sc_box_extent(&box)) {
            return put_last(l, i, first + count - 1);
        }
    }
    return NULL;
}

/* The one that takes off most: mostly the one along the piece. */
static const sc_wall *flattest_last(look *l, const sc_piece *p, size_t first, size_t count)
{
    size_t best = first, last = first + count - 1;
    double most = -1.0;
    for (size_t i = first; i <= last; i++) {
        double cosine = fabs(sc_dot(l->walls[l->list[i]].normal, p->normal));
        best = cosine > most ? i : best;
        most = sc_fmax(most, cosine);
    }
    return put_last(l, best, last);
}

/* Leaves what lies beyond the sides of a wall, by more than `over`, with a list of others; the
 * rest stays. */
static bool take_off_beyond(look *l, const sc_wall *w, sc_piece *p, size_t first, size_t count,
                            double over)
{
    for (int k = 0; k < 3 && p->count > 0; k++) {
        sc_piece beyond, within;
        if (!sc_piece_cut(p, w->out[k], w->v[k], over, &beyond, &within) ||
            (beyond.count > 0 && !sc_piece_is_near(&beyond, w->v, l->limit) &&
             !settle_later(l, &beyond, first, count))) {
            return false;
        }
        *p = within;
    }
    return true;
}

/* Takes off the strip along a wall, and leaves the rest with a list of others. */
static bool take_off(look *l, const sc_wall *w, const sc_piece *p, size_t first, size_t count)
{
    const double thick = strip * l->limit;
    sc_piece front, rest, back, middle;

    if (!sc_piece_cut(p, w->normal, w->v[0], thick, &front, &rest) ||
        (front.count > 0 && !settle_later(l, &front, first, count)) ||
        !sc_piece_cut(&rest, w->normal, w->v[0], -thick, &middle, &back) ||
        (back.count > 0 && !settle_later(l, &back, first, count)) ||
        !take_off_beyond(l, w, &middle, first, count, reach_over * l->limit)) {
        return false;
    }
    if (middle.count == 0 || sc_piece_is_near(&middle, w->v, l->limit)) {
        return true;
    }
    /* what lies beyond the tip of a sliver, but not beyond its sides */
    return take_off_beyond(l, w, &middle, first, count, 0.0) &&
           (middle.count == 0 || sc_piece_is_near(&middle, w->v, l->limit));
}

/* Leaves so many pieces, or what there is of them, with a list. */
static bool settle_pieces(look *l, const sc_piece *pieces, int number, size_t first, size_t count)
{
    for (int i = 0; i < number; i++) {
        if (pieces[i].count > 0 && !settle_later(l, &pieces[i], first, count)) {
            return false;
        }
    }
    return true;
}

static bool settle_halves(look *l, const sc_piece *p, size_t first, size_t count)
{
    sc_piece half[2];
    return sc_piece_halve(p, half) && settle_pieces(l, half, 2, first, count);
}

/* What of a piece lies over a wall, and what lies beyond each side of that. */
static bool cut_to_wall(const sc_piece *p, const sc_wall *w, sc_piece *within, sc_piece beyond[3])
{
    sc_piece rest;
    *within = *p;
    beyond[0].count = beyond[1].count = beyond[2].count = 0;
    for (int k = 0; k < 3 && within->count > 0; k++) {
        if (!sc_piece_cut(within, w->out[k], w->v[k], 0.0, &beyond[k], &rest)) {
            return false;
        }
        *within = rest;
    }
    return true;
}

/* Of a piece of a casing that no strip is left for, what lies over some wall and near it; leaves
 * the rest. Strips are thinner than the limit, so that much is near which none of them covers. */
static bool settle_remains(look *l, const sc_piece *p)
{
    const sc_outline outline = sc_piece_outline(p, in_plane(l));
    const sc_box corners = sc_piece_box(p), box = sc_box_grown(&corners, l->limit);

    for (size_t i = 0; i < l->wall_count; i++) {
        const sc_wall *w = &l->walls[i];
        if (!sc_boxes_meet(&box, &w->box) || sc_piece_misses(p, &outline, w, l->limit)) {
            continue;
        }
        sc_piece within, beyond[3];
        l->steps++;
        if (!cut_to_wall(p, w, &within, beyond)) {
            return false;
        }
        /* a mere hair would leave the piece as it was, again and again */
        if (within.count > 0 && sc_piece_is_wider(&within, in_plane(l)) &&
            sc_piece_is_near(&within, w->v, l->limit)) {
            return settle_pieces(l, beyond, 3, 0, 0);
        }
    }
    return settle_halves(l, p, 0, 0);
}

/* Divides a piece, and leaves its parts: into halves as long as that leaves walls behind, as it
 * does not where a small piece lies as far from several as a core does. */
static bool settle_parts(look *l, const sc_piece *p, size_t first, size_t count)
{
    const sc_box box = sc_piece_box(p);
    const double extent = sc_box_extent(&box);
    const bool is_small = extent <= small * l->limit, is_last = extent <= smallest * l->limit;

    if (p->count > MANY_CORNERS) {
        return settle_halves(l, p, first, count);
    }
    if (count == 0 && !l->cased) {
        return is_outside(l, p) || (!is_last && distance_at(l, sc_piece_middle(p)) <= l->limit &&
                                    settle_halves(l, p, first, count));
    }
    if (count == 0 && is_small) {
        return is_near_at_last(l, p) || (!is_last && settle_halves(l, p, first, count));
    }
    if (count == 0) {
        return settle_remains(l, p);
    }
    const sc_wall *wall = count <= FEW || is_small ? flattest_last(l, p, first, count)
                                                   : longest_last(l, p, first, count);
    return wall ? take_off(l, wall, p, first, count - 1) : settle_halves(l, p, first, count);
}

/* Long facets are met by many walks that they are not near to. */
uint64_t sc_sheet_steps(const look *l)
{
    return l->steps + (l->near.visited + l->in.visited) / VISITS_A_STEP;
}

/* Whether it has taken all that it may. */
static bool is_spent(const look *l)
{
    return sc_sheet_steps(l) > l->most_steps;
}

bool sc_sheet_poll(look *l)
{
    l->polled_at = sc_sheet_steps(l);
    l->given_up = l->given_up || !sc_poll_goes_on(&l->request->poll);
    return !l->given_up;
}

static bool poll_at_times(look *l)
{
    return sc_sheet_steps(l) < l->polled_at + steps_a_poll || sc_sheet_poll(l);
}

/* Whether nothing of a piece is left inside, with the walls of a list, once all that it leaves for
 * later is settled. */
static bool settle(look *l, const sc_piece *p, size_t first, size_t count)
{
    const size_t begin = l->list_count;
    const sc_box corners = sc_piece_box(p), box = sc_box_grown(&corners, l->limit);
    const sc_outline outline = sc_piece_outline(p, in_plane(l));

    l->steps += count + 1;
    if (is_spent(l) || l->depth >= MAX_DEPTH || !make_room_in_list(l, count)) {
        return false;
    }
    const side where = l->cased ? side_of_all(l, &l->in, p, &outline) : UNKNOWN;
    bool good = where == OUTSIDE || (l->cased && side_of_all(l, &l->near, p, &outline) == OUTSIDE);
    for (size_t i = first; i < first + count && !good; i++) {
        const sc_wall *wall = &l->walls[l->list[i]];
        if (sc_boxes_meet(&box, &wall->box) && !sc_piece_misses(p, &outline, wall, l->limit)) {
            l->list[l->list_count++] = l->list[i];
            const sc_box reached = sc_box_grown(&wall->box, l->limit);
            good = sc_box_inside(&corners, &reached) && sc_piece_is_near(p, wall->v, l->limit);
        }
    }
    const size_t kept = l->list_count - begin;
    if (!good && where == INSIDE && kept == 0 &&
        distance_at(l, sc_piece_middle(p)) > l->limit) { /* a piece of a core */
        return l->request->region &&
               !sc_depth_region_holds(l->request->region, l->solid, sc_piece_middle(p));
    }
    return good || settle_parts(l, p, begin, kept);
}

/* Puts the tasks from there on in the opposite order: the first one that was left is next. */
static void turn_round(look *l, size_t first)
{
    for (size_t last = l->task_count; last > first + 1; first++) {
        const task t = l->tasks[--last];
        l->tasks[last] = l->tasks[first];
        l->tasks[first] = t;
    }
}

/* Of what is left of a piece, a corner or the middle: what is farthest from what is near. */
static sc_vec3 farthest_of(look *l, const sc_piece *p)
{
    sc_vec3 place = sc_piece_middle(p);
    double most = distance_at(l, place);
    for (int i = 0; i < p->count; i++) {
        const double distance = distance_at(l, p->corner[i]);
        place = distance > most ? p->corner[i] : place;
        most = sc_fmax(most, distance);
    }
    return place;
}

/* Whether nothing of all tasks is left inside. No recursion, as a stack may be small. */
static bool settle_tasks(look *l)
{
    bool good = true;
    while (l->task_count > 0 && good) {
        const task t = l->tasks[--l->task_count];
        const size_t before = l->task_count;
        l->list_count = t.first + t.count; /* those behind are of tasks that are done */
        l->depth = t.depth;
        good = poll_at_times(l) && settle(l, &t.piece, t.first, t.count);
        if (!good && !l->given_up && l->request->rest) {
            *l->request->rest = (sc_sheet_rest){farthest_of(l, &t.piece), is_spent(l)};
        }
        turn_round(l, before);
    }
    l->task_count = 0;
    return good;
}

/* Leaves what lies within the box, and may leave more. */
static void cut_off_beyond(sc_piece *p, const sc_box *within)
{
    for (int i = 0; i < 6; i++) {
        const int k = i / 2;
        const double out = i % 2 ? 1.0 : -1.0;
        const sc_vec3 normal = {k == 0 ? out : 0.0, k == 1 ? out : 0.0, k == 2 ? out : 0.0};
        const sc_vec3 corner = sc_box_corner(within, i % 2 ? 7 : 0);
        sc_piece beyond, rest;
        if (sc_piece_cut(p, normal, corner, 0.0, &beyond, &rest)) {
            *p = rest;
        }
    }
}

static bool settle_all_of(look *l, const sc_piece *whole)
{
    sc_piece piece = *whole, *p = &piece;
    if (l->request->region) {
        cut_off_beyond(p, &l->within);
        if (p->count == 0) {
            return true;
        }
    }
    const sc_box box = sc_piece_box(p);
    const sc_outline outline = sc_piece_outline(p, in_plane(l));
    about a = {l, p, &outline, l->limit};
    const sc_walk walk = {.within = sc_box_grown(&box, l->limit), .facet = add_wall, .context = &a};
    l->wall_count = l->list_count = 0;
    if (!sc_surface_walk(&l->near, &walk) || !make_room_in_list(l, l->wall_count)) {
        return false;
    }
    for (size_t i = 0; i < l->wall_count; i++) {
        l->list[l->list_count++] = (uint32_t)i;
    }
    l->depth = -1;
    return settle_later(l, p, 0, l->wall_count) && settle_tasks(l);
}

static bool settle_facet(look *l, const sc_vec3 v[3])
{
    sc_wall own;
    sc_piece p = {.count = 3, .corner = {v[0], v[1], v[2]}};
    if (sc_wall_make(v, in_plane(l), &own)) {
        p.normal = own.normal;
    }
    return settle_all_of(l, &p);
}

static bool settle_face(void *context, const sc_piece *face)
{
    return settle_all_of(context, face);
}

/* What something may come through to the facet. No facet beside hair need be as near: all of them
 * may be hair, back to back. */
static bool settle_casing(look *l, const sc_vec3 v[3])
{
    sc_wall own;
    l->casing.surface = &l->near;
    l->casing.distance = casing_at * l->limit;
    l->casing.take = settle_face;
    l->casing.context = l;
    if (sc_wall_make(v, in_plane(l), &own)) {
        return sc_casing_of_facet(&l->casing, l->facet, &own);
    }
    return is_hair(l, v) && (!sc_facet_has_area(v) || sc_casing_of_hair(&l->casing, v));
}

bool sc_sheet_facet(look *l, uint32_t facet, const sc_vec3 v[3])
{
    l->facet = facet;
    return l->cased ? settle_casing(l, v) : settle_facet(l, v);
}

void sc_sheet_look_free(look *l)
{
    sc_free(l->casing.ways);
    sc_free(l->walls);
    sc_free(l->list);
    sc_free(l->tasks);
}
