/* test_orient.c - signs of determinants against integers. */
#include "geom/orient.h"

#include "oracle_exact.h"
#include "test.h"

#include <float.h>
#include <math.h>

/* ---- points --------------------------------------------------------------- */

enum {
    FLOATS,       /* in -1..1 */
    GRID,         /* small integers */
    DENORMALS,    /* the smallest floats there are */
    EXTREMES,     /* where floats begin and end, and zeros of both signs */
    ALL_BITS,     /* doubles in -1..1 */
    WHOLE,        /* whole numbers of 38 to 46 bits: some are few enough for products in 128 */
    FLOAT_SPREAD, /* floats of any size */
    SPREAD,       /* doubles all over the range that one call may span */
    KINDS
};

static double coordinate(int kind)
{
    double x = test_uniform(-1, 1);

    switch (kind) {
    case FLOATS: return (float)x;
    case GRID: return test_below(5) - 2;
    case DENORMALS: return (test_below(9) - 4) * 0x1p-149;
    case EXTREMES: {
        static const double values[] = {0,       -0.0,     FLT_MAX,     -FLT_MAX,
                                        FLT_MIN, -FLT_MIN, 0x1p-149,    -0x1p-149,
                                        1,       -1,       FLT_MAX / 2, 3e38f};
        return values[test_below((int)(sizeof values / sizeof values[0]))];
    }
    case ALL_BITS: return x;
    case WHOLE: return rint(ldexp(x, 38 + test_below(9)));
    case FLOAT_SPREAD: return ldexpf((float)x, test_below(277) - 149);
    default: return ldexp(x, -test_below(60));
    }
}

static sc_vec3 point(int kind)
{
    sc_vec3 p;
    p.x = coordinate(kind);
    p.y = coordinate(kind);
    p.z = coordinate(kind);
    return p;
}

/* Four points; half of the time the later ones depend on the earlier ones, so
 * that the determinants are zero or as small as rounding leaves them. */
static void draw(int kind, sc_vec3 p[4])
{
    static const double factors[] = {0, 1, -1, 2, 0.5, 0.25, 1.0 / 3, -2.7};

    for (int i = 0; i < 4; i++) {
        p[i] = point(kind);
    }
    if (kind == FLOAT_SPREAD || kind == EXTREMES || test_below(2)) {
        return;
    }
    double s = factors[test_below(8)], t = factors[test_below(8)];
    if (kind == DENORMALS) {
        s = rint(s);
        t = rint(t);
    }
    if (test_below(3) == 0) {
        p[2] = sc_mul_add(p[0], s, sc_sub(p[1], p[0]));
    }
    p[3] = sc_mul_add(sc_mul_add(p[0], s, sc_sub(p[1], p[0])), t, sc_sub(p[2], p[0]));
    if (kind == FLOATS) {
        p[2] = (sc_vec3){(float)p[2].x, (float)p[2].y, (float)p[2].z};
        p[3] = (sc_vec3){(float)p[3].x, (float)p[3].y, (float)p[3].z};
    }
}

#define POINT "{%a, %a, %a} "
#define POINT_VALUES(p) (p).x, (p).y, (p).z

static void check_signs(const sc_vec3 p[4])
{
    int got = sc_orient3d(p[0], p[1], p[2], p[3]);
    int expected = oracle_orient3d(p[0], p[1], p[2], p[3]);
    CHECK(got == expected, "sc_orient3d is %d, not %d: " POINT POINT POINT POINT, got, expected,
          POINT_VALUES(p[0]), POINT_VALUES(p[1]), POINT_VALUES(p[2]), POINT_VALUES(p[3]));
    const sc_vec3 others[3] = {p[1], p[3], p[3]};
    int three[3];
    sc_orient3d_of_three(p, others, three);
    CHECK(three[0] == 0 && three[1] == expected && three[2] == expected,
          "sc_orient3d_of_three gives %d %d %d, not 0 %d: " POINT POINT POINT POINT, three[0],
          three[1], three[2], expected, POINT_VALUES(p[0]), POINT_VALUES(p[1]), POINT_VALUES(p[2]),
          POINT_VALUES(p[3]));
    for (int axis = 0; axis < 3; axis++) {
        got = sc_orient2d(p[0], p[1], p[2], axis);
        expected = oracle_orient2d(p[0], p[1], p[2], axis);
        CHECK(got == expected, "sc_orient2d on axis %d is %d, not %d: " POINT POINT POINT, axis,
              got, expected, POINT_VALUES(p[0]), POINT_VALUES(p[1]), POINT_VALUES(p[2]));
        got = sc_cross_sign(p[0], p[1], p[2], p[3], axis);
        expected = oracle_cross_sign(p[0], p[1], p[2], p[3], axis);
        CHECK(got == expected, "sc_cross_sign on axis %d is %d, not %d: " POINT POINT POINT POINT,
              axis, got, expected, POINT_VALUES(p[0]), POINT_VALUES(p[1]), POINT_VALUES(p[2]),
              POINT_VALUES(p[3]));
    }
}

static void check_random_signs(int count)
{
    for (int i = 0; i < count; i++) {
        sc_vec3 p[4];
        int kind = i % KINDS;
        draw(kind, p);
        check_signs(p);
        if (kind == ALL_BITS || kind == SPREAD) { /* at both ends of the allowed range */
            double scale = i % 4 < 2 ? 0x1p199 : 0x1p-149;
            for (int k = 0; k < 4; k++) {
                p[k] = sc_scale(p[k], scale);
            }
            check_signs(p);
        }
    }
}

/* ---- tests ---------------------------------------------------------------- */

TEST(orientation_has_the_documented_sense)
{
    sc_vec3 o = {0, 0, 0}, x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};

    CHECK_INT(sc_orient3d(o, x, y, z), -1); /* above the plane */
    CHECK_INT(sc_orient3d(o, y, x, z), 1);
    CHECK_INT(sc_orient3d(o, x, y, (sc_vec3){3, 4, 0}), 0);
    CHECK_INT(sc_orient2d(o, x, y, 2), 1); /* counter-clockwise */
    CHECK_INT(sc_orient2d(o, y, z, 0), 1);
    CHECK_INT(sc_orient2d(o, z, x, 1), 1);
    CHECK_INT(sc_orient2d(o, x, y, 0), 0);
    CHECK_INT(sc_cross_sign(x, o, y, o, 2), 1);
    CHECK_INT(sc_cross_sign(x, o, o, y, 2), -1);
    CHECK_INT(sc_cross_sign(x, o, x, o, 2), 0);
}

TEST(a_float_next_to_the_plane_is_told_from_one_in_it)
{
    sc_vec3 a = {12, 0, 1}, b = {0, 12, 1}, c = {12, 12, 1};

    for (int step = -1; step <= 1; step++) {
        sc_vec3 d = {5, 7, step == 0 ? 1 : nextafter(1, 1 + step)};
        CHECK_INT(sc_orient3d(a, c, b, d), -step);
    }
    sc_vec3 in_oblique = {1.0 / 3 + 2.0 / 3, 0, 0}; /* x + y + z = 1 */
    CHECK_INT(sc_orient3d((sc_vec3){1, 0, 0}, (sc_vec3){0, 1, 0}, (sc_vec3){0, 0, 1}, in_oblique),
              0);
}

TEST(signs_are_those_of_integer_arithmetic)
{
    check_random_signs(test_rounds(120000));
}

TEST(signs_are_the_same_without_the_filter)
{
    sc_orient_filter_off(1);
    check_random_signs(test_rounds(60000));
    sc_orient_filter_off(0);
}

TEST(projection_axis_is_the_first_with_area)
{
    for (int i = 0; i < 20000; i++) {
        sc_vec3 p[4];
        draw(i % KINDS, p);
        int axis = 0;
        while (axis < 3 && oracle_orient2d(p[0], p[1], p[2], axis) == 0) {
            axis++;
        }
        CHECK_INT(sc_projection_axis(p[0], p[1], p[2]), axis < 3 ? axis : -1);
    }
}

/* The values, from which crossings are computed, are good to 2^-48, and 0 if the
 * determinant is. */
TEST(values_are_as_accurate_as_they_say)
{
    for (int i = 0; i < 50000; i++) {
        sc_vec3 p[4];
        draw(i % KINDS, p);
        double got = sc_orient3d_value(p[0], p[1], p[2], p[3]);
        double expected = oracle_orient3d_value(p[0], p[1], p[2], p[3]);
        CHECK(fabs(got - expected) <= 0x1p-48 * fabs(expected),
              "sc_orient3d_value is %a, not %a: " POINT POINT POINT POINT, got, expected,
              POINT_VALUES(p[0]), POINT_VALUES(p[1]), POINT_VALUES(p[2]), POINT_VALUES(p[3]));
        got = sc_orient2d_value(p[0], p[1], p[2], i % 3);
        expected = oracle_orient2d_value(p[0], p[1], p[2], i % 3);
        CHECK(fabs(got - expected) <= 0x1p-48 * fabs(expected),
              "sc_orient2d_value on axis %d is %a, not %a: " POINT POINT POINT, i % 3, got,
              expected, POINT_VALUES(p[0]), POINT_VALUES(p[1]), POINT_VALUES(p[2]));
    }
}

TEST(exchanging_two_points_negates_a_sign)
{
    for (int i = 0; i < 20000; i++) {
        sc_vec3 p[4];
        draw(i % KINDS, p);
        int sign = sc_orient3d(p[0], p[1], p[2], p[3]);
        CHECK_INT(sc_orient3d(p[1], p[0], p[2], p[3]), -sign);
        CHECK_INT(sc_orient3d(p[0], p[2], p[1], p[3]), -sign);
        CHECK_INT(sc_orient3d(p[0], p[1], p[3], p[2]), -sign);
        CHECK_INT(sc_orient2d(p[1], p[0], p[2], i % 3), -sc_orient2d(p[0], p[1], p[2], i % 3));
    }
}

TEST(exact_calls_are_counted_and_rare)
{
#if defined(SC_UNFILTERED)
    test_skip("every call is exact in this build");
    return;
#endif
    sc_vec3 a = {1, 0, 0}, b = {0, 1, 0}, c = {0, 0, 1}, d = {-1, 1, 1};

    sc_orient_exact_calls();
    for (int i = 0; i < 10000; i++) {
        sc_vec3 p[4];
        for (int k = 0; k < 4; k++) {
            p[k] = point(FLOATS);
        }
        sc_orient3d(p[0], p[1], p[2], p[3]);
    }
    CHECK_INT(sc_orient_exact_calls(), 0);
    CHECK_INT(sc_orient3d(a, b, c, d), 0); /* in the plane, and no factor is zero */
    CHECK_INT(sc_orient_exact_calls(), 1);
    CHECK_INT(sc_orient_exact_calls(), 0);
}
