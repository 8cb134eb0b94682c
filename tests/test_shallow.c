/* test_shallow.c - parts that turn while they touch: an arm on a plate with posts and bumps,
 * of which plane geometry tells what it meets, and when. */
#include "ask.h"
#include "base/alloc.h"
#include "sweeps.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A rectangle in the plane. */
typedef struct rectangle {
    double x, y, along, across, angle; /* centre, half of the sides, of the first side */
} rectangle;

static void corners_of(const rectangle *r, double out[4][2])
{
    const double c = cos(r->angle), s = sin(r->angle);
    for (int i = 0; i < 4; i++) {
        const double u = i % 2 ? r->along : -r->along, v = i / 2 ? r->across : -r->across;
        out[i][0] = r->x + u * c - v * s;
        out[i][1] = r->y + u * s + v * c;
    }
}

/* The largest gap across the sides of p; negative where they overlap that far. */
static double gap_across(const rectangle *p, const rectangle *q)
{
    double at[4][2], most = -INFINITY;
    corners_of(q, at);
    for (int side = 0; side < 2; side++) {
        const double angle = p->angle + side * acos(0.0), half = side ? p->across : p->along;
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < 4; i++) {
            const double h = (at[i][0] - p->x) * cos(angle) + (at[i][1] - p->y) * sin(angle);
            low = fmin(low, h);
            high = fmax(high, h);
        }
        most = fmax(most, fmax(low - half, -half - high));
    }
    return most;
}

static double gap_of(const rectangle *p, const rectangle *q)
{
    return fmax(gap_across(p, q), gap_across(q, p));
}

static rectangle turned(rectangle r, double angle)
{
    const double c = cos(angle), s = sin(angle), x = r.x, y = r.y;
    r.x = c * x - s * y;
    r.y = s * x + c * y;
    r.angle += angle;
    return r;
}

static stl_image block_on(const rectangle *r, double low, double high)
{
    stl_image image = simple_box(-r->along, r->along, -r->across, r->across, low, high);
    image_turn(&image, 0, 0, r->angle);
    image_move(&image, r->x, r->y, 0);
    return image;
}

/* An arm turns on a plate, both placed anyhow, and sunk into it by less than they may be; in its
 * way may be a post, or a bump of some height. */
typedef struct scene {
    stl_image plate, arm;
    stlclash_mesh *mesh[2];
    rectangle foot, post;
    double place[16], end[2][1][16]; /* at the start, and of plate and arm */
    bool both;                       /* the plate turns the other way, for a part of the angle */
    double angle, height, touch_overlap, tolerance;
} scene;

static void make_scene(scene *s, bool flat, bool both)
{
    s->both = both;
    const rectangle ground = {0, 0, 12, 12, 0};
    s->touch_overlap = test_below(2) ? 0.01 : STLCLASH_AUTO;
    s->tolerance = 0.004;
    const double allowed = s->touch_overlap > 0.0 ? s->touch_overlap : 0.0;
    const double sunk = test_below(2) ? 0.25 * allowed : 0.0;
    s->height = !flat ? 1.0 : test_below(2) ? 0.5 * allowed : 2.0 * allowed + 4.0 * s->tolerance;
    s->foot = (rectangle){test_uniform(3, 6), 0, test_uniform(1, 3), test_uniform(0.2, 0.8), 0};
    s->post = (rectangle){test_uniform(3, 9), 0, test_uniform(0.2, 1), test_uniform(0.2, 1), 0};
    s->post = turned(s->post, test_uniform(0.4, 4.0));
    s->angle = test_uniform(0.5, 3.1);
    s->plate = block_on(&ground, -1, 0);
    stl_image post = block_on(&s->post, -0.5, s->height);
    image_join(&s->plate, &post);
    image_free(&post);
    s->arm = block_on(&s->foot, -sunk, 2);
    s->mesh[0] = ask_mesh(&s->plate);
    s->mesh[1] = ask_mesh(&s->arm);
    const double part = s->both ? test_uniform(0.1, 0.9) : 0.0;
    ask_placement(s->place, 20.0);
    for (int i = 0; i < 2; i++) {
        const double angle = s->angle * (i - part), c = cos(angle), d = sin(angle);
        const double turn[16] = {c, -d, 0, 0, d, c, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
        ask_product(s->place, turn, s->end[i][0]);
    }
}

static void scene_free(scene *s)
{
    stlclash_mesh_free(s->mesh[0]);
    stlclash_mesh_free(s->mesh[1]);
    image_free(&s->plate);
    image_free(&s->arm);
}

/* How it moves; options refer to the scene. */
typedef struct turns {
    stlclash_motion turn[2], each;
} turns;

static stlclash_options options_of(const scene *s, turns *t)
{
    stlclash_options options = stlclash_options_default();
    for (int i = 0; i < 2; i++) {
        t->turn[i] = (stlclash_motion){.kind = STLCLASH_SCREW,
                                       .moves = STLCLASH_B,
                                       .placements = (const double(*)[16])s->end[i],
                                       .placement_count = 1,
                                       .tolerance = s->tolerance};
    }
    t->each = (stlclash_motion){.kind = STLCLASH_INDEPENDENT,
                                .each = {&t->turn[0], &t->turn[1]},
                                .tolerance = s->tolerance};
    options.placement[0] = options.placement[1] = s->place;
    options.touch_overlap = s->touch_overlap;
    options.no_overlap = true;
    return options;
}

static stlclash_sweep_result *sweep_scene(const scene *s)
{
    turns t;
    const stlclash_options options = options_of(s, &t);
    return sweep(s->mesh[0], s->mesh[1], &options, s->both ? &t.each : &t.turn[1]);
}

/* When the arm first lies over what stands in its way by so much; beyond 1: never. */
static double time_of_meeting(const scene *s, double by)
{
    const double step = 1e-4;
    double time = 0.0;
    while (time <= 1.0) {
        const rectangle foot = turned(s->foot, time * s->angle);
        if (gap_of(&foot, &s->post) <= -by) {
            break;
        }
        time += step;
    }
    return time;
}

static void check_scene(const scene *s, int *counts)
{
    const bool is_low = s->height <= fmax(s->touch_overlap, 0.0);
    const double deep = 4.0 * s->tolerance;
    const double from = time_of_meeting(s, -1e-3), to = time_of_meeting(s, deep);
    const bool stops = !is_low && to <= 1.0, open = !is_low && !stops && from <= 1.0;
    if (from == 0.0 || open) {
        return; /* in the way at the start, or hardly in the way at all */
    }
    stlclash_sweep_result *r = sweep_scene(s);
    const stlclash_status status = stops ? STLCLASH_CLASH : STLCLASH_CONTACT;
    counts[status]++;
    CHECK(r->status == status, "%s, not %s: height %g", stlclash_status_text(r->status),
          stlclash_status_text(status), s->height);
    CHECK(r->has_contact && r->contact.time == 0.0, "contact at %g", r->contact.time);
    CHECK(!r->has_clash || (r->clash.time >= from - 1e-3 && r->clash.time <= to + 1e-3),
          "a clash at %g, not in %g .. %g", r->clash.time, from, to);
    CHECK(stops || r->steps < 20, "%u poses", (unsigned)r->steps);
    stlclash_sweep_result_free(r);
}

TEST(arms_turn_on_plates_until_a_post_stops_them)
{
    int counts[5] = {0}, rounds = test_long() ? 2000 : test_rounds(60);
    for (int i = 0; i < rounds; i++) {
        scene s;
        make_scene(&s, i % 2 == 0, i / 2 % 2 == 0);
        check_scene(&s, counts);
        scene_free(&s);
    }
    CHECK(TEST_DIVISOR > 1 || (counts[STLCLASH_CLASH] > 5 && counts[STLCLASH_CONTACT] > 5),
          "%d clashes, %d contacts", counts[STLCLASH_CLASH], counts[STLCLASH_CONTACT]);
}

/* A grain smaller than the touch overlap, just under the face of a block, swings like a pendulum:
 * it meets no surface, and lies deep on the way only. */
TEST(what_lies_in_a_part_does_not_stay_shallow)
{
    const double length = 5.0, depth = 0.006, half = 0.002, c = cos(0.2), d = sin(0.2);
    const double lift = length * c - depth;
    const double start[16] = {c, 0, -d, 0, 0, 1, 0, 0, d, 0, c, lift, 0, 0, 0, 1};
    const double end[1][16] = {{c, 0, d, 0, 0, 1, 0, 0, -d, 0, c, lift, 0, 0, 0, 1}};
    stl_image image[2] = {simple_box(-10, 10, -10, 10, -10, 0),
                          simple_box(-half, half, -half, half, -length - half, -length + half)};
    stlclash_mesh *mesh[2] = {ask_mesh(&image[0]), ask_mesh(&image[1])};
    const stlclash_motion motion = {.kind = STLCLASH_SCREW,
                                    .moves = STLCLASH_B,
                                    .placements = end,
                                    .placement_count = 1,
                                    .tolerance = 0.005};
    stlclash_options options = stlclash_options_default();
    options.touch_overlap = 0.01;
    options.placement[1] = start;
    stlclash_sweep_result *r = sweep(mesh[0], mesh[1], &options, &motion);
    CHECK(r->start->status == STLCLASH_CONTACT && r->status == STLCLASH_CLASH,
          "%s at the start, then %s", stlclash_status_text(r->start->status),
          stlclash_status_text(r->status));
    stlclash_sweep_result_free(r);
    for (int i = 0; i < 2; i++) {
        stlclash_mesh_free(mesh[i]);
        image_free(&image[i]);
    }
}

/* The same verdict, or none, with the reason. */
TEST(shallow_turns_survive_failed_allocations)
{
    for (int both = 0; both < 2; both++) {
        scene s;
        do {
            make_scene(&s, false, both != 0);
        } while (s.touch_overlap < 0.0 && (scene_free(&s), true));
        stlclash_sweep_result *whole = sweep_scene(&s);
        turns t;
        const stlclash_options options = options_of(&s, &t);
        const stlclash_motion *motion = both ? &t.each : &t.turn[1];
        int failures = 0;
        for (unsigned long n = 1, done = 0; !done; n += n < 60 ? 1 : n / 8) {
            stlclash_sweep_result *r = NULL;
            stlclash_error error;
            sc_alloc_fail_at(n);
            const stlclash_code code =
                stlclash_sweep(s.mesh[0], s.mesh[1], &options, motion, &r, &error);
            done = sc_alloc_fail_at(0) < n;
            CHECK(code == STLCLASH_E_MEMORY || (code == STLCLASH_OK && r->status == whole->status),
                  "code %d", code);
            failures += code != STLCLASH_OK;
            stlclash_sweep_result_free(r);
        }
        CHECK(failures > 20, "only %d failures", failures);
        stlclash_sweep_result_free(whole);
        scene_free(&s);
    }
}
