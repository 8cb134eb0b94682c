/* piece.c - see piece.h. */
#include "piece.h"

#include "geom/facet_distance.h"

/* ---- walls ----------------------------------------------------------------- */

/* In a plane with that normal, out of a side. Not a number if it has no length, or there is more
 * beyond it than `in_plane`. */
static sc_vec3 out_of_side(const sc_vec3 *corner, int count, int side, sc_vec3 normal,
                           double in_plane)
{
    const sc_vec3 from = corner[side], to = corner[side + 1 < count ? side + 1 : 0];
    const sc_vec3 out = sc_unit(sc_cross(sc_sub(to, from), normal));
    for (int i = 0; i < count; i++) {
        if (!(sc_dot(out, sc_sub(corner[i], from)) <= in_plane)) {
            return (sc_vec3){NAN, NAN, NAN};
        }
    }
    return out;
}

bool sc_wall_make(const sc_vec3 v[3], double in_plane, sc_wall *wall)
{
    const sc_vec3 n = sc_area_twice(v), normal = sc_unit(n);
    const double off =
        sc_fmax(fabs(sc_dot(normal, sc_sub(v[1], v[0]))), fabs(sc_dot(normal, sc_sub(v[2], v[0]))));
    bool known = off <= in_plane; /* not if it has no area, NaN */

    wall->normal = normal;
    wall->box = sc_box_of_points(v, 3);
    for (int k = 0; k < 3; k++) {
        wall->v[k] = v[k];
        wall->out[k] = out_of_side(v, 3, k, normal, in_plane);
        known = known && !isnan(wall->out[k].x);
    }
    return known;
}

/* ---- pieces ---------------------------------------------------------------- */

sc_box sc_piece_box(const sc_piece *p)
{
    return sc_box_of_points(p->corner, p->count);
}

sc_vec3 sc_piece_middle(const sc_piece *p)
{
    sc_vec3 sum = p->corner[0];
    for (int i = 1; i < p->count; i++) {
        sum = sc_add(sum, p->corner[i]);
    }
    return sc_scale(sum, 1.0 / p->count);
}

double sc_piece_radius(const sc_piece *p, sc_vec3 middle)
{
    double radius = 0.0;
    for (int i = 0; i < p->count; i++) {
        radius = sc_fmax(radius, sc_length(sc_sub(p->corner[i], middle)));
    }
    return radius;
}

bool sc_piece_is_wider(const sc_piece *p, double width)
{
    const sc_box box = sc_piece_box(p);
    sc_vec3 twice = {0.0, 0.0, 0.0};
    for (int i = 2; i < p->count; i++) {
        twice = sc_add(twice, sc_cross(sc_sub(p->corner[i - 1], p->corner[0]),
                                       sc_sub(p->corner[i], p->corner[0])));
    }
    return 0.5 * sc_length(twice) > width * sc_box_extent(&box);
}

static bool divide(const sc_piece *p, const double height[SC_PIECE_CORNERS], sc_piece *above,
                   sc_piece *below)
{
    above->count = below->count = 0;
    above->normal = below->normal = p->normal;
    for (int i = 0; i < p->count; i++) {
        int next = i + 1 < p->count ? i + 1 : 0;
        double at = height[i], to = height[next];
        if (isnan(at) || above->count > SC_PIECE_CORNERS - 2 ||
            below->count > SC_PIECE_CORNERS - 2) {
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

bool sc_piece_cut(const sc_piece *p, sc_vec3 normal, sc_vec3 at, double offset, sc_piece *above,
                  sc_piece *below)
{
    double height[SC_PIECE_CORNERS];
    for (int i = 0; i < p->count; i++) {
        height[i] = sc_dot(normal, sc_sub(p->corner[i], at)) - offset;
    }
    return divide(p, height, above, below);
}

bool sc_piece_halve(const sc_piece *p, sc_piece half[2])
{
    sc_box box = sc_piece_box(p);
    int axis = 0;
    for (int k = 1; k < 3; k++) {
        axis = box.high[k] - box.low[k] > box.high[axis] - box.low[axis] ? k : axis;
    }
    double middle = 0.5 * (box.low[axis] + box.high[axis]), height[SC_PIECE_CORNERS];
    for (int i = 0; i < p->count; i++) {
        height[i] = sc_component(p->corner[i], axis) - middle;
    }
    return divide(p, height, &half[0], &half[1]);
}

/* ---- pieces and walls ------------------------------------------------------- */

sc_outline sc_piece_outline(const sc_piece *p, double in_plane)
{
    sc_outline outline;
    for (int k = 0; k < p->count; k++) {
        outline.out[k] = out_of_side(p->corner, p->count, k, p->normal, in_plane);
    }
    return outline;
}

/* Whether all points lie farther than `room` from a plane, where its normal points. */
static bool lie_beyond(const sc_vec3 *points, int count, sc_vec3 normal, sc_vec3 at, double room)
{
    for (int i = 0; i < count; i++) {
        if (!(sc_dot(normal, sc_sub(points[i], at)) > room)) {
            return false;
        }
    }
    return true;
}

/* The same, on either side. */
static bool lie_off(const sc_vec3 *points, int count, sc_vec3 normal, sc_vec3 at, double room)
{
    return lie_beyond(points, count, normal, at, room) ||
           lie_beyond(points, count, sc_scale(normal, -1.0), at, room);
}

bool sc_piece_misses_facet(const sc_piece *p, const sc_outline *outline, const sc_vec3 v[3],
                           double room)
{
    if (lie_off(v, 3, p->normal, p->corner[0], room)) {
        return true;
    }
    for (int k = 0; k < p->count; k++) {
        if (lie_beyond(v, 3, outline->out[k], p->corner[k], room)) {
            return true;
        }
    }
    return false;
}

bool sc_piece_misses(const sc_piece *p, const sc_outline *outline, const sc_wall *wall, double room)
{
    if (lie_off(p->corner, p->count, wall->normal, wall->v[0], room)) {
        return true;
    }
    for (int k = 0; k < 3; k++) {
        if (lie_beyond(p->corner, p->count, wall->out[k], wall->v[k], room)) {
            return true;
        }
    }
    return sc_piece_misses_facet(p, outline, wall->v, room);
}

bool sc_piece_is_near(const sc_piece *p, const sc_vec3 v[3], double limit)
{
    for (int i = 0; i < p->count; i++) { /* what lies between near points is near as well */
        sc_vec3 on;
        if (!(sc_facet_distance(p->corner[i], v, &on) <= limit)) {
            return false;
        }
    }
    return true;
}
