/* oracle_sweep.c - see oracle_sweep.h. */
#include "oracle_sweep.h"

#include "rational3.h"

/* ---- the times ------------------------------------------------------------ */

static void add_time(oracle_sweep *sweep, const mpq_t t)
{
    if (!sweep->ever || mpq_cmp(t, sweep->first) < 0) {
        mpq_set(sweep->first, t);
    }
    if (!sweep->ever || mpq_cmp(t, sweep->last) > 0) {
        mpq_set(sweep->last, t);
    }
    sweep->ever = true;
}

/* t d = p */
static void try_point(oracle_sweep *sweep, const rational3 *p, const rational3 *d)
{
    mpq_t t, product;
    mpq_inits(t, product, NULL);
    int k = 0;
    while (mpq_sgn(d->c[k]) == 0) {
        k++;
    }
    mpq_div(t, p->c[k], d->c[k]);
    bool on_line = true;
    for (int i = 0; i < 3; i++) {
        mpq_mul(product, t, d->c[i]);
        on_line = on_line && mpq_equal(product, p->c[i]);
    }
    if (on_line) {
        add_time(sweep, t);
    }
    mpq_clears(t, product, NULL);
}

/* t d = p + s (q - p), 0 <= s <= 1, where that has one solution. */
static void try_pair(oracle_sweep *sweep, const rational3 *p, const rational3 *q,
                     const rational3 *d)
{
    rational3 u, at;
    mpq_t det, s;
    rational3_init(&u, 1);
    rational3_init(&at, 1);
    mpq_inits(det, s, NULL);
    rational3_subtract(&u, q, p);
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        rational_minor(det, d->c[i], u.c[j], d->c[j], u.c[i]);
        if (mpq_sgn(det) == 0) {
            continue;
        }
        /* cross(d, p + s u) = 0 in component k */
        rational_minor(s, d->c[j], p->c[i], d->c[i], p->c[j]);
        mpq_div(s, s, det);
        if (mpq_sgn(s) >= 0 && mpq_cmp_ui(s, 1, 1) <= 0) {
            rational3_along(&at, p, s, &u);
            try_point(sweep, &at, d);
        }
        break;
    }
    rational3_clear(&u, 1);
    rational3_clear(&at, 1);
    mpq_clears(det, s, NULL);
}

/* t d = p + s (q - p) + r (o - p), where that has one solution, in the triangle. */
static void try_triple(oracle_sweep *sweep, const rational3 *p, const rational3 *q,
                       const rational3 *o, const rational3 *d)
{
    rational3 u, v;
    mpq_t det, t, s, r, one;
    rational3_init(&u, 1);
    rational3_init(&v, 1);
    mpq_inits(det, t, s, r, one, NULL);
    rational3_subtract(&u, q, p);
    rational3_subtract(&v, o, p);
    rational3_determinant(det, d, &u, &v);
    if (mpq_sgn(det) != 0) {
        rational3_determinant(t, p, &u, &v);
        rational3_determinant(s, d, p, &v); /* 0 = det(d, p, v) + s det(d, u, v) */
        rational3_determinant(r, d, &u, p);
        mpq_div(t, t, det);
        mpq_div(s, s, det);
        mpq_div(r, r, det);
        mpq_neg(s, s);
        mpq_neg(r, r);
        mpq_set_ui(one, 1, 1);
        mpq_sub(one, one, s);
        if (mpq_sgn(s) >= 0 && mpq_sgn(r) >= 0 && mpq_cmp(r, one) <= 0) {
            add_time(sweep, t);
        }
    }
    rational3_clear(&u, 1);
    rational3_clear(&v, 1);
    mpq_clears(det, t, s, r, one, NULL);
}

void oracle_sweep_init(oracle_sweep *sweep)
{
    sweep->ever = false;
    mpq_inits(sweep->first, sweep->last, NULL);
}

void oracle_sweep_clear(oracle_sweep *sweep)
{
    mpq_clears(sweep->first, sweep->last, NULL);
}

void oracle_sweep_find(oracle_sweep *sweep, const sc_vec3 a[3], const sc_vec3 b[3], sc_vec3 d)
{
    rational3 difference[9], way, x, y;
    rational3_init(difference, 9);
    rational3_init(&way, 1);
    rational3_init(&x, 1);
    rational3_init(&y, 1);
    rational3_set(&way, d);
    sweep->ever = false;
    for (int i = 0; i < 9; i++) {
        rational3_set(&x, a[i / 3]);
        rational3_set(&y, b[i % 3]);
        rational3_subtract(&difference[i], &x, &y);
    }
    for (int i = 0; i < 9; i++) {
        try_point(sweep, &difference[i], &way);
        for (int j = i + 1; j < 9; j++) {
            try_pair(sweep, &difference[i], &difference[j], &way);
            for (int k = j + 1; k < 9; k++) {
                try_triple(sweep, &difference[i], &difference[j], &difference[k], &way);
            }
        }
    }
    rational3_clear(difference, 9);
    rational3_clear(&way, 1);
    rational3_clear(&x, 1);
    rational3_clear(&y, 1);
}

/* ---- the prism ------------------------------------------------------------ */

typedef struct plane {
    rational3 origin, normal; /* which points inward */
} plane;

/* The triangle v at the start and at the end, and the walls that its edges leave. */
enum { START, END, WALLS, PLANES = WALLS + 3 };

/* False where the prism has no volume. */
static bool find_planes(const rational3 v[3], const rational3 *way, plane planes[PLANES])
{
    rational3 edge[3], origin;
    mpq_t turn;

    rational3_init(edge, 3);
    rational3_init(&origin, 1); /* where it stays */
    mpq_init(turn);
    for (int i = 0; i < 3; i++) {
        rational3_subtract(&edge[i], &v[(i + 1) % 3], &v[i]);
    }
    rational3_determinant(turn, way, &edge[0], &edge[1]);
    mpq_set_si(turn, mpq_sgn(turn), 1);
    for (int i = 0; i < PLANES; i++) {
        plane *p = &planes[i];
        rational3_copy(&p->origin, &v[i < WALLS ? 0 : i - WALLS]);
        rational3_cross(&p->normal, i < WALLS ? &edge[0] : way, &edge[i < WALLS ? 1 : i - WALLS]);
        rational3_along(&p->normal, &origin, turn, &p->normal);
    }
    rational3_subtract(&planes[END].normal, &origin, &planes[END].normal);
    rational3_subtract(&edge[0], &origin, way);
    rational3_subtract(&planes[END].origin, &v[0], &edge[0]);
    bool has_volume = mpq_sgn(turn) != 0;
    rational3_clear(edge, 3);
    rational3_clear(&origin, 1);
    mpq_clear(turn);
    return has_volume;
}

/* Whether the middle of the corners lies inside all planes, not on them. */
static bool middle_inside(const rational_polygon *p, const plane planes[PLANES])
{
    rational3 middle, offset;
    mpq_t share, height;
    bool inside = p->count > 0;

    rational3_init(&middle, 1);
    rational3_init(&offset, 1);
    mpq_inits(share, height, NULL);
    mpq_set_ui(share, 1, inside ? (unsigned)p->count : 1);
    for (int i = 0; i < p->count; i++) {
        rational3_along(&middle, &middle, share, &p->corner[i]);
    }
    for (int i = 0; i < PLANES && inside; i++) {
        rational3_subtract(&offset, &middle, &planes[i].origin);
        rational3_dot(height, &offset, &planes[i].normal);
        inside = mpq_sgn(height) > 0;
    }
    rational3_clear(&middle, 1);
    rational3_clear(&offset, 1);
    mpq_clears(share, height, NULL);
    return inside;
}

bool oracle_sweep_enters(const sc_vec3 moves[3], const sc_vec3 rests[3], sc_vec3 d)
{
    rational_polygon p;
    rational3 v[3], way;
    plane planes[PLANES];

    rational_polygon_init(&p);
    rational3_init(v, 3);
    rational3_init(&way, 1);
    for (int i = 0; i < PLANES; i++) {
        rational3_init(&planes[i].origin, 1);
        rational3_init(&planes[i].normal, 1);
    }
    rational3_set(&way, d);
    for (int i = 0; i < 3; i++) {
        rational3_set(&v[i], moves[i]);
        rational3_set(&p.corner[i], rests[i]);
    }
    p.count = 3;
    bool inside = find_planes(v, &way, planes);
    for (int i = 0; i < PLANES && inside; i++) {
        rational_polygon_clip(&p, &planes[i].normal, &planes[i].origin);
    }
    inside = inside && middle_inside(&p, planes);
    for (int i = 0; i < PLANES; i++) {
        rational3_clear(&planes[i].origin, 1);
        rational3_clear(&planes[i].normal, 1);
    }
    rational_polygon_clear(&p);
    rational3_clear(v, 3);
    rational3_clear(&way, 1);
    return inside;
}
