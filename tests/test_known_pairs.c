/* test_known_pairs.c - pairs of solids whose status, volume and area can be written down, each
 * asked about in many ways. Only the public interface is asked. */
#include "ask.h"
#include "test.h"
#include "ways.h"

#include <math.h>
#include <string.h>

/* ---- boxes ---------------------------------------------------------------------- */

#define U                                                                                          \
    {                                                                                              \
        {0, 0, 0},                                                                                 \
        {                                                                                          \
            1, 1, 1                                                                                \
        }                                                                                          \
    }

/* The volume and status in the table are stated by hand; the rest follows. */
static const struct box_row {
    const char *name;
    truth_box a, b;
    double volume;
    stlclash_status status;
} box_rows[] = {
    {"identical", U, U, 1, STLCLASH_CLASH},
    {"corner in corner", U, {{.5, .5, .5}, {1.5, 1.5, 1.5}}, 0.125, STLCLASH_CLASH},
    {"face to face +x", U, {{1, 0, 0}, {2, 1, 1}}, 0, STLCLASH_CONTACT},
    {"face to face -x", U, {{-1, 0, 0}, {0, 1, 1}}, 0, STLCLASH_CONTACT},
    {"offset face +y", U, {{.25, 1, .25}, {1.25, 2, 1.25}}, 0, STLCLASH_CONTACT},
    {"offset face -y", U, {{.25, -1, .25}, {1.25, 0, 1.25}}, 0, STLCLASH_CONTACT},
    {"under a plate", U, {{-1, -1, 1}, {2, 2, 2}}, 0, STLCLASH_CONTACT},
    {"on a peg", U, {{.25, .25, -1}, {.75, .75, 0}}, 0, STLCLASH_CONTACT},
    {"edge to edge", U, {{1, 1, 0}, {2, 2, 1}}, 0, STLCLASH_CONTACT},
    {"vertex to vertex +", U, {{1, 1, 1}, {2, 2, 2}}, 0, STLCLASH_CONTACT},
    {"vertex to vertex -", U, {{-1, -1, -1}, {0, 0, 0}}, 0, STLCLASH_CONTACT},
    {"flush in one face", U, {{.25, .25, .5}, {.75, .75, 1}}, 0.125, STLCLASH_CLASH},
    {"flush in three faces +", U, {{.5, .5, .5}, {1, 1, 1}}, 0.125, STLCLASH_CLASH},
    {"flush in three faces -", U, {{0, 0, 0}, {.5, .5, .5}}, 0.125, STLCLASH_CLASH},
    {"swallowed", U, {{.25, .25, .25}, {.75, .75, .75}}, 0.125, STLCLASH_CLASH},
    {"swallows", U, {{-1, -1, -1}, {2, 2, 2}}, 1, STLCLASH_CLASH},
    {"plus sign, edges cross edges",
     {{-3, -1, -1}, {3, 1, 1}},
     {{-1, -3, -1}, {1, 3, 1}},
     8,
     STLCLASH_CLASH},
    {"plus sign, thin arm",
     {{-3, -1, -1}, {3, 1, 1}},
     {{-.5, -3, -.5}, {.5, 3, .5}},
     2,
     STLCLASH_CLASH},
    {"same section", {{0, 0, 0}, {2, 1, 1}}, {{1, 0, 0}, {3, 1, 1}}, 1, STLCLASH_CLASH},
    {"flush at both ends", U, {{.25, .25, 0}, {.75, .75, 1}}, 0.25, STLCLASH_CLASH},
    {"one ulp into it", U, {{1 - 0x1p-24, 0, 0}, {2, 1, 1}}, 0x1p-24, STLCLASH_CLASH},
    {"one ulp short of it", U, {{1 + 0x1p-23, 0, 0}, {2, 1, 1}}, 0, STLCLASH_CLEAR},
};

TEST(tables_of_boxes)
{
    for (size_t i = 0; i < sizeof box_rows / sizeof box_rows[0]; i++) {
        const struct box_row *row = &box_rows[i];
        truth t = boxes_truth(&row->a, &row->b);
        CHECK(t.volume == row->volume && t.status == row->status, "%s: the table is wrong",
              row->name);
        try_pair(image_of_box(&row->a, 1), image_of_box(&row->b, 1), &t, row->name);
        try_pair(image_of_box(&row->a, 2), image_of_box(&row->b, 1), &t, row->name);
        oracle_frame plain = oracle_frame_plain();
        try_pair(oracle_split_box(row->a.low, row->a.high, 0x1p-4, &plain),
                 oracle_split_box(row->b.low, row->b.high, 0, &plain), &t, row->name);
    }
}

/* ---- other shapes --------------------------------------------------------------- */

TEST(tables_of_other_shapes)
{
    double inscribed[4][3] = {{0, 0, 0}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}}; /* negative order */
    double turned[4][3];
    memcpy(turned[0], inscribed[1], sizeof turned[0]);
    memcpy(turned[1], inscribed[0], sizeof turned[1]);
    memcpy(turned[2], inscribed[2], 2 * sizeof turned[2]);
    stl_image tetra = make_tetra(turned);
    CHECK(oracle_volume(&tetra) > 0, "the tetrahedron is inside out");
    truth t = clash(1.0 / 3.0, STLCLASH_NEITHER);
    t.has_bounds = true;
    for (int k = 0; k < 3; k++) {
        t.centroid[k] = 0.5;
        t.bounds[1][k] = 1;
    }
    try_pair(cube(0, 1), tetra, &t, "inscribed tetrahedron");

    t = clash(5, STLCLASH_NEITHER);
    try_pair(make_l(), make_l(), &t, "an L and itself");
    t = clash(2.25, STLCLASH_NEITHER);
    try_pair(make_l(), simple_box(.5, 3, .5, 3, 0, 1), &t, "a box over the notch of an L");

    double low[3] = {0, 0, 0}, high[3] = {4, 4, 4};
    t = contact(24);
    try_pair(make_hollow_box(low, high, 1), cube(1, 3), &t, "a cavity filled");
    t = clear();
    try_pair(make_hollow_box(low, high, 1), cube(1.5, 2.5), &t, "loose in a cavity");
    t = clash(19, STLCLASH_NEITHER);
    try_pair(make_hollow_box(low, high, 1), cube(.5, 3.5), &t, "into the walls of a cavity");
    t = clash(56, STLCLASH_A);
    try_pair(make_hollow_box(low, high, 1), cube(-1, 5), &t, "a hollow part swallowed");

    t = clash(2, STLCLASH_NEITHER);
    try_pair(image_joined(cube(0, 1), cube(0, 1)), cube(0, 1), &t, "a doubled shell");
}

TEST(every_component_is_judged)
{
    truth t = clash(1, STLCLASH_NEITHER);

    /* one loose shell inside, the other far, touching, crossing */
    try_pair(image_joined(cube(1, 2), cube(9, 10)), cube(0, 4), &t, "one in, one far");
    t = clash(1, STLCLASH_NEITHER);
    t.area = 1;
    try_pair(image_joined(cube(1, 2), simple_box(4, 5, 0, 1, 0, 1)), cube(0, 4), &t,
             "one in, one touching");
    t = clash(1.5, STLCLASH_NEITHER);
    try_pair(image_joined(cube(1, 2), simple_box(3.5, 5, 1, 2, 1, 2)), cube(0, 4), &t,
             "one in, one crossing");
    t = clash(2, STLCLASH_A);
    try_pair(image_joined(cube(1, 2), simple_box(2.5, 3.5, 1, 2, 1, 2)), cube(0, 4), &t, "both in");

    /* a box in a box in a box: in the outer wall, between, in the core */
    double low[3] = {0, 0, 0}, high[3] = {8, 8, 8}, core_low[3] = {2.5, 2.5, 2.5};
    double core_high[3] = {5.5, 5.5, 5.5};
    static const struct {
        double low, high, volume;
        const char *name;
    } row[] = {{0.5, 1, 0.125, "in the outer wall"},
               {2.125, 2.25, 0, "between the shells"},
               {2.625, 2.875, 0.015625, "in the inner wall"},
               {3.75, 4.25, 0, "in the core"},
               {2.25, 5.75, 19, "about the inner shell"}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        stl_image shells =
            image_joined(make_hollow_box(low, high, 2), make_hollow_box(core_low, core_high, 0.5));
        t = row[i].volume > 0 ? clash(row[i].volume, i < 4 ? STLCLASH_B : STLCLASH_NEITHER)
                              : clear();
        try_pair(shells, cube(row[i].low, row[i].high), &t, row[i].name);
    }
}

/* A rotation about z. */
static void turn_z(double m[16], double angle)
{
    const double to[16] = {cos(angle), -sin(angle), 0, 0, sin(angle), cos(angle), 0, 0,
                           0,          0,           1, 0, 0,          0,          0, 1};
    memcpy(m, to, sizeof to);
}

TEST(cube_in_itself_turned_by_45_degrees)
{
    stl_image a = cube(-1, 1);
    double m[16], volume = 16 * (sqrt(2.0) - 1);
    stlclash_options o = exact();

    turn_z(m, 0.78539816339744831);
    for (int side = 0; side < 2; side++) {
        o.placement[side] = m;
        o.placement[1 - side] = NULL;
        for (int tolerant = 0; tolerant < 2; tolerant++) {
            o.exact = !tolerant;
            stlclash_result *r = ask_images(&a, &a, &o);
            CHECK(r->status == STLCLASH_CLASH && r->overlap.contained == STLCLASH_NEITHER,
                  "status %s", stlclash_status_text(r->status));
            check_volume(r, volume, 4e-15, "turned");
            CHECK(fabs(r->overlap.volume - volume) <= 1e-14 * volume, "volume %.17g",
                  r->overlap.volume);
            check_depth(r, 1, 2, "turned");
            stlclash_result_free(r);
        }
    }
    image_free(&a);
}

/* ---- less than rounding --------------------------------------------------------- */

/* Faces that touch all over, but for a bump so small that its volume is lost in the
 * rounding of the rest: there is an overlap, exactly, and it lies at the bump's height. */
TEST(a_volume_below_rounding_has_bounds)
{
    const float h = 0x1p-30f, t = 1.0f - 0x1p-24f;
    const float outer[4][3] = {{1, -1, -1}, {1, 1, -1}, {1, 1, 1}, {1, -1, 1}};
    const float inner[4][3] = {{1, -h, -h}, {1, h, -h}, {1, h, h}, {1, -h, h}};
    const float back[4][3] = {{2, -1, -1}, {2, 1, -1}, {2, 1, 1}, {2, -1, 1}}, top[3] = {t, 0, 0};
    float facets[22][9];
    int n = 0;

    for (int i = 0; i < 4; i++) { /* outwards is towards smaller x on the near side */
        int j = (i + 1) % 4;
        const float *corners[5][3] = {{outer[j], outer[i], inner[i]},
                                      {outer[j], inner[i], inner[j]},
                                      {inner[j], inner[i], top},
                                      {outer[i], outer[j], back[j]},
                                      {outer[i], back[j], back[i]}};
        for (int c = 0; c < 5; c++, n++) {
            for (int k = 0; k < 9; k++) {
                facets[n][k] = corners[c][k / 3][k % 3];
            }
        }
    }
    for (int c = 0; c < 2; c++, n++) {
        const float *corners[3] = {back[0], back[1 + c], back[2 + c]};
        for (int k = 0; k < 9; k++) {
            facets[n][k] = corners[k / 3][k % 3];
        }
    }
    truth_box low = {{0, -1, -1}, {1, 1, 1}};
    stl_image a = image_of_box(&low, 1), b = make_facets(facets[0], 22);
    stlclash_options o = exact(), tolerant = ask_usual();
    o.health = true;
    stlclash_result *r = ask_images(&a, &b, &o);
    CHECK(r->part[1].closed && r->part[1].volume > 3.99, "the bumpy box is wrong: volume %g",
          r->part[1].volume);
    CHECK(r->status == STLCLASH_CLASH, "exactly: %s", stlclash_status_text(r->status));
    CHECK(r->has_overlap && r->overlap.region_count == 1, "%d regions",
          (int)r->overlap.region_count);
    for (int k = 0; k < 3; k++) {
        CHECK(r->overlap.bounds[0][k] >= (k == 0 ? (double)t : -1.0) &&
                  r->overlap.bounds[1][k] <= 1.0 &&
                  r->overlap.centroid[k] >= r->overlap.bounds[0][k] &&
                  r->overlap.centroid[k] <= r->overlap.bounds[1][k],
              "bounds %g to %g, centroid %g along axis %d", r->overlap.bounds[0][k],
              r->overlap.bounds[1][k], r->overlap.centroid[k], k);
    }
    CHECK(r->overlap.volume >= 0 &&
              fabs(r->overlap.volume - 0x1p-82 / 3) <= r->overlap.volume_error + 0x1p-130,
          "volume %g, error %g", r->overlap.volume, r->overlap.volume_error);
    CHECK(!r->overlap.has_depth || r->overlap.depth <= 0x1p-24, "depth %g", r->overlap.depth);
    stlclash_result_free(r);
    CHECK(ask_status(&a, &b, &tolerant) == STLCLASH_CONTACT, "it is no contact by default");
    image_free(&a);
    image_free(&b);
}

/* Edges that pass each other 1e-13 apart, where doubles are 1e-9 apart: two integer tetrahedra with
 * all corners of one side of (1454934597937, 6201001946093, 6623613490452) x = c and those of the
 * other at c + 1 or more. */
TEST(a_gap_that_rounding_loses_is_a_gap)
{
    static const float corners[2][4][3] = {{{0, 0, 0},
                                            {-1651612, 2092760, -1596443},
                                            {-1163862, 672149, -3270809},
                                            {-2224451, -983252, -2894230}},
                                           {{-1980694, 4080463, 730695},
                                            {-651731, 1623048, -1376333},
                                            {-2685674, 189867, 412179},
                                            {299610, 2662015, -473560}}};
    static const int faces[4][3] = {{1, 2, 3}, {0, 1, 3}, {3, 2, 0}, {0, 2, 1}};
    stl_image image[2] = {{0}};
    for (int i = 0; i < 2; i++) {
        for (int f = 0; f < 4; f++) {
            float facet[9];
            for (int k = 0; k < 9; k++) {
                facet[k] = corners[i][faces[f][k / 3]][k % 3];
            }
            stl_image one = make_facets(facet, 1);
            image_join(&image[i], &one);
            image_free(&one);
        }
    }
    for (int way = 0; way < 3; way++) {
        stlclash_options o = exact();
        o.quick = way == 1;
        o.no_overlap = way == 2;
        stlclash_result *r = ask_images(&image[0], &image[1], &o);
        CHECK(r->status == STLCLASH_CLEAR, "way %d: %s", way, stlclash_status_text(r->status));
        CHECK(!r->has_separation || (r->separation.distance > 0 && r->separation.distance < 1e-8),
              "way %d: %g", way, r->separation.distance);
        stlclash_result_free(r);
    }
    image_free(&image[0]);
    image_free(&image[1]);
}
