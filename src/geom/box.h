/* box.h - axis-aligned boxes: exact ones of doubles, tight ones of floats. */
#ifndef SC_BOX_H
#define SC_BOX_H

#include "vec3.h"

#include <stdbool.h>

/* Empty where low > high. */
typedef struct sc_box {
    double low[3], high[3];
} sc_box;

static inline sc_box sc_box_empty(void)
{
    return (sc_box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

static inline bool sc_box_is_empty(const sc_box *b)
{
    return b->low[0] > b->high[0];
}

/* Its corners; zeros if it is empty. */
static inline void sc_box_store(const sc_box *b, double out[2][3])
{
    const bool empty = sc_box_is_empty(b);
    for (int k = 0; k < 3; k++) {
        out[0][k] = empty ? 0.0 : b->low[k];
        out[1][k] = empty ? 0.0 : b->high[k];
    }
}

static inline void sc_box_add_point(sc_box *b, sc_vec3 p)
{
    double xyz[3] = {p.x, p.y, p.z};
    for (int k = 0; k < 3; k++) {
        b->low[k] = xyz[k] < b->low[k] ? xyz[k] : b->low[k];
        b->high[k] = xyz[k] > b->high[k] ? xyz[k] : b->high[k];
    }
}

/* 0 .. 7: bit k, whether it is at the high end of axis k. */
static inline sc_vec3 sc_box_corner(const sc_box *b, int corner)
{
    return (sc_vec3){corner & 1 ? b->high[0] : b->low[0], corner & 2 ? b->high[1] : b->low[1],
                     corner & 4 ? b->high[2] : b->low[2]};
}

static inline sc_box sc_box_of_points(const sc_vec3 *points, int count)
{
    sc_box box = sc_box_empty();
    for (int i = 0; i < count; i++) {
        sc_box_add_point(&box, points[i]);
    }
    return box;
}

static inline void sc_box_add_box(sc_box *b, const sc_box *other)
{
    for (int k = 0; k < 3; k++) {
        b->low[k] = other->low[k] < b->low[k] ? other->low[k] : b->low[k];
        b->high[k] = other->high[k] > b->high[k] ? other->high[k] : b->high[k];
    }
}

/* Grown by `by` on all sides, rounded outwards. */
static inline sc_box sc_box_grown(const sc_box *b, double by)
{
    sc_box grown;
    for (int k = 0; k < 3; k++) {
        double low = b->low[k] - by, high = b->high[k] + by;
        grown.low[k] = low - fabs(low) * 0x1p-52;
        grown.high[k] = high + fabs(high) * 0x1p-52;
    }
    return grown;
}

static inline sc_box sc_box_moved(const sc_box *b, sc_vec3 way)
{
    return (sc_box){{b->low[0] + way.x, b->low[1] + way.y, b->low[2] + way.z},
                    {b->high[0] + way.x, b->high[1] + way.y, b->high[2] + way.z}};
}

/* What lies within `by` of p along each axis. */
static inline sc_box sc_box_around(sc_vec3 p, double by)
{
    sc_box box = sc_box_empty();
    sc_box_add_point(&box, p);
    return sc_box_grown(&box, by);
}

static inline bool sc_boxes_meet(const sc_box *a, const sc_box *b)
{
    return a->low[0] <= b->high[0] && b->low[0] <= a->high[0] && a->low[1] <= b->high[1] &&
           b->low[1] <= a->high[1] && a->low[2] <= b->high[2] && b->low[2] <= a->high[2];
}

/* What two boxes have in common: its sides are negative where they lie apart. */
static inline sc_box sc_boxes_common(const sc_box *a, const sc_box *b)
{
    sc_box common;
    for (int k = 0; k < 3; k++) {
        common.low[k] = sc_max(a->low[k], b->low[k]);
        common.high[k] = a->high[k] < b->high[k] ? a->high[k] : b->high[k];
    }
    return common;
}

/* 0 where a side is negative. */
static inline double sc_box_volume(const sc_box *b)
{
    return sc_max(b->high[0] - b->low[0], 0.0) * sc_max(b->high[1] - b->low[1], 0.0) *
           sc_max(b->high[2] - b->low[2], 0.0);
}

/* Whether the point lies in the box, faces included. */
static inline bool sc_box_holds(const sc_box *b, sc_vec3 p)
{
    return p.x >= b->low[0] && p.x <= b->high[0] && p.y >= b->low[1] && p.y <= b->high[1] &&
           p.z >= b->low[2] && p.z <= b->high[2];
}

/* The longest side of a box that is not empty. */
static inline double sc_box_extent(const sc_box *b)
{
    double most = 0.0;
    for (int k = 0; k < 3; k++) {
        most = sc_max(most, b->high[k] - b->low[k]);
    }
    return most;
}

/* The point of a box, not empty, that is nearest to p. */
static inline sc_vec3 sc_box_nearest(const sc_box *b, sc_vec3 p)
{
    return (sc_vec3){sc_max(b->low[0], sc_min(b->high[0], p.x)),
                     sc_max(b->low[1], sc_min(b->high[1], p.y)),
                     sc_max(b->low[2], sc_min(b->high[2], p.z))};
}

/* Of the point from the box: 0 within it. Rounded. */
static inline double sc_box_point_distance(const sc_box *b, sc_vec3 p)
{
    const double xyz[3] = {p.x, p.y, p.z};
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
        double below = b->low[k] - xyz[k], above = xyz[k] - b->high[k];
        double gap = below > above ? below : above;
        gap = gap > 0.0 ? gap : 0.0;
        sum += gap * gap;
    }
    return sqrt(sum);
}

/* Whether `inner` lies in `outer`, faces included. */
static inline bool sc_box_inside(const sc_box *inner, const sc_box *outer)
{
    for (int k = 0; k < 3; k++) {
        if (!(inner->low[k] >= outer->low[k] && inner->high[k] <= outer->high[k])) {
            return false;
        }
    }
    return true;
}

static inline sc_vec3 sc_box_centre(const sc_box *b)
{
    return (sc_vec3){0.5 * (b->low[0] + b->high[0]), 0.5 * (b->low[1] + b->high[1]),
                     0.5 * (b->low[2] + b->high[2])};
}

/* No point of the box is farther from its centre. */
static inline double sc_box_radius(const sc_box *b)
{
    const double x = b->high[0] - b->low[0], y = b->high[1] - b->low[1], z = b->high[2] - b->low[2];
    return 0.5 * sqrt(x * x + y * y + z * z) * (1.0 + 0x1p-48);
}

/* The largest magnitude of a coordinate. */
static inline double sc_box_reach(const sc_box *b)
{
    double reach = 0.0;
    for (int k = 0; k < 3; k++) {
        reach = sc_max(reach, sc_max(fabs(b->low[k]), fabs(b->high[k])));
    }
    return reach;
}

/* Half the extent of the box along d. */
static inline double sc_box_half_along(const sc_box *box, sc_vec3 d)
{
    return 0.5 *
           (fabs(d.x) * (box->high[0] - box->low[0]) + fabs(d.y) * (box->high[1] - box->low[1]) +
            fabs(d.z) * (box->high[2] - box->low[2]));
}

/* How far rays run aside, of what they run ahead: so that they do not run along facets; and another
 * way to run. */
static const double sc_ray_slant[2] = {0.123, -0.077}, sc_other_slant[2] = {-0.0913, 0.0611};

/* The point outside the box towards which rays from p run: past the nearest of its six sides. */
static inline sc_vec3 sc_box_way_out(const sc_box *box, sc_vec3 p, const double slant[2])
{
    double at[3] = {p.x, p.y, p.z}, nearest = INFINITY;
    int axis = 0, up = 1;

    for (int k = 0; k < 3; k++) {
        if (box->high[k] - at[k] < nearest) {
            nearest = box->high[k] - at[k];
            axis = k;
            up = 1;
        }
        if (at[k] - box->low[k] < nearest) {
            nearest = at[k] - box->low[k];
            axis = k;
            up = 0;
        }
    }
    double beyond = 0.25 * sc_box_extent(box) + 0x1p-20 * sc_box_reach(box);
    double length = nearest + beyond;
    at[axis] = up ? box->high[axis] + beyond : box->low[axis] - beyond;
    at[(axis + 1) % 3] += slant[0] * length;
    at[(axis + 2) % 3] += slant[1] * length;
    return sc_vec3_of(at);
}

#endif
