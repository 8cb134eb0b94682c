/* test_oracle_solid.c - whether the truth about solids agrees with itself: two ways to it, and
 * darts. */
#include "oracle_solid.h"
#include "test.h"

#include <math.h>
#include <string.h>

TEST(oracle_of_tetrahedra_agrees_with_itself)
{
    static const int grids[] = {3, 4, 6, 1000};
    int count[6] = {0}, inside[2] = {0};
    double worst = 0;

    for (int i = 0; i < test_rounds(2000); i++) {
        int v[4][3], w[4][3], sign, grid = grids[i % 4], hits = 0;
        double a[4][3], b[4][3], samples = 2000;
        oracle_tetra_random(grid, v);
        oracle_tetra_random(grid, w);
        oracle_tetra_doubles(v, a);
        oracle_tetra_doubles(w, b);
        double volume = oracle_tetra_fraction(a, b, &sign), size = (double)grid * grid * grid;
        oracle_relation relation = oracle_tetra_relation(v, w);
        count[relation]++;
        CHECK((relation >= ORACLE_OVERLAP) == (sign > 0), "volume %g, relation %d", volume,
              relation);
        worst = fmax(worst, fabs(volume - oracle_tetra_estimate(a, b)) / size);
        if (i % 20 == 0) { /* throwing darts */
            stl_image ia = make_tetra(a), ib = make_tetra(b);
            for (int s = 0; s < samples; s++) {
                double p[3] = {test_uniform(0, grid), test_uniform(0, grid), test_uniform(0, grid)};
                hits += oracle_winding(&ia, p) > 0.5 && oracle_winding(&ib, p) > 0.5;
            }
            double part = volume / size, sigma = sqrt(part * (1 - part) / samples);
            CHECK(fabs(hits / samples - part) <= 6 * sigma + 3 / samples,
                  "%g of the darts hit, volume %g", hits / samples, part);
            inside[hits > 0]++;
            image_free(&ia);
            image_free(&ib);
        }
    }
    CHECK(worst < 1e-17, "the estimate is off by %g", worst);
    CHECK(TEST_DIVISOR > 1 || (count[ORACLE_APART] && count[ORACLE_TOUCH] &&
                               count[ORACLE_OVERLAP] && inside[0] && inside[1]),
          "a relation is missing");
}

TEST(oracle_of_voxels_agrees_with_itself)
{
    for (int i = 0; i < test_rounds(300); i++) {
        oracle_frame f = i % 2 ? oracle_frame_random() : oracle_frame_plain();
        oracle_voxels v = oracle_voxels_random(2 + test_below(3), test_uniform(0.1, 0.9));
        int shift[3] = {test_below(7) - 3, test_below(7) - 3, test_below(7) - 3}, set = 0;
        int none[3] = {0, 0, 0};
        stl_image image = oracle_voxels_mesh(&v, shift, &f);
        for (int c = 0; c < v.n * v.n * v.n; c++) {
            int x = c / v.n / v.n, y = c / v.n % v.n, z = c % v.n;
            double p[3], middle[3] = {x + shift[0] + .5, y + shift[1] + .5, z + shift[2] + .5};
            oracle_frame_place(&f, middle, p);
            CHECK(fabs(oracle_winding(&image, p) - v.set[x][y][z]) < 1e-9, "winding number %g",
                  oracle_winding(&image, p));
            set += v.set[x][y][z];
        }
        CHECK(fabs(oracle_volume(&image) - set * oracle_frame_volume(&f)) < 1e-9, "volume");
        oracle_voxels fine = oracle_voxels_refined(&v);
        oracle_voxels_pair same = oracle_voxels_compare(&v, &v, none);
        oracle_voxels_pair eight = oracle_voxels_compare(&fine, &fine, none);
        CHECK(same.common == set && same.relation == ORACLE_OVERLAP && same.touching[0] == 0 &&
                  eight.common == 8 * set && same.components_least == eight.components_least &&
                  same.components_most == eight.components_most,
              "%d cells, %d in common", set, same.common);
        image_free(&image);
    }
}

TEST(oracle_of_split_boxes_agrees_with_itself)
{
    for (int i = 0; i < test_rounds(300); i++) {
        oracle_frame f = i % 2 ? oracle_frame_random() : oracle_frame_plain();
        double low[3] = {-1, 0, 2}, high[3] = {2, 1, 4}, p[3], lattice[3];
        stl_image image = oracle_split_box(low, high, i % 4 ? 0x1p-3 : 0x1p-5, &f);
        CHECK(fabs(oracle_volume(&image) - 6 * oracle_frame_volume(&f)) < 1e-10, "volume %g",
              oracle_volume(&image));
        for (int k = 0; k < 3; k++) {
            lattice[k] = test_uniform(-2, 5);
        }
        bool inside = lattice[0] > -1 && lattice[0] < 2 && lattice[1] > 0 && lattice[1] < 1 &&
                      lattice[2] > 2 && lattice[2] < 4;
        oracle_frame_place(&f, lattice, p);
        CHECK(fabs(oracle_winding(&image, p) - inside) < 1e-9, "winding number %g",
              oracle_winding(&image, p));
        image_free(&image);
    }
}

/* No dart goes deeper than the linear program, and walking uphill comes close. */
TEST(oracle_of_depth_agrees_with_itself)
{
    for (int i = 0; i < test_rounds(200); i++) {
        stl_image a = cube(-1, 1), b = simple_box(-.5, 2, -.75, .75, -.25, 3);
        image_turn(&b, test_uniform(0, 6), test_uniform(0, 6), test_uniform(0, 6));
        oracle_convex c = oracle_convex_of(&a), d = oracle_convex_of(&b);
        double depth = oracle_convex_depth(&c, &d), best = 0, at[3] = {0, 0, 0}, step = 1;
        CHECK(c.count == 6 && d.count >= 6, "%d and %d planes", c.count, d.count);
        for (int side = 0; side < 2; side++) {
            double here = -1;
            for (int s = 0; s < 4000; s++) {
                double p[3];
                for (int k = 0; k < 3; k++) {
                    p[k] = at[k] + test_uniform(-step, step);
                }
                double in_a = oracle_convex_inside(&c, p), in_b = oracle_convex_inside(&d, p);
                if (in_a >= 0 && in_b >= 0) {
                    double to_surface = side ? oracle_distance(&b, p) : oracle_distance(&a, p);
                    CHECK(fabs(to_surface - (side ? in_b : in_a)) < 1e-6, "depth %g, distance %g",
                          side ? in_b : in_a, to_surface);
                    if (to_surface > here) {
                        here = to_surface;
                        memcpy(at, p, sizeof at);
                    }
                }
                step = s % 100 == 99 ? step * 0.85 : step;
            }
            best = fmax(best, here);
            step = 1;
        }
        CHECK(best <= depth + 1e-6 && best >= 0.95 * depth, "%g found, %g proven", best, depth);
        image_free(&a);
        image_free(&b);
    }
}
