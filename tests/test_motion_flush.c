/* test_motion_flush.c - parts that touch face to face on their way, rounded or pressed into
 * each other by a little. */
#include "ask.h"
#include "oracle_solid.h"
#include "sweeps.h"
#include "test.h"

#include <math.h>
#include <string.h>

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
        stlclash_mesh *a = ask_mesh(&ia), *b = ask_mesh(&ib);
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

/* Blocks whose faces are cut into rectangles, so that they meet in T-junctions: turned alike and
 * rounded, one that slides along a face of the other stands in the cracks of that. */
TEST(placed_blocks_with_t_junctions_slide_in_contact)
{
    const oracle_frame plain = oracle_frame_plain();
    for (int i = 0; i < test_rounds(150); i++) {
        stl_image ia = oracle_split_box((double[]){0, 0, 0}, (double[]){4, 4, 4}, 1, &plain);
        stl_image ib = oracle_split_box((double[]){0, 0, 0}, (double[]){2, 2, 2}, 1, &plain);
        stlclash_mesh *a = ask_mesh(&ia), *b = ask_mesh(&ib);
        double from[16], to[16];
        const double at[2] = {test_below(5) - 1, test_below(5) - 1}, way = test_uniform(-3, 3);
        stlclash_options o = ask_usual();
        stlclash_motion motion = {.kind = STLCLASH_STRAIGHT};
        ask_placement(from, 5);
        memcpy(to, from, sizeof to);
        o.placement[0] = from;
        o.placement[1] = to;
        for (int k = 0; k < 3; k++) {
            const double *row = from + 4 * k;
            to[4 * k + 3] += row[0] * at[0] + row[1] * at[1] + row[2] * 4;
            motion.way[1][k] = row[i % 2] * way;
        }
        stlclash_sweep_result *r = sweep(a, b, &o, &motion);
        CHECK(r && r->status == STLCLASH_CONTACT, "round %d: %s", i,
              r ? stlclash_status_text(r->status) : "nothing");
        stlclash_sweep_result_free(r);
        stlclash_mesh_free(a);
        stlclash_mesh_free(b);
        image_free(&ia);
        image_free(&ib);
    }
}

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

/* A hundred pins in bushes that are too tight, of unlike numbers of sides, so that they lie unlike
 * deep in each other all round; they slide along. */
TEST(pins_slide_in_holes_that_are_too_tight)
{
    stl_image bushes = make_facets(NULL, 0), pins = make_facets(NULL, 0);
    for (int i = 0; i < 100; i++) {
        stl_image bush = make_bush(1, 2, 1.5, 20, 1), pin = make_cylinder(1.01, 3, 23);
        image_move(&bush, 0, 4.5 * (i % 10), 4.5 * (i / 10));
        image_move(&pin, 0, 4.5 * (i % 10), 4.5 * (i / 10));
        bushes = image_joined(bushes, bush);
        pins = image_joined(pins, pin);
    }
    stlclash_options options = ask_usual();
    stlclash_result *r = ask_images(&bushes, &pins, &options);
    const double depth = r->overlap.depth, error = r->overlap.depth_error;
    CHECK(r->has_overlap && depth > 0.01, "%g deep", depth);
    for (int round = 0; round < 4; round++) {
        const bool enough = round % 2 == 0;
        const double way[3] = {round < 2 ? 1.0 : -7.0, 0, 0};
        options.touch_overlap = enough ? 1.01 * depth + error : 0.98 * depth;
        const stlclash_status status = sweep_images(&bushes, &pins, &options, way);
        CHECK(status == (enough ? STLCLASH_CONTACT : STLCLASH_CLASH), "round %d: %s", round,
              stlclash_status_text(status));
    }
    stlclash_result_free(r);
    image_free(&bushes);
    image_free(&pins);
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

/* Along x, from below y = 0; there it rises by `bump`, and elsewhere sinks by `notch`. */
static stl_image rail(double bump, double notch)
{
    const double outline[][2] = {{50, -999}, {110, 0}, {67.3, 0},    {67, bump}, {66, bump},
                                 {65.7, 0},  {31, 0},  {30, -notch}, {29, 0},    {-10, 0}};
    return make_prism(outline, 10, -5, 5);
}

/* What is pressed into a rail, no deeper than is allowed, and slides over a short bump, where it is
 * a little deeper than that, past all poses that are looked at; and the same within the rail, of
 * which it looks out in a notch: moved away from there, it passes through nothing either. */
TEST(short_bumps_on_the_way_are_no_contact)
{
    const struct {
        double low, high, bump, notch;
        bool contact;
    } cases[] = {{-0.0625, 1, 0, 0, true},
                 {-0.0625, 1, 0.0703125, 0, false},
                 {-0.0625, 1, 0.125, 0, false},
                 {-0.109375, -0.0625, 0.125, 0.078125, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        stl_image floor = rail(cases[i].bump, cases[i].notch);
        stl_image slider = simple_box(0, 0.5, cases[i].low, cases[i].high, -0.25, 0.25);
        stlclash_options options = ask_usual();
        options.touch_overlap = 0.125;
        CHECK(ask_status(&floor, &slider, &options) == STLCLASH_CONTACT, "case %zu: start", i);
        stlclash_status status =
            sweep_images(&floor, &slider, &options, (const double[3]){100, 0, 0});
        CHECK((status == STLCLASH_CONTACT) == cases[i].contact, "case %zu: %s", i,
              stlclash_status_text(status));
        image_free(&floor);
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

/* A comb of so many teeth with the gaps between them, or what fills those, with a back or
 * without. */
static stl_image comb(int teeth, int length, bool fills, bool back)
{
    const oracle_frame f = oracle_frame_plain();
    const int none[3] = {0, 0, 0};
    oracle_voxels v = {.n = ORACLE_VOXELS};
    for (int i = 0; i < 3 * length * (2 * teeth + 1); i++) {
        const int z = i % 3, y = i / 3 % (2 * teeth + 1), x = i / 3 / (2 * teeth + 1);
        v.set[x][y][z] = z == 1 ? y % 2 == fills : back && z == (fills ? 2 : 0);
    }
    return oracle_voxels_mesh(&v, none, &f);
}

/* One tooth of what fills it, with T-junctions. */
static stl_image split_tooth(int length)
{
    const oracle_frame f = oracle_frame_plain();
    return oracle_split_box((double[]){0, 1, 1}, (double[]){length, 2, 2}, 0.5, &f);
}

/* Along its gaps a comb slides, and out of them; turned, so that rounding lets all walls overlap by
 * a little. Not on, where a back is in the way. */
TEST(combs_slide_in_each_other)
{
    for (int i = 0; i < test_rounds(80); i++) {
        const bool split = i % 2, rounded = i % 4 == 0, lift = i % 5 == 0, into = i % 15 == 0;
        const int teeth = 1 + test_below(3), length = 1 + test_below(4);
        const double turn[3] = {test_uniform(-3, 3), test_uniform(-3, 3), test_uniform(-3, 3)};
        stl_image rests = comb(teeth, length, false, true);
        stl_image moves = split ? split_tooth(length) : comb(teeth, length, true, i % 3 != 0);
        stlclash_motion motion = {.kind = STLCLASH_STRAIGHT};
        stlclash_options options = ask_usual();
        double placement[2][16], way[3] = {lift ? 0 : test_uniform(-5, 5), 0, lift ? 2 : 0};
        way[2] *= into ? -0.25 : 1;
        if (rounded) {
            const float along[3] = {(float)way[0], 0, (float)way[2]};
            image_turn(&rests, turn[0], turn[1], turn[2]);
            image_turn(&moves, turn[0], turn[1], turn[2]);
            motion = straight_turned(turn, along, 1);
        } else {
            const double ahead = test_uniform(-0.5, 0.5) * length;
            ask_placement(placement[0], 5);
            memcpy(placement[1], placement[0], sizeof placement[0]);
            for (int k = 0; k < 3; k++) {
                const double *row = &placement[0][4 * k];
                options.placement[k % 2] = placement[k % 2];
                placement[1][4 * k + 3] += row[0] * ahead;
                motion.way[1][k] = row[0] * way[0] + row[2] * way[2];
            }
        }
        stlclash_mesh *a = ask_mesh(&rests), *b = ask_mesh(&moves);
        stlclash_sweep_result *r = sweep(a, b, &options, &motion);
        CHECK(r->status == (into ? STLCLASH_CLASH : STLCLASH_CONTACT), "round %d: %s", i,
              stlclash_status_text(r->status));
        stlclash_sweep_result_free(r);
        stlclash_mesh_free(a);
        stlclash_mesh_free(b);
        image_free(&rests);
        image_free(&moves);
    }
}

/* A slider on a floor with a bump beside a wall, all turned: the bump is as high as is allowed, or
 * less, or more. What is allowed passes. */
TEST(bumps_as_high_as_allowed_are_slid_over_in_contact)
{
    for (int i = 0; i < test_rounds(24); i++) {
        const double allowed = ldexp(1, -6 - i % 12),
                     high = allowed * (double[]){1, 0.4, 1.02}[i % 3];
        const double at = test_uniform(2, 5), width = test_uniform(0.01, 0.5);
        stl_image floor =
            image_joined(make_box((double[]){-8, -2, -1}, (double[]){8, 3, 0}, 1 + (uint32_t)i % 2),
                         make_box((double[]){-8, -2, 0.25}, (double[]){8, 0, 1}, 1));
        stl_image bump = simple_box(at, at + width, 0.25, 0.75, -0.5, high);
        stl_image slider = make_box((double[]){-1, 0, 0}, (double[]){1, 1, 1}, 2);
        floor = image_joined(floor, bump);
        stlclash_mesh *a = ask_mesh(&floor), *b = ask_mesh(&slider);
        stlclash_options options = ask_usual();
        stlclash_motion motion = {.kind = STLCLASH_STRAIGHT};
        double placement[2][16];
        ask_placement(placement[0], 5);
        memcpy(placement[1], placement[0], sizeof placement[0]);
        for (int k = 0; k < 3; k++) {
            options.placement[k % 2] = placement[k % 2];
            placement[1][4 * k + 3] -= 0.75 * placement[0][4 * k];
            motion.way[1][k] = 7 * placement[0][4 * k];
        }
        options.touch_overlap = allowed;
        stlclash_sweep_result *r = sweep(a, b, &options, &motion);
        CHECK(r->status == (i % 3 == 2 ? STLCLASH_CLASH : STLCLASH_CONTACT),
              "round %d: %g high of %g: %s", i, high, allowed, stlclash_status_text(r->status));
        stlclash_sweep_result_free(r);
        stlclash_mesh_free(a);
        stlclash_mesh_free(b);
        image_free(&floor);
        image_free(&slider);
    }
}
