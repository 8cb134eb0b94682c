/* test_passage.c - parts that pass by each other along a screw, or two, against poses: what is said
 * to be apart is, and what is said to be near is as near. The poses and the distances in them are
 * made anew here, plainly. */
#include "motion/passage.h"
#include "shapes.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 12 };

typedef struct course {
    sc_vec3 direction, point; /* of the axis */
    double angle, shift, from[16], to[16];
    double share; /* of it that is gone; 0: what rests */
} course;

typedef struct scene {
    sc_vec3 facet[2][MOST][3]; /* as placed at time 0 */
    int count[2];
    stl_image image[2]; /* in which the meshes lie */
    stlclash_mesh *mesh[2];
    sc_part part[2];
    course way[2]; /* of the second one at least */
} scene;

/* ---- plainly ---------------------------------------------------------------------- */

static sc_vec3 turned(const course *w, sc_vec3 v, double share)
{
    const double sine = sin(share * w->angle), cosine = cos(share * w->angle);
    const sc_vec3 k = w->direction, out = sc_mul_add(sc_scale(v, cosine), sine, sc_cross(k, v));
    return sc_mul_add(out, (1.0 - cosine) * sc_dot(k, v), k);
}

/* About the axis and along it, by a share of the whole. */
static sc_vec3 screwed(const course *w, sc_vec3 p, double share)
{
    const sc_vec3 out = sc_add(turned(w, sc_sub(p, w->point), share), w->point);
    return sc_mul_add(out, share * w->shift, w->direction);
}

static double clamped(double x)
{
    return x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x;
}

static double to_segment(sc_vec3 p, sc_vec3 a, sc_vec3 b)
{
    const sc_vec3 way = sc_sub(b, a);
    const double t = clamped(sc_dot(sc_sub(p, a), way) / sc_dot(way, way));
    return sc_length(sc_sub(p, sc_mul_add(a, t, way)));
}

/* The shares of v[1] - v[0] and v[2] - v[0] in p - v[0]. */
static void shares_of(sc_vec3 p, const sc_vec3 v[3], double share[2])
{
    const sc_vec3 e = sc_sub(v[1], v[0]), f = sc_sub(v[2], v[0]), w = sc_sub(p, v[0]);
    const sc_vec3 n = sc_cross(e, f);
    share[0] = sc_dot(sc_cross(w, f), n) / sc_dot(n, n);
    share[1] = sc_dot(sc_cross(e, w), n) / sc_dot(n, n);
}

/* From a vertex to the inside of a facet; its edges are looked at by others. */
static double to_inside(sc_vec3 p, const sc_vec3 v[3])
{
    const sc_vec3 n = sc_cross(sc_sub(v[1], v[0]), sc_sub(v[2], v[0]));
    double share[2];
    shares_of(p, v, share);
    return share[0] >= 0.0 && share[1] >= 0.0 && share[0] + share[1] <= 1.0
               ? fabs(sc_dot(sc_sub(p, v[0]), n)) / sc_length(n)
               : INFINITY;
}

static bool pierces(sc_vec3 p, sc_vec3 q, const sc_vec3 v[3])
{
    const sc_vec3 n = sc_cross(sc_sub(v[1], v[0]), sc_sub(v[2], v[0]));
    const double from = sc_dot(sc_sub(p, v[0]), n), to = sc_dot(sc_sub(q, v[0]), n);
    double share[2];
    if ((from > 0.0) == (to > 0.0)) {
        return false;
    }
    shares_of(sc_mul_add(p, from / (from - to), sc_sub(q, p)), v, share);
    return share[0] >= 0.0 && share[1] >= 0.0 && share[0] + share[1] <= 1.0;
}

static double between_lines(sc_vec3 a, sc_vec3 b, sc_vec3 c, sc_vec3 d)
{
    const sc_vec3 u = sc_sub(b, a), v = sc_sub(d, c), w = sc_sub(a, c);
    const double uu = sc_dot(u, u), uv = sc_dot(u, v), vv = sc_dot(v, v);
    const double area = uu * vv - uv * uv;
    if (area <= 1e-14 * uu * vv) {
        return INFINITY; /* their ends tell */
    }
    const double s = (uv * sc_dot(v, w) - vv * sc_dot(u, w)) / area;
    const double t = (uu * sc_dot(v, w) - uv * sc_dot(u, w)) / area;
    return s < 0.0 || s > 1.0 || t < 0.0 || t > 1.0
               ? INFINITY
               : sc_length(sc_sub(sc_mul_add(a, s, u), sc_mul_add(c, t, v)));
}

static double pair_distance(const sc_vec3 a[3], const sc_vec3 b[3])
{
    double least = INFINITY;
    for (int i = 0; i < 3; i++) {
        const int n = (i + 1) % 3;
        least = fmin(least, fmin(to_inside(a[i], b), to_inside(b[i], a)));
        if (pierces(a[i], a[n], b) || pierces(b[i], b[n], a)) {
            return 0.0;
        }
        for (int j = 0; j < 3; j++) {
            const int m = (j + 1) % 3;
            least = fmin(least, between_lines(a[i], a[n], b[j], b[m]));
            least = fmin(least, fmin(to_segment(a[i], b[j], b[m]), to_segment(b[j], a[i], a[n])));
        }
    }
    return least;
}

/* A facet of a part at some time. */
static void facet_at(const scene *s, int part, int number, double t, sc_vec3 out[3])
{
    const course *w = &s->way[part];
    for (int k = 0; k < 3; k++) {
        const sc_vec3 v = s->facet[part][number][k];
        out[k] = w->share > 0.0 ? screwed(w, v, t * w->share) : v;
    }
}

/* 0 where they meet. */
static double distance_at(const scene *s, double t)
{
    double least = INFINITY;
    for (int j = 0; j < s->count[1]; j++) {
        sc_vec3 a[3], b[3];
        facet_at(s, 1, j, t, b);
        for (int i = 0; i < s->count[0]; i++) {
            facet_at(s, 0, i, t, a);
            least = fmin(least, pair_distance(a, b));
        }
    }
    return least;
}

/* ---- scenes ----------------------------------------------------------------------- */

static sc_vec3 some_point(double size)
{
    return (sc_vec3){test_uniform(-size, size), test_uniform(-size, size),
                     test_uniform(-size, size)};
}

/* What it does to the origin and the axes, row by row. */
static void placement_of(const course *w, const double before[16], double share, double out[16])
{
    for (int column = 0; column < 4; column++) {
        const sc_vec3 p = {before[column], before[4 + column], before[8 + column]};
        const sc_vec3 moved = column < 3 ? turned(w, p, share) : screwed(w, p, share);
        for (int row = 0; row < 3; row++) {
            out[4 * row + column] = sc_component(moved, row);
        }
        out[12 + column] = column < 3 ? 0.0 : 1.0;
    }
}

static void make_part(scene *s, int i, const double *placement)
{
    float corners[9 * MOST];
    stlclash_error error;
    for (int n = 0; n < 9 * s->count[i]; n++) {
        corners[n] = (float)sc_component(s->facet[i][n / 9][n / 3 % 3], n % 3);
    }
    s->image[i] = make_facets(corners, (size_t)s->count[i]);
    if (stlclash_mesh_parse(s->image[i].bytes, s->image[i].size, &s->mesh[i], &error) !=
            STLCLASH_OK ||
        sc_part_place(s->mesh[i], placement, "B", &s->part[i], &error) != STLCLASH_OK) {
        CHECK(false, "%s", error.text);
        exit(EXIT_FAILURE);
    }
    for (int n = 0; n < s->count[i]; n++) {
        sc_triangle_vertices(&s->mesh[i]->file.facets, &s->part[i].placement, (uint32_t)n,
                             s->facet[i][n]);
    }
}

static course some_way(double scale)
{
    static const double identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    static const double beside[] = {0.05, 0.3, 1.0, 50.0};
    course w = {.direction = sc_unit(some_point(1.0)), .share = test_below(3) ? 1.0 : 0.4};
    if (test_below(3) == 0) { /* along a coordinate axis */
        w.direction = (sc_vec3){0.0, 0.0, test_below(2) ? 1.0 : -1.0};
    }
    w.point = sc_scale(some_point(1.0), scale * beside[test_below(4)]);
    w.angle = test_below(8) ? test_uniform(0.01, 3.1) : 0.01;
    w.shift = test_below(3) ? scale * test_uniform(-2.0, 2.0) : 0.0;
    course aside = w; /* where the part stands at first */
    aside.angle = test_uniform(-3.0, 3.0);
    aside.direction = sc_unit(some_point(1.0));
    placement_of(&aside, identity, test_below(2) ? 1.0 : 0.0, w.from);
    placement_of(&w, w.from, 1.0, w.to);
    return w;
}

/* Facets about the origin, axes through them, beside them, or far away; from a thousandth as large
 * to all around them, or long and thin and side by side. */
static scene some_scene(void)
{
    scene s = {.count = {0}};
    const double scale = ldexp(1.0, test_below(41) - 20);
    const bool thin = test_below(3) == 0;
    const double apart = thin ? test_uniform(0.0, 4.0) : test_uniform(-1.0, 2.0);
    for (int i = 0; i < 2; i++) {
        const sc_vec3 along = sc_scale(some_point(3.0), thin);
        s.count[i] = 1 + test_below(MOST);
        for (int n = 0; n < s.count[i]; n++) {
            const double size = thin            ? 0.05
                                : test_below(4) ? test_uniform(0.05, 1.0)
                                : test_below(2) ? 1e-3
                                                : 4.0;
            sc_vec3 at = some_point(thin ? 0.1 : 1.0);
            at.x += i * sc_max(apart, 0.0);
            for (int k = 0; k < 3; k++) {
                const sc_vec3 p = sc_mul_add(sc_add(at, some_point(size)), k - 1.0, along);
                s.facet[i][n][k] = sc_scale(p, scale);
            }
        }
    }
    const bool both = test_below(2);
    for (int i = both ? 0 : 1; i < 2; i++) {
        s.way[i] = some_way(scale);
    }
    if (both && test_below(4) == 0) { /* together, or nearly */
        const double before[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
        s.way[0] = s.way[1];
        s.way[0].angle *= test_below(2) ? 1.0 : 0.99;
        memcpy(s.way[0].from, before, sizeof before);
        placement_of(&s.way[0], before, 1.0, s.way[0].to);
    }
    make_part(&s, 0, both ? s.way[0].from : NULL);
    make_part(&s, 1, s.way[1].from);
    return s;
}

static void free_scene(scene *s)
{
    for (int i = 0; i < 2; i++) {
        stlclash_mesh_free(s->mesh[i]);
        image_free(&s->image[i]);
    }
}

/* ---- what is told ------------------------------------------------------------------- */

static double close_to(const void *share, double least)
{
    return *(const double *)share * least;
}

enum { POSES = 100 };

static void check_meeting(const scene *s, double gap, double near, double time,
                          const double *distance, double slack)
{
    if (time <= 1.0) {
        const double there = distance_at(s, time);
        CHECK(there <= gap + near + slack, "%g apart at %.17g, not below %g", there, time,
              gap + near);
    }
    for (int i = 0; i <= POSES; i++) {
        const double t = (double)i / POSES;
        CHECK(distance[i] > sc_max(gap - slack, 0.0) || t >= time - 1e-9,
              "%g apart at %g, before %.17g", distance[i], t, time);
    }
}

static void check_least(const scene *s, const sc_passage_least *least, double share,
                        const double *distance, double slack)
{
    const double there = distance_at(s, least->time);
    CHECK(there <= least->least + slack, "%g apart at %.17g, not %g", there, least->time,
          least->least);
    CHECK(least->certain >= share * least->least - slack, "only %g of %g", least->certain,
          least->least);
    for (int i = 0; i <= POSES; i++) {
        CHECK(distance[i] >= least->certain - slack, "%g apart at %g, less than %g", distance[i],
              (double)i / POSES, least->certain);
    }
}

TEST(what_passes_by_is_as_near_as_poses_show)
{
    int met = 0, passed = 0;
    for (int round = test_rounds(2000); round > 0; round--) {
        scene s = some_scene();
        if (distance_at(&s, 0.0) == 0.0) { /* which a check of the start has told */
            free_scene(&s);
            continue;
        }
        sc_screw screw[2];
        sc_passing passing[2];
        double size = sc_box_reach(&s.part[0].bounds) + sc_box_reach(&s.part[1].bounds);
        for (int i = 0; i < 2; i++) {
            const course *w = &s.way[i];
            screw[i] = sc_screw_between(w->from, w->to);
            size += w->share > 0.0 ? sc_length(w->point) + fabs(w->shift) : 0.0;
            passing[i] =
                (sc_passing){&s.part[i], NULL, w->share > 0.0 ? &screw[i] : NULL, w->share};
        }
        const double slack = 1e-10 * size, near = 1e-4 * size;
        const double gap = test_below(2) ? 0.0 : fmin(0.5 * distance_at(&s, 0.0), 0.05 * size);
        double distance[POSES + 1], time, share = test_below(2) ? 0.99 : 0.9;
        for (int i = 0; i <= POSES; i++) {
            distance[i] = distance_at(&s, (double)i / POSES);
        }
        sc_passage p;
        sc_passage_code code = sc_passage_make(passing, distance[0], 1e-13 * size, &p);
        code = code == SC_PASSAGE_OK ? sc_passage_meets(&p, gap, near, &time) : code;
        CHECK(code == SC_PASSAGE_OK, "code %d", (int)code);
        if (code == SC_PASSAGE_OK) {
            check_meeting(&s, gap, near, time, distance, slack);
            met += time <= 1.0;
        }
        if (code == SC_PASSAGE_OK && time > 1.0) {
            sc_passage_least least = {.least = distance[0], .time = 0.0, .floor = 0.0};
            code = sc_passage_find_least(&p, close_to, &share, &least);
            CHECK(code == SC_PASSAGE_OK, "code %d of the least", (int)code);
            if (code == SC_PASSAGE_OK) {
                check_least(&s, &least, share, distance, slack);
                passed++;
            }
        }
        sc_passage_free(&p);
        free_scene(&s);
    }
    CHECK(TEST_DIVISOR > 1 || (met > 50 && passed > 50), "%d meet and %d pass", met, passed);
}
