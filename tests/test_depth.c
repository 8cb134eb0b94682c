/* test_depth.c - the depth of overlap: analytic answers, dense samples, and what must not
 * change it. */
#include "ask.h"
#include "base/alloc.h"
#include "couple.h"
#include "test.h"

#include <math.h>
#include <string.h>

/* ---- known answers -------------------------------------------------------------- */

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

/* How deep the deepest point between two lies in a ball: it rises all the way, then falls. */
static double deepest_between(const couple *c, sc_vec3 from, sc_vec3 to)
{
    double low = 0.0, high = 1.0, least = 0.0, winding;
    while (high - low > 0x1p-40) {
        const double t[2] = {low + (high - low) / 3.0, high - (high - low) / 3.0};
        double depth[2];
        for (int i = 0; i < 2; i++) {
            depth[i] = probe(c->mesh[0], sc_mul_add(from, t[i], sc_sub(to, from)), &winding);
        }
        low = depth[0] < depth[1] ? t[0] : low;
        high = depth[0] < depth[1] ? high : t[1];
        least = fmax(depth[0], depth[1]);
    }
    return least;
}

/* A cube in a ball, an edge of it nearest to the middle: found closely, not from either side. */
TEST(deepest_points_on_edges_are_found)
{
    for (int i = 0; i < test_rounds(8); i++) {
        stl_image a = make_sphere(5, 20), b = simple_box(0, 1, 0, 1, 0, 1);
        const double x = test_uniform(0.1, 0.6), y = test_uniform(-0.7, -0.3), z = x;
        image_move(&b, x, y, z);
        couple c;
        couple_make(&c, &a, &b);
        const sc_vec3 from = {as_float(x), as_float(y), as_float(z)};
        const sc_vec3 to = {from.x, as_float(1.0 + y), from.z};
        const double expected = deepest_between(&c, from, to);
        const sc_depth d = find(&c, 0.01, -1);
        CHECK(d.depth >= expected * (1.0 - 1e-7), "%.17g, %.17g on the edge", d.depth, expected);
        couple_free(&c);
        image_free(&a);
        image_free(&b);
    }
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

/* ---- samples -------------------------------------------------------------------- */

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

/* ---- odd requests --------------------------------------------------------------- */

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
    enum { ENOUGH = 3 };
    int between = 0;
    for (int round = 0; round < 500 && between < ENOUGH; round++) {
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
    CHECK(between == ENOUGH, "only %d limits to be settled", between);
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

    image_free(&a);
    image_free(&b);
}

/* Up to the last way up, on which facets may be looked at that nothing came near before. */
TEST(depth_where_each_allocation_fails_once)
{
    for (uint32_t round = 0; round < (TEST_DIVISOR > 1 ? 4 : 16); round++) {
        stl_image a = make_bumpy(1, 12 + 2 * round), b = make_bumpy(0.9, 11 + 2 * round);
        image_move(&b, test_uniform(.2, 1.6), test_uniform(-.5, .5), test_uniform(-.5, .5));
        bool found = false;
        for (unsigned long n = 1; n < 400 && !found; n++) {
            couple c;
            sc_depth d;
            couple_make(&c, &a, &b);
            const sc_depth_request request = {.solid = {&c.solid[0], &c.solid[1]},
                                              .within = c.within,
                                              .relative_error = round % 2 ? 0.9 : 0.3,
                                              .threshold = -1,
                                              .budget = UINT64_MAX};
            sc_alloc_fail_at(n);
            found = sc_depth_find(&request, &d);
            unsigned long made = sc_alloc_fail_at(0);
            CHECK(found == (made < n), "round %u: allocation %lu of %lu", round, n, made);
            couple_free(&c);
        }
        image_free(&a);
        image_free(&b);
    }
}
