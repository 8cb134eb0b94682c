/* test_embedded.c - which surfaces meet themselves. */
#include "couple.h"
#include "depth/embedded.h"
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
