/* test_real.c - functions of doubles, against those of the mathematical library. */
#include "base/real.h"
#include "test.h"

#include <float.h>

static bool is_same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* Bits at random, but no signalling NaN; whole numbers, halves and what is next to them; the ends
 * of all there are. */
static double some_double(void)
{
    static const double special[] = {0.0,     -0.0,      NAN,        INFINITY, -INFINITY, DBL_MAX,
                                     DBL_MIN, 0x1p-1074, -0x1p-1074, -DBL_MAX, -DBL_MIN,  0x1p52,
                                     0x1p53,  -0x1p52,   0x1p63,     -0x1p63,  1.0,       -1.0,
                                     0.5,     -0.5,      1.5,        2.5,      -1.5,      -2.5};
    const double whole = ldexp(floor(test_uniform(-1.0, 1.0) * 0x1p60), -test_below(62));
    switch (test_below(5)) {
    case 0: return special[test_below(sizeof special / sizeof special[0])];
    case 1: return sc_of_bits(test_random()) + 0.0;
    case 2: return floor(whole) + 0.5;
    case 3: return nextafter(floor(whole) + 0.5, test_below(2) ? INFINITY : -INFINITY);
    default: return floor(whole);
    }
}

TEST(functions_of_doubles_are_those_of_the_library)
{
    for (int i = 0; i < test_rounds(2000000); i++) {
        const double x = some_double(), y = some_double();
        CHECK(is_same(sc_fmax(x, y), fmax(x, y)), "fmax of %a and %a: %a", x, y, sc_fmax(x, y));
        CHECK(is_same(sc_fmin(x, y), fmin(x, y)), "fmin of %a and %a: %a", x, y, sc_fmin(x, y));
        CHECK(is_same(sc_floor(x), floor(x)), "floor of %a: %a", x, sc_floor(x));
        CHECK(is_same(sc_ceil(x), ceil(x)), "ceil of %a: %a", x, sc_ceil(x));
        CHECK(is_same(sc_round(x), nearbyint(x)), "%a rounded: %a", x, sc_round(x));
        CHECK(is_same(sc_next_above(x), nextafter(x, INFINITY)), "above %a: %a", x,
              sc_next_above(x));
        CHECK(is_same(sc_next_below(x), nextafter(x, -INFINITY)), "below %a: %a", x,
              sc_next_below(x));
        if (x >= DBL_MIN && x <= DBL_MAX) {
            CHECK_INT(sc_binary_exponent(x), ilogb(x));
            const int exponent = sc_binary_exponent(x);
            CHECK(sc_power_of_two(exponent) == ldexp(1.0, exponent), "2^%d", exponent);
        }
    }
}

/* What is printed of them has no sign then. */
TEST(zeros_that_were_rounded_to_have_no_sign)
{
    static const double numbers[] = {0.0, -0.0, 0.25, -0.25, 0.5, -0.5};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        const double x = numbers[i], rounded[] = {sc_floor(x), sc_ceil(x), sc_round(x)};
        for (int k = 0; k < 3; k++) {
            CHECK(rounded[k] != 0.0 || !signbit(rounded[k]), "-0 of %g, function %d", x, k);
        }
    }
}
