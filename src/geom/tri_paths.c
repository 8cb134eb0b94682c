/* tri_paths.c - see tri_paths.h. */
#include "tri_paths.h"

#include "twofold.h"

/* Of time, u and v. All bounds are multiples of 2^-50, so that 1 - u - v is exact. */
typedef sc_path_box box;

static const double grid = 0x1p-50;

typedef sc_path_room heap;

/* A query that fills the heap ends as a hit, and so does one that has looked at MAX_BOXES. */
enum { HEAP = SC_PATH_BOXES, MAX_BOXES = 20000 };

static double volume(const box *b)
{
    return (b->high[0] - b->low[0]) * (b->high[1] - b->low[1]) * (b->high[2] - b->low[2]);
}

static bool earlier(const box *x, const box *y)
{
    return x->low[0] != y->low[0] ? x->low[0] < y->low[0] : volume(x) < volume(y);
}

static void heap_push(heap *h, const box *b)
{
    int i = h->count++;
    while (i > 0 && earlier(b, &h->boxes[(i - 1) / 2])) {
        h->boxes[i] = h->boxes[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    h->boxes[i] = *b;
}

static box heap_pop(heap *h)
{
    box top = h->boxes[0], last = h->boxes[--h->count];
    int i = 0;
    for (int child = 1; child < h->count; child = 2 * i + 1) {
        if (child + 1 < h->count && earlier(&h->boxes[child + 1], &h->boxes[child])) {
            child++;
        }
        if (!earlier(&h->boxes[child], &last)) {
            break;
        }
        h->boxes[i] = h->boxes[child];
        i = child;
    }
    h->boxes[i] = last;
    return top;
}

static double mixed(double from, double to, double t)
{
    return from + t * (to - from);
}

/* The gap along one axis at time t. */
static double gap_at(const double at[2][4], bool edges, double t, double u, double v)
{
    double p[4];
    for (int i = 0; i < 4; i++) {
        p[i] = mixed(at[0][i], at[1][i], t);
    }
    if (edges) {
        return ((1.0 - u) * p[0] + u * p[1]) - ((1.0 - v) * p[2] + v * p[3]);
    }
    return p[0] - (((1.0 - u - v) * p[1] + u * p[2]) + v * p[3]);
}

/* ---- the same in twice the precision --------------------------------------- */

static sc_pair times(sc_pair x, double t)
{
    const sc_pair product = sc_two_product(x.high, t);
    return sc_two_sum(product.high, product.low + x.low * t);
}

/* from + t (to - from) */
static sc_pair mixed_twice(sc_pair from, sc_pair to, double t)
{
    return sc_pair_sum(times(from, 1.0 - t), times(to, t)); /* 1 - t is exact for dyadic t */
}

/* As gap_at, rounded once at the end: the sign of what is left matters. */
static double gap_twice(const double at[2][4], bool edges, double t, double u, double v)
{
    sc_pair p[4], gap;
    for (int i = 0; i < 4; i++) {
        p[i] = mixed_twice((sc_pair){at[0][i], 0.0}, (sc_pair){at[1][i], 0.0}, t);
    }
    if (edges) {
        gap = sc_pair_sum(mixed_twice(p[0], p[1], u), times(mixed_twice(p[2], p[3], v), -1.0));
    } else {
        sc_pair face =
            sc_pair_sum(times(p[1], 1.0 - u - v), sc_pair_sum(times(p[2], u), times(p[3], v)));
        gap = sc_pair_sum(p[0], times(face, -1.0));
    }
    return gap.high + gap.low;
}

typedef struct question {
    double at[3][2][4];    /* [axis][time][point] */
    double error[3];       /* of a gap: every step rounds by at most half a unit of the largest */
    double error_twice[3]; /* of one in twice the precision */
    double tolerance;
    bool edges;
} question;

static question question_of(const sc_path_query *query, bool edges, double tolerance)
{
    question q = {.tolerance = 0.577 * tolerance, .edges = edges}; /* along each of three axes */
    for (int axis = 0; axis < 3; axis++) {
        double largest = 0.0;
        for (int i = 0; i < 8; i++) {
            double x = sc_component(query->at[i / 4][i % 4], axis);
            q.at[axis][i / 4][i % 4] = x;
            largest = sc_fmax(largest, fabs(x));
        }
        /* Four points with three roundings of at most 3 * largest each; weights up to 2 for
         * corners of vertex-face boxes beyond the face; three sums: below 64 units. */
        q.error[axis] = 0x1p-46 * largest;
        q.error_twice[axis] = 0x1p-96 * largest;
    }
    return q;
}

static double coordinate(const box *b, int corner, int k)
{
    return corner >> k & 1 ? b->high[k] : b->low[k];
}

/* Whether all gaps at the corners have one sign where doubles leave that open. */
static bool apart_after_all(const question *q, int axis, const box *b)
{
    bool above = true, below = true;
    for (int i = 0; i < 8; i++) {
        double f = gap_twice(q->at[axis], q->edges, coordinate(b, i, 0), coordinate(b, i, 1),
                             coordinate(b, i, 2));
        above = above && f > q->error_twice[axis];
        below = below && f < -q->error_twice[axis];
    }
    return above || below;
}

/* Where a gap can be 0 on the way from one side of the box, where it is in low0..high0, to
 * the other, where it is in low1..high1: not before the share that this returns. At each
 * share of the way it lies between the mixtures of these. */
static double first_share(double low0, double high0, double low1, double high1, double error)
{
    if (low0 > error && low1 < low0) {
        return (low0 - error) / (low0 - low1);
    }
    if (high0 < -error && high1 > high0) {
        return (-high0 - error) / (high1 - high0);
    }
    return 0.0;
}

/* Takes from the box, along dimension k, what leaves out 0 by the gaps f of one axis. */
static void contract(box *b, int k, const double f[8], double error)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int i = 0; i < 8; i++) {
        int side = i >> k & 1;
        low[side] = sc_fmin(low[side], f[i]);
        high[side] = sc_fmax(high[side], f[i]);
    }
    double from = first_share(low[0], high[0], low[1], high[1], error);
    double to = first_share(low[1], high[1], low[0], high[0], error);
    double width = b->high[k] - b->low[k], start = b->low[k];
    double new_low = sc_floor((start + from * width) / grid - 8.0) * grid; /* outwards, rounding */
    double new_high = sc_ceil((b->high[k] - to * width) / grid + 8.0) * grid; /* and all */
    b->low[k] = sc_fmax(b->low[k], sc_fmin(new_low, b->high[k]));
    b->high[k] = sc_fmin(b->high[k], sc_fmax(new_high, b->low[k]));
}

/* Whether the box may hold a meeting; then it becomes what of it may, and width[k] the most
 * that a gap changes along dimension k. *small: all gaps are within the tolerance of each
 * other. Inlined, gcc 12 for aarch64 ends in an internal error. */
__attribute__((noinline)) static bool may_meet(const question *q, box *b, bool *small,
                                               double width[3])
{
    width[0] = width[1] = width[2] = 0.0;
    *small = true;
    for (int axis = 0; axis < 3; axis++) {
        double f[8], least = INFINITY, most = -INFINITY, error = q->error[axis];
        for (int i = 0; i < 8; i++) {
            f[i] = gap_at(q->at[axis], q->edges, coordinate(b, i, 0), coordinate(b, i, 1),
                          coordinate(b, i, 2));
            least = sc_fmin(least, f[i]);
            most = sc_fmax(most, f[i]);
        }
        if (least > error || most < -error) {
            return false;
        }
        if ((least > -error || most < error) && apart_after_all(q, axis, b)) {
            return false;
        }
        *small = *small && most - least <= q->tolerance;
        int most_changed = 0;
        double changes[3] = {0.0, 0.0, 0.0};
        for (int k = 0; k < 3; k++) {
            for (int i = 0; i < 4; i++) {
                int low = (i >> k << (k + 1)) | (i & ((1 << k) - 1)); /* a corner of that side */
                changes[k] = sc_fmax(changes[k], fabs(f[low | 1 << k] - f[low]));
            }
            width[k] = sc_fmax(width[k], changes[k]);
            most_changed = changes[k] > changes[most_changed] ? k : most_changed;
        }
        contract(b, most_changed, f, error); /* along one: others would need new gaps */
    }
    return true;
}

static sc_path_hit hit_in(const box *b)
{
    return (sc_path_hit){.found = true,
                         .time = b->low[0],
                         .u = 0.5 * (b->low[1] + b->high[1]),
                         .v = 0.5 * (b->low[2] + b->high[2])};
}

/* The lower and the upper half along the dimension; false where it is too thin for two. */
static bool halve(const box *b, int k, box half[2])
{
    double middle = sc_floor(0.5 * (b->low[k] + b->high[k]) / grid) * grid;
    half[0] = half[1] = *b;
    half[0].high[k] = half[1].low[k] = middle;
    return middle > b->low[k] && middle < b->high[k];
}

/* Whether all of a box lies beyond the third side of the face. */
static bool is_beyond_face(const question *q, const box *b)
{
    return !q->edges && b->low[1] + b->low[2] > 1.0;
}

static sc_path_hit search(const question *q, double latest, heap *waiting)
{
    box b = {{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}}, half[2];
    double width[3];
    bool small;
    waiting->count = 0;
    heap_push(waiting, &b);
    for (int looked = 0; waiting->count > 0; looked++) {
        b = heap_pop(waiting);
        if (b.low[0] > latest) {
            break;
        }
        if (!may_meet(q, &b, &small, width) || is_beyond_face(q, &b)) {
            continue;
        }
        int widest = 0;
        for (int k = 1; k < 3; k++) {
            widest = width[k] > width[widest] ? k : widest;
        }
        bool full = looked >= MAX_BOXES || waiting->count + 2 > HEAP;
        if (small || full || !halve(&b, widest, half)) {
            /* What was taken off may have left a box behind another one. */
            double first =
                waiting->count > 0 ? sc_fmin(b.low[0], waiting->boxes[0].low[0]) : b.low[0];
            sc_path_hit hit = hit_in(&b);
            hit.time = first;
            return hit;
        }
        for (int i = 0; i < 2; i++) {
            if (!is_beyond_face(q, &half[i])) {
                heap_push(waiting, &half[i]);
            }
        }
    }
    return (sc_path_hit){.found = false};
}

sc_path_hit sc_path_vertex_face(const sc_path_query *query, double tolerance, double latest,
                                sc_path_room *room)
{
    question q = question_of(query, false, tolerance);
    return search(&q, latest, room);
}

sc_path_hit sc_path_edge_edge(const sc_path_query *query, double tolerance, double latest,
                              sc_path_room *room)
{
    question q = question_of(query, true, tolerance);
    return search(&q, latest, room);
}

/* ---- triangles ------------------------------------------------------------ */

static sc_vec3 point_at(const sc_vec3 from, const sc_vec3 to, double t)
{
    return sc_mul_add(from, t, sc_sub(to, from));
}

static sc_feature on_edge(double u)
{
    return u <= 0x1p-40 || u >= 1.0 - 0x1p-40 ? SC_VERTEX : SC_EDGE;
}

static sc_feature on_face(double u, double v)
{
    int zeros = (u <= 0x1p-40) + (v <= 0x1p-40) + (u + v >= 1.0 - 0x1p-40);
    return zeros == 0 ? SC_FACE : zeros == 1 ? SC_EDGE : SC_VERTEX;
}

/* Boxes reach beyond their point: back into the face, or onto the edge. */
static void clamp(sc_path_hit *hit, bool face)
{
    hit->u = sc_fmin(sc_fmax(hit->u, 0.0), 1.0);
    hit->v = sc_fmin(sc_fmax(hit->v, 0.0), 1.0);
    if (face && hit->u + hit->v > 1.0) {
        double excess = 0.5 * (hit->u + hit->v - 1.0);
        hit->u = sc_fmax(hit->u - excess, 0.0);
        hit->v = sc_fmin(sc_fmax(hit->v - excess, 0.0), 1.0 - hit->u);
    }
}

static sc_vec3 face_point(const sc_vec3 t[2][3], const sc_path_hit *hit)
{
    sc_vec3 p[3];
    for (int k = 0; k < 3; k++) {
        p[k] = point_at(t[0][k], t[1][k], hit->time);
    }
    return sc_mul_add(sc_mul_add(p[0], hit->u, sc_sub(p[1], p[0])), hit->v, sc_sub(p[2], p[0]));
}

/* The first meeting of two triangles, as far as they were searched. */
typedef struct meeting_search {
    double tolerance, latest; /* what comes after `latest` does not count */
    sc_path_meeting best;
    sc_path_room *room;
} meeting_search;

static bool is_first(const meeting_search *s, const sc_path_hit *hit)
{
    return hit->found && (!s->best.found || hit->time < s->best.time);
}

static void take(meeting_search *s, const sc_path_meeting *meeting)
{
    s->best = *meeting;
    s->latest = meeting->time;
}

static void vertices_and_faces(meeting_search *s, const sc_vec3 face[2][3],
                               const sc_vec3 other[2][3], bool a_face)
{
    for (int i = 0; i < 3; i++) {
        sc_path_query q;
        for (int time = 0; time < 2; time++) {
            q.at[time][0] = other[time][i];
            for (int k = 0; k < 3; k++) {
                q.at[time][1 + k] = face[time][k];
            }
        }
        sc_path_hit hit = sc_path_vertex_face(&q, s->tolerance, s->latest, s->room);
        if (!is_first(s, &hit)) {
            continue;
        }
        clamp(&hit, true);
        sc_vec3 vertex = point_at(other[0][i], other[1][i], hit.time);
        sc_vec3 foot = face_point(face, &hit);
        sc_feature on = on_face(hit.u, hit.v);
        take(s, &(sc_path_meeting){true, hit.time, a_face ? foot : vertex, a_face ? vertex : foot,
                                   a_face ? on : SC_VERTEX, a_face ? SC_VERTEX : on});
    }
}

static void edges_and_edges(meeting_search *s, const sc_vec3 a[2][3], const sc_vec3 b[2][3])
{
    for (int i = 0; i < 9; i++) {
        sc_path_query q;
        int from_a = i / 3, to_a = (from_a + 1) % 3, from_b = i % 3, to_b = (from_b + 1) % 3;
        for (int time = 0; time < 2; time++) {
            q.at[time][0] = a[time][from_a];
            q.at[time][1] = a[time][to_a];
            q.at[time][2] = b[time][from_b];
            q.at[time][3] = b[time][to_b];
        }
        sc_path_hit hit = sc_path_edge_edge(&q, s->tolerance, s->latest, s->room);
        if (!is_first(s, &hit)) {
            continue;
        }
        clamp(&hit, false);
        sc_vec3 p[4];
        for (int k = 0; k < 4; k++) {
            p[k] = point_at(q.at[0][k], q.at[1][k], hit.time);
        }
        take(s, &(sc_path_meeting){true, hit.time, point_at(p[0], p[1], hit.u),
                                   point_at(p[2], p[3], hit.v), on_edge(hit.u), on_edge(hit.v)});
    }
}

sc_path_meeting sc_tri_paths_meet(const sc_vec3 a[2][3], const sc_vec3 b[2][3], double tolerance,
                                  double latest, sc_path_room *room)
{
    meeting_search s = {tolerance, latest, {.found = false}, room};
    vertices_and_faces(&s, a, b, true);
    vertices_and_faces(&s, b, a, false);
    edges_and_edges(&s, a, b);
    return s.best;
}
