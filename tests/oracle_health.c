/* oracle_health.c - see oracle_health.h. */
#include "oracle_health.h"

void oracle_count_add(oracle_count *c, int facet)
{
    c->first = c->count == 0 || facet < c->first ? facet : c->first;
    c->count++;
}

static bool is_same(const int a[3], const int b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static bool is_zero(const int64_t v[3])
{
    return v[0] == 0 && v[1] == 0 && v[2] == 0;
}

/* (b - a) x (d - c) */
static void cross(const int a[3], const int b[3], const int c[3], const int d[3], int64_t n[3])
{
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        n[k] = (int64_t)(b[i] - a[i]) * (d[j] - c[j]) - (int64_t)(b[j] - a[j]) * (d[i] - c[i]);
    }
}

/* (b - a) . (d - c) */
static int64_t dot(const int a[3], const int b[3], const int c[3], const int d[3])
{
    int64_t sum = 0;
    for (int k = 0; k < 3; k++) {
        sum += (int64_t)(b[k] - a[k]) * (d[k] - c[k]);
    }
    return sum;
}

/* ---- edges ---------------------------------------------------------------------- */

/* A side of a facet with area. */
typedef struct side {
    const int *from, *to;
    int facet;
} side;

static side sides[3 * MODEL_MOST];
static int side_count;

/* 1 if both are one edge and run the same way, -1 if they run against each other, else 0. */
static int way_of(const side *s, const side *t)
{
    return is_same(s->from, t->from) && is_same(s->to, t->to)   ? 1
           : is_same(s->from, t->to) && is_same(s->to, t->from) ? -1
                                                                : 0;
}

static bool is_between(const int p[3], const side *s)
{
    int64_t n[3];
    cross(s->from, s->to, s->from, p, n);
    return is_zero(n) && dot(s->from, s->to, s->from, p) > 0 && dot(s->to, s->from, s->to, p) > 0;
}

/* Half-way from p to q on the line of s: the sides that pass there along it, less those that come
 * back. */
static int level_between(const side *s, const int p[3], const int q[3])
{
    int level = 0;
    for (int i = 0; i < side_count; i++) {
        int from[3], to[3], middle[3] = {p[0] + q[0], p[1] + q[1], p[2] + q[2]};
        int64_t n[3];
        for (int k = 0; k < 3; k++) { /* doubled, as the middle */
            from[k] = 2 * sides[i].from[k];
            to[k] = 2 * sides[i].to[k];
        }
        cross(s->from, s->to, from, to, n);
        if (is_zero(n) && is_between(middle, &(side){from, to, 0})) {
            level += dot(s->from, s->to, from, to) > 0 ? 1 : -1;
        }
    }
    return level;
}

/* The ends of the edge and all corners on it, in order; how many. */
static int corners_along(const side *s, const int *on[3 * MODEL_MOST + 2])
{
    int count = 0;
    on[count++] = s->from;
    on[count++] = s->to;
    for (int i = 0; i < side_count; i++) {
        const int *corner = sides[i].from;
        if (is_between(corner, s)) {
            int at = count++;
            for (; dot(s->from, s->to, corner, on[at - 1]) > 0; at--) {
                on[at] = on[at - 1];
            }
            on[at] = corner;
        }
    }
    return count;
}

/* The edge that first occurs as s, of which net more sides run like s than against it. */
static void judge_line(const side *s, int net, int first, oracle_health *h)
{
    static const int *on[3 * MODEL_MOST + 2];
    int count = corners_along(s, on);
    bool odd = false, even = false;

    for (int i = 0; i + 1 < count; i++) {
        int level = is_same(on[i], on[i + 1]) ? 0 : level_between(s, on[i], on[i + 1]);
        h->closed = h->closed && level == 0;
        odd = odd || (level * net > 0 && level % 2 != 0);
        even = even || (level * net > 0 && level % 2 == 0);
    }
    if (net != 0) {
        oracle_count_add(odd ? &h->open : even ? &h->mixed : &h->joined, first);
    }
}

static void judge_edges(oracle_health *h)
{
    for (int i = 0; i < side_count; i++) {
        int uses = 0, net = 0, first[2] = {-1, -1};
        bool is_new = true;
        for (int j = 0; j < side_count; j++) {
            int way = way_of(&sides[i], &sides[j]);
            if (way != 0) {
                is_new = is_new && j >= i;
                uses++;
                net += way;
                first[way > 0] = first[way > 0] < 0 ? sides[j].facet : first[way > 0];
            }
        }
        if (is_new) {
            h->balanced = h->balanced && net == 0;
            judge_line(&sides[i], net, first[net > 0], h);
            if (uses > 2) {
                oracle_count_add(&h->crowded, sides[i].facet);
            }
        }
    }
}

/* ---- facets --------------------------------------------------------------------- */

int oracle_way_round(const model *m, int i, int j)
{
    const int(*a)[3] = m->v[i], (*b)[3] = m->v[j];
    for (int turn = 0; turn < 3; turn++) {
        bool same = true, opposite = true;
        for (int k = 0; k < 3; k++) {
            same = same && is_same(a[k], b[(turn + k) % 3]);
            opposite = opposite && is_same(a[k], b[(turn + 3 - k) % 3]);
        }
        if (same || opposite) {
            return same ? 1 : -1;
        }
    }
    return 0;
}

static void judge_repeats(const model *m, int i, oracle_health *h)
{
    bool same = false, opposite = false;
    for (int j = 0; j < i; j++) {
        int way = oracle_way_round(m, i, j);
        same = same || way > 0;
        opposite = opposite || way < 0;
    }
    if (same || opposite) {
        oracle_count_add(same ? &h->same : &h->opposite, i);
    }
}

/* How many corners they have in common: 1 joins facets at a vertex, 2 at an edge. */
static int common_corners(const int a[3][3], const int b[3][3])
{
    int count = 0;
    for (int k = 0; k < 9; k++) {
        count += is_same(a[k / 3], b[k % 3]);
    }
    return count;
}

enum { OPEN_TO_ALL = -2 };

/* Numbers the pieces that hang together by so many corners: numbers[i] is OPEN_TO_ALL of those to
 * number. Returns how many. */
static int number_pieces(const model *m, int corners, int *numbers)
{
    static int waiting[MODEL_MOST];
    int pieces = 0, count = 0;

    for (int i = 0; i < m->count; i++) {
        if (numbers[i] != OPEN_TO_ALL) {
            continue;
        }
        numbers[i] = pieces;
        for (waiting[count++] = i; count > 0;) {
            int from = waiting[--count];
            for (int j = 0; j < m->count; j++) {
                if (numbers[j] == OPEN_TO_ALL && common_corners(m->v[from], m->v[j]) >= corners) {
                    numbers[j] = pieces;
                    waiting[count++] = j;
                }
            }
        }
        pieces++;
    }
    return pieces;
}

static int64_t sixfold_of(const int v[3][3])
{
    const int zero[3] = {0, 0, 0};
    int64_t n[3];
    cross(zero, v[0], zero, v[1], n);
    return n[0] * v[2][0] + n[1] * v[2][1] + n[2] * v[2][2];
}

void oracle_health_of(const model *m, oracle_health *h)
{
    static int by_edges[MODEL_MOST];

    *h = (oracle_health){.balanced = true};
    side_count = 0;
    for (int i = 0; i < m->count; i++) {
        const int(*v)[3] = m->v[i];
        int64_t n[3];
        cross(v[0], v[1], v[0], v[2], n);
        h->component[i] = by_edges[i] = is_zero(n) ? -1 : OPEN_TO_ALL;
        h->sixfold[i] = sixfold_of(v);
        if (is_zero(n)) {
            oracle_count_add(&h->flat, i);
            continue;
        }
        judge_repeats(m, i, h); /* no flat one has the corners of one with area */
        for (int k = 0; k < 3; k++) {
            sides[side_count++] = (side){v[k], v[(k + 1) % 3], i};
        }
    }
    h->closed = side_count > 0;
    judge_edges(h);
    h->components = number_pieces(m, 1, h->component);
    h->pieces = number_pieces(m, 2, by_edges);
}

/* ---- winding -------------------------------------------------------------------- */

/* Which way a ray along x from p goes through the facet: 1 out, -1 in, 0 not; 2: by an edge. */
static int passage(const int v[3][3], const int64_t p[3])
{
    int64_t d[3][3], sum = 0;
    int up = 0, down = 0;

    for (int k = 0; k < 9; k++) {
        d[k / 3][k % 3] = (int64_t)v[k / 3][k % 3] * ORACLE_UNIT - p[k % 3];
    }
    for (int k = 0; k < 3; k++) {
        const int64_t *a = d[(k + 1) % 3], *b = d[(k + 2) % 3];
        int64_t turn = a[1] * b[2] - a[2] * b[1];
        up += turn > 0;
        down += turn < 0;
        sum += turn * d[k][0]; /* > 0 as far as the facet is beyond p, times its area across x */
    }
    if (up < 3 && down < 3) {
        return up == 0 || down == 0 ? 2 : 0;
    }
    return sum == 0 ? 2 : (sum > 0) != (up > 0) ? 0 : up > 0 ? 1 : -1;
}

bool oracle_model_winding(const model *m, const int *weight, const int64_t p[3], int *winding)
{
    *winding = 0;
    for (int i = 0; i < m->count; i++) {
        int way = weight[i] == 0 ? 0 : passage(m->v[i], p);
        if (way == 2) {
            return false;
        }
        *winding += way * weight[i];
    }
    return true;
}
