/* tri_intersect.c - see tri_intersect.h.
 *
 * Triangles that each straddle the other's plane are told apart by two more signs
 * (Devillers and Guigue 2002); coplanar ones by separating edges, and so is one that
 * touches the other's plane with a vertex or an edge. All others, and the common points
 * of any two, come from one list: the extreme points of the intersection of two convex
 * shapes are vertices of one in the other, crossings of an edge with an edge, and of an
 * edge with a face. */
#include "tri_intersect.h"

#include "angle.h"
#include "orient.h"

#include <stdbool.h>

/* ---- sides of a plane ---------------------------------------------------- */

/* Where the vertices of one triangle lie relative to the other's plane. */
typedef struct sides {
    int of[3];
    bool above, below, on; /* some vertex is */
} sides;

static sides sides_of(const sc_vec3 plane[3], const sc_vec3 t[3])
{
    sides s = {.above = false};
    sc_orient3d_of_three(plane, t, s.of);
    for (int i = 0; i < 3; i++) {
        s.above |= s.of[i] < 0;
        s.below |= s.of[i] > 0;
        s.on |= s.of[i] == 0;
    }
    return s;
}

static bool touches_from_one_side(const sides *s)
{
    return s->on && s->above != s->below;
}

static bool on_one_side(const sides *s)
{
    return !s->on && s->above != s->below;
}

static bool straddles(const sides *s)
{
    return s->above && s->below;
}

/* The vertex that is alone on its side of the plane, of a triangle that straddles. */
static int lone_vertex(const sides *s)
{
    int below = 0, above = 0, count_below = 0;
    for (int i = 0; i < 3; i++) {
        if (s->of[i] > 0) {
            below = i;
            count_below++;
        } else if (s->of[i] < 0) {
            above = i;
        }
    }
    return count_below == 1 ? below : above;
}

/* Both straddle, so each cuts a segment from the line in which the planes meet:
 * these overlap openly (SC_CROSS), share an end point (SC_TOUCH), or not. */
static sc_meeting meet_on_line(const sc_vec3 a[3], const sides *sa, const sc_vec3 b[3],
                               const sides *sb)
{
    int i = lone_vertex(sa), j = lone_vertex(sb);
    sc_vec3 a0 = a[i], a1 = a[(i + 1) % 3], a2 = a[(i + 2) % 3];
    sc_vec3 b0 = b[j], b1 = b[(j + 1) % 3], b2 = b[(j + 2) % 3];

    if (sa->of[i] > 0) {
        sc_vec3 t = b1;
        b1 = b2;
        b2 = t;
    }
    if (sb->of[j] > 0) {
        sc_vec3 t = a1;
        a1 = a2;
        a2 = t;
    }
    int first = sc_orient3d(a0, a1, b0, b1);
    if (first < 0) {
        return SC_APART;
    }
    int second = sc_orient3d(a0, a2, b2, b0);
    if (second < 0) {
        return SC_APART;
    }
    return first > 0 && second > 0 ? SC_CROSS : SC_TOUCH;
}

/* See edge_separates, of which this is one for each axis. */
static inline bool edge_separates_along(const sc_vec3 t[3], int turn, const sc_vec3 *b, int count,
                                        const int axis)
{
    for (int i = 0; i < 3; i++) {
        const sc_vec3 from = t[i], to = t[i < 2 ? i + 1 : 0];
        if (sc_orient2d(from, to, b[0], axis) * turn < 0 &&
            (count < 2 || sc_orient2d(from, to, b[1], axis) * turn < 0) &&
            (count < 3 || sc_orient2d(from, to, b[2], axis) * turn < 0)) {
            return true;
        }
    }
    return false;
}

/* Whether an edge of a triangle, which turns that way in the projection along an axis, has a
 * coplanar shape, of `count` vertices, strictly on its outer side. Exactly then, or by an edge of
 * that shape, two of them lie apart. */
static bool edge_separates(const sc_vec3 t[3], int turn, const sc_vec3 *b, int count, int axis)
{
    return axis == 0   ? edge_separates_along(t, turn, b, count, 0)
           : axis == 1 ? edge_separates_along(t, turn, b, count, 1)
                       : edge_separates_along(t, turn, b, count, 2);
}

/* As facets of fans around one apex do. */
static bool shares_vertex(const sc_vec3 t[3], const sc_vec3 *b, int count)
{
    for (int j = 0; j < count; j++) {
        if (sc_same(t[0], b[j]) || sc_same(t[1], b[j]) || sc_same(t[2], b[j])) {
            return true;
        }
    }
    return false;
}

/* Of a triangle that touches the plane of t from one side: whether its vertex in that plane, or its
 * edge there, meets t. */
static sc_meeting meet_from_one_side(const sc_vec3 t[3], const sc_vec3 a[3], const sides *sa)
{
    sc_vec3 in[2];
    int count = 0;

    for (int i = 0; i < 3; i++) {
        if (sa->of[i] == 0) {
            in[count++] = a[i];
        }
    }
    if (shares_vertex(t, in, count)) {
        return SC_TOUCH;
    }
    const int axis = sc_projection_axis(t[0], t[1], t[2]);
    if (edge_separates(t, sc_orient2d(t[0], t[1], t[2], axis), in, count, axis)) {
        return SC_APART;
    }
    if (count == 2) {
        const int side = sc_orient2d(in[0], in[1], t[0], axis);
        if (side != 0 && side == sc_orient2d(in[0], in[1], t[1], axis) &&
            side == sc_orient2d(in[0], in[1], t[2], axis)) {
            return SC_APART;
        }
    }
    return SC_TOUCH;
}

/* ---- shapes: a triangle, or the segment or point that a degenerate one is - */

typedef struct shape {
    sc_vec3 v[3];
    int vertices; /* 3, 2 or 1: a triangle, segment or point; edges: 3, 1, 0 */
    int axis;     /* triangle: a projection in which it has area */
} shape;

/* b between a and c, which lie on a line with it: so in every coordinate. */
static bool between(sc_vec3 a, sc_vec3 b, sc_vec3 c)
{
    return ((a.x <= b.x && b.x <= c.x) || (c.x <= b.x && b.x <= a.x)) &&
           ((a.y <= b.y && b.y <= c.y) || (c.y <= b.y && b.y <= a.y)) &&
           ((a.z <= b.z && b.z <= c.z) || (c.z <= b.z && b.z <= a.z));
}

static shape shape_of(const sc_vec3 t[3])
{
    int axis = sc_projection_axis(t[0], t[1], t[2]);
    if (axis >= 0) {
        return (shape){{t[0], t[1], t[2]}, 3, axis};
    }
    for (int i = 0; i < 3; i++) { /* the two ends of the line: the third is between */
        sc_vec3 p = t[i], q = t[(i + 1) % 3];
        if (!sc_same(p, q) && between(p, t[(i + 2) % 3], q)) {
            return (shape){{p, q, q}, 2, -1};
        }
    }
    return (shape){{t[0], t[0], t[0]}, 1, -1};
}

static int edge_count(const shape *s)
{
    return s->vertices == 3 ? 3 : s->vertices - 1;
}

static bool collinear(sc_vec3 a, sc_vec3 b, sc_vec3 c)
{
    return sc_projection_axis(a, b, c) < 0;
}

/* Whether p lies in the closed shape, and on which feature of it. */
static bool contains(const shape *s, sc_vec3 p, sc_feature *on)
{
    *on = SC_VERTEX;
    for (int i = 0; i < s->vertices; i++) {
        if (sc_same(s->v[i], p)) {
            return true;
        }
    }
    if (s->vertices < 3) {
        *on = SC_EDGE;
        return s->vertices == 2 && between(s->v[0], p, s->v[1]) && collinear(s->v[0], s->v[1], p);
    }
    if (sc_orient3d(s->v[0], s->v[1], s->v[2], p) != 0) {
        return false;
    }
    int u = sc_orient2d(s->v[0], s->v[1], p, s->axis);
    int v = sc_orient2d(s->v[1], s->v[2], p, s->axis);
    int w = sc_orient2d(s->v[2], s->v[0], p, s->axis);
    *on = u != 0 && v != 0 && w != 0 ? SC_FACE : SC_EDGE;
    return (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
}

/* p + (q - p) * dp / (dp - dq), from the nearer end; dp and dq differ in sign. */
static sc_vec3 point_between(sc_vec3 p, double dp, sc_vec3 q, double dq)
{
    double t = dp / (dp - dq);
    return t <= 0.5 ? sc_mul_add(p, t, sc_sub(q, p)) : sc_mul_add(q, dq / (dq - dp), sc_sub(p, q));
}

/* Whether pq and rs cross in one point inside both. */
static bool edges_cross(sc_vec3 p, sc_vec3 q, sc_vec3 r, sc_vec3 s, sc_vec3 *at)
{
    if (sc_orient3d(p, q, r, s) != 0) {
        return false;
    }
    int axis = sc_projection_axis(p, q, r);
    if (axis < 0) {
        return false; /* r on the line of pq: not inside both, or no single point */
    }
    if (sc_orient2d(p, q, r, axis) * sc_orient2d(p, q, s, axis) >= 0 ||
        sc_orient2d(r, s, p, axis) * sc_orient2d(r, s, q, axis) >= 0) {
        return false;
    }
    *at = point_between(p, sc_orient2d_value(r, s, p, axis), q, sc_orient2d_value(r, s, q, axis));
    return true;
}

/* Whether pq crosses the triangle t in one point inside both. */
static bool edge_pierces(sc_vec3 p, sc_vec3 q, const sc_vec3 t[3], sc_vec3 *at)
{
    if (sc_orient3d(t[0], t[1], t[2], p) * sc_orient3d(t[0], t[1], t[2], q) >= 0) {
        return false;
    }
    int u = sc_orient3d(p, q, t[0], t[1]);
    if (u == 0 || sc_orient3d(p, q, t[1], t[2]) != u || sc_orient3d(p, q, t[2], t[0]) != u) {
        return false;
    }
    *at = point_between(p, sc_orient3d_value(t[0], t[1], t[2], p), q,
                        sc_orient3d_value(t[0], t[1], t[2], q));
    return true;
}

/* ---- the common points --------------------------------------------------- */

static void add_point(sc_common *common, sc_vec3 p, sc_feature on_a, sc_feature on_b)
{
    if (common->count == 0) {
        common->first = p;
        common->feature_a = on_a;
        common->feature_b = on_b;
    }
    common->points[common->count++] = p;
}

static void add_vertices(sc_common *common, const shape *from, const shape *in, bool from_a)
{
    sc_feature on;
    for (int i = 0; i < from->vertices && common->count < 6; i++) {
        bool known = false; /* a vertex of both shapes comes up twice */
        for (int k = 0; k < common->count; k++) {
            known |= sc_same(common->points[k], from->v[i]);
        }
        if (!known && contains(in, from->v[i], &on)) {
            add_point(common, from->v[i], from_a ? SC_VERTEX : on, from_a ? on : SC_VERTEX);
        }
    }
}

static void add_piercings(sc_common *common, const shape *edges, const shape *face, bool edges_of_a)
{
    sc_vec3 at;
    for (int i = 0; i < edge_count(edges) && face->vertices == 3 && common->count < 6; i++) {
        if (edge_pierces(edges->v[i], edges->v[(i + 1) % 3], face->v, &at)) {
            add_point(common, at, edges_of_a ? SC_EDGE : SC_FACE, edges_of_a ? SC_FACE : SC_EDGE);
        }
    }
}

/* Every extreme point of the intersection, each once; with `first_only` at least
 * one of them. */
static sc_common common_points(const shape *a, const shape *b, bool first_only)
{
    sc_common common = {.count = 0};
    sc_vec3 at;

    add_vertices(&common, a, b, true);
    if (first_only && common.count > 0) {
        return common;
    }
    add_vertices(&common, b, a, false);
    if (first_only && common.count > 0) {
        return common;
    }
    add_piercings(&common, a, b, true);
    add_piercings(&common, b, a, false);
    for (int i = 0; i < edge_count(a); i++) {
        for (int j = 0; j < edge_count(b) && common.count < 6; j++) {
            if (edges_cross(a->v[i], a->v[(i + 1) % 3], b->v[j], b->v[(j + 1) % 3], &at)) {
                add_point(&common, at, SC_EDGE, SC_EDGE);
            }
        }
    }
    return common;
}

/* The axis along which the triangle's projection is largest: in others it may be too
 * thin to tell an order from rounding. */
static int widest_projection(const sc_vec3 t[3])
{
    return sc_largest_axis(sc_area_twice(t));
}

/* Corners of a convex polygon, put in order of the angle around their centre. */
static void order_corners(sc_common *polygon, int axis)
{
    int i = (axis + 1) % 3, j = (axis + 2) % 3;
    double angle[6], ci = 0.0, cj = 0.0;

    for (int k = 0; k < polygon->count; k++) {
        ci += sc_component(polygon->points[k], i) / polygon->count;
        cj += sc_component(polygon->points[k], j) / polygon->count;
    }
    for (int k = 0; k < polygon->count; k++) {
        sc_vec3 p = polygon->points[k];
        double at = sc_atan2(sc_component(p, j) - cj, sc_component(p, i) - ci);
        int slot = k;
        for (; slot > 0 && angle[slot - 1] > at; slot--) {
            angle[slot] = angle[slot - 1];
            polygon->points[slot] = polygon->points[slot - 1];
        }
        angle[slot] = at;
        polygon->points[slot] = p;
    }
}

sc_common sc_tri_common(const sc_vec3 a[3], const sc_vec3 b[3])
{
    shape sa = shape_of(a), sb = shape_of(b);
    sc_common common = common_points(&sa, &sb, false);
    if (common.count > 2) {
        order_corners(&common, widest_projection(a));
    }
    return common;
}

sc_meeting sc_tri_meet(const sc_vec3 a[3], const sc_vec3 b[3])
{
    sides sa = sides_of(b, a);
    if (on_one_side(&sa)) {
        return SC_APART;
    }
    if (!sa.above && !sa.below) { /* in one plane, if both have area */
        const int axis = sc_projection_axis(a[0], a[1], a[2]);
        const int turn_a = axis >= 0 ? sc_orient2d(a[0], a[1], a[2], axis) : 0;
        const int turn_b = axis >= 0 ? sc_orient2d(b[0], b[1], b[2], axis) : 0;
        if (turn_b != 0) {
            const bool apart = !shares_vertex(a, b, 3) && (edge_separates(a, turn_a, b, 3, axis) ||
                                                           edge_separates(b, turn_b, a, 3, axis));
            return apart ? SC_APART : SC_TOUCH;
        }
    }
    if (touches_from_one_side(&sa)) {
        return meet_from_one_side(b, a, &sa);
    }
    sides sb = sides_of(a, b);
    if (on_one_side(&sb)) {
        return SC_APART;
    }
    if (touches_from_one_side(&sb)) {
        return meet_from_one_side(a, b, &sb);
    }
    if (straddles(&sa) && straddles(&sb)) {
        return meet_on_line(a, &sa, b, &sb);
    }
    if (shares_vertex(a, b, 3)) {
        return SC_TOUCH;
    }
    shape x = shape_of(a), y = shape_of(b);
    return common_points(&x, &y, true).count > 0 ? SC_TOUCH : SC_APART;
}
