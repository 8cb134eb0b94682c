/* brick.h - a box that may lie askew: what bounds on cells of space are told of. */
#ifndef SC_BRICK_H
#define SC_BRICK_H

#include "geom/box.h"

typedef struct sc_brick {
    sc_vec3 centre, arm[3]; /* half sides, square to each other but for rounding */
} sc_brick;

static inline sc_brick sc_brick_of_box(const sc_box *box)
{
    return (sc_brick){sc_box_centre(box),
                      {{0.5 * (box->high[0] - box->low[0]), 0.0, 0.0},
                       {0.0, 0.5 * (box->high[1] - box->low[1]), 0.0},
                       {0.0, 0.0, 0.5 * (box->high[2] - box->low[2])}}};
}

/* 0 .. 7: bit k, whether it is at the high end of arm k. */
static inline sc_vec3 sc_brick_corner(const sc_brick *b, int corner)
{
    sc_vec3 p = b->centre;
    for (int k = 0; k < 3; k++) {
        p = sc_mul_add(p, corner >> k & 1 ? 1.0 : -1.0, b->arm[k]);
    }
    return p;
}

/* Half its extent along d. */
static inline double sc_brick_half_along(const sc_brick *b, sc_vec3 d)
{
    return fabs(sc_dot(b->arm[0], d)) + fabs(sc_dot(b->arm[1], d)) + fabs(sc_dot(b->arm[2], d));
}

/* No point of it is farther from its centre. */
static inline double sc_brick_radius(const sc_brick *b)
{
    return sqrt(sc_dot(b->arm[0], b->arm[0]) + sc_dot(b->arm[1], b->arm[1]) +
                sc_dot(b->arm[2], b->arm[2])) *
           (1.0 + 0x1p-46);
}

/* Half of a cube that is as wide as it is where it is thinnest, from the centre to a corner. */
static inline double sc_brick_least_radius(const sc_brick *b)
{
    const double least = sc_min(sc_dot(b->arm[0], b->arm[0]),
                                sc_min(sc_dot(b->arm[1], b->arm[1]), sc_dot(b->arm[2], b->arm[2])));
    return sqrt(3.0 * least);
}

/* Whether it is so much longer than thick that nothing should be told of a ball about it. */
static inline bool sc_brick_is_long(const sc_brick *b)
{
    return sc_brick_radius(b) > 2.0 * sc_brick_least_radius(b);
}

/* Larger by so much on all sides. */
static inline sc_brick sc_brick_grown(const sc_brick *b, double by)
{
    sc_brick grown = *b;
    for (int k = 0; k < 3; k++) {
        grown.arm[k] = sc_mul_add(b->arm[k], by, sc_unit(b->arm[k]));
    }
    return grown;
}

/* Whether all of a facet is farther off its centre, to one side along d, than `most`. */
static inline bool sc_brick_is_beside(const sc_brick *b, const sc_vec3 v[3], sc_vec3 d, double most)
{
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < 3; i++) {
        const double along = sc_dot(sc_sub(v[i], b->centre), d);
        low = sc_min(low, along);
        high = sc_max(high, along);
    }
    return low > most || high < -most;
}

/* What encloses it. */
static inline sc_box sc_brick_box(const sc_brick *b)
{
    sc_box box = sc_box_empty();
    for (int k = 0; k < 8; k++) {
        sc_box_add_point(&box, sc_brick_corner(b, k));
    }
    return box;
}

#endif
