/* tri_sweep.c - see tri_sweep.h.
 *
 * Every decision is the sign of a determinant of d and differences of vertices. The sides
 * on which the vertices of one triangle lie of the edges of the other, seen along d, tell
 * which vertices and edges lie over which; the signs of the numerators and denominators of
 * the times tell 0..1 from before and after. */
#include "tri_sweep.h"

#include "integer.h"
#include "orient.h"
#include "tri_intersect.h"
#include "twofold.h"

/* ---- determinants of differences ------------------------------------------ */

/* to - from */
typedef struct row {
    sc_vec3 from, to;
} row;

static row direction(sc_vec3 d)
{
    return (row){{0.0, 0.0, 0.0}, d};
}

static sc_rounded_det determinant(row x, row y, row z)
{
    return sc_det_rounded(sc_sub(x.to, x.from), sc_sub(y.to, y.from), sc_sub(z.to, z.from));
}

/* The unit of all coordinates of the rows. */
static int unit_of(const row *rows, int count)
{
    double x[36];
    for (int i = 0; i < count; i++) {
        const sc_vec3 *p = &rows[i].from, *q = &rows[i].to;
        double six[6] = {p->x, p->y, p->z, q->x, q->y, q->z};
        for (int k = 0; k < 6; k++) {
            x[6 * i + k] = six[k];
        }
    }
    return sc_integer_lowest_bit(x, 6 * count);
}

static void row_exact(sc_integer out[3], row r, int unit)
{
    for (int k = 0; k < 3; k++) {
        const double from = sc_component(r.from, k), to = sc_component(r.to, k);
        const sc_pair difference = sc_two_sum(to, -from);
        sc_integer less;
        sc_integer_from(&out[k], difference.high, unit);
        if (difference.low != 0.0) {
            sc_integer_from(&less, difference.low, unit);
            sc_integer_add(&out[k], &out[k], &less);
        }
    }
}

static void determinant_exact(sc_integer *out, row x, row y, row z, int unit)
{
    sc_integer u[3], v[3], w[3];
    row_exact(u, x, unit);
    row_exact(v, y, unit);
    row_exact(w, z, unit);
    sc_integer_determinant(out, u, v, w);
}

static int sign_of(row x, row y, row z)
{
    sc_rounded_det r = determinant(x, y, z);
    if (r.value > r.bound) {
        return 1;
    }
    if (r.value < -r.bound) {
        return -1;
    }
    if (r.bound == 0.0) {
        return 0; /* every term is zero */
    }
    row rows[3] = {x, y, z};
    sc_integer exact;
    determinant_exact(&exact, x, y, z, unit_of(rows, 3));
    return exact.sign;
}

/* The determinant with a relative error below 2^-48. */
static double value_of(row x, row y, row z)
{
    sc_rounded_det r = determinant(x, y, z);
    if (fabs(r.value) > 0x1p-2 * r.terms) {
        return r.value;
    }
    if (r.bound == 0.0) {
        return 0.0; /* every term is zero */
    }
    row rows[3] = {x, y, z};
    sc_integer exact;
    int unit = unit_of(rows, 3);
    determinant_exact(&exact, x, y, z, unit);
    return sc_integer_value(&exact, 3 * unit);
}

/* ---- the time of an event ------------------------------------------------- */

static row event_row(const sc_vec3 pair[2])
{
    return (row){pair[0], pair[1]};
}

/* -num / den of an event, exactly, in the unit given. */
static void time_exact(const sc_sweep_event *e, sc_vec3 d, int unit, sc_integer *num,
                       sc_integer *den)
{
    determinant_exact(num, event_row(e->w), event_row(e->u), event_row(e->v), unit);
    determinant_exact(den, direction(d), event_row(e->u), event_row(e->v), unit);
    num->sign = -num->sign;
    if (den->sign < 0) {
        den->sign = 1;
        num->sign = -num->sign;
    }
}

static int compare_exactly(const sc_sweep_event *x, const sc_sweep_event *y, sc_vec3 d)
{
    row rows[6] = {event_row(x->u), event_row(x->v), event_row(x->w),
                   event_row(y->u), event_row(y->v), event_row(y->w)};
    sc_integer num_x, den_x, num_y, den_y;
    row way = direction(d);
    int unit = unit_of(rows, 6), unit_d = unit_of(&way, 1);
    unit = unit < unit_d ? unit : unit_d;
    time_exact(x, d, unit, &num_x, &den_x);
    time_exact(y, d, unit, &num_y, &den_y);
    return sc_integer_compare_ratios(&num_x, &den_x, &num_y, &den_y);
}

int sc_sweep_compare(const sc_sweep_event *x, const sc_sweep_event *y, sc_vec3 d)
{
    if (x->at_start || y->at_start) {
        return y->at_start - x->at_start;
    }
    double margin = 0x1p-45 * sc_fmax(fabs(x->time), fabs(y->time));
    if (fabs(x->time - y->time) > margin && sc_orient_bounds.bound_3d < 1.0) {
        return x->time < y->time ? -1 : 1;
    }
    return compare_exactly(x, y, d);
}

/* Whether the time of an event is before, at or after 1. */
static int compare_to_one(const sc_sweep_event *e, sc_vec3 d)
{
    if (fabs(e->time - 1.0) > 0x1p-40 && sc_orient_bounds.bound_3d < 1.0) {
        return e->time < 1.0 ? -1 : 1;
    }
    row rows[4] = {event_row(e->u), event_row(e->v), event_row(e->w), direction(d)};
    sc_integer num, den;
    time_exact(e, d, unit_of(rows, 4), &num, &den);
    return sc_integer_compare(&num, &den);
}

/* ---- seen along d --------------------------------------------------------- */

/* The sides of the edges of one triangle on which vertices of another lie, seen along d. */
typedef struct view {
    int side[3][3]; /* [edge][vertex of the other]: 1 to the left, -1 to the right, 0 on it */
    int turn;       /* of the triangle itself: 0 where it is seen edge on */
} view;

static view view_of(const sc_vec3 t[3], const sc_vec3 other[3], sc_vec3 d)
{
    view v;
    row way = direction(d);
    v.turn = sign_of(way, (row){t[0], t[1]}, (row){t[0], t[2]});
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            v.side[i][j] = sign_of(way, (row){t[i], t[(i + 1) % 3]}, (row){t[i], other[j]});
        }
    }
    return v;
}

/* Whether an edge has the other triangle strictly on its outer side, or on one side of a
 * triangle that is seen edge on. */
static bool separates(const view *v)
{
    for (int i = 0; i < 3; i++) {
        const int *s = v->side[i];
        if (s[0] != 0 && s[0] == s[1] && s[0] == s[2] && s[0] != v->turn) {
            return true;
        }
    }
    return false;
}

/* Whether the inside of the other, which is not seen edge on, has points on the inner side
 * of every edge; edge on: on both sides of the line. */
static bool reaches_inside(const view *v)
{
    for (int i = 0; i < 3; i++) {
        bool left = false, right = false;
        for (int j = 0; j < 3; j++) {
            left |= v->side[i][j] > 0;
            right |= v->side[i][j] < 0;
        }
        bool inside = v->turn > 0 ? left : v->turn < 0 ? right : left == right;
        if (!inside) {
            return false;
        }
    }
    return true;
}

/* Where vertex j of the other lies in the triangle, seen along d; it is not edge on. */
static bool lies_over(const view *v, int j, sc_feature *on)
{
    int zeros = 0;
    for (int i = 0; i < 3; i++) {
        if (v->side[i][j] * v->turn < 0) {
            return false;
        }
        zeros += v->side[i][j] == 0;
    }
    *on = zeros == 0 ? SC_FACE : zeros == 1 ? SC_EDGE : SC_VERTEX;
    return true;
}

/* ---- events --------------------------------------------------------------- */

/* Vertices over faces, edges over edges, and vertices over edges and vertices. */
enum { MOST_EVENTS = 6 + 9 + 27 };

typedef struct search {
    sc_vec3 d;
    bool before_zero, at_zero, after_zero; /* some event is, in exact time */
    bool before_one, at_one;
    sc_sweep_event after[MOST_EVENTS]; /* [count] those after 0 */
    int count;
} search;

/* Times the event and keeps it if it comes after the start. */
static void consider(search *s, sc_sweep_event *e)
{
    row u = event_row(e->u), v = event_row(e->v), w = event_row(e->w);
    double num = -value_of(w, u, v), den = value_of(direction(s->d), u, v);
    if (den == 0.0) {
        return; /* not an event: the caller saw to it that this is none */
    }
    e->time = num / den;
    bool after = num != 0.0 && (num > 0.0) == (den > 0.0); /* the signs are exact */
    s->after_zero |= after;
    s->at_zero |= num == 0.0;
    s->before_zero |= num != 0.0 && !after;
    int to_one = compare_to_one(e, s->d);
    s->before_one |= to_one < 0;
    s->at_one |= to_one == 0;
    if (after) {
        s->after[s->count++] = *e;
    }
}

/* Of those after 0, of which there are some. Which one that is may take long to tell. */
static const sc_sweep_event *first_of(const search *s)
{
    const sc_sweep_event *first = &s->after[0];
    for (int i = 1; i < s->count; i++) {
        first = sc_sweep_compare(&s->after[i], first, s->d) < 0 ? &s->after[i] : first;
    }
    return first;
}

static sc_sweep_event event_make(sc_sweep_where where, row u, row v, row w)
{
    return (sc_sweep_event){
        .where = where, .u = {u.from, u.to}, .v = {v.from, v.to}, .w = {w.from, w.to}};
}

static void vertices_over_faces(search *s, const sc_vec3 a[3], const view *va, const sc_vec3 b[3],
                                const view *vb)
{
    for (int j = 0; j < 3; j++) {
        sc_feature on;
        if (va->turn != 0 && lies_over(va, j, &on)) {
            sc_sweep_event e = event_make(SC_AT_VERTEX_OF_B, (row){a[0], a[1]}, (row){a[0], a[2]},
                                          (row){a[0], b[j]});
            e.feature_a = on;
            e.feature_b = SC_VERTEX;
            consider(s, &e);
        }
        if (vb->turn != 0 && lies_over(vb, j, &on)) {
            sc_sweep_event e = event_make(SC_AT_VERTEX_OF_A, (row){b[0], b[1]}, (row){b[0], b[2]},
                                          (row){a[j], b[0]});
            e.feature_a = SC_VERTEX;
            e.feature_b = on;
            consider(s, &e);
        }
    }
}

/* Also returns whether two edges cross inside both. */
static bool crossing_edges(search *s, const sc_vec3 a[3], const view *va, const sc_vec3 b[3],
                           const view *vb)
{
    bool strictly = false;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            int i1 = (i + 1) % 3, j1 = (j + 1) % 3;
            int p = va->side[i][j], q = va->side[i][j1];
            int r = vb->side[j][i], t = vb->side[j][i1];
            if (p * q > 0 || r * t > 0 || p == q) {
                continue; /* p == q == 0: parallel */
            }
            strictly |= p * q < 0 && r * t < 0;
            sc_sweep_event e = event_make(SC_ON_EDGE_OF_A, (row){a[i], a[i1]}, (row){b[j], b[j1]},
                                          (row){a[i], b[j]});
            e.feature_a = r == 0 || t == 0 ? SC_VERTEX : SC_EDGE;
            e.feature_b = p == 0 || q == 0 ? SC_VERTEX : SC_EDGE;
            consider(s, &e);
        }
    }
    return strictly;
}

/* ---- both seen edge on ---------------------------------------------------- */

static row unit_vector(int axis)
{
    return direction((sc_vec3){axis == 0, axis == 1, axis == 2});
}

/* An axis along which an edge and d can be told apart, or -1: parallel. */
static int axis_across(sc_vec3 d, row edge)
{
    for (int axis = 0; axis < 3; axis++) {
        if (sign_of(direction(d), edge, unit_vector(axis)) != 0) {
            return axis;
        }
    }
    return -1;
}

/* Vertex p over an edge that it is in line with, seen along d; w leads from what rests to
 * what moves, and is the event's. */
static void vertex_over_edge(search *s, sc_vec3 p, row edge, row w, bool p_moves)
{
    int axis = axis_across(s->d, edge);
    if (axis < 0) {
        return;
    }
    row way = direction(s->d), e_k = unit_vector(axis);
    int from = sign_of(way, (row){edge.from, p}, e_k), to = sign_of(way, (row){edge.to, p}, e_k);
    if (from * to > 0) {
        return;
    }
    sc_sweep_event e = event_make(p_moves ? SC_AT_VERTEX_OF_B : SC_AT_VERTEX_OF_A, edge, e_k, w);
    sc_feature on = from == 0 || to == 0 ? SC_VERTEX : SC_EDGE;
    e.feature_a = p_moves ? on : SC_VERTEX;
    e.feature_b = p_moves ? SC_VERTEX : on;
    consider(s, &e);
}

static void vertex_over_vertex(search *s, sc_vec3 a, sc_vec3 b)
{
    row w = {a, b}, way = direction(s->d);
    if (axis_across(s->d, w) >= 0) {
        return;
    }
    for (int axis = 0; axis < 3; axis++) {
        if (sc_component(way.to, axis) != 0.0) {
            sc_sweep_event e = event_make(SC_AT_VERTEX_OF_A, unit_vector((axis + 1) % 3),
                                          unit_vector((axis + 2) % 3), w);
            e.feature_a = e.feature_b = SC_VERTEX;
            consider(s, &e);
            return;
        }
    }
}

static void in_one_line(search *s, const sc_vec3 a[3], const view *va, const sc_vec3 b[3],
                        const view *vb)
{
    for (int i = 0; i < 3; i++) {
        row edge_a = {a[i], a[(i + 1) % 3]}, edge_b = {b[i], b[(i + 1) % 3]};
        for (int j = 0; j < 3; j++) {
            if (va->side[i][j] == 0) {
                vertex_over_edge(s, b[j], edge_a, (row){a[i], b[j]}, true);
            }
            if (vb->side[i][j] == 0) {
                vertex_over_edge(s, a[j], edge_b, (row){a[j], b[i]}, false);
            }
            vertex_over_vertex(s, a[i], b[j]);
        }
    }
}

/* ---- the point ------------------------------------------------------------ */

/* Where the event happens. */
static sc_vec3 point_of(const sc_sweep_event *e, sc_vec3 d)
{
    if (e->where == SC_AT_VERTEX_OF_A) {
        return e->w[0];
    }
    if (e->where == SC_AT_VERTEX_OF_B) {
        return sc_mul_add(e->w[1], e->time, d);
    }
    row u = event_row(e->u), v = event_row(e->v), w = event_row(e->w);
    row way = direction(d);
    double s = value_of(way, w, v) / value_of(way, u, v); /* from w + time d = s u - r v */
    s = s < 0.0 ? 0.0 : s > 1.0 ? 1.0 : s;
    return s <= 0.5 ? sc_mul_add(e->u[0], s, sc_sub(e->u[1], e->u[0]))
                    : sc_mul_add(e->u[1], 1.0 - s, sc_sub(e->u[0], e->u[1]));
}

sc_swept sc_tri_sweep(const sc_vec3 a[3], const sc_vec3 b[3], sc_vec3 d)
{
    sc_swept result = {.touches = false};
    view va = view_of(a, b, d);
    if (separates(&va)) {
        return result;
    }
    view vb = view_of(b, a, d);
    if (separates(&vb)) {
        return result;
    }

    search s; /* not zeroed: there is room for many events, and mostly few of them */
    s.d = d;
    s.before_zero = s.at_zero = s.after_zero = s.before_one = s.at_one = false;
    s.count = 0;
    vertices_over_faces(&s, a, &va, b, &vb);
    bool strictly = crossing_edges(&s, a, &va, b, &vb);
    bool edge_on = va.turn == 0 && vb.turn == 0;
    if (edge_on) {
        in_one_line(&s, a, &va, b, &vb);
    }
    bool from_start = s.at_zero || (s.before_zero && s.after_zero);
    result.touches = from_start || (s.after_zero && (s.before_one || s.at_one));
    if (!result.touches) {
        return result;
    }
    bool open = edge_on ? strictly : reaches_inside(&va) && reaches_inside(&vb);
    result.crosses = open && s.before_one && s.after_zero;
    if (open && !edge_on && s.at_zero && !s.before_zero && !s.after_zero) {
        result.leaves_along_normal = va.turn;
    }
    if (from_start) {
        sc_common common = sc_tri_common(a, b);
        result.first = (sc_sweep_event){.at_start = true,
                                        .point = common.first,
                                        .feature_a = common.feature_a,
                                        .feature_b = common.feature_b};
    } else {
        const sc_sweep_event *first = first_of(&s);
        result.first = *first;
        result.first.time = sc_fmin(first->time, 1.0);
        result.first.point = point_of(first, d);
    }
    return result;
}
