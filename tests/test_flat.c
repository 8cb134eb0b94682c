/* test_flat.c - planes between parts that touch: found where they are, and none where there are
 * not. */
#include "ask.h"
#include "both.h"
#include "contact/flat.h"
#include "test.h"

/* A star about an axis along z that has a tip, aslant by less than half of what is between two
 * tips, at the origin, and the rest to the left of it (way 1) or to the right (-1). */
static stl_image star(double radius, int tips, double aslant, double way, double low, double high)
{
    enum { MOST = 2 * 64 };
    float corner[MOST][2];
    stl_image image = make_facets(NULL, 0);
    const double one = 6.2831853071795865 / tips;
    const double tip[2] = {radius * cos(one * aslant), radius * sin(one * aslant)};
    const float c[2] = {(float)(-way * tip[0]), (float)(-way * tip[1])};
    const float z[2] = {(float)low, (float)high};

    for (int k = 0; k < 2 * tips; k++) {
        double angle = one * (0.5 * k + aslant), r = k % 2 ? 0.6 * radius : radius;
        corner[k][0] = (float)(way * (r * cos(angle) - tip[0]));
        corner[k][1] = (float)(way * (r * sin(angle) - tip[1]));
    }
    for (int k = 0; k < 2 * tips; k++) {
        const float *a = corner[k], *b = corner[(k + 1) % (2 * tips)];
        float facets[36] = {a[0], a[1], z[0], b[0], b[1], z[0], b[0], b[1], z[1], a[0], a[1], z[0],
                            b[0], b[1], z[1], a[0], a[1], z[1], c[0], c[1], z[0], b[0], b[1], z[0],
                            a[0], a[1], z[0], c[0], c[1], z[1], a[0], a[1], z[1], b[0], b[1], z[1]};
        image = image_joined(image, make_facets(facets, 4));
    }
    return image;
}

/* Tip to tip, no facet lies in the plane between two stars, and few planes are; pushed into each
 * other there is none, but for more than they were pushed. */
TEST(planes_between_tips_are_found)
{
    for (int i = 0; i < test_rounds(400); i++) {
        const double pushed = i % 2 ? 0.0 : test_uniform(0.001, 1), low = test_below(3) - 1;
        stl_image left = star(10, 5 + 2 * (i % 25), test_uniform(-0.4, 0.4), 1, 0, 1.5);
        stl_image right = star(test_uniform(2, 20), 5 + 2 * (i / 25 % 25), test_uniform(-0.4, 0.4),
                               -1, low, 2 + test_below(3));
        double x = test_uniform(-3, 3), y = test_uniform(-3, 3), z = test_uniform(-3, 3);
        double thickness = 0;
        both b;
        image_move(&right, -pushed, 0, 0);
        image_turn(&left, x, y, z);
        image_turn(&right, x, y, z);
        both_make(&b, &left, &right);
        double limit = 1e-5;
        bool found = sc_flat_contact(b.solid, b.hits, b.hit_count, limit, &thickness);
        CHECK(b.hit_count == 0 || found == (pushed == 0), "round %d, pushed %g: %g thick", i,
              pushed, thickness);
        if (pushed > 0 && b.hit_count > 0) {
            limit = pushed + 1e-5;
            found = sc_flat_contact(b.solid, b.hits, b.hit_count, limit, &thickness);
            CHECK(!found || thickness <= limit, "round %d, pushed %g: %g thick", i, pushed,
                  thickness);
        }
        both_free(&b);
        image_free(&left);
        image_free(&right);
    }
}

/* A plate of many facets below z = 0, with one of the corners inside its top lifted by `by`. */
static stl_image plate(int x, int y, float by)
{
    enum { CELLS = 20 };
    stl_image image = make_box((double[]){0, 0, -1}, (double[]){CELLS, CELLS, 0}, CELLS);
    for (size_t i = 0; i < image_facets(&image); i++) {
        shape_facet f = image_get(&image, i);
        for (int k = 0; k < 3; k++) {
            float *c = f.corner[k];
            c[2] = c[0] == (float)x && c[1] == (float)y && c[2] == 0.0f ? by : c[2];
        }
        image_set(&image, i, &f);
    }
    return image;
}

/* With z along another axis, upwards (sign 1) or downwards (-1). */
static void stand_along(stl_image *image, int axis, float sign)
{
    for (size_t i = 0; i < image_facets(image); i++) {
        shape_facet from = image_get(image, i), to;
        for (int k = 0; k < 9; k++) {
            to.corner[k / 3][(k + axis + 1) % 3] = sign * from.corner[k / 3][k % 3];
        }
        image_set(image, i, &to);
    }
    if (sign < 0) {
        image_invert(image);
    }
}

/* A plane counts only if no vertex of either part is beyond it: also those that no sample shows. */
TEST(planes_have_all_vertices_on_their_sides)
{
    for (int i = 0; i < 24; i++) {
        const float by = i / 6 == 0 ? 0.0f : 0.3f;
        double thickness;
        both b;
        stl_image image[2] = {plate(3 + 4 * (i / 6), 2 + i % 17, by),
                              make_box((double[]){-1, -2, 0}, (double[]){20, 30, 1}, 2)};
        for (int k = 0; k < 2; k++) {
            stand_along(&image[k], i % 3, i % 2 ? -1.0f : 1.0f);
        }
        const int first = i / 3 % 2;
        both_make(&b, &image[first], &image[1 - first]);
        bool found = sc_flat_contact(b.solid, b.hits, b.hit_count, 1e-5, &thickness);
        CHECK(found == (by == 0), "round %d, lifted by %g: %g thick", i, (double)by, thickness);
        both_free(&b);
        image_free(&image[0]);
        image_free(&image[1]);
    }
}

/* How wide a part is across the plane does not matter to how well its height is known. */
TEST(planes_of_wide_plates_are_as_exact_as_their_heights)
{
    for (int i = 0; i < test_rounds(60); i++) {
        const double wide = ldexp(1, 4 + i / 3 % 20), sunk = ldexp(1 + (double)test_below(7), -5);
        const int axis = i % 3;
        double low[2][3], high[2][3], thickness = 0;
        for (int k = 0; k < 3; k++) {
            low[0][k] = k == axis && i % 4 < 2 ? -1 : -wide;
            high[0][k] = k == axis ? 0 : wide;
            low[1][k] = k == axis ? -sunk : 0;
            high[1][k] = low[1][k] + 1;
        }
        stl_image plate = make_box(low[0], high[0], 1), box = make_box(low[1], high[1], 1);
        both b;
        both_make(&b, i % 2 ? &plate : &box, i % 2 ? &box : &plate);
        const double limit = sunk * (1 + 0x1p-30);
        CHECK(sc_flat_contact(b.solid, b.hits, b.hit_count, limit, &thickness) && thickness >= sunk,
              "round %d: %g sunk into a plate %g wide: %g", i, sunk, wide, thickness - sunk);
        CHECK(!sc_flat_contact(b.solid, b.hits, b.hit_count, sunk * (1 - 0x1p-30), &thickness),
              "round %d: no deeper than %g, but %g sunk", i, thickness, sunk);
        both_free(&b);
        image_free(&plate);
        image_free(&box);
    }
}

/* Along an axis what a plane shows is exact: an overlap that equals the touch overlap is contact,
 * wherever the boxes are. */
TEST(overlaps_equal_to_the_touch_overlap_are_contact)
{
    for (int round = 0; round < test_rounds(50); round++) {
        const double from = round == 0 ? -0.2644955813884735 : as_float(test_uniform(-0.49, 0));
        const double wall = as_float(from + 0.5), end = as_float(from + 1);
        const double steps = 0x1p-23; /* two of what floats from 0.5 to 1 are apart */
        stl_image a = make_box((double[]){from, from, from}, (double[]){wall, wall, wall}, 1);
        stl_image b = make_box((double[]){wall - steps, from + 0.1, from + 0.05},
                               (double[]){end, from + 0.35, from + 0.45}, 1);
        stlclash_options o = ask_usual();
        o.touch_overlap = steps;
        const stlclash_status status = ask_status(&a, &b, &o);
        CHECK(status == STLCLASH_CONTACT, "from %.17g: %s", from, stlclash_status_text(status));
        image_free(&a);
        image_free(&b);
    }
}

/* Nor does it matter how large the coordinates are, where no plane but a search tells. */
TEST(bars_as_thick_as_allowed_are_in_contact_far_from_the_origin)
{
    for (int round = 0; round < test_rounds(24); round++) {
        const int thin[2] = {round % 3, (round / 3 + round) % 3};
        stl_image bar[2];
        for (int x = 0; x < 2; x++) {
            double low[3], high[3];
            for (int k = 0; k < 3; k++) {
                low[k] = 1e7 - (k == thin[x] ? 2 : 5 + (double)test_below(8));
                high[k] = 1e7 + (k == thin[x] ? 2 : 5 + (double)test_below(8));
            }
            bar[x] = make_box(low, high, 1);
        }
        stlclash_options o = ask_usual(); /* 2: twice what floats are apart there */
        o.quick = round % 2;
        const stlclash_status status = ask_status(&bar[0], &bar[1], &o);
        CHECK(status == STLCLASH_CONTACT, "round %d: %s", round, stlclash_status_text(status));
        image_free(&bar[0]);
        image_free(&bar[1]);
    }
}
