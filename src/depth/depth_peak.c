/* depth_peak.c - see depth_proof.h: that the distance has no peak in a cell. */
#include "depth_proof.h"

#include <string.h>

/* Directions to try, and facets to look at, before a peak counts as possible: of long thin ones
 * many are near, and few matter. */
enum { MAX_TURNS = 8, MAX_VISITS = 8 * SC_DEPTH_FACETS };

typedef struct around {
    sc_surface *surface;
    sc_vec3 centre, ahead;
    const sc_brick *brick;
    double radius; /* of the brick */
    double reach;  /* what is farther from the centre is not nearest to any of the brick */
    double room;   /* nor what is so far from it along a side; infinite: look at the reach */
    double half;   /* of the brick, along `ahead` */
    int looked_at;
    uint64_t most_visits; /* of the surface, when it has taken too long */
    double least_facing;  /* the least sine of a facet that faces ahead, but may be seen from
                            outside; infinite: there is none */
    sc_vec3 against;      /* the normal of a facet that is neither ahead nor faces ahead */
} around;

/* Whether those points of the brick that a facet, so far from the centre, is nearest to see it from
 * inside: it faces ahead more than any of them can lie in front of it, both as sines. */
static bool is_seen_from_inside(const around *a, const sc_vec3 v[3], sc_vec3 n, double error,
                                double distance)
{
    const double margin = 4.0 * a->surface->margin;
    sc_vec3 to = sc_sub(a->centre, v[0]);
    double facing = sc_dot(n, a->ahead) - 2.0 * error;
    double front = sc_dot(n, to) + sc_brick_half_along(a->brick, n) + margin * sc_length(n) +
                   4.0 * error * (sc_length(to) + a->radius);
    double least = sc_max(distance - a->radius - margin, 0.0);
    return front < facing * least * (1.0 - 0x1p-40);
}

/* Below that the surroundings that matter become too large. */
static const double least_sine = 0.25;

/* Nothing stands against the direction that another one would help with. */
static bool takes_too_long(around *a)
{
    a->against = (sc_vec3){0.0, 0.0, 0.0};
    return a->surface->visited > a->most_visits;
}

/* Counts a facet, or keeps its normal as what stands against the direction. */
static bool count_facet(around *a, bool counts, sc_vec3 n)
{
    if (counts) {
        return ++a->looked_at <= SC_DEPTH_FACETS;
    }
    if (sc_length(n) > 0.0) {
        a->against = sc_unit(n);
    }
    return false;
}

/* Whether a facet is farther from all of a long brick than what may be nearest. */
static bool is_beside(const around *a, const sc_vec3 v[3])
{
    for (int k = 0; k < 3 && isfinite(a->room); k++) {
        const sc_vec3 arm = a->brick->arm[k];
        const double size = sc_length(arm);
        if (sc_brick_is_beside(a->brick, v, arm, size * (size + a->room))) {
            return true;
        }
    }
    return false;
}

/* The same of all facets of a node, the least of which faces so far ahead. */
static bool are_seen_from_inside(const around *a, const sc_box *box, const sc_normals *normals,
                                 double facing)
{
    const double margin = 4.0 * a->surface->margin;
    double front = sc_brick_half_along(a->brick, normals->axis) + margin;
    double farthest_sq = 0.0;

    for (int k = 0; k < 3; k++) {
        const double at = sc_component(a->centre, k), along = sc_component(normals->axis, k);
        const double low = at - box->high[k], high = at - box->low[k];
        const double farthest = sc_max(fabs(low), fabs(high));
        front += sc_max(along * low, along * high);
        farthest_sq += farthest * farthest;
    }
    front += sc_normals_spread(normals) * (sqrt(farthest_sq) + a->radius);
    const double apart = sc_box_point_distance(box, a->centre);
    const double least = sc_max(apart - a->radius - margin, 0.0);
    return front < facing * least * (1.0 - 0x1p-40);
}

/* Whether no facet of a node would stand against the direction. After a few by themselves that make
 * doubtful from where they are seen, all of a node may. */
static bool all_lie_ahead(void *context, const sc_box *box, const sc_normals *normals)
{
    enum { FEW = 8 };
    around *a = context;
    const double facing = sc_normals_least(normals, a->ahead);
    if (facing >= a->least_facing) {
        return true;
    }
    if (facing > 0.0 && (are_seen_from_inside(a, box, normals, facing) || a->surface->embedded)) {
        return true;
    }
    if (a->looked_at < FEW || !(facing > least_sine)) {
        return false;
    }
    a->least_facing = facing;
    return true;
}

static bool lies_ahead(void *context, uint32_t facet, const sc_vec3 v[3])
{
    around *a = context;
    sc_vec3 on;
    double least = INFINITY, error, distance;

    (void)facet;
    if (takes_too_long(a)) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        least = sc_min(least, sc_dot(sc_sub(v[i], a->centre), a->ahead));
    }
    if (least > a->half || is_beside(a, v) ||
        (distance = sc_facet_distance(a->centre, v, &on)) > a->reach || !sc_facet_has_area(v)) {
        return true;
    }
    sc_vec3 n = sc_facet_normal(v, &error);
    double facing = sc_dot(n, a->ahead) - 2.0 * error, length = sc_length(n) + error;
    bool inside =
        facing > 0.0 && (is_seen_from_inside(a, v, n, error, distance) || a->surface->embedded);
    bool faces = inside || facing > least_sine * length;
    if (faces && !inside) {
        a->least_facing = sc_min(a->least_facing, facing / length);
    }
    return count_facet(a, faces, n);
}

/* Whether a facet near the centre faces ahead, by the least sine or more. */
static bool faces_ahead(void *context, uint32_t facet, const sc_vec3 v[3])
{
    around *a = context;
    sc_vec3 on;
    double error;

    (void)facet;
    if (takes_too_long(a)) {
        return false;
    }
    if (sc_facet_distance(a->centre, v, &on) > a->reach || !sc_facet_has_area(v)) {
        return true;
    }
    sc_vec3 n = sc_facet_normal(v, &error);
    double facing = sc_dot(n, a->ahead) - 2.0 * error;
    return count_facet(a, facing >= a->least_facing * (sc_length(n) + error), n);
}

/* The same of all facets of a node. */
static bool all_face_ahead(void *context, const sc_box *box, const sc_normals *normals)
{
    const around *a = context;
    (void)box;
    return sc_normals_least(normals, a->ahead) >= a->least_facing;
}

/* Whether no winding number about the box is above 1 or negative: so all facets that face ahead are
 * seen from inside. Where all of them within a ball do, winding numbers do not grow along `ahead`,
 * nor along any direction that is off it by less than they face it; the ball is so large that
 * its ends lie in such directions from all points that matter. */
static bool bounds_simply(around *near)
{
    around far = *near;
    sc_walk walk = {
        .centre = far.centre, .facet = faces_ahead, .passes = all_face_ahead, .context = &far};
    far.least_facing = 0.9 * near->least_facing;
    double cosine = sqrt(sc_max(1.0 - far.least_facing * far.least_facing, 0.0));
    double end = near->reach * (1.01 + 1.01 * cosine / far.least_facing);
    far.looked_at = 0;
    near->surface->doubts++;
    far.reach = walk.reach = end + 4.0 * far.surface->margin;
    if (!sc_surface_walk(far.surface, &walk)) {
        near->against = far.against;
        return false;
    }
    int behind, before;
    return sc_surface_winding(far.surface, sc_mul_add(far.centre, -end, far.ahead), &behind) &&
           sc_surface_winding(far.surface, sc_mul_add(far.centre, end, far.ahead), &before) &&
           behind <= 1 && before >= 0;
}

static bool normalise(sc_vec3 *d)
{
    if (!(sc_length(*d) > 0.0)) {
        return false;
    }
    *d = sc_unit(*d);
    return true;
}

/* How well some direction can face all these normals at least, up to a tenth too much: as far as
 * the origin is from their convex hull (Gilbert, 1966). */
static double most_facing(const sc_vec3 *normals, int count)
{
    enum { STEPS = 16 };
    sc_vec3 at = normals[count - 1];
    for (int step = 0; step < STEPS; step++) {
        int worst = 0;
        for (int i = 1; i < count; i++) {
            worst = sc_dot(at, normals[i]) < sc_dot(at, normals[worst]) ? i : worst;
        }
        const sc_vec3 to = sc_sub(normals[worst], at);
        const double size = sc_dot(at, at), gain = -sc_dot(at, to);
        if (gain <= 0.1 * size) {
            break;
        }
        at = sc_mul_add(at, sc_min(1.0, gain / sc_dot(to, to)), to);
    }
    return sc_length(at);
}

/* Turns a unit vector until it faces all these normals, no more than it must; false if that
 * is not soon done. */
static bool turn_towards(sc_vec3 *way, const sc_vec3 *normals, int count)
{
    enum { STEPS = 32 };
    static const double least = 0.02;
    double enough = sc_min(0.6, most_facing(normals, count));
    for (int step = 0; step < STEPS && enough > least; step++, enough *= 0.95) {
        int worst = 0;
        for (int i = 1; i < count; i++) {
            worst = sc_dot(*way, normals[i]) < sc_dot(*way, normals[worst]) ? i : worst;
        }
        double facing = sc_dot(*way, normals[worst]);
        if (facing >= enough) {
            return true;
        }
        *way = sc_mul_add(*way, 1.5 * enough - facing, normals[worst]);
        if (!normalise(way)) {
            return false;
        }
    }
    return false;
}

/* Over what may be nearest to some of the brick, and is ahead. */
static sc_walk walk_ahead(around *a)
{
    sc_walk walk = {.centre = a->centre,
                    .reach = a->reach,
                    .way = a->ahead,
                    .most = sc_dot(a->centre, a->ahead) + a->half,
                    .facet = lies_ahead,
                    .passes = all_lie_ahead,
                    .context = a};
    if (isfinite(a->room)) {
        const sc_brick roomy = sc_brick_grown(a->brick, a->room);
        memcpy(walk.arm, roomy.arm, sizeof walk.arm);
        walk.reach = 0.0;
        walk.within = sc_brick_box(&roomy);
    }
    return walk;
}

bool sc_depth_no_peak(sc_surface *surface, const sc_brick *brick, const sc_nearest *nearest,
                      double most)
{
    double error;
    const double radius = sc_brick_radius(brick);
    sc_vec3 v[3], against[1 + MAX_TURNS];

    around a = {.surface = surface,
                .brick = brick,
                .radius = radius,
                .centre = brick->centre,
                .room = sc_brick_is_long(brick) ? most + 4.0 * surface->margin : INFINITY,
                .most_visits = surface->visited + MAX_VISITS};
    a.reach = nearest->distance + 2.0 * radius + 4.0 * surface->margin;
    a.ahead = sc_sub(nearest->point, a.centre);
    if (nearest->distance < radius) { /* too near for a direction: that of the facet */
        sc_solid_facet(surface->solid, nearest->facet, v);
        a.ahead = sc_facet_normal(v, &error);
    }
    bool possible = normalise(&a.ahead);
    against[0] = a.ahead; /* what is nearest stays ahead, whatever else is */
    for (int turn = 0; turn < MAX_TURNS && possible; turn++) {
        a.half = sc_brick_half_along(brick, a.ahead) + 2.0 * surface->margin;
        a.against = (sc_vec3){0.0, 0.0, 0.0};
        a.looked_at = 0;
        a.least_facing = INFINITY;
        const sc_walk walk = walk_ahead(&a);
        if (sc_surface_walk(surface, &walk) && (!isfinite(a.least_facing) || bounds_simply(&a))) {
            return true;
        }
        if (surface->failed || sc_dot(a.against, a.against) == 0.0) {
            return false;
        }
        against[turn + 1] = a.against;
        possible = turn_towards(&a.ahead, against, turn + 2);
    }
    return false;
}
