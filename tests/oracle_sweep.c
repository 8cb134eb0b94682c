/* oracle_sweep.c - see oracle_sweep.h. */
#include "oracle_sweep.h"

typedef struct vector {
    mpq_t x[3];
} vector;

static void vector_init(vector *v)
{
    for (int k = 0; k < 3; k++) {
        mpq_init(v->x[k]);
    }
}

static void vector_clear(vector *v)
{
    for (int k = 0; k < 3; k++) {
        mpq_clear(v->x[k]);
    }
}

static void vector_set(vector *v, sc_vec3 p)
{
    mpq_set_d(v->x[0], p.x);
    mpq_set_d(v->x[1], p.y);
    mpq_set_d(v->x[2], p.z);
}

static void vector_subtract(vector *out, const vector *a, const vector *b)
{
    for (int k = 0; k < 3; k++) {
        mpq_sub(out->x[k], a->x[k], b->x[k]);
    }
}

static void determinant(mpq_t out, const vector *u, const vector *v, const vector *w)
{
    mpq_t left, right;
    mpq_inits(left, right, NULL);
    mpq_set_ui(out, 0, 1);
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        mpq_mul(left, v->x[i], w->x[j]);
        mpq_mul(right, v->x[j], w->x[i]);
        mpq_sub(left, left, right);
        mpq_mul(left, left, u->x[k]);
        mpq_add(out, out, left);
    }
    mpq_clears(left, right, NULL);
}

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
static void try_point(oracle_sweep *sweep, const vector *p, const vector *d)
{
    mpq_t t, product;
    mpq_inits(t, product, NULL);
    int k = 0;
    while (mpq_sgn(d->x[k]) == 0) {
        k++;
    }
    mpq_div(t, p->x[k], d->x[k]);
    bool on_line = true;
    for (int i = 0; i < 3; i++) {
        mpq_mul(product, t, d->x[i]);
        on_line = on_line && mpq_equal(product, p->x[i]);
    }
    if (on_line) {
        add_time(sweep, t);
    }
    mpq_clears(t, product, NULL);
}

/* t d = p + s (q - p), 0 <= s <= 1, where that has one solution. */
static void try_pair(oracle_sweep *sweep, const vector *p, const vector *q, const vector *d)
{
    vector u, at;
    mpq_t det, s, other;
    vector_init(&u);
    vector_init(&at);
    mpq_inits(det, s, other, NULL);
    vector_subtract(&u, q, p);
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        mpq_mul(det, d->x[i], u.x[j]);
        mpq_mul(other, d->x[j], u.x[i]);
        mpq_sub(det, det, other);
        if (mpq_sgn(det) == 0) {
            continue;
        }
        /* cross(d, p + s u) = 0 in component k */
        mpq_mul(s, d->x[j], p->x[i]);
        mpq_mul(other, d->x[i], p->x[j]);
        mpq_sub(s, s, other);
        mpq_div(s, s, det);
        mpq_set_ui(other, 1, 1);
        if (mpq_sgn(s) >= 0 && mpq_cmp(s, other) <= 0) {
            for (int m = 0; m < 3; m++) {
                mpq_mul(at.x[m], s, u.x[m]);
                mpq_add(at.x[m], at.x[m], p->x[m]);
            }
            try_point(sweep, &at, d);
        }
        break;
    }
    vector_clear(&u);
    vector_clear(&at);
    mpq_clears(det, s, other, NULL);
}

/* t d = p + s (q - p) + r (o - p), where that has one solution, in the triangle. */
static void try_triple(oracle_sweep *sweep, const vector *p, const vector *q, const vector *o,
                       const vector *d)
{
    vector u, v;
    mpq_t det, t, s, r, one;
    vector_init(&u);
    vector_init(&v);
    mpq_inits(det, t, s, r, one, NULL);
    vector_subtract(&u, q, p);
    vector_subtract(&v, o, p);
    determinant(det, d, &u, &v);
    if (mpq_sgn(det) != 0) {
        determinant(t, p, &u, &v);
        determinant(s, d, p, &v); /* 0 = det(d, p, v) + s det(d, u, v) */
        determinant(r, d, &u, p);
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
    vector_clear(&u);
    vector_clear(&v);
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
    vector difference[9], way, x, y;
    vector_init(&way);
    vector_init(&x);
    vector_init(&y);
    vector_set(&way, d);
    sweep->ever = false;
    for (int i = 0; i < 9; i++) {
        vector_init(&difference[i]);
        vector_set(&x, a[i / 3]);
        vector_set(&y, b[i % 3]);
        vector_subtract(&difference[i], &x, &y);
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
    for (int i = 0; i < 9; i++) {
        vector_clear(&difference[i]);
    }
    vector_clear(&way);
    vector_clear(&x);
    vector_clear(&y);
}

/* ---- the prism ------------------------------------------------------------ */

enum { MAX_CORNERS = 16 };

typedef struct polygon {
    int count;
    vector corner[MAX_CORNERS];
} polygon;

/* det(p - origin, u, v) */
static void height(mpq_t out, const vector *p, const vector *origin, const vector *u,
                   const vector *v)
{
    vector w;
    vector_init(&w);
    vector_subtract(&w, p, origin);
    determinant(out, &w, u, v);
    vector_clear(&w);
}

typedef struct plane {
    vector origin, u, v;
    int inner; /* the sign of the heights inside */
} plane;

/* Keeps what of the polygon lies on the closed inner side. */
static void clip(polygon *p, const plane *by)
{
    static polygon kept;
    static bool ready;
    mpq_t here, next, t;
    mpq_inits(here, next, t, NULL);
    for (int i = 0; i < MAX_CORNERS && !ready; i++) {
        vector_init(&kept.corner[i]);
    }
    ready = true;
    kept.count = 0;
    for (int i = 0; i < p->count; i++) {
        const vector *from = &p->corner[i], *to = &p->corner[(i + 1) % p->count];
        height(here, from, &by->origin, &by->u, &by->v);
        height(next, to, &by->origin, &by->u, &by->v);
        int side = mpq_sgn(here) * by->inner, beyond = mpq_sgn(next) * by->inner;
        if (side >= 0) {
            for (int k = 0; k < 3; k++) {
                mpq_set(kept.corner[kept.count].x[k], from->x[k]);
            }
            kept.count++;
        }
        if (side * beyond < 0) {
            mpq_sub(t, here, next);
            mpq_div(t, here, t);
            vector *at = &kept.corner[kept.count++];
            vector_subtract(at, to, from);
            for (int k = 0; k < 3; k++) {
                mpq_mul(at->x[k], at->x[k], t);
                mpq_add(at->x[k], at->x[k], from->x[k]);
            }
        }
    }
    p->count = kept.count;
    for (int i = 0; i < kept.count; i++) {
        for (int k = 0; k < 3; k++) {
            mpq_set(p->corner[i].x[k], kept.corner[i].x[k]);
        }
    }
    mpq_clears(here, next, t, NULL);
}

bool oracle_sweep_enters(const sc_vec3 moves[3], const sc_vec3 rests[3], sc_vec3 d)
{
    static polygon p;
    static plane planes[5];
    static vector v[3], way, middle;
    static bool ready;
    for (int i = 0; !ready && i < 5; i++) {
        vector_init(&planes[i].origin);
        vector_init(&planes[i].u);
        vector_init(&planes[i].v);
    }
    for (int i = 0; !ready && i < 3; i++) {
        vector_init(&v[i]);
    }
    for (int i = 0; !ready && i < MAX_CORNERS; i++) {
        vector_init(&p.corner[i]);
    }
    if (!ready) {
        vector_init(&way);
        vector_init(&middle);
    }
    ready = true;

    vector_set(&way, d);
    for (int i = 0; i < 3; i++) {
        vector_set(&v[i], moves[i]);
        vector_set(&p.corner[i], rests[i]);
    }
    p.count = 3;
    mpq_t volume, sum, count;
    mpq_inits(volume, sum, count, NULL);
    for (int i = 0; i < 2; i++) { /* the triangle at the start and at the end */
        for (int k = 0; k < 3; k++) {
            mpq_set(planes[i].origin.x[k], v[0].x[k]);
            if (i == 1) {
                mpq_add(planes[i].origin.x[k], v[0].x[k], way.x[k]);
            }
        }
        vector_subtract(&planes[i].u, &v[1], &v[0]);
        vector_subtract(&planes[i].v, &v[2], &v[0]);
    }
    determinant(volume, &way, &planes[0].u, &planes[0].v);
    int turn = mpq_sgn(volume);
    planes[0].inner = turn;
    planes[1].inner = -turn;
    for (int i = 0; i < 3; i++) { /* the walls: det(p - v, d, edge) has the sign of the turn */
        plane *wall = &planes[2 + i];
        for (int k = 0; k < 3; k++) {
            mpq_set(wall->origin.x[k], v[i].x[k]);
            mpq_set(wall->u.x[k], way.x[k]);
        }
        vector_subtract(&wall->v, &v[(i + 1) % 3], &v[i]);
        wall->inner = turn;
    }
    for (int i = 0; turn != 0 && i < 5; i++) {
        clip(&p, &planes[i]);
    }
    bool inside = turn != 0 && p.count > 0;
    if (inside) {
        for (int k = 0; k < 3; k++) {
            mpq_set_ui(middle.x[k], 0, 1);
            for (int i = 0; i < p.count; i++) {
                mpq_add(middle.x[k], middle.x[k], p.corner[i].x[k]);
            }
            mpq_set_ui(count, (unsigned)p.count, 1);
            mpq_div(middle.x[k], middle.x[k], count);
        }
        for (int i = 0; i < 5; i++) {
            height(sum, &middle, &planes[i].origin, &planes[i].u, &planes[i].v);
            inside = inside && mpq_sgn(sum) * planes[i].inner > 0;
        }
    }
    mpq_clears(volume, sum, count, NULL);
    return inside;
}
