/* decimal.c - see decimal.h.
 *
 * A double is computed first; its error is a few units in the last place. A float
 * has 29 bits less, so rounding the double is right unless it lies within that
 * error of the midpoint of two floats. Then (once in 10^7 numbers, and for ties)
 * the digits are compared with the midpoint in integers. */
#include "decimal.h"

#include "base/real.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* Digits that a uint64_t always holds, and digits that tell any decimal from any
 * midpoint: those of m 2^-150 with m < 2^25 have at most 113. */
enum { SHORT_DIGITS = 19, LONG_DIGITS = 120 };

/* Far above what the digits of a file can make up for, far below overflow. */
#define EXPONENT_LIMIT ((int64_t)1 << 60)

static inline bool is_digit(unsigned char c)
{
    return c >= '0' && c <= '9';
}

/* ---- the double, and whether it settles the float --------------------------- */

/* digits * 10^exponent, for results in 1e-70..1e60 (exponent in -90..60). Relative
 * error below 2^-50: one rounding of digits and at most five steps. */
static double scale(uint64_t digits, int exponent)
{
    static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}; /* all exact */
    double value = (double)digits;
    for (; exponent > 22; exponent -= 22) {
        value *= 1e22;
    }
    for (; exponent < -22; exponent += 22) {
        value /= 1e22;
    }
    return exponent < 0 ? value / power[-exponent] : value * power[exponent];
}

/* True if all reals within 16 units in the last place of `value` round to the same
 * float, a normal one. */
static bool settled(double value)
{
    uint64_t low = sc_bits_of(value) & 0x1FFFFFFF, midpoint = 0x10000000;
    return (low > midpoint + 16 || low < midpoint - 16) && value > 2.0 * FLT_MIN &&
           value < 0.5 * FLT_MAX;
}

/* ---- exact comparison with a midpoint --------------------------------------- */

/* Natural numbers below 2^1024; the largest here needs about 700 bits. */
typedef struct natural {
    uint32_t limb[32]; /* lowest first, none behind `count` is set */
    int count;
} natural;

static void multiply_add(natural *n, uint32_t factor, uint32_t addend)
{
    uint64_t carry = addend;
    for (int i = 0; i < n->count; i++) {
        carry += (uint64_t)n->limb[i] * factor;
        n->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry != 0) {
        assert(n->count < 32);
        n->limb[n->count++] = (uint32_t)carry;
    }
}

static void multiply_power(natural *n, uint32_t base, int64_t exponent)
{
    for (; exponent > 0; exponent--) {
        multiply_add(n, base, 0);
    }
}

static int compare(const natural *a, const natural *b)
{
    if (a->count != b->count) {
        return a->count < b->count ? -1 : 1;
    }
    for (int i = a->count - 1; i >= 0; i--) {
        if (a->limb[i] != b->limb[i]) {
            return a->limb[i] < b->limb[i] ? -1 : 1;
        }
    }
    return 0;
}

/* digits * 10^exponent rounded to float, given a double near it. */
static float round_exactly(const natural *digits, int64_t exponent, double near)
{
    /* With unit = 2^quantum the floats around `near` are low and low + 1. If the
     * error of `near` puts low one too high or low, then the number is next to an
     * integer, and both choices round it to that integer. */
    int binade;
    frexp(near, &binade);
    int quantum = binade - 24 > -149 ? binade - 24 : -149;
    uint32_t low = (uint32_t)ldexp(near, -quantum);

    /* digits 5^e 2^e  against  (2 low + 1) 2^(quantum - 1) */
    natural left = *digits, right = {{2 * low + 1}, 1};
    int64_t shift = exponent - (quantum - 1);
    multiply_power(&left, 5, exponent);
    multiply_power(&right, 5, -exponent);
    multiply_power(&left, 2, shift);
    multiply_power(&right, 2, -shift);

    int order = compare(&left, &right);
    bool up = order > 0 || (order == 0 && low % 2 == 1);
    return ldexpf((float)(low + up), quantum);
}

/* The digits in [at, end), with or without a point, times 10^exponent; the last
 * digit counts 1. */
static float round_digits(const unsigned char *at, const unsigned char *end, int64_t exponent)
{
    natural digits = {{0}, 0};
    uint64_t leading = 0; /* the first SHORT_DIGITS of them */
    int used = 0, leading_used = 0;
    bool more = false; /* a digit that was dropped is not 0 */

    for (; at < end; at++) {
        unsigned digit = (unsigned)*at - '0';
        if (*at == '.' || (used == 0 && digit == 0)) {
            continue;
        }
        if (used == LONG_DIGITS) {
            more = more || digit != 0;
            exponent++;
            continue;
        }
        multiply_add(&digits, 10, digit);
        used++;
        if (leading_used < SHORT_DIGITS) {
            leading = 10 * leading + digit;
            leading_used++;
        }
    }
    int64_t magnitude = used + exponent; /* the number is below 10^magnitude */
    if (used == 0 || magnitude < -46) {
        return 0.0F; /* 2^-150, half the smallest float, is 7e-46 */
    }
    if (magnitude > 39) {
        return INFINITY;
    }
    double near = scale(leading, (int)(exponent + used - leading_used));
    if (settled(near)) {
        return (float)near;
    }
    if (more) {
        multiply_add(&digits, 10, 1);
        exponent--;
    }
    return round_exactly(&digits, exponent, near);
}

/* ---- text ------------------------------------------------------------------- */

/* Behind the e of a number. NULL if there are no digits. */
static const unsigned char *read_exponent(const unsigned char *at, const unsigned char *end,
                                          int64_t *exponent)
{
    int64_t power = 0;
    bool below = false;

    if (at < end && (*at == '-' || *at == '+')) {
        below = *at++ == '-';
    }
    if (at == end || !is_digit(*at)) {
        return NULL;
    }
    for (; at < end && is_digit(*at); at++) {
        if (power < EXPONENT_LIMIT / 10) {
            power = 10 * power + (*at - '0');
        }
    }
    *exponent = below ? -power : power;
    return at;
}

/* Digits, behind those that were read before; returns where they end. */
static inline const unsigned char *read_digits(const unsigned char *at, const unsigned char *end,
                                               uint64_t *digits)
{
    while (at < end && is_digit(*at)) {
        *digits = 10 * *digits + (uint64_t)(*at++ - '0');
    }
    return at;
}

const unsigned char *sc_decimal_read(const unsigned char *at, const unsigned char *end,
                                     float *value)
{
    bool negative = false;
    if (at < end && (*at == '-' || *at == '+')) {
        negative = *at++ == '-';
    }

    const unsigned char *first = at;
    uint64_t digits = 0; /* wraps around for long numbers, which do not use it */
    at = read_digits(at, end, &digits);
    int64_t count = at - first, exponent = 0;
    if (at < end && *at == '.') {
        const unsigned char *fraction = ++at;
        at = read_digits(at, end, &digits);
        exponent = fraction - at;
        count -= exponent;
    }
    const unsigned char *last = at;
    if (count == 0) {
        return NULL;
    }

    if (at < end && (*at | 0x20) == 'e') {
        int64_t power;
        at = read_exponent(at + 1, end, &power);
        if (!at) {
            return NULL;
        }
        exponent += power;
    }

    float magnitude;
    if (count <= SHORT_DIGITS && digits == 0) {
        magnitude = 0.0F;
    } else {
        bool plain = count <= SHORT_DIGITS && exponent >= -60 && exponent <= 40;
        double near = plain ? scale(digits, (int)exponent) : 0.0;
        magnitude = settled(near) ? (float)near : round_digits(first, last, exponent);
    }
    *value = negative ? -magnitude : magnitude;
    return at;
}
