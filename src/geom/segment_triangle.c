/* segment_triangle.c - see segment_triangle.h.
 *
 * Which case applies, and what is met, follows from signs (orient.h). A parameter is a
 * ratio of two determinants: its double is enough to order most pairs, and the rest is
 * ordered by whole numbers. */
#include "segment_triangle.h"

#include "integer.h"
#include "orient.h"

/* ---- parameters ------------------------------------------------------------------- */

/* The coordinates of some points as whole numbers over one power of two. */
static void to_integers(sc_integer (*out)[3], const sc_vec3 *points, int count)
{
    double x[15];
    for (int i = 0; i < count; i++) {
        x[3 * i] = points[i].x;
        x[3 * i + 1] = points[i].y;
        x[3 * i + 2] = points[i].z;
    }
    int lowest = sc_integer_lowest_bit(x, 3 * count);
    for (int i = 0; i < 3 * count; i++) {
        sc_integer_from(&out[i / 3][i % 3], x[i], lowest);
    }
}

/* The parameter as over / under, under > 0. With f a function that is linear along the
 * segment and 0 at the parameter, it is f(p) / (f(p) - f(q)). */
static void exact_ratio(const sc_segment *s, const sc_stop *stop, sc_integer *over,
                        sc_integer *under)
{
    sc_vec3 points[5] = {s->p, s->q, stop->v[0], stop->v[1], stop->v[2]};
    sc_integer x[5][3], u[3], v[3], n[3], at_p, at_q;

    if (stop->kind == SC_STOP_START || stop->kind == SC_STOP_END) {
        sc_integer_from(over, stop->kind == SC_STOP_END, 0);
        sc_integer_from(under, 1.0, 0);
        return;
    }
    if (stop->kind == SC_STOP_POINT) {
        points[3] = points[4] = stop->v[0];
        to_integers(x, points, 3);
        sc_integer_subtract(&at_p, &x[0][stop->axis], &x[2][stop->axis]);
        sc_integer_subtract(&at_q, &x[1][stop->axis], &x[2][stop->axis]);
    } else {
        bool plane = stop->kind == SC_STOP_PLANE;
        to_integers(x, points, plane ? 5 : 4);
        sc_integer_difference(u, x[3], x[2]);
        sc_integer from_p[3], from_q[3];
        sc_integer_difference(from_p, x[0], x[2]);
        sc_integer_difference(from_q, x[1], x[2]);
        if (plane) {
            sc_integer_difference(v, x[4], x[2]);
            for (int k = 0; k < 3; k++) {
                sc_integer_cross(&n[k], u, v, k);
            }
            sc_integer_dot(&at_p, n, from_p);
            sc_integer_dot(&at_q, n, from_q);
        } else {
            sc_integer_cross(&at_p, u, from_p, stop->axis);
            sc_integer_cross(&at_q, u, from_q, stop->axis);
        }
    }
    *over = at_p;
    sc_integer_subtract(under, &at_p, &at_q);
    over->sign *= under->sign;
    under->sign *= under->sign;
}

static bool same_stop(const sc_stop *a, const sc_stop *b)
{
    return a->kind == b->kind && a->axis == b->axis && sc_same(a->v[0], b->v[0]) &&
           sc_same(a->v[1], b->v[1]) && sc_same(a->v[2], b->v[2]);
}

int sc_stop_compare(const sc_segment *segment, const sc_stop *a, const sc_stop *b)
{
    if (a->t + a->error < b->t - b->error) {
        return -1;
    }
    if (a->t - a->error > b->t + b->error) {
        return 1;
    }
    if (same_stop(a, b)) {
        return 0;
    }
    sc_integer over_a, under_a, over_b, under_b;
    exact_ratio(segment, a, &over_a, &under_a);
    exact_ratio(segment, b, &over_b, &under_b);
    return sc_integer_compare_ratios(&over_a, &under_a, &over_b, &under_b);
}

/* How inexact f(p) and f(q) may be for their ratio to stand as it is. */
static const double precise = 0x1p-42;

/* Gives the stop its number: from the values of f at both ends, whose errors are known,
 * or exactly. They are not both 0 and have no common sign. */
static void set_parameter(const sc_segment *s, sc_stop *stop, double at_p, double error_p,
                          double at_q, double error_q)
{
    double a = fabs(at_p), b = fabs(at_q), sum = a + b;

    if (error_p <= precise * a && error_p + error_q <= precise * sum) {
        stop->t = a / sum;
        stop->error = stop->t * (4.0 * precise);
    } else {
        sc_integer over, under;
        exact_ratio(s, stop, &over, &under);
        stop->t = sc_integer_ratio(&over, &under);
        stop->error = stop->t * 0x1p-50;
    }
    if (isinf(sc_orient_bounds.bound_3d)) {
        stop->error = INFINITY; /* tests: every order by whole numbers */
    }
}

static sc_stop stop_at_end(bool end)
{
    return (sc_stop){.kind = end ? SC_STOP_END : SC_STOP_START, .t = end ? 1.0 : 0.0};
}

/* A normal of the triangle, and the error of each component. From differences of its
 * vertices: small triangles far from the segment's ends keep their precision. */
typedef struct plane {
    sc_vec3 origin, normal, error;
} plane;

static double product(double a, double b, double c, double d, double *error)
{
    double left = a * b, right = c * d;
    *error = 0x1p-51 * (fabs(left) + fabs(right));
    return left - right;
}

static plane plane_of(const sc_vec3 v[3])
{
    sc_vec3 a = sc_sub(v[1], v[0]), b = sc_sub(v[2], v[0]);
    plane p = {.origin = v[0]};
    p.normal.x = product(a.y, b.z, a.z, b.y, &p.error.x);
    p.normal.y = product(a.z, b.x, a.x, b.z, &p.error.y);
    p.normal.z = product(a.x, b.y, a.y, b.x, &p.error.z);
    return p;
}

/* normal . (x - origin) */
static double plane_value(const plane *p, sc_vec3 x, double *error)
{
    sc_vec3 d = sc_sub(x, p->origin), n = p->normal;
    *error = (p->error.x + fabs(n.x) * 0x1p-51) * fabs(d.x) +
             (p->error.y + fabs(n.y) * 0x1p-51) * fabs(d.y) +
             (p->error.z + fabs(n.z) * 0x1p-51) * fabs(d.z);
    return sc_dot(n, d);
}

sc_stop sc_segment_plane(const sc_segment *s, const sc_vec3 v[3])
{
    sc_stop stop = {.kind = SC_STOP_PLANE, .v = {v[0], v[1], v[2]}};
    plane p = plane_of(v);
    double error_p, error_q;
    double at_p = plane_value(&p, s->p, &error_p), at_q = plane_value(&p, s->q, &error_q);
    set_parameter(s, &stop, at_p, error_p, at_q, error_q);
    return stop;
}

static double line_value(sc_vec3 a, sc_vec3 b, sc_vec3 x, int axis, double *error)
{
    int i = (axis + 1) % 3, j = (axis + 2) % 3;
    sc_vec3 u = sc_sub(b, a), w = sc_sub(x, a);
    double left = sc_component(u, i) * sc_component(w, j);
    double right = sc_component(u, j) * sc_component(w, i);
    *error = 0x1p-51 * (fabs(left) + fabs(right));
    return left - right;
}

static sc_stop stop_at_line(const sc_segment *s, sc_vec3 a, sc_vec3 b, int axis)
{
    sc_stop stop = {.kind = SC_STOP_LINE, .axis = axis, .v = {a, b, b}};
    double error_p, error_q;
    double at_p = line_value(a, b, s->p, axis, &error_p);
    double at_q = line_value(a, b, s->q, axis, &error_q);
    set_parameter(s, &stop, at_p, error_p, at_q, error_q);
    return stop;
}

static sc_stop stop_at_point(const sc_segment *s, sc_vec3 v, int axis)
{
    sc_stop stop = {.kind = SC_STOP_POINT, .axis = axis, .v = {v, v, v}};
    double at_p = sc_component(v, axis) - sc_component(s->p, axis);
    double at_q = sc_component(v, axis) - sc_component(s->q, axis);
    set_parameter(s, &stop, at_p, 0x1p-52 * fabs(at_p), at_q, 0x1p-52 * fabs(at_q));
    return stop;
}

/* ---- in one plane, on one line ------------------------------------------------------ */

/* What a constraint leaves of a stretch: from `from` on, or up to `to`. */
static void begin_no_earlier(const sc_segment *s, sc_stretch *stretch, const sc_stop *from)
{
    if (sc_stop_compare(s, from, &stretch->from) > 0) {
        stretch->from = *from;
    }
}

static void end_no_later(const sc_segment *s, sc_stretch *stretch, const sc_stop *to)
{
    if (sc_stop_compare(s, to, &stretch->to) < 0) {
        stretch->to = *to;
    }
}

static void finish_stretch(const sc_segment *s, sc_stretch *stretch)
{
    int order = sc_stop_compare(s, &stretch->from, &stretch->to);
    stretch->meets = order <= 0;
    stretch->interval = order < 0;
}

static sc_feature feature_of(int zeros)
{
    return zeros == 0 ? SC_FACE : zeros == 1 ? SC_EDGE : SC_VERTEX;
}

/* The signs of a point of the triangle's plane against its edges, positive inside, and
 * how many are 0. False if it lies outside. */
static bool inside_in_plane(sc_vec3 x, const sc_vec3 v[3], int axis, int *zeros)
{
    int turn = sc_orient2d(v[0], v[1], v[2], axis);
    *zeros = 0;
    for (int i = 0; i < 3; i++) {
        int side = turn * sc_orient2d(v[i], v[(i + 1) % 3], x, axis);
        if (side < 0) {
            return false;
        }
        *zeros += side == 0;
    }
    return true;
}

/* Where one point of the segment is known to meet the triangle. */
static sc_stretch single(sc_stop stop, sc_feature feature)
{
    return (sc_stretch){.meets = true, .from = stop, .to = stop, .feature = feature};
}

/* A point in the plane of a triangle with area, an end of the segment. */
static sc_stretch meet_at_end(const sc_segment *s, const sc_vec3 v[3], int axis, bool far_end)
{
    int zeros;
    return inside_in_plane(far_end ? s->q : s->p, v, axis, &zeros)
               ? single(stop_at_end(far_end), feature_of(zeros))
               : (sc_stretch){.meets = false};
}

/* Segment in the plane of a triangle with area: cut by its three edges. */
static sc_stretch meet_in_plane(const sc_segment *s, const sc_vec3 v[3], int axis)
{
    sc_stretch stretch = {.from = stop_at_end(false), .to = stop_at_end(true), .feature = SC_FACE};
    int turn = sc_orient2d(v[0], v[1], v[2], axis);

    if (sc_same(s->p, s->q)) {
        return meet_at_end(s, v, axis, false);
    }
    for (int i = 0; i < 3; i++) {
        sc_vec3 a = v[i], b = v[(i + 1) % 3];
        int side_p = turn * sc_orient2d(a, b, s->p, axis);
        int side_q = turn * sc_orient2d(a, b, s->q, axis);
        if (side_p < 0 && side_q < 0) {
            return (sc_stretch){.meets = false};
        }
        if (side_p == 0 && side_q == 0) {
            stretch.feature = SC_EDGE;
        } else if (side_p < 0) {
            sc_stop stop = side_q == 0 ? stop_at_end(true) : stop_at_line(s, a, b, axis);
            begin_no_earlier(s, &stretch, &stop);
        } else if (side_q < 0) {
            sc_stop stop = side_p == 0 ? stop_at_end(false) : stop_at_line(s, a, b, axis);
            end_no_later(s, &stretch, &stop);
        }
    }
    finish_stretch(s, &stretch);
    if (stretch.meets && !stretch.interval) { /* a corner, or an end on the border */
        const bool at_end = stretch.from.kind <= SC_STOP_END;
        const sc_stretch end = meet_at_end(s, v, axis, stretch.from.kind != SC_STOP_START);
        stretch.feature = at_end && end.meets ? end.feature : SC_VERTEX;
    }
    return stretch;
}

/* An axis along which a and b differ, or -1. */
static int extent_axis(sc_vec3 a, sc_vec3 b)
{
    return a.x != b.x ? 0 : a.y != b.y ? 1 : a.z != b.z ? 2 : -1;
}

/* Two segments of one line, along whose `axis` the first has extent. */
static sc_stretch meet_on_line(const sc_segment *s, sc_vec3 a, sc_vec3 b, int axis)
{
    sc_stretch stretch = {.from = stop_at_end(false), .to = stop_at_end(true), .feature = SC_EDGE};
    double p = sc_component(s->p, axis), q = sc_component(s->q, axis);
    double x = sc_component(a, axis), y = sc_component(b, axis);
    sc_vec3 first = (x <= y) == (p <= q) ? a : b, last = (x <= y) == (p <= q) ? b : a;
    double way = q > p ? 1.0 : -1.0;

    x = way * sc_component(first, axis);
    y = way * sc_component(last, axis);
    p *= way;
    q *= way;
    if (x > q || y < p) {
        return (sc_stretch){.meets = false};
    }
    if (x > p) {
        stretch.from = x == q ? stop_at_end(true) : stop_at_point(s, first, axis);
    }
    if (y < q) {
        stretch.to = y == p ? stop_at_end(false) : stop_at_point(s, last, axis);
    }
    finish_stretch(s, &stretch);
    if (!stretch.interval) {
        stretch.feature = SC_VERTEX;
    }
    return stretch;
}

static bool on_one_line(sc_vec3 a, sc_vec3 b, sc_vec3 c)
{
    return sc_projection_axis(a, b, c) < 0;
}

/* Whether x, which lies on the line of a and b, is between them. */
static bool between(sc_vec3 a, sc_vec3 b, sc_vec3 x)
{
    for (int k = 0; k < 3; k++) {
        double low = sc_component(a, k), high = sc_component(b, k), at = sc_component(x, k);
        if (at < (low < high ? low : high) || at > (low < high ? high : low)) {
            return false;
        }
    }
    return true;
}

/* Two segments in one plane, not on one line: where they cross, or one ends on the other. */
static sc_stretch meet_crosswise(const sc_segment *s, sc_vec3 a, sc_vec3 b)
{
    sc_stretch none = {.meets = false};
    for (int axis = 0; axis < 3; axis++) {
        if (sc_cross_sign(s->q, s->p, b, a, axis) == 0) {
            continue;
        }
        int side_p = sc_orient2d(a, b, s->p, axis), side_q = sc_orient2d(a, b, s->q, axis);
        int side_a = sc_orient2d(s->p, s->q, a, axis), side_b = sc_orient2d(s->p, s->q, b, axis);
        if (side_p * side_q > 0 || side_a * side_b > 0) {
            return none;
        }
        sc_stop stop = side_p == 0   ? stop_at_end(false)
                       : side_q == 0 ? stop_at_end(true)
                                     : stop_at_line(s, a, b, axis);
        return single(stop, side_a == 0 || side_b == 0 ? SC_VERTEX : SC_EDGE);
    }
    return none; /* parallel; or a point off the segment's line */
}

/* A triangle without area: the segment between its farthest vertices. */
static sc_stretch meet_segment(const sc_segment *s, const sc_vec3 v[3])
{
    sc_stretch none = {.meets = false};
    sc_vec3 a = v[0], b = v[1];
    for (int i = 0; i < 3; i++) { /* the vertex between the two others is left out */
        if (between(v[i], v[(i + 1) % 3], v[(i + 2) % 3])) {
            a = v[i];
            b = v[(i + 1) % 3];
        }
    }
    int along = extent_axis(s->p, s->q);
    if (along < 0) { /* the probe is a point */
        bool on = on_one_line(a, b, s->p) && between(a, b, s->p);
        bool corner = sc_same(a, s->p) || sc_same(b, s->p);
        return on ? single(stop_at_end(false), corner ? SC_VERTEX : SC_EDGE) : none;
    }
    if (on_one_line(s->p, s->q, a) && on_one_line(s->p, s->q, b)) {
        return meet_on_line(s, a, b, along);
    }
    return sc_orient3d(s->p, s->q, a, b) != 0 ? none : meet_crosswise(s, a, b);
}

/* ---- in general --------------------------------------------------------------------- */

/* The segment's ends lie on both sides of the plane: whether it passes the triangle. */
static bool passes(const sc_segment *s, const sc_vec3 v[3], int *zeros)
{
    int positive = 0, negative = 0;
    for (int i = 0; i < 3; i++) {
        int sign = sc_orient3d(s->p, s->q, v[i], v[(i + 1) % 3]);
        positive += sign > 0;
        negative += sign < 0;
        if (positive > 0 && negative > 0) {
            return false;
        }
    }
    *zeros = 3 - positive - negative;
    return true;
}

sc_stretch sc_segment_meet(const sc_segment *s, const sc_vec3 v[3])
{
    sc_stretch none = {.meets = false};
    int side_p = sc_orient3d(v[0], v[1], v[2], s->p);
    int side_q = sc_orient3d(v[0], v[1], v[2], s->q), zeros;

    if (side_p * side_q > 0) {
        return none;
    }
    if (side_p * side_q < 0) {
        return passes(s, v, &zeros) ? single(sc_segment_plane(s, v), feature_of(zeros)) : none;
    }
    int axis = sc_projection_axis(v[0], v[1], v[2]);
    if (axis < 0) {
        return meet_segment(s, v);
    }
    if (side_p == 0 && side_q == 0) {
        return meet_in_plane(s, v, axis);
    }
    return meet_at_end(s, v, axis, side_q == 0);
}

bool sc_segment_meets(const sc_segment *s, const sc_vec3 v[3])
{
    int side_p = sc_orient3d(v[0], v[1], v[2], s->p);
    int side_q = sc_orient3d(v[0], v[1], v[2], s->q), zeros;

    if (side_p * side_q != 0) {
        return side_p * side_q < 0 && passes(s, v, &zeros);
    }
    return sc_segment_meet(s, v).meets;
}
