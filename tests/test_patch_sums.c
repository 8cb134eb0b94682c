/* test_patch_sums.c - what facets in a row add to the sums of an overlap, one by one in long
 * doubles. */
#include "ask.h"
#include "overlap/patch_sums.h"
#include "test.h"

typedef long double wide[3];

typedef struct expected {
    long double volume6, magnitude, area_terms;
    wide moment, area;
    sc_box bounds;
} expected;

static void cross(const wide a, const wide b, wide out)
{
    for (int k = 0; k < 3; k++) {
        const int m = (k + 1) % 3, n = (k + 2) % 3;
        out[k] = a[m] * b[n] - a[n] * b[m];
    }
}

static long double dot(const wide a, const wide b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The products that make up the determinant of a facet's first vertex and two edges. */
static long double products(const wide a, const wide e1, const wide e2)
{
    long double sum = 0.0L;
    for (int k = 0; k < 3; k++) {
        const int m = (k + 1) % 3, n = (k + 2) % 3;
        sum += fabsl(a[k]) * (fabsl(e1[m] * e2[n]) + fabsl(e1[n] * e2[m]));
    }
    return sum;
}

static void add_facet(expected *e, const sc_vec3 v[3], sc_vec3 origin)
{
    wide from[3], e1, e2, normal, across;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            from[i][k] = (long double)sc_component(v[i], k) - (long double)sc_component(origin, k);
        }
        sc_box_add_point(&e->bounds, v[i]);
    }
    for (int k = 0; k < 3; k++) {
        e1[k] = from[1][k] - from[0][k];
        e2[k] = from[2][k] - from[0][k];
    }
    cross(from[1], from[2], across);
    cross(e1, e2, normal);
    const long double volume6 = dot(from[0], across);
    e->volume6 += volume6;
    e->magnitude += products(from[0], e1, e2);
    e->area_terms += sqrtl(dot(normal, normal));
    for (int k = 0; k < 3; k++) {
        e->moment[k] += volume6 * (from[0][k] + from[1][k] + from[2][k]);
        e->area[k] += normal[k];
    }
}

static bool is_near(double found, long double wanted, long double size)
{
    return fabsl((long double)found - wanted) <= 1e-12L * size;
}

static void compare(const sc_run_sums *r, const expected *e, bool with_area, size_t count)
{
    const double moment[3] = {r->moment.x, r->moment.y, r->moment.z};
    const double area[3] = {r->area.x, r->area.y, r->area.z};

    CHECK(is_near(sc_sum_total(&r->account.volume6), e->volume6, e->magnitude),
          "%zu facets: volume %.17g, not %.17Lg", count, sc_sum_total(&r->account.volume6),
          e->volume6);
    CHECK(is_near(r->account.volume6.magnitude, e->magnitude, e->magnitude),
          "%zu facets: products %.17g, not %.17Lg", count, r->account.volume6.magnitude,
          e->magnitude);
    CHECK(memcmp(&r->account.bounds, &e->bounds, sizeof e->bounds) == 0, "%zu facets: the box",
          count);
    CHECK(is_near(r->area_terms, with_area ? e->area_terms : 0.0L, e->area_terms),
          "%zu facets: areas %.17g, not %.17Lg", count, r->area_terms, e->area_terms);
    for (int k = 0; k < 3; k++) {
        CHECK(is_near(moment[k], e->moment[k], 10.0L * e->magnitude),
              "%zu facets: moment %.17g, not %.17Lg", count, moment[k], e->moment[k]);
        CHECK(is_near(area[k], with_area ? e->area[k] : 0.0L, e->area_terms),
              "%zu facets: area %.17g, not %.17Lg", count, area[k], e->area[k]);
    }
}

TEST(facets_in_a_row_add_what_each_of_them_does)
{
    enum { FACETS = 600 };
    for (int round = 0; round < test_rounds(1000); round++) {
        stl_image image = make_soup(FACETS, 0.5);
        stlclash_mesh *mesh = ask_mesh(&image);
        double placement[16];
        int8_t orientation[FACETS];
        uint32_t list[SC_SUMS_RUN];
        const size_t count = (size_t)test_below(SC_SUMS_RUN + 1);
        const bool with_area = test_below(2) != 0;
        sc_part part;
        stlclash_error error;

        ask_placement(placement, 1.0);
        CHECK(sc_part_place(mesh, test_below(2) ? placement : NULL, "soup", &part, &error) ==
                  STLCLASH_OK,
              "placed");
        for (int i = 0; i < FACETS; i++) {
            orientation[i] = test_below(2) ? 1 : -1;
        }
        const sc_solid solid = {.part = &part, .orientation = test_below(2) ? orientation : NULL};
        const sc_vec3 origin = {test_uniform(-1.0, 1.0), test_uniform(-1.0, 1.0), 0.25};
        expected e = {.bounds = sc_box_empty()};
        for (size_t i = 0; i < count; i++) {
            sc_vec3 v[3];
            list[i] = (uint32_t)test_below(FACETS);
            sc_solid_facet(&solid, list[i], v);
            add_facet(&e, v, origin);
        }
        const sc_run_sums sums = sc_run_sums_of(&solid, list, count, origin, with_area);
        compare(&sums, &e, with_area, count);
        stlclash_mesh_free(mesh);
        image_free(&image);
    }
}
