/* test_motion.c - parts that move: what must not matter, and what is refused or given up. */
#include "ask.h"
#include "base/alloc.h"
#include "motion/paths.h"
#include "sweeps.h"
#include "test.h"

#include <math.h>
#include <string.h>

/* The same scene in other units. */
TEST(screw_motions_do_not_depend_on_the_scale)
{
    for (int exponent = -60; exponent <= 60; exponent += 20) {
        double scale = ldexp(1, exponent);
        const double end[1][16] = {{0, -1, 0, 0, 1, 0, 0, 4 * scale, 0, 0, 1, scale, 0, 0, 0, 1}};
        double start[16] = {0.6, -0.8, 0, 4 * scale, 0.8, 0.6, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
        stl_image image = make_box((double[]){0, 0, 0}, (double[]){scale, scale, scale}, 1);
        stlclash_mesh *mesh = ask_mesh(&image);
        stlclash_options options = ask_usual();
        stlclash_motion motion = {
            .kind = STLCLASH_SCREW, .moves = STLCLASH_B, .placements = end, .placement_count = 1};
        options.placement[1] = start;
        stlclash_sweep_result *r = sweep(mesh, mesh, &options, &motion);
        CHECK(r->status == STLCLASH_CLEAR, "scale 2^%d: %s", exponent,
              stlclash_status_text(r->status));
        stlclash_sweep_result_free(r);
        stlclash_mesh_free(mesh);
        image_free(&image);
    }
}

TEST(motions_that_clash_from_the_start_are_told_all_the_same)
{
    const double end[1][16] = {{0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0.5, 0, 0, 0, 1}};
    stl_image image = make_box((double[]){0, 0, 0}, (double[]){1, 1, 1}, 1);
    stlclash_mesh *mesh = ask_mesh(&image);
    stlclash_options options = ask_usual();
    stlclash_motion motion = {.kind = STLCLASH_SCREW,
                              .moves = STLCLASH_B,
                              .placements = end,
                              .placement_count = 1,
                              .tolerance = 0.01};
    stlclash_sweep_result *r = sweep(mesh, mesh, &options, &motion);
    CHECK(r->status == STLCLASH_CLASH && r->tolerance == 0.01, "%s, tolerance %g",
          stlclash_status_text(r->status), r->tolerance);
    CHECK(r->screw_count == 1 && fabs(r->screws[0].shift - 0.5) < 1e-15, "%zu screws",
          r->screw_count);
    stlclash_sweep_result_free(r);
    stlclash_mesh_free(mesh);
    image_free(&image);
}

static bool stop(void *context, double done)
{
    (void)done;
    return --*(int *)context > 0;
}

TEST(motions_that_are_given_up_are_undecided)
{
    loaded a = load_part("block.stl"), b = load_part("peg_clear.stl");
    double end[1][16] = {{0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
    for (int kind = 0; kind < 3; kind++) {
        stlclash_motion motion = {.kind = (stlclash_motion_kind)kind,
                                  .way = {{0, 0, 0}, {0, 0, 5}},
                                  .moves = STLCLASH_B,
                                  .placements = (const double(*)[16])end,
                                  .placement_count = 1,
                                  .end = b.mesh};
        for (int calls = 1; calls < 4; calls++) {
            int left = calls;
            stlclash_options options = stlclash_options_default();
            options.progress = stop;
            options.progress_context = &left;
            stlclash_sweep_result *r = sweep(a.mesh, b.mesh, &options, &motion);
            if (r && left <= 0) {
                CHECK(r->status == STLCLASH_UNDECIDED && !r->pass, "kind %d: %s", kind,
                      stlclash_status_text(r->status));
                CHECK(r->note_count > 0, "kind %d: no note", kind);
            }
            stlclash_sweep_result_free(r);
        }
    }
    unload(&a);
    unload(&b);
}

typedef struct asked {
    int asked, most; /* how often, before it is enough */
} asked;

static bool ask_for_more(void *context)
{
    asked *a = context;
    return ++a->asked < a->most;
}

/* However few facets move: one block of them may pass by all of the other part. */
TEST(vertex_paths_ask_whether_to_go_on_within_a_block)
{
    stl_image image[3] = {make_box((double[]){0, 0, -1}, (double[]){10, 10, 0}, 12),
                          simple_box(-3, -1, 1, 9, 0.01, 1), simple_box(11, 13, 1, 9, 0.01, 1)};
    stlclash_mesh *mesh[3];
    sc_part part[2];
    stlclash_error error;
    for (int i = 0; i < 3; i++) {
        image_turn(&image[i], 0.7, 0.6, 0);
        mesh[i] = ask_mesh(&image[i]);
    }
    for (int i = 0; i < 2; i++) {
        CHECK(sc_part_place(mesh[i], NULL, "a part", &part[i], &error) == STLCLASH_OK, "placed");
    }
    for (int most = 3; most < 100000; most *= 10000) {
        asked a = {0, most};
        sc_paths paths = {.rests = &part[0],
                          .moves = &part[1],
                          .end = mesh[2],
                          .tolerance = 0.01,
                          .poll = {ask_for_more, &a}};
        CHECK(sc_paths_meet(&paths, &error) == STLCLASH_OK, "most %d", most);
        CHECK(paths.stopped == (most == 3), "most %d: stopped %d", most, paths.stopped);
        CHECK(most == 3 ? a.asked == 3 : a.asked > 50, "most %d: asked %d", most, a.asked);
    }
    for (int i = 0; i < 3; i++) {
        stlclash_mesh_free(mesh[i]);
        image_free(&image[i]);
    }
}

TEST(wrong_motions_are_refused)
{
    loaded a = load_part("cube.stl"), b = load_part("cube_apart.stl"), c = load_part("tetra.stl");
    double bent[1][16], huge[1][16];
    memcpy(bent[0], ask_identity, sizeof bent[0]);
    memcpy(huge[0], ask_identity, sizeof huge[0]);
    bent[0][0] = 1.1;
    huge[0][3] = 1e300;
    const stlclash_motion shift = {.kind = STLCLASH_STRAIGHT, .way = {{1, 0, 0}}};
    const stlclash_motion too_far = {.kind = STLCLASH_STRAIGHT, .way = {{1e300, 0, 0}}};
    const stlclash_motion nested = {.kind = STLCLASH_INDEPENDENT, .each = {&shift, &shift}};
    const struct wrong {
        stlclash_motion motion;
        stlclash_code code;
    } wrong[] = {
        {{.kind = STLCLASH_STRAIGHT, .way = {{0, 0, 0}, {NAN, 0, 0}}}, STLCLASH_E_RANGE},
        {{.kind = STLCLASH_STRAIGHT, .way = {{1e300, 0, 0}, {0, 0, 0}}}, STLCLASH_E_RANGE},
        {{.kind = STLCLASH_STRAIGHT, .tolerance = -1}, STLCLASH_E_ARGUMENT},
        {{.kind = STLCLASH_SCREW, .moves = STLCLASH_B}, STLCLASH_E_ARGUMENT},
        {{.kind = STLCLASH_SCREW,
          .placements = (const double(*)[16])bent,
          .placement_count = 1,
          .moves = STLCLASH_B},
         STLCLASH_E_ARGUMENT},
        {{.kind = STLCLASH_SCREW,
          .placements = (const double(*)[16])huge,
          .placement_count = 1,
          .moves = STLCLASH_B},
         STLCLASH_E_RANGE},
        {{.kind = STLCLASH_SCREW, .placements = (const double(*)[16])bent, .placement_count = 1},
         STLCLASH_E_ARGUMENT},
        {{.kind = STLCLASH_VERTEX_PATHS, .moves = STLCLASH_B}, STLCLASH_E_ARGUMENT},
        {{.kind = STLCLASH_VERTEX_PATHS, .moves = STLCLASH_B, .end = c.mesh}, STLCLASH_E_ARGUMENT},
        {{.kind = STLCLASH_INDEPENDENT}, STLCLASH_E_ARGUMENT},
        {{.kind = STLCLASH_INDEPENDENT, .each = {&shift, NULL}}, STLCLASH_E_ARGUMENT},
        {{.kind = STLCLASH_INDEPENDENT, .each = {&shift, &nested}}, STLCLASH_E_ARGUMENT},
        {{.kind = STLCLASH_INDEPENDENT, .each = {&shift, &too_far}}, STLCLASH_E_RANGE},
        {{.kind = STLCLASH_INDEPENDENT, .each = {&shift, &shift}, .tolerance = NAN},
         STLCLASH_E_ARGUMENT},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        stlclash_sweep_result *result = (void *)&a;
        stlclash_error error = {.text = ""};
        stlclash_code code =
            stlclash_sweep(a.mesh, b.mesh, NULL, &wrong[i].motion, &result, &error);
        CHECK(code == wrong[i].code && !result && error.text[0], "motion %zu: %s, \"%s\"", i,
              stlclash_code_text(code), error.text);
    }
    const stlclash_motion unknown = {.kind = (stlclash_motion_kind)7};
    stlclash_sweep_result *result;
    stlclash_error error;
    CHECK_INT(stlclash_sweep(a.mesh, b.mesh, NULL, &unknown, &result, &error), STLCLASH_E_ARGUMENT);
    CHECK(strstr(error.text, "no known kind"), "%s", error.text);
    unload(&a);
    unload(&b);
    unload(&c);
}

TEST(motions_survive_failed_allocations)
{
    double end[1][16] = {{0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
    const stlclash_motion turn = {
        .kind = STLCLASH_SCREW, .placements = (const double(*)[16])end, .placement_count = 1};
    for (int kind = 0; kind < 4; kind++) {
        loaded a = load_part("cube.stl"), b = load_part("cube_apart.stl");
        loaded to = load_part("cube_shifted.stl");
        int failures = 0;
        const stlclash_motion path = {.kind = STLCLASH_VERTEX_PATHS, .end = to.mesh};
        stlclash_motion motion = {.kind = (stlclash_motion_kind)kind,
                                  .way = {{0, 0, 0}, {-0.5, 0, 0}},
                                  .moves = STLCLASH_B,
                                  .placements = (const double(*)[16])end,
                                  .placement_count = 1,
                                  .end = to.mesh,
                                  .each = {&turn, &path}};
        stlclash_error error;
        stlclash_sweep_result *whole = NULL;
        stlclash_code code = stlclash_sweep(a.mesh, b.mesh, NULL, &motion, &whole, &error);
        CHECK_INT(code, STLCLASH_OK);
        for (unsigned long n = 1, done = 0; !done; n += test_long() || n < 100 ? 1 : n / 10) {
            stlclash_sweep_result *result = NULL;
            sc_alloc_fail_at(n);
            code = stlclash_sweep(a.mesh, b.mesh, NULL, &motion, &result, &error);
            done = sc_alloc_fail_at(0) < n;
            CHECK(code == STLCLASH_OK || (code == STLCLASH_E_MEMORY && !done),
                  "allocation %lu gives %s", n, stlclash_code_text(code));
            CHECK((code == STLCLASH_OK) == (result != NULL), "allocation %lu: result", n);
            CHECK(!result ||
                      (result->status == whole->status && result->clash.time == whole->clash.time),
                  "allocation %lu: %s at %g, not %s at %g", n, stlclash_status_text(result->status),
                  result->clash.time, stlclash_status_text(whole->status), whole->clash.time);
            failures += code != STLCLASH_OK;
            stlclash_sweep_result_free(result);
        }
        stlclash_sweep_result_free(whole);
        CHECK(failures > 20, "only %d failures", failures);
        unload(&a);
        unload(&b);
        unload(&to);
    }
}

/* Beside a way of any length the parts are as near as they are, where they leave each other as well
 * as where one passes by the other. */
TEST(long_ways_round_no_distance)
{
    loaded a = load_part("cube.stl"), b = load_part("cube_apart.stl");
    static const double directions[][3] = {{1, 0, 0},      {0, 0, 1},  {1, 1, 0},  {1, 0.1, 0.2},
                                           {0.001, 0, -1}, {0, -1, 1}, {0.5, 1, 1}};
    double aside[16];
    memcpy(aside, ask_identity, sizeof aside);
    aside[3] = -5; /* beside the other one, 0.0625 higher than it is high */
    aside[11] = 1.0625;
    for (int exponent = 3; exponent <= 57; exponent += 3) {
        const double length = pow(10, exponent);
        for (size_t i = 0; i <= sizeof directions / sizeof directions[0]; i++) {
            const bool passes = i == sizeof directions / sizeof directions[0];
            const double *way = directions[passes ? 0 : i];
            stlclash_motion motion = {.kind = STLCLASH_STRAIGHT};
            for (int k = 0; k < 3; k++) {
                motion.way[1][k] = length * way[k];
            }
            stlclash_options o = stlclash_options_default();
            o.placement[1] = passes ? aside : NULL;
            stlclash_sweep_result *r;
            stlclash_error error;
            CHECK_INT(stlclash_sweep(a.mesh, b.mesh, &o, &motion, &r, &error), STLCLASH_OK);
            const double distance = r->approach.separation.distance;
            CHECK(r->status == STLCLASH_CLEAR && r->pass && r->has_approach &&
                      distance == (passes ? 0.0625 : 0.125) && r->approach_error == 0.0,
                  "direction %zu, 1e%d: %s, %.17g", i, exponent, stlclash_status_text(r->status),
                  distance);
            stlclash_sweep_result_free(r);
        }
    }
    unload(&a);
    unload(&b);
}

/* That they pass by each other on an oblique way, too, between edges. */
TEST(long_ways_round_no_closest_approach)
{
    loaded a = load_part("cube.stl"), b = load_part("cube_apart.stl");
    double aside[16], expected = 0.0;
    memcpy(aside, ask_identity, sizeof aside);
    aside[3] = -5;
    aside[7] = 0.25;
    aside[11] = 4;
    for (int exponent = 3; exponent <= 180; exponent++) {
        stlclash_motion motion = {
            .kind = STLCLASH_STRAIGHT,
            .way[1] = {ldexp(1, exponent), ldexp(0.0625, exponent), ldexp(-0.4375, exponent)}};
        stlclash_options o = stlclash_options_default();
        o.placement[1] = aside;
        stlclash_sweep_result *r;
        stlclash_error error;
        CHECK_INT(stlclash_sweep(a.mesh, b.mesh, &o, &motion, &r, &error), STLCLASH_OK);
        const double distance = r->approach.separation.distance;
        expected = exponent == 3 ? distance : expected;
        CHECK(r->status == STLCLASH_CLEAR && fabs(distance - expected) < 1e-13 * expected &&
                  r->approach_error == 0.0,
              "2^%d: %s, %.17g", exponent, stlclash_status_text(r->status), distance);
        stlclash_sweep_result_free(r);
    }
    unload(&a);
    unload(&b);
}

/* Past each other along edges of both, which a turn leaves along the way but for rounding: they are
 * as near as is told when it is told. */
TEST(parts_that_pass_are_nearest_when_they_are_told_to_be)
{
    stl_image image = make_box((double[]){0, 0, 0}, (double[]){1, 1, 1}, 1);
    stlclash_mesh *mesh = ask_mesh(&image);
    for (int i = 0; i < test_rounds(200); i++) {
        const double shift[3] = {test_uniform(4, 5), 2, 0.5 * test_below(5)};
        const double way = -shift[0] - test_below(3);
        double place[2][16];
        stlclash_options o = ask_usual();
        stlclash_motion motion = {.kind = STLCLASH_STRAIGHT};
        ask_placement(place[0], 5);
        memcpy(place[1], place[0], sizeof place[1]);
        for (int k = 0; k < 3; k++) {
            for (int m = 0; m < 3; m++) {
                place[1][4 * k + 3] += place[0][4 * k + m] * shift[m];
            }
            motion.way[1][k] = place[0][4 * k] * way;
        }
        o.placement[0] = place[0];
        o.placement[1] = place[1];
        stlclash_sweep_result *r = sweep(mesh, mesh, &o, &motion);
        const double along = shift[0] + r->approach.time * way;
        const double gap[3] = {fmax(fabs(along) - 1, 0), 1, fmax(shift[2] - 1, 0)};
        const double expected = sqrt(gap[0] * gap[0] + gap[1] * gap[1] + gap[2] * gap[2]);
        const double distance = r->approach.separation.distance;
        CHECK(r->status == STLCLASH_CLEAR && r->has_approach && fabs(distance - expected) < 1e-9,
              "round %d: %.9g at %.9g, not %.9g", i, distance, r->approach.time, expected);
        stlclash_sweep_result_free(r);
    }
    stlclash_mesh_free(mesh);
    image_free(&image);
}
