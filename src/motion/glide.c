/* glide.c - see glide.h. */
#include "glide.h"

#include "geom/angle.h"
#include "geom/tri_distance.h"

#include <string.h>

sc_glide_pose sc_glide_at(const sc_glide *g, double t)
{
    return (sc_glide_pose){sc_sin(t * g->turn), sc_cos(t * g->turn), t * g->shift};
}

double sc_glide_time(const sc_glide *g, double closing, double radius, double room)
{
    const double turn = g->turn, shift = fabs(g->shift);
    const double along = closing * (1.0 + 0x1p-40) + 0x1p-46 * (2.0 * turn * radius + shift);
    const double bend = 0.5 * turn * turn * radius * (1.0 + 0x1p-40);
    const double speed = sqrt(turn * turn * radius * radius + shift * shift) * (1.0 + 0x1p-40);
    if (room <= 0.0) {
        return 0.0;
    }
    /* along s + bend s^2 = room; and nothing is faster than its speed */
    const double time = 2.0 * room / (along + sqrt(along * along + 4.0 * bend * room));
    return sc_max(time, room / speed) * (1.0 - 0x1p-40); /* infinite where nothing moves */
}

double sc_glide_time_of(const sc_glide *g, sc_vec3 v, sc_vec3 way, double room)
{
    const double radius = sqrt(v.x * v.x + v.y * v.y);
    return sc_glide_time(g, fabs(sc_glide_speed(g, v, way)), radius, room);
}

sc_glide_look sc_glide_look_at(const sc_glide *g, const sc_vec3 rest[3], const sc_vec3 moving[3],
                               double t)
{
    const sc_glide_pose at = sc_glide_at(g, t);
    sc_glide_look l;
    memcpy(l.v[0], rest, sizeof l.v[0]);
    for (int k = 0; k < 3; k++) {
        l.v[1][k] = sc_glide_moved(&at, moving[k]);
    }
    return l;
}

static void look_along(sc_glide_look *l, sc_vec3 way)
{
    l->way = way;
    for (int k = 0; k < 6; k++) {
        l->height[k / 3][k % 3] = sc_dot(way, sc_sub(l->v[k / 3][k % 3], l->v[0][0]));
    }
}

void sc_glide_look_across(sc_glide_look *l)
{
    const sc_vec3 normal = sc_unit_shortened(sc_area_twice(l->v[0]));
    const double side = sc_dot(normal, sc_sub(l->v[1][0], l->v[0][0]));
    look_along(l, sc_scale(normal, side < 0.0 ? -1.0 : 1.0));
}

double sc_glide_look_at_closest(sc_glide_look *l)
{
    const sc_triangle a = sc_triangle_make(l->v[0]), b = sc_triangle_make(l->v[1]);
    const sc_closest closest = sc_tri_closest(&a, &b);
    look_along(l, sc_unit_shortened(sc_sub(closest.on_b, closest.on_a)));
    return sqrt(closest.distance_sq);
}

double sc_glide_safe_time(const sc_glide *g, const sc_glide_look *l, double keep)
{
    const double *a = l->height[0], *b = l->height[1];
    const double front = sc_max(a[0], sc_max(a[1], a[2])) + keep + g->margin;
    const double back = sc_min(b[0], sc_min(b[1], b[2])) - keep - g->margin;
    double safe[2] = {INFINITY, INFINITY};
    for (int k = 0; k < 3; k++) {
        safe[0] = sc_min(safe[0], sc_glide_time_of(g, l->v[0][k], l->way, back - a[k]));
        safe[1] = sc_min(safe[1], sc_glide_time_of(g, l->v[1][k], l->way, b[k] - front));
    }
    return sc_max(safe[0], safe[1]);
}
