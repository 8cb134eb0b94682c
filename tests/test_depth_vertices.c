/* test_depth_vertices.c - no vertex is left that lies deeper than what is told: against all of
 * them, one by one. */
#include "ask.h"
#include "couple.h"
#include "depth/depth_vertices.h"
#include "test.h"

#include <math.h>

enum { NO_LIMIT = 1 << 30 };

static sc_depth_request request_of(couple *c)
{
    return (sc_depth_request){.solid = {&c->solid[0], &c->solid[1]},
                              .within = c->within,
                              .relative_error = 0.01,
                              .threshold = -1.0,
                              .budget = c->budget};
}

/* By the oracle, of both parts: each in the other one. */
static double deepest_vertex(const couple *c)
{
    double deepest = 0.0;
    for (int part = 0; part < 2; part++) {
        const sc_facets *facets = &c->mesh[part]->file.facets;
        for (uint32_t i = 0; i < facets->count; i++) {
            sc_vec3 v[3];
            sc_solid_facet(&c->solid[part], i, v);
            for (int k = 0; k < 3; k++) {
                double winding;
                const double depth = probe(c->mesh[1 - part], v[k], &winding);
                deepest = fmax(deepest, winding > 0.5 ? depth : 0.0);
            }
        }
    }
    return deepest;
}

/* Raises what lies at height z by up to `most`, alike for equal corners. */
static void roughen(stl_image *image, float z, double most)
{
    for (size_t i = 0; i < image_facets(image); i++) {
        shape_facet f = image_get(image, i);
        for (int k = 0; k < 3; k++) {
            float *v = f.corner[k];
            const double wave = 12.9898 * (double)v[0] + 78.233 * (double)v[1];
            v[2] += v[2] == z ? (float)(most * fabs(sin(1e4 * wave))) : 0.0f;
        }
        image_set(image, i, &f);
    }
}

/* A box pressed into another one by its side that is a little rough: as deep as it is anywhere, but
 * for less than the error of a search. */
static stl_image rough_box(double x, float low, uint32_t cells)
{
    stl_image image = box(x, -3, (double)low, x + 6, 3, 2, cells);
    roughen(&image, low, 0.009 * fabs((double)low));
    return image;
}

/* As if nothing had been found as yet, but how deep it is at most. */
static void try_from_nothing(const stl_image *a, const stl_image *b, int *found)
{
    couple c;
    couple_make(&c, a, b);
    const double deepest = deepest_vertex(&c), bound = find(&c, 0.01, -1.0).bound;
    const sc_depth_request request = request_of(&c);
    sc_depth d = {.complete = true, .bound = bound};

    CHECK(sc_depth_try_vertices(&request, NO_LIMIT, &d), "out of memory");
    CHECK(d.depth >= deepest * (1.0 - 1e-12), "%.17g of %.17g", d.depth, deepest);
    CHECK(d.complete && d.depth <= d.bound && d.bound == fmax(bound, d.depth),
          "%.17g, bound %.17g, was %.17g", d.depth, d.bound, bound);
    CHECK(d.bound <= bound * (1.0 + 1e-12), "%.17g beyond %.17g", d.depth, bound);
    if (d.depth > 0.0) {
        check_point(&c, &d, "vertex");
    }
    *found += d.depth > 0.0;
    couple_free(&c);
}

TEST(deeper_vertices_are_found)
{
    const int rounds = test_rounds(60);
    int found = 0;

    for (int i = 0; i < rounds; i++) {
        stl_image a = i % 3 == 0   ? union_of_boxes(2)
                      : i % 3 == 1 ? make_bumpy(1.0, 5)
                                   : box(0, 0, 0, 1, 1.5, 2, 1 + (uint32_t)i % 4);
        stl_image b =
            i % 2 == 0 ? box(0, 0, 0, 1.2, 0.9, 1, 1 + (uint32_t)i % 5) : make_bumpy(0.8, 4);
        const sc_vec3 by = some_step((sc_vec3){0.2, 0.2, 0.2}, 1.0);
        image_turn(&b, by.x, by.y, by.z);
        image_move(&b, by.y, by.z, by.x);
        try_from_nothing(&a, &b, &found);
        image_free(&a);
        image_free(&b);
    }
    CHECK(TEST_DIVISOR > 1 || found > rounds / 4, "%d of %d", found, rounds);
}

/* At the origin. */
static void mirror(stl_image *image)
{
    image_scale(image, -1.0);
    image_invert(image);
}

/* Of shapes of many facets that are sunk into a block, whose top is at z = 0. */
TEST(the_deepest_of_many_vertices_is_found)
{
    const int rounds = test_rounds(12);
    for (int i = 0; i < rounds; i++) {
        stl_image block = box(-20, -20, -9, 20, 20, 0, 1 + (uint32_t)i % 3);
        stl_image sunk = i % 2 ? make_bumpy(1.0, 30) : rough_box(-3, -0.5f, 30);
        couple c;
        double deepest = 0.0;

        image_move(&sunk, test_uniform(-1, 1), test_uniform(-1, 1), test_uniform(-0.4, 0.9));
        for (size_t k = 0; k < image_facets(&sunk); k++) {
            const shape_facet f = image_get(&sunk, k);
            deepest =
                fmax(deepest, -(double)f.corner[0][2]); /* each vertex is some facet's first */
        }
        if (i % 4 > 1) {
            mirror(&block);
            mirror(&sunk);
        }
        couple_make(&c, &block, &sunk);
        const sc_depth_request request = request_of(&c);
        for (int turn = 0; turn < 2; turn++) { /* from nothing, and from about as deep */
            const double known = 0.995 * deepest * turn;
            sc_depth d = {.complete = true, .depth = known, .bound = INFINITY};
            CHECK(sc_depth_try_vertices(&request, NO_LIMIT, &d), "out of memory");
            CHECK(d.depth >= deepest * (1.0 - 1e-12) && d.depth < 1.2 * deepest + 1e-9,
                  "%.17g, a vertex lies %.17g deep", d.depth, deepest);
        }
        couple_free(&c);
        image_free(&block);
        image_free(&sunk);
    }
}

/* ---- as told ------------------------------------------------------------------------ */

static void try_rough(const stl_image *block, const stl_image *pressed, size_t regions)
{
    couple c;
    couple_make(&c, block, pressed);
    const double deepest = deepest_vertex(&c);
    couple_free(&c);
    stlclash_result *r = ask_images(block, pressed, NULL);
    const stlclash_overlap *o = &r->overlap;

    CHECK(r->has_overlap && o->region_count == regions, "%zu regions", o->region_count);
    CHECK(o->depth >= deepest * (1.0 - 1e-12), "%.17g, a vertex lies %.17g deep", o->depth,
          deepest);
    double most = 0.0;
    for (size_t i = 0; i < o->region_count; i++) {
        most = fmax(most, o->regions[i].depth);
    }
    CHECK(most == o->depth, "%.17g in a region, %.17g in all", most, o->depth);
    stlclash_result_free(r);
}

TEST(no_vertex_is_deeper_than_what_is_told)
{
    const int rounds = test_rounds(8);
    for (int i = 0; i < rounds; i++) {
        const uint32_t cells = 3 + (uint32_t)test_below(20);
        const float low = (float)-test_uniform(0.1, 1.0);
        stl_image block = box(-20, -20, -9, 20, 20, 0, 1 + (uint32_t)i % 3);
        stl_image one = rough_box(-7, low, cells), other = rough_box(1, 0.75f * low, cells + 1);

        image_turn(&block, 0.1 * i, 0.3, 0.2);
        image_turn(&one, 0.1 * i, 0.3, 0.2);
        image_turn(&other, 0.1 * i, 0.3, 0.2);
        try_rough(&block, &one, 1);
        image_join(&one, &other);
        try_rough(&block, &one, 2);
        image_free(&block);
        image_free(&one);
        image_free(&other);
    }
}

/* ---- what does not count ---------------------------------------------------------- */

TEST(vertices_are_left_without_time_for_them)
{
    stl_image block = box(-20, -20, -9, 20, 20, 0, 1), pressed = rough_box(-3, -1.0f, 12);
    couple c;
    couple_make(&c, &block, &pressed);
    const sc_depth_request request = request_of(&c);
    const sc_depth before = find(&c, 1.0, -1.0);
    sc_depth d = before;

    CHECK(sc_depth_try_vertices(&request, 0, &d), "out of memory");
    CHECK(d.depth == before.depth && d.bound == before.bound, "%g", d.depth);
    CHECK(sc_depth_try_vertices(&request, NO_LIMIT, &d), "out of memory");
    CHECK(d.depth > before.depth, "%.17g, was %.17g", d.depth, before.depth);
    couple_free(&c);
    image_free(&block);
    image_free(&pressed);
}

/* Those in the box that counts alone. */
TEST(vertices_elsewhere_do_not_count)
{
    stl_image block = box(-20, -20, -9, 20, 20, 0, 1), pressed = rough_box(-7, -0.5f, 12);
    stl_image deeper = rough_box(1, -1.0f, 12);
    couple c;
    image_join(&pressed, &deeper);
    couple_make(&c, &block, &pressed);
    c.within.high[0] = 0.0;
    const sc_depth_request request = request_of(&c);
    sc_depth d = find(&c, 1.0, -1.0);

    CHECK(sc_depth_try_vertices(&request, NO_LIMIT, &d), "out of memory");
    CHECK(d.depth > 0.49 && d.depth <= 0.5 && d.point.x < 0.0, "%.17g at %g", d.depth, d.point.x);
    couple_free(&c);
    image_free(&block);
    image_free(&pressed);
    image_free(&deeper);
}
