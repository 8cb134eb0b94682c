/* test_curves.c - the curves in which surfaces meet, against the segments of the pairs of
 * facets that make them up: together they are as long, of closed parts and open ones. */
#include "ask.h"
#include "oracle_solid.h"
#include "test.h"

#include <math.h>

static double way(const double p[3], const double q[3])
{
    return sqrt((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) +
                (p[2] - q[2]) * (p[2] - q[2]));
}

static double length_of_hits(const stlclash_result *r)
{
    double sum = 0.0;
    for (uint64_t i = 0; i < r->hits_listed; i++) {
        const stlclash_hit *hit = &r->hits[i];
        sum += hit->point_count == 2 ? way(hit->points[0], hit->points[1]) : 0.0;
    }
    return sum;
}

static double length_of_curve(const stlclash_curve *c)
{
    double sum = 0.0;
    for (size_t k = 1; k < c->point_count; k++) {
        sum += way(c->points[k - 1], c->points[k]);
    }
    return c->closed && c->point_count > 0 ? sum + way(c->points[c->point_count - 1], c->points[0])
                                           : sum;
}

/* Frees the images. closed: none of the curves ends. */
static void compare(stl_image a, stl_image b, bool closed, const char *what)
{
    stlclash_options o = stlclash_options_default();
    o.max_hits = STLCLASH_ALL_HITS;
    o.curves = true;
    o.exact = true;
    stlclash_mesh *mesh[2] = {ask_mesh(&a), ask_mesh(&b)};
    stlclash_result *r = ask_pair(mesh[0], mesh[1], &o);
    double of_hits = length_of_hits(r), of_curves = 0.0;

    for (size_t i = 0; i < r->curve_count; i++) {
        of_curves += length_of_curve(&r->curves[i]);
        CHECK(r->curves[i].closed || !closed, "%s: curve %zu of %zu ends", what, i, r->curve_count);
    }
    CHECK(r->hit_count > 0 && r->curve_count > 0, "%s: %zu curves", what, r->curve_count);
    CHECK(fabs(of_hits - of_curves) <= 1e-9 * of_hits, "%s: curves %.17g long, segments %.17g",
          what, of_curves, of_hits);
    stlclash_result_free(r);
    stlclash_mesh_free(mesh[0]);
    stlclash_mesh_free(mesh[1]);
    image_free(&a);
    image_free(&b);
}

static void turn(stl_image *image)
{
    image_turn(image, test_uniform(0, 6), test_uniform(0, 6), test_uniform(0, 6));
    image_move(image, test_uniform(-0.5, 0.5), test_uniform(-0.5, 0.5), test_uniform(-0.5, 0.5));
}

TEST(curves_of_closed_parts_are_loops)
{
    for (int round = 0, rounds = test_rounds(20); round < rounds; round++) {
        stl_image a = make_bumpy(1, 8), b = make_torus(1, 0.4, 24, 12);
        turn(&b);
        compare(a, b, true, "sphere and torus");
    }
}

TEST(curves_of_open_parts)
{
    for (int round = 0, rounds = test_rounds(20); round < rounds; round++) {
        stl_image a = make_bumpy(1, 8), b = make_torus(1, 0.4, 24, 12);
        a.size -= 50 * (1 + (size_t)test_below(100));
        a.bytes[80] = (unsigned char)(image_facets(&a) & 255);
        a.bytes[81] = (unsigned char)(image_facets(&a) >> 8);
        turn(&b);
        compare(a, b, false, "sphere with a hole, and torus");
        compare(make_soup(200, 0.3), make_soup(300, 0.3), false, "soups");
    }
}

/* From one end to the other, with whichever segment the list begins. */
TEST(curves_of_open_parts_are_whole)
{
    static const double low[3] = {0, 0, 0}, high[3] = {4, 4, 4}, from[3] = {2, 1, 2};
    stlclash_options o = stlclash_options_default();
    o.curves = true;
    for (int way = 0; way < 12; way++) {
        stl_image box = make_box(low, high, 5), sheet = make_facets(NULL, 0);
        stl_image block = make_box(from, (double[]){6, 3, 3}, 3);
        for (size_t i = 0; i < image_facets(&block); i++) { /* its lower side */
            const shape_facet f = image_get(&block, i);
            if (f.corner[0][2] == 2 && f.corner[1][2] == 2 && f.corner[2][2] == 2) {
                sheet = image_joined(sheet, make_facets(&f.corner[0][0], 1));
            }
        }
        image_shuffle(&box);
        image_shuffle(&sheet);
        stlclash_result *r = way % 2 ? ask_images(&sheet, &box, &o) : ask_images(&box, &sheet, &o);
        CHECK(r->curve_count == 1 && !r->curves[0].closed &&
                  fabs(length_of_curve(&r->curves[0]) - 2) < 1e-12,
              "way %d: %zu curves", way, r->curve_count);
        stlclash_result_free(r);
        image_free(&box);
        image_free(&sheet);
        image_free(&block);
    }
}

/* Whichever way the face looks that is touched, its part in common is outlined. */
TEST(curves_around_faces_that_touch)
{
    static const double low[3] = {0, 0, 0}, high[3] = {4, 4, 4};
    stlclash_options o = stlclash_options_default();
    o.curves = true;
    for (int side = 0; side < 12; side++) {
        int axis = side / 2 % 3, swap = side / 6;
        const double size[3] = {1, 1.5, 0.5};
        double from[3] = {1, 1.5, 2}, to[3], around = 0;
        for (int k = 0; k < 3; k++) {
            from[k] = k != axis ? from[k] : side % 2 ? 4 : -size[k];
            to[k] = from[k] + size[k];
            around += k != axis ? 2 * size[k] : 0;
        }
        stl_image image[2] = {make_box(low, high, 1 + (uint32_t)side % 3), make_box(from, to, 1)};
        stlclash_mesh *mesh[2] = {ask_mesh(&image[swap]), ask_mesh(&image[1 - swap])};
        stlclash_result *r = ask_pair(mesh[0], mesh[1], &o);
        CHECK(r->status == STLCLASH_CONTACT && r->curve_count == 1 && r->curves[0].closed,
              "side %d: %zu curves", side, r->curve_count);
        for (size_t i = 0; i < r->curve_count && i < 1; i++) {
            double length = length_of_curve(&r->curves[0]);
            CHECK(fabs(length - around) < 1e-12, "side %d: %g around, not %g", side, length,
                  around);
        }
        stlclash_result_free(r);
        for (int k = 0; k < 2; k++) {
            stlclash_mesh_free(mesh[k]);
            image_free(&image[k]);
        }
    }
}

/* Facets that meet along edges which are not the same: a curve goes on across them. */
TEST(curves_through_t_junctions_are_closed)
{
    const oracle_frame plain = oracle_frame_plain();
    for (int i = 0, rounds = test_rounds(40); i < rounds; i++) {
        stl_image torus = make_torus(1, 0.4, 24, 12);
        turn(&torus);
        compare(oracle_split_box((double[]){-2, -1, 0}, (double[]){2, 0.5, 4}, 0.125, &plain),
                torus, true, "box and torus");
    }
}

/* Cubes that share an edge, cut through: four facets of one part meet there. */
TEST(curves_through_edges_of_four_facets_are_closed)
{
    for (int i = 0; i < 8; i++) {
        stl_image two = image_joined(make_box((double[]){0, 0, 0}, (double[]){2, 2, 4}, 1),
                                     make_box((double[]){2, 2, 0}, (double[]){4, 4, 4}, 1));
        stl_image slab =
            make_box((double[]){-1, -1, 1}, (double[]){5, 5, 2.5}, 1 + (uint32_t)i % 4 / 2 * 2);
        image_shuffle(&two);
        if (i % 2) {
            image_turn(&slab, 0.03 * i, 0.02, 0.01);
        }
        compare(two, slab, true, "cubes that share an edge");
    }
}
