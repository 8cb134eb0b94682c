/* test_angle.c - sine, cosine and arctangent against those of long doubles. */
#include "geom/angle.h"

#include "test.h"

#include <float.h>
#include <math.h>

/* What is promised. Where long doubles are no longer than doubles, they are off themselves. */
static const double most = LDBL_MANT_DIG > DBL_MANT_DIG ? 0x1p-52 : 0x1p-51;

static void check(double got, long double expected, const char *what, double x, double y)
{
    CHECK((double)fabsl((long double)got - expected) <= most * (double)fabsl(expected),
          "%s %a %a: %a, not %a", what, x, y, got, (double)expected);
}

/* Also small ones, and those next to where a sine or cosine is 0. */
static double random_angle(void)
{
    const double right = 1.5707963267948966;
    switch (test_below(3)) {
    case 0: return test_uniform(-4.0, 4.0);
    case 1: return ldexp(test_uniform(-1.0, 1.0), -test_below(60));
    default: return (test_below(5) - 2) * right * (1.0 + (test_below(9) - 4) * 0x1p-52);
    }
}

TEST(sines_and_cosines_are_right)
{
    for (int i = 0; i < test_rounds(300000); i++) {
        const double x = random_angle();
        check(sc_sin(x), sinl(x), "sine of", x, 0.0);
        check(sc_cos(x), cosl(x), "cosine of", x, 0.0);
    }
}

TEST(arctangents_are_right)
{
    for (int i = 0; i < test_rounds(300000); i++) {
        const double y = ldexp(test_uniform(-1.0, 1.0), test_below(5) == 0 ? -400 : 0);
        const double x = test_below(3) == 0 ? y * (test_below(33) - 16) / 16.0
                                            : ldexp(test_uniform(-1.0, 1.0), test_below(120) - 60);
        check(sc_atan2(y, x), atan2l(y, x), "angle of", y, x);
    }
}

TEST(angles_of_axes_have_their_signs)
{
    static const double number[] = {0.0, -0.0, 1.0, -1.0, 0x1p-1074, -0x1p-1074, 0x1p900, -0x1p900};
    enum { NUMBERS = sizeof number / sizeof number[0] };
    for (int i = 0; i < NUMBERS * NUMBERS; i++) {
        const double y = number[i / NUMBERS], x = number[i % NUMBERS];
        const double got = sc_atan2(y, x), expected = atan2(y, x);
        check(got, expected, "angle of", y, x);
        CHECK(!signbit(got) == !signbit(expected), "sign of the angle of %a %a", y, x);
    }
    CHECK(sc_sin(0.0) == 0.0 && sc_cos(0.0) == 1.0, "%a %a", sc_sin(0.0), sc_cos(0.0));
    CHECK(isnan(sc_atan2(NAN, 1.0)) && isnan(sc_atan2(1.0, NAN)), "of what is no number");
    CHECK(isnan(sc_atan2(INFINITY, 1.0)) && isnan(sc_atan2(0.0, -INFINITY)), "of what has no end");
}

/* For any compiler and processor. */
TEST(angles_have_the_same_bits_everywhere)
{
    double sum[3] = {0.0, 0.0, 0.0};
    for (int i = 1; i <= 1000; i++) {
        const double x = 0.003 * i;
        sum[0] += sc_sin(x) * i;
        sum[1] += sc_cos(x) * i;
        sum[2] += sc_atan2(x, 1.0 - 0.001 * i) * i;
    }
    CHECK(sum[0] == 0x1.51a4f4bce0e78p+18, "%a", sum[0]);
    CHECK(sum[1] == -0x1.54f2bc6cf0126p+17, "%a", sum[1]);
    CHECK(sum[2] == 0x1.4539268c7e5b2p+19, "%a", sum[2]);
}
