/* test_integer.c - whole numbers against those of GMP. */
#include "geom/integer.h"

#include "test.h"

#include <gmp.h>
#include <math.h>

static void to_mpz(mpz_t out, const sc_integer *x)
{
    mpz_import(out, (size_t)x->count, -1, sizeof x->word[0], 0, 0, x->word);
    if (x->sign < 0) {
        mpz_neg(out, out);
    }
}

static void random_integer(sc_integer *out, int words)
{
    out->count = test_below(words + 1);
    out->sign = test_below(2) ? 1 : -1;
    for (int i = 0; i < out->count; i++) {
        int kind = test_below(4); /* many carries */
        out->word[i] = kind == 0 ? 0 : kind == 1 ? UINT64_MAX : test_random();
    }
    while (out->count > 0 && out->word[out->count - 1] == 0) {
        out->count--;
    }
    out->sign = out->count == 0 ? 0 : out->sign;
}

static void check_number(const sc_integer *got, const mpz_t expected, const char *what, int round)
{
    mpz_t number;
    mpz_init(number);
    to_mpz(number, got);
    CHECK(mpz_cmp(number, expected) == 0, "%s %d", what, round);
    CHECK(got->sign == mpz_sgn(expected), "sign of %s %d", what, round);
    mpz_clear(number);
}

TEST(integers_are_those_of_gmp)
{
    mpz_t x, y, expected;
    mpz_inits(x, y, expected, NULL);
    for (int i = 0; i < test_rounds(20000); i++) {
        sc_integer a, b, out;
        random_integer(&a, SC_INTEGER_WORDS / 2);
        random_integer(&b, SC_INTEGER_WORDS / 2);
        to_mpz(x, &a);
        to_mpz(y, &b);
        int order = mpz_cmp(x, y);
        CHECK(sc_integer_compare(&a, &b) == (order > 0) - (order < 0), "order %d", i);
        sc_integer_multiply(&out, &a, &b);
        mpz_mul(expected, x, y);
        check_number(&out, expected, "product", i);
        bool add = test_below(2);
        (add ? sc_integer_add : sc_integer_subtract)(&out, &a, &b);
        (add ? mpz_add : mpz_sub)(expected, x, y);
        check_number(&out, expected, "sum", i);
        (add ? sc_integer_add : sc_integer_subtract)(&a, &a, &b);
        check_number(&a, expected, "sum in place", i);
        double value = sc_integer_value(&out, 0), right = mpz_get_d(expected);
        CHECK(isinf(value) || fabs(value - right) <= 0x1p-51 * fabs(right), "value %d: %a, %a", i,
              value, right);
    }
    mpz_clears(x, y, expected, NULL);
}

TEST(integers_hold_doubles)
{
    for (int i = 0; i < test_rounds(20000); i++) {
        double x[3];
        sc_integer n[3], product;
        for (int k = 0; k < 3; k++) {
            x[k] = ldexp(test_uniform(-1, 1), test_below(270) - 149);
            x[k] = test_below(4) == 0 ? (double)(float)x[k] : x[k];
            x[k] = test_below(8) == 0 ? 0.0 : x[k];
        }
        int unit = sc_integer_lowest_bit(x, 3);
        for (int k = 0; k < 3; k++) {
            sc_integer_from(&n[k], x[k], unit);
            CHECK(sc_integer_value(&n[k], unit) == x[k], "%a", x[k]);
        }
        if (x[1] != 0.0) {
            sc_integer_multiply(&product, &n[0], &n[1]);
            double ratio = sc_integer_ratio(&product, &n[1]), right = ldexp(x[0], -unit);
            CHECK(fabs(ratio - right) <= 0x1p-50 * fabs(right), "%a * %a / it is %a", x[0], x[1],
                  ratio);
        }
    }
}

/* det of rows of small numbers, and the order of ratios of such. */
TEST(determinants_and_ratios_are_those_of_whole_numbers)
{
    for (int i = 0; i < test_rounds(20000); i++) {
        long m[3][3], over[2], under[2];
        sc_integer rows[3][3], out, exact[2][2];
        for (int k = 0; k < 9; k++) {
            m[k / 3][k % 3] = test_below(19) - 9;
            sc_integer_from(&rows[k / 3][k % 3], (double)m[k / 3][k % 3], 0);
        }
        sc_integer_determinant(&out, rows[0], rows[1], rows[2]);
        long right = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) +
                     m[0][1] * (m[1][2] * m[2][0] - m[1][0] * m[2][2]) +
                     m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
        CHECK(sc_integer_value(&out, 0) == (double)right, "determinant %d: %ld", i, right);
        for (int k = 0; k < 2; k++) {
            over[k] = test_below(9) - 4;
            under[k] = test_below(4) + 1;
            sc_integer_from(&exact[k][0], (double)over[k], 0);
            sc_integer_from(&exact[k][1], (double)under[k], 0);
        }
        long order = over[0] * under[1] - over[1] * under[0];
        CHECK(sc_integer_compare_ratios(&exact[0][0], &exact[0][1], &exact[1][0], &exact[1][1]) ==
                  (order > 0) - (order < 0),
              "order of %ld / %ld and %ld / %ld", over[0], under[0], over[1], under[1]);
    }
}
