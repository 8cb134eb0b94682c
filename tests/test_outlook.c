/* test_outlook.c - listed facets against the search of all the surface. */
#include "solids/outlook.h"

#include "base/alloc.h"
#include "couple.h"
#include "test.h"

#include <math.h>

/* The nearest of all, facet by facet. */
static sc_nearest nearest_of_all(const sc_surface *surface, sc_vec3 p)
{
    sc_nearest best = {INFINITY, UINT32_MAX, p};
    for (uint32_t i = 0; i < surface->solid->part->mesh->file.facets.count; i++) {
        sc_vec3 v[3], on;
        sc_solid_facet(surface->solid, i, v);
        const double distance = sc_facet_distance(p, v, &on);
        if (distance < best.distance && sc_facet_has_area(v)) {
            best = (sc_nearest){distance, i, on};
        }
    }
    return best;
}

/* About a place that moves on, by steps that grow and shrink, as climbs go. */
static void go_about(sc_surface *surface, sc_outlook *outlook, int *listed)
{
    sc_vec3 at = some_step((sc_vec3){0.0, 0.0, 0.0}, 0.9);
    double step = 0.5;
    for (int i = 0; i < 60 && step > 0x1p-40; i++) {
        const sc_nearest here = nearest_of_all(surface, at);
        sc_outlook_settle(outlook, at, here.distance, step);
        const sc_vec3 p = some_step(at, test_below(4) == 0 ? 4.0 * step : step);
        const sc_nearest all = nearest_of_all(surface, p);
        const double enough = test_below(3) == 0 ? all.distance * test_uniform(0.9, 1.1) : 0.0;
        const sc_seek seek = {.enough = enough, .hint = UINT32_MAX};
        const uint64_t visited = surface->visited;

        const sc_nearest n = sc_outlook_nearest(outlook, p, seek);
        *listed += outlook->reach > 0.0 && surface->visited - visited <= outlook->count;
        if (all.distance > enough) {
            CHECK(n.facet == all.facet && n.distance == all.distance,
                  "step %g: %u at %a, not %u at %a", step, n.facet, n.distance, all.facet,
                  all.distance);
        } else {
            CHECK(n.distance <= enough && n.distance >= all.distance, "step %g: %a, %a is enough",
                  step, n.distance, enough);
        }
        at = test_below(3) == 0 ? p : at;
        step *= test_below(3) == 0 ? 2.0 : test_uniform(0.1, 0.9);
    }
}

/* A ball of bumps, and facets without area in its middle, which are no surface. */
static stl_image bumpy_about_points(uint32_t fineness)
{
    stl_image points = box(-1, -1, -1, 1, 1, 1, 1);
    image_scale(&points, 0.0);
    return image_joined(make_bumpy(1, fineness), points);
}

TEST(listed_facets_are_all_that_are_near)
{
    int listed = 0;
    for (uint32_t i = 0; i < (uint32_t)test_rounds(60); i++) {
        stl_image a = bumpy_about_points(6 + 2 * (i % 8)), b = box(-1, -1, -1, 1, 1, 1, 1 + i % 7);
        couple c;
        couple_make(&c, &a, &b);
        for (int part = 0; part < 2; part++) {
            sc_surface surface = couple_surface(&c, part);
            sc_outlook outlook = sc_outlook_of(&surface);
            go_about(&surface, &outlook, &listed);
            CHECK(!surface.failed, "memory");
            sc_outlook_free(&outlook);
        }
        couple_free(&c);
        image_free(&a);
        image_free(&b);
    }
    CHECK(listed > 10 * test_rounds(60), "%d answers from lists", listed);
}

TEST(lists_without_memory_fail)
{
    stl_image a = make_bumpy(1, 12), b = box(-1, -1, -1, 1, 1, 1, 2);
    couple c;
    couple_make(&c, &a, &b);
    sc_surface surface = couple_surface(&c, 0);
    sc_outlook outlook = sc_outlook_of(&surface);
    const sc_vec3 centre = {0.0, 0.0, 0.0};
    sc_alloc_fail_at(1);
    sc_outlook_settle(&outlook, centre, 0.9, 0.01);
    sc_alloc_fail_at(0);
    CHECK(surface.failed && outlook.reach == 0.0, "%d %g", surface.failed, outlook.reach);
    sc_outlook_free(&outlook);
    couple_free(&c);
    image_free(&a);
    image_free(&b);
}
