/* test_decimal.c - decimal.h against strtof of the C locale, bit for bit. */
#include "decimal.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads `text` from an allocation that ends with it. Returns the bytes consumed, 0
 * if it is no number. */
static size_t read_text(const char *text, size_t length, float *value)
{
    unsigned char *copy = malloc(length ? length : 1);
    memcpy(copy, text, length);
    const unsigned char *behind = sc_decimal_read(copy, copy + length, value);
    size_t used = behind ? (size_t)(behind - copy) : 0;
    free(copy);
    return used;
}

static void check_same(const char *text)
{
    float got = 0, expected = strtof(text, NULL);
    size_t used = read_text(text, strlen(text), &got);
    CHECK(used == strlen(text), "%s: %zu bytes used", text, used);
    CHECK(memcmp(&got, &expected, 4) == 0, "%s: %a, expected %a", text, (double)got,
          (double)expected);
}

static float random_float(void)
{
    for (;;) {
        uint32_t bits = (uint32_t)test_random();
        float value;
        memcpy(&value, &bits, 4);
        if (isfinite(value)) {
            return value;
        }
    }
}

TEST(syntax)
{
    static const struct {
        const char *text;
        size_t used;
    } cases[] = {
        {"", 0},      {"+", 0},     {"-", 0},   {".", 0},      {"-.", 0},      {"e5", 0},
        {".e5", 0},   {"1e", 0},    {"1e+", 0}, {"1e-x", 0},   {"+-1", 0},     {"--1", 0},
        {" 1", 0},    {"nan", 0},   {"inf", 0}, {"x", 0},      {"1", 1},       {"-1", 2},
        {"+1", 2},    {"1.", 2},    {".5", 2},  {"-.5", 3},    {"1,5", 1},     {"1.5.5", 3},
        {"1 2", 1},   {"0x10", 1},  {"1e5", 3}, {"1E+005", 6}, {"1.e-2", 5},   {".1e1x", 4},
        {"1e5e5", 3}, {"00012", 5}, {"1d5", 1}, {"1-2", 1},    {"1.#QNAN", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        float value;
        size_t used = read_text(cases[i].text, strlen(cases[i].text), &value);
        CHECK(used == cases[i].used, "\"%s\": %zu bytes used, expected %zu", cases[i].text, used,
              cases[i].used);
    }
}

TEST(values)
{
    static const char *const texts[] = {
        "0",
        "-0",
        "+0",
        "-0.0e5",
        "0e999999999999999999999",
        "1",
        "-1",
        "1e0",
        "1e+000",
        "1e-7",
        "0.1",
        "123456789",
        "16777216",
        "16777217",
        "16777218",
        "16777219",
        "16777219.0000000000000000000000001",
        "16777216.9999999999999999999999999999",
        "9007199254740993",
        "18446744073709551615",
        "18446744073709551616",
        "99999999999999999999",
        "1e22",
        "1e23",
        "1e38",
        "3.4028234e38",
        "3.4028235e38",
        "3.4028235677973366e38",
        "340282356779733661637539395458142568447",
        "340282356779733661637539395458142568448",
        "3.4028236e38",
        "1e39",
        "-1e39",
        "1e400",
        "1e99999999999999999999",
        "1e-45",
        "7e-46",
        "7.1e-46",
        "1e-46",
        "-1e-46",
        "7.006492321624085354618e-46",
        "7.006492321624085354619e-46",
        "1e-400",
        "1e-99999999999999999999",
        "1.17549435e-38",
        "1.1754942e-38",
        "1.1754943e-38",
        "1.17549428e-38",
        "0.000000000000000000000000000000000000000000000000000000001e57",
        "100000000000000000000000000000000000000000000000000000000000e-59",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        check_same(texts[i]);
    }
}

/* A number cut anywhere is the shorter number, or none; ASan watches the end. */
TEST(cut_anywhere)
{
    const char text[] = "-00123.456789012345678901234567890e-012";
    for (size_t length = 0; length < sizeof text; length++) {
        char shorter[sizeof text] = "";
        float got = 0;
        memcpy(shorter, text, length);
        size_t used = read_text(text, length, &got);
        if (used > 0) {
            CHECK(used == length || used == length + 1, "%s: %zu used", shorter, used);
            float expected = strtof(shorter, NULL);
            CHECK(got == expected, "%s: %a, expected %a", shorter, (double)got, (double)expected);
        }
    }
}

TEST(floats_printed)
{
    for (int i = 0; i < 100000; i++) {
        char text[64];
        static const char *const formats[] = {"%.9e", "%.6e", "%g", "%.8e", "%.17g", "%.30e"};
        snprintf(text, sizeof text, formats[i % 6], (double)random_float());
        check_same(text);
    }
}

TEST(doubles_printed)
{
    for (int i = 0; i < 100000; i++) {
        char text[64];
        double value = test_uniform(-10, 10) * pow(10, test_uniform(-48, 40));
        snprintf(text, sizeof text, i % 2 ? "%.17g" : "%.19e", value);
        check_same(text);
    }
}

TEST(coordinates_printed)
{
    for (int i = 0; i < 100000; i++) {
        char text[64];
        snprintf(text, sizeof text, "%.*f", test_below(12), test_uniform(-1000, 1000));
        check_same(text);
    }
}

/* Midpoints of neighbouring floats to their last digit, and a hair beside them. */
TEST(midpoints)
{
    for (int i = 0; i < 50000; i++) {
        float low = fabsf(random_float());
        if (i % 4 == 0) {
            low = ldexpf((float)test_below(1 << 24), -149); /* denormal, and the next binades */
        }
        float high = nextafterf(low, INFINITY);
        double middle = isinf(high) ? 0x1.ffffffp127 : ((double)low + (double)high) / 2;
        char text[400];
        int length = snprintf(text, 200, "%.112e", middle); /* exact: at most 113 digits */
        char *exponent = strchr(text, 'e'), tail[16];
        CHECK(length > 0 && exponent && strtod(text, NULL) == middle, "%s", text);
        check_same(text);

        snprintf(tail, sizeof tail, "%s", exponent);
        int zeros = test_below(150);
        memset(exponent, '0', (size_t)zeros);
        snprintf(exponent + zeros, 32, "1%s", tail);
        check_same(text);

        snprintf(exponent, 16, "%s", tail);
        for (char *digit = exponent - 1; digit > text; digit--) { /* subtract one unit */
            if (*digit == '.') {
                continue;
            }
            if (*digit > '0') {
                --*digit;
                break;
            }
            *digit = '9';
        }
        check_same(text);
    }
}

TEST(random_digits)
{
    for (int i = 0; i < 100000; i++) {
        char text[700];
        size_t used = 0;
        int digits = 1 + test_below(i % 10 ? 30 : 600), point = test_below(digits + 1);
        if (test_below(2)) {
            text[used++] = "+-"[test_below(2)];
        }
        bool zeros = test_below(4) == 0; /* long runs of them */
        for (int k = 0; k <= digits; k++) {
            if (k == point) {
                text[used++] = '.';
            } else {
                text[used++] = zeros && test_below(20) ? '0' : (char)('0' + test_below(10));
            }
        }
        if (test_below(4)) {
            used += (size_t)snprintf(text + used, 16, "e%d", test_below(100) - 55 - point / 2);
        }
        text[used] = '\0';
        check_same(text);
    }
}
