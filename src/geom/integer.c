/* integer.c - see integer.h. Words from the lowest up, as by hand. */
#include "integer.h"

#include <limits.h>
#include <string.h>

__extension__ typedef unsigned __int128 double_word;

/* |x| = magnitude * 2^exponent with an odd magnitude; x is finite, and not 0. */
static uint64_t split(double x, int *exponent)
{
    enum { FRACTION = 52, EXPONENTS = 0x7FF, LEAST_EXPONENT = -1074 };
    const uint64_t bits = sc_bits_of(x);
    const int scale = (int)(bits >> FRACTION & EXPONENTS); /* 0: as 1, but below 2^52 */
    const uint64_t one = UINT64_C(1) << FRACTION;
    const uint64_t magnitude = (bits & (one - 1)) | (scale > 0 ? one : 0);
    const int zeros = __builtin_ctzll(magnitude);
    *exponent = LEAST_EXPONENT + (scale > 0 ? scale - 1 : 0) + zeros;
    return magnitude >> zeros;
}

int sc_integer_lowest_bit(const double *x, int count)
{
    int lowest = INT_MAX, exponent;
    for (int i = 0; i < count; i++) {
        if (x[i] != 0.0) {
            split(x[i], &exponent);
            lowest = exponent < lowest ? exponent : lowest;
        }
    }
    return lowest == INT_MAX ? 0 : lowest;
}

void sc_integer_from(sc_integer *out, double x, int exponent)
{
    int own;

    out->sign = out->count = 0;
    if (x == 0.0) {
        return;
    }
    const uint64_t magnitude = split(x, &own);
    int shift = own - exponent, word = shift / 64, bit = shift % 64;
    out->sign = x < 0.0 ? -1 : 1;
    memset(out->word, 0, (size_t)word * sizeof out->word[0]);
    out->word[word] = magnitude << bit;
    out->word[word + 1] = bit > 0 ? magnitude >> (64 - bit) : 0;
    out->count = out->word[word + 1] != 0 ? word + 2 : word + 1;
}

static int compare_magnitudes(const sc_integer *a, const sc_integer *b)
{
    if (a->count != b->count) {
        return a->count < b->count ? -1 : 1;
    }
    for (int i = a->count - 1; i >= 0; i--) {
        if (a->word[i] != b->word[i]) {
            return a->word[i] < b->word[i] ? -1 : 1;
        }
    }
    return 0;
}

/* |a| + |b|, the longer one first. */
static void add_magnitudes(sc_integer *out, const sc_integer *a, const sc_integer *b)
{
    uint64_t carry = 0;
    int count = a->count;

    for (int i = 0; i < count; i++) {
        double_word sum = (double_word)a->word[i] + (i < b->count ? b->word[i] : 0) + carry;
        out->word[i] = (uint64_t)sum;
        carry = (uint64_t)(sum >> 64);
    }
    if (carry != 0) {
        out->word[count++] = carry;
    }
    out->count = count;
}

/* |a| - |b|, the larger one first. */
static void subtract_magnitudes(sc_integer *out, const sc_integer *a, const sc_integer *b)
{
    uint64_t borrow = 0;
    int count = a->count;

    for (int i = 0; i < count; i++) {
        double_word less = (double_word)(i < b->count ? b->word[i] : 0) + borrow;
        uint64_t from = a->word[i];
        out->word[i] = from - (uint64_t)less;
        borrow = less > from;
    }
    while (count > 0 && out->word[count - 1] == 0) {
        count--;
    }
    out->count = count;
}

/* a + sign * b */
static void combine(sc_integer *out, const sc_integer *a, const sc_integer *b, int sign)
{
    int sign_b = sign * b->sign;

    if (sign_b == 0 || a->sign == 0) {
        int sum = sign_b == 0 ? a->sign : sign_b;
        const sc_integer *from = sign_b == 0 ? a : b;
        if (from != out) {
            memcpy(out->word, from->word, (size_t)from->count * sizeof from->word[0]);
            out->count = from->count;
        }
        out->sign = sum;
        return;
    }
    int order = compare_magnitudes(a, b), larger = order >= 0 ? a->sign : sign_b;
    const sc_integer *more = order >= 0 ? a : b, *less = order >= 0 ? b : a;
    if (a->sign == sign_b) {
        add_magnitudes(out, more, less);
    } else {
        subtract_magnitudes(out, more, less);
    }
    out->sign = out->count > 0 ? larger : 0;
}

void sc_integer_add(sc_integer *out, const sc_integer *a, const sc_integer *b)
{
    combine(out, a, b, 1);
}

void sc_integer_subtract(sc_integer *out, const sc_integer *a, const sc_integer *b)
{
    combine(out, a, b, -1);
}

void sc_integer_multiply(sc_integer *out, const sc_integer *a, const sc_integer *b)
{
    out->sign = a->sign * b->sign;
    out->count = 0;
    if (out->sign == 0) {
        return;
    }
    int count = a->count + b->count;
    memset(out->word, 0, (size_t)count * sizeof out->word[0]);
    for (int i = 0; i < a->count; i++) {
        uint64_t carry = 0;
        for (int j = 0; j < b->count; j++) {
            double_word sum = (double_word)a->word[i] * b->word[j] + out->word[i + j] + carry;
            out->word[i + j] = (uint64_t)sum;
            carry = (uint64_t)(sum >> 64);
        }
        out->word[i + b->count] = carry;
    }
    out->count = out->word[count - 1] != 0 ? count : count - 1;
}

int sc_integer_compare(const sc_integer *a, const sc_integer *b)
{
    if (a->sign != b->sign) {
        return a->sign < b->sign ? -1 : 1;
    }
    return a->sign * compare_magnitudes(a, b);
}

int sc_integer_compare_ratios(const sc_integer *over_a, const sc_integer *under_a,
                              const sc_integer *over_b, const sc_integer *under_b)
{
    sc_integer left, right;
    sc_integer_multiply(&left, over_a, under_b);
    sc_integer_multiply(&right, over_b, under_a);
    return sc_integer_compare(&left, &right);
}

/* The top 128 bits as a double, and the exponent of what it stands for. */
static double leading(const sc_integer *a, int *exponent)
{
    double x = 0.0;
    int words = a->count < 3 ? a->count : 3;

    for (int i = 0; i < words; i++) { /* from the lowest: each sum rounds less than the next */
        x += ldexp((double)a->word[a->count - words + i], 64 * i);
    }
    *exponent = 64 * (a->count - words);
    return a->sign * x;
}

double sc_integer_ratio(const sc_integer *a, const sc_integer *b)
{
    int up, down;
    if (a->sign == 0) {
        return 0.0;
    }
    double x = leading(a, &up), y = leading(b, &down);
    return ldexp(x / y, up - down);
}

double sc_integer_value(const sc_integer *a, int exponent)
{
    int own;
    double x = leading(a, &own);
    return ldexp(x, own + exponent);
}

/* ---- vectors -------------------------------------------------------------- */

void sc_integer_difference(sc_integer out[3], const sc_integer a[3], const sc_integer b[3])
{
    for (int k = 0; k < 3; k++) {
        sc_integer_subtract(&out[k], &a[k], &b[k]);
    }
}

void sc_integer_cross(sc_integer *out, const sc_integer a[3], const sc_integer b[3], int axis)
{
    int i = (axis + 1) % 3, j = (axis + 2) % 3;
    sc_integer left, right;
    sc_integer_multiply(&left, &a[i], &b[j]);
    sc_integer_multiply(&right, &a[j], &b[i]);
    sc_integer_subtract(out, &left, &right);
}

void sc_integer_dot(sc_integer *out, const sc_integer a[3], const sc_integer b[3])
{
    sc_integer product;
    sc_integer_multiply(out, &a[0], &b[0]);
    for (int k = 1; k < 3; k++) {
        sc_integer_multiply(&product, &a[k], &b[k]);
        sc_integer_add(out, out, &product);
    }
}

void sc_integer_determinant(sc_integer *out, const sc_integer u[3], const sc_integer v[3],
                            const sc_integer w[3])
{
    sc_integer normal[3];
    for (int k = 0; k < 3; k++) {
        sc_integer_cross(&normal[k], v, w, k);
    }
    sc_integer_dot(out, u, normal);
}
