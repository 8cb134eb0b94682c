/* test_surrounded.c - parts that are spared a look at their shells, as they surround the other one
 * or as what meets it tells: the same answers as where all shells are looked at. */
#include "ask.h"
#include "test.h"

#include <math.h>

enum { CELLS = 26 }; /* of each face: more facets than parts have that are always looked at */

static stl_image box_about(double x, double half, bool inverted)
{
    stl_image box =
        make_box((double[]){x - half, -half, -half}, (double[]){x + half, half, half}, CELLS);
    if (inverted) {
        image_invert(&box);
    }
    return box;
}

static bool same_point(const double a[3], const double b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* Asks twice, the second time for the whole health. Whether the outer part, B, was spared. */
static bool check_pair(const stl_image *inner, const stl_image *outer, const char *what, int round)
{
    stlclash_options options = ask_usual();
    stlclash_result *r = ask_images(inner, outer, &options);
    options.health = true;
    stlclash_result *full = ask_images(inner, outer, &options);
    const stlclash_overlap *o = &r->overlap, *p = &full->overlap;

    CHECK(r->status == full->status && r->pass == full->pass,
          "%s %d: %s, %s where all is looked at", what, round, stlclash_status_text(r->status),
          stlclash_status_text(full->status));
    CHECK(r->has_overlap == full->has_overlap && o->contained == p->contained &&
              o->volume == p->volume && o->region_count == p->region_count,
          "%s %d: volume %.17g of %zu regions, %.17g of %zu", what, round, o->volume,
          o->region_count, p->volume, p->region_count);
    CHECK(o->has_depth == p->has_depth && o->depth <= p->depth + p->depth_error &&
              p->depth <= o->depth + o->depth_error,
          "%s %d: depth %.17g within %g, %.17g within %g", what, round, o->depth, o->depth_error,
          p->depth, p->depth_error);
    CHECK(same_point(o->bounds[0], p->bounds[0]) && same_point(o->bounds[1], p->bounds[1]),
          "%s %d: other bounds of the overlap", what, round);
    for (int i = 0; i < 2; i++) {
        CHECK(!r->part[i].has_health || r->part[i].closed == full->part[i].closed,
              "%s %d: part %d is%s closed", what, round, i, r->part[i].closed ? "" : " not");
    }
    const bool spared = r->part[1].closed && !r->part[1].has_volume && r->part[0].has_volume;
    stlclash_result_free(r);
    stlclash_result_free(full);
    return spared;
}

static void check_made(stl_image inner, stl_image outer, bool spared, const char *what)
{
    CHECK_INT(check_pair(&inner, &outer, what, 0), spared);
    image_free(&inner);
    image_free(&outer);
}

TEST(outer_parts_are_spared_only_where_one_shell_surrounds_once)
{
    check_made(cube(-1, 1), box_about(0, 4, false), true, "plain");
    check_made(cube(-1, 1), box_about(0, 4, true), false, "inside out");
    check_made(cube(-1, 1), image_joined(box_about(0, 4, false), box_about(0, 2, false)), false,
               "twice around");
    check_made(cube(-1, 1), image_joined(box_about(0, 4, false), box_about(0, 2, true)), false,
               "in a cavity");
    check_made(cube(-1, 1), image_joined(box_about(0, 4, false), box_about(9, 2, true)), true,
               "beside a piece that is inside out");
    check_made(cube(-1, 1), image_joined(box_about(0, 4, false), box_about(0, 0.5, true)), false,
               "with a cavity inside the inner part");
    check_made(image_joined(cube(-1, 1), cube(9, 11)), box_about(0, 4, false), false, "sticks out");
    check_made(cube(-1, 1), box_about(0, 1.5, false), true, "close by");

    stl_image open = box_about(0, 4, false);
    shape_facet facet = image_get(&open, 1);
    image_set(&open, 0, &facet);
    check_made(cube(-1, 1), open, false, "open");
    open = cube(-1, 1);
    facet = image_get(&open, 1);
    image_set(&open, 0, &facet);
    check_made(open, box_about(0, 4, false), false, "open inner part");
}

/* The first two cancel each other as stored, so that what lies in both looks to be outside, and the
 * wall of the third like that of a sound part. */
TEST(a_shell_that_is_inside_out_is_seen_around_what_meets_another)
{
    stl_image outer = image_joined(box_about(0, 5, false), box_about(3.25, 6.625, true));
    outer = image_joined(outer, box_about(7.3, 5, false));
    check_made(box_about(1.5, 1.075, false), outer, false, "in three");

    /* Facets of the third that are so large that their middle is beside the others, of which the
     * first lies mostly beside the second: there they do not cancel each other. */
    stl_image turned = make_box((double[]){0.25, -6, -6}, (double[]){30, 6, 6}, CELLS);
    image_invert(&turned);
    outer = image_joined(simple_box(-20, 3, -5, 5, -5, 5), turned);
    outer = image_joined(outer, simple_box(2.3, 3.3, -40, 40, -40, 40));
    check_made(box_about(1.5, 1.075, false), outer, false, "in two, through a plate");
}

/* Cubes beside a block, and one of them in it, that no look at a few facets shows; more facets of
 * the cubes, or of the block. */
TEST(one_piece_of_many_in_a_large_part_is_found)
{
    enum { HELD = 7 };
    for (int i = 0; i < 4; i++) {
        const bool held = i % 2, fine_block = i / 2;
        const int cubes = fine_block ? 40 : 700;
        stl_image block =
            make_box((double[]){0, 0, 0}, (double[]){10, 10, 10}, fine_block ? 30 : 1);
        stl_image pieces = {0};
        for (int k = 0; k < cubes; k++) {
            const double x = held && k == HELD ? 5 : 12 + k % 30, y = k == HELD ? 5 : k / 30;
            pieces = image_joined(pieces, simple_box(x, x + 0.5, y, y + 0.5, 5, 5.5));
        }
        for (int way = 0; way < 3; way++) {
            stlclash_options o = ask_usual();
            o.no_overlap = way == 1;
            o.quick = way == 2;
            stlclash_status status = ask_status(&block, &pieces, &o);
            CHECK(status == (held ? STLCLASH_CLASH : STLCLASH_CLEAR), "case %d, way %d: %s", i, way,
                  stlclash_status_text(status));
        }
        image_free(&block);
        image_free(&pieces);
    }
}

/* What lies in the hole of a ring of which a facet is missing. */
TEST(large_open_parts_say_so)
{
    stl_image ring = make_torus(2, 0.5, 80, 60), held = cube(-0.5, 0.5);
    const shape_facet facet = image_get(&ring, 1);
    image_set(&ring, 0, &facet);
    for (int way = 0; way < 3; way++) {
        stlclash_options o = ask_usual();
        o.no_overlap = way == 1;
        o.quick = way == 2;
        stlclash_result *r = ask_images(&ring, &held, &o);
        CHECK(r->status == STLCLASH_CLEAR && ask_has_note(r, "open_part") && !r->part[0].closed,
              "way %d: %s", way, stlclash_status_text(r->status));
        stlclash_result_free(r);
    }
    image_free(&ring);
    image_free(&held);
}

/* Shells about the same middle or beside it, each either way round, and a part somewhere among
 * them. */
TEST(random_nests_are_judged_as_where_all_shells_are_looked_at)
{
    int spared = 0, rounds = test_rounds(60);
    for (int i = 0; i < rounds; i++) {
        stl_image outer = box_about(0, test_uniform(1, 8), test_below(4) == 0);
        for (int k = test_below(4); k > 0; k--) {
            const double x = test_below(2) * test_uniform(-8, 8);
            outer = image_joined(outer, box_about(x, test_uniform(0.5, 9), test_below(3) == 0));
        }
        stl_image inner = box_about(test_below(2) * test_uniform(-3, 3), test_uniform(0.3, 2),
                                    test_below(4) == 0);
        if (test_below(2)) {
            image_turn(&inner, test_uniform(0, 3), test_uniform(0, 3), test_uniform(0, 3));
        }
        spared += check_pair(&inner, &outer, "nest", i);
        image_free(&inner);
        image_free(&outer);
    }
    CHECK(spared > rounds / 20 || TEST_DIVISOR > 1, "only %d of %d were spared", spared, rounds);
}
