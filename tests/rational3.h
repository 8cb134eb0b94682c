/* rational3.h - vectors and convex polygons in rationals of GMP, for the oracles. Every result
 * may be one of the operands. Not for threads. */
#ifndef RATIONAL3_H
#define RATIONAL3_H

#include "geom/vec3.h"

#include <gmp.h>
#include <stdbool.h>

typedef struct rational3 {
    mpq_t c[3];
} rational3;

void rational3_init(rational3 *v, int n); /* v[n], to 0 */
void rational3_clear(rational3 *v, int n);

void rational3_set(rational3 *out, sc_vec3 v); /* finite; exact */
void rational3_copy(rational3 *out, const rational3 *v);
bool rational3_is_zero(const rational3 *v);

void rational3_subtract(rational3 *out, const rational3 *a, const rational3 *b);
void rational3_along(rational3 *out, const rational3 *a, const mpq_t t, const rational3 *b);
void rational3_dot(mpq_t out, const rational3 *a, const rational3 *b);
void rational3_cross(rational3 *out, const rational3 *a, const rational3 *b);

/* u . (v x w) */
void rational3_determinant(mpq_t out, const rational3 *u, const rational3 *v, const rational3 *w);

/* a b - c d of numbers. */
void rational_minor(mpq_t out, const mpq_t a, const mpq_t b, const mpq_t c, const mpq_t d);

/* ---- polygons ------------------------------------------------------------- */

enum { RATIONAL_CORNERS = 16 };

/* A convex polygon in space; its corners in order, perhaps all on a line or in one point. */
typedef struct rational_polygon {
    int count;
    rational3 corner[RATIONAL_CORNERS];
} rational_polygon;

void rational_polygon_init(rational_polygon *p);
void rational_polygon_clear(rational_polygon *p);

/* Keeps what lies where normal . (x - origin) >= 0; each time there is one corner more at most. */
void rational_polygon_clip(rational_polygon *p, const rational3 *normal, const rational3 *origin);

#endif
