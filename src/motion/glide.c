/* glide.c - see glide.h. */
#include "glide.h"

#include "geom/angle.h"
#include "geom/tri_distance.h"

/* ---- places -------------------------------------------------------------------- */

sc_glide_poses sc_glide_at(const sc_glide *g, double t)
{
    sc_glide_poses at = {{{0.0, 1.0, 0.0}, {0.0, 1.0, 0.0}}};
    for (int i = g->both ? 0 : 1; i < 2; i++) {
        const sc_glide_part *p = &g->part[i];
        at.of[i] = (sc_glide_pose){sc_sin(t * p->turn), sc_cos(t * p->turn), t * p->shift};
    }
    return at;
}

static sc_vec3 moved(const sc_glide_pose *at, sc_vec3 v)
{
    return (sc_vec3){v.x * at->cosine - v.y * at->sine, v.x * at->sine + v.y * at->cosine,
                     v.z + at->lift};
}

/* A direction in the coordinates of a part. */
static sc_vec3 in_own(const sc_glide *g, int part, sc_vec3 way)
{
    const sc_vec3 *side = g->part[part].side;
    return g->both ? (sc_vec3){sc_dot(side[0], way), sc_dot(side[1], way), sc_dot(side[2], way)}
                   : way;
}

/* A direction of a part in common coordinates. */
static sc_vec3 in_common(const sc_glide *g, int part, sc_vec3 own)
{
    const sc_vec3 *side = g->part[part].side;
    const sc_vec3 across = sc_mul_add(sc_scale(side[0], own.x), own.y, side[1]);
    return g->both ? sc_mul_add(across, own.z, side[2]) : own;
}

sc_vec3 sc_glide_placed(const sc_glide *g, const sc_glide_poses *at, int part, sc_vec3 v)
{
    if (!g->both) {
        return part == 0 ? v : moved(&at->of[1], v);
    }
    return sc_add(g->part[part].origin, in_common(g, part, moved(&at->of[part], v)));
}

sc_vec3 sc_glide_turned(const sc_glide *g, const sc_glide_poses *at, int part, sc_vec3 own)
{
    const sc_glide_pose turn = {at->of[part].sine, at->of[part].cosine, 0.0};
    return in_common(g, part, moved(&turn, own));
}

sc_vec3 sc_glide_turned_back(const sc_glide *g, const sc_glide_poses *at, int part, sc_vec3 way)
{
    const sc_glide_pose *pose = &at->of[part];
    way = in_own(g, part, way);
    return (sc_vec3){way.x * pose->cosine + way.y * pose->sine,
                     way.y * pose->cosine - way.x * pose->sine, way.z};
}

double sc_glide_lift(const sc_glide *g, const sc_glide_poses *at, int part, sc_vec3 way)
{
    return sc_dot(way, g->part[part].origin) + in_own(g, part, way).z * at->of[part].lift;
}

/* ---- times --------------------------------------------------------------------- */

sc_glide_rate sc_glide_rate_within(const sc_glide_part *p, double radius, double along)
{
    const double around = p->turn * radius, shift = fabs(p->shift);
    return (sc_glide_rate){.along = along,
                           .bend = 0.5 * p->turn * around,
                           .speed = sqrt(around * around + shift * shift),
                           .rough = 2.0 * around + shift};
}

sc_glide_rate sc_glide_rate_of(const sc_glide_part *p, sc_vec3 v, sc_vec3 way)
{
    return sc_glide_rate_within(p, sqrt(v.x * v.x + v.y * v.y), sc_glide_along(p, v, way));
}

sc_glide_rate sc_glide_rate_between(sc_glide_rate first, sc_glide_rate second)
{
    return (sc_glide_rate){second.along - first.along, second.bend + first.bend,
                           second.speed + first.speed, second.rough + first.rough};
}

double sc_glide_time(const sc_glide_rate *rate, double room)
{
    const double along = fabs(rate->along) * (1.0 + 0x1p-40) + 0x1p-46 * rate->rough;
    const double bend = rate->bend * (1.0 + 0x1p-40);
    if (room <= 0.0) {
        return 0.0;
    }
    /* along s + bend s^2 = room; and nothing is faster than its speed */
    const double time = 2.0 * room / (along + sqrt(along * along + 4.0 * bend * room));
    return sc_max(time, room / (rate->speed * (1.0 + 0x1p-40))) *
           (1.0 - 0x1p-40); /* infinite where nothing moves */
}

/* ---- two facets ------------------------------------------------------------------ */

sc_glide_look sc_glide_look_at(const sc_glide *g, const sc_vec3 first[3], const sc_vec3 second[3],
                               double t)
{
    const sc_glide_poses at = sc_glide_at(g, t);
    sc_glide_look l;
    for (int k = 0; k < 3; k++) {
        l.v[0][k] = sc_glide_placed(g, &at, 0, first[k]);
        l.v[1][k] = sc_glide_placed(g, &at, 1, second[k]);
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

/* Each vertex of the one against each of the other. */
static double safe_time_of_both(const sc_glide *g, const sc_glide_look *l, double keep)
{
    double safe = INFINITY;
    sc_glide_rate rate[2][3];
    for (int i = 0; i < 2; i++) {
        const sc_vec3 way = in_own(g, i, l->way);
        for (int k = 0; k < 3; k++) {
            const sc_vec3 v = in_own(g, i, sc_sub(l->v[i][k], g->part[i].origin));
            rate[i][k] = sc_glide_rate_of(&g->part[i], v, way);
        }
    }
    for (int k = 0; k < 9; k++) {
        const sc_glide_rate between = sc_glide_rate_between(rate[0][k / 3], rate[1][k % 3]);
        const double gap = l->height[1][k % 3] - l->height[0][k / 3];
        safe = sc_min(safe, sc_glide_time(&between, gap - keep - g->margin));
    }
    return safe;
}

/* The vertices of the one against the nearest of the other, and the other way round. */
static double safe_time_of_one(const sc_glide *g, const sc_glide_look *l, double keep)
{
    const double *a = l->height[0], *b = l->height[1];
    const double front = sc_max(a[0], sc_max(a[1], a[2])) + keep + g->margin;
    const double back = sc_min(b[0], sc_min(b[1], b[2])) - keep - g->margin;
    double safe[2] = {INFINITY, INFINITY};
    for (int k = 0; k < 3; k++) {
        const sc_glide_rate rests = sc_glide_rate_of(&g->part[1], l->v[0][k], l->way);
        const sc_glide_rate moves = sc_glide_rate_of(&g->part[1], l->v[1][k], l->way);
        safe[0] = sc_min(safe[0], sc_glide_time(&rests, back - a[k]));
        safe[1] = sc_min(safe[1], sc_glide_time(&moves, b[k] - front));
    }
    return sc_max(safe[0], safe[1]);
}

double sc_glide_safe_time(const sc_glide *g, const sc_glide_look *l, double keep)
{
    return g->both ? safe_time_of_both(g, l, keep) : safe_time_of_one(g, l, keep);
}
