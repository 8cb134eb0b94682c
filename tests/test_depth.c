/* test_depth.c - the depth of overlap: analytic answers, dense samples, and what must
 * not change it. */
#include "ask.h"
#include "base/alloc.h"
#include "depth/deepest.h"
#include "depth/depth.h"
#include "depth/depth_chord.h"
#include "depth/depth_climb.h"
#include "depth/depth_proof.h"
#include "depth/embedded.h"
#include "mesh.h"
#include "shapes.h"
#include "stlclash.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- two parts and their depth -------------------------------------------- */

typedef struct couple {
    stlclash_mesh *mesh[2];
    sc_part part[2];
    sc_solid solid[2];
    sc_box within;
    uint64_t budget, polled;
} couple;

static void couple_make(couple *c, const stl_image *a, const stl_image *b)
{
    const stl_image *images[2] = {a, b};
    stlclash_error error = {0};

    *c = (couple){.budget = 4000000};
    for (int i = 0; i < 2; i++) {
        c->mesh[i] = ask_mesh(images[i]);
        c->part[i] = (sc_part){.mesh = c->mesh[i],
                               .placement = {.is_identity = 1},
                               .used = {.is_identity = 1},
                               .bounds = c->mesh[i]->blocks.bounds,
                               .used_bounds = c->mesh[i]->blocks.bounds};
    }
    sc_frame frame = sc_frame_make(&c->part[0].used_bounds, &c->part[1].used_bounds);
    for (int i = 0; i < 2; i++) {
        if (sc_solid_make(&c->part[i], i ? SC_ROLE_B : SC_ROLE_A, &frame, NULL, &c->solid[i],
                          &error) != STLCLASH_OK) {
            printf("  %s\n", error.text);
            abort();
        }
    }
    c->within = sc_boxes_common(&c->part[0].used_bounds, &c->part[1].used_bounds);
}

static void couple_free(couple *c)
{
    for (int i = 0; i < 2; i++) {
        sc_solid_free(&c->solid[i]);
        stlclash_mesh_free(c->mesh[i]);
    }
}

static bool count_polls(void *context)
{
    ((couple *)context)->polled++;
    return true;
}

static sc_depth find_by(couple *c, double error, double threshold, sc_crew *crew)
{
    sc_depth_request request = {.solid = {&c->solid[0], &c->solid[1]},
                                .within = c->within,
                                .relative_error = error,
                                .threshold = threshold,
                                .budget = c->budget,
                                .poll = {count_polls, c},
                                .crew = crew};
    sc_depth depth;
    c->polled = 0;
    CHECK(sc_depth_find(&request, &depth), "out of memory");
    return depth;
}

static sc_depth find(couple *c, double error, double threshold)
{
    return find_by(c, error, threshold, NULL);
}

/* ---- plain oracle: every facet, in doubles --------------------------------- */

static sc_vec3 on_segment(sc_vec3 p, sc_vec3 a, sc_vec3 b)
{
    sc_vec3 d = sc_sub(b, a);
    double dd = sc_dot(d, d), t = dd > 0 ? sc_dot(sc_sub(p, a), d) / dd : 0;
    return sc_mul_add(a, fmax(0, fmin(1, t)), d);
}

static double to_triangle(sc_vec3 p, const sc_vec3 v[3])
{
    double best = INFINITY;
    for (int i = 0; i < 3; i++) {
        best = fmin(best, sc_length(sc_sub(p, on_segment(p, v[i], v[(i + 1) % 3]))));
    }
    sc_vec3 n = sc_cross(sc_sub(v[1], v[0]), sc_sub(v[2], v[0]));
    for (int i = 0; i < 3; i++) {
        sc_vec3 edge = sc_sub(v[(i + 1) % 3], v[i]);
        if (sc_dot(sc_cross(n, edge), sc_sub(p, v[i])) < 0) {
            return best;
        }
    }
    return fmin(best, fabs(sc_dot(n, sc_sub(p, v[0]))) / sc_length(n));
}

/* Distance from the surface, and the generalised winding number: the solid angles of
 * all facets (Van Oosterom and Strackee, 1983). */
static double probe(const stlclash_mesh *mesh, sc_vec3 p, double *winding)
{
    double least = INFINITY, angle = 0;
    for (uint32_t i = 0; i < mesh->file.facets.count; i++) {
        float f[9];
        sc_vec3 v[3], r[3];
        double l[3];
        sc_facet_load(&mesh->file.facets, i, f);
        for (int k = 0; k < 3; k++) {
            v[k] = (sc_vec3){(double)f[3 * k], (double)f[3 * k + 1], (double)f[3 * k + 2]};
            r[k] = sc_sub(v[k], p);
            l[k] = sc_length(r[k]);
        }
        least = fmin(least, to_triangle(p, v));
        angle += 2 * atan2(sc_dot(r[0], sc_cross(r[1], r[2])),
                           l[0] * l[1] * l[2] + sc_dot(r[0], r[1]) * l[2] +
                               sc_dot(r[1], r[2]) * l[0] + sc_dot(r[2], r[0]) * l[1]);
    }
    *winding = angle / (4 * 3.14159265358979323846);
    return least;
}

/* The point found is common and as deep as stated: inside one part, and inside the
 * other or on its surface. */
static void check_point(const couple *c, const sc_depth *d, const char *what)
{
    double distance[2], winding[2], reach = sc_box_reach(&c->part[0].used_bounds);
    for (int i = 0; i < 2; i++) {
        distance[i] = probe(c->mesh[i], d->point, &winding[i]);
    }
    double tiny = 1e-12 * fmax(reach, sc_box_reach(&c->part[1].used_bounds));
    CHECK(fabs(distance[d->in] - d->depth) <= tiny, "%s: depth %.17g, distance %.17g", what,
          d->depth, distance[d->in]);
    CHECK(winding[d->in] > 0.5, "%s: the point is outside part %d", what, d->in);
    CHECK(winding[1 - d->in] > 0.5 || distance[1 - d->in] <= tiny,
          "%s: the point is not in part %d (%g)", what, 1 - d->in, winding[1 - d->in]);
    CHECK(fabs(sc_length(sc_sub(d->nearest, d->point)) - d->depth) <= tiny, "%s: nearest", what);
}

/* A depth by name: whether it is complete, bounded as asked, of the point given, right
 * if the answer is known (expected > 0), and bracketed by thresholds. Returns it. */
static double try_depth(const stl_image *a, const stl_image *b, double expected, double error,
                        const char *what)
{
    couple c;
    couple_make(&c, a, b);
    sc_depth d = find(&c, error, -1);

    CHECK(d.complete, "%s: not complete, %g", what, d.depth);
    CHECK(d.bound <= d.depth * (1 + error) + 1e-9 * d.depth, "%s: bound %.9g of depth %.9g", what,
          d.bound, d.depth);
    if (expected > 0) {
        CHECK(d.depth <= expected * (1 + 1e-9) && d.bound >= expected * (1 - 1e-9),
              "%s: %.9g .. %.9g, expected %.9g", what, d.depth, d.bound, expected);
    }
    check_point(&c, &d, what);
    sc_depth low = find(&c, error, d.depth * 0.98), high = find(&c, error, d.depth * 1.03);
    CHECK(low.depth > d.depth * 0.98, "%s: threshold below", what);
    CHECK(high.complete && high.bound <= d.depth * 1.03 && high.depth <= high.bound,
          "%s: threshold above", what);
    couple_free(&c);
    return d.depth;
}

static void try_both(stl_image a, stl_image b, double expected, const char *what)
{
    try_depth(&a, &b, expected, 0.01, what);
    try_depth(&a, &b, expected, 1e-4, what);
    try_depth(&b, &a, expected, 0.01, what);
    image_free(&a);
    image_free(&b);
}

static stl_image box(double x0, double y0, double z0, double x1, double y1, double z1,
                     uint32_t cells)
{
    return make_box((double[]){x0, y0, z0}, (double[]){x1, y1, z1}, cells);
}

/* ---- known answers ---------------------------------------------------------- */

TEST(depth_of_boxes)
{
    const double ulp = 0x1p-24, near = 0x1p-20;
    try_both(box(0, 0, 0, 1, 1, 1, 1), box(0, 0, 0, 1, 1, 1, 1), 0.5, "identical");
    try_both(box(0, 0, 0, 1, 1, 1, 7), box(0, 0, 0, 1, 1, 1, 5), 0.5, "identical, fine");
    try_both(box(0, 0, 0, 1, 1, 1, 1), box(near, 0, 0, 1 + near, 1, 1, 1), 0.5, "1e-6 apart");
    try_both(box(0, 0, 0, 1, 1, 1, 1), box(.25, .25, 0, .75, .75, 1, 1), 0.5, "nested flush");
    try_both(box(0, 0, 0, 1, 1, 1, 1), box(.5, .5, .5, 1, 1, 1, 3), 0.5, "in a corner");
    try_both(box(0, 0, 0, 1, 1, 1, 1), box(1 - ulp, 0, 0, 2, 1, 1, 1), ulp, "1 ulp");
    try_both(box(-1e6, -1e6, -.5, 1e6, 1e6, .5, 1), box(.5, .5, -.5, 1.5, 1.5, .5, 1), 0.5,
             "1 mm in 2 km, flush");
    try_both(box(-1e6, -1e6, -10, 1e6, 1e6, 10, 1), box(.5, .5, -.5, 1.5, 1.5, .5, 1), 10,
             "1 mm swallowed by 2 km");
    try_both(box(-1e6, -1e6, -10, 1e6, 1e6, 10, 1), box(0, 0, 9.5, 1, 1, 10.5, 2), 0.5,
             "1 mm sunk into 2 km");
}

TEST(depth_of_bars_and_plates)
{
    try_both(box(-10, -.5, -.5, 10, .5, .5, 1), box(-.5, -10, -.5, .5, 10, .5, 1), 0.5, "plus");
    try_both(box(-10, -.5, -.5, 10, .5, .5, 9), box(-.5, -10, -.5, .5, 10, .5, 8), 0.5,
             "plus, fine");
    try_both(box(-100, -.5, -.5, 100, .5, .5, 1), box(-100, -.5, -.5, 100, .5, .5, 3), 0.5,
             "the same bar");
    try_both(box(-100, -100, -.5, 100, 100, .5, 1), box(-100, -100, -.5, 100, 100, .5, 1), 0.5,
             "the same plate");
    try_both(box(-100, -100, -.5, 100, 100, .5, 20), box(-100, -100, -.5, 100, 100, .5, 17), 0.5,
             "the same plate, fine");
    for (int i = 0; i < 4; i++) { /* the X of bars, turned */
        stl_image a = box(-10, -.5, -.5, 10, .5, .5, (uint32_t)(1 + 4 * i)), b = a;
        b = box(-10, -.5, -.5, 10, .5, .5, 2);
        image_turn(&b, 0, 0, 0.5 + 0.1 * i);
        image_turn(&a, i, .3, .2);
        image_turn(&b, i, .3, .2);
        double depth = try_depth(&a, &b, 0, 1e-4, "X of bars");
        CHECK(fabs(depth - 0.5) < 1e-5, "X of bars: %.9g", depth);
        image_free(&a);
        image_free(&b);
    }
}

TEST(depth_of_a_sunk_box)
{
    for (double h = 1e-7; h <= 1; h *= 10) {
        float low = (float)-h;
        for (uint32_t cells = 1; cells <= 11; cells += 10) {
            try_both(box(-3, -3, -4, 3, 3, 0, cells),
                     box(-1, -1, (double)low, 1, 1, 3, cells + cells / 2), -(double)low, "sunk");
        }
    }
}

/* Flush walls all round, turned so that coordinates are rounded: depth about 1e-7. */
TEST(depth_in_a_cavity)
{
    const double resolution = 0x1p-22;
    for (int i = 1; i <= 6; i++) {
        stl_image a = make_hollow_box((double[]){-2, -2, -2}, (double[]){2, 2, 2}, 1);
        stl_image b = box(-1, -1, -1, 1, 1, 1, (uint32_t)i);
        couple c;

        image_turn(&a, i, .3, .2);
        image_turn(&b, i, .3, .2);
        couple_make(&c, &a, &b);
        sc_depth d = find(&c, 0.01, 2 * resolution);
        CHECK(d.complete && d.depth <= d.bound && d.bound <= 2 * resolution, "%g, %g", d.depth,
              d.bound);
        sc_depth e = find(&c, 0.01, -1);
        CHECK(e.complete && e.bound <= 2 * resolution, "%g, %g", e.depth, e.bound);
        couple_free(&c);
        image_free(&a);
        image_free(&b);
    }
}

/* ---- round shapes ----------------------------------------------------------- */

TEST(depth_of_round_shapes)
{
    stl_image ball = make_sphere(1, 12), bore = make_sphere(0.999, 12);
    stl_image block = box(-2, -2, -2, 2, 2, 2, 3);
    image_invert(&bore); /* the ball's own facets a little smaller: ties all over */
    image_join(&block, &bore);
    double depth = try_depth(&block, &ball, 0, 0.01, "ball in a bore");
    CHECK(depth > 0.0009 && depth < 0.001001, "ball in a bore: %g", depth);

    stl_image other = make_sphere(1, 9); /* the bore's facets lie otherwise */
    depth = try_depth(&block, &other, 0, 0.01, "ball in another bore");
    CHECK(depth > 0.001 && depth < 0.03, "ball in another bore: %g", depth);
    image_free(&other);

    stl_image shaft = make_cylinder(0.5, 6, 48), same = make_cylinder(0.5, 6, 48);
    depth = try_depth(&shaft, &same, 0, 0.01, "the same shaft");
    CHECK(fabs(depth - 0.5 * cos(3.14159265 / 48)) < 0.005, "shaft: %g", depth);
    image_turn(&same, 0.4, 0, 1.2);
    depth = try_depth(&shaft, &same, 0, 0.01, "crossing shafts");
    CHECK(fabs(depth - 0.5) < 0.01, "crossing shafts: %g", depth);

    stl_image shell = make_bumpy(1, 20), inner = make_bumpy(0.998, 17);
    depth = try_depth(&shell, &inner, 0, 0.01, "nearly the same");
    CHECK(depth > 0.9, "nearly the same: %g", depth);
    image_free(&ball);
    image_free(&bore);
    image_free(&block);
    image_free(&shaft);
    image_free(&same);
    image_free(&shell);
    image_free(&inner);
}

TEST(depth_of_benchmark_pairs)
{
    static const char *const names[] = {"overlap", "shell", "gearx", "contain", "slivers"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        shape pair[2];
        shape_pair(names[i], 3000, pair);
        stl_image a = image_of(&pair[0]), b = image_of(&pair[1]);
        try_depth(&a, &b, 0, 0.01, names[i]);
        image_free(&a);
        image_free(&b);
    }
}

/* ---- samples ---------------------------------------------------------------- */

/* No common point lies deeper than the bound, and the best of many comes close. */
static void try_samples(const stl_image *a, const stl_image *b, int samples, const char *what)
{
    couple c;
    couple_make(&c, a, b);
    sc_depth d = find(&c, 0.01, -1);
    double deepest = 0;

    CHECK(d.complete, "%s: not complete", what);
    for (int i = 0; i < samples; i++) {
        double winding[2], distance[2];
        sc_vec3 p = ask_point(&c.within);
        for (int k = 0; k < 2; k++) {
            distance[k] = probe(c.mesh[k], p, &winding[k]);
        }
        if (winding[0] > 0.5 && winding[1] > 0.5) {
            deepest = fmax(deepest, fmax(distance[0], distance[1]));
        }
    }
    CHECK(deepest <= d.bound, "%s: a sample is %.9g deep, the bound is %.9g", what, deepest,
          d.bound);
    if (d.depth > 0) {
        check_point(&c, &d, what);
    }
    couple_free(&c);
}

TEST(depth_against_samples)
{
    for (int round = 0; round < test_rounds(40); round++) {
        stl_image a = {0}, b = {0};
        stl_image *both[2] = {&a, &b};
        for (int i = 0; i < 2; i++) {
            switch (test_below(6)) {
            case 0: *both[i] = make_bumpy(1, 5); break;
            case 1: *both[i] = make_torus(1, 0.4, 14, 7); break;
            case 2: *both[i] = make_l_prism(1.5); break;
            case 3: *both[i] = make_cylinder(0.3, 4, 11); break;
            case 4:
                *both[i] = make_hollow_box((double[]){-1, -1, -1}, (double[]){1, 1, 1}, 0.4);
                break;
            default: *both[i] = box(-1, -.7, -.2, 1, .7, .2, (uint32_t)(1 + test_below(3)));
            }
            image_turn(both[i], test_uniform(-3, 3), test_uniform(-3, 3), test_uniform(-3, 3));
            image_move(both[i], test_uniform(-.4, .4), test_uniform(-.4, .4),
                       test_uniform(-.4, .4));
        }
        try_samples(&a, &b, 1500, "random shapes");
        image_free(&a);
        image_free(&b);
    }
}

/* Facets in another order or of another size bound the same solid. */
TEST(depth_of_the_same_shape)
{
    for (uint32_t cells = 1; cells <= 13; cells += 4) {
        stl_image a = box(0, 0, 0, 3, 2, 1, cells), b = box(-1, -1, .5, 1, 1, 2, 14 - cells);
        image_turn(&b, 0, 0, 0.5);
        image_shuffle(&a);
        image_rotate_corners(&b);
        try_depth(&a, &b, 0.5, 0.01, "another tessellation");
        image_free(&a);
        image_free(&b);
    }
}

/* Where all vertices lie on the surface of the other part, and the middle between, what is deep is
 * found from one wall to the next, before anything is searched. */
TEST(what_lies_on_itself_is_deep_at_first_sight)
{
    stl_image image = image_joined(box(0, 0, 0, 5, 4, 0.2, 3), box(0, 0, 3, 5, 4, 3.2, 2));
    couple c;

    image_turn(&image, 0.3, 0.5, 0.7);
    couple_make(&c, &image, &image);
    sc_depth_request request = {.solid = {&c.solid[0], &c.solid[1]},
                                .within = c.within,
                                .relative_error = 0.01,
                                .threshold = -1.0,
                                .budget = c.budget};
    sc_deepest found = sc_deepest_make(&request);
    sc_deepest_start(&found, NULL);
    CHECK(found.best > 0.0995 && found.best < 0.1 + 1e-6, "%g", found.best);
    couple_free(&c);
    image_free(&image);
}

TEST(chords_are_halved_between_surfaces)
{
    stl_image large = box(0, 0, 0, 8, 8, 8, 2), small = box(1, 1, 1, 3, 7, 7, 3);
    couple c;

    couple_make(&c, &large, &small);
    c.within = (sc_box){{0, 0, 0}, {8, 8, 8}};
    sc_surface surface[2] = {{.solid = &c.solid[0]}, {.solid = &c.solid[1]}};
    for (int turn = 0; turn < 2; turn++) { /* from either end: walls at 0, 1, 3, 8 */
        sc_midway m[SC_MIDWAYS];
        sc_vec3 from = {turn ? 8.0 : 0.0, 5.2, 3.3}, way = {turn ? -1.0 : 1.0, 0.0, 0.0};
        int count = sc_depth_chord(surface, from, way, &c.within, m);
        CHECK(count == 2 && m[0].half == 2.5 && m[1].half == 1.0, "%d: %g and %g", count, m[0].half,
              m[1].half);
        CHECK(m[0].point.x == 5.5 && m[1].point.x == 2.0 && m[0].point.y == 5.2 &&
                  m[1].point.z == 3.3,
              "halves at %g and %g", m[0].point.x, m[1].point.x);
    }
    sc_midway m[SC_MIDWAYS];
    sc_vec3 aslant = {0.6, 0.0, 0.8}; /* from the bottom: enters at 1, leaves at 3 by the side */
    int count = sc_depth_chord(surface, (sc_vec3){1.5, 4.1, 0.0}, aslant, &c.within, m);
    CHECK(count == 2 && fabs(m[0].half - 3.75) < 1e-12 && fabs(m[1].half - 0.625) < 1e-12,
          "%d: %g and %g", count, m[0].half, m[1].half);
    couple_free(&c);
    image_free(&large);
    image_free(&small);
}

static sc_vec3 some_point_of(const sc_vec3 *points, int count)
{
    sc_vec3 p = {0, 0, 0};
    double weight[8], total = 0;
    for (int k = 0; k < count; k++) {
        weight[k] = pow(test_uniform(0, 1), 3);
        total += weight[k];
    }
    for (int k = 0; k < count; k++) {
        p = sc_mul_add(p, weight[k] / total, points[k]);
    }
    return p;
}

static void some_hull(sc_vec3 c, double size, sc_vec3 *points, int count)
{
    double half[3];
    for (int k = 0; k < 3; k++) {
        half[k] = size * pow(2.0, test_uniform(-4.0, 0.0));
    }
    for (int k = 0; k < count; k++) {
        sc_vec3 to =
            count == 8 ? (sc_vec3){k & 1 ? half[0] : -half[0], k & 2 ? half[1] : -half[1],
                                   k & 4 ? half[2] : -half[2]}
                       : (sc_vec3){test_uniform(-half[0], half[0]), test_uniform(-half[1], half[1]),
                                   test_uniform(-half[2], half[2])};
        points[k] = sc_add(c, to);
    }
}

/* Against the distances of points within. */
TEST(what_facets_surround_is_no_deeper)
{
    int surrounded = 0, by_many = 0;
    for (int round = 0; round < 12; round++) {
        stl_image images[4] = {
            make_l_prism(2.0),
            make_hollow_box((double[]){0, 0, 0}, (double[]){3, 2, 2}, 0.2),
            make_bumpy(1.0, 5),
            make_torus(1.0, 0.3, 24, 12),
        };
        stl_image *image = &images[round % 4];
        couple c;
        if (round >= 4) {
            image_turn(image, test_uniform(-3, 3), test_uniform(-3, 3), test_uniform(-3, 3));
        }
        couple_make(&c, image, image);
        sc_surface surface = {.solid = &c.solid[0],
                              .margin = SC_SURFACE_MARGIN * sc_box_reach(&c.part[0].used_bounds)};
        for (int i = test_rounds(400); i > 0; i--) {
            const int count = test_below(3) ? 8 : 3;
            sc_vec3 points[8], mean = {0, 0, 0}, at;
            for (int k = 0; k < 3; k++) {
                double x = test_uniform(c.within.low[k], c.within.high[k]);
                *(k == 0 ? &at.x : k == 1 ? &at.y : &at.z) = x;
            }
            some_hull(at, test_below(2) ? 0.4 : 0.05, points, count);
            for (int k = 0; k < count; k++) {
                mean = sc_mul_add(mean, 1.0 / count, points[k]);
            }
            sc_nearest n = sc_surface_nearest(&surface, mean, (sc_seek){.hint = UINT32_MAX});
            double limit = n.distance * test_uniform(1.0, 1.2), winding;
            if (!sc_depth_is_surrounded(&surface, points, count, mean, &n, limit)) {
                continue;
            }
            surrounded++;
            double farthest = 0;
            for (int k = 0; k < 12; k++) {
                sc_vec3 p = k < count ? points[k] : some_point_of(points, count);
                double distance = probe(c.mesh[0], p, &winding);
                CHECK(distance <= limit * (1.0 + 1e-12), "a point is %g off, the limit is %g",
                      distance, limit);
                farthest = fmax(farthest, sc_length(sc_sub(p, mean)));
            }
            by_many += farthest > limit - n.distance; /* no single distance tells */
        }
        couple_free(&c);
        for (int k = 0; k < 4; k++) {
            image_free(&images[k]);
        }
    }
    CHECK(surrounded > 20 && by_many > 4, "%d, %d of them large", surrounded, by_many);
}

/* A wall, and where walls meet, however large the cell is along them, within one facet each. */
TEST(walls_surround_what_lies_in_them)
{
    stl_image hollow = make_hollow_box((double[]){0, 0, 0}, (double[]){8, 8, 8}, 0.5);
    couple c;
    couple_make(&c, &hollow, &hollow);
    sc_surface surface = {.solid = &c.solid[0], .margin = 8 * SC_SURFACE_MARGIN};
    for (int edge = 0; edge < 2; edge++) {
        /* In the wall x = 0 .. 0.5; about the line as far from its sides as from the inner edge:
         * x = y = t with t = (0.5 - t) sqrt 2. */
        const double t = 0.5 * sqrt(2.0) / (1.0 + sqrt(2.0));
        const sc_vec3 mid = edge ? (sc_vec3){t, t, 4} : (sc_vec3){0.25, 2, 4.5};
        const double deepest = edge ? t : 0.25;
        sc_vec3 points[8];
        for (int k = 0; k < 8; k++) {
            const double wide = edge ? 0.05 : 0.4;
            points[k] = (sc_vec3){mid.x + (k & 1 ? 0.05 : -0.05), mid.y + (k & 2 ? wide : -wide),
                                  mid.z + (k & 4 ? 0.4 : -0.4)};
        }
        sc_nearest n = sc_surface_nearest(&surface, mid, (sc_seek){.hint = UINT32_MAX});
        CHECK(sc_depth_is_surrounded(&surface, points, 8, mid, &n, 1.1 * deepest), "not at %d",
              edge);
        CHECK(!sc_depth_is_surrounded(&surface, points, 8, mid, &n, 0.999 * deepest), "at %d",
              edge);
    }
    couple_free(&c);
    image_free(&hollow);
}

TEST(depth_by_any_number_of_threads)
{
    for (int round = 0; round < test_rounds(30); round++) {
        stl_image a = make_bumpy(1, 8), b = make_torus(1, 0.4, 20, 10);
        image_turn(&b, test_uniform(-3, 3), test_uniform(-3, 3), test_uniform(-3, 3));
        image_move(&b, test_uniform(-.8, .8), test_uniform(-.8, .8), test_uniform(-.8, .8));
        couple c;
        couple_make(&c, &a, &b);
        sc_depth one = find(&c, 1e-3, -1);
        for (int threads = 2; threads < 5; threads++) {
            sc_crew *crew = sc_crew_new(threads);
            sc_depth more = find_by(&c, 1e-3, -1, crew);
            CHECK(one.depth == more.depth && one.bound == more.bound && one.in == more.in &&
                      memcmp(&one.point, &more.point, sizeof one.point) == 0 &&
                      memcmp(&one.nearest, &more.nearest, sizeof one.nearest) == 0,
                  "round %d, %d threads: %.17g, not %.17g", round, threads, more.depth, one.depth);
            sc_crew_free(crew);
        }
        couple_free(&c);
        image_free(&a);
        image_free(&b);
    }
}

/* ---- odd requests ----------------------------------------------------------- */

/* Two shells that overlap in one file: the walls inside count as surface, and are seen
 * from both sides. */
TEST(depth_of_self_overlap)
{
    stl_image a = box(0, 0, 0, 2, 2, 2, 2), more = box(1, 0.5, 0.5, 4, 1.5, 1.5, 2);
    stl_image b = box(-1, -1, -1, 5, 3, 3, 1);
    image_join(&a, &more);
    try_samples(&a, &b, 4000, "self-overlap");
    image_free(&a);
    image_free(&b);
    image_free(&more);
}

static stl_image union_of_boxes(int boxes)
{
    stl_image all = {0};
    for (; boxes > 0; boxes--) {
        const double x = test_uniform(0, 6), y = test_uniform(0, 6), z = test_uniform(0, 6);
        stl_image more = box(x, y, z, x + test_uniform(0.5, 6), y + test_uniform(0.5, 6),
                             z + test_uniform(0.5, 6), 1);
        image_join(&all, &more);
        image_free(&more);
    }
    return all;
}

static stlclash_result *ask_depth(const stl_image *a, const stl_image *b, double error, double most)
{
    stlclash_options o = stlclash_options_default();
    o.depth_error = error;
    o.max_depth = most;
    return ask_images(a, b, &o);
}

/* Between what is found at first and the depth: then a point is to be found that is deeper. */
TEST(limits_of_depth_are_settled)
{
    int between = 0;
    for (int round = 24 + test_rounds(6); round > 0; round--) {
        stl_image a = make_l_prism(3.0), b = make_l_prism(2.0);
        image_turn(&b, test_uniform(-3, 3), test_uniform(-3, 3), test_uniform(-3, 3));
        image_move(&b, test_uniform(-1, 1), test_uniform(-1, 1), test_uniform(-1, 1));
        stlclash_result *rough = ask_depth(&a, &b, 0.5, STLCLASH_NO_LIMIT);
        stlclash_result *close = ask_depth(&a, &b, 0.01, STLCLASH_NO_LIMIT);
        const double limit = 0.92 * close->overlap.depth;
        if (rough->has_overlap && rough->overlap.depth < limit) {
            stlclash_result *r = ask_depth(&a, &b, 0.5, limit);
            CHECK(r->status == STLCLASH_CLASH && !r->pass && r->overlap.depth > limit,
                  "%g found, not over %g, status %d", r->overlap.depth, limit, r->status);
            stlclash_result_free(r);
            between++;
        }
        stlclash_result_free(close);
        stlclash_result_free(rough);
        image_free(&a);
        image_free(&b);
    }
    CHECK(between > 0, "no limit to be settled");
}

/* Wide and thin, turned: the depth is that by which a plane's sides overlap. */
TEST(depth_of_plates_pressed_into_each_other)
{
    for (int round = test_rounds(6); round > 0; round--) {
        const double turn[3] = {test_uniform(-3, 3), test_uniform(-3, 3), test_uniform(-3, 3)};
        const double by = test_uniform(0.05, 0.5);
        stl_image a = box(0, 0, 0, 300, 200, 1, 1), b = box(-20, 30, 1 - by, 250, 220, 2 - by, 1);
        image_turn(&a, turn[0], turn[1], turn[2]);
        image_turn(&b, turn[0], turn[1], turn[2]);
        stlclash_mesh *mesh[2] = {ask_mesh(&a), ask_mesh(&b)};
        stlclash_options options = stlclash_options_default();
        stlclash_result *r = ask_pair(mesh[0], mesh[1], &options);
        CHECK(fabs(r->overlap.depth - by) < 1e-3 && r->overlap.depth_error < 0.02 * by,
              "%g deep, error %g, for %g", r->overlap.depth, r->overlap.depth_error, by);
        stlclash_result_free(r);
        stlclash_mesh_free(mesh[0]);
        stlclash_mesh_free(mesh[1]);
        image_free(&a);
        image_free(&b);
    }
}

static stl_image with_facet_again(stl_image image)
{
    const shape_facet facet = image_get(&image, 0);
    return image_joined(image, make_facets(&facet.corner[0][0], 1));
}

static stl_image inverted(stl_image image)
{
    image_invert(&image);
    return image;
}

static stl_image with_facet_turned(stl_image image)
{
    shape_facet facet = image_get(&image, 0), turned = facet;
    memcpy(turned.corner[1], facet.corner[2], sizeof facet.corner[2]);
    memcpy(turned.corner[2], facet.corner[1], sizeof facet.corner[1]);
    image_set(&image, 0, &turned);
    return image;
}

/* One facet becomes a segment: its neighbours have nothing to match. */
static stl_image with_facet_lost(stl_image image)
{
    shape_facet facet = image_get(&image, 0);
    memcpy(facet.corner[1], facet.corner[0], sizeof facet.corner[0]);
    image_set(&image, 0, &facet);
    return image;
}

/* Over the triangle 2, 3, 4 the apex 0 and, below it, 1: the edge from 0 to 2 passes through the
 * facet 1, 3, 4, and nothing else meets but what has a corner in common. */
static stl_image pierced(double scale_x)
{
    static const float at[5][3] = {{1.5f, 0, 3}, {0, 0, 0}, {5, 0, -3}, {4, 2, 1}, {4, -2, 1}};
    static const int number[6][3] = {{0, 3, 4}, {0, 4, 2}, {0, 2, 3},
                                     {1, 4, 3}, {1, 2, 4}, {1, 3, 2}};
    float corners[6 * 9];
    for (int i = 0; i < 54; i++) {
        const float x = at[number[i / 9][i / 3 % 3]][i % 3];
        corners[i] = i % 3 == 0 ? (float)scale_x * x : x;
    }
    return make_facets(corners, 6);
}

TEST(surfaces_that_meet_themselves_are_told)
{
    static const float sheet[18] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0};
    /* No way along x leads from a corner into it. */
    static const float aslant[36] = {0, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 1, 0, 1,
                                     0, 0, 0, 1, 0, 1, 1, 1, 0, 1, 1, 0, 1, 0, 1, 0, 1, 1};
    struct {
        const char *name;
        stl_image image;
        bool embedded;
    } row[] = {
        {"box", box(0, 0, 0, 1, 2, 3, 2), true},
        {"torus", make_torus(1.0, 0.3, 24, 12), true},
        {"bumpy", make_bumpy(1.0, 5), true},
        {"hollow", make_hollow_box((double[]){0, 0, 0}, (double[]){3, 2, 2}, 0.2), true},
        {"two", image_joined(box(0, 0, 0, 1, 1, 1, 1), box(2, 0, 0, 3, 1, 1, 1)), true},
        {"inside out", inverted(box(0, 0, 0, 1, 2, 3, 2)), false},
        {"crossing", image_joined(box(0, 0, 0, 2, 2, 2, 1), box(1, 1, 1, 3, 3, 3, 1)), false},
        {"nested", image_joined(box(0, 0, 0, 4, 4, 4, 1), box(1, 1, 1, 3, 3, 3, 1)), false},
        {"in a face", image_joined(box(0, 0, 0, 1, 1, 1, 1), box(1, 0, 0, 2, 1, 1, 1)), false},
        {"in an edge", image_joined(box(0, 0, 0, 1, 1, 1, 1), box(1, 1, 0, 2, 2, 1, 1)), false},
        {"in a corner", image_joined(box(0, 0, 0, 1, 1, 1, 1), box(1, 1, 1, 2, 2, 2, 1)), false},
        {"twice", image_joined(box(0, 0, 0, 1, 1, 1, 1), box(0, 0, 0, 1, 1, 1, 1)), false},
        {"facet twice", with_facet_again(box(0, 0, 0, 1, 1, 1, 1)), false},
        {"sheet", make_facets(sheet, 2), false},
        {"open", make_facets(sheet, 1), false},
        {"facet turned", with_facet_turned(box(0, 0, 0, 1, 1, 1, 1)), false},
        {"facet lost", with_facet_lost(box(0, 0, 0, 1, 1, 1, 1)), false},
        {"pierced", pierced(1.0), false},
        {"pierced, the other way", inverted(pierced(-1.0)), false},
        {"aslant, inside out", make_facets(aslant, 4), false},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        couple c;
        bool failed = false;
        image_shuffle(&row[i].image);
        couple_make(&c, &row[i].image, &row[i].image);
        bool embedded = sc_solid_is_embedded(&c.solid[0], &failed);
        CHECK(embedded == row[i].embedded && !failed, "%s: %d", row[i].name, embedded);
        couple_free(&c);
        image_free(&row[i].image);
    }
}

/* Walls seen from outside, of shells that overlap each other. */
TEST(depth_of_unions_of_boxes)
{
    for (int round = test_rounds(40); round > 0; round--) {
        stl_image a = union_of_boxes((int)test_below(4) + 1), b = union_of_boxes(5);
        try_samples(&a, &b, 1000, "unions of boxes");
        image_free(&a);
        image_free(&b);
    }
}

static sc_vec3 some_step(sc_vec3 p, double size)
{
    return sc_add(p, (sc_vec3){test_uniform(-size, size), test_uniform(-size, size),
                               test_uniform(-size, size)});
}

enum { MOST_NEAREST = 64 };

/* Unit vectors to p from the nearest points of all facets, up to MOST_NEAREST, that are nearest but
 * for `slack`. */
static int ways_from_nearest(const couple *c, sc_vec3 p, double slack, sc_vec3 *from)
{
    double winding, least = probe(c->mesh[0], p, &winding);
    int count = 0;
    for (uint32_t i = 0; i < c->mesh[0]->file.facets.count && count < MOST_NEAREST; i++) {
        sc_vec3 v[3], on;
        sc_solid_facet(&c->solid[0], i, v);
        double distance = sc_facet_distance(p, v, &on);
        if (distance <= least + slack) {
            from[count++] = sc_scale(sc_sub(p, on), 1.0 / distance);
        }
    }
    return count;
}

static double least_along(const sc_vec3 *from, int count, sc_vec3 way)
{
    double least = INFINITY;
    for (int i = 0; i < count; i++) {
        least = fmin(least, sc_dot(from[i], way));
    }
    return least;
}

/* A direction that leads away from all of them; false where none is found. */
static bool way_up(const sc_vec3 *from, int count, sc_vec3 *up)
{
    enum { TURNS = 2000 };
    *up = (sc_vec3){0, 0, 0};
    for (int turn = 0; turn < TURNS; turn++) {
        double least = least_along(from, count, *up), length = sc_length(*up);
        if (least > 1e-3 * length) {
            *up = sc_scale(*up, 1.0 / length);
            return true;
        }
        int worst = 0;
        while (sc_dot(from[worst], *up) > least) {
            worst++;
        }
        *up = sc_add(*up, from[worst]);
    }
    return false;
}

/* From an inner point to where the surface is farther than from all about it; false where that is
 * hardly so in some direction. */
static bool climb(const couple *c, sc_vec3 *p)
{
    enum { WAYS = 300 };
    sc_vec3 from[MOST_NEAREST], up;
    double winding, best = probe(c->mesh[0], *p, &winding);
    int count;

    for (double size = 0.3; size > 1e-8;) {
        count = ways_from_nearest(c, *p, size, from);
        bool leads = way_up(from, count, &up);
        sc_vec3 next = sc_mul_add(*p, size, up);
        double distance = leads ? probe(c->mesh[0], next, &winding) : 0;
        if (distance > best) {
            best = distance;
            *p = next;
        } else {
            size *= 0.7;
        }
    }
    count = ways_from_nearest(c, *p, 1e-6, from);
    bool peak = true;
    for (int i = 0; i < WAYS && peak; i++) {
        sc_vec3 way = some_step((sc_vec3){0, 0, 0}, 1);
        peak = least_along(from, count, way) < -0.02 * sc_length(way);
    }
    return peak;
}

/* Of distances from the surface inside. */
TEST(there_is_no_proof_against_peaks)
{
    int excluded = 0, peaks = 0;
    for (int round = 0; round < 20 + 2 * test_rounds(90); round++) {
        stl_image image = round % 2   ? union_of_boxes(2 + (int)test_below(3))
                          : round % 4 ? make_bumpy(1.0, 3)
                          : round % 8
                              ? make_hollow_box((double[]){0, 0, 0}, (double[]){3, 2, 2}, 0.2)
                              : make_l_prism(2.0);
        double winding = 0;
        sc_vec3 p = {0, 0, 0};
        couple c;
        image_turn(&image, test_uniform(-3, 3), test_uniform(-3, 3), test_uniform(-3, 3));
        couple_make(&c, &image, &image);
        sc_surface surface = {.solid = &c.solid[0],
                              .margin = SC_SURFACE_MARGIN * sc_box_reach(&c.part[0].used_bounds)};
        for (int i = 0; i < 100 && winding < 0.5; i++) {
            p = ask_point(&c.within);
            probe(c.mesh[0], p, &winding);
        }
        sc_vec3 peak = p;
        const bool found = winding > 0.5 && climb(&c, &peak);
        peaks += found;
        for (int i = 0; i < 20 && winding > 0.5; i++) {
            const double size = pow(10.0, test_uniform(-3.0, -0.5));
            const bool with = found && i % 2;
            sc_vec3 at = some_step(with ? peak : p, 0.5 * size);
            sc_box cell = {{at.x - size, at.y - size, at.z - size},
                           {at.x + size, at.y + size, at.z + size}};
            sc_nearest n = sc_surface_nearest(&surface, at, (sc_seek){.hint = UINT32_MAX});
            bool none = sc_depth_no_peak(&surface, &cell, &n);
            excluded += none;
            CHECK(!(with && none), "round %d: not in a cell of %g", round, size);
        }
        couple_free(&c);
        image_free(&image);
    }
    CHECK(excluded > test_rounds(100) && peaks > test_rounds(90) / 4,
          "%d cells without a peak, %d peaks", excluded, peaks);
}

static double deepest_of(const couple *c, const sc_box *box)
{
    double deepest = 0;
    for (int i = 0; i < 6; i++) {
        double winding, distance = probe(c->mesh[0], ask_point(box), &winding);
        deepest = winding > 0.5 ? fmax(deepest, distance) : deepest;
    }
    return deepest;
}

/* Bounds by columns, along any axis or that of the nearest facet, and by ways out. */
TEST(columns_and_ways_out_bound_what_is_deep)
{
    int finite = 0, left = 0;
    for (int round = 0; round < test_rounds(48); round++) {
        stl_image image = round % 3 ? union_of_boxes(1 + (int)test_below(3))
                          : round % 2
                              ? make_l_prism(2.0)
                              : make_hollow_box((double[]){0, 0, 0}, (double[]){3, 2, 2}, 0.2);
        couple c;
        image_turn(&image, test_uniform(-3, 3), test_uniform(-3, 3), test_uniform(-3, 3));
        couple_make(&c, &image, &image);
        sc_surface surface = {.solid = &c.solid[0],
                              .margin = SC_SURFACE_MARGIN * sc_box_reach(&c.part[0].used_bounds)};
        for (int i = 0; i < 60; i++) {
            const sc_vec3 at = ask_point(&c.within);
            const double size = pow(10.0, test_uniform(-2.0, 0.0));
            const sc_box cell = {{at.x - size, at.y - size, at.z - size},
                                 {at.x + size, at.y + size, at.z + size}};
            sc_nearest n = sc_surface_nearest(&surface, at, (sc_seek){.hint = UINT32_MAX});
            sc_vec3 v[3], axis = some_step((sc_vec3){0, 0, 0}, 1);
            sc_solid_facet(&c.solid[0], n.facet, v);
            axis = i % 2 ? sc_area_twice(v) : axis;
            axis = sc_scale(axis, 1 / sc_length(axis));
            const double reach = n.distance * pow(10.0, test_uniform(-0.3, 0.5)) + size;
            double bound = sc_depth_column_bound(&surface, &cell, axis, reach, SC_DEPTH_FACETS);
            bool leaves = sc_depth_box_leaves(&surface, &cell, sc_scale(axis, reach));
            double deepest = isfinite(bound) || leaves ? deepest_of(&c, &cell) : 0;
            CHECK(deepest <= bound + 1e-9, "round %d: %g deep, not %g", round, deepest, bound);
            CHECK(!leaves || deepest <= reach + 1e-9, "round %d: %g deep, %g to leave it", round,
                  deepest, reach);
            finite += isfinite(bound);
            left += leaves;
        }
        couple_free(&c);
        image_free(&image);
    }
    CHECK(finite > test_rounds(48) && left > test_rounds(48), "%d bounds, %d ways", finite, left);
}

/* The deepest of some points in the box that are inside both, in either. */
static double deepest_common_of(const couple *c, const sc_box *box)
{
    double deepest = 0;
    for (int i = 0; i < 40; i++) {
        const sc_vec3 p = ask_point(box);
        double winding[2], distance[2];
        for (int k = 0; k < 2; k++) {
            distance[k] = probe(c->mesh[k], p, &winding[k]);
        }
        if (winding[0] > 0.5 && winding[1] > 0.5) {
            deepest = fmax(deepest, fmax(distance[0], distance[1]));
        }
    }
    return deepest;
}

/* Walls that face each other, pushed into each other: of a step, of what is in a hollow. */
TEST(columns_of_both_parts_bound_what_is_common)
{
    int shallow = 0, telling = 0;
    for (int round = 0; round < test_rounds(48); round++) {
        const double push = pow(10.0, test_uniform(-2.0, -0.3));
        stl_image a, b;
        if (round % 3 == 0) {
            a = make_l_prism(2.0);
            b = box(1, 1, 0, 3, 3, 2, 1);
        } else if (round % 3 == 1) {
            a = make_hollow_box((double[]){0, 0, 0}, (double[]){3, 2, 2}, 0.4);
            b = box(0.4, 0.4, 0.4, 2.6, 1.6, 1.6, 2);
        } else { /* a ball in its hole, each with facets of its own */
            stl_image hole = make_sphere(1.0, 2 + (uint32_t)test_below(8));
            image_invert(&hole);
            a = image_joined(box(-2, -2, -2, 2, 2, 2, 1), hole);
            b = make_sphere(1.0, 2 + (uint32_t)test_below(8));
        }
        const double turn[3] = {test_uniform(-3, 3), test_uniform(-3, 3), test_uniform(-3, 3)};
        couple c;
        image_move(&b, -push * (double)test_below(2), -push * (double)test_below(2), -push);
        image_turn(&a, turn[0], turn[1], turn[2]);
        image_turn(&b, turn[0], turn[1], turn[2]);
        couple_make(&c, &a, &b);
        sc_surface shell[2];
        for (int k = 0; k < 2; k++) {
            shell[k] =
                (sc_surface){.solid = &c.solid[k],
                             .margin = SC_SURFACE_MARGIN * sc_box_reach(&c.part[0].used_bounds)};
        }
        for (int i = 0; i < 100; i++) {
            const double size = push * pow(10.0, test_uniform(-1.0, 0.5));
            const double limit = push * pow(10.0, test_uniform(-1.0, 0.3));
            const sc_vec3 at = ask_point(&c.within);
            const sc_nearest n =
                sc_surface_nearest(&shell[i % 2], at, (sc_seek){.hint = UINT32_MAX});
            const sc_vec3 on = some_step(n.point, size);
            const sc_box cell = {{on.x - size, on.y - size, on.z - size},
                                 {on.x + size, on.y + size, on.z + size}};
            sc_vec3 v[3];
            sc_solid_facet(&c.solid[i % 2], n.facet, v);
            sc_vec3 axis = sc_scale(sc_area_twice(v), 1 / sc_length(sc_area_twice(v)));
            axis = i % 4 ? axis : some_step(axis, 3); /* some facets are steep */
            axis = sc_scale(axis, 1 / sc_length(axis));
            const bool is = sc_depth_common_column(shell, &cell, axis, limit, i % 2 ? 256 : 0);
            const double deepest = is ? deepest_common_of(&c, &cell) : 0;
            CHECK(deepest <= limit + 1e-9, "round %d: %g deep, not %g", round, deepest, limit);
            shallow += is;
            telling += deepest > 0.5 * limit;
        }
        couple_free(&c);
        image_free(&a);
        image_free(&b);
    }
    CHECK(shallow > 2 * test_rounds(48) && telling > test_rounds(48) / 8, "%d cells, %d tell",
          shallow, telling);
}

TEST(depth_of_parts_that_touch)
{
    stl_image a = box(0, 0, 0, 1, 1, 1, 2), b = box(1, 0, 0, 2, 1, 1, 3);
    couple c;
    couple_make(&c, &a, &b);
    sc_depth d = find(&c, 0.01, -1);
    CHECK(d.complete && d.depth == 0 && d.bound < 1e-10, "%g, %g", d.depth, d.bound);
    couple_free(&c);
    image_free(&a);
    image_free(&b);
}

static bool refuse(void *context)
{
    (void)context;
    return false;
}

TEST(depth_that_gives_up)
{
    stl_image a = make_bumpy(1, 12), b = make_bumpy(1, 11);
    image_move(&b, 1.2, 0, 0);
    couple c;
    couple_make(&c, &a, &b);
    c.budget = 20;
    sc_depth d = find(&c, 1e-4, -1);
    CHECK(!d.complete && d.bound > 1 && d.depth < 1, "%d, %g .. %g", d.complete, d.depth, d.bound);
    sc_depth_request request = {.solid = {&c.solid[0], &c.solid[1]},
                                .within = c.within,
                                .relative_error = 1e-4,
                                .threshold = -1,
                                .budget = UINT64_MAX,
                                .poll = {refuse, NULL}};
    CHECK(sc_depth_find(&request, &d) && !d.complete, "poll");
    couple_free(&c);

    for (unsigned long n = 1; n < 400; n++) { /* every allocation fails once */
        couple_make(&c, &a, &b);
        request.solid[0] = &c.solid[0];
        request.poll = (sc_poll){NULL, NULL};
        request.relative_error = 0.1;
        sc_alloc_fail_at(n);
        bool found = sc_depth_find(&request, &d);
        unsigned long made = sc_alloc_fail_at(0);
        CHECK(found == (made < n), "allocation %lu of %lu", n, made);
        couple_free(&c);
        if (found) {
            break;
        }
    }
    image_free(&a);
    image_free(&b);
}

/* ---- slivers ---------------------------------------------------------------- */

/* A solid of revolution about z: of the profile, corners (r, z) from the axis up to the axis. */
static stl_image make_lathe(const double (*profile)[2], int corners, int sides, double turn)
{
    static const int order[2][3] = {{0, 1, 3}, {0, 3, 2}};
    stl_image image = make_facets(NULL, 0);
    for (int k = 0; k + 1 < corners; k++) {
        for (int i = 0; i < sides; i++) {
            float p[4][3]; /* below and above, this way round and on */
            for (int j = 0; j < 4; j++) {
                const double *at = profile[k + j / 2];
                const double angle = turn + 2 * M_PI * ((i + j % 2) % sides) / sides;
                p[j][0] = (float)(at[0] * cos(angle));
                p[j][1] = (float)(at[0] * sin(angle));
                p[j][2] = (float)at[1];
            }
            for (int half = 0; half < 2; half++) {
                float corner[9];
                for (int c = 0; c < 9; c++) {
                    corner[c] = p[order[half][c / 3]][c % 3];
                }
                if (profile[k + half][0] > 0) {
                    stl_image facet = make_facets(corner, 1);
                    image_join(&image, &facet);
                    image_free(&facet);
                }
            }
        }
    }
    return image;
}

/* Complete, within a hundredth, after no more looks than that. */
static void check_soon(stl_image a, stl_image b, double expected, uint64_t looks, const char *what)
{
    couple c;
    couple_make(&c, &a, &b);
    c.budget = looks;
    sc_depth d = find(&c, 0.01, -1);
    CHECK(d.complete && d.bound <= 1.0101 * d.depth, "%s: %g .. %g deep", what, d.depth, d.bound);
    CHECK(d.depth <= expected * 1.002 && d.bound >= expected * 0.998, "%s: %g .. %g deep, not %g",
          what, d.depth, d.bound, expected);
    couple_free(&c);
    image_free(&a);
    image_free(&b);
}

/* The ends of two shafts, of thousands of slivers about the axis. */
TEST(ends_of_slivers_that_are_pushed_into_each_other)
{
    enum { SIDES = 3000 };
    static const double push[3] = {1e-3, 1e-2, 0.1};
    for (int i = 0; i < 6; i++) {
        const double h = push[i / 2], r = i % 3 ? 4 : 5;
        const double lower[4][2] = {{0, 0}, {5, 0}, {5, 10}, {0, 10}};
        const double upper[4][2] = {{0, 10 - h}, {r, 10 - h}, {r, 20}, {0, 20}};
        stl_image a = make_lathe(lower, 4, SIDES, 0), b = make_lathe(upper, 4, SIDES, 0.002);
        if (i % 2) {
            image_turn(&a, 0.3, 0.7, 1.1);
            image_turn(&b, 0.3, 0.7, 1.1);
        }
        check_soon(a, b, h, 25000, "ends");
    }
}

/* A cone in a pit, of as many slivers: cells as small as what they have in common is thick have
 * hundreds of them about the tip. */
TEST(a_cone_in_a_pit_of_slivers)
{
    enum { SIDES = 2000 };
    const double h = 0.02;
    const double pit[5][2] = {{0, -2}, {1.5, -2}, {1.5, 0}, {1, 0}, {0, -1}};
    const double cone[4][2] = {{0, -1 - h}, {1, -h}, {1, 1}, {0, 1}};
    check_soon(make_lathe(pit, 5, SIDES, 0), make_lathe(cone, 4, SIDES, 0.001), h, 450000, "cone");
}

typedef struct seen {
    bool *facet;
    int count;
} seen;

static bool see(void *context, uint32_t facet, const sc_vec3 v[3])
{
    seen *s = context;
    (void)v;
    s->facet[facet] = true;
    s->count++;
    return true;
}

/* Whether a box with these arms holds a point, well within. */
static bool holds_well(const sc_walk *walk, sc_vec3 p)
{
    const sc_vec3 to = sc_sub(p, sc_box_centre(&walk->within));
    bool holds = sc_box_holds(&walk->within, p);
    for (int k = 0; k < 3; k++) {
        const double square = sc_dot(walk->arm[k], walk->arm[k]);
        holds = holds && fabs(sc_dot(to, walk->arm[k])) <= square * (1 - 1e-9);
    }
    return holds;
}

/* Of slivers that lie askew boxes are no guide: a walk comes to all that is in its own, and hardly
 * to anything else. */
TEST(walks_come_to_slivers_in_their_box)
{
    enum { SIDES = 2000 };
    const double cone[4][2] = {{0, -1}, {1, 0}, {0.9, 1}, {0, 1}};
    stl_image image = make_lathe(cone, 4, SIDES, 0);
    image_turn(&image, 0.3, 0.7, 1.1);
    couple c;
    couple_make(&c, &image, &image);
    const uint32_t facets = c.mesh[0]->file.facets.count;
    sc_surface surface = {.solid = &c.solid[0],
                          .margin = SC_SURFACE_MARGIN * sc_box_reach(&c.part[0].used_bounds)};
    seen s = {.facet = malloc(facets)};
    int walks = 0, all = 0;
    for (; walks < test_rounds(200); walks++) {
        sc_vec3 v[3];
        sc_solid_facet(&c.solid[0], (uint32_t)test_below((int)facets), v);
        const double size = pow(10.0, test_uniform(-3, -0.5));
        const sc_vec3 on = sc_mul_add(v[0], test_uniform(0, 1), sc_sub(v[2], v[0]));
        const sc_vec3 at = some_step(on, size), axis = sc_unit(some_step((sc_vec3){0, 0, 0}, 1));
        sc_walk walk = {.within =
                            sc_box_grown(&(sc_box){{at.x, at.y, at.z}, {at.x, at.y, at.z}}, size),
                        .facet = see,
                        .context = &s};
        if (walks % 2) {
            const sc_vec3 side = sc_unit(sc_cross(axis, at)), third = sc_cross(axis, side);
            walk.arm[0] = sc_scale(axis, 0.5 * size);
            walk.arm[1] = sc_scale(side, 0.1 * size);
            walk.arm[2] = sc_scale(third, 0.4 * size);
        }
        memset(s.facet, 0, facets);
        s.count = 0;
        CHECK(sc_surface_walk(&surface, &walk), "no walk");
        all += s.count;
        for (uint32_t f = 0; f < facets; f++) {
            sc_solid_facet(&c.solid[0], f, v);
            for (int i = 0; i < 8 && !s.facet[f]; i++) {
                const sc_vec3 p =
                    sc_mul_add(sc_mul_add(v[0], test_uniform(0, 0.5), sc_sub(v[1], v[0])),
                               test_uniform(0, 0.5), sc_sub(v[2], v[0]));
                CHECK(!holds_well(&walk, p), "walk %d: facet %u is left out", walks, f);
            }
        }
    }
    CHECK(all > walks && all < 200 * walks, "%d facets in %d walks", all, walks);
    free(s.facet);
    couple_free(&c);
    image_free(&image);
}

static bool count_calls(void *context, double done)
{
    ++*(int *)context;
    return done >= 0;
}

/* The same of the whole check: each search begins where the last one was left. */
TEST(searches_go_on_where_they_were_left)
{
    enum { SIDES = 2000, MOST_CALLS = 300 };
    const double h = 0.02;
    const double pit[5][2] = {{0, -2}, {1.5, -2}, {1.5, 0}, {1, 0}, {0, -1}};
    const double cone[4][2] = {{0, -1 - h}, {1, -h}, {1, 1}, {0, 1}};
    stl_image a = make_lathe(pit, 5, SIDES, 0), b = make_lathe(cone, 4, SIDES, 0.001);
    stlclash_mesh *mesh[2] = {ask_mesh(&a), ask_mesh(&b)};
    stlclash_options options = stlclash_options_default();
    int calls = 0;
    options.progress = count_calls;
    options.progress_context = &calls;
    stlclash_result *r = ask_pair(mesh[0], mesh[1], &options);
    const stlclash_overlap *o = &r->overlap;
    CHECK(o->has_depth && o->depth_error <= 0.0101 * o->depth && o->depth <= h * 1.001 &&
              o->depth + o->depth_error >= h,
          "%g deep, by %g", o->depth, o->depth_error);
    CHECK(calls <= MOST_CALLS, "%d calls", calls);
    stlclash_result_free(r);
    for (int k = 0; k < 2; k++) {
        stlclash_mesh_free(mesh[k]);
    }
    image_free(&a);
    image_free(&b);
}

/* Bit by bit it comes to the same, by the same looks; the bound never grows. What was found
 * otherwise is what to beat. */
TEST(a_depth_is_found_bit_by_bit)
{
    for (int round = 0; round < test_rounds(12); round++) {
        const uint64_t step = 1 + (uint64_t)test_below(400);
        stl_image a = make_bumpy(1, 8 + (uint32_t)test_below(8)), b = make_bumpy(1, 9);
        image_move(&b, test_uniform(0, 1), 0, test_uniform(0, 1));
        couple c;
        couple_make(&c, &a, &b);
        const sc_depth all = find(&c, 0.003, -1), close = find(&c, 1e-5, -1);
        for (int known = 0; known < 2; known++) {
            const sc_depth_request request = {.solid = {&c.solid[0], &c.solid[1]},
                                              .within = c.within,
                                              .relative_error = 0.003,
                                              .threshold = -1,
                                              .budget = c.budget};
            sc_depth_search *search = sc_depth_begin(&request);
            sc_depth d = {.complete = false}, before = {.bound = INFINITY};
            bool good = search != NULL;
            for (uint64_t budget = 4000 /* what comes first is cut short by less */;
                 good && !d.complete; budget += step) {
                if (known) {
                    d = (sc_depth){.depth = close.depth, .point = close.point, .in = close.in};
                }
                good = sc_depth_go_on(search, budget, &d);
                CHECK(d.depth >= before.depth && (known || d.bound <= before.bound),
                      "round %d: %.17g .. %.17g, then %.17g .. %.17g", round, before.depth,
                      before.bound, d.depth, d.bound);
                CHECK(!known || d.depth >= close.depth, "round %d: %.17g deep, not %.17g", round,
                      d.depth, close.depth);
                before = d;
            }
            sc_depth_end(search);
            CHECK(good && d.bound <= d.depth * 1.00301, "round %d: %g .. %g", round, d.depth,
                  d.bound);
            CHECK(d.bound >= close.depth && all.bound >= d.depth &&
                      (known || (d.depth == all.depth && d.bound == all.bound)),
                  "round %d: %.17g .. %.17g, not %.17g .. %.17g", round, d.depth, d.bound,
                  all.depth, all.bound);
        }
        couple_free(&c);
        image_free(&a);
        image_free(&b);
    }
}

/* ---- regions ---------------------------------------------------------------- */

/* Rings in one another, and a hollow pin in the middle, sunk into a plate by these depths: the box
 * of each region holds all smaller ones. Takes place in any position. */
enum { MAX_RINGS = 4 };
static void check_rings(int rings, const double *depths, const double placement[16])
{
    stl_image image[2] = {
        make_box((double[]){-9, -9, -2}, (double[]){9, 9, 0}, 7),
        make_hollow_box((double[]){-0.4, -0.5, -depths[0]}, (double[]){0.4, 0.5, 1}, 0.05)};
    stlclash_options options = stlclash_options_default();
    for (int i = 1; i <= rings; i++) {
        stl_image ring = make_torus(1.6 * i, 0.5, 48, 24);
        image_move(&ring, 0, 0, 0.5 - depths[i]);
        image_join(&image[1], &ring);
        image_free(&ring);
    }
    image_shuffle(&image[1]);
    options.placement[0] = options.placement[1] = placement;
    for (int swapped = 0; swapped < 2; swapped++) {
        stlclash_mesh *a = ask_mesh(&image[swapped]), *b = ask_mesh(&image[1 - swapped]);
        stlclash_result *r = ask_pair(a, b, &options);
        CHECK_INT(r->overlap.region_count, rings + 1);
        for (int i = 0; i <= rings; i++) {
            int found = 0;
            for (size_t k = 0; k < r->overlap.region_count; k++) {
                double depth = r->overlap.regions[k].depth;
                found += fabs(depth - depths[i]) <= 0.0101 * depths[i];
            }
            CHECK(found == 1, "%d of %d rings: %d regions are %g deep", i, rings, found, depths[i]);
        }
        stlclash_result_free(r);
        stlclash_mesh_free(a);
        stlclash_mesh_free(b);
    }
    image_free(&image[0]);
    image_free(&image[1]);
}

TEST(regions_have_depths_of_their_own)
{
    check_rings(1, (double[]){0.4, 0.1}, NULL);
    for (int round = test_rounds(20); round > 0; round--) {
        double depths[MAX_RINGS + 1], placement[16];
        int rings = 1 + test_below(MAX_RINGS);
        for (int i = 0; i <= rings; i++) { /* each by more than its error from all others */
            depths[i] = 0.05 * pow(1.1, i + (MAX_RINGS + 1) * test_below(4));
        }
        ask_placement(placement, 3);
        check_rings(rings, depths, placement);
    }
}

/* A part with a shell in it that is outward as well: what is deepest may lie next to that, which
 * bounds no region, and must not be taken for the depth of the region at the other end. */
static void add_quad(stl_image *to, const float p[4][3])
{
    const float corners[2][9] = {
        {p[0][0], p[0][1], p[0][2], p[1][0], p[1][1], p[1][2], p[2][0], p[2][1], p[2][2]},
        {p[0][0], p[0][1], p[0][2], p[2][0], p[2][1], p[2][2], p[3][0], p[3][1], p[3][2]}};
    stl_image quad = make_facets(corners[0], 2);
    image_join(to, &quad);
    image_free(&quad);
}

/* About the z axis, from half the width `in` to `out` in x and y, from low to high. */
static stl_image make_frame(float in, float out, float low, float high)
{
    stl_image frame = make_facets(NULL, 0);
    for (int k = 0; k < 4; k++) {
        const float x = k == 0 || k == 3 ? -1 : 1, y = k < 2 ? -1 : 1;            /* a corner */
        const float u = k == 0 || k == 1 ? 1 : -1, v = k == 1 || k == 2 ? 1 : -1; /* the next */
        const float a[2] = {x * out, y * out}, b[2] = {u * out, v * out};
        const float c[2] = {x * in, y * in}, d[2] = {u * in, v * in};
        add_quad(&frame, (const float[4][3]){{a[0], a[1], high},
                                             {b[0], b[1], high},
                                             {d[0], d[1], high},
                                             {c[0], c[1], high}});
        add_quad(&frame,
                 (const float[4][3]){
                     {a[0], a[1], low}, {c[0], c[1], low}, {d[0], d[1], low}, {b[0], b[1], low}});
        add_quad(&frame,
                 (const float[4][3]){
                     {a[0], a[1], low}, {b[0], b[1], low}, {b[0], b[1], high}, {a[0], a[1], high}});
        add_quad(&frame,
                 (const float[4][3]){
                     {c[0], c[1], low}, {c[0], c[1], high}, {d[0], d[1], high}, {d[0], d[1], low}});
    }
    return frame;
}

/* A box, its faces divided as those of the frame. */
static stl_image make_crate(float x, float y, float z, float u, float v, float w)
{
    stl_image crate = make_facets(NULL, 0);
    const float faces[6][4][3] = {
        {{x, y, z}, {x, v, z}, {u, v, z}, {u, y, z}}, {{x, y, w}, {u, y, w}, {u, v, w}, {x, v, w}},
        {{x, y, z}, {u, y, z}, {u, y, w}, {x, y, w}}, {{u, y, z}, {u, v, z}, {u, v, w}, {u, y, w}},
        {{u, v, z}, {x, v, z}, {x, v, w}, {u, v, w}}, {{x, v, z}, {x, y, z}, {x, y, w}, {x, v, w}}};
    for (int k = 0; k < 6; k++) {
        add_quad(&crate, faces[k]);
    }
    return crate;
}

/* A post deep in a block, and a frame about it, wall to wall, half a unit deep: where the walls
 * pass the top of the block both regions end. */
TEST(regions_wall_to_wall_keep_their_depths)
{
    for (int i = 0; i < 8; i++) {
        stl_image post = make_crate(-2, -2, 2, 2, 2, 13), frame = make_frame(2, 4, 9.5f, 12);
        stl_image a = make_crate(-26, -23, -20, 25, 31, 10);
        stl_image b = i % 2 ? image_joined(post, frame) : image_joined(frame, post);
        stlclash_mesh *mesh[2] = {ask_mesh(&a), ask_mesh(&b)};
        stlclash_result *r = ask_pair(mesh[0], mesh[1], NULL);
        CHECK_INT(r->overlap.region_count, 2);
        for (size_t k = 0; k < r->overlap.region_count; k++) {
            const stlclash_region *region = &r->overlap.regions[k];
            const double depth = region->volume > 64 ? 8.0 : 0.5;
            CHECK(fabs(region->depth - depth) <= 0.0101 * depth, "%g instead of %g deep",
                  region->depth, depth);
        }
        stlclash_result_free(r);
        for (int k = 0; k < 2; k++) {
            stlclash_mesh_free(mesh[k]);
        }
        image_free(&a);
        image_free(&b);
    }
}

TEST(regions_of_parts_that_overlap_themselves)
{
    for (int round = test_rounds(12); round > 0; round--) {
        const double x = test_uniform(3.2, 5.5), y = test_uniform(0.3, 2.0),
                     z = test_uniform(0.3, 2.0);
        stl_image a = image_joined(box(0, 0, 0, 10, 4, 4, 1),
                                   box(x, y, z, x + test_uniform(0.3, 1.2),
                                       y + test_uniform(0.3, 1.6), z + test_uniform(0.3, 1.6), 1));
        stl_image b = image_joined(box(3, -9, -9, 7, 15, 15, 1), box(9.5, -1, -1, 11, 5, 5, 1));
        stlclash_mesh *mesh[2] = {ask_mesh(&a), ask_mesh(&b)};
        stlclash_options options = stlclash_options_default();
        stlclash_result *r = ask_pair(mesh[0], mesh[1], &options);
        int found = 0;
        for (size_t i = 0; i < r->overlap.region_count; i++) {
            const stlclash_region *region = &r->overlap.regions[i];
            if (fabs(region->volume - 8.0) < 1e-9) { /* x from 9.5 to 10 */
                CHECK(fabs(region->depth - 0.5) <= 0.00501, "%g deep", region->depth);
                found++;
            }
        }
        CHECK_INT(found, 1);
        stlclash_result_free(r);
        for (int i = 0; i < 2; i++) {
            stlclash_mesh_free(mesh[i]);
        }
        image_free(&a);
        image_free(&b);
    }
}

/* From a low end uphill in the first of two parts that are turned alike: to how deep. */
static double climbed(stl_image *a, stl_image *b, const double from[3])
{
    const float at = 1e-3f; /* about `from` */
    const float spot[9] = {(float)from[0] - at, (float)from[1] - at, (float)from[2],
                           (float)from[0] + at, (float)from[1],      (float)from[2] - at,
                           (float)from[0],      (float)from[1] + at, (float)from[2] + at};
    const double turn[3] = {test_uniform(-3, 3), test_uniform(-3, 3), test_uniform(-3, 3)};
    stl_image place = make_facets(spot, 1), *images[] = {a, b, &place};
    for (int i = 0; i < 3; i++) {
        image_turn(images[i], turn[0], turn[1], turn[2]);
    }
    const shape_facet start = image_get(&place, 0);
    couple c;
    couple_make(&c, a, b);
    sc_surface surface[2];
    for (int k = 0; k < 2; k++) {
        surface[k] =
            (sc_surface){.solid = &c.solid[k],
                         .margin = SC_SURFACE_MARGIN * sc_parts_reach(&c.part[0], &c.part[1])};
    }
    sc_vec3 p = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        p.x += (double)start.corner[k][0] / 3;
        p.y += (double)start.corner[k][1] / 3;
        p.z += (double)start.corner[k][2] / 3;
    }
    const double depth = sc_depth_climb(surface, 0, &c.within, 1.0 / 800, INFINITY, &p);
    couple_free(&c);
    for (int i = 0; i < 3; i++) {
        image_free(images[i]);
    }
    return depth;
}

TEST(climbs_follow_ridges_and_walls)
{
    for (int round = test_rounds(30); round > 0; round--) {
        /* Between the flanks of a wedge, up by a tenth of the way. */
        const double wedge[][2] = {{0, -0.5}, {20, -2.5}, {20, 2.5}, {0, 0.5}};
        stl_image a = make_prism(wedge, 4, -20, 20), b = make_crate(-50, -50, -50, 50, 50, 50);
        double depth = climbed(&a, &b, (double[]){2, 0.1, 0});
        CHECK(depth > 0.97 * 2.2625 && depth < 2.2626, "round %d: ridge %g", round, depth);

        /* Along the slope of the other part, again by a tenth. */
        const double slope[][2] = {{-10, -5}, {10, -5}, {10, 3}, {-10, 1}};
        a = make_crate(-60, 0, -60, 60, 200, 60);
        b = make_prism(slope, 4, -4, 4);
        depth = climbed(&a, &b, (double[]){-9, 0.5, 0.3});
        CHECK(depth > 0.97 * 3 && depth < 3.0001, "round %d: wall %g", round, depth);
    }
}
