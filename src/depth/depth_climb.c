/* depth_climb.c - see depth_climb.h.
 *
 * A bundle method: a facet that shows that a step leads no higher is one to keep away from, as
 * those are that were nearest so far. The way leads where the least of the distances from all of
 * these rises most, which is along a ridge between them, or along the surface of the other part
 * where that is in the way, or an edge of that; twice as far the next time, or half as far if that
 * led no higher. */
#include "depth_climb.h"

#include "solids/outlook.h"

/* Looks in all, and with steps of one length; and the gain that is worth a step, as part of the
 * depth and of the step, unless it is asked for more precisely: what gains less goes to and fro.
 * But between facets that are nearly parallel all ways up are long, and of next to no slope. */
enum { MAX_LOOKS = 400, MAX_TURNS = 4 };
static const double most_worth = 1e-3, most_worth_of_step = 1.0 / 64.0, least_slope = 0x1p-30;

/* Steps of up to this part of the depth are short beside it: few facets may be the nearest. */
static const double short_step = 1.0 / 32.0;

/* Facets that more precise climbs may look at: about the centre of a ball each look is at many. */
enum { MOST_VISITS = 20000 };

enum { BUNDLE = 8, WALLS = 2 };

/* A part of the surface of the other part that held the climber back: as a plane. */
typedef struct wall {
    sc_vec3 at, inward; /* a point of it, and the unit vector into that part, or zero */
} wall;

typedef struct climber {
    sc_surface *surface;
    sc_outlook own; /* of the surface that is to be far */
    const sc_box *within;
    int x, looks;
    double precision;       /* of depths, as part of them */
    uint32_t facet[BUNDLE]; /* to keep away from; the latest replaces the oldest */
    unsigned facets;        /* so far */
    bool held;              /* back by the other part, which the last step left */
    uint32_t hint;          /* a facet of that near where one did */
    wall walls[WALLS];      /* not to be left again; the latest replaces its like, or the oldest */
    unsigned wall_count;    /* so far */
} climber;

/* Where it is seen from nearly the same side, it is one that bends. */
static void keep_within(climber *c, wall w)
{
    static const double like = 0.5; /* the cosine */
    for (unsigned i = 0; i < WALLS && i < c->wall_count; i++) {
        if (sc_dot(c->walls[i].inward, w.inward) > like) {
            c->walls[i] = w;
            return;
        }
    }
    c->walls[c->wall_count++ % WALLS] = w;
}

/* Moves p to the surface of the other part, if it is outside of that, which then is a wall; whether
 * it is common then. */
static bool hold_back(climber *c, sc_vec3 *p)
{
    sc_surface *other = &c->surface[1 - c->x];
    c->held = false;
    if (!sc_surface_contains(other, *p)) {
        sc_nearest n = sc_surface_nearest(other, *p, (sc_seek){.hint = c->hint});
        const sc_vec3 in = sc_sub(n.point, *p);
        keep_within(c, (wall){n.point, n.distance > 0.0 ? sc_scale(in, 1.0 / n.distance) : in});
        c->hint = n.facet;
        c->held = true;
        *p = sc_surface_tidy(other, n.point);
    }
    return sc_box_holds(c->within, *p) && sc_surface_contains(&c->surface[c->x], *p);
}

/* Whether that is a new one. */
static bool keep_away(climber *c, uint32_t facet)
{
    for (unsigned i = 0; i < BUNDLE && i < c->facets; i++) {
        if (c->facet[i] == facet) {
            return false;
        }
    }
    c->facet[c->facets++ % BUNDLE] = facet;
    return true;
}

/* Moves *at to p, or where p is held back, if that surely lies deeper than `enough`, and tells how
 * deep. If not, whether it was a new facet that showed so, or a wall. How far the surface is, where
 * that is far, is the dearest question. */
typedef enum outcome { HIGHER, NO_HIGHER, NO_HIGHER_NEWS } outcome;
static outcome look(climber *c, sc_vec3 p, double enough, sc_vec3 *at, double *depth)
{
    sc_surface *own = &c->surface[c->x];
    c->looks++;
    p = sc_surface_tidy(own, p);
    if (!hold_back(c, &p)) {
        return NO_HIGHER;
    }
    const uint32_t latest = c->facets > 0 ? c->facet[(c->facets - 1) % BUNDLE] : UINT32_MAX;
    sc_nearest n =
        sc_outlook_nearest(&c->own, p, (sc_seek){enough, INFINITY, c->precision, 0.0, latest});
    const double found = n.distance * (1.0 - c->precision) - own->margin;
    const bool news = keep_away(c, n.facet);
    if (found > enough) {
        if (!c->held) { /* what was in the way from there need not be from here */
            c->wall_count = 0;
        }
        *at = p;
        *depth = found;
        return HIGHER;
    }
    return news || c->held ? NO_HIGHER_NEWS : NO_HIGHER;
}

/* The distances from facets of the bundle, less what rounding may have added, and the room before
 * each wall; to first order. */
typedef struct slopes {
    int count;
    double distance[BUNDLE];
    sc_vec3 away[BUNDLE];
    int walls;
    double room[WALLS];
    sc_vec3 inward[WALLS];
} slopes;

static slopes slopes_at(const climber *c, sc_vec3 p)
{
    slopes s = {.count = c->facets < BUNDLE ? (int)c->facets : BUNDLE,
                .walls = c->wall_count < WALLS ? (int)c->wall_count : WALLS};
    sc_vec3 v[3], on;
    for (int i = 0; i < s.count; i++) {
        sc_solid_facet(c->surface[c->x].solid, c->facet[i], v);
        s.distance[i] = sc_facet_distance(p, v, &on);
        const sc_vec3 away = sc_sub(p, on);
        s.away[i] = s.distance[i] > 0.0 ? sc_scale(away, 1.0 / s.distance[i]) : away;
        s.distance[i] -= c->surface[c->x].margin;
    }
    for (int i = 0; i < s.walls; i++) {
        s.inward[i] = c->walls[i].inward;
        s.room[i] = sc_max(0.0, sc_dot(s.inward[i], sc_sub(p, c->walls[i].at)));
    }
    return s;
}

/* A mean of ways up, by weights whose sum is 1, and of what the walls add to that. */
typedef struct blend {
    double weight[BUNDLE], push[WALLS]; /* none is negative */
    sc_vec3 mean;
} blend;

/* Moves weight between any two of them, and the push of each wall, to where half the square of the
 * mean, in units of `reach`, and the distances are least together. */
static void balance(const slopes *s, double reach, blend *b)
{
    for (int i = 1; i < s->count; i++) {
        for (int j = 0; j < i; j++) {
            const sc_vec3 turn = sc_sub(s->away[i], s->away[j]);
            const double curve = sc_dot(turn, turn);
            const double rise = sc_dot(turn, b->mean) + (s->distance[i] - s->distance[j]) / reach;
            double shift = curve > 0.0 ? -rise / curve : 0.0;
            shift = sc_max(-b->weight[i], sc_min(shift, b->weight[j]));
            b->weight[i] += shift;
            b->weight[j] -= shift;
            b->mean = sc_mul_add(b->mean, shift, turn);
        }
    }
    for (int i = 0; i < s->walls; i++) {
        const double rise = sc_dot(s->inward[i], b->mean) + s->room[i] / reach;
        const double push = sc_max(0.0, b->push[i] - rise);
        b->mean = sc_mul_add(b->mean, push - b->push[i], s->inward[i]);
        b->push[i] = push;
    }
}

/* The same until the mean hardly moves any more. */
static void settle(const slopes *s, double reach, blend *b)
{
    enum { SWEEPS = 64 };
    static const double hardly = 1.0 / 64.0;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        const sc_vec3 before = b->mean;
        balance(s, reach, b);
        if (sc_length(sc_sub(b->mean, before)) <= hardly * sc_length(b->mean)) {
            return;
        }
    }
}

/* What the least of the distances comes to. */
static double least_after(const slopes *s, sc_vec3 way)
{
    double least = INFINITY;
    for (int i = 0; i < s->count; i++) {
        least = sc_min(least, s->distance[i] + sc_dot(s->away[i], way));
    }
    return least;
}

/* No way so long, on this side of the walls, leads to where the least of the distances is more than
 * that: no mean of them is less than the least. */
static double most_after(const slopes *s, const blend *b, double step)
{
    double most = step * sc_length(b->mean);
    for (int i = 0; i < s->walls; i++) {
        most += b->push[i] * s->room[i];
    }
    for (int i = 0; i < s->count; i++) {
        most += b->weight[i] * s->distance[i];
    }
    return most;
}

/* The way, no longer than `step`, along which the least of the distances rises most; zero where it
 * cannot rise above `enough`. Those on the way there rise most less half the square of the length,
 * in units of `reach`; so it is found by its dual, for reaches up to where the way is so long, or
 * rises by less than `slope`. */
static sc_vec3 way_up(const slopes *s, double step, double enough, double slope)
{
    static const double growth = 4.0;
    blend b = {.weight = {1.0}, .mean = s->away[0]};
    double reach = step;
    for (; reach * slope <= step; reach *= growth) {
        settle(s, reach, &b);
        if (most_after(s, &b, step) <= enough) {
            return (sc_vec3){0.0, 0.0, 0.0};
        }
        const double length = reach * sc_length(b.mean);
        if (length >= step) {
            return sc_scale(b.mean, reach * step / length);
        }
    }
    return sc_scale(b.mean, reach / growth);
}

/* A step up; false if none is found. */
static bool climb(climber *c, sc_vec3 *at, double *depth, double step)
{
    const double worth = sc_fmin(most_worth, c->precision);
    const double worth_of_step = sc_fmin(most_worth_of_step, sc_fmax(least_slope, c->precision));
    const double enough = *depth + sc_fmax(worth * *depth, worth_of_step * step);
    outcome o = NO_HIGHER_NEWS;
    if (step <= short_step * *depth) {
        sc_outlook_settle(&c->own, *at, *depth, step);
    }
    for (int turn = 0; turn < MAX_TURNS && o == NO_HIGHER_NEWS; turn++) {
        const slopes s = slopes_at(c, *at);
        const sc_vec3 way = way_up(&s, step, enough, worth_of_step);
        o = least_after(&s, way) > enough ? look(c, sc_add(*at, way), enough, at, depth)
                                          : NO_HIGHER;
    }
    return o == HIGHER;
}

double sc_depth_climb(sc_surface surface[2], int x, const sc_box *within, double part, double step,
                      sc_vec3 *p)
{
    climber c = {.surface = surface,
                 .own = sc_outlook_of(&surface[x]),
                 .within = within,
                 .x = x,
                 .precision = part,
                 .hint = UINT32_MAX};
    const uint64_t visits = surface[x].visited;
    sc_vec3 at = *p;
    double depth = 0.0;

    for (int k = 0; k < 3; k++) {
        step = sc_fmin(step, 0.25 * (within->high[k] - within->low[k]));
    }
    if (look(&c, at, 0.0, &at, &depth) != HIGHER) {
        return 0.0;
    }
    while (step > 4.0 * part * depth && c.looks < MAX_LOOKS && !surface[x].failed &&
           (part >= most_worth || surface[x].visited - visits < MOST_VISITS)) {
        step *= climb(&c, &at, &depth, step) ? 2.0 : 0.5;
    }
    sc_outlook_free(&c.own);
    *p = at;
    return depth;
}
