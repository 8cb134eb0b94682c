/* depth_climb.c - see depth_climb.h.
 *
 * A search by pattern: away from the nearest surface point, which is the steepest way, or
 * along an axis, for ridges; where none is better, by half as much. */
#include "depth_climb.h"

/* Looks in all; and, as parts of the depth, the gain that is worth a step and the least step. */
enum { MAX_LOOKS = 400 };
static const double worth = 1e-3;

typedef struct climber {
    sc_surface *surface;
    const sc_box *within;
    int x, looks;
    double part;
} climber;

static bool is_common(climber *c, sc_vec3 p)
{
    return sc_box_holds(c->within, p) && sc_surface_contains(&c->surface[0], p) &&
           sc_surface_contains(&c->surface[1], p);
}

/* Whether a facet is near enough to show that p lies no deeper than that. */
static bool shows(const climber *c, uint32_t facet, sc_vec3 p, double enough)
{
    sc_vec3 v[3], on;
    if (facet == UINT32_MAX) {
        return false;
    }
    sc_solid_facet(c->surface[c->x].solid, facet, v);
    return sc_facet_distance(p, v, &on) <= enough && sc_facet_has_area(v);
}

/* A lower bound of the depth of p, and the way up; 0 if it is not clearly more than `beat`, or p is
 * not common. How far the surface is, where that is far, is the dearest question. */
static double look(climber *c, sc_vec3 p, double beat, uint32_t *facet, sc_vec3 *up)
{
    sc_surface *own = &c->surface[c->x];
    double enough = beat * (1.0 + worth);
    c->looks++;
    if (shows(c, *facet, p, enough) || !is_common(c, p)) {
        return 0.0;
    }
    sc_nearest n = sc_surface_nearest(own, p, (sc_seek){enough, INFINITY, c->part, 0.0, *facet});
    double depth = n.distance * (1.0 - c->part) - own->margin;
    if (n.distance <= enough || !(depth > beat)) {
        return 0.0;
    }
    sc_vec3 away = sc_sub(p, n.point);
    double length = sc_length(away);
    *up = sc_scale(away, length > 0.0 ? 1.0 / length : 0.0);
    *facet = n.facet;
    return depth;
}

double sc_depth_climb(sc_surface surface[2], int x, const sc_box *within, double part, double step,
                      sc_vec3 *p)
{
    climber c = {.surface = surface, .within = within, .x = x, .part = part};
    sc_vec3 at = sc_surface_tidy(&surface[x], *p), up = {0.0, 0.0, 0.0};
    uint32_t facet = UINT32_MAX;
    double depth = look(&c, at, 0.0, &facet, &up);

    for (int k = 0; k < 3; k++) {
        step = fmin(step, 0.25 * (within->high[k] - within->low[k]));
    }
    while (depth > 0.0 && step > worth * depth && c.looks < MAX_LOOKS && !surface[x].failed) {
        const sc_vec3 way[] = {up,
                               {1.0, 0.0, 0.0},
                               {-1.0, 0.0, 0.0},
                               {0.0, 1.0, 0.0},
                               {0.0, -1.0, 0.0},
                               {0.0, 0.0, 1.0},
                               {0.0, 0.0, -1.0}};
        bool moved = false;
        for (size_t i = 0; i < sizeof way / sizeof way[0] && !moved; i++) {
            sc_vec3 to = sc_surface_tidy(&surface[x], sc_mul_add(at, step, way[i]));
            double found = look(&c, to, depth, &facet, &up);
            if (found > 0.0) {
                at = to;
                depth = found;
                moved = true;
            }
        }
        step = moved ? step : 0.5 * step;
    }
    if (depth > 0.0) {
        *p = at;
    }
    return depth;
}
