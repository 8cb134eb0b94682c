/* test_touch_overlap.c - overlaps that a tolerance allows, which are no clash. Only the public
 * interface is asked. */
#include "ask.h"
#include "test.h"

/* Combs in each other, turned and rounded: what is told of them as flush but for rounding does not
 * need looking for again where more is allowed, be it more than half a wall. */
TEST(a_touch_overlap_that_allows_more_asks_for_no_more)
{
    enum { FINGERS = 6 };
    for (int round = 0; round < test_rounds(5); round++) {
        const double turn[3] = {test_uniform(-3, 3), test_uniform(-3, 3), test_uniform(-3, 3)};
        stl_image comb[2] = {make_facets(NULL, 0), make_facets(NULL, 0)};
        for (int i = 0; i < 2 * FINGERS; i++) {
            stl_image finger = simple_box(i, i + 1, 10 * (i % 2), 50 + 10 * (i % 2), 0, 1);
            comb[i % 2] = image_joined(comb[i % 2], finger);
        }
        image_turn(&comb[0], turn[0], turn[1], turn[2]);
        image_turn(&comb[1], turn[0], turn[1], turn[2]);
        stlclash_options o = ask_usual();
        stlclash_result *usual = ask_images(&comb[0], &comb[1], &o);
        o.touch_overlap = 0.6;
        stlclash_result *more = ask_images(&comb[0], &comb[1], &o);
        CHECK(usual->status == STLCLASH_CONTACT && more->status == STLCLASH_CONTACT,
              "round %d: %s, %s", round, stlclash_status_text(usual->status),
              stlclash_status_text(more->status));
        CHECK(usual->overlap.depth == more->overlap.depth &&
                  usual->overlap.depth_error == more->overlap.depth_error,
              "round %d: depth %g+-%g, %g+-%g", round, usual->overlap.depth,
              usual->overlap.depth_error, more->overlap.depth, more->overlap.depth_error);
        stlclash_result_free(usual);
        stlclash_result_free(more);
        image_free(&comb[0]);
        image_free(&comb[1]);
    }
}

TEST(touch_overlap_is_compared_with_the_depth)
{
    stl_image plate = simple_box(-9, 9, -9, 9, -4, 0), peg = simple_box(-1, 1, -1, 1, -.25, 2);
    static const struct {
        double allowed;
        stlclash_status status;
    } row[] = {{0, STLCLASH_CLASH},
               {0.125, STLCLASH_CLASH},
               {0.25 - 1e-9, STLCLASH_CLASH},
               {0.25, STLCLASH_CONTACT}, /* the bound itself passes */
               {0.25 + 1e-9, STLCLASH_CONTACT},
               {0.5, STLCLASH_CONTACT}};

    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        for (int way = 0; way < 4; way++) {
            stlclash_options o = ask_usual();
            o.touch_overlap = row[i].allowed;
            o.no_overlap = way & 1;
            o.quick = way & 2;
            stlclash_status status = ask_status(&plate, &peg, &o);
            CHECK(status == row[i].status, "0.25 deep, %.10g allowed, way %d: %s", row[i].allowed,
                  way, stlclash_status_text(status));
        }
    }
    image_free(&plate);
    image_free(&peg);
}

/* Bars of one section, pushed into each other: only a line of points lies as deep as it gets. A
 * limit just below that is told to be exceeded whether or not the depth is asked for. */
TEST(touch_overlap_just_below_the_depth)
{
    stl_image a = simple_box(0, 2, 0, 1, 0, 1), b = simple_box(1, 3, 0, 1, 0, 1);
    for (int way = 0; way < 4; way++) {
        stlclash_options o = ask_usual();
        o.touch_overlap = 0.5 * (1 - 1e-6);
        o.no_overlap = way & 1;
        o.quick = way & 2;
        stlclash_status status = ask_status(&a, &b, &o);
        CHECK(status == STLCLASH_CLASH, "way %d: %s", way, stlclash_status_text(status));
    }
    image_free(&a);
    image_free(&b);
}

/* What lies inside another part, but nowhere deep. */
TEST(swallowed_parts_may_lie_shallow)
{
    stl_image whole = cube(0, 4), small = cube(0.125, 0.375);
    for (int way = 0; way < 6; way++) {
        stlclash_options o = ask_usual();
        o.touch_overlap = way % 2 ? 0.3125 : 0.5;
        o.touch_gap = 0.25;
        o.no_overlap = way / 2 == 1;
        o.quick = way / 2 == 2;
        stlclash_status status = ask_status(&whole, &small, &o);
        CHECK(status == (way % 2 ? STLCLASH_CLASH : STLCLASH_CONTACT), "touch overlap %g: %s",
              o.touch_overlap, stlclash_status_text(status));
    }
    image_free(&whole);
    image_free(&small);
}

/* A rod that nearly goes through a plate: of this the wall behind counts, which it does not come
 * to. */
TEST(walls_that_nothing_comes_to_bound_the_depth)
{
    for (int i = 0; i < 6; i++) {
        const double thick = i % 2 ? 0.6875 : 0.5625;
        stl_image plate =
            make_box((double[]){-8, -8, 0}, (double[]){8, 8, thick}, 1 + 12 * (uint32_t)(i / 2));
        stl_image rod = simple_box(-0.25, 0.25, -0.25, 0.25, -1, 0.34375);
        stlclash_options o = ask_usual();
        o.touch_overlap = 0.3125;
        for (int way = 0; way < 3; way++) {
            o.no_overlap = way == 1;
            o.quick = way == 2;
            stlclash_status status = ask_status(&plate, &rod, &o);
            CHECK(status == (i % 2 ? STLCLASH_CLASH : STLCLASH_CONTACT), "%g thick, way %d: %s",
                  thick, way, stlclash_status_text(status));
        }
        image_free(&plate);
        image_free(&rod);
    }
}
