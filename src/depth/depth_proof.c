/* depth_proof.c - see depth_proof.h. */
#include "depth_proof.h"

#include "geom/tri_intersect.h"

#include <string.h>

double sc_depth_facet_bound(const sc_surface *surface, uint32_t facet, const sc_vec3 *points,
                            int count)
{
    sc_vec3 v[3], on;
    double most = 0.0;
    if (facet == UINT32_MAX) {
        return INFINITY;
    }
    sc_solid_facet(surface->solid, facet, v);
    for (int i = 0; i < count; i++) {
        most = sc_max(most, sc_facet_distance(points[i], v, &on));
    }
    return most + surface->margin;
}

/* ---- surrounded ------------------------------------------------------------ */

/* The distance from a facet is convex; so is what it exceeds a linear function by, which is largest
 * at one of the points, and raised by that the linear function bounds the distance in their hull.
 * Of several such bounds the least is no more than any mean of them, weighted or not; a mean is
 * linear, too, and largest at one of the points. Where facets surround the hull there are weights
 * for which their slopes cancel, and it hardly matters how large it is. */
enum { MOST_POINTS = 8, MOST_FACETS = 6 };

typedef struct surround {
    const sc_vec3 *points;
    int count;
    double size; /* of the hull */
    uint32_t facet[MOST_FACETS];
    int facets;
    double bound[MOST_FACETS][MOST_POINTS], mean[MOST_FACETS];
    double slopes[MOST_FACETS][MOST_FACETS]; /* scalar products of what bounds deviate by */
    double weight[MOST_FACETS];
} surround;

/* How far the first point is from any other. */
static double extent_of(const sc_vec3 *points, int count)
{
    double most = 0.0;
    for (int i = 1; i < count; i++) {
        sc_vec3 side = sc_sub(points[i], points[0]);
        most = sc_max(most, sc_dot(side, side));
    }
    return sqrt(most);
}

/* A facet that is `nearest` to p; false if there is nothing new about it, or it is smaller than the
 * hull: then smaller hulls are what helps, and many facets may be about as near. */
static bool add_bound(surround *s, const sc_surface *surface, sc_vec3 p, const sc_nearest *nearest)
{
    const int n = s->facets;
    sc_vec3 v[3], on, way = sc_sub(p, nearest->point);
    double length = sc_length(way), excess = -INFINITY, distance, sum = 0.0;

    for (int i = 0; i < n; i++) {
        if (s->facet[i] == nearest->facet) {
            return false;
        }
    }
    way = sc_scale(way, length > 0.0 ? 1.0 / length : 0.0);
    sc_solid_facet(surface->solid, nearest->facet, v);
    if (extent_of(v, 3) < s->size) {
        return false;
    }
    for (int k = 0; k < s->count; k++) {
        distance = sc_facet_distance(s->points[k], v, &on);
        s->bound[n][k] = sc_dot(way, sc_sub(s->points[k], nearest->point));
        excess = sc_max(excess, distance - s->bound[n][k]);
    }
    for (int k = 0; k < s->count; k++) {
        s->bound[n][k] += excess + 8.0 * surface->margin;
        sum += s->bound[n][k];
    }
    s->mean[n] = sum / s->count;
    for (int i = 0; i <= n; i++) {
        double product = 0.0;
        for (int k = 0; k < s->count; k++) {
            product += (s->bound[i][k] - s->mean[i]) * (s->bound[n][k] - s->mean[n]);
        }
        s->slopes[i][n] = s->slopes[n][i] = product;
    }
    s->facet[n] = nearest->facet;
    s->weight[n] = n == 0 ? 1.0 : 0.0;
    s->facets++;
    return true;
}

/* Moves weight between any two facets to where their mean is least, and level: what it deviates by
 * counts in units of `level`. */
static void balance(surround *s, double level)
{
    enum { SWEEPS = 24 };
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        for (int i = 1; i < s->facets; i++) {
            for (int j = 0; j < i; j++) {
                double rise = (s->mean[i] - s->mean[j]) * level, curve;
                for (int k = 0; k < s->facets; k++) {
                    rise += (s->slopes[i][k] - s->slopes[j][k]) * s->weight[k];
                }
                curve = s->slopes[i][i] + s->slopes[j][j] - 2.0 * s->slopes[i][j];
                double step = curve > 0.0 ? -rise / curve : 0.0;
                step = sc_max(-s->weight[i], sc_min(step, s->weight[j]));
                s->weight[i] += step;
                s->weight[j] -= step;
            }
        }
    }
}

/* The weighted mean where it is largest. */
static double largest_mean(const surround *s)
{
    double most = -INFINITY, total = 0.0;
    for (int i = 0; i < s->facets; i++) {
        total += s->weight[i];
    }
    for (int k = 0; k < s->count; k++) {
        double sum = 0.0;
        for (int i = 0; i < s->facets; i++) {
            sum += s->weight[i] * s->bound[i][k];
        }
        most = sc_max(most, sum / total);
    }
    return most;
}

/* Where no facet yet shows that it is near: one of the points, or `mean`. */
static sc_vec3 open_place(const surround *s, sc_vec3 mean)
{
    sc_vec3 place = mean;
    double most = INFINITY;
    for (int i = 0; i < s->facets; i++) {
        most = sc_min(most, s->mean[i]);
    }
    for (int k = 0; k < s->count; k++) {
        double least = INFINITY;
        for (int i = 0; i < s->facets; i++) {
            least = sc_min(least, s->bound[i][k]);
        }
        place = least > most ? s->points[k] : place;
        most = sc_max(most, least);
    }
    return place;
}

bool sc_depth_is_surrounded(sc_surface *surface, const sc_vec3 *points, int count, sc_vec3 mean,
                            const sc_nearest *nearest, double limit)
{
    static const double level = 0.001;
    static const double near_enough = 0.001; /* in the middle of a ball, exactly is dear */
    surround s = {.points = points, .count = count, .size = extent_of(points, count)};
    sc_nearest n = *nearest;
    sc_vec3 place = mean;

    while (n.facet != UINT32_MAX && n.distance <= limit && add_bound(&s, surface, place, &n)) {
        balance(&s, level * limit);
        if (largest_mean(&s) <= limit) {
            return true;
        }
        if (s.facets == MOST_FACETS) {
            break;
        }
        place = open_place(&s, mean);
        n = sc_surface_nearest(surface, place, (sc_seek){0.0, INFINITY, near_enough, 0.0, n.facet});
    }
    return false;
}

/* ---- clear ------------------------------------------------------------------ */

static bool keeps_out(void *context, uint32_t facet, const sc_vec3 v[3])
{
    const sc_brick *b = context;
    const sc_vec3 n = sc_area_twice(v);
    (void)facet;
    const sc_vec3 side[4] = {b->arm[0], b->arm[1], b->arm[2], n};
    for (int k = 0; k < 4; k++) {
        if (sc_brick_is_beside(b, v, side[k], sc_brick_half_along(b, side[k]))) {
            return true;
        }
    }
    return false;
}

bool sc_depth_is_clear(sc_surface *surface, const sc_brick *brick)
{
    /* By more than rounding makes of the signs, for facets of any size. */
    sc_brick grown = sc_brick_grown(brick, 16.0 * surface->margin);
    sc_walk walk = {.facet = keeps_out, .context = &grown};
    memcpy(walk.arm, grown.arm, sizeof walk.arm);
    walk.within = sc_brick_box(&grown);
    return sc_surface_walk(surface, &walk);
}

/* ---- moved outside ------------------------------------------------------- */

/* A triangle, and directions in which it is thin: across its plane, and in the plane
 * across its edges. A long piece of surface is thin in these, however wide its box. */
typedef struct obstacle {
    sc_vec3 v[3];
    double margin;
    sc_vec3 axis[4];
    double low[4], high[4];
} obstacle;

static void find_axes(obstacle *o)
{
    double error;
    o->axis[0] = sc_facet_normal(o->v, &error);
    for (int i = 0; i < 3; i++) {
        o->axis[i + 1] = sc_cross(o->axis[0], sc_sub(o->v[(i + 1) % 3], o->v[i]));
    }
    for (int i = 0; i < 4; i++) {
        double length = sc_length(o->axis[i]), x[3];
        o->axis[i] = sc_scale(o->axis[i], length > 0.0 ? 1.0 / length : 0.0);
        for (int k = 0; k < 3; k++) {
            x[k] = sc_dot(o->axis[i], o->v[k]);
        }
        o->low[i] = sc_min(x[0], sc_min(x[1], x[2])) - o->margin;
        o->high[i] = sc_max(x[0], sc_max(x[1], x[2])) + o->margin;
    }
}

static bool meets_box(void *context, const sc_box *box)
{
    const obstacle *o = context;
    sc_vec3 c = sc_box_centre(box);
    bool meets = true;
    for (int i = 0; i < 4 && meets; i++) {
        double at = sc_dot(o->axis[i], c), half = sc_box_half_along(box, o->axis[i]);
        meets = at - half <= o->high[i] && at + half >= o->low[i];
    }
    return meets;
}

static bool misses_triangle(void *context, uint32_t facet, const sc_vec3 v[3])
{
    const obstacle *o = context;
    (void)facet;
    for (int i = 0; i < 4; i++) {
        double x = sc_dot(o->axis[i], v[0]), y = sc_dot(o->axis[i], v[1]),
               z = sc_dot(o->axis[i], v[2]);
        if (sc_min(x, sc_min(y, z)) > o->high[i] || sc_max(x, sc_max(y, z)) < o->low[i]) {
            return true;
        }
    }
    return sc_tri_meet(o->v, v) == SC_APART;
}

bool sc_depth_triangle_leaves(sc_surface *surface, const sc_vec3 v[3], sc_vec3 way)
{
    obstacle o = {.margin = surface->margin};
    sc_walk walk = {
        .within = sc_box_empty(), .enter = meets_box, .facet = misses_triangle, .context = &o};
    for (int k = 0; k < 3; k++) {
        o.v[k] = sc_surface_tidy(surface, sc_add(v[k], way));
        sc_box_add_point(&walk.within, o.v[k]);
    }
    find_axes(&o);
    walk.within = sc_box_grown(&walk.within, o.margin);
    return sc_surface_walk(surface, &walk) && !sc_surface_contains(surface, o.v[0]);
}

bool sc_depth_box_leaves(sc_surface *surface, const sc_box *box, sc_vec3 way)
{
    sc_box moved = sc_box_moved(box, way);
    moved = sc_box_grown(&moved, surface->margin);
    return sc_solid_clear(surface->solid, &moved, &surface->failed) &&
           !sc_surface_contains(surface, sc_surface_tidy(surface, sc_box_centre(&moved)));
}
