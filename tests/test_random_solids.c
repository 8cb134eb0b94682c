/* test_random_solids.c - status, containment, volume and area of random solids against
 * counting, clipping and enumeration. Only the public interface is asked. */
#include "ask.h"
#include "solid_truth.h"
#include "test.h"

#include <math.h>
#include <stdio.h>

/* Random pairs of each kind. */
enum { TETRAHEDRA = 100000, VOXELS = 10000, SPLIT_BOXES = 8000, COMPLEMENTS = 400 };

/* ---- tetrahedra ----------------------------------------------------------------- */

TEST(random_tetrahedra)
{
    static const int grids[] = {3, 4, 6, 1000};
    int count[6] = {0};
    stlclash_options o = exact(), quick = exact();
    char what[200];

    o.depth_error = 1; /* depth is judged elsewhere */
    quick.quick = true;
    for (int i = 0; i < test_rounds(TETRAHEDRA); i++) {
        int v[4][3], w[4][3], grid = grids[i % 4], sign;
        double a[4][3], b[4][3], cube_of_grid = (double)grid * grid * grid;
        truth t = {.area = -1};
        oracle_tetra_random(grid, v);
        oracle_tetra_random(grid, w);
        if (grid == 1000 && i % 3 < 2) { /* one small enough to lie inside the other */
            int(*small)[3] = i % 3 ? v : w, move = test_below(900);
            oracle_tetra_random(100, small);
            for (int c = 0; c < 12; c++) {
                small[c / 3][c % 3] += move;
            }
        }
        oracle_tetra_doubles(v, a);
        oracle_tetra_doubles(w, b);
        oracle_relation relation = oracle_tetra_relation(v, w);
        apply_relation(relation, &t);
        count[relation]++;
        bool fractions = i % 64 < 4;
        t.volume = fractions ? oracle_tetra_fraction(a, b, &sign) : oracle_tetra_estimate(a, b);
        stl_image ia = make_tetra(a), ib = make_tetra(b);
        bool measured = i % 16 < 4;
        o.no_overlap = !measured;
        stlclash_result *r = ask_images(&ia, &ib, &o);
        double off = fabs(r->overlap.volume - t.volume), noise = 1e-17 * cube_of_grid;
        bool good = r->status == t.status;
        if (measured && t.status == STLCLASH_CLASH) {
            good &= r->has_overlap && r->overlap.contained == t.contained;
            good &= off <= r->overlap.volume_error + (fractions ? 0x1p-53 * t.volume : noise);
            good &= off <= 1e-13 * t.volume + 10 * noise;
            good &= r->overlap.volume_error <= 1e-13 * cube_of_grid;
        }
        if (!good) {
            size_t used = 0;
            for (int c = 0; c < 24; c++) {
                used += (size_t)snprintf(what + used, sizeof what - used, "%d%s",
                                         (c < 12 ? v : w)[c / 3 % 4][c % 3],
                                         c % 3 < 2 ? ","
                                         : c == 11 ? " | "
                                                   : " ");
            }
            CHECK(false, "%s: %s %.17g+-%g contained %d, but %s %.17g contained %d", what,
                  stlclash_status_text(r->status), r->overlap.volume, r->overlap.volume_error,
                  r->overlap.contained, stlclash_status_text(t.status), t.volume, t.contained);
        }
        if (i % 32 < 4) {
            stlclash_result *s = ask_images(&ib, &ia, &o);
            check_exchanged(r, s, same_images(&ia, &ib), "tetrahedra");
            CHECK(ask_status(&ia, &ib, &quick) == t.status, "quick: not %s",
                  stlclash_status_text(t.status));
            stlclash_result_free(s);
        }
        stlclash_result_free(r);
        image_free(&ia);
        image_free(&ib);
    }
    for (int i = ORACLE_APART; i <= ORACLE_B_INSIDE; i++) {
        CHECK(count[i] > 0 || TEST_DIVISOR > 1, "relation %d is missing", i);
    }
}

/* ---- voxel solids --------------------------------------------------------------- */

/* Regions: largest first, together the overlap, no more than there are pieces; pieces
 * that meet in an edge or corner may count as one, and so may those that are joined by flush faces
 * which no shift leads out of (the slits that it opens there). */
static void check_regions(const stlclash_result *r, const oracle_voxels_pair *pair,
                          const char *what)
{
    const stlclash_overlap *o = &r->overlap;
    double sum = 0;

    CHECK(o->region_count > 0 && (int)o->region_count <= pair->components_most,
          "%s: %d regions, but there are %d to %d", what, (int)o->region_count,
          pair->components_least, pair->components_most);
    for (size_t i = 0; i < o->region_count; i++) {
        sum += o->regions[i].volume;
        CHECK(i == 0 || o->regions[i].volume <= o->regions[i - 1].volume,
              "%s: regions out of order", what);
    }
    CHECK(fabs(sum - o->volume) <= 1e-12 * o->volume, "%s: the regions have %g of %g", what, sum,
          o->volume);
}

TEST(random_voxel_solids)
{
    int count[6] = {0};
    stlclash_options o = exact(), unmeasured = exact();
    char what[40];

    o.depth_error = 1;
    unmeasured.no_overlap = true;
    for (int i = 0; i < test_rounds(VOXELS); i++) {
        int n = 3 + (test_below(6) == 0), shift[3], none[3] = {0, 0, 0};
        oracle_frame f = i % 2 ? oracle_frame_random() : oracle_frame_plain();
        oracle_voxels a = oracle_voxels_random(n, test_uniform(0.05, 0.95));
        oracle_voxels b = oracle_voxels_random(n, test_uniform(0.05, 0.95));
        for (int k = 0; k < 3; k++) {
            shift[k] = test_below(2) ? 0 : test_below(2 * n + 1) - n;
        }
        oracle_voxels_pair pair = oracle_voxels_compare(&a, &b, shift);
        truth t = voxels_truth(&pair, &f);
        voxels_bounds(&a, &b, shift, &f, &t);
        count[pair.relation]++;
        stl_image ia = oracle_voxels_mesh(&a, none, &f), ib = oracle_voxels_mesh(&b, shift, &f);
        snprintf(what, sizeof what, "voxel pair %d", i);
        bool measured = i % 4 == 0;
        stlclash_result *r = ask_images(&ia, &ib, measured ? &o : &unmeasured);
        if (measured) {
            check_truth(r, &t, extent_of(&ia, &ib), what);
            if (r->status == STLCLASH_CLASH) {
                check_regions(r, &pair, what);
            }
        } else {
            CHECK(r->status == t.status, "%s: %s, but it is %s", what,
                  stlclash_status_text(r->status), stlclash_status_text(t.status));
        }
        stlclash_result_free(r);
        image_free(&ia);
        image_free(&ib);
    }
    CHECK(TEST_DIVISOR > 1 || (count[ORACLE_APART] && count[ORACLE_TOUCH] && count[ORACLE_OVERLAP]),
          "a relation is missing");
}

/* A coarse solid with free cells inside it, and a fine one anywhere in or at it. */
TEST(voxels_of_two_sizes)
{
    int count[6] = {0};
    stlclash_options o = exact();
    char what[40];

    o.depth_error = 1;
    for (int i = 0; i < test_rounds(VOXELS / 4); i++) {
        oracle_frame fine = oracle_frame_plain(), coarse;
        if (i % 2) {
            fine = oracle_frame_random();
        }
        coarse = fine;
        for (int k = 0; k < 9; k++) {
            coarse.axis[k / 3][k % 3] *= 2;
        }
        oracle_voxels a = oracle_voxels_random(4, test_uniform(0.7, 1));
        oracle_voxels b = oracle_voxels_random(1 + test_below(3), test_uniform(0.2, 0.8));
        oracle_voxels refined = oracle_voxels_refined(&a);
        int none[3] = {0, 0, 0},
            shift[3] = {test_below(10) - 1, test_below(10) - 1, test_below(10) - 1};
        oracle_voxels_pair pair = oracle_voxels_compare(&refined, &b, shift);
        truth t = voxels_truth(&pair, &fine);
        voxels_bounds(&refined, &b, shift, &fine, &t);
        count[pair.relation]++;
        stl_image ia = oracle_voxels_mesh(&a, none, &coarse);
        stl_image ib = oracle_voxels_mesh(&b, shift, &fine);
        snprintf(what, sizeof what, "two sizes, pair %d", i);
        stlclash_result *r = ask_images(&ia, &ib, &o);
        check_truth(r, &t, extent_of(&ia, &ib), what);
        stlclash_result_free(r);
        image_free(&ia);
        image_free(&ib);
    }
    CHECK(TEST_DIVISOR > 1 || (count[ORACLE_APART] && count[ORACLE_TOUCH] &&
                               count[ORACLE_OVERLAP] && count[ORACLE_B_INSIDE]),
          "a relation is missing");
}

/* ---- boxes with T-junctions ----------------------------------------------------- */

TEST(random_boxes_with_t_junctions)
{
    int count[4] = {0};
    stlclash_options o = exact();
    char what[40];

    o.depth_error = 1;
    for (int i = 0; i < test_rounds(SPLIT_BOXES); i++) {
        bool grid = i % 3 < 2;
        oracle_frame f = i % 3 == 1 ? oracle_frame_random() : oracle_frame_plain();
        truth_box a, b;
        random_boxes(grid, &a, &b);
        for (int k = 0; k < 3 && i % 32 == 31; k++) { /* by chance hardly any lies in the other */
            b.low[k] = as_float(a.low[k] + 0.25);
            b.high[k] = as_float(a.high[k] - 0.25);
        }
        truth t = boxes_truth(&a, &b);
        t.random = true;
        if (i % 3 == 1) { /* skew: only what scales */
            double length[3];
            t.volume *= oracle_frame_volume(&f);
            t.area = 0;
            for (int k = 0; k < 3; k++) {
                length[k] = fmax(0, t.bounds[1][k] - t.bounds[0][k]);
            }
            for (int k = 0; k < 3; k++) {
                if (a.low[k] == b.high[k] || a.high[k] == b.low[k]) {
                    t.area += length[(k + 1) % 3] * length[(k + 2) % 3] * oracle_frame_area(&f, k);
                }
            }
            t.has_bounds = false;
        }
        double unit = grid ? 0.125 : 0;
        stl_image ia = oracle_split_box(a.low, a.high, unit, &f);
        stl_image ib = oracle_split_box(b.low, b.high, unit, &f);
        snprintf(what, sizeof what, "split boxes %d", i);
        o.health = i % 16 == 0;
        o.no_overlap = i % 4 > 0;
        stlclash_result *r = ask_images(&ia, &ib, &o);
        if (o.no_overlap) {
            CHECK(r->status == t.status, "%s: %s, but it is %s", what,
                  stlclash_status_text(r->status), stlclash_status_text(t.status));
        } else {
            check_truth(r, &t, extent_of(&ia, &ib), what);
        }
        for (int k = 0; k < 2 && o.health; k++) {
            CHECK(r->part[k].has_health && r->part[k].closed, "%s: not closed", what);
        }
        count[t.status == STLCLASH_CLASH ? (t.contained ? 3 : 2) : t.status == STLCLASH_CONTACT]++;
        stlclash_result_free(r);
        image_free(&ia);
        image_free(&ib);
    }
    CHECK(TEST_DIVISOR > 1 || (count[0] && count[1] && count[2] && count[3]),
          "a relation is missing");
}

/* ---- complement ----------------------------------------------------------------- */

/* A in B and A outside of B make A. */
TEST(complement_makes_whole)
{
    stlclash_options o = exact();

    o.depth_error = 1;
    for (int i = 0; i < test_rounds(COMPLEMENTS); i++) {
        stl_image a, b;
        if (i % 3 == 0) {
            int v[4][3], w[4][3];
            double p[4][3], q[4][3];
            oracle_tetra_random(1000, v);
            oracle_tetra_random(1000, w);
            oracle_tetra_doubles(v, p);
            oracle_tetra_doubles(w, q);
            a = make_tetra(p);
            b = make_tetra(q);
        } else if (i % 3 == 1) {
            oracle_frame f = oracle_frame_random();
            int none[3] = {0, 0, 0}, shift[3] = {test_below(3), test_below(3), test_below(3)};
            oracle_voxels v = oracle_voxels_random(3, 0.5), w = oracle_voxels_random(3, 0.5);
            a = oracle_voxels_mesh(&v, none, &f);
            b = oracle_voxels_mesh(&w, shift, &f);
        } else {
            a = make_bumpy(1, 8);
            b = make_torus(1, 0.5, 24, 16);
            image_turn(&b, test_uniform(0, 6), test_uniform(0, 6), test_uniform(0, 6));
            image_move(&b, test_uniform(-1, 1), test_uniform(-1, 1), 0);
        }
        double extent = extent_of(&a, &b), low[3], high[3];
        for (int k = 0; k < 3; k++) {
            low[k] = as_float(-4 * extent - 100);
            high[k] = as_float(4 * extent + 100);
        }
        stl_image outside = make_box(low, high, 1), hole = make_facets(NULL, 0);
        image_join(&hole, &b);
        image_invert(&hole);
        image_join(&outside, &hole);
        stlclash_result *in = ask_images(&a, &b, &o), *out = ask_images(&a, &outside, &o);
        double whole = oracle_volume(&a), sum = in->overlap.volume + out->overlap.volume;
        CHECK(fabs(sum - whole) <=
                  in->overlap.volume_error + out->overlap.volume_error + 1e-14 * whole,
              "round %d: %.17g + %.17g is not %.17g", i, in->overlap.volume, out->overlap.volume,
              whole);
        stlclash_result_free(in);
        stlclash_result_free(out);
        image_free(&a);
        image_free(&b);
        image_free(&outside);
        image_free(&hole);
    }
}
