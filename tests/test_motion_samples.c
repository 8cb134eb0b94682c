/* test_motion_samples.c - motions of sample parts of which the first contact is known. */
#include "ask.h"
#include "sweeps.h"
#include "test.h"

#include <math.h>
#include <string.h>

static const struct known {
    const char *what, *a, *b;
    double at[3], way[3]; /* of B */
    stlclash_status status;
    double contact; /* way to the first contact, or -1 */
    double clash;   /* way to where they begin to overlap, or -1 */
    double nearest; /* least distance, or -1 where they meet */
} known[] = {
    {"peg through its hole",
     "block.stl",
     "peg_clear.stl",
     {0, 0, 30},
     {0, 0, -60},
     STLCLASH_CLEAR,
     -1,
     -1,
     0.203125},
    {"peg onto the block beside its hole",
     "block.stl",
     "peg_clear.stl",
     {12, 0, 30},
     {0, 0, -60},
     STLCLASH_CLASH,
     15,
     15,
     -1},
    {"too thick a peg",
     "block.stl",
     "peg_clash.stl",
     {0, 0, 20},
     {0, 0, -20},
     STLCLASH_CLASH,
     5,
     5,
     -1},
    {"peg with a head, until it sits",
     "block.stl",
     "peg_contact.stl",
     {0, 0, 20},
     {0, 0, -20},
     STLCLASH_CONTACT,
     20,
     -1,
     -1},
    {"peg with a head, too far",
     "block.stl",
     "peg_contact.stl",
     {0, 0, 20},
     {0, 0, -32},
     STLCLASH_CLASH,
     20,
     20,
     -1},
    {"peg with a head, lifted",
     "block.stl",
     "peg_contact.stl",
     {0, 0, 0},
     {0, 0, 20},
     STLCLASH_CONTACT,
     0,
     -1,
     -1},
    {"peg with a head, pushed from where it sits",
     "block.stl",
     "peg_contact.stl",
     {0, 0, 0},
     {0, 0, -1},
     STLCLASH_CLASH,
     0,
     0,
     -1},
    {"lid, until it sits",
     "tray.stl",
     "lid.stl",
     {0, 0, 0},
     {0, 0, -10},
     STLCLASH_CONTACT,
     10,
     -1,
     -1},
    {"lid, too far", "tray.stl", "lid.stl", {0, 0, 0}, {0, 0, -16}, STLCLASH_CLASH, 10, 10, -1},
    {"lid, its plug onto the rim",
     "tray.stl",
     "lid.stl",
     {0.5, 0, 0},
     {0, 0, -10},
     STLCLASH_CLASH,
     7,
     7,
     -1},
    {"lid, stopped short",
     "tray.stl",
     "lid.stl",
     {0, 0, 0},
     {0, 0, -9.875},
     STLCLASH_CLEAR,
     -1,
     -1,
     0.125},
    {"lid, slid off its seat",
     "tray.stl",
     "lid.stl",
     {0, 0, -10},
     {0.25, 0, 0},
     STLCLASH_CONTACT,
     0,
     -1,
     -1},
    {"lid, slid into the wall",
     "tray.stl",
     "lid.stl",
     {0, 0, -10},
     {0.5, 0, 0},
     STLCLASH_CLASH,
     0,
     0.25,
     -1},
    {"dovetail, slid home",
     "dovetail_rail.stl",
     "dovetail_slide.stl",
     {0, 0, 0},
     {0, 45, 0},
     STLCLASH_CONTACT,
     5,
     -1,
     -1},
    {"dovetail, slid through",
     "dovetail_rail.stl",
     "dovetail_slide.stl",
     {0, 0, 0},
     {0, 128, 0},
     STLCLASH_CONTACT,
     5,
     -1,
     -1},
    {"dovetail, lifted out",
     "dovetail_rail.stl",
     "dovetail_slide.stl",
     {0, 45, 0},
     {0, 0, 10},
     STLCLASH_CLASH,
     0,
     0,
     -1},
    {"dovetail, from above",
     "dovetail_rail.stl",
     "dovetail_slide.stl",
     {0, 45, 20},
     {0, 0, -14},
     STLCLASH_CLASH,
     12,
     12,
     -1},
    {"bayonet, through the slots",
     "bayonet_plate.stl",
     "bayonet_plug.stl",
     {0, 0, 0},
     {0, 0, -14},
     STLCLASH_CLEAR,
     -1,
     -1,
     0.5},
    {"one cube through the other",
     "cube.stl",
     "cube_touch.stl",
     {1, 0, 0},
     {-8, 0, 0},
     STLCLASH_CLASH,
     1,
     1,
     -1},
    {"one cube along the other",
     "cube.stl",
     "cube_touch.stl",
     {0, 4, 0},
     {0, -8, 0},
     STLCLASH_CONTACT,
     3,
     -1,
     -1},
    {"edge along edge",
     "cube.stl",
     "cube_touch.stl",
     {0, 1, 4},
     {0, 0, -8},
     STLCLASH_CONTACT,
     3,
     -1,
     -1},
    {"a cube that passes unseen between two poses",
     "cube.stl",
     "cube_inner.stl",
     {100, 0, 0},
     {-200, 0, 0},
     STLCLASH_CLASH,
     99.25,
     99.25,
     -1},
    {"no way at all",
     "cube.stl",
     "cube_apart.stl",
     {0, 0, 0},
     {0, 0, 0},
     STLCLASH_CLEAR,
     -1,
     -1,
     0.125},
};

/* A's way is added to both, so that seen from each other they move the same. */
static void check_known(const struct known *k, bool swapped, double extra)
{
    loaded a = load_part(k->a), b = load_part(k->b);
    stlclash_options options = stlclash_options_default();
    stlclash_motion motion = {.kind = STLCLASH_STRAIGHT};
    double placement[16], length = 0.0;
    memcpy(placement, ask_identity, sizeof placement);
    for (int i = 0; i < 3; i++) {
        placement[4 * i + 3] = k->at[i];
        motion.way[!swapped][i] = k->way[i] + extra;
        motion.way[swapped][i] = extra;
        length += k->way[i] * k->way[i];
    }
    length = sqrt(length);
    options.placement[!swapped] = placement;
    stlclash_sweep_result *r = swapped ? sweep(b.mesh, a.mesh, &options, &motion)
                                       : sweep(a.mesh, b.mesh, &options, &motion);
    if (r) {
        CHECK_STRING(stlclash_status_text(r->status), stlclash_status_text(k->status));
        CHECK(r->has_contact == (k->contact >= 0), "%s: contact %d", k->what, r->has_contact);
        CHECK(r->has_clash == (k->clash >= 0), "%s: clash %d", k->what, r->has_clash);
        CHECK(r->has_approach == (k->nearest >= 0), "%s: approach %d", k->what, r->has_approach);
        CHECK(!r->has_contact || fabs(r->contact.travelled - k->contact) <= 1e-12 * length,
              "%s: contact after %.17g", k->what, r->contact.travelled);
        CHECK(!r->has_contact || r->contact.time == 0.0 ||
                  fabs(r->contact.time * length - k->contact) <= 1e-12 * length,
              "%s: contact at %.17g", k->what, r->contact.time);
        CHECK(!r->has_clash || fabs(r->clash.travelled - k->clash) <= 1e-12 * length,
              "%s: clash after %.17g", k->what, r->clash.travelled);
        CHECK(!r->has_approach || r->approach.separation.distance == k->nearest,
              "%s: nearest %.17g", k->what, r->approach.separation.distance);
        CHECK(r->pass == (k->status >= STLCLASH_CONTACT), "%s: pass %d", k->what, r->pass);
    }
    stlclash_sweep_result_free(r);
    unload(&a);
    unload(&b);
}

TEST(straight_motions_of_sample_parts)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        check_known(&known[i], false, 0.0);
        check_known(&known[i], true, 0.0);
        check_known(&known[i], false, 8.0);
    }
}

static stlclash_sweep_result *sweep_waypoints(const char *file_a, const char *file_b,
                                              const double (*placements)[16], size_t count,
                                              double tolerance)
{
    loaded a = load_part(file_a), b = load_part(file_b);
    stlclash_options options = stlclash_options_default();
    stlclash_motion motion = {.kind = STLCLASH_SCREW,
                              .moves = STLCLASH_B,
                              .placements = placements,
                              .placement_count = count,
                              .tolerance = tolerance};
    stlclash_sweep_result *r = sweep(a.mesh, b.mesh, &options, &motion);
    unload(&a);
    unload(&b);
    return r;
}

/* Down through the slots, a quarter turn, and up against the plate's underside: the bar's top
 * is at z = 13 - 14 = -1 then. */
TEST(bayonet_locks_after_a_quarter_turn)
{
    double way[3][16];
    for (int i = 0; i < 3; i++) {
        memcpy(way[i], ask_identity, sizeof way[i]);
        way[i][11] = -14;
    }
    double quarter[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1};
    for (int i = 1; i < 3; i++) {
        for (int k = 0; k < 9; k++) {
            way[i][k / 3 * 4 + k % 3] = quarter[k];
        }
    }
    way[2][11] = -10; /* 4 up: the last leg's first quarter brings it against the plate */
    stlclash_sweep_result *r =
        sweep_waypoints("bayonet_plate.stl", "bayonet_plug.stl", (const double(*)[16])way, 3, 0.0);
    if (r) {
        CHECK_STRING(stlclash_status_text(r->status), "clash");
        CHECK_INT(r->screw_count, 3);
        double right = (2.0 + 0.25) / 3.0;
        CHECK(r->contact.time <= right && r->contact.time >= right - 1e-6, "contact at %.17g",
              r->contact.time);
        CHECK(fabs(r->screws[1].angle - 1.5707963267948966) < 1e-15 && r->screws[1].shift == 0,
              "screw %.17g %.17g", r->screws[1].angle, r->screws[1].shift);
    }
    stlclash_sweep_result_free(r);

    way[2][11] = -13.5; /* stops short of it, by 0.5 */
    r = sweep_waypoints("bayonet_plate.stl", "bayonet_plug.stl", (const double(*)[16])way, 3, 0.0);
    CHECK(!r || r->status == STLCLASH_CLEAR, "%s", stlclash_status_text(r->status));
    CHECK(!r || fabs(r->approach.separation.distance - 0.5) < 1e-9, "nearest %.17g",
          r->approach.separation.distance);
    stlclash_sweep_result_free(r);
}

/* Times tell no more than 2^-53 of the way apart: what comes back from so far that it is by the
 * other part between two of them was not looked at there. */
TEST(ways_too_long_to_be_followed_are_undecided)
{
    for (double far = 1e6; far < 1e16; far *= 1e7) {
        const bool too_far = far > 1e6;
        double way[2][16];
        memcpy(way[0], ask_identity, sizeof way[0]);
        memcpy(way[1], ask_identity, sizeof way[1]);
        way[0][1] = way[1][1] = -1e-9; /* without any turn that would be decided exactly */
        way[0][4] = way[1][4] = 1e-9;
        way[0][3] = far; /* off, then back and through the other cube */
        way[1][3] = -far;
        stlclash_sweep_result *r =
            sweep_waypoints("cube.stl", "cube_touch.stl", (const double(*)[16])way, 2, 0.0);
        CHECK_STRING(stlclash_status_text(r->status), too_far ? "undecided" : "clash");
        CHECK(!too_far || (r->note_count == 1 && strcmp(r->notes[0], "motion_steps") == 0),
              "%g: no note", far);
        stlclash_sweep_result_free(r);
    }
}

/* A lid that turns on its seat: it touches all the time and is never known to overlap. */
TEST(turning_on_a_seat_is_contact)
{
    double end[1][16];
    memcpy(end[0], ask_identity, sizeof end[0]);
    double c = cos(0.6), s = sin(0.6);
    end[0][0] = end[0][5] = c;
    end[0][1] = -s;
    end[0][4] = s;
    stlclash_sweep_result *r =
        sweep_waypoints("block.stl", "peg_contact.stl", (const double(*)[16])end, 1, 0.05);
    if (r) {
        CHECK_STRING(stlclash_status_text(r->status), "contact");
        CHECK(r->has_contact && r->contact.time == 0.0, "contact at %g", r->contact.time);
    }
    stlclash_sweep_result_free(r);
}

TEST(clearance_applies_to_the_whole_way)
{
    loaded a = load_part("tray.stl"), b = load_part("lid.stl");
    stlclash_options options = stlclash_options_default();
    stlclash_motion motion = {.kind = STLCLASH_STRAIGHT, .way = {{0, 0, 0}, {0, 0, -9.875}}};
    options.clearance = 0.125;
    stlclash_sweep_result *r = sweep(a.mesh, b.mesh, &options, &motion);
    CHECK(!r || (r->status == STLCLASH_CLEAR && r->pass), "%s", stlclash_status_text(r->status));
    stlclash_sweep_result_free(r);
    options.clearance = 0.13;
    r = sweep(a.mesh, b.mesh, &options, &motion);
    CHECK(!r || (r->status == STLCLASH_NEAR && !r->pass), "%s", stlclash_status_text(r->status));
    CHECK(!r || r->approach.time == 1.0, "nearest at %g", r->approach.time);
    stlclash_sweep_result_free(r);
    options.quick = true;
    r = sweep(a.mesh, b.mesh, &options, &motion);
    CHECK(!r || (r->status == STLCLASH_NEAR && !r->pass), "%s", stlclash_status_text(r->status));
    stlclash_sweep_result_free(r);
    motion.way[1][2] = -3;
    r = sweep(a.mesh, b.mesh, &options, &motion);
    CHECK(!r || (r->status == STLCLASH_CLEAR && r->pass), "%s", stlclash_status_text(r->status));
    stlclash_sweep_result_free(r);
    unload(&a);
    unload(&b);
}

/* A square bar that turns by a quarter: its edges come nearer to a wall than its faces are. What
 * comes close to the clearance is looked at until it is told from that, or near for certain. */
TEST(turns_just_beyond_the_clearance_are_clear)
{
    static const double beyond[] = {0.064, 0.016, 0.004, 0.002, 1e-4, 1e-5, -1e-5, -0.002, -0.064};
    const double quarter[1][16] = {{0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
    const double nearest = 2 - 1.4142135623730951, tolerance = 8e-4;
    stl_image wall = simple_box(2, 3, -4, 4, -4, 4), bar = cube(-1, 1);
    stlclash_mesh *mesh[2] = {ask_mesh(&wall), ask_mesh(&bar)};
    for (size_t i = 0; i < sizeof beyond / sizeof beyond[0]; i++) {
        stlclash_options options = stlclash_options_default();
        stlclash_motion motion = {.kind = STLCLASH_SCREW,
                                  .moves = STLCLASH_B,
                                  .placements = quarter,
                                  .placement_count = 1,
                                  .tolerance = tolerance};
        options.clearance = nearest - beyond[i];
        stlclash_sweep_result *r = sweep(mesh[0], mesh[1], &options, &motion);
        const double distance = r->approach.separation.distance, error = r->approach_error;
        CHECK(r->status == STLCLASH_CLEAR ? beyond[i] > -1e-6
                                          : r->status == STLCLASH_NEAR && beyond[i] < tolerance,
              "clearance %g: %s", options.clearance, stlclash_status_text(r->status));
        CHECK(r->pass == (r->status == STLCLASH_CLEAR) &&
                  (!r->pass || distance - error >= options.clearance - 1e-6),
              "clearance %g: passes at %g within %g", options.clearance, distance, error);
        CHECK(distance >= nearest - 1e-9 && distance - error <= nearest &&
                  error <= 0.051 * distance,
              "clearance %g: %g within %g", options.clearance, distance, error);
        stlclash_sweep_result_free(r);
    }
    stlclash_mesh_free(mesh[0]);
    stlclash_mesh_free(mesh[1]);
    image_free(&wall);
    image_free(&bar);
}

/* All around at the same distance: a pose of whole parts tells that they may have moved by that. */
TEST(what_turns_in_its_bore_takes_few_poses)
{
    static const double half[1][16] = {{-1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
    stlclash_sweep_result *r = sweep_waypoints("block.stl", "peg_clear.stl", half, 1, 0.0);
    if (r) {
        const double distance = r->approach.separation.distance;
        CHECK(r->status == STLCLASH_CLEAR, "%s", stlclash_status_text(r->status));
        CHECK(r->approach_error <= 0.011 * distance, "%g within %g", distance, r->approach_error);
        CHECK(r->steps < 10, "%u poses", (unsigned)r->steps);
    }
    stlclash_sweep_result_free(r);
}

/* A square bar that turns by a quarter beside a wall that it comes near to and does not meet: it
 * touches by the gap that is allowed, large or small, from when it first is so near. */
TEST(turns_touch_from_when_the_gap_is_reached)
{
    static const double gaps[][2] = {
        {0.7, 0.5}, {1e-3, 5e-4}, {4e-5, 3e-5}}; /* allowed, and left */
    const double quarter[1][16] = {{0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
    stl_image bar = cube(-1, 1);
    for (size_t i = 0; i < sizeof gaps / sizeof gaps[0]; i++) {
        const double reach = sqrt(2.0), wall_at = as_float(reach + gaps[i][1]);
        stl_image wall = simple_box(wall_at, 4, -4, 4, -4, 4);
        stlclash_mesh *mesh[2] = {ask_mesh(&wall), ask_mesh(&bar)};
        stlclash_options options = stlclash_options_default();
        stlclash_motion motion = {.kind = STLCLASH_SCREW,
                                  .moves = STLCLASH_B,
                                  .placements = quarter,
                                  .placement_count = 1};
        options.touch_gap = gaps[i][0];
        stlclash_sweep_result *r = sweep(mesh[0], mesh[1], &options, &motion);
        if (r) {
            const double pi = 3.14159265358979323846;
            const double first = 0.5 - acos((wall_at - gaps[i][0]) / reach) / (0.5 * pi);
            CHECK_STRING(stlclash_status_text(r->status), "contact");
            CHECK(r->contact.time <= first + 1e-6 && r->contact.time >= first - 0.01,
                  "contact at %.9g, not %.9g", r->contact.time, first);
        }
        stlclash_sweep_result_free(r);
        stlclash_mesh_free(mesh[0]);
        stlclash_mesh_free(mesh[1]);
        image_free(&wall);
    }
    image_free(&bar);
}

/* A ball turns in its socket: many pairs of facets pass by each other. */
TEST(turns_do_not_depend_on_threads)
{
    const double end[1][16] = {{0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1}};
    stl_image ball = make_sphere(1.0, 12), inside = make_sphere(1.02, 12);
    image_turn(&ball, 0.3, 0.2, 0.1);
    image_invert(&inside);
    stl_image socket = image_joined(make_sphere(1.5, 12), inside);
    stlclash_mesh *mesh[2] = {ask_mesh(&socket), ask_mesh(&ball)};
    stlclash_sweep_result *r[3];
    for (int i = 0; i < 3; i++) {
        stlclash_options options = stlclash_options_default();
        stlclash_motion motion = {
            .kind = STLCLASH_SCREW, .moves = STLCLASH_B, .placements = end, .placement_count = 1};
        options.threads = i == 0 ? 1 : 2 * i;
        r[i] = sweep(mesh[0], mesh[1], &options, &motion);
        if (!r[i]) {
            return; /* a failed check */
        }
        CHECK(r[i]->status == STLCLASH_CLEAR && r[i]->has_approach, "not clear");
        const stlclash_moment *one = &r[0]->approach, *other = &r[i]->approach;
        CHECK(other->time == one->time && other->travelled == one->travelled &&
                  other->separation.distance == one->separation.distance &&
                  other->separation.triangle_a == one->separation.triangle_a &&
                  other->separation.triangle_b == one->separation.triangle_b &&
                  r[i]->approach_error == r[0]->approach_error,
              "other results with %d threads", options.threads);
    }
    for (int i = 0; i < 3; i++) {
        stlclash_sweep_result_free(r[i]);
    }
    stlclash_mesh_free(mesh[0]);
    stlclash_mesh_free(mesh[1]);
    image_free(&socket);
    image_free(&ball);
}
