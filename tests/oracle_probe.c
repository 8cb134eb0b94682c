/* oracle_probe.c - see oracle_probe.h. */
#include "oracle_probe.h"

#include "rational3.h"
#include "test.h"

#include <math.h>

enum { VECTORS = 16, NUMBERS = 16 };
static rational3 vectors[VECTORS]; /* scratch */
static mpq_t numbers[NUMBERS], along_line[3];
static bool ready;

static void prepare(void)
{
    if (!ready) {
        mpq_inits(along_line[0], along_line[1], along_line[2], NULL);
        rational3_init(vectors, VECTORS);
    }
    for (int i = 0; i < NUMBERS && !ready; i++) {
        mpq_init(numbers[i]);
    }
    ready = true;
}

/* Keeps of t0..t1 where f0 + t (f1 - f0) >= 0. */
static void keep_positive(mpq_t t0, mpq_t t1, const mpq_t f0, const mpq_t f1)
{
    mpq_t slope, root;
    mpq_inits(slope, root, NULL);
    mpq_sub(slope, f1, f0);
    if (mpq_sgn(slope) == 0) {
        if (mpq_sgn(f0) < 0) {
            mpq_set_si(t1, -1, 1);
        }
    } else {
        mpq_div(root, f0, slope);
        mpq_neg(root, root);
        if (mpq_sgn(slope) > 0 && mpq_cmp(root, t0) > 0) {
            mpq_set(t0, root);
        }
        if (mpq_sgn(slope) < 0 && mpq_cmp(root, t1) < 0) {
            mpq_set(t1, root);
        }
    }
    mpq_clears(slope, root, NULL);
}

/* Barycentric coordinates u, v of x - a by the normal equations of e1, e2. */
static void barycentric(mpq_t u, mpq_t v, const rational3 *from_a, const rational3 *e1,
                        const rational3 *e2)
{
    mpq_t d11, d12, d22, x1, x2, whole;
    mpq_inits(d11, d12, d22, x1, x2, whole, NULL);
    rational3_dot(d11, e1, e1);
    rational3_dot(d12, e1, e2);
    rational3_dot(d22, e2, e2);
    rational3_dot(x1, from_a, e1);
    rational3_dot(x2, from_a, e2);
    rational_minor(whole, d11, d22, d12, d12);
    rational_minor(u, x1, d22, x2, d12);
    mpq_div(u, u, whole);
    rational_minor(v, x2, d11, x1, d12);
    mpq_div(v, v, whole);
    mpq_clears(d11, d12, d22, x1, x2, whole, NULL);
}

/* The segment p + t d against the segment a..b: both clipped by what they have along d, or
 * solved by least squares and tried. */
static bool meet_segment(const rational3 *p, const rational3 *d, const rational3 *a,
                         const rational3 *b, mpq_t t0, mpq_t t1)
{
    rational3 *e = &vectors[10], *w = &vectors[11], *n = &vectors[12], *x = &vectors[13];
    rational3 *y = &vectors[14];
    mpq_t *s = along_line;

    rational3_subtract(e, b, a);
    rational3_subtract(w, a, p);
    rational3_cross(n, d, e);
    if (rational3_is_zero(n)) {
        if (rational3_is_zero(d)) { /* the point p: on a..b? */
            rational3_subtract(x, p, a);
            rational3_cross(n, x, e);
            rational3_dot(s[0], x, e);
            rational3_dot(s[1], e, e);
            return rational3_is_zero(e)
                       ? rational3_is_zero(x)
                       : rational3_is_zero(n) && mpq_sgn(s[0]) >= 0 && mpq_cmp(s[0], s[1]) <= 0;
        }
        rational3_cross(n, w, d);
        if (!rational3_is_zero(n)) {
            return false;
        }
        rational3_dot(s[0], d, d);
        rational3_dot(s[1], w, d); /* of a */
        mpq_div(s[1], s[1], s[0]);
        rational3_dot(s[2], e, d);
        mpq_div(s[2], s[2], s[0]);
        mpq_add(s[2], s[1], s[2]); /* of b */
        int low = mpq_cmp(s[1], s[2]) <= 0 ? 1 : 2;
        if (mpq_cmp(s[low], t0) > 0) {
            mpq_set(t0, s[low]);
        }
        if (mpq_cmp(s[3 - low], t1) < 0) {
            mpq_set(t1, s[3 - low]);
        }
        return mpq_cmp(t0, t1) <= 0;
    }
    barycentric(s[0], s[1], w, d, e); /* w = t d - s e, if they meet */
    mpq_neg(s[1], s[1]);
    rational3_along(x, p, s[0], d);
    rational3_along(y, a, s[1], e);
    rational3_subtract(x, x, y);
    if (!rational3_is_zero(x) || mpq_sgn(s[0]) < 0 || mpq_cmp_ui(s[0], 1, 1) > 0 ||
        mpq_sgn(s[1]) < 0 || mpq_cmp_ui(s[1], 1, 1) > 0) {
        return false;
    }
    mpq_set(t0, s[0]);
    mpq_set(t1, s[0]);
    return true;
}

/* The two vertices of a triangle without area that are farthest apart. */
static void farthest(const rational3 *v[3], int *a, int *b)
{
    mpq_t most, length;
    rational3 *d = &vectors[15];
    mpq_inits(most, length, NULL);
    mpq_set_si(most, -1, 1);
    for (int i = 0; i < 3; i++) {
        rational3_subtract(d, v[i], v[(i + 1) % 3]);
        rational3_dot(length, d, d);
        if (mpq_cmp(length, most) > 0) {
            mpq_set(most, length);
            *a = i;
            *b = (i + 1) % 3;
        }
    }
    mpq_clears(most, length, NULL);
}

bool oracle_stretch(sc_vec3 p, sc_vec3 q, const sc_vec3 v[3], mpq_t t0, mpq_t t1, bool *inside)
{
    prepare();
    rational3 *start = &vectors[0], *d = &vectors[1], *e1 = &vectors[2], *e2 = &vectors[3];
    rational3 *n = &vectors[4], *w = &vectors[5];
    const rational3 *corner[3] = {&vectors[6], &vectors[7], &vectors[8]};
    mpq_t *f = numbers;

    *inside = false;
    rational3_set(start, p);
    rational3_set(d, q);
    rational3_subtract(d, d, start);
    for (int i = 0; i < 3; i++) {
        rational3_set(&vectors[6 + i], v[i]);
    }
    rational3_subtract(e1, corner[1], corner[0]);
    rational3_subtract(e2, corner[2], corner[0]);
    rational3_cross(n, e1, e2);
    mpq_set_ui(t0, 0, 1);
    mpq_set_ui(t1, 1, 1);
    if (rational3_is_zero(n)) {
        int a = 0, b = 0;
        farthest(corner, &a, &b);
        return meet_segment(start, d, corner[a], corner[b], t0, t1);
    }
    rational3_subtract(w, start, corner[0]);
    rational3_dot(f[0], n, w);
    rational3_dot(f[1], n, d);
    bool crosses = mpq_sgn(f[1]) != 0;
    if (crosses) {
        mpq_div(f[0], f[0], f[1]);
        mpq_neg(t0, f[0]);
        if (mpq_sgn(t0) < 0 || mpq_cmp_ui(t0, 1, 1) > 0) {
            return false;
        }
        mpq_set(t1, t0);
        *inside = mpq_sgn(t0) > 0 && mpq_cmp_ui(t0, 1, 1) < 0;
    } else if (mpq_sgn(f[0]) != 0) {
        return false;
    }
    /* u, v and 1 - u - v at both ends of pq; they are linear in between. */
    barycentric(f[2], f[3], w, e1, e2);
    rational3_set(n, q);
    rational3_subtract(n, n, corner[0]);
    barycentric(f[4], f[5], n, e1, e2);
    for (int end = 0; end < 2; end++) {
        mpq_set_ui(f[6 + end], 1, 1);
        mpq_sub(f[6 + end], f[6 + end], f[2 + 2 * end]);
        mpq_sub(f[6 + end], f[6 + end], f[3 + 2 * end]);
    }
    for (int i = 0; i < 3; i++) {
        int at_p = i == 2 ? 6 : 2 + i, at_q = i == 2 ? 7 : 4 + i;
        if (crosses) {
            mpq_sub(f[8], f[at_q], f[at_p]);
            mpq_mul(f[8], f[8], t0);
            mpq_add(f[8], f[8], f[at_p]);
            if (mpq_sgn(f[8]) < 0) {
                return false;
            }
            *inside = *inside && mpq_sgn(f[8]) > 0;
        } else {
            keep_positive(t0, t1, f[at_p], f[at_q]);
        }
    }
    return mpq_cmp(t0, t1) <= 0;
}

bool oracle_close(double t, const mpq_t exact)
{
    double truth = mpq_get_d(exact);
    return fabs(t - truth) <= 0x1p-39 * fabs(truth);
}

/* ---- inside ---------------------------------------------------------------------------- */

bool oracle_inside(sc_vec3 p, sc_vec3 q, const mpq_t t, const sc_vec3 (*triangles)[3], int count)
{
    rational3 from, way, corner[3], e1, e2, n;
    mpq_t f[4], u, v;
    bool result = false, doubt = true;

    prepare();
    rational3 *all[] = {&from, &way, &corner[0], &corner[1], &corner[2], &e1, &e2, &n};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        rational3_init(all[i], 1);
    }
    mpq_inits(f[0], f[1], f[2], f[3], u, v, NULL);
    rational3_set(&from, p);
    rational3_set(&way, q);
    rational3_subtract(&way, &way, &from);
    rational3_along(&from, &from, t, &way);
    while (doubt) {
        doubt = false;
        result = false;
        rational3_set(&way, (sc_vec3){test_uniform(-1.0, 1.0), test_uniform(-1.0, 1.0),
                                      test_uniform(-1.0, 1.0)});
        for (int i = 0; i < count && !doubt; i++) {
            for (int k = 0; k < 3; k++) {
                rational3_set(&corner[k], triangles[i][k]);
            }
            rational3_subtract(&e1, &corner[1], &corner[0]);
            rational3_subtract(&e2, &corner[2], &corner[0]);
            rational3_cross(&n, &e1, &e2);
            if (rational3_is_zero(&n)) {
                continue;
            }
            rational3_subtract(&corner[1], &from, &corner[0]);
            rational3_dot(f[0], &n, &corner[1]);
            rational3_dot(f[1], &n, &way);
            if (mpq_sgn(f[1]) == 0) {
                doubt = true;
                break;
            }
            mpq_div(f[0], f[0], f[1]);
            mpq_neg(f[0], f[0]);
            if (mpq_sgn(f[0]) <= 0) {
                continue;
            }
            rational3_along(&corner[2], &corner[1], f[0], &way);
            barycentric(u, v, &corner[2], &e1, &e2);
            mpq_set_ui(f[2], 1, 1);
            mpq_sub(f[2], f[2], u);
            mpq_sub(f[2], f[2], v);
            if (mpq_sgn(u) < 0 || mpq_sgn(v) < 0 || mpq_sgn(f[2]) < 0) {
                continue;
            }
            doubt = mpq_sgn(u) == 0 || mpq_sgn(v) == 0 || mpq_sgn(f[2]) == 0;
            result = !result;
        }
    }
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        rational3_clear(all[i], 1);
    }
    mpq_clears(f[0], f[1], f[2], f[3], u, v, NULL);
    return result;
}
