/* test_motion.c - parts that move: sample parts whose first contact is known, random solids
 * against poses that the exact static test judges, and what must not matter. */
#include "ask.h"
#include "stlclash.h"

#include "../bench/parts.h"
#include "base/alloc.h"
#include "shapes.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static stlclash_mesh *mesh_of(const stl_image *image)
{
    stlclash_mesh *mesh = NULL;
    stlclash_error error;
    stlclash_code code = stlclash_mesh_parse(image->bytes, image->size, &mesh, &error);
    CHECK(code == STLCLASH_OK, "%s", error.text);
    return mesh;
}

static stlclash_sweep_result *sweep(const stlclash_mesh *a, const stlclash_mesh *b,
                                    const stlclash_options *options, const stlclash_motion *motion)
{
    stlclash_sweep_result *result = NULL;
    stlclash_error error = {.text = ""};
    stlclash_code code = stlclash_sweep(a, b, options, motion, &result, &error);
    CHECK(code == STLCLASH_OK, "%s", error.text);
    return result;
}

/* ---- known motions of sample parts ----------------------------------------- */

typedef struct loaded {
    stl_image image;
    stlclash_mesh *mesh;
} loaded;

static loaded load_part(const char *file)
{
    loaded l = {{0}, NULL};
    for (size_t i = 0; i < part_count; i++) {
        if (strcmp(parts[i].file, file) == 0) {
            CHECK(part_image(&parts[i], &l.image), "out of memory");
            l.mesh = mesh_of(&l.image);
        }
    }
    CHECK(l.mesh != NULL, "no part %s", file);
    return l;
}

static void unload(loaded *l)
{
    stlclash_mesh_free(l->mesh);
    image_free(&l->image);
}

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

/* Flush parts turned askew: floats leave gaps and overlaps of a few millionths, which by
 * default count as touching, and without allowance as what they are. */
TEST(rounded_flush_parts_slide_in_contact)
{
    int contacts = 0, exact_clashes = 0, rounds = 20;
    for (int i = 0; i < rounds; i++) {
        stl_image ia = make_box((double[]){0, 0, 0}, (double[]){10, 10, 10}, 1);
        stl_image ib = make_box((double[]){10, 0, 0}, (double[]){20, 10, 10}, 1);
        double x = test_uniform(-3, 3), y = test_uniform(-3, 3), z = test_uniform(-3, 3),
               turn[3][3];
        image_turn(&ia, x, y, z);
        image_turn(&ib, x, y, z);
        shape_rotation(turn, x, y, z);
        stlclash_mesh *a = mesh_of(&ia), *b = mesh_of(&ib);
        stlclash_motion motion = {.kind = STLCLASH_STRAIGHT};
        for (int k = 0; k < 3; k++) {
            motion.way[1][k] = 7.0 * turn[k][1]; /* along the common face */
        }
        stlclash_options options = stlclash_options_default();
        stlclash_sweep_result *r = sweep(a, b, &options, &motion);
        contacts += r && r->status == STLCLASH_CONTACT;
        CHECK(!r || r->status != STLCLASH_CLASH, "clash");
        stlclash_sweep_result_free(r);
        options.exact = true;
        r = sweep(a, b, &options, &motion);
        exact_clashes += r && r->status == STLCLASH_CLASH;
        stlclash_sweep_result_free(r);
        stlclash_mesh_free(a);
        stlclash_mesh_free(b);
        image_free(&ia);
        image_free(&ib);
    }
    CHECK(contacts == rounds, "%d of %d are contacts", contacts, rounds);
    CHECK(exact_clashes > 0, "none overlapped");
}

/* ---- small overlaps, and parts without inside --------------------------------- */

/* Cubes that lie against each other; the second is pressed in by some depth while it slides
 * on by some way. */
TEST(presses_up_to_the_touch_overlap_are_contact)
{
    static const double depths[] = {1e-12, 1e-9, 2e-7, 4.7e-7, 4.8e-7, 1e-6, 1e-3};
    loaded a = load_part("cube.stl"), b = load_part("cube_touch.stl");
    for (int i = 0; i < 7 * 4; i++) {
        double depth = depths[i / 4];
        bool swapped = i & 1, both = i & 2;
        stlclash_options options = stlclash_options_default();
        stlclash_motion motion = {.kind = STLCLASH_STRAIGHT};
        motion.way[swapped ? 0 : 1][0] = both ? 0.0 : -depth;
        motion.way[swapped ? 1 : 0][0] = both ? depth : 0.0;
        const stlclash_mesh *x = swapped ? b.mesh : a.mesh, *y = swapped ? a.mesh : b.mesh;
        stlclash_sweep_result *r = sweep(x, y, &options, &motion);
        bool deep = depth > 2.0 * 0x1p-22; /* twice the resolution at 2 */
        CHECK(r && r->status == (deep ? STLCLASH_CLASH : STLCLASH_CONTACT), "pressed by %g: %s",
              depth, r ? stlclash_status_text(r->status) : "none");
        stlclash_sweep_result_free(r);
        options.exact = true;
        r = sweep(x, y, &options, &motion);
        CHECK(r && r->status == STLCLASH_CLASH, "pressed by %g, exactly: %s", depth,
              r ? stlclash_status_text(r->status) : "none");
        stlclash_sweep_result_free(r);
    }
    unload(&a);
    unload(&b);
}

/* Single triangles: parallel ones are never seen to cross at any one time. */
TEST(surfaces_without_inside_clash_where_they_pass_through)
{
    static const float low[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const struct {
        double place[3], way[3];
        stlclash_status status;
    } cases[] = {
        {{0, 0, 1}, {0, 0, -2}, STLCLASH_CLASH},      {{0, 0, 1}, {0, 0, -1}, STLCLASH_CONTACT},
        {{0, 0, 1}, {0, 0, 2}, STLCLASH_CLEAR},       {{0, 0, 0}, {0, 0, 2}, STLCLASH_CONTACT},
        {{-2, 0, 0}, {1, 0, 0}, STLCLASH_CONTACT},    {{1, 0, 1}, {0, 0, -2}, STLCLASH_CONTACT},
        {{0.5, 0.25, 1}, {0, 0, -2}, STLCLASH_CLASH},
    };
    stl_image image = make_facets(low, 1);
    stlclash_mesh *mesh = mesh_of(&image);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        stlclash_options options = stlclash_options_default();
        stlclash_motion motion = {.kind = STLCLASH_STRAIGHT};
        double placement[16];
        memcpy(placement, ask_identity, sizeof placement);
        for (int k = 0; k < 3; k++) {
            placement[4 * k + 3] = cases[i].place[k];
            motion.way[1][k] = cases[i].way[k];
        }
        options.placement[1] = placement;
        stlclash_sweep_result *r = sweep(mesh, mesh, &options, &motion);
        CHECK(r && r->status == cases[i].status, "case %zu: %s, expected %s", i,
              r ? stlclash_status_text(r->status) : "none", stlclash_status_text(cases[i].status));
        stlclash_sweep_result_free(r);
    }
    stlclash_mesh_free(mesh);
    image_free(&image);
}

static stlclash_status sweep_triangle(double from, double to, bool vertex_paths)
{
    const double heights[3] = {0.0, from, to};
    stl_image image[3];
    stlclash_mesh *mesh[3];
    double legs[2][16];
    for (int i = 0; i < 3; i++) { /* what rests, what moves, its end */
        image[i] = make_facets((float[]){0, 0, 0, 1, 0, 0, 0, 1, 0}, 1);
        image_move(&image[i], 0, 0, heights[i]);
        mesh[i] = mesh_of(&image[i]);
    }
    for (int i = 0; i < 2; i++) { /* but for the turn they would be straight */
        memcpy(legs[i], ask_identity, sizeof legs[i]);
        legs[i][1] = -1e-9;
        legs[i][4] = 1e-9;
        legs[i][11] = (i == 0 ? 0.3 : 1.0) * (to - from);
    }
    stlclash_motion motion = {.kind = vertex_paths ? STLCLASH_VERTEX_PATHS : STLCLASH_SCREW,
                              .moves = STLCLASH_B,
                              .placements = (const double(*)[16])legs,
                              .placement_count = 2,
                              .end = mesh[2]};
    stlclash_options options = stlclash_options_default();
    stlclash_sweep_result *r = sweep(mesh[0], mesh[1], &options, &motion);
    stlclash_status status = r->status;
    CHECK((status == STLCLASH_UNDECIDED) ==
              (r->note_count > 0 && strcmp(r->notes[r->note_count - 1], "passage_unknown") == 0),
          "from %g to %g: note", from, to);
    stlclash_sweep_result_free(r);
    for (int i = 0; i < 3; i++) {
        stlclash_mesh_free(mesh[i]);
        image_free(&image[i]);
    }
    return status;
}

/* Where poses are looked at, what passes between two of them is not known; that something comes to
 * rest, or lifts off, is. */
TEST(surfaces_without_inside_may_pass_through_between_poses)
{
    static const struct {
        double from, to;
        stlclash_status status;
    } cases[] = {{1, -1, STLCLASH_UNDECIDED}, {-1, 0.5, STLCLASH_UNDECIDED},
                 {1, 0, STLCLASH_CONTACT},    {0, 2, STLCLASH_CONTACT},
                 {0, 0, STLCLASH_CONTACT},    {1, 3, STLCLASH_CLEAR}};
    for (size_t i = 0; i < 2 * sizeof cases / sizeof cases[0]; i++) {
        double from = cases[i / 2].from, to = cases[i / 2].to;
        stlclash_status status = sweep_triangle(from, to, i & 1);
        CHECK(status == cases[i / 2].status, "from %g to %g: %s, expected %s", from, to,
              stlclash_status_text(status), stlclash_status_text(cases[i / 2].status));
    }
}

/* A box that ends as a segment, which alone has no inside, and passes along an edge on the way. */
TEST(solids_that_end_without_inside_are_solid_on_the_way)
{
    stl_image image[3] = {make_box((double[]){0, 0, 0}, (double[]){2, 2, 4}, 1),
                          make_box((double[]){-1, 4, 3}, (double[]){0, 5, 7}, 1),
                          make_box((double[]){-1, 4, 3}, (double[]){0, 5, 7}, 1)};
    for (size_t i = 0; i < image_facets(&image[2]); i++) {
        shape_facet facet = image_get(&image[2], i);
        for (int k = 0; k < 3; k++) {
            facet.corner[k][0] = 5.0f;
            facet.corner[k][1] = 4.0f - facet.corner[k][1];
            facet.corner[k][2] = -5.0f;
        }
        image_set(&image[2], i, &facet);
    }
    stlclash_mesh *mesh[3] = {mesh_of(&image[0]), mesh_of(&image[1]), mesh_of(&image[2])};
    stlclash_options options = stlclash_options_default();
    stlclash_motion motion = {
        .kind = STLCLASH_VERTEX_PATHS, .moves = STLCLASH_B, .end = mesh[2], .tolerance = 0.01};
    stlclash_sweep_result *r = sweep(mesh[0], mesh[1], &options, &motion);
    CHECK_STRING(stlclash_status_text(r->status), "contact");
    stlclash_sweep_result_free(r);
    for (int i = 0; i < 3; i++) {
        stlclash_mesh_free(mesh[i]);
        image_free(&image[i]);
    }
}

static stlclash_status sweep_images(const stl_image *a, const stl_image *b,
                                    const stlclash_options *options, const double way_of_b[3])
{
    stlclash_mesh *mesh[2] = {mesh_of(a), mesh_of(b)};
    stlclash_motion motion = {.kind = STLCLASH_STRAIGHT};
    memcpy(motion.way[1], way_of_b, sizeof motion.way[1]);
    stlclash_sweep_result *r = sweep(mesh[0], mesh[1], options, &motion);
    stlclash_status status = r->status;
    stlclash_sweep_result_free(r);
    stlclash_mesh_free(mesh[0]);
    stlclash_mesh_free(mesh[1]);
    return status;
}

/* However little, and though it may then lie inside; whichever part it is: which one comes first
 * their numbers of facets tell. */
TEST(what_passes_through_a_surface_without_inside_clashes)
{
    static const float z = 1.0625f;
    stlclash_options options = stlclash_options_default();
    options.touch_overlap = 0.25;
    for (int cells = 1; cells <= 6; cells++) {
        stl_image sheet = make_facets(NULL, 0);
        stl_image box = make_box((double[]){-1, -1, 0}, (double[]){1, 1, 1}, 1);
        for (int i = 0; i < cells * cells; i++) {
            const float x = (float)(i % cells) / 8, y = (float)(i / cells) / 8;
            const float u = x + 0.125f, v = y + 0.125f;
            const float facets[18] = {x, y, z, u, y, z, u, v, z, x, y, z, u, v, z, x, v, z};
            sheet = image_joined(sheet, make_facets(facets, 2));
        }
        for (int way = 0; way < 2; way++) {
            stlclash_status status =
                way ? sweep_images(&sheet, &box, &options, (double[]){0, 0, 0.125})
                    : sweep_images(&box, &sheet, &options, (double[]){0, 0, -0.125});
            CHECK(status == STLCLASH_CLASH, "%d cells, way %d: %s", cells, way,
                  stlclash_status_text(status));
        }
        image_free(&sheet);
        image_free(&box);
    }
}

/* Only the faces that touch tell whether they move into each other. */
TEST(flush_parts_clash_on_the_way_in_also_inside_out)
{
    stlclash_options exact = stlclash_options_default();
    exact.exact = true;
    for (int way = 0; way < 16; way++) {
        stl_image image[2] = {
            make_box((double[]){0, 0, 0}, (double[]){1, 1, 1}, 1 + (uint32_t)way / 8),
            make_box((double[]){1, 0, 0}, (double[]){2, 1, 1}, 1)};
        for (int i = 0; i < 2; i++) {
            if (way >> i & 1) {
                image_invert(&image[i]);
            }
        }
        const bool in = way & 4;
        stlclash_status status =
            sweep_images(&image[0], &image[1], &exact, (double[]){in ? -0.5 : 0.5, 0, 0});
        CHECK(status == (in ? STLCLASH_CLASH : STLCLASH_CONTACT), "way %d: %s", way,
              stlclash_status_text(status));
        image_free(&image[0]);
        image_free(&image[1]);
    }
}

/* ---- random solids against poses -------------------------------------------- */

static stl_image random_solid(void)
{
    double size = test_uniform(0.5, 2);
    switch (test_below(5)) {
    case 0: return make_box((double[]){0, 0, 0}, (double[]){size, 1, test_uniform(0.1, 1)}, 1);
    case 1: return make_l_prism(size);
    case 2: return make_sphere(0.5 * size, 2);
    case 3: return make_torus(size, 0.3, 8, 5);
    default: return make_cylinder(0.3 * size, 2 * size, 7);
    }
}

/* The parts as they stand at some time, judged. */
static stlclash_result *pose_result(const stlclash_mesh *a, const stlclash_mesh *b,
                                    const double *pa, const double *pb, bool measure)
{
    stlclash_options options = stlclash_options_default();
    stlclash_result *result = NULL;
    stlclash_error error;
    options.placement[0] = pa;
    options.placement[1] = pb;
    options.no_overlap = !measure;
    CHECK(stlclash_check(a, b, &options, &result, &error) == STLCLASH_OK, "%s", error.text);
    return result;
}

/* What one pose says about a sweep. `slack`: of times and distances, for rounding. */
static void check_pose(const stlclash_sweep_result *r, double t, const stlclash_mesh *a,
                       const stlclash_mesh *b, const double *pa, const double *pb, double slack,
                       const char *what, int number)
{
    stlclash_result *pose = pose_result(a, b, pa, pb, false);
    if (!pose) {
        return;
    }
    double distance = pose->separation.distance;
    if (pose->status == STLCLASH_CLASH || distance == 0.0) {
        CHECK(r->has_contact, "%s %d: a meeting at %.9g is missed", what, number, t);
        CHECK(!r->has_contact || r->contact.time <= t + slack, "%s %d: contact at %.9g, not %.9g",
              what, number, r->contact.time, t);
    }
    if (pose->status == STLCLASH_CLASH && r->status != STLCLASH_CLASH) {
        stlclash_result *full = pose_result(a, b, pa, pb, true);
        bool shallow = full && full->has_overlap && full->overlap.has_depth &&
                       full->overlap.depth <= r->tolerance + full->touch_overlap;
        CHECK(r->status == STLCLASH_CONTACT && shallow, "%s %d: a clash at %.9g is missed", what,
              number, t);
        stlclash_result_free(full);
    }
    if (r->has_approach) {
        double least = r->approach.separation.distance - r->approach_error;
        CHECK(distance >= least - slack, "%s %d: %.17g apart at %.9g, less than %.17g", what,
              number, distance, t, least);
    }
    stlclash_result_free(pose);
}

/* The moments that a sweep reports are so. */
static void check_moment(const stlclash_moment *m, const stlclash_mesh *a, const stlclash_mesh *b,
                         const double *pa, const double *pb, double slack, const char *what,
                         int number)
{
    stlclash_result *pose = pose_result(a, b, pa, pb, false);
    if (pose) {
        CHECK(fabs(pose->separation.distance - m->separation.distance) <= slack,
              "%s %d: %.9g apart, not %.9g", what, number, pose->separation.distance,
              m->separation.distance);
        const double *p = m->separation.point_a, *q = m->separation.point_b;
        double gap = sqrt((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) +
                          (p[2] - q[2]) * (p[2] - q[2]));
        CHECK(fabs(gap - m->separation.distance) <= slack, "%s %d: points %.9g apart, not %.9g",
              what, number, gap, m->separation.distance);
        stlclash_result_free(pose);
    }
}

typedef struct scene {
    stl_image image[2];
    stlclash_mesh *mesh[2];
    double placement[2][16];
} scene;

static scene random_scene(void)
{
    scene s;
    for (int i = 0; i < 2; i++) {
        s.image[i] = random_solid();
        s.mesh[i] = mesh_of(&s.image[i]);
        ask_placement(s.placement[i], i == 0 ? 0.2 : 2.5);
    }
    return s;
}

static void scene_free(scene *s)
{
    for (int i = 0; i < 2; i++) {
        stlclash_mesh_free(s->mesh[i]);
        image_free(&s->image[i]);
    }
}

static void check_random_straight(int number, int *counts)
{
    scene s = random_scene();
    stlclash_options options = stlclash_options_default();
    stlclash_motion motion = {.kind = STLCLASH_STRAIGHT};
    double pa[16], pb[16];
    for (int i = 0; i < 2; i++) {
        options.placement[i] = s.placement[i];
        for (int k = 0; k < 3 && (i == 1 || test_below(3) == 0); k++) {
            motion.way[i][k] = test_uniform(-3, 3);
        }
    }
    stlclash_sweep_result *r = sweep(s.mesh[0], s.mesh[1], &options, &motion);
    counts[r ? r->status : 0]++;
    for (int step = -3; r && step <= 20; step++) {
        double t = step / 20.0;
        const stlclash_moment *m = NULL;
        if (step < 0) { /* moments of the result */
            m = step == -1 ? &r->contact : step == -2 ? &r->clash : &r->approach;
            bool has = step == -1 ? r->has_contact : step == -2 ? r->has_clash : r->has_approach;
            if (!has) {
                continue;
            }
            t = m->time;
        }
        memcpy(pa, s.placement[0], sizeof pa);
        memcpy(pb, s.placement[1], sizeof pb);
        for (int k = 0; k < 3; k++) {
            pa[4 * k + 3] += t * motion.way[0][k];
            pb[4 * k + 3] += t * motion.way[1][k];
        }
        if (m && (t > 0 || r->start->status != STLCLASH_CLASH)) {
            check_moment(m, s.mesh[0], s.mesh[1], pa, pb, 1e-12, "straight", number);
        } else if (!m) {
            check_pose(r, t, s.mesh[0], s.mesh[1], pa, pb, 1e-12, "straight", number);
        }
    }
    stlclash_sweep_result_free(r);
    scene_free(&s);
}

TEST(straight_motions_against_poses)
{
    int counts[5] = {0};
    int rounds = test_rounds(300);
    for (int i = 0; i < rounds; i++) {
        check_random_straight(i, counts);
    }
    CHECK(rounds < 50 || (counts[STLCLASH_CLASH] > 0 && counts[STLCLASH_CLEAR] > 0),
          "%d clashes, %d clear", counts[STLCLASH_CLASH], counts[STLCLASH_CLEAR]);
}

/* The placement at time t, from the screw as it is reported: Rodrigues' formula about the
 * point of the axis. */
static void screw_placement(const stlclash_screw *s, const double start[16], double t,
                            double out[16])
{
    double c = cos(t * s->angle), q = sin(t * s->angle);
    const double *k = s->direction;
    memcpy(out, ask_identity, sizeof ask_identity);
    for (int j = 0; j < 4; j++) {
        double p[3], dot = 0;
        for (int i = 0; i < 3; i++) {
            p[i] = start[4 * i + j] - (j == 3 ? s->point[i] : 0.0);
            dot += k[i] * p[i];
        }
        for (int i = 0; i < 3; i++) {
            int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
            double cross = k[i1] * p[i2] - k[i2] * p[i1];
            out[4 * i + j] = p[i] * c + cross * q + k[i] * dot * (1 - c) +
                             (j == 3 ? s->point[i] + t * s->shift * k[i] : 0.0);
        }
    }
}

static void check_random_screw(int number, int *counts)
{
    scene s = random_scene();
    stlclash_options options = stlclash_options_default();
    double end[1][16], pose[16];
    ask_placement(end[0], 2.5);
    int moves = test_below(2);
    stlclash_motion motion = {.kind = STLCLASH_SCREW,
                              .moves = moves ? STLCLASH_B : STLCLASH_A,
                              .placements = (const double(*)[16])end,
                              .placement_count = 1,
                              .tolerance = test_below(2) ? 1e-3 : 0.0};
    options.placement[0] = s.placement[0];
    options.placement[1] = s.placement[1];
    stlclash_sweep_result *r = sweep(s.mesh[0], s.mesh[1], &options, &motion);
    counts[r ? r->status : 0]++;
    if (r && r->screw_count == 1) {
        screw_placement(&r->screws[0], s.placement[moves], 1.0, pose);
        for (int i = 0; i < 16; i++) {
            CHECK(fabs(pose[i] - end[0][i]) <= 1e-9, "screw %d: entry %d ends at %.12g, not %.12g",
                  number, i, pose[i], end[0][i]);
        }
    }
    for (int step = 0; r && r->screw_count == 1 && step <= 40; step++) {
        double t = step / 40.0;
        screw_placement(&r->screws[0], s.placement[moves], t, pose);
        check_pose(r, t, s.mesh[0], s.mesh[1], moves ? s.placement[0] : pose,
                   moves ? pose : s.placement[1], 1e-9, "screw", number);
    }
    if (r && r->has_contact && r->screw_count == 1) {
        screw_placement(&r->screws[0], s.placement[moves], r->contact.time, pose);
        check_moment(&r->contact, s.mesh[0], s.mesh[1], moves ? s.placement[0] : pose,
                     moves ? pose : s.placement[1], 1e-9, "screw", number);
        CHECK(r->contact.separation.distance <= r->tolerance, "screw %d: contact at a distance",
              number);
    }
    stlclash_sweep_result_free(r);
    scene_free(&s);
}

/* 5000 in a long run. */
TEST(screw_motions_against_poses)
{
    int counts[5] = {0}, rounds = test_long() ? 5000 : test_rounds(60);
    for (int i = 0; i < rounds; i++) {
        check_random_screw(i, counts);
    }
    CHECK(counts[STLCLASH_UNDECIDED] == 0, "%d of %d undecided", counts[STLCLASH_UNDECIDED],
          rounds);
}

/* ---- each vertex its own way ------------------------------------------------- */

/* Both images at time t, as floats. */
static stl_image image_between(const stl_image *from, const stl_image *to, double t)
{
    size_t count = image_facets(from);
    float *corners = malloc(9 * count * sizeof *corners);
    for (size_t i = 0; i < count; i++) {
        shape_facet f = image_get(from, i), g = image_get(to, i);
        for (int k = 0; k < 9; k++) {
            double x = (double)f.corner[k / 3][k % 3], y = (double)g.corner[k / 3][k % 3];
            corners[9 * i + (size_t)k] = (float)(x + t * (y - x));
        }
    }
    stl_image image = make_facets(corners, count);
    free(corners);
    return image;
}

static void check_random_paths(int number, int *counts)
{
    scene s = random_scene();
    stlclash_options options = stlclash_options_default();
    stl_image end = image_between(&s.image[1], &s.image[1], 0.0);
    image_scale(&end, test_uniform(0.7, 1.4));
    image_turn(&end, test_uniform(-0.5, 0.5), test_uniform(-0.5, 0.5), test_uniform(-0.5, 0.5));
    image_move(&end, test_uniform(-2, 2), test_uniform(-2, 2), test_uniform(-2, 2));
    stlclash_mesh *mesh = mesh_of(&end);
    stlclash_motion motion = {.kind = STLCLASH_VERTEX_PATHS, .moves = STLCLASH_B, .end = mesh};
    options.placement[0] = s.placement[0];
    options.placement[1] = s.placement[1];
    stlclash_sweep_result *r = sweep(s.mesh[0], s.mesh[1], &options, &motion);
    counts[r ? r->status : 0]++;
    for (int step = 0; r && step <= 20; step++) {
        stl_image between = image_between(&s.image[1], &end, step / 20.0);
        stlclash_mesh *pose = mesh_of(&between);
        check_pose(r, step / 20.0, s.mesh[0], pose, s.placement[0], s.placement[1], 1e-6, "paths",
                   number);
        stlclash_mesh_free(pose);
        image_free(&between);
    }
    stlclash_sweep_result_free(r);
    stlclash_mesh_free(mesh);
    image_free(&end);
    scene_free(&s);
}

TEST(vertex_paths_against_poses)
{
    int counts[5] = {0};
    for (int i = 0; i < test_rounds(40); i++) {
        check_random_paths(i, counts);
    }
}

/* ---- what must not matter ------------------------------------------------------ */

static void check_same_moment(const stlclash_moment *x, const stlclash_moment *y, bool swapped)
{
    const stlclash_separation *s = &x->separation, *t = &y->separation;
    CHECK(x->time == y->time, "time %.17g, %.17g", x->time, y->time);
    CHECK(s->distance == t->distance, "distance %.17g, %.17g", s->distance, t->distance);
    CHECK(s->triangle_a == (swapped ? t->triangle_b : t->triangle_a) &&
              s->triangle_b == (swapped ? t->triangle_a : t->triangle_b),
          "triangles %u %u, %u %u", s->triangle_a, s->triangle_b, t->triangle_a, t->triangle_b);
    CHECK(memcmp(s->point_a, swapped ? t->point_b : t->point_a, sizeof s->point_a) == 0, "points");
}

TEST(motions_do_not_depend_on_threads_or_order)
{
    for (int i = 0; i < test_rounds(60); i++) {
        scene s = random_scene();
        stlclash_options options = stlclash_options_default();
        double end[1][16];
        ask_placement(end[0], 2.5);
        stlclash_motion motion = {.kind = i % 2 ? STLCLASH_SCREW : STLCLASH_STRAIGHT,
                                  .moves = STLCLASH_B,
                                  .placements = (const double(*)[16])end,
                                  .placement_count = 1};
        for (int k = 0; k < 3; k++) {
            motion.way[1][k] = test_uniform(-3, 3);
        }
        options.threads = 1;
        options.placement[0] = s.placement[0];
        options.placement[1] = s.placement[1];
        stlclash_sweep_result *one = sweep(s.mesh[0], s.mesh[1], &options, &motion);
        options.threads = 3;
        stlclash_sweep_result *three = sweep(s.mesh[0], s.mesh[1], &options, &motion);
        options.placement[0] = s.placement[1];
        options.placement[1] = s.placement[0];
        motion.moves = STLCLASH_A;
        memcpy(motion.way[0], motion.way[1], sizeof motion.way[0]);
        memset(motion.way[1], 0, sizeof motion.way[1]);
        stlclash_sweep_result *swapped = sweep(s.mesh[1], s.mesh[0], &options, &motion);
        stlclash_sweep_result *others[2] = {three, swapped};
        for (int k = 0; k < 2 && one && others[k]; k++) {
            CHECK(one->status == others[k]->status && one->pass == others[k]->pass, "status");
            check_same_moment(&one->contact, &others[k]->contact, k == 1);
            check_same_moment(&one->clash, &others[k]->clash, k == 1);
            check_same_moment(&one->approach, &others[k]->approach, k == 1);
        }
        stlclash_sweep_result_free(one);
        stlclash_sweep_result_free(three);
        stlclash_sweep_result_free(swapped);
        scene_free(&s);
    }
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

/* B's straight way, `times` what becomes of `way` where parts are turned and rounded to float. */
static stlclash_motion straight_turned(const double turn[3], const float way[3], double times)
{
    stlclash_motion motion = {.kind = STLCLASH_STRAIGHT};
    stl_image at = make_facets((float[9]){way[0], way[1], way[2]}, 1);
    image_turn(&at, turn[0], turn[1], turn[2]);
    const shape_facet facet = image_get(&at, 0);
    for (int k = 0; k < 3; k++) {
        motion.way[1][k] = (double)facet.corner[0][k] * times;
    }
    image_free(&at);
    return motion;
}

/* A slider on a floor, turned and rounded, so that it overlaps with that from the start; and on the
 * floor a wall, thin beside the way. */
TEST(thin_walls_stop_what_slides_on_rounded_floors)
{
    for (int i = 0; i < test_rounds(40); i++) {
        const double turn[3] = {test_uniform(-3, 3), test_uniform(-3, 3), test_uniform(-3, 3)};
        const double at = test_uniform(2, 38), thick = i % 2 ? 0.1 : 0.01;
        stl_image floor =
            make_box((double[]){-1, -2, -1}, (double[]){42, 2, 0}, 1 + (uint32_t)i % 2);
        stl_image slider = make_box((double[]){0, -0.25, 0}, (double[]){0.5, 0.25, 0.5}, 1);
        if (i % 4 < 3) {
            floor = image_joined(floor,
                                 make_box((double[]){at, -1, 0}, (double[]){at + thick, 1, 2}, 1));
        }
        image_turn(&floor, turn[0], turn[1], turn[2]);
        image_turn(&slider, turn[0], turn[1], turn[2]);
        stlclash_motion motion = straight_turned(turn, (const float[3]){40, 0, 0}, 1);
        stlclash_mesh *a = ask_mesh(&floor), *b = ask_mesh(&slider);
        stlclash_options options = ask_usual();
        stlclash_sweep_result *r = sweep(a, b, &options, &motion);
        CHECK(r->start->status == STLCLASH_CONTACT || r->start->status == STLCLASH_CLASH,
              "round %d: %s at the start", i, stlclash_status_text(r->start->status));
        CHECK(r->status == (i % 4 < 3 ? STLCLASH_CLASH : STLCLASH_CONTACT),
              "round %d, wall at %g, %g thick: %s", i, at, thick, stlclash_status_text(r->status));
        stlclash_sweep_result_free(r);
        stlclash_mesh_free(a);
        stlclash_mesh_free(b);
        image_free(&floor);
        image_free(&slider);
    }
}

/* A slider that fits between two walls, turned and rounded, so that no shift keeps it from both;
 * and in some cases a bump on its way, of a few times the touch overlap. */
TEST(sliders_between_rounded_walls_are_in_contact)
{
    for (int i = 0; i < test_rounds(60); i++) {
        const bool bump = i % 3 == 2;
        const double turn[3] = {test_uniform(-3, 3), test_uniform(-3, 3), test_uniform(-3, 3)};
        const double half = test_uniform(0.25, 2), from = test_uniform(0, 1), high = ldexp(1, -16);
        stl_image walls = image_joined(
            make_box((double[]){-3, -1, 0}, (double[]){-half, 2, 9}, 1 + (uint32_t)i % 2),
            make_box((double[]){half, -1, 0}, (double[]){3, 2, 9}, 2));
        stl_image slider =
            make_box((double[]){-half, 0, from}, (double[]){half, 1, from + test_uniform(1, 2)}, 1);
        if (bump) {
            walls = image_joined(
                walls, make_box((double[]){-half - 1, 0, 4}, (double[]){-half + high, 1, 4.5}, 1));
        }
        image_turn(&walls, turn[0], turn[1], turn[2]);
        image_turn(&slider, turn[0], turn[1], turn[2]);
        stlclash_motion motion = straight_turned(turn, (const float[3]){0, 0, 3}, i % 2 ? 2 : 1.7);
        stlclash_mesh *a = ask_mesh(&walls), *b = ask_mesh(&slider);
        stlclash_options options = ask_usual();
        double placement[16];
        if (i % 4 == 1) { /* of both, which are compared as stored */
            double way[3];
            memcpy(way, motion.way[1], sizeof way);
            ask_placement(placement, 3);
            options.placement[0] = options.placement[1] = placement;
            for (int k = 0; k < 3; k++) {
                motion.way[1][k] = placement[4 * k] * way[0] + placement[4 * k + 1] * way[1] +
                                   placement[4 * k + 2] * way[2];
            }
        }
        stlclash_sweep_result *r = sweep(a, b, &options, &motion);
        CHECK(r->start->status == STLCLASH_CONTACT, "round %d: %s at the start", i,
              stlclash_status_text(r->start->status));
        CHECK(r->status == (bump ? STLCLASH_CLASH : STLCLASH_CONTACT), "round %d: %s", i,
              stlclash_status_text(r->status));
        stlclash_sweep_result_free(r);
        stlclash_mesh_free(a);
        stlclash_mesh_free(b);
        image_free(&walls);
        image_free(&slider);
    }
}

/* Boxes that lie in each other, or near each other, within what the options allow at the start. */
TEST(what_is_allowed_at_the_start_is_judged_on_the_way)
{
    static const double still[3] = {0, 0, 0};
    stl_image block = make_box((double[]){-4, -4, -4}, (double[]){4, 4, 4}, 1);
    stl_image held = make_box((double[]){0, 0, 3.90625}, (double[]){0.03125, 0.03125, 3.9375}, 1);
    stl_image beside = make_box((double[]){4.25, -1, -1}, (double[]){5, 1, 1}, 1);
    const struct {
        stl_image *moves;
        double way[3];
        stlclash_status status;
        bool pass;
    } cases[] = {
        {&held, {0, 0, -3}, STLCLASH_CLASH, false},
        {&beside, {1, 0, 0}, STLCLASH_CONTACT, true},
        {&beside, {-0.125, 0, 0}, STLCLASH_CONTACT, false},
        {&beside, {0, 0.5, 0}, STLCLASH_CONTACT, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        stlclash_mesh *a = ask_mesh(&block), *b = ask_mesh(cases[i].moves);
        stlclash_options options = ask_usual();
        stlclash_motion motion = {.kind = STLCLASH_STRAIGHT};
        options.touch_overlap = 0.125;
        options.touch_gap = 0.5;
        options.clearance = 0.1875;
        memcpy(motion.way[0], still, sizeof still);
        memcpy(motion.way[1], cases[i].way, sizeof still);
        stlclash_sweep_result *r = sweep(a, b, &options, &motion);
        CHECK(r->start->status == STLCLASH_CONTACT, "case %zu: %s at the start", i,
              stlclash_status_text(r->start->status));
        CHECK(r->status == cases[i].status && r->pass == cases[i].pass, "case %zu: %s, %d", i,
              stlclash_status_text(r->status), r->pass);
        stlclash_sweep_result_free(r);
        stlclash_mesh_free(a);
        stlclash_mesh_free(b);
    }
    image_free(&block);
    image_free(&held);
    image_free(&beside);
}

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

/* An open triangle that goes through a wall where the wall is divided. */
TEST(open_parts_that_pass_along_edges_on_the_way_clash)
{
    static const float facet[9] = {2, 0.5, 1, 3, 0.25, 1, 3, 0.75, 1};
    stl_image box = make_box((double[]){0, 0, 0}, (double[]){1, 1, 2}, 2);
    stl_image leaf = make_facets(facet, 1);
    stlclash_mesh *a = ask_mesh(&box), *b = ask_mesh(&leaf);
    for (int swap = 0; swap < 2; swap++) {
        stlclash_options options = ask_usual();
        stlclash_motion motion = {.kind = STLCLASH_STRAIGHT};
        motion.way[1 - swap][0] = -5;
        stlclash_sweep_result *r = sweep(swap ? b : a, swap ? a : b, &options, &motion);
        CHECK(r->status == STLCLASH_CLASH, "%s", stlclash_status_text(r->status));
        stlclash_sweep_result_free(r);
    }
    stlclash_mesh_free(a);
    stlclash_mesh_free(b);
    image_free(&box);
    image_free(&leaf);
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

TEST(wrong_motions_are_refused)
{
    loaded a = load_part("cube.stl"), b = load_part("cube_apart.stl"), c = load_part("tetra.stl");
    double bent[1][16], huge[1][16];
    memcpy(bent[0], ask_identity, sizeof bent[0]);
    memcpy(huge[0], ask_identity, sizeof huge[0]);
    bent[0][0] = 1.1;
    huge[0][3] = 1e300;
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
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        stlclash_sweep_result *result = (void *)&a;
        stlclash_error error = {.text = ""};
        stlclash_code code =
            stlclash_sweep(a.mesh, b.mesh, NULL, &wrong[i].motion, &result, &error);
        CHECK(code == wrong[i].code && !result && error.text[0], "motion %zu: %s, \"%s\"", i,
              stlclash_code_text(code), error.text);
    }
    unload(&a);
    unload(&b);
    unload(&c);
}

TEST(motions_survive_failed_allocations)
{
    double end[1][16] = {{0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
    for (int kind = 0; kind < 3; kind++) {
        loaded a = load_part("cube.stl"), b = load_part("cube_apart.stl");
        loaded to = load_part("cube_shifted.stl");
        unsigned long n = 0;
        stlclash_motion motion = {.kind = (stlclash_motion_kind)kind,
                                  .way = {{0, 0, 0}, {-0.5, 0, 0}},
                                  .moves = STLCLASH_B,
                                  .placements = (const double(*)[16])end,
                                  .placement_count = 1,
                                  .end = to.mesh};
        stlclash_error error;
        stlclash_sweep_result *whole = NULL;
        stlclash_code code = stlclash_sweep(a.mesh, b.mesh, NULL, &motion, &whole, &error);
        CHECK_INT(code, STLCLASH_OK);
        do {
            stlclash_sweep_result *result = NULL;
            sc_alloc_fail_at(++n);
            code = stlclash_sweep(a.mesh, b.mesh, NULL, &motion, &result, &error);
            CHECK(code == STLCLASH_OK || code == STLCLASH_E_MEMORY, "allocation %lu gives %s", n,
                  stlclash_code_text(code));
            CHECK((code == STLCLASH_OK) == (result != NULL), "allocation %lu: result", n);
            CHECK(!result ||
                      (result->status == whole->status && result->clash.time == whole->clash.time),
                  "allocation %lu: %s at %g, not %s at %g", n, stlclash_status_text(result->status),
                  result->clash.time, stlclash_status_text(whole->status), whole->clash.time);
            stlclash_sweep_result_free(result);
        } while (code != STLCLASH_OK && n < 100000);
        sc_alloc_fail_at(0);
        stlclash_sweep_result_free(whole);
        CHECK(n > 20, "only %lu allocations", n);
        unload(&a);
        unload(&b);
        unload(&to);
    }
}
