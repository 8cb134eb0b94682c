/* integer.c - see integer.h. Schoolbook arithmetic: numbers are short. */
#include "integer.h"

#include <string.h>

int sc_integer_unit(const double *x, int count)
{
    int unit = 0;
    int any = 0;
    for (int i = 0; i < count; i++) {
        if (x[i] == 0.0) {
            continue;
        }
        int exponent;
        double fraction = frexp(x[i], &exponent);
        uint64_t mantissa = (uint64_t)fabs(ldexp(fraction, 53));
        int low = exponent - 53 + __builtin_ctzll(mantissa);
        unit = !any || low < unit ? low : unit;
        any = 1;
    }
    return unit;
}

static void trim(sc_integer *x)
{
    while (x->count > 0 && x->limb[x->count - 1] == 0) {
        x->count--;
    }
    x->sign = x->count == 0 ? 0 : x->sign;
}

void sc_integer_set(sc_integer *out, double x, int unit)
{
    out->sign = x > 0.0 ? 1 : -1;
    out->count = 0;
    if (x == 0.0) {
        out->sign = 0;
        return;
    }
    int exponent;
    double fraction = frexp(fabs(x), &exponent);
    uint64_t mantissa = (uint64_t)ldexp(fraction, 53);
    int shift = exponent - 53 - unit;
    if (shift < 0) { /* the bits that go are 0, for x is a multiple of the unit */
        mantissa >>= -shift;
        shift = 0;
    }
    int limbs = shift / 64, bits = shift % 64;
    for (int i = 0; i < limbs; i++) {
        out->limb[i] = 0;
    }
    out->limb[limbs] = mantissa << bits;
    out->limb[limbs + 1] = bits > 0 ? mantissa >> (64 - bits) : 0;
    out->count = limbs + 2;
    trim(out);
}

static int compare_magnitudes(const sc_integer *x, const sc_integer *y)
{
    if (x->count != y->count) {
        return x->count < y->count ? -1 : 1;
    }
    for (int i = x->count - 1; i >= 0; i--) {
        if (x->limb[i] != y->limb[i]) {
            return x->limb[i] < y->limb[i] ? -1 : 1;
        }
    }
    return 0;
}

/* |x| + |y| */
static void add_magnitudes(sc_integer *out, const sc_integer *x, const sc_integer *y)
{
    int count = x->count > y->count ? x->count : y->count;
    unsigned carry = 0;
    for (int i = 0; i < count; i++) {
        uint64_t a = i < x->count ? x->limb[i] : 0, b = i < y->count ? y->limb[i] : 0;
        uint64_t sum = a + b, whole = sum + carry;
        carry = (unsigned)(sum < a) + (unsigned)(whole < sum);
        out->limb[i] = whole;
    }
    out->count = count;
    if (carry) {
        out->limb[out->count++] = 1;
    }
}

/* |x| - |y|, of which the first is no less. */
static void subtract_magnitudes(sc_integer *out, const sc_integer *x, const sc_integer *y)
{
    unsigned borrow = 0;
    for (int i = 0; i < x->count; i++) {
        uint64_t a = x->limb[i], b = i < y->count ? y->limb[i] : 0;
        uint64_t difference = a - b, whole = difference - borrow;
        borrow = (unsigned)(a < b) + (unsigned)(difference < borrow);
        out->limb[i] = whole;
    }
    out->count = x->count;
}

void sc_integer_add(sc_integer *out, const sc_integer *x, const sc_integer *y, int sign)
{
    int sx = x->sign, sy = sign * y->sign;
    if (sx * sy >= 0) {
        add_magnitudes(out, x, y);
        out->sign = sx != 0 ? sx : sy;
    } else if (compare_magnitudes(x, y) >= 0) {
        subtract_magnitudes(out, x, y);
        out->sign = sx;
    } else {
        subtract_magnitudes(out, y, x);
        out->sign = sy;
    }
    trim(out);
}

void sc_integer_multiply(sc_integer *out, const sc_integer *x, const sc_integer *y)
{
    sc_integer product;
    product.count = x->count + y->count;
    product.sign = x->sign * y->sign;
    memset(product.limb, 0, (size_t)product.count * sizeof product.limb[0]);
    for (int i = 0; i < x->count; i++) {
        uint64_t carry = 0;
        for (int j = 0; j < y->count; j++) {
            __extension__ unsigned __int128 sum =
                (unsigned __int128)x->limb[i] * y->limb[j] + product.limb[i + j] + carry;
            product.limb[i + j] = (uint64_t)sum;
            carry = (uint64_t)(sum >> 64);
        }
        product.limb[i + y->count] = carry;
    }
    trim(&product);
    out->sign = product.sign;
    out->count = product.count;
    memcpy(out->limb, product.limb, (size_t)product.count * sizeof product.limb[0]);
}

void sc_integer_determinant(sc_integer *out, const sc_integer u[3], const sc_integer v[3],
                            const sc_integer w[3])
{
    sc_integer sum = {.count = 0};
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        sc_integer left, right;
        sc_integer_multiply(&left, &v[i], &w[j]);
        sc_integer_multiply(&right, &v[j], &w[i]);
        sc_integer_add(&left, &left, &right, -1);
        sc_integer_multiply(&left, &left, &u[k]);
        sc_integer_add(&sum, &sum, &left, 1);
    }
    out->sign = sum.sign;
    out->count = sum.count;
    memcpy(out->limb, sum.limb, (size_t)sum.count * sizeof sum.limb[0]);
}

double sc_integer_value(const sc_integer *x, int exponent)
{
    double sum = 0.0;
    int least = x->count > 3 ? x->count - 3 : 0; /* three limbs have 129 bits at least */
    for (int i = least; i < x->count; i++) {
        sum += ldexp((double)x->limb[i], 64 * i + exponent);
    }
    return x->sign * sum;
}
