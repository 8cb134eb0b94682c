/* depth_column.c - see depth_column.h, and depth_proof.h for the bound. */
#include "depth_column.h"

#include <string.h>

double sc_column_deepest(const sc_column *c, double low, double high)
{
    double middle = 0.5 * (c->low + c->high);
    if (c->below && c->above) {
        double worst = sc_max(low, sc_min(high, middle));
        return sc_min(c->high - worst, worst - c->low);
    }
    return c->above ? c->high - low : c->below ? high - c->low : INFINITY;
}

/* About all of it, with what rounding may take from that. */
static sc_box box_of(const sc_column *c)
{
    double half[3] = {c->surface->margin, c->surface->margin, c->surface->margin};
    for (int k = 0; k < 3; k++) {
        half[0] += fabs(c->axis[k].x) * c->half[k];
        half[1] += fabs(c->axis[k].y) * c->half[k];
        half[2] += fabs(c->axis[k].z) * c->half[k];
    }
    return (sc_box){{c->centre.x - half[0], c->centre.y - half[1], c->centre.z - half[2]},
                    {c->centre.x + half[0], c->centre.y + half[1], c->centre.z + half[2]}};
}

/* Along axis k. */
typedef struct stretch {
    double at, half;
} stretch;

static stretch stretch_of(const sc_column *c, const sc_box *box, int k)
{
    return (stretch){sc_dot(sc_sub(sc_box_centre(box), c->centre), c->axis[k]),
                     sc_box_half_along(box, c->axis[k]) + c->surface->margin};
}

bool sc_column_meets(const sc_column *c, const sc_box *box)
{
    for (int k = 0; k < 3; k++) {
        const stretch along = stretch_of(c, box, k);
        if (fabs(along.at) > c->half[k] + along.half) {
            return false;
        }
    }
    return true;
}

/* Nor lies between the heights that are known already. */
static bool enters_column(void *context, const sc_box *box)
{
    const sc_column *c = context;
    if (!sc_column_meets(c, box)) {
        return false;
    }
    const stretch along = stretch_of(c, box, 2);
    return along.at + along.half > c->high + c->slack || along.at - along.half < c->low - c->slack;
}

int sc_clip(sc_corner *p, int count, const double way[3], double limit)
{
    sc_corner out[SC_MOST_CORNERS];
    int n = 0;
    if (2 * count > SC_MOST_CORNERS) {
        return count;
    }
    for (int i = 0; i < count; i++) {
        const double *a = p[i], *b = p[(i + 1) % count];
        double da = limit - (way[0] * a[0] + way[1] * a[1] + way[2] * a[2]);
        double db = limit - (way[0] * b[0] + way[1] * b[1] + way[2] * b[2]);
        if (da >= 0.0) {
            memcpy(out[n++], a, sizeof out[0]);
        }
        if ((da < 0.0) != (db < 0.0)) {
            double t = da / (da - db);
            for (int k = 0; k < 3; k++) {
                out[n][k] = a[k] + t * (b[k] - a[k]);
            }
            n++;
        }
    }
    memcpy(p, out, (size_t)n * sizeof out[0]);
    return n;
}

void sc_column_corners(const sc_column *c, const sc_vec3 v[3], sc_corner p[3])
{
    for (int i = 0; i < 3; i++) {
        sc_vec3 to = sc_sub(v[i], c->centre);
        for (int k = 0; k < 3; k++) {
            p[i][k] = sc_dot(to, c->axis[k]);
        }
    }
}

/* How many corners of a polygon lie farther along an axis, or against it, than the limit. */
static int count_beyond(sc_corner *p, int count, int axis, double sign, double limit)
{
    int beyond = 0;
    for (int i = 0; i < count; i++) {
        beyond += sign * p[i][axis] > limit;
    }
    return beyond;
}

/* Most facets lie on one side of most sides. */
static int clip_to_column(const sc_column *c, sc_corner *p)
{
    int count = 3;
    for (int k = 0; k < 6 && count > 0; k++) {
        const double sign = k % 2 ? -1.0 : 1.0;
        const int beyond = count_beyond(p, count, k / 2, sign, c->half[k / 2]);
        double way[3] = {0.0, 0.0, 0.0};
        way[k / 2] = sign;
        count = beyond == count ? 0 : beyond > 0 ? sc_clip(p, count, way, c->half[k / 2]) : count;
    }
    return count;
}

void sc_column_cut(const sc_column *c, const sc_vec3 v[3], sc_tile *tile)
{
    sc_column_corners(c, v, tile->p);
    tile->count = clip_to_column(c, tile->p);
    tile->low = INFINITY;
    tile->high = -INFINITY;
    for (int i = 0; i < tile->count; i++) {
        tile->low = sc_min(tile->low, tile->p[i][2]);
        tile->high = sc_max(tile->high, tile->p[i][2]);
    }
}

static bool rises_in_column(void *context, uint32_t facet, const sc_vec3 v[3])
{
    sc_column *c = context;
    sc_tile tile;
    (void)facet;
    sc_column_cut(c, v, &tile);
    c->low = sc_min(c->low, tile.low);
    c->high = sc_max(c->high, tile.high);
    c->looked_at += tile.count > 0; /* boxes of slivers reach into columns that these do not */
    /* More facets only make it deeper: once too deep, it stays so. */
    return (tile.count == 0 || c->looked_at != c->facets) &&
           !(sc_column_deepest(c, -c->box_half, c->box_half) > c->reach);
}

/* Whether the column is outside between these two heights, where it meets nothing. */
static bool outside_between(sc_surface *surface, const sc_column *c, double from, double to)
{
    sc_vec3 p = sc_mul_add(c->centre, 0.5 * (from + to), c->axis[2]);
    return !sc_surface_contains(surface, sc_surface_tidy(surface, p));
}

/* Square to the axis: across the longest side of the brick, where that is not along the axis. */
static sc_vec3 side_of(const sc_brick *brick, sc_vec3 axis)
{
    sc_vec3 best = {0.0, 0.0, 0.0};
    for (int k = 0; k < 3; k++) {
        const sc_vec3 side = sc_cross(axis, brick->arm[k]);
        best = sc_dot(side, side) > sc_dot(best, best) ? side : best;
    }
    const sc_vec3 any = fabs(axis.x) < 0.6 ? (sc_vec3){1.0, 0.0, 0.0} : (sc_vec3){0.0, 1.0, 0.0};
    return sc_unit(sc_dot(best, best) > 0.0 ? best : sc_cross(axis, any));
}

sc_column sc_column_of(const sc_surface *surface, const sc_brick *brick, sc_vec3 axis,
                       double length)
{
    sc_column c = {.surface = surface,
                   .centre = brick->centre,
                   .low = INFINITY,
                   .high = -INFINITY,
                   .below = true, /* as far as is known */
                   .above = true,
                   .slack = 1.5 * surface->margin}; /* or all facets of a flat side are looked at */
    c.axis[0] = side_of(brick, axis);
    c.axis[1] = sc_cross(axis, c.axis[0]);
    c.axis[2] = axis;
    for (int k = 0; k < 3; k++) {
        c.half[k] = sc_brick_half_along(brick, c.axis[k]) + surface->margin;
    }
    c.box_half = c.half[2];
    c.half[2] += length + 32.0 * surface->margin; /* room for what lies beyond the surface */
    return c;
}

sc_walk sc_column_walk(const sc_column *c, bool (*enter)(void *context, const sc_box *box),
                       bool (*facet)(void *context, uint32_t facet, const sc_vec3 v[3]),
                       void *context)
{
    sc_walk walk = {.within = box_of(c), .enter = enter, .facet = facet, .context = context};
    for (int k = 0; k < 3; k++) {
        walk.arm[k] = sc_scale(c->axis[k], c->half[k] + c->surface->margin);
    }
    return walk;
}

bool sc_column_measure(sc_surface *surface, sc_column *c)
{
    const double gap = 8.0 * surface->margin, end = c->half[2];
    const sc_walk walk = sc_column_walk(c, enters_column, rises_in_column, c);
    if (!sc_surface_walk(surface, &walk) || c->low > c->high) {
        return false;
    }
    c->low -= surface->margin + c->slack;
    c->high += surface->margin + c->slack;
    c->above = c->high + gap < end && outside_between(surface, c, c->high, end);
    c->below = c->low - gap > -end && outside_between(surface, c, -end, c->low);
    return true;
}

double sc_depth_column_bound(sc_surface *surface, const sc_brick *brick, sc_vec3 axis, double reach,
                             int facets)
{
    sc_column c = sc_column_of(surface, brick, axis, reach);
    c.reach = reach;
    c.facets = facets;
    return sc_column_measure(surface, &c)
               ? sc_max(0.0, sc_column_deepest(&c, -c.box_half, c.box_half)) + 2.0 * surface->margin
               : INFINITY;
}
