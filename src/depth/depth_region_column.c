/* depth_region_column.c - see depth_region.h: how deep a region is in a column of space, from what
 * bounds it there.
 *
 * On the way upwards from a point of the region one comes out of it at a facet that faces up, or
 * slides along one that is all but upright until one does, unless one comes to the end of the
 * column first. If all facets of its boundary that face up belong to one part, the point is no
 * farther from the surface of that than the highest of them lies above it. It does not matter what
 * else lies in the column, nor what comes after. */
#include "depth_column.h"
#include "depth_region.h"

enum { MOST_TILES = 24 };

/* What of a facet that may bound the region is in the column. */
typedef struct tile {
    sc_corner p[SC_MOST_CORNERS];
    int count, part;
    double low, high;
    double facing; /* up, as a cosine; not a number if rounding leaves that open */
} tile;

typedef struct shaft {
    const sc_depth_request *request;
    sc_surface *surface; /* [2] */
    sc_column column;
    tile tiles[MOST_TILES];
    int count, part; /* whose facets are looked at */
    int looked_at;
} shaft;

static sc_vec3 place_of(const sc_column *c, const sc_corner p)
{
    sc_vec3 place = c->centre;
    for (int k = 0; k < 3; k++) {
        place = sc_mul_add(place, p[k], c->axis[k]);
    }
    return place;
}

/* ---- what bounds the region ------------------------------------------------ */

static bool tile_may_bound(const shaft *s, uint32_t facet, const tile *t)
{
    sc_corner middle = {0.0, 0.0, 0.0};
    double radius = 0.0;
    for (int i = 0; i < 3 * t->count; i++) {
        middle[i % 3] += t->p[i / 3][i % 3] / t->count;
    }
    for (int i = 0; i < t->count; i++) {
        const double *p = t->p[i];
        radius = sc_max(radius, hypot(hypot(p[0] - middle[0], p[1] - middle[1]), p[2] - middle[2]));
    }
    return sc_depth_region_may_bound(s->request, s->part, facet, place_of(&s->column, middle),
                                     radius + s->column.surface->margin);
}

static double facing_of(const sc_column *c, const sc_vec3 v[3])
{
    double error;
    const sc_vec3 n = sc_facet_normal(v, &error);
    const double size = sc_length(n);
    return size > 0x1p20 * error ? sc_dot(n, c->axis[2]) / size : (double)NAN;
}

static bool add_tile(void *context, uint32_t facet, const sc_vec3 v[3])
{
    shaft *s = context;
    if (s->count == MOST_TILES) {
        return false;
    }
    tile *t = &s->tiles[s->count];
    sc_column_corners(&s->column, v, t->p);
    t->count = sc_column_clip(&s->column, t->p);
    if (t->count == 0 || !sc_facet_has_area(v)) {
        return true;
    }
    t->part = s->part;
    t->facing = facing_of(&s->column, v);
    t->low = INFINITY;
    t->high = -INFINITY;
    for (int i = 0; i < t->count; i++) {
        t->low = sc_min(t->low, t->p[i][2]);
        t->high = sc_max(t->high, t->p[i][2]);
    }
    s->count += tile_may_bound(s, facet, t);
    return ++s->looked_at <= SC_DEPTH_FACETS;
}

static bool meets_column(void *context, const sc_box *box)
{
    return sc_column_meets(&((const shaft *)context)->column, box);
}

/* False if there is too much in the column. */
static bool collect_tiles(shaft *s)
{
    for (s->part = 0; s->part < 2; s->part++) {
        const sc_walk walk = sc_column_walk(&s->column, meets_column, add_tile, s);
        if (!sc_surface_walk(&s->surface[s->part], &walk)) {
            return false;
        }
    }
    return true;
}

/* ---- levels that the region does not come to ------------------------------- */

/* Where a tile passes through a level. */
typedef struct trace {
    double end[2][2];
} trace;

static bool pass_through(const tile *t, double level, trace *at)
{
    int ends = 0;
    for (int i = 0; i < t->count && ends < 2; i++) {
        const double *a = t->p[i], *b = t->p[(i + 1) % t->count];
        if ((a[2] < level) != (b[2] < level)) {
            const double part = (level - a[2]) / (b[2] - a[2]);
            at->end[ends][0] = a[0] + part * (b[0] - a[0]);
            at->end[ends][1] = a[1] + part * (b[1] - a[1]);
            ends++;
        }
    }
    return ends == 2;
}

static double distance_of(const double p[2], const double q[2])
{
    return hypot(p[0] - q[0], p[1] - q[1]);
}

/* Of a point, from the line along a trace; to the left of that positive. */
static double offset_of(const trace *t, const double p[2])
{
    const double x = t->end[1][0] - t->end[0][0], y = t->end[1][1] - t->end[0][1];
    return (x * (p[1] - t->end[0][1]) - y * (p[0] - t->end[0][0])) / hypot(x, y);
}

/* Of a point, from a trace itself. */
static double distance_from(const trace *t, const double p[2])
{
    const double x = t->end[1][0] - t->end[0][0], y = t->end[1][1] - t->end[0][1];
    const double along = (x * (p[0] - t->end[0][0]) + y * (p[1] - t->end[0][1])) / (x * x + y * y);
    const double part = sc_max(0.0, sc_min(1.0, along));
    const double q[2] = {t->end[0][0] + part * x, t->end[0][1] + part * y};
    return distance_of(p, q);
}

/* Whether traces meet anywhere but in an end of both, or come that close. */
static bool traces_meet(const trace *a, const trace *b, double close)
{
    const trace *t[2] = {a, b};
    double side[2][2];
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 2; k++) {
            const double *p = t[i]->end[k];
            const trace *other = t[1 - i];
            const bool is_end =
                distance_of(p, other->end[0]) <= close || distance_of(p, other->end[1]) <= close;
            if (!is_end && distance_from(other, p) <= close) {
                return true;
            }
            side[i][k] = is_end ? 0.0 : offset_of(other, p);
        }
    }
    return side[0][0] * side[0][1] < 0.0 && side[1][0] * side[1][1] < 0.0;
}

static bool is_in_region(const shaft *s, const sc_corner place)
{
    const sc_vec3 p = sc_surface_tidy(&s->surface[0], place_of(&s->column, place));
    return sc_surface_contains(&s->surface[0], p) && sc_surface_contains(&s->surface[1], p) &&
           sc_depth_region_holds(s->request, s->surface, p);
}

/* Whether the region lies on neither side of a trace, by a point on each. */
static bool is_free_beside(const shaft *s, const trace *t, double level, double aside)
{
    const double size = distance_of(t->end[0], t->end[1]);
    for (int side = -1; side <= 1; side += 2) {
        const double by = side * aside / size;
        const sc_corner p = {
            0.5 * (t->end[0][0] + t->end[1][0]) - by * (t->end[1][1] - t->end[0][1]),
            0.5 * (t->end[0][1] + t->end[1][1]) + by * (t->end[1][0] - t->end[0][0]), level};
        if (is_in_region(s, p)) {
            return false;
        }
    }
    return true;
}

/* Whether nothing of the region is at that height. What bounds it there divides the level, and all
 * that is on one side of a trace, up to the next one, is in the region, or nothing. */
static bool is_free_at(const shaft *s, double level)
{
    enum { MOST_TRACES = 8 };
    const double close = 128.0 * s->column.surface->margin, aside = 0.25 * close;
    trace traces[MOST_TRACES];
    int count = 0;

    for (int i = 0; i < s->count; i++) {
        const tile *t = &s->tiles[i];
        if (t->low > level + close || t->high < level - close) {
            continue;
        }
        if (count == MOST_TRACES || !pass_through(t, level, &traces[count]) ||
            distance_of(traces[count].end[0], traces[count].end[1]) <= close) {
            return false;
        }
        for (int k = 0; k < count; k++) {
            if (traces_meet(&traces[count], &traces[k], close)) {
                return false;
            }
        }
        count++;
    }
    for (int i = 0; i < count; i++) {
        if (!is_free_beside(s, &traces[i], level, aside)) {
            return false;
        }
    }
    const sc_corner middle = {0.0, 0.0, level};
    return count > 0 || !is_in_region(s, middle);
}

/* ---- the bound ------------------------------------------------------------- */

/* How much all slides along facets that are all but upright may lead aside, of the limit: less than
 * the depth may be off. */
static double aside_of(const shaft *s, double limit)
{
    return 0.125 * s->request->relative_error * limit;
}

/* How far it is at most upwards from a point of the region in the brick to the surface of part x,
 * sidesteps included. Infinite where something else may bound it above, or nothing. */
static double bound_upwards(shaft *s, int x, const sc_brick *brick, sc_vec3 axis, double limit)
{
    const double margin = s->surface[0].margin, aside = aside_of(s, limit);
    double low = INFINITY, high = -INFINITY, steepest = 0.0; /* of what is all but upright */

    s->column = sc_column_of(&s->surface[x], brick, axis, limit);
    s->column.half[0] += aside;
    s->column.half[1] += aside;
    s->count = s->looked_at = 0;
    if (!collect_tiles(s)) {
        return INFINITY;
    }
    const double half = s->column.box_half, end = s->column.half[2], upright = aside / (2.0 * end);
    for (int i = 0; i < s->count; i++) {
        const tile *t = &s->tiles[i];
        if (fabs(t->facing) <= upright) {
            steepest = sc_max(steepest, fabs(t->facing));
        }
        if (!(t->facing >= -upright)) {
            low = sc_min(low, t->low);
        }
        if (!(t->facing <= upright)) {
            if (t->part != x) {
                return INFINITY;
            }
            high = sc_max(high, t->high);
        }
    }
    const double above = sc_max(high, half) + 256.0 * margin;
    const double below = sc_min(low, -half) - 256.0 * margin;
    if (above >= end || !is_free_at(s, above)) {
        return INFINITY;
    }
    const bool starts_at_low = low > -half && below > -end && is_free_at(s, below);
    return high - (starts_at_low ? low : -half) + steepest * 2.0 * end + 4.0 * margin;
}

/* A facet that may bound the region, the nearest to a place so far. */
typedef struct nearest {
    const sc_depth_request *request;
    sc_vec3 centre, normal; /* zero: none as yet */
    double distance;
    int part, looked_at;
} nearest;

static bool take_nearest(void *context, uint32_t facet, const sc_vec3 v[3])
{
    nearest *n = context;
    sc_vec3 on;
    const double distance = sc_facet_distance(n->centre, v, &on);
    if (distance < n->distance && sc_facet_has_area(v) &&
        sc_depth_region_may_bound(n->request, n->part, facet, on, 0.0)) {
        double error;
        const sc_vec3 normal = sc_facet_normal(v, &error);
        n->normal = sc_length(normal) > error ? sc_unit(normal) : n->normal;
        n->distance = distance;
    }
    return ++n->looked_at <= SC_DEPTH_FACETS;
}

bool sc_depth_region_is_shallow(const sc_depth_request *request, sc_surface surface[2], int x,
                                const sc_brick *brick, double limit)
{
    shaft s = {.request = request, .surface = surface};
    for (int i = 0; i < 2 && request->regions; i++) {
        const double reach = sc_brick_radius(brick) + limit;
        nearest n = {.request = request,
                     .centre = brick->centre,
                     .distance = reach,
                     .part = i == 0 ? x : 1 - x};
        const sc_walk walk = {
            .centre = n.centre, .reach = reach, .facet = take_nearest, .context = &n};
        if (!sc_surface_walk(&surface[n.part], &walk)) {
            return false;
        }
        const sc_vec3 up = sc_scale(n.normal, i == 0 ? 1.0 : -1.0);
        if (sc_dot(up, up) > 0.0 && bound_upwards(&s, x, brick, up, limit) <= limit) {
            return true;
        }
    }
    return false;
}
