/* oracle_exact.c - Coordinates become integers over a common power of two; then
 * determinants are exact, and everything else is a fraction of them. */
#include "oracle_exact.h"

#include "rational3.h"

#include <math.h>
#include <stdint.h>

/* ---- integer vectors ------------------------------------------------------ */

typedef struct vec {
    mpz_t c[3];
} vec;

static void vec_init(vec *v, int n)
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++) {
            mpz_init(v[i].c[k]);
        }
    }
}

static void vec_clear(vec *v, int n)
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++) {
            mpz_clear(v[i].c[k]);
        }
    }
}

static void vec_sub(vec *r, const vec *a, const vec *b)
{
    for (int k = 0; k < 3; k++) {
        mpz_sub(r->c[k], a->c[k], b->c[k]);
    }
}

static void vec_cross(vec *r, const vec *a, const vec *b)
{
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        mpz_mul(r->c[k], a->c[i], b->c[j]);
        mpz_submul(r->c[k], a->c[j], b->c[i]);
    }
}

static void vec_dot(mpz_t r, const vec *a, const vec *b)
{
    mpz_mul(r, a->c[0], b->c[0]);
    mpz_addmul(r, a->c[1], b->c[1]);
    mpz_addmul(r, a->c[2], b->c[2]);
}

static bool vec_is_zero(const vec *a)
{
    return mpz_sgn(a->c[0]) == 0 && mpz_sgn(a->c[1]) == 0 && mpz_sgn(a->c[2]) == 0;
}

/* x = mantissa * 2^exponent with an odd mantissa; zero has no exponent. */
static int64_t split(double x, int *exponent)
{
    int64_t mantissa = (int64_t)ldexp(frexp(x, exponent), 53);

    *exponent -= 53;
    while (mantissa != 0 && mantissa % 2 == 0) {
        mantissa /= 2;
        ++*exponent;
    }
    return mantissa;
}

/* out[i] = in[i] / 2^e, with the largest e that makes all of them integers. */
static int to_integers(vec *out, const sc_vec3 *in, int n)
{
    int smallest = INT32_MAX, exponent;

    for (int i = 0; i < 3 * n; i++) {
        if (split(sc_component(in[i / 3], i % 3), &exponent) != 0 && exponent < smallest) {
            smallest = exponent;
        }
    }
    for (int i = 0; i < 3 * n; i++) {
        int64_t mantissa = split(sc_component(in[i / 3], i % 3), &exponent);
        mpz_set_si(out[i / 3].c[i % 3], mantissa);
        if (mantissa != 0) {
            mpz_mul_2exp(out[i / 3].c[i % 3], out[i / 3].c[i % 3],
                         (mp_bitcnt_t)(exponent - smallest));
        }
    }
    return smallest == INT32_MAX ? 0 : smallest;
}

/* The same for the six vertices of two triangles. */
static int pair_to_integers(vec out[6], const sc_vec3 a[3], const sc_vec3 b[3])
{
    sc_vec3 all[6] = {a[0], a[1], a[2], b[0], b[1], b[2]};
    return to_integers(out, all, 6);
}

/* ---- signs ---------------------------------------------------------------- */

/* det[a-d; b-d; c-d] = det * 2^exponent, which is returned. */
static int determinant(mpz_t det, sc_vec3 a, sc_vec3 b, sc_vec3 c, sc_vec3 d)
{
    sc_vec3 in[4] = {a, b, c, d};
    vec p[4], n;

    vec_init(p, 4);
    vec_init(&n, 1);
    int exponent = to_integers(p, in, 4);
    for (int i = 0; i < 3; i++) {
        vec_sub(&p[i], &p[i], &p[3]);
    }
    vec_cross(&n, &p[1], &p[2]);
    vec_dot(det, &p[0], &n);
    vec_clear(&n, 1);
    vec_clear(p, 4);
    return 3 * exponent;
}

/* The same for component `axis` of (a-b) x (c-d). */
static int cross_component(mpz_t det, sc_vec3 a, sc_vec3 b, sc_vec3 c, sc_vec3 d, int axis)
{
    sc_vec3 in[4] = {a, b, c, d};
    vec p[4], n;

    vec_init(p, 4);
    vec_init(&n, 1);
    int exponent = to_integers(p, in, 4);
    vec_sub(&p[0], &p[0], &p[1]);
    vec_sub(&p[2], &p[2], &p[3]);
    vec_cross(&n, &p[0], &p[2]);
    mpz_set(det, n.c[axis]);
    vec_clear(&n, 1);
    vec_clear(p, 4);
    return 2 * exponent;
}

/* det * 2^exponent, rounded; clears det. */
static double take_value(mpz_t det, int exponent)
{
    long shift;
    double mantissa = mpz_get_d_2exp(&shift, det);
    mpz_clear(det);
    return ldexp(mantissa, (int)shift + exponent);
}

static int take_sign(mpz_t det)
{
    int sign = mpz_sgn(det);
    mpz_clear(det);
    return sign;
}

int oracle_orient3d(sc_vec3 a, sc_vec3 b, sc_vec3 c, sc_vec3 d)
{
    mpz_t det;
    mpz_init(det);
    determinant(det, a, b, c, d);
    return take_sign(det);
}

double oracle_orient3d_value(sc_vec3 a, sc_vec3 b, sc_vec3 c, sc_vec3 d)
{
    mpz_t det;
    mpz_init(det);
    int exponent = determinant(det, a, b, c, d);
    return take_value(det, exponent);
}

int oracle_cross_sign(sc_vec3 a, sc_vec3 b, sc_vec3 c, sc_vec3 d, int axis)
{
    mpz_t det;
    mpz_init(det);
    cross_component(det, a, b, c, d, axis);
    return take_sign(det);
}

int oracle_orient2d(sc_vec3 a, sc_vec3 b, sc_vec3 c, int axis)
{
    return oracle_cross_sign(b, a, c, a, axis);
}

double oracle_orient2d_value(sc_vec3 a, sc_vec3 b, sc_vec3 c, int axis)
{
    mpz_t det;
    mpz_init(det);
    int exponent = cross_component(det, b, a, c, a, axis);
    return take_value(det, exponent);
}

bool oracle_degenerate(const sc_vec3 a[3])
{
    return oracle_orient2d(a[0], a[1], a[2], 0) == 0 && oracle_orient2d(a[0], a[1], a[2], 1) == 0 &&
           oracle_orient2d(a[0], a[1], a[2], 2) == 0;
}

/* With w = p - a0, n = e1 x e2: s = (w x e2) . n / n . n, t = (e1 x w) . n / n . n. */
void oracle_foot(sc_vec3 p, const sc_vec3 a[3], double *s, double *t)
{
    sc_vec3 in[4] = {a[0], a[1], a[2], p};
    vec v[4], n, m;
    mpq_t ratio;

    vec_init(v, 4);
    vec_init(&n, 1);
    vec_init(&m, 1);
    mpq_init(ratio);
    to_integers(v, in, 4);
    for (int i = 1; i < 4; i++) {
        vec_sub(&v[i], &v[i], &v[0]);
    }
    vec_cross(&n, &v[1], &v[2]);
    for (int i = 0; i < 2; i++) {
        vec_cross(&m, i == 0 ? &v[3] : &v[1], i == 0 ? &v[2] : &v[3]);
        vec_dot(mpq_numref(ratio), &m, &n);
        vec_dot(mpq_denref(ratio), &n, &n);
        mpq_canonicalize(ratio);
        *(i == 0 ? s : t) = mpq_get_d(ratio);
    }
    mpq_clear(ratio);
    vec_clear(&m, 1);
    vec_clear(&n, 1);
    vec_clear(v, 4);
}

/* ---- whether they meet ---------------------------------------------------- */

static bool same_side(int s, int t, int u)
{
    return (s >= 0 && t >= 0 && u >= 0) || (s <= 0 && t <= 0 && u <= 0);
}

/* Caratheodory: the hull of nine points contains 0 iff a point, segment, triangle
 * or tetrahedron of them does that is not degenerate. The weights of 0 in such a
 * simplex are, up to a common factor, the volumes that 0 spans with its faces. */
bool oracle_meet(const sc_vec3 a[3], const sc_vec3 b[3])
{
    static vec p[9], cross[9][9]; /* kept: a million calls allocate only once */
    static mpz_t value;
    static bool ready;
    vec in[6];
    int det[9][9][9];

    if (!ready) {
        vec_init(p, 9);
        vec_init(cross[0], 81);
        mpz_init(value);
        ready = true;
    }
    vec_init(in, 6);
    pair_to_integers(in, a, b);
    for (int i = 0; i < 9; i++) {
        vec_sub(&p[i], &in[i / 3], &in[3 + i % 3]);
    }
    vec_clear(in, 6);

    for (int i = 0; i < 9; i++) {
        if (vec_is_zero(&p[i])) {
            return true;
        }
    }
    for (int i = 0; i < 9; i++) {
        for (int j = i + 1; j < 9; j++) {
            vec_cross(&cross[i][j], &p[i], &p[j]);
            if (vec_is_zero(&cross[i][j])) {
                vec_dot(value, &p[i], &p[j]);
                if (mpz_sgn(value) < 0) {
                    return true;
                }
            }
        }
    }
    for (int i = 0; i < 9; i++) {
        for (int j = i + 1; j < 9; j++) {
            for (int k = j + 1; k < 9; k++) {
                vec_dot(value, &cross[i][j], &p[k]);
                det[i][j][k] = mpz_sgn(value);
                if (det[i][j][k] != 0) {
                    continue;
                }
                /* In one plane with 0: the three cross products are parallel. */
                for (int axis = 0; axis < 3; axis++) {
                    int s = mpz_sgn(cross[i][j].c[axis]), t = mpz_sgn(cross[j][k].c[axis]),
                        u = -mpz_sgn(cross[i][k].c[axis]);
                    if ((s != 0 || t != 0 || u != 0) && same_side(s, t, u)) {
                        return true;
                    }
                }
            }
        }
    }
    for (int i = 0; i < 9; i++) {
        for (int j = i + 1; j < 9; j++) {
            for (int k = j + 1; k < 9; k++) {
                for (int l = k + 1; l < 9; l++) {
                    int s = det[j][k][l], t = -det[i][k][l], u = det[i][j][l], v = -det[i][j][k];
                    if ((s != 0 || t != 0 || u != 0 || v != 0) && same_side(s, t, u) &&
                        same_side(s, t, v) && same_side(u, v, s) && same_side(u, v, t)) {
                        return true;
                    }
                }
            }
        }
    }
    return false;
}

/* ---- proper crossings ----------------------------------------------------- */

/* low..high: where triangle p cuts the plane of height 0, measured along `line`;
 * false if it lacks points strictly above or strictly below. */
static bool cut_interval(mpq_t low, mpq_t high, const vec p[3], mpz_t height[3], const vec *line)
{
    int above = 0, below = 0, found = 0;
    mpz_t along[3];
    mpq_t x, denominator;

    for (int i = 0; i < 3; i++) {
        above += mpz_sgn(height[i]) > 0;
        below += mpz_sgn(height[i]) < 0;
    }
    if (above == 0 || below == 0) {
        return false;
    }
    mpq_inits(x, denominator, NULL);
    for (int i = 0; i < 3; i++) {
        mpz_init(along[i]);
        vec_dot(along[i], line, &p[i]);
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3;
        if (mpz_sgn(height[i]) == 0) {
            mpq_set_z(x, along[i]);
        } else if (mpz_sgn(height[i]) * mpz_sgn(height[j]) < 0) {
            mpz_mul(mpq_numref(x), along[i], height[j]);
            mpz_submul(mpq_numref(x), along[j], height[i]);
            mpz_set_ui(mpq_denref(x), 1);
            mpz_sub(mpq_numref(denominator), height[j], height[i]);
            mpz_set_ui(mpq_denref(denominator), 1);
            mpq_div(x, x, denominator);
        } else {
            continue;
        }
        if (found == 0 || mpq_cmp(x, low) < 0) {
            mpq_set(low, x);
        }
        if (found == 0 || mpq_cmp(x, high) > 0) {
            mpq_set(high, x);
        }
        found++;
    }
    for (int i = 0; i < 3; i++) {
        mpz_clear(along[i]);
    }
    mpq_clears(x, denominator, NULL);
    return true;
}

bool oracle_cross(const sc_vec3 a[3], const sc_vec3 b[3])
{
    vec p[6], normal[2], line, u, v;
    mpz_t height[6];
    mpq_t low[2], high[2];

    vec_init(p, 6);
    vec_init(normal, 2);
    vec_init(&line, 1);
    vec_init(&u, 1);
    vec_init(&v, 1);
    for (int i = 0; i < 6; i++) {
        mpz_init(height[i]);
    }
    mpq_inits(low[0], low[1], high[0], high[1], NULL);

    pair_to_integers(p, a, b);
    for (int t = 0; t < 2; t++) {
        vec_sub(&u, &p[3 * t + 1], &p[3 * t]);
        vec_sub(&v, &p[3 * t + 2], &p[3 * t]);
        vec_cross(&normal[t], &u, &v);
    }
    vec_cross(&line, &normal[0], &normal[1]);
    for (int i = 0; i < 6; i++) {
        int other = i < 3 ? 1 : 0;
        vec_sub(&u, &p[i], &p[3 * other]);
        vec_dot(height[i], &normal[other], &u);
    }
    bool crosses = !vec_is_zero(&line) && cut_interval(low[0], high[0], p, height, &line) &&
                   cut_interval(low[1], high[1], p + 3, height + 3, &line);
    if (crosses) {
        mpq_t *from = mpq_cmp(low[0], low[1]) > 0 ? &low[0] : &low[1];
        mpq_t *to = mpq_cmp(high[0], high[1]) < 0 ? &high[0] : &high[1];
        crosses = mpq_cmp(*from, *to) < 0;
    }

    mpq_clears(low[0], low[1], high[0], high[1], NULL);
    for (int i = 0; i < 6; i++) {
        mpz_clear(height[i]);
    }
    vec_clear(&v, 1);
    vec_clear(&u, 1);
    vec_clear(&line, 1);
    vec_clear(normal, 2);
    vec_clear(p, 6);
    return crosses;
}

/* ---- common points: one triangle clipped by the half-spaces of the other --- */

static void to_rationals(rational3 *out, const vec *v)
{
    for (int c = 0; c < 3; c++) {
        mpq_set_z(out->c[c], v->c[c]);
    }
}

/* Whether corner i lies on the closed segment of corners j and k. */
static bool lies_between(const rational_polygon *g, int i, int j, int k)
{
    rational3 u, v, across;

    rational3_init(&u, 1);
    rational3_init(&v, 1);
    rational3_init(&across, 1);
    rational3_subtract(&u, &g->corner[j], &g->corner[i]);
    rational3_subtract(&v, &g->corner[k], &g->corner[i]);
    rational3_cross(&across, &u, &v);
    bool between = rational3_is_zero(&across);
    for (int c = 0; c < 3; c++) { /* opposite ways on every axis */
        between = between && mpq_sgn(u.c[c]) * mpq_sgn(v.c[c]) <= 0;
    }
    rational3_clear(&u, 1);
    rational3_clear(&v, 1);
    rational3_clear(&across, 1);
    return between;
}

/* Drops repeated corners and those between two others. */
static void keep_extreme(rational_polygon *g)
{
    for (int i = 0; i < g->count;) {
        bool extreme = true;
        for (int j = 0; j < g->count && extreme; j++) {
            for (int k = j; k < g->count && extreme; k++) {
                extreme = i == j || i == k || !lies_between(g, i, j, k);
            }
        }
        if (extreme) {
            i++;
            continue;
        }
        g->count--;
        for (int j = i; j < g->count; j++) {
            rational3_copy(&g->corner[j], &g->corner[j + 1]);
        }
    }
}

/* Keeps the part of g where sign * normal . (x - origin) >= 0. */
static void clip(rational_polygon *g, const vec *normal, const vec *origin, int sign)
{
    rational3 up, from;

    rational3_init(&up, 1);
    rational3_init(&from, 1);
    to_rationals(&up, normal);
    to_rationals(&from, origin);
    for (int c = 0; c < 3 && sign < 0; c++) {
        mpq_neg(up.c[c], up.c[c]);
    }
    rational_polygon_clip(g, &up, &from);
    keep_extreme(g);
    rational3_clear(&up, 1);
    rational3_clear(&from, 1);
}

static void clip_to_plane(rational_polygon *g, const vec *normal, const vec *origin)
{
    clip(g, normal, origin, 1);
    clip(g, normal, origin, -1);
}

/* Clips g to the triangle b, whatever its dimension. */
static void clip_to_triangle(rational_polygon *g, const vec b[3])
{
    vec edge[3], normal, m, axis;
    mpz_t length, longest;
    int end = 0;

    vec_init(edge, 3);
    vec_init(&normal, 1);
    vec_init(&m, 1);
    vec_init(&axis, 1);
    mpz_inits(length, longest, NULL);
    for (int i = 0; i < 3; i++) {
        vec_sub(&edge[i], &b[(i + 1) % 3], &b[i]);
        vec_dot(length, &edge[i], &edge[i]);
        if (mpz_cmp(length, longest) > 0) {
            mpz_set(longest, length);
            end = i;
        }
    }
    vec_cross(&normal, &edge[0], &edge[1]);

    if (!vec_is_zero(&normal)) {
        clip_to_plane(g, &normal, &b[0]);
        for (int i = 0; i < 3; i++) {
            vec_cross(&m, &normal, &edge[i]);
            clip(g, &m, &b[i], 1);
        }
    } else {
        /* A segment (its longest edge) or a point: planes that hold it, and ends. */
        for (int k = 0; k < 3; k++) {
            for (int c = 0; c < 3; c++) {
                mpz_set_si(axis.c[c], c == k);
            }
            vec_cross(&m, &edge[end], &axis);
            clip_to_plane(g, mpz_sgn(longest) != 0 ? &m : &axis, &b[end]);
        }
        clip(g, &edge[end], &b[end], 1);
        clip(g, &edge[end], &b[(end + 1) % 3], -1);
    }

    mpz_clears(length, longest, NULL);
    vec_clear(&axis, 1);
    vec_clear(&m, 1);
    vec_clear(&normal, 1);
    vec_clear(edge, 3);
}

/* x * 2^exponent, rounded. */
static double to_double(mpq_t x, int exponent)
{
    if (exponent >= 0) {
        mpq_mul_2exp(x, x, (mp_bitcnt_t)exponent);
    } else {
        mpq_div_2exp(x, x, (mp_bitcnt_t)-exponent);
    }
    return mpq_get_d(x);
}

static void polygon_add(rational_polygon *g, const vec *v)
{
    to_rationals(&g->corner[g->count++], v);
}

/* The feature of t on which corner i of g lies. */
static sc_feature feature_of(const rational_polygon *g, int i, const vec t[3])
{
    sc_feature feature = SC_FACE;
    rational_polygon h;

    rational_polygon_init(&h);
    for (int k = 0; k < 3; k++) {
        polygon_add(&h, &t[k]);
    }
    keep_extreme(&h);
    rational3_copy(&h.corner[h.count], &g->corner[i]);
    for (int k = 0; k < h.count; k++) {
        if (lies_between(&h, h.count, k, k)) {
            feature = SC_VERTEX;
        } else if (feature == SC_FACE && lies_between(&h, h.count, k, (k + 1) % h.count)) {
            feature = SC_EDGE;
        }
    }
    rational_polygon_clear(&h);
    return feature;
}

oracle_common oracle_common_points(const sc_vec3 a[3], const sc_vec3 b[3])
{
    oracle_common common = {0};
    vec p[6];
    rational_polygon g;

    vec_init(p, 6);
    rational_polygon_init(&g);
    int exponent = pair_to_integers(p, a, b);
    for (int i = 0; i < 3; i++) {
        polygon_add(&g, &p[i]);
    }
    keep_extreme(&g);
    clip_to_triangle(&g, p + 3);
    for (; common.count < g.count && common.count < 6; common.count++) {
        mpq_t *x = g.corner[common.count].c;
        sc_vec3 *point = &common.points[common.count];
        common.on_a[common.count] = feature_of(&g, common.count, p);
        common.on_b[common.count] = feature_of(&g, common.count, p + 3);
        point->x = to_double(x[0], exponent);
        point->y = to_double(x[1], exponent);
        point->z = to_double(x[2], exponent);
    }
    rational_polygon_clear(&g);
    vec_clear(p, 6);
    return common;
}

/* ---- distance: the least of all stationary segments between features ------- */

/* The least fraction offered so far, and room to work out the next. */
typedef struct least {
    mpz_t num, den; /* den 0: none yet */
    mpz_t next_num, next_den, s, t;
    vec u, v, w, n, m;
} least;

static void offer_next(least *best)
{
    mpz_mul(best->s, best->next_num, best->den);
    mpz_mul(best->t, best->num, best->next_den);
    if (mpz_sgn(best->den) == 0 || mpz_cmp(best->s, best->t) < 0) {
        mpz_swap(best->num, best->next_num);
        mpz_swap(best->den, best->next_den);
    }
}

static void vertex_vertex(least *best, const vec *p, const vec *q)
{
    vec_sub(&best->w, p, q);
    vec_dot(best->next_num, &best->w, &best->w);
    mpz_set_ui(best->next_den, 1);
    offer_next(best);
}

/* p against the inner points of the edge q r. */
static void vertex_edge(least *best, const vec *p, const vec *q, const vec *r)
{
    vec_sub(&best->u, r, q);
    vec_sub(&best->w, p, q);
    vec_dot(best->next_den, &best->u, &best->u);
    vec_dot(best->s, &best->u, &best->w);
    if (mpz_sgn(best->s) > 0 && mpz_cmp(best->s, best->next_den) < 0) {
        vec_cross(&best->n, &best->u, &best->w);
        vec_dot(best->next_num, &best->n, &best->n);
        offer_next(best);
    }
}

/* The inner points of p q against those of r s: with p + S u - (r + T v) along
 * n = u x v, S and T follow from the dot products with v x n and u x n. */
static void edge_edge(least *best, const vec *p, const vec *q, const vec *r, const vec *s)
{
    vec_sub(&best->u, q, p);
    vec_sub(&best->v, s, r);
    vec_sub(&best->w, r, p);
    vec_cross(&best->n, &best->u, &best->v);
    vec_dot(best->next_den, &best->n, &best->n);
    vec_cross(&best->m, &best->v, &best->n);
    vec_dot(best->s, &best->w, &best->m);
    vec_cross(&best->m, &best->u, &best->n);
    vec_dot(best->t, &best->w, &best->m);
    if (mpz_sgn(best->s) > 0 && mpz_cmp(best->s, best->next_den) < 0 && mpz_sgn(best->t) > 0 &&
        mpz_cmp(best->t, best->next_den) < 0) {
        vec_dot(best->next_num, &best->w, &best->n);
        mpz_mul(best->next_num, best->next_num, best->next_num);
        offer_next(best);
    }
}

/* p against the inner points of the face f. */
static void vertex_face(least *best, const vec *p, const vec f[3])
{
    vec_sub(&best->u, &f[1], &f[0]);
    vec_sub(&best->v, &f[2], &f[0]);
    vec_cross(&best->n, &best->u, &best->v);
    vec_dot(best->next_den, &best->n, &best->n);
    for (int i = 0; i < 3; i++) {
        vec_sub(&best->u, &f[(i + 1) % 3], &f[i]);
        vec_sub(&best->w, p, &f[i]);
        vec_cross(&best->m, &best->u, &best->w);
        vec_dot(best->s, &best->m, &best->n);
        if (mpz_sgn(best->s) <= 0) {
            return;
        }
    }
    vec_dot(best->next_num, &best->w, &best->n);
    mpz_mul(best->next_num, best->next_num, best->next_num);
    offer_next(best);
}

void oracle_distance_sq(mpq_t square, const sc_vec3 a[3], const sc_vec3 b[3])
{
    least best;
    vec p[6];

    if (oracle_meet(a, b)) {
        mpq_set_ui(square, 0, 1);
        return;
    }
    vec_init(p, 6);
    vec_init(&best.u, 1);
    vec_init(&best.v, 1);
    vec_init(&best.w, 1);
    vec_init(&best.n, 1);
    vec_init(&best.m, 1);
    mpz_inits(best.num, best.den, best.next_num, best.next_den, best.s, best.t, NULL);

    int exponent = pair_to_integers(p, a, b);
    for (int i = 0; i < 3; i++) {
        for (int j = 3; j < 6; j++) {
            const vec *p1 = &p[(i + 1) % 3], *q1 = &p[3 + (j + 1) % 3];
            vertex_vertex(&best, &p[i], &p[j]);
            vertex_edge(&best, &p[i], &p[j], q1);
            vertex_edge(&best, &p[j], &p[i], p1);
            edge_edge(&best, &p[i], p1, &p[j], q1);
        }
        vertex_face(&best, &p[i], p + 3);
        vertex_face(&best, &p[3 + i], p);
    }
    mpq_set_num(square, best.num);
    mpq_set_den(square, best.den);
    mpq_canonicalize(square);
    if (exponent >= 0) {
        mpq_mul_2exp(square, square, (mp_bitcnt_t)(2 * exponent));
    } else {
        mpq_div_2exp(square, square, (mp_bitcnt_t)(-2 * exponent));
    }

    mpz_clears(best.num, best.den, best.next_num, best.next_den, best.s, best.t, NULL);
    vec_clear(&best.m, 1);
    vec_clear(&best.n, 1);
    vec_clear(&best.w, 1);
    vec_clear(&best.v, 1);
    vec_clear(&best.u, 1);
    vec_clear(p, 6);
}

double oracle_sqrt(const mpq_t square)
{
    return -oracle_sqrt_error(square, 0);
}

double oracle_sqrt_error(const mpq_t square, double distance)
{
    mpf_t root, d;

    mpf_init2(root, 256);
    mpf_init2(d, 256);
    mpf_set_q(root, square);
    mpf_sqrt(root, root);
    mpf_set_d(d, distance);
    mpf_sub(d, d, root);
    double error = mpf_get_d(d);
    mpf_clear(root);
    mpf_clear(d);
    return error;
}
