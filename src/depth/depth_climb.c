/* depth_climb.c - see depth_climb.h.
 *
 * A bundle method: a facet that shows that a step leads no higher is one to keep away from, as
 * those are that were nearest so far. The way leads where the least of the distances from all of
 * these rises most, which is along a ridge between them, or along the surface of the other part
 * where that is in the way; twice as far the next time, or half as far if that led no higher. */
#include "depth_climb.h"

/* Looks in all, and with steps of one length; and the gain that is worth a step, as part of the
 * depth and of the step, unless it is asked for more precisely: what gains less goes to and fro. */
enum { MAX_LOOKS = 400, MAX_TURNS = 4 };
static const double most_worth = 1e-3, most_worth_of_step = 1.0 / 64.0;

/* Facets that more precise climbs may look at: about the centre of a ball each look is at many. */
enum { MOST_VISITS = 20000 };

enum { BUNDLE = 8 };

typedef struct climber {
    sc_surface *surface;
    const sc_box *within;
    int x, looks;
    double precision;       /* of depths, as part of them */
    uint32_t facet[BUNDLE]; /* to keep away from; the latest replaces the oldest */
    unsigned facets;        /* so far */
    uint32_t wall;          /* a facet of the other part near where a step left that last */
    sc_vec3 inward;         /* from there; zero: the last step did not leave it */
} climber;

/* Moves p to the surface of the other part, about, if it is outside of that; whether it is common
 * then. */
static bool hold_back(climber *c, sc_vec3 *p)
{
    sc_surface *other = &c->surface[1 - c->x];
    c->inward = (sc_vec3){0.0, 0.0, 0.0};
    if (!sc_box_holds(c->within, *p) || !sc_surface_contains(other, *p)) {
        sc_nearest n = sc_surface_nearest(other, *p, (sc_seek){0.0, INFINITY, 0.125, 0.0, c->wall});
        const sc_vec3 in = sc_sub(n.point, *p);
        c->inward = n.distance > 0.0 ? sc_scale(in, 1.0 / n.distance) : in;
        c->wall = n.facet;
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
        sc_surface_nearest(own, p, (sc_seek){enough, INFINITY, c->precision, 0.0, latest});
    const double found = n.distance * (1.0 - c->precision) - own->margin;
    const bool news = keep_away(c, n.facet);
    if (found > enough) {
        *at = p;
        *depth = found;
        return HIGHER;
    }
    return news || sc_dot(c->inward, c->inward) > 0.0 ? NO_HIGHER_NEWS : NO_HIGHER;
}

/* The distances from facets of the bundle, to first order, and behind them the wall, if there is
 * one. */
typedef struct slopes {
    int count, ways;
    double distance[BUNDLE + 1];
    sc_vec3 away[BUNDLE + 1];
} slopes;

static slopes slopes_at(const climber *c, sc_vec3 p, double depth)
{
    slopes s = {.count = c->facets < BUNDLE ? (int)c->facets : BUNDLE};
    for (int i = 0; i < s.count; i++) {
        sc_vec3 v[3], on;
        sc_solid_facet(c->surface[c->x].solid, c->facet[i], v);
        s.distance[i] = sc_facet_distance(p, v, &on);
        const sc_vec3 away = sc_sub(p, on);
        s.away[i] = s.distance[i] > 0.0 ? sc_scale(away, 1.0 / s.distance[i]) : away;
    }
    const bool walled = sc_dot(c->inward, c->inward) > 0.0;
    s.ways = s.count + walled;
    if (walled) {
        s.distance[s.count] = depth;
        s.away[s.count] = c->inward;
    }
    return s;
}

/* A mean of ways up, by weights. */
typedef struct blend {
    double weight[BUNDLE + 1];
    sc_vec3 mean;
} blend;

/* Moves weight between any two of them to where half the square of the mean, in units of `reach`,
 * and the distances are least together. */
static void balance(const slopes *s, double reach, blend *b)
{
    enum { SWEEPS = 4 };
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        for (int i = 1; i < s->ways; i++) {
            for (int j = 0; j < i; j++) {
                const sc_vec3 turn = sc_sub(s->away[i], s->away[j]);
                const double curve = sc_dot(turn, turn);
                const double rise =
                    sc_dot(turn, b->mean) + (s->distance[i] - s->distance[j]) / reach;
                double shift = curve > 0.0 ? -rise / curve : 0.0;
                shift = sc_max(-b->weight[i], sc_min(shift, b->weight[j]));
                b->weight[i] += shift;
                b->weight[j] -= shift;
                b->mean = sc_mul_add(b->mean, shift, turn);
            }
        }
    }
}

/* The way, no longer than `step`, along which the least of the distances rises most. Those on the
 * way there rise most less half the square of the length, in units of `reach`; so it is found by
 * its dual, for reaches up to where the way is so long. */
static sc_vec3 way_up(const slopes *s, double step)
{
    enum { REACHES = 4 };
    static const double growth = 4.0;
    blend b = {.weight = {1.0}, .mean = s->away[0]};
    double reach = step;
    for (int i = 0; i < REACHES; i++, reach *= growth) {
        balance(s, reach, &b);
        const double length = reach * sc_length(b.mean);
        if (length >= step) {
            return sc_scale(b.mean, reach * step / length);
        }
    }
    return sc_scale(b.mean, reach / growth);
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

/* A step up; false if none is found. */
static bool climb(climber *c, sc_vec3 *at, double *depth, double step)
{
    const double worth = fmin(most_worth, c->precision);
    const double worth_of_step = fmin(most_worth_of_step, sqrt(c->precision));
    const double enough = *depth + fmax(worth * *depth, worth_of_step * step);
    outcome o = NO_HIGHER_NEWS;
    c->inward = (sc_vec3){0.0, 0.0, 0.0};
    for (int turn = 0; turn < MAX_TURNS && o == NO_HIGHER_NEWS; turn++) {
        const slopes s = slopes_at(c, *at, *depth);
        const sc_vec3 way = way_up(&s, step);
        o = least_after(&s, way) > enough ? look(c, sc_add(*at, way), enough, at, depth)
                                          : NO_HIGHER;
    }
    return o == HIGHER;
}

double sc_depth_climb(sc_surface surface[2], int x, const sc_box *within, double part, double step,
                      sc_vec3 *p)
{
    climber c = {
        .surface = surface, .within = within, .x = x, .precision = part, .wall = UINT32_MAX};
    const uint64_t visits = surface[x].visited;
    sc_vec3 at = *p;
    double depth = 0.0;

    for (int k = 0; k < 3; k++) {
        step = fmin(step, 0.25 * (within->high[k] - within->low[k]));
    }
    if (look(&c, at, 0.0, &at, &depth) != HIGHER) {
        return 0.0;
    }
    while (step > 4.0 * part * depth && c.looks < MAX_LOOKS && !surface[x].failed &&
           (part >= most_worth || surface[x].visited - visits < MOST_VISITS)) {
        step *= climb(&c, &at, &depth, step) ? 2.0 : 0.5;
    }
    *p = at;
    return depth;
}
