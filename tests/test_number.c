/* test_number.c - doubles as text, against what the C library prints and reads. */
#include "report/report_number.h"
#include "test.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A double as reports may hold it: any, a float, a short decimal, next to a power of ten or of
 * two, or a quotient. */
static double some_number(int kind)
{
    int power = test_below(24) - 7;
    double v, up = test_below(2) ? INFINITY : -INFINITY;
    switch (kind) {
    case 0: {
        uint64_t bits = test_random();
        memcpy(&v, &bits, sizeof v);
        return isfinite(v) ? v : 0.0;
    }
    case 1: return (double)(float)(test_uniform(-1, 1) * pow(10, power));
    case 2: return (double)test_below(1000000000) / pow(10, test_below(14));
    case 3: v = pow(10, power); return test_below(3) ? nextafter(v, up) : v;
    case 4:
        v = ldexp(1 + ldexp(test_below(8), -test_below(53)), test_below(80) - 20);
        return test_below(3) ? nextafter(v, up) : v;
    default: return test_uniform(-1, 1) * pow(10, power);
    }
}

/* A point, and no digits after it that could be left out. */
static bool is_tidy(const char *text)
{
    size_t length = strlen(text);
    return text[0] != '.' && text[length - 1] != '.' && strcmp(text, "-0") != 0 &&
           (strchr(text, 'e') || !strchr(text, '.') || text[length - 1] != '0');
}

TEST(shortest_numbers_read_back)
{
    for (int i = 0; i < test_rounds(300000); i++) {
        char text[NUMBER_SIZE], other[64];
        double value = some_number(i % 6);
        number_shortest(text, value);
        CHECK(strtod(text, NULL) == value, "%a is %s", value, text);
        CHECK(is_tidy(text), "%a is %s", value, text);
        int digits = 0;
        for (const char *c = text; *c && *c != 'e'; c++) {
            digits += *c >= '0' && *c <= '9' && (digits > 0 || *c != '0');
        }
        if (fabs(value) >= 1e15 || digits <= 1) {
            continue; /* integers may have zeros at the end */
        }
        /* With a digit less it does not read back; with as many it is the nearest. */
        snprintf(other, sizeof other, "%.*e", digits - 2, value);
        CHECK(value == floor(value) || strtod(other, NULL) != value, "%a is %s, not %s", value,
              text, other);
        int exponent;
        snprintf(other, sizeof other, "%.*e", digits - 1, value);
        CHECK(fabs(frexp(value, &exponent)) == 0.5 || strtold(other, NULL) == strtold(text, NULL),
              "%a is %s, not %s", value, text, other);
    }
}

TEST(numbers_are_written_plainly)
{
    static const struct {
        double value;
        const char *text;
    } row[] = {
        {0.0, "0"},
        {-0.0, "0"},
        {1.0, "1"},
        {-12.0, "-12"},
        {100.0, "100"},
        {0.1, "0.1"},
        {-0.1, "-0.1"},
        {0.5, "0.5"},
        {0.3, "0.3"},
        {0.1 + 0.2, "0.30000000000000004"},
        {1.5, "1.5"},
        {10.25, "10.25"},
        {0.0001, "0.0001"},
        {0.00012, "0.00012"},
        {0.00001, "1e-05"},
        {123456789012345.0, "123456789012345"},
        {99999999999999.98, "99999999999999.98"},
        {0x1.fffffffffffffp-1, "0.9999999999999999"},
        {0x1p-10, "0.0009765625"},
        {1e15, "1e+15"},
        {1e300, "1e+300"},
        {DBL_MAX, "1.7976931348623157e+308"},
        {DBL_MIN, "2.2250738585072014e-308"},
        {0x1p-1074, "5e-324"},
        {9007199254740993.0, "9007199254740992"},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        char text[NUMBER_SIZE];
        CHECK_STRING(number_shortest(text, row[i].value), row[i].text);
    }
}
