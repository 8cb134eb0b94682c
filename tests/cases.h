/* cases.h - random pairs of triangles, each class a kind of trouble.
 *
 * Drawn from test_random, in an order that every compiler keeps. */
#ifndef CASES_H
#define CASES_H

#include "geom/vec3.h"

enum {
    /* whether triangles meet is hard to tell */
    CASE_RANDOM,       /* floats in -1..1 */
    CASE_GRID_3,       /* integers 0..3: every fifth pair has a degenerate one */
    CASE_GRID_8,       /* integers 0..8 */
    CASE_COPLANAR,     /* in one plane, oblique or almost not, on a lattice */
    CASE_COPLANAR_ULP, /* the same, each coordinate moved by -1, 0 or +1 float */
    CASE_DEGENERATE,   /* one or both are segments or points */
    CASE_SHARED,       /* random, with one or two common vertices */
    CASE_ROTATED,      /* coplanar before a rotation that rounds to doubles */
    CASE_EXPONENTS,    /* floats of size 2^-20 .. 2^20, mixed */
    CASE_MEET_CLASSES,

    /* the distance is hard to tell */
    CASE_SLIVERS = CASE_MEET_CLASSES, /* one vertex 1e-1 .. 1e-7 off the opposite edge */
    CASE_NEAR_PARALLEL,               /* an edge of each at an angle of 1e-2 .. 1e-16 */
    CASE_SMALL_GAP,                   /* facing each other, 1e-6 apart */
    CASE_FAR_OFFSET,                  /* random floats, 1000 from the origin */
    CASE_STRIPS,                      /* long thin facets, as of a cylinder in another's bore */
    CASE_NEEDLES,                     /* all three vertices nearly on one line */
    CASE_HOVERING,                    /* a vertex next to the inside of a needle */
    CASE_CLASSES
};

const char *case_name(int kind);

/* Draws one pair of the class. */
void case_make(int kind, sc_vec3 a[3], sc_vec3 b[3]);

/* One of the 72 ways to hand over the same pair: bit 0 of `way` 0..71 exchanges
 * the triangles, the rest permutes the vertices of each. */
enum { CASE_WAYS = 72 };
void case_present(int way, const sc_vec3 a[3], const sc_vec3 b[3], sc_vec3 c[3], sc_vec3 d[3]);

/* The largest coordinate in magnitude, and the longest side of either box. */
double case_magnitude(const sc_vec3 a[3], const sc_vec3 b[3]);
double case_extent(const sc_vec3 a[3], const sc_vec3 b[3]);

/* The pair in exact hexadecimal, until the next call. */
const char *case_text(const sc_vec3 a[3], const sc_vec3 b[3]);

#endif
