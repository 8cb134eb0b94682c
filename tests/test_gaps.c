/* test_gaps.c - every place where parts come near each other: made ones that are known, and random
 * ones by counting; however the surfaces are divided into facets. */
#include "ask.h"
#include "base/alloc.h"
#include "oracle_gaps.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- asking ----------------------------------------------------------------- */

static stlclash_options asking(double clearance)
{
    stlclash_options o = ask_usual();
    o.clearance = clearance;
    o.gaps = true;
    return o;
}

static int by_number(const void *x, const void *y)
{
    const double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

/* What holds of every list. */
static void check_list(const stlclash_result *r, const char *what)
{
    CHECK(r->has_gaps, "%s: no gaps told", what);
    CHECK(r->gap_count == 0 || r->has_separation, "%s: gaps without a distance", what);
    for (size_t i = 0; i < r->gap_count; i++) {
        const stlclash_separation *gap = &r->gaps[i];
        double square = 0.0;
        CHECK(i == 0 || gap->distance >= r->gaps[i - 1].distance, "%s: %g after %g", what,
              gap->distance, r->gaps[i - 1].distance);
        for (int k = 0; k < 3; k++) {
            CHECK(gap->vector[k] == gap->point_a[k] - gap->point_b[k], "%s: vector", what);
            square += gap->vector[k] * gap->vector[k];
        }
        CHECK(fabs(sqrt(square) - gap->distance) <= 1e-9 * (1.0 + gap->distance),
              "%s: points %g apart, not %g", what, sqrt(square), gap->distance);
    }
    if (r->gap_count > 0) {
        CHECK(r->gaps[0].distance == r->separation.distance &&
                  r->gaps[0].triangle_a == r->separation.triangle_a &&
                  r->gaps[0].triangle_b == r->separation.triangle_b,
              "%s: the narrowest, %.17g, is not the distance, %.17g", what, r->gaps[0].distance,
              r->separation.distance);
    }
}

/* The same gaps, exactly, in the same order, of B and A. */
static void check_exchanged_gaps(const stlclash_result *r, const stlclash_result *back,
                                 const char *what)
{
    CHECK_INT(back->gap_count, r->gap_count);
    for (size_t i = 0; i < r->gap_count && i < back->gap_count; i++) {
        const stlclash_separation *x = &r->gaps[i], *y = &back->gaps[i];
        CHECK(x->distance == y->distance && x->triangle_a == y->triangle_b &&
                  x->triangle_b == y->triangle_a && x->point_a[0] == y->point_b[0] &&
                  x->point_b[2] == y->point_a[2],
              "%s: gap %zu is another one when the parts are exchanged", what, i);
    }
}

/* Both orders, with one thread and several, have these gaps, but for a little. */
static void expect(const stl_image *a, const stl_image *b, const stlclash_options *options,
                   const double *distance, size_t count, double error, const char *what)
{
    stlclash_options several = *options;
    several.threads = 4;
    stlclash_result *r = ask_images(a, b, options), *back = ask_images(b, a, &several);

    check_list(r, what);
    CHECK(r->gap_count == count, "%s: %zu gaps, not %zu", what, r->gap_count, count);
    for (size_t i = 0; i < r->gap_count && i < count; i++) {
        CHECK(fabs(r->gaps[i].distance - distance[i]) <= error, "%s: gap %zu is %.17g, not %.17g",
              what, i, r->gaps[i].distance, distance[i]);
    }
    check_exchanged_gaps(r, back, what);
    stlclash_result_free(r);
    stlclash_result_free(back);
}

/* ---- made ones ---------------------------------------------------------------- */

static stl_image box_of(double x0, double x1, double y0, double y1, double z0, double z1,
                        uint32_t cells)
{
    return make_box((double[]){x0, y0, z0}, (double[]){x1, y1, z1}, cells);
}

enum { PEGS = 5 };

/* Pegs of one part, and as many heights above the plane z = 0. */
static stl_image make_pegs(const double height[PEGS], uint32_t cells)
{
    stl_image all = box_of(-40, 40, -4, 4, 8, 9, cells);
    for (int i = 0; i < PEGS; i++) {
        const double x = -36 + 16 * i;
        all = image_joined(all, box_of(x, x + 2, -1, 1, height[i], 8, 1 + cells / 2));
    }
    return all;
}

TEST(each_peg_above_a_plate_has_a_gap)
{
    for (int round = 0; round < test_rounds(60); round++) {
        double height[PEGS], below[PEGS];
        size_t count = 0;
        const double clearance = 0.25 * (1 + test_below(12));
        for (int i = 0; i < PEGS; i++) {
            height[i] = test_below(64) / 16.0; /* 0: it stands on the plate */
            if (height[i] < clearance) {
                below[count++] = height[i];
            }
        }
        qsort(below, count, sizeof *below, by_number);
        stl_image pegs = make_pegs(height, 1 + (uint32_t)test_below(4));
        stl_image plate = box_of(-48, 48, -8, 8, -8, 0, 1 + (uint32_t)test_below(6));
        if (test_below(2)) {
            image_shuffle(&pegs);
            image_rotate_corners(&plate);
        }
        stlclash_options o = asking(clearance);
        o.exact = test_below(2);
        expect(&plate, &pegs, &o, below, count, 0.0, "pegs");

        double placement[16];
        ask_placement(placement, 100.0);
        stlclash_options moved = asking(clearance);
        moved.placement[0] = moved.placement[1] = placement;
        expect(&plate, &pegs, &moved, below, count, 0.0, "pegs, placed alike");
        image_free(&pegs);
        image_free(&plate);
    }
}

TEST(feet_that_stand_on_a_plate_are_gaps_of_nothing)
{
    const double height[PEGS] = {0, 0.125, 0, 0.5, 0}, none[PEGS] = {0, 0, 0};
    stl_image pegs = make_pegs(height, 2), plate = box_of(-48, 48, -8, 8, -8, 0, 3);
    const stlclash_options touching = asking(0.0);
    expect(&plate, &pegs, &touching, none, 3, 0.0, "feet");
    image_free(&pegs);
    image_free(&plate);
}

/* A plate thinner than the clearance, between jaws of one part: not seen through the plate. */
TEST(what_lies_behind_a_wall_is_no_gap_of_its_own)
{
    for (uint32_t cells = 1; cells <= 4; cells++) {
        const double apart[] = {0.125, 0.25};
        stl_image plate = box_of(-8, 8, -8, 8, 0, 0.125, cells);
        stl_image jaws = image_joined(box_of(-1, 1, -1, 1, 0.25, 4, 5 - cells),
                                      box_of(-1.5, 1.25, -1, 1, -4, -0.25, cells));
        stlclash_options o = asking(1.0);
        expect(&plate, &jaws, &o, apart, 2, 0.0, "jaws");

        /* Both far away, where floats are as far apart as the jaws: they are compared as stored. */
        const double far[16] = {1, 0, 0, 0x1p22, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
        o.placement[0] = o.placement[1] = far;
        o.no_overlap = true;
        expect(&plate, &jaws, &o, apart, 2, 0.0, "jaws, far away");
        image_free(&plate);
        image_free(&jaws);
    }
}

/* Both walls of a groove are too near to a blade in it, the bottom is not: whichever is nearer, and
 * where the blade touches one of them. */
TEST(both_walls_of_a_groove_are_gaps)
{
    static const double left[] = {0.125, 0.25, 0.0};
    for (size_t i = 0; i < sizeof left / sizeof *left; i++) {
        const double right = 0.5, apart[] = {left[i], right};
        stl_image walls = image_joined(box_of(-2, -left[i], -4, 4, -4, 4, 2),
                                       box_of(1 + right, 4, -4, 4, -4, 4, 3));
        stl_image blade = box_of(0, 1, -3, 3, -2, 8, 2), edge = box_of(0, 0x1p-10, -3, 3, -2, 8, 2);
        const stlclash_options o = asking(0.625);
        expect(&walls, &blade, &o, apart, 2, 0.0, "a blade in a groove");

        /* As thin as next to nothing: each wall is seen through the other side of the blade. */
        stl_image narrow = image_joined(box_of(-2, -left[i], -4, 4, -4, 4, 2),
                                        box_of(0x1p-10 + right, 4, -4, 4, -4, 4, 3));
        expect(&narrow, &edge, &o, apart, 2, 0.0, "a thin blade");
        image_free(&walls);
        image_free(&blade);
        image_free(&narrow);
        image_free(&edge);
    }
}

/* A rectangle of the plane z = 0, in rows along y. */
static stl_image make_sheet(double x0, double x1, double y0, double y1, int rows)
{
    stl_image all = {.bytes = NULL};
    for (int i = 0; i < rows; i++) {
        const float low = (float)(y0 + (y1 - y0) * i / rows),
                    high = (float)(y0 + (y1 - y0) * (i + 1) / rows), a = (float)x0, b = (float)x1;
        const float corners[] = {a, low, 0, b, low,  0, b, high, 0, //
                                 a, low, 0, b, high, 0, a, high, 0};
        stl_image row = make_facets(corners, 2);
        all = i == 0 ? row : image_joined(all, row);
    }
    return all;
}

/* Below a bar lie sheets whose facets meet in T-junctions alone, there; aslant, they come apart by
 * rounding. Across a slit as wide as the gap they do not hang together. */
TEST(surfaces_hang_together_by_t_junctions)
{
    for (int round = 0; round < test_rounds(100); round++) {
        const bool slit = round % 4 == 0;
        const double apart[] = {0.25, 0.25};
        stl_image sheets = image_joined(make_sheet(-4, 0, -8, 8, 1 + test_below(3)),
                                        make_sheet(slit ? 1.5 : 0, 4, -8, 8, 7));
        const uint32_t cells =
            1 + 2 * (uint32_t)test_below(2); /* it may have fewer or more facets */
        stl_image bar = slit ? image_joined(box_of(-2, 0, -0.75, 0.25, 0.25, 2, cells),
                                            box_of(1.5, 3, -0.75, 0.25, 0.25, 2, cells))
                             : box_of(-2, 3, -0.75, 0.25, 0.25, 2, cells);
        const double turn[] = {test_uniform(-3, 3), test_uniform(-3, 3), test_uniform(-3, 3)};
        image_turn(&sheets, turn[0], turn[1], turn[2]);
        image_turn(&bar, turn[0], turn[1], turn[2]);
        const stlclash_options o = asking(0.5);
        expect(&sheets, &bar, &o, apart, slit ? 2 : 1, 1e-5, "sheets");
        image_free(&sheets);
        image_free(&bar);
    }
}

/* p + i u + j v, in whole numbers. */
static void whole_point(const int u[3], const int v[3], int i, int j, float out[3])
{
    for (int k = 0; k < 3; k++) {
        out[k] = (float)(i * u[k] + j * v[k]);
    }
}

/* A pyramid over the parallelogram from `low` to `high` times u and v, on the side of the apex; its
 * base is divided from a point within. */
static stl_image make_pyramid(const int u[3], const int v[3], int low, int high,
                              const float apex[3])
{
    const int ring[5][2] = {{low, low}, {high, low}, {high, high}, {low, high}, {low, low}};
    const int within[2] = {low + 1 + test_below(high - low - 1),
                           low + 1 + test_below(high - low - 1)};
    float corners[8][3][3];
    for (int i = 0; i < 4; i++) {
        for (int top = 0; top < 2; top++) { /* the base faces the other way */
            float(*f)[3] = corners[2 * i + top];
            whole_point(u, v, ring[i + !top][0], ring[i + !top][1], f[0]);
            whole_point(u, v, ring[i + top][0], ring[i + top][1], f[1]);
            whole_point(u, v, within[0], within[1], f[2]);
            if (top) {
                memcpy(f[2], apex, sizeof f[2]);
            }
        }
    }
    return make_facets(corners[0][0], 8);
}

/* Two on either side of a plane aslant, each divided in its own way, touch all over: exactly, that
 * is one gap, though rounding takes vertices out of the plane. */
TEST(what_touches_exactly_is_one_gap)
{
    const double none[] = {0.0};
    for (int round = 0; round < test_rounds(200); round++) {
        int u[3], v[3], n[3];
        do {
            for (int k = 0; k < 3; k++) {
                u[k] = test_below(19) - 9;
                v[k] = test_below(19) - 9;
            }
            for (int k = 0; k < 3; k++) {
                n[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
            }
        } while (n[0] == 0 && n[1] == 0 && n[2] == 0);
        const float above[3] = {(float)n[0], (float)n[1], (float)n[2]};
        const float below[3] = {-above[0], -above[1], -above[2]};
        stl_image a = make_pyramid(u, v, 0, 9, above), b = make_pyramid(v, u, 1, 7, below);
        stlclash_options o = exact();
        o.gaps = true;
        expect(&a, &b, &o, none, 1, 0.0, "pyramids");
        image_free(&a);
        image_free(&b);
    }
}

/* A needle stands with its tip against one wall, and is too near to another: by its tip, too. */
TEST(a_place_that_touches_is_no_wall_for_another)
{
    double needle[4][3] = {{0, 0, 0}, {0.25, 0, 4}, {0.375, 0.125, 4}, {0.375, -0.125, 4}};
    const double apart[] = {0.0, sqrt(0.25 + 0x1p-6)};
    stl_image walls =
        image_joined(box_of(-2, 0, -4, 4, -4, 4, 1), box_of(0.5, 2, -4, 4, -4, -0.125, 1));
    stl_image tip = make_tetra(needle);
    stlclash_options o = asking(0.625);
    o.no_overlap = true;
    expect(&walls, &tip, &o, apart, 2, 1e-15, "a needle");
    image_free(&walls);
    image_free(&tip);
}

/* Two bodies hang together by a vertex alone, which is near; the lowest point of each lies
 * elsewhere. Below them is a plate, or a tetrahedron with fewer facets. */
static void check_bodies_above(const stl_image *plate)
{
    double left[4][3] = {{0, 0, 0.5}, {-2, 0, 0.25}, {-1, 1, 2}, {-1, -1, 2}}, right[4][3];
    for (int i = 0; i < 4; i++) {
        right[i][0] = -left[i][0];
        right[i][1] = left[i][1];
        right[i][2] = left[i][2] == 0.25 ? 0.375 : left[i][2];
    }
    const double apart[] = {0.25, 0.375};
    stl_image both = image_joined(make_tetra(left), make_tetra(right));
    stlclash_options o = asking(0.75);
    expect(&both, plate, &o, apart, 1, 0.0, "by a vertex");
    o.clearance = 0.4375;
    expect(&both, plate, &o, apart, 2, 0.0, "by a vertex that is not near");
    image_free(&both);
}

TEST(surfaces_hang_together_by_vertices)
{
    double below[4][3] = {{-20, -20, 0}, {20, -20, 0}, {0, 0, -5}, {0, 30, 0}};
    stl_image plate = box_of(-4, 4, -4, 4, -1, 0, 2), tetra = make_tetra(below);
    check_bodies_above(&plate);
    check_bodies_above(&tetra);
    image_free(&plate);
    image_free(&tetra);
}

/* Two links of a chain: one gap all around, however the surfaces are divided. */
static void check_links(uint32_t around, uint32_t across, double clearance)
{
    stl_image ring = make_torus(4, 1, around, across);
    stl_image linked = make_torus(4, 1, around + 16, across + 4);
    image_turn(&linked, acos(0.0), 0, 0);
    image_move(&linked, 4, 0, 0);
    const stlclash_options o = asking(clearance);
    stlclash_result *r = ask_images(&ring, &linked, &o);
    expect(&ring, &linked, &o, &r->separation.distance, 1, 0.0, "links");
    stlclash_result_free(r);
    image_free(&ring);
    image_free(&linked);
}

TEST(a_ring_is_one_gap)
{
    check_links(24, 12, 3.5);
    check_links(120, 60, 2.03); /* enough for several threads */
}

TEST(gaps_are_told_where_they_are_asked_for)
{
    stl_image a = cube(0, 1), b = cube(2, 3), inner = cube(0.25, 0.75);
    stlclash_options o = asking(1.0);

    stlclash_result *r = ask_images(&a, &b, &o);
    CHECK(r->has_gaps && r->gap_count == 0, "clear: gaps");
    stlclash_result_free(r);

    o.no_distance = true;
    r = ask_images(&a, &b, &o);
    CHECK(r->has_gaps && r->gap_count == 0, "clear, the distance not asked for: gaps");
    stlclash_result_free(r);

    o = asking(2.0);
    o.no_distance = true;
    expect(&a, &b, &o, (const double[]){sqrt(3.0)}, 1, 1e-15, "corner to corner");
    expect(&a, &inner, &o, (const double[]){0.25}, 1, 0.0, "inside");

    o.quick = true;
    r = ask_images(&a, &b, &o);
    CHECK(!r->has_gaps && !r->gaps, "quick: gaps");
    stlclash_result_free(r);

    o = ask_usual();
    o.clearance = 2.0;
    r = ask_images(&a, &b, &o);
    CHECK(!r->has_gaps && !r->gaps, "gaps that nobody asked for");
    stlclash_result_free(r);
    image_free(&a);
    image_free(&b);
    image_free(&inner);
}

/* ---- random ones -------------------------------------------------------------- */

/* Some boxes of several sizes, and tetrahedra above and beside them. */
static void random_parts(stl_image *a, stl_image *b)
{
    const double thick = test_below(2) ? test_uniform(0.02, 0.1) : test_uniform(0.1, 1.0);
    *a = box_of(-2, 2, -1.5, 1.5, -thick, 0, 4);
    if (test_below(4) == 0) {
        const double x = test_uniform(2.3, 3.0);
        *a = image_joined(*a, box_of(x, x + 1, -0.5, 0.5, -0.5, test_uniform(0.0, 1.0), 1));
    }
    *b = (stl_image){.bytes = NULL};
    for (int i = 1 + test_below(3); i > 0; i--) {
        double v[4][3];
        const double x = test_uniform(-1.5, 1.5), y = test_uniform(-1.0, 1.0),
                     z = test_uniform(0.2, 1.0) * (test_below(4) ? 1.0 : -1.0 - thick);
        for (int k = 0; k < 4; k++) {
            v[k][0] = x + test_uniform(-0.6, 0.6);
            v[k][1] = y + test_uniform(-0.6, 0.6);
            v[k][2] = z + test_uniform(-0.6, 0.6);
        }
        stl_image one = make_tetra(v);
        *b = b->bytes ? image_joined(*b, one) : one;
    }
}

TEST(gaps_are_those_that_counting_finds)
{
    int sure = 0, several = 0, hidden = 0, least = test_rounds(20);
    for (int round = 0; round < test_rounds(160); round++) {
        stl_image a, b;
        random_parts(&a, &b);
        const double clearance = test_uniform(0.4, 1.0);
        oracle_gaps truth = oracle_gaps_of(&a, &b, clearance, 8);
        if (truth.sure) {
            stlclash_options o = asking(clearance);
            o.no_overlap = true;
            stlclash_result *r = ask_images(&a, &b, &o);
            check_list(r, "random parts");
            CHECK(r->gap_count == (size_t)truth.count, "round %d: %zu gaps, counted %d", round,
                  r->gap_count, truth.count);
            for (size_t i = 0; i < r->gap_count && i < (size_t)truth.count; i++) {
                CHECK(r->gaps[i].distance <= truth.distance[i] + 1e-6 &&
                          r->gaps[i].distance >= truth.distance[i] - 2.0 * truth.step,
                      "round %d: gap %zu is %g, counted %g", round, i, r->gaps[i].distance,
                      truth.distance[i]);
            }
            sure++;
            several += truth.count > 1;
            hidden += truth.hidden > 0;
            stlclash_result_free(r);
        }
        oracle_gaps_free(&truth);
        image_free(&a);
        image_free(&b);
    }
    CHECK(TEST_DIVISOR > 1 || (sure >= least && several >= least / 4 && hidden >= 1),
          "only %d were sure, %d with several gaps, %d with hidden ones", sure, several, hidden);
}

/* Loose triangles, some without area: however large, in any order, the gaps are the same. */
TEST(gaps_do_not_depend_on_scale_or_order)
{
    size_t several = 0;
    for (int round = 0; round < test_rounds(150); round++) {
        stl_image a = make_soup(1 + test_below(40), 0.3), b = make_soup(1 + test_below(40), 0.3);
        const double clearance = test_uniform(0.05, 0.4);
        const int power = test_below(2) ? test_below(120) - 60 : 0;
        shape_facet flat = image_get(&a, 0);
        memcpy(flat.corner[2], flat.corner[test_below(2)], sizeof flat.corner[2]);
        image_set(&a, 0, &flat);
        image_move(&b, test_uniform(-1, 1), test_uniform(-1, 1), test_uniform(-1, 1));

        stlclash_options o = asking(clearance), scaled = asking(ldexp(clearance, power));
        o.no_overlap = scaled.no_overlap = true;
        stlclash_result *r = ask_images(&a, &b, &o);
        check_list(r, "soup");
        image_scale(&a, ldexp(1.0, power));
        image_scale(&b, ldexp(1.0, power));
        image_shuffle(&a);
        image_rotate_corners(&b);
        stlclash_result *s = ask_images(&b, &a, &scaled);
        check_list(s, "scaled soup");
        CHECK(s->gap_count == r->gap_count, "2^%d: %zu gaps, not %zu", power, s->gap_count,
              r->gap_count);
        for (size_t i = 0; i < r->gap_count && i < s->gap_count; i++) {
            const double back = ldexp(s->gaps[i].distance, -power);
            CHECK(fabs(back - r->gaps[i].distance) <= 0x1p-45, "2^%d: %.17g, not %.17g", power,
                  back, r->gaps[i].distance);
        }
        several += r->gap_count > 1;
        stlclash_result_free(r);
        stlclash_result_free(s);
        image_free(&a);
        image_free(&b);
    }
    CHECK(TEST_DIVISOR > 1 || several > 50, "only %zu with several gaps", several);
}

/* ---- limits ------------------------------------------------------------------- */

/* All 20 million pairs lie within the clearance: also where the square of that is no float any
 * more, or no double. */
TEST(surfaces_all_of_which_are_near_are_one_gap)
{
    static const double clearances[] = {6.0, 1e19, 1e25, 1e200};
    for (size_t i = 0; i < sizeof clearances / sizeof clearances[0]; i++) {
        stl_image a = make_sphere(1, 19), b = make_sphere(1, 20);
        image_move(&b, 3, 0, 0);
        const stlclash_options o = asking(clearances[i]);
        stlclash_result *r = ask_images(&a, &b, &o);
        CHECK(r->status == STLCLASH_NEAR && !r->pass, "%g: not near", clearances[i]);
        CHECK(r->has_gaps && r->gap_count == 1, "%g: %zu gaps", clearances[i], r->gap_count);
        CHECK(r->has_gaps && r->gaps[0].distance == r->separation.distance,
              "%g: %.17g in place of %.17g", clearances[i], r->gaps[0].distance,
              r->separation.distance);
        stlclash_result_free(r);
        image_free(&a);
        image_free(&b);
    }
}

/* Facets of which none hangs together with another one, each pair an item of its own; and so many
 * that pairs of leaves are too many. */
TEST(too_many_near_pairs_are_said)
{
    if (TEST_DIVISOR > 1) {
        test_skip("too slow here");
        return;
    }
    for (int loose = 0; loose < 2; loose++) {
        stl_image a = loose ? make_soup(4400, 0.01) : make_sphere(1, 53);
        stl_image b = loose ? make_soup(4400, 0.01) : make_sphere(1, 53);
        image_move(&b, 3, 0, 0);
        const stlclash_options o = asking(6.0);
        stlclash_result *r = ask_images(&a, &b, &o);
        CHECK(r->status == STLCLASH_NEAR && !r->pass, "not near");
        CHECK(!r->has_gaps && ask_has_note(r, "gaps_unknown"), "nothing is said of gaps");
        stlclash_result_free(r);
        image_free(&a);
        image_free(&b);
    }
}

TEST(gaps_survive_failed_allocations)
{
    const double height[PEGS] = {0, 0.125, 1, 0.5, 0};
    stl_image pegs = make_pegs(height, 2), plate = box_of(-48, 48, -8, 8, -8, 0, 3);
    stlclash_mesh *a = ask_mesh(&plate), *b = ask_mesh(&pegs);
    const stlclash_options o = asking(0.75);
    bool failed = true;

    for (unsigned long n = 1; failed; n += test_long() ? 1 : 1 + n / 10) {
        stlclash_result *r = NULL;
        stlclash_error error;
        sc_alloc_fail_at(n);
        const stlclash_code code = stlclash_check(a, b, &o, &r, &error);
        const unsigned long made = sc_alloc_fail_at(0);
        CHECK(code == STLCLASH_OK ? r->has_gaps && r->gap_count == 4
                                  : code == STLCLASH_E_MEMORY && !r,
              "allocation %lu failed: %s, %zu gaps", n, stlclash_code_text(code),
              r ? r->gap_count : 0);
        failed = n <= made;
        stlclash_result_free(r);
    }
    stlclash_mesh_free(a);
    stlclash_mesh_free(b);
    image_free(&pegs);
    image_free(&plate);
}
