/* test_solid_depth.c - how deep solids lie in each other: what can be written down, linear
 * programs and samples. Only the public interface is asked. */
#include "ask.h"
#include "solid_truth.h"
#include "test.h"

#include <math.h>
#include <stdio.h>

/* Random pairs. */
enum { DEPTHS = 1500 };

static void try_depth(stl_image a, stl_image b, double depth, const char *what)
{
    static const double errors[] = {0, 1e-4, 0.1};
    double extent = extent_of(&a, &b);

    for (int i = 0; i < 3; i++) {
        stlclash_options o = exact();
        o.depth_error = errors[i];
        for (int turn = 0; turn < 2; turn++) {
            stlclash_result *r = turn ? ask_images(&b, &a, &o) : ask_images(&a, &b, &o);
            CHECK(r->status == STLCLASH_CLASH && r->has_overlap, "%s: %s", what,
                  stlclash_status_text(r->status));
            check_depth(r, depth, extent, what);
            check_deepest(r, turn ? &b : &a, turn ? &a : &b, i == 0 ? 0.01 : errors[i], what);
            stlclash_result_free(r);
        }
    }
    image_free(&a);
    image_free(&b);
}

TEST(depths_that_can_be_written_down)
{
    try_depth(cube(0, 1), cube(0, 1), 0.5, "identical cubes");
    try_depth(simple_box(-3, 3, -1, 1, -1, 1), simple_box(-1, 1, -3, 3, -1, 1), 1, "plus sign");
    try_depth(simple_box(-9, 9, -1, 1, -.5, .5), simple_box(-1, 1, -9, 9, .2f, 1.2f), 0.5 - .2f,
              "X of bars");
    try_depth(simple_box(-9, 9, -9, 9, -4, 0), simple_box(-1, 1, -1, 1, -.25, 2), 0.25,
              "sunk into a plate");
    try_depth(simple_box(-9, 9, -9, 9, -4, 0), simple_box(-1, 1, -1, 1, -1.5, 2), 1.5,
              "sunk deeper than its half width");
    try_depth(cube(-5, 5), simple_box(1, 2, -.5, .5, -.5, .5), 4, "swallowed part");
    try_depth(simple_box(0, 4, 0, 4, 0, 4), simple_box(0, 2, 0, 4, 0, 4), 2, "flush-nested boxes");
    try_depth(simple_box(0, 4, 0, 4, 0, 4), simple_box(0, 1, 0, 4, 0, 4), 1, "flush-nested slice");
    try_depth(cube(0, 1), simple_box(1 - 0x1p-24, 2, 0, 1, 0, 1), 0x1p-24, "one ulp");
    try_depth(simple_box(-1e6, 1e6, -1e6, 1e6, -1000, 0), simple_box(0, 1, 0, 1, -1, 0), 1,
              "a millimetre box in a plate of two kilometres, flush");
    try_depth(simple_box(-1e6, 1e6, -1e6, 1e6, -1000, 0), simple_box(0, 1, 0, 1, -.5, .5), 0.5,
              "a millimetre box in a plate of two kilometres");
}

/* Tessellation changes nothing. */
TEST(depth_of_boxes_tessellated_anew)
{
    for (uint32_t cells = 1; cells <= 8; cells *= 2) {
        double low[3] = {-9, -1, -.5}, high[3] = {9, 1, .5};
        double low_b[3] = {-1, -9, .25}, high_b[3] = {1, 9, 1.25};
        try_depth(make_box(low, high, cells), make_box(low_b, high_b, 9 - cells), 0.25,
                  "X of bars");
    }
}

TEST(the_same_part_almost_in_place_is_deep)
{
    stl_image a = make_bumpy(1, 8), b = make_bumpy(1, 8);
    stlclash_options o = ask_usual();

    image_move(&b, 1e-6, 0, 0);
    stlclash_result *r = ask_images(&a, &b, &o);
    CHECK(r->status == STLCLASH_CLASH, "status %s", stlclash_status_text(r->status));
    check_deepest(r, &a, &b, 0.01, "almost in place");
    double centre[3] = {0, 0, 0}, least = oracle_distance(&a, centre);
    CHECK(r->overlap.depth + r->overlap.depth_error >= least, "depth %g, centre %g",
          r->overlap.depth, least);
    stlclash_result_free(r);
    o.touch_overlap = 0.9 * least;
    CHECK(ask_status(&a, &b, &o) == STLCLASH_CLASH, "not a clash with a touch overlap of %g",
          o.touch_overlap);
    o.touch_overlap = 1.1;
    CHECK(ask_status(&a, &b, &o) == STLCLASH_CONTACT, "not a contact with a touch overlap of %g",
          o.touch_overlap);
    image_free(&a);
    image_free(&b);
}

/* Against the linear program. */
TEST(depth_of_random_convex_parts)
{
    int deep = 0;

    for (int i = 0; i < test_rounds(DEPTHS); i++) {
        stl_image a, b;
        if (i % 2) {
            int v[4][3], w[4][3];
            double p[4][3], q[4][3];
            oracle_tetra_random(i % 4 == 1 ? 8 : 1000, v);
            oracle_tetra_random(i % 4 == 1 ? 8 : 1000, w);
            oracle_tetra_doubles(v, p);
            oracle_tetra_doubles(w, q);
            a = make_tetra(p);
            b = make_tetra(q);
        } else {
            double x = test_uniform(0.2, 2), y = test_uniform(0.2, 2), z = test_uniform(0.2, 2);
            a = simple_box(-1, 1, -1, 1, -1, 1);
            b = simple_box(-x, x, -y, y, -z, z);
            if (i % 8) {
                image_turn(&b, test_uniform(0, 6), test_uniform(0, 6), test_uniform(0, 6));
            }
            image_move(&b, test_uniform(-2, 2), test_uniform(-2, 2), test_uniform(-1, 1));
        }
        oracle_convex c = oracle_convex_of(&a), d = oracle_convex_of(&b);
        double depth = oracle_convex_depth(&c, &d), extent = extent_of(&a, &b);
        stlclash_options o = exact();
        o.depth_error = i % 5 == 0 ? 1e-3 : 0;
        stlclash_result *r = ask_images(&a, &b, &o);
        char what[40];
        snprintf(what, sizeof what, "convex pair %d", i);
        if (r->status == STLCLASH_CLASH) {
            bool skew = c.count != 4 && i % 8; /* sides of a turned box are not quite flat */
            deep++;
            CHECK(depth > -1e-9 * extent, "%s: a clash with depth %g", what, depth);
            check_depth(r, fmax(depth, 0), skew ? 1e6 * extent : extent, what);
            check_deepest(r, &a, &b, i % 5 == 0 ? 1e-3 : 0.01, what);
        } else {
            CHECK(depth <= 1e-6 * extent, "%s: depth %g of parts that are %s", what, depth,
                  stlclash_status_text(r->status));
        }
        stlclash_result_free(r);
        image_free(&a);
        image_free(&b);
    }
    CHECK(deep > test_rounds(DEPTHS) / 5, "only %d overlaps", deep);
}

/* Against sampling; the deepest point itself is exact. */
TEST(depth_of_random_voxel_solids)
{
    stlclash_options o = exact();

    for (int i = 0; i < test_rounds(DEPTHS / 10); i++) {
        int none[3] = {0, 0, 0}, n = 3 + i % 2;
        oracle_frame f = i % 3 ? oracle_frame_random() : oracle_frame_plain();
        oracle_voxels v = oracle_voxels_random(n, 0.7), w = oracle_voxels_random(n, 0.7);
        stl_image a = oracle_voxels_mesh(&v, none, &f), b = oracle_voxels_mesh(&w, none, &f);
        stlclash_result *r = ask_images(&a, &b, &o);
        char what[40];
        snprintf(what, sizeof what, "voxel pair %d", i);
        if (r->status == STLCLASH_CLASH) {
            check_deepest(r, &a, &b, 0.01, what);
            double bound = r->overlap.depth + r->overlap.depth_error;
            for (int s = 0; s < 400; s++) {
                int x = test_below(n), y = test_below(n), z = test_below(n);
                double lattice[3] = {x + test_below(5) / 4.0, y + test_below(5) / 4.0,
                                     z + test_below(5) / 4.0};
                double p[3];
                if (v.set[x][y][z] && w.set[x][y][z]) {
                    oracle_frame_place(&f, lattice, p);
                    double here = fmax(oracle_distance(&a, p), oracle_distance(&b, p));
                    CHECK(here <= bound * (1 + 1e-12), "%s: %g deep, not %g", what, here, bound);
                }
            }
        }
        stlclash_result_free(r);
        image_free(&a);
        image_free(&b);
    }
}

/* Rings, which are about as deep all the way around: to a millionth that takes more looks than
 * there are. */
TEST(a_depth_not_found_out_is_told_with_its_error)
{
    stl_image a = make_torus(3, 1, 64, 48), b = make_torus(3, 1, 64, 48);
    stlclash_options o = ask_usual();
    image_move(&b, 0.3, 0.2, 0.4);
    stlclash_result *rough = ask_images(&a, &b, &o);
    o.depth_error = 1e-6;
    stlclash_result *fine = ask_images(&a, &b, &o);
    const stlclash_overlap *known = &rough->overlap, *found = &fine->overlap;
    CHECK(rough->status == STLCLASH_CLASH && known->has_depth &&
              !ask_has_note(rough, "depth_undecided"),
          "to a hundredth");
    CHECK(fine->status == STLCLASH_CLASH && found->has_depth &&
              ask_has_note(fine, "depth_undecided"),
          "status %d", fine->status);
    CHECK(found->depth_error > 1e-6 * found->depth && found->depth_error < 0.01 * found->depth &&
              found->depth + found->depth_error >= known->depth &&
              found->depth <= known->depth + known->depth_error,
          "%.9g deep, by %g; roughly %.9g, by %g", found->depth, found->depth_error, known->depth,
          known->depth_error);
    stlclash_result_free(rough);
    stlclash_result_free(fine);
    image_free(&a);
    image_free(&b);
}
