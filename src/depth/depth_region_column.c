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
#include "overlap/overlap_regions.h"

enum { MOST_TILES = 24 };

/* What of a facet that may bound the region is in the column. */
typedef struct tile {
    sc_tile in;
    int part;
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

/* From the coordinates of the column to those of the parts. */
static sc_vec3 place_of(const sc_column *c, sc_vec3 p)
{
    const sc_vec3 across = sc_mul_add(sc_mul_add(c->centre, p.x, c->axis[0]), p.y, c->axis[1]);
    return sc_mul_add(across, p.z, c->axis[2]);
}

static sc_vec3 corner_of(const tile *t, int i)
{
    const double *p = t->in.p[i % t->in.count];
    return (sc_vec3){p[0], p[1], p[2]};
}

/* ---- what bounds the region ------------------------------------------------ */

/* Whether what a facet has within `radius` of p may be on the boundary of the region: not what only
 * touches the other part. */
static bool may_bound(const sc_depth_request *request, int part, uint32_t facet, sc_vec3 p,
                      double radius)
{
    return request->regions->on[part].of_facet[facet] != SC_NO_REGION &&
           !sc_depth_region_lacks_facet(request, part, facet, p, radius);
}

static bool tile_may_bound(const shaft *s, uint32_t facet, const tile *t)
{
    sc_vec3 middle = {0.0, 0.0, 0.0};
    double radius = 0.0;
    for (int i = 0; i < t->in.count; i++) {
        middle = sc_mul_add(middle, 1.0 / t->in.count, corner_of(t, i));
    }
    for (int i = 0; i < t->in.count; i++) {
        radius = sc_max(radius, sc_length(sc_sub(corner_of(t, i), middle)));
    }
    return may_bound(s->request, s->part, facet, place_of(&s->column, middle),
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
    sc_column_cut(&s->column, v, &t->in);
    if (t->in.count == 0 || !sc_facet_has_area(v)) {
        return true;
    }
    t->part = s->part;
    t->facing = facing_of(&s->column, v);
    s->count += tile_may_bound(s, facet, t);
    return ++s->looked_at <= SC_REGION_FACETS;
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
    sc_vec3 end[2];
} trace;

static sc_vec3 along(const trace *t)
{
    return sc_sub(t->end[1], t->end[0]);
}

static bool pass_through(const tile *t, double level, trace *at)
{
    int ends = 0;
    for (int i = 0; i < t->in.count && ends < 2; i++) {
        const sc_vec3 a = corner_of(t, i), b = corner_of(t, i + 1);
        if ((a.z < level) != (b.z < level)) {
            sc_vec3 *end = &at->end[ends++];
            *end = sc_mul_add(a, (level - a.z) / (b.z - a.z), sc_sub(b, a));
            end->z = level;
        }
    }
    return ends == 2;
}

static bool is_near(sc_vec3 p, sc_vec3 q, double close)
{
    return sc_length(sc_sub(p, q)) <= close;
}

/* Whether traces meet anywhere but in an end of both, or come that close. */
static bool traces_meet(const trace *a, const trace *b, double close)
{
    const trace *t[2] = {a, b};
    double side[2][2]; /* of its ends, left of the other one positive */
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 2; k++) {
            const sc_vec3 p = t[i]->end[k], way = along(t[1 - i]);
            const sc_vec3 *const end = t[1 - i]->end, to = sc_sub(p, end[0]);
            const bool is_end = is_near(p, end[0], close) || is_near(p, end[1], close);
            if (!is_end && sc_length(sc_off_segment(to, way, sc_dot(way, way))) <= close) {
                return true;
            }
            side[i][k] = is_end ? 0.0 : sc_cross(way, to).z / sc_length(way);
        }
    }
    return side[0][0] * side[0][1] < 0.0 && side[1][0] * side[1][1] < 0.0;
}

static bool is_in_region(const shaft *s, sc_vec3 place)
{
    const sc_vec3 p = sc_surface_tidy(&s->surface[0], place_of(&s->column, place));
    return sc_surface_contains(&s->surface[0], p) && sc_surface_contains(&s->surface[1], p) &&
           sc_depth_region_holds(s->request, s->surface, p);
}

/* Whether the region lies on neither side of a trace, by a point on each. */
static bool is_free_beside(const shaft *s, const trace *t, double aside)
{
    const sc_vec3 way = sc_unit(along(t)), left = {-way.y, way.x, 0.0};
    const sc_vec3 middle = sc_scale(sc_add(t->end[0], t->end[1]), 0.5);
    return !is_in_region(s, sc_mul_add(middle, -aside, left)) &&
           !is_in_region(s, sc_mul_add(middle, aside, left));
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
        if (t->in.low > level + close || t->in.high < level - close) {
            continue;
        }
        if (count == MOST_TRACES || !pass_through(t, level, &traces[count]) ||
            is_near(traces[count].end[0], traces[count].end[1], close)) {
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
        if (!is_free_beside(s, &traces[i], aside)) {
            return false;
        }
    }
    return count > 0 || !is_in_region(s, (sc_vec3){0.0, 0.0, level});
}

/* ---- the bound ------------------------------------------------------------- */

/* How far it is at most upwards from a point of the region in the brick to the surface of part x,
 * sidesteps included. Infinite where something else may bound it above, or nothing. */
static double bound_upwards(const sc_depth_request *request, sc_surface surface[2], int x,
                            const sc_brick *brick, sc_vec3 axis, double limit)
{
    shaft s = {.request = request,
               .surface = surface,
               .column = sc_column_of(&surface[x], brick, axis, limit)};
    const double margin = surface[0].margin;
    /* How far all slides along facets that are all but upright may lead: less than the depth may be
     * off. */
    const double aside = 0.125 * request->relative_error * limit;
    double low = INFINITY, high = -INFINITY, steepest = 0.0; /* of what is all but upright */

    s.column.half[0] += aside;
    s.column.half[1] += aside;
    if (!collect_tiles(&s)) {
        return INFINITY;
    }
    const double half = s.column.box_half, end = s.column.half[2], upright = aside / (2.0 * end);
    for (int i = 0; i < s.count; i++) {
        const tile *t = &s.tiles[i];
        if (fabs(t->facing) <= upright) {
            steepest = sc_max(steepest, fabs(t->facing));
        }
        if (!(t->facing >= -upright)) {
            low = sc_min(low, t->in.low);
        }
        if (!(t->facing <= upright)) {
            if (t->part != x) {
                return INFINITY;
            }
            high = sc_max(high, t->in.high);
        }
    }
    const double above = sc_max(high, half) + 256.0 * margin;
    const double below = sc_min(low, -half) - 256.0 * margin;
    if (above >= end || !is_free_at(&s, above)) {
        return INFINITY;
    }
    const bool starts_at_low = low > -half && below > -end && is_free_at(&s, below);
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
        may_bound(n->request, n->part, facet, on, 0.0)) {
        double error;
        const sc_vec3 normal = sc_facet_normal(v, &error);
        n->normal = sc_length(normal) > error ? sc_unit(normal) : n->normal;
        n->distance = distance;
    }
    return ++n->looked_at <= SC_REGION_FACETS;
}

bool sc_depth_region_is_shallow(const sc_depth_request *request, sc_surface surface[2], int x,
                                const sc_brick *brick, double limit)
{
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
        if (sc_dot(up, up) > 0.0 && bound_upwards(request, surface, x, brick, up, limit) <= limit) {
            return true;
        }
    }
    return false;
}
