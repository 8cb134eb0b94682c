/* test_frame.c - doubles into the frame of floats. */
#include "frame.h"

#include "shapes.h"
#include "test.h"

#include <float.h>

/* Of any size, now and then a float, and what lies beyond floats. */
static double some_number(void)
{
    const double far = test_uniform(-2.0, 2.0) * ldexp(1.0, test_below(300) - 160);
    const double special[] = {0.0, -0.0, 0x1p-149, 0x1p-150, FLT_MAX, 0x1.ffffff8p127, INFINITY};
    const double x = special[test_below(7)] * (test_below(2) ? 1.0 : -1.0);
    return test_below(4) ? far : test_below(2) ? (double)(float)far : x;
}

static float float_below(double x)
{
    const float near = (float)x;
    return (double)near > x ? nextafterf(near, -INFINITY) : near;
}

TEST(boxes_are_rounded_to_the_next_floats_outwards)
{
    for (int i = 0; i < test_rounds(200000); i++) {
        const sc_frame frame = {.scale = ldexp(1.0, test_below(7) - 3)};
        sc_box box;
        float low[3], high[3];
        for (int k = 0; k < 3; k++) {
            const double x = some_number(), y = some_number();
            box.low[k] = fmin(x, y);
            box.high[k] = fmax(x, y);
        }
        sc_frame_box(&frame, &box, low, high);
        for (int k = 0; k < 3; k++) {
            const double from = box.low[k] * frame.scale, to = box.high[k] * frame.scale;
            CHECK(low[k] == float_below(from) && (double)low[k] <= from, "%a from %a",
                  (double)low[k], from);
            CHECK(high[k] == -float_below(-to) && (double)high[k] >= to, "%a to %a",
                  (double)high[k], to);
        }
    }
}

/* Several coordinates at a time, but each as by itself. */
TEST(placed_vertices_are_the_nearest_floats)
{
    const double turn[16] = {0.6, -0.8, 0, 1.5, 0.8, 0.6, 0, -2.25, 0, 0, 1, 1000.125, 0, 0, 0, 1};
    for (int i = 0; i < test_rounds(50000); i++) {
        float xyz[9], v[3][4];
        const double far = test_below(2) ? 0.0 : 500.0;
        const sc_box a = {{far, far + 2, far - 3}, {far + 4, far + 4, far + 4}};
        const sc_frame frame = sc_frame_make(&a, &a);
        sc_placement placement;
        stlclash_error error;
        for (int k = 0; k < 9; k++) {
            xyz[k] = (float)test_uniform(far, far + 4);
        }
        stl_image image = make_facets(xyz, 1);
        const sc_facets facets = {image.bytes + STL_HEADER_SIZE + 12, STL_RECORD_SIZE, 1};
        CHECK_INT(sc_placement_make(test_below(3) ? turn : NULL, "A", 504, &placement, &error),
                  STLCLASH_OK);
        sc_frame_placed_vertices(&frame, &facets, &placement, 0, v);
        for (int k = 0; k < 3; k++) {
            float at[3];
            sc_frame_point(&frame, sc_place(&placement, &xyz[3 * k]), at);
            CHECK(v[k][0] == at[0] && v[k][1] == at[1] && v[k][2] == at[2] && v[k][3] == 0.0f,
                  "%a %a %a, not %a %a %a", (double)v[k][0], (double)v[k][1], (double)v[k][2],
                  (double)at[0], (double)at[1], (double)at[2]);
        }
        image_free(&image);
    }
}
