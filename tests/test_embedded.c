/* test_embedded.c - which surfaces meet themselves. */
#include "couple.h"
#include "depth/embedded.h"
#include "geom/box.h"
#include "oracle_exact.h"
#include "test.h"

#include <string.h>

static stl_image with_facet_again(stl_image image)
{
    const shape_facet facet = image_get(&image, 0);
    return image_joined(image, make_facets(&facet.corner[0][0], 1));
}

static stl_image inverted(stl_image image)
{
    image_invert(&image);
    return image;
}

static stl_image with_facet_turned(stl_image image)
{
    shape_facet facet = image_get(&image, 0), turned = facet;
    memcpy(turned.corner[1], facet.corner[2], sizeof facet.corner[2]);
    memcpy(turned.corner[2], facet.corner[1], sizeof facet.corner[1]);
    image_set(&image, 0, &turned);
    return image;
}

/* One facet becomes a segment: its neighbours have nothing to match. */
static stl_image with_facet_lost(stl_image image)
{
    shape_facet facet = image_get(&image, 0);
    memcpy(facet.corner[1], facet.corner[0], sizeof facet.corner[0]);
    image_set(&image, 0, &facet);
    return image;
}

/* Over the triangle 2, 3, 4 the apex 0 and, below it, 1: the edge from 0 to 2 passes through the
 * facet 1, 3, 4, and nothing else meets but what has a corner in common. */
static stl_image pierced(double scale_x)
{
    static const float at[5][3] = {{1.5f, 0, 3}, {0, 0, 0}, {5, 0, -3}, {4, 2, 1}, {4, -2, 1}};
    static const int number[6][3] = {{0, 3, 4}, {0, 4, 2}, {0, 2, 3},
                                     {1, 4, 3}, {1, 2, 4}, {1, 3, 2}};
    float corners[6 * 9];
    for (int i = 0; i < 54; i++) {
        const float x = at[number[i / 9][i / 3 % 3]][i % 3];
        corners[i] = i % 3 == 0 ? (float)scale_x * x : x;
    }
    return make_facets(corners, 6);
}

TEST(surfaces_that_meet_themselves_are_told)
{
    static const float sheet[18] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0};
    /* No way along x leads from a corner into it. */
    static const float aslant[36] = {0, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 1, 0, 1,
                                     0, 0, 0, 1, 0, 1, 1, 1, 0, 1, 1, 0, 1, 0, 1, 0, 1, 1};
    struct {
        const char *name;
        stl_image image;
        bool embedded;
    } row[] = {
        {"box", box(0, 0, 0, 1, 2, 3, 2), true},
        {"torus", make_torus(1.0, 0.3, 24, 12), true},
        {"bumpy", make_bumpy(1.0, 5), true},
        {"hollow", make_hollow_box((double[]){0, 0, 0}, (double[]){3, 2, 2}, 0.2), true},
        {"two", image_joined(box(0, 0, 0, 1, 1, 1, 1), box(2, 0, 0, 3, 1, 1, 1)), true},
        {"inside out", inverted(box(0, 0, 0, 1, 2, 3, 2)), false},
        {"crossing", image_joined(box(0, 0, 0, 2, 2, 2, 1), box(1, 1, 1, 3, 3, 3, 1)), false},
        {"nested", image_joined(box(0, 0, 0, 4, 4, 4, 1), box(1, 1, 1, 3, 3, 3, 1)), false},
        {"in a face", image_joined(box(0, 0, 0, 1, 1, 1, 1), box(1, 0, 0, 2, 1, 1, 1)), false},
        {"in an edge", image_joined(box(0, 0, 0, 1, 1, 1, 1), box(1, 1, 0, 2, 2, 1, 1)), false},
        {"in a corner", image_joined(box(0, 0, 0, 1, 1, 1, 1), box(1, 1, 1, 2, 2, 2, 1)), false},
        {"twice", image_joined(box(0, 0, 0, 1, 1, 1, 1), box(0, 0, 0, 1, 1, 1, 1)), false},
        {"facet twice", with_facet_again(box(0, 0, 0, 1, 1, 1, 1)), false},
        {"sheet", make_facets(sheet, 2), false},
        {"open", make_facets(sheet, 1), false},
        {"facet turned", with_facet_turned(box(0, 0, 0, 1, 1, 1, 1)), false},
        {"facet lost", with_facet_lost(box(0, 0, 0, 1, 1, 1, 1)), false},
        {"pierced", pierced(1.0), false},
        {"pierced, the other way", inverted(pierced(-1.0)), false},
        {"aslant, inside out", make_facets(aslant, 4), false},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        couple c;
        bool failed = false;
        image_shuffle(&row[i].image);
        couple_make(&c, &row[i].image, &row[i].image);
        bool embedded = sc_solid_is_embedded(&c.solid[0], &failed);
        CHECK(embedded == row[i].embedded && !failed, "%s: %d", row[i].name, embedded);
        couple_free(&c);
        image_free(&row[i].image);
    }
}

/* ---- against the plain truth ------------------------------------------------------ */

static void corners_of(const couple *c, uint32_t facet, sc_vec3 v[3])
{
    sc_solid_facet(&c->solid[0], facet, v);
}

/* Whether facets have no points in common but those corners that are both's. */
static bool meet_in_corners(const sc_vec3 a[3], const sc_vec3 b[3])
{
    int common = 0;
    for (int n = 0; n < 9; n++) {
        common += sc_same(a[n / 3], b[n % 3]);
    }
    return common < 3 && oracle_common_points(a, b).count == common;
}

/* How often the way from one corner to the other is a side of a facet. */
static int uses(const couple *c, uint32_t facets, sc_vec3 from, sc_vec3 to)
{
    int count = 0;
    for (uint32_t i = 0; i < facets; i++) {
        sc_vec3 v[3];
        corners_of(c, i, v);
        for (int k = 0; k < 3; k++) {
            count += sc_same(v[k], from) && sc_same(v[(k + 1) % 3], to);
        }
    }
    return count;
}

/* Whether from the first facet all others are reached over sides. */
static bool hangs_together(const couple *c, uint32_t facets)
{
    bool reached[64] = {true};
    uint32_t count = 1;
    for (uint32_t before = 0; before != count;) {
        before = count;
        for (uint32_t i = 0; i < facets; i++) {
            for (uint32_t j = 0; j < facets && reached[i]; j++) {
                sc_vec3 a[3], b[3];
                int common = 0;
                corners_of(c, i, a);
                corners_of(c, j, b);
                for (int n = 0; n < 9; n++) {
                    common += sc_same(a[n / 3], b[n % 3]);
                }
                count += !reached[j] && common == 2;
                reached[j] = reached[j] || common == 2;
            }
        }
    }
    return count == facets;
}

/* Of a part of one shell, without facets that have no area: six times its volume, or 0 if its
 * surface meets itself. */
static double volume_if_embedded(const couple *c, uint32_t facets)
{
    double volume = 0.0;
    for (uint32_t i = 0; i < facets; i++) {
        sc_vec3 a[3], b[3];
        corners_of(c, i, a);
        volume += sc_dot(a[0], sc_cross(a[1], a[2]));
        for (uint32_t j = i + 1; j < facets; j++) {
            corners_of(c, j, b);
            if (!meet_in_corners(a, b)) {
                return 0.0;
            }
        }
        for (int k = 0; k < 3; k++) {
            if (uses(c, facets, a[k], a[(k + 1) % 3]) != 1 ||
                uses(c, facets, a[(k + 1) % 3], a[k]) != 1) {
                return 0.0;
            }
        }
    }
    return volume;
}

/* A vertex of all facets that have it goes elsewhere. */
static void move_vertex(stl_image *image, const float from[3], const float to[3])
{
    for (size_t i = 0; i < image_facets(image); i++) {
        shape_facet facet = image_get(image, i);
        for (int k = 0; k < 3; k++) {
            if (memcmp(facet.corner[k], from, sizeof facet.corner[k]) == 0) {
                memcpy(facet.corner[k], to, sizeof facet.corner[k]);
            }
        }
        image_set(image, i, &facet);
    }
}

/* Boxes of which some vertices were moved on a small grid: much comes to lie in one plane or
 * line. */
TEST(surfaces_that_meet_themselves_somewhere_are_told)
{
    int embedded = 0, missed = 0, rounds = test_rounds(1500);
    for (int round = 0; round < rounds; round++) {
        const uint32_t cells = test_below(4) > 0 ? 1 : 2;
        stl_image image = box(0, 0, 0, 4, 4, 4, cells);
        for (int moves = 1 + test_below(3); moves > 0; moves--) {
            const shape_facet facet = image_get(&image, (size_t)test_below(12));
            const float to[3] = {(float)test_below(6), (float)test_below(6), (float)test_below(6)};
            move_vertex(&image, facet.corner[test_below(3)], to);
        }
        couple c;
        couple_make(&c, &image, &image);
        const uint32_t facets = (uint32_t)image_facets(&image);
        bool flat = false, failed = false;
        for (uint32_t i = 0; i < facets; i++) {
            sc_vec3 v[3];
            corners_of(&c, i, v);
            flat = flat || oracle_degenerate(v);
        }
        if (!flat && hangs_together(&c, facets)) {
            const bool expected = volume_if_embedded(&c, facets) > 0.0;
            const bool told = sc_solid_is_embedded(&c.solid[0], &failed);
            CHECK((!told || expected) && !failed, "round %d: %d, not %d", round, told, expected);
            missed += expected && !told; /* all corners so sharp that none tells the sides */
            embedded += expected;
        }
        couple_free(&c);
        image_free(&image);
    }
    CHECK(embedded >= rounds / 20 && embedded <= rounds / 2, "%d of %d", embedded, rounds);
    CHECK(missed <= embedded / 20, "%d of %d not told", missed, embedded);
}

/* However many facets there are; and if but two of them meet. */
TEST(large_surfaces_that_meet_themselves_are_told)
{
    for (int meets = 0; meets < 2; meets++) {
        stl_image image = make_bumpy(1.0, 30);
        if (meets) { /* a spike to the far side */
            const shape_facet facet = image_get(&image, 5000);
            const float *from = facet.corner[0];
            move_vertex(&image, from, (float[]){-1.2f * from[0], -1.2f * from[1], -1.2f * from[2]});
        }
        couple c;
        bool failed = false;
        couple_make(&c, &image, &image);
        CHECK(sc_solid_is_embedded(&c.solid[0], &failed) == (meets == 0) && !failed, "meets: %d",
              meets);
        couple_free(&c);
        image_free(&image);
    }
}
