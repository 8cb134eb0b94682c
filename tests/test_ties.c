/* test_ties.c - parts of which very many pairs of facets are equally far apart, as of fans whose
 * hubs face each other: told as by looking at every pair, and without that. */
#include "ask.h"
#include "geom/tri_distance.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>

/* A fan about a hub, its rim a circle of radius 1 about the z axis through (x, y), at a height. */
static stl_image make_fan(size_t sides, double phase, sc_vec3 hub, double rim)
{
    float *corners = calloc(9 * sides, sizeof *corners);
    for (size_t i = 0; i < sides; i++) {
        float *at = corners + 9 * i;
        at[0] = (float)hub.x;
        at[1] = (float)hub.y;
        at[2] = (float)hub.z;
        for (size_t k = 0; k < 2; k++) {
            double turn =
                2 * 3.14159265358979323846 * ((double)((i + k) % sides) + phase) / (double)sides;
            at[3 + 3 * k] = (float)(hub.x + cos(turn));
            at[4 + 3 * k] = (float)(hub.y + sin(turn));
            at[5 + 3 * k] = (float)rim;
        }
    }
    stl_image fan = make_facets(corners, sides);
    free(corners);
    return fan;
}

static void corners_of(const stl_image *image, size_t facet, sc_vec3 v[3])
{
    const shape_facet f = image_get(image, facet);
    for (int k = 0; k < 3; k++) {
        v[k] = (sc_vec3){(double)f.corner[k][0], (double)f.corner[k][1], (double)f.corner[k][2]};
    }
}

static double distance_of(const stl_image *a, size_t i, const stl_image *b, size_t j)
{
    sc_vec3 v[2][3];
    corners_of(a, i, v[0]);
    corners_of(b, j, v[1]);
    const sc_triangle s = sc_triangle_make(v[0]), t = sc_triangle_make(v[1]);
    return sqrt(sc_tri_closest(&s, &t).distance_sq);
}

static double least_distance(const stl_image *a, const stl_image *b)
{
    double least = INFINITY;
    for (size_t i = 0; i < image_facets(a); i++) {
        for (size_t j = 0; j < image_facets(b); j++) {
            least = fmin(least, distance_of(a, i, b, j));
        }
    }
    return least;
}

static stlclash_options distance_alone(int threads)
{
    stlclash_options o = ask_usual();
    o.no_overlap = true;
    o.threads = threads;
    return o;
}

/* Whatever the threads and whichever part comes first. */
static void check_same(const char *what, const stl_image *a, const stl_image *b,
                       const stlclash_separation *s)
{
    for (int threads = 1; threads <= 4; threads += 3) {
        for (int swapped = 0; swapped < 2; swapped++) {
            const stlclash_options o = distance_alone(threads);
            stlclash_result *r = ask_images(swapped ? b : a, swapped ? a : b, &o);
            const stlclash_separation *t = &r->separation;
            CHECK(t->distance == s->distance &&
                      (swapped ? t->triangle_b : t->triangle_a) == s->triangle_a &&
                      (swapped ? t->triangle_a : t->triangle_b) == s->triangle_b,
                  "%s, %d threads%s: %.17g of %u and %u, not %.17g of %u and %u", what, threads,
                  swapped ? ", swapped" : "", t->distance, t->triangle_a, t->triangle_b,
                  s->distance, s->triangle_a, s->triangle_b);
            stlclash_result_free(r);
        }
    }
}

/* The work grows as the facets do: of the large ones all pairs would be 9600 times as many. */
static void check_fans(const char *what, const stl_image small[2], const stl_image large[2])
{
    const stlclash_options o = distance_alone(1);
    stlclash_result *r = ask_images(&small[0], &small[1], &o);
    const stlclash_separation s = r->separation;
    const double least = least_distance(&small[0], &small[1]);
    const double own = distance_of(&small[0], s.triangle_a, &small[1], s.triangle_b);

    CHECK(fabs(s.distance - least) <= 0x1p-46 * fmax(least, 2), "%s: %.17g, not %.17g", what,
          s.distance, least);
    CHECK(s.distance == own, "%s: %.17g, but the facets are %.17g apart", what, s.distance, own);
    stlclash_result_free(r);
    check_same(what, &small[0], &small[1], &s);

    r = ask_images(&large[0], &large[1], &o);
    CHECK(r->stats.triangle_pairs < 200 * image_facets(&large[0]), "%s: %llu pairs looked at", what,
          (unsigned long long)r->stats.triangle_pairs);
    stlclash_result_free(r);
}

/* Below: a fan about the origin, its rim at height -fall; above: another. Both turned. */
static void try_fans(const char *what, double fall, sc_vec3 hub, double rise, double turn)
{
    stl_image image[2][2];
    for (int i = 0; i < 2; i++) {
        const size_t sides = i == 0 ? 600 : 9600;
        image[i][0] = make_fan(sides, 0, (sc_vec3){0, 0, 0}, -fall);
        image[i][1] = make_fan(sides, 0.3, hub, hub.z + rise);
        for (int k = 0; k < 2; k++) {
            image_turn(&image[i][k], turn, turn, 2 * turn);
        }
    }
    check_fans(what, image[0], image[1]);
    for (int i = 0; i < 4; i++) {
        image_free(&image[i / 2][i % 2]);
    }
}

TEST(ties_discs)
{
    try_fans("discs", 0, (sc_vec3){0, 0, 0.01}, 0, 0);
    try_fans("discs side by side", 0, (sc_vec3){0.3, 0.2, 0.01}, 0, 0);
    try_fans("upright discs", 0, (sc_vec3){0.3, 0.2, 0.01}, 0, 3.14159265358979323846 / 2);
}

TEST(ties_cones)
{
    try_fans("cones", 1, (sc_vec3){0, 0, 0.01}, 1, 0);
    try_fans("turned cones", 1, (sc_vec3){0, 0, 0.01}, 1, 0.7);
    try_fans("cones side by side", 1, (sc_vec3){0.1, 0.05, 0.01}, 1, 0);
    try_fans("cones side by side, turned", 1, (sc_vec3){0.1, 0.05, 0.01}, 1, 0.7);
}

/* Of all pairs, which are equally far apart, the first. */
TEST(ties_lowest_numbers)
{
    stl_image a = make_fan(3000, 0, (sc_vec3){0, 0, 0}, -1);
    stl_image b = make_fan(3000, 0.3, (sc_vec3){0, 0, 0.01}, 1.01);
    for (int threads = 1; threads <= 4; threads++) {
        const stlclash_options o = distance_alone(threads);
        stlclash_result *r = ask_images(&a, &b, &o);
        CHECK(r->separation.triangle_a == 0 && r->separation.triangle_b == 0 &&
                  r->separation.distance == as_float(0.01),
              "%.17g of %u and %u", r->separation.distance, r->separation.triangle_a,
              r->separation.triangle_b);
        stlclash_result_free(r);
    }
    image_free(&a);
    image_free(&b);
}
