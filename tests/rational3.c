/* rational3.c - see rational3.h. */
#include "rational3.h"

void rational3_init(rational3 *v, int n)
{
    for (int i = 0; i < n; i++) {
        mpq_inits(v[i].c[0], v[i].c[1], v[i].c[2], NULL);
    }
}

void rational3_clear(rational3 *v, int n)
{
    for (int i = 0; i < n; i++) {
        mpq_clears(v[i].c[0], v[i].c[1], v[i].c[2], NULL);
    }
}

void rational3_set(rational3 *out, sc_vec3 v)
{
    mpq_set_d(out->c[0], v.x);
    mpq_set_d(out->c[1], v.y);
    mpq_set_d(out->c[2], v.z);
}

void rational3_copy(rational3 *out, const rational3 *v)
{
    for (int k = 0; k < 3; k++) {
        mpq_set(out->c[k], v->c[k]);
    }
}

bool rational3_is_zero(const rational3 *v)
{
    return mpq_sgn(v->c[0]) == 0 && mpq_sgn(v->c[1]) == 0 && mpq_sgn(v->c[2]) == 0;
}

void rational3_subtract(rational3 *out, const rational3 *a, const rational3 *b)
{
    for (int k = 0; k < 3; k++) {
        mpq_sub(out->c[k], a->c[k], b->c[k]);
    }
}

/* a + t b */
void rational3_along(rational3 *out, const rational3 *a, const mpq_t t, const rational3 *b)
{
    mpq_t product;
    mpq_init(product);
    for (int k = 0; k < 3; k++) {
        mpq_mul(product, t, b->c[k]);
        mpq_add(out->c[k], a->c[k], product);
    }
    mpq_clear(product);
}

void rational3_dot(mpq_t out, const rational3 *a, const rational3 *b)
{
    mpq_t sum, product;
    mpq_inits(sum, product, NULL);
    for (int k = 0; k < 3; k++) {
        mpq_mul(product, a->c[k], b->c[k]);
        mpq_add(sum, sum, product);
    }
    mpq_swap(out, sum);
    mpq_clears(sum, product, NULL);
}

void rational_minor(mpq_t out, const mpq_t a, const mpq_t b, const mpq_t c, const mpq_t d)
{
    mpq_t left, right;
    mpq_inits(left, right, NULL);
    mpq_mul(left, a, b);
    mpq_mul(right, c, d);
    mpq_sub(out, left, right);
    mpq_clears(left, right, NULL);
}

void rational3_cross(rational3 *out, const rational3 *a, const rational3 *b)
{
    rational3 product;
    rational3_init(&product, 1);
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        rational_minor(product.c[k], a->c[i], b->c[j], a->c[j], b->c[i]);
    }
    rational3_copy(out, &product);
    rational3_clear(&product, 1);
}

void rational3_determinant(mpq_t out, const rational3 *u, const rational3 *v, const rational3 *w)
{
    rational3 product;
    rational3_init(&product, 1);
    rational3_cross(&product, v, w);
    rational3_dot(out, u, &product);
    rational3_clear(&product, 1);
}

/* ---- polygons ------------------------------------------------------------- */

void rational_polygon_init(rational_polygon *p)
{
    p->count = 0;
    rational3_init(p->corner, RATIONAL_CORNERS);
}

void rational_polygon_clear(rational_polygon *p)
{
    rational3_clear(p->corner, RATIONAL_CORNERS);
}

void rational_polygon_clip(rational_polygon *p, const rational3 *normal, const rational3 *origin)
{
    rational_polygon kept;
    rational3 way;
    mpq_t height[RATIONAL_CORNERS], t;

    rational_polygon_init(&kept);
    rational3_init(&way, 1);
    mpq_init(t);
    for (int i = 0; i < p->count; i++) {
        mpq_init(height[i]);
        rational3_subtract(&way, &p->corner[i], origin);
        rational3_dot(height[i], normal, &way);
    }
    for (int i = 0; i < p->count; i++) {
        int j = (i + 1) % p->count;
        if (mpq_sgn(height[i]) >= 0) {
            rational3_copy(&kept.corner[kept.count++], &p->corner[i]);
        }
        if (mpq_sgn(height[i]) * mpq_sgn(height[j]) < 0) {
            mpq_sub(t, height[i], height[j]);
            mpq_div(t, height[i], t);
            rational3_subtract(&way, &p->corner[j], &p->corner[i]);
            rational3_along(&kept.corner[kept.count++], &p->corner[i], t, &way);
        }
    }
    for (int i = 0; i < p->count; i++) {
        mpq_clear(height[i]);
    }
    mpq_clear(t);
    rational3_clear(&way, 1);
    rational_polygon_clear(p);
    *p = kept;
}
