/* modular.c - see modular.h. */
#define _DEFAULT_SOURCE /* getentropy */
#include "modular.h"

#include "base/hash.h"
#include "base/real.h"

#include <stdbool.h>
#include <time.h>
#include <unistd.h>

__extension__ typedef unsigned __int128 wide;

static uint64_t multiply(uint64_t prime, uint64_t a, uint64_t b)
{
    return (uint64_t)((wide)a * b % prime);
}

static uint64_t power(uint64_t prime, uint64_t base, uint64_t exponent)
{
    uint64_t result = 1;
    for (; exponent != 0; exponent >>= 1) {
        if (exponent & 1) {
            result = multiply(prime, result, base);
        }
        base = multiply(prime, base, base);
    }
    return result;
}

/* Miller and Rabin; these bases leave no doubt below 2^64 (Sorenson, Webster 2015). */
static bool is_prime(uint64_t n)
{
    static const uint64_t bases[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
    uint64_t odd = n - 1;
    int twos = 0;

    for (; (odd & 1) == 0; odd >>= 1) {
        twos++;
    }
    for (int i = 0; i < 12; i++) {
        uint64_t x = power(n, bases[i], odd);
        bool passes = x == 1 || x == n - 1;
        for (int k = 1; k < twos && !passes; k++) {
            x = multiply(n, x, x);
            passes = x == n - 1;
        }
        if (!passes) {
            return false;
        }
    }
    return true;
}

/* a * b / 2^64 modulo the prime. */
static inline uint64_t reduce(const sc_field *f, uint64_t a, uint64_t b)
{
    wide product = (wide)a * b;
    uint64_t multiple = (uint64_t)product * f->negated_inverse;
    uint64_t sum = (uint64_t)((product + (wide)multiple * f->prime) >> 64);
    return sum >= f->prime ? sum - f->prime : sum;
}

static sc_field make_field(uint64_t prime)
{
    uint64_t inverse = prime; /* Newton: three bits are right, and twice as many each time */
    for (int i = 0; i < 5; i++) {
        inverse *= 2 - prime * inverse;
    }
    uint64_t word = (uint64_t)(((wide)1 << 64) % prime);
    sc_field f = {.prime = prime,
                  .negated_inverse = (uint64_t)0 - inverse,
                  .square = multiply(prime, word, word)};
    f.half = reduce(&f, (prime + 1) / 2, f.square);
    f.two = reduce(&f, 2, f.square);
    f.small[0] = reduce(&f, 1, f.square);
    for (int i = 1; i < 64; i++) {
        f.small[i] = reduce(&f, f.small[i - 1], f.two);
    }
    f.large[-SC_FIELD_FIRST] = f.square;
    for (int i = -SC_FIELD_FIRST; i > 0; i--) {
        f.large[i - 1] = reduce(&f, f.large[i], 1);
    }
    for (int i = 1 - SC_FIELD_FIRST; i < SC_FIELD_WORDS; i++) {
        f.large[i] = reduce(&f, f.large[i - 1], f.square);
    }
    return f;
}

sc_field sc_field_fixed(void)
{
    return make_field(((uint64_t)1 << 61) - 1);
}

sc_field sc_field_random(void)
{
    uint64_t bits;
    if (getentropy(&bits, sizeof bits) != 0) { /* no entropy device: time must do */
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        bits = (uint64_t)now.tv_nsec * 0x9E3779B97F4A7C15u ^ (uint64_t)now.tv_sec;
    }
    uint64_t candidate = ((uint64_t)1 << 60) | (bits >> 4) | 1;
    while (!is_prime(candidate)) {
        candidate += 2;
        if (candidate >> 61 != 0) {
            candidate = ((uint64_t)1 << 60) | 1;
        }
    }
    return make_field(candidate);
}

uint64_t sc_field_add(const sc_field *f, uint64_t a, uint64_t b)
{
    uint64_t sum = a + b;
    return sum >= f->prime ? sum - f->prime : sum;
}

uint64_t sc_field_subtract(const sc_field *f, uint64_t a, uint64_t b)
{
    return a >= b ? a - b : a + f->prime - b;
}

uint64_t sc_field_multiply(const sc_field *f, uint64_t a, uint64_t b)
{
    return reduce(f, a, b);
}

static uint64_t raise(const sc_field *f, uint64_t base, uint64_t exponent)
{
    uint64_t result = reduce(f, 1, f->square);
    for (; exponent != 0; exponent >>= 1) {
        if (exponent & 1) {
            result = reduce(f, result, base);
        }
        base = reduce(f, base, base);
    }
    return result;
}

uint64_t sc_field_inverse(const sc_field *f, uint64_t a)
{
    return raise(f, a, f->prime - 2);
}

/* All by the inverse of their product. */
void sc_field_invert(const sc_field *f, sc_invertible *first, size_t stride, size_t count)
{
    uint64_t product = f->small[0]; /* 1 */
    unsigned char *at = (unsigned char *)first;

    for (size_t i = 0; i < count; i++, at += stride) {
        sc_invertible *x = (sc_invertible *)(void *)at;
        x->room = product; /* of those before */
        product = x->number != 0 ? reduce(f, product, x->number) : product;
    }
    product = sc_field_inverse(f, product);
    for (size_t i = 0; i < count; i++) {
        at -= stride;
        sc_invertible *x = (sc_invertible *)(void *)at;
        const uint64_t inverse = reduce(f, product, x->room);
        product = x->number != 0 ? reduce(f, product, x->number) : product;
        x->number = x->number != 0 ? inverse : 0;
    }
}

uint64_t sc_field_integer(const sc_field *f, int64_t a)
{
    uint64_t magnitude = (a < 0 ? (uint64_t)-a : (uint64_t)a) % f->prime;
    uint64_t residue = reduce(f, magnitude, f->square);
    return a < 0 ? sc_field_subtract(f, 0, residue) : residue;
}

/* From the bits of a double: a whole number times a power of 2. */
static uint64_t residue_of(const sc_field *f, double x)
{
    enum { MANTISSA = 52, BIAS = 1075, WORD = 64 };
    const uint64_t bits = sc_bits_of(x);
    const uint64_t fraction = bits & ((UINT64_C(1) << MANTISSA) - 1);
    const int stored = (int)(bits >> MANTISSA & 0x7FF); /* 0: there is no leading 1 */
    const uint64_t whole = stored == 0 ? fraction : fraction | UINT64_C(1) << MANTISSA;
    const unsigned power = (unsigned)((stored == 0 ? 1 : stored) - BIAS - WORD * SC_FIELD_FIRST);
    const uint64_t residue =
        reduce(f, reduce(f, whole, f->large[power / WORD]), f->small[power % WORD]);
    return bits >> 63 != 0 ? sc_field_subtract(f, 0, residue) : residue;
}

sc_residue3 sc_field_from3(const sc_field *f, sc_vec3 p)
{
    return (sc_residue3){residue_of(f, p.x), residue_of(f, p.y), residue_of(f, p.z)};
}

sc_residue3 sc_field_subtract3(const sc_field *f, sc_residue3 a, sc_residue3 b)
{
    return (sc_residue3){sc_field_subtract(f, a.x, b.x), sc_field_subtract(f, a.y, b.y),
                         sc_field_subtract(f, a.z, b.z)};
}

static uint64_t cross_term(const sc_field *f, uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
    return sc_field_subtract(f, sc_field_multiply(f, a, b), sc_field_multiply(f, c, d));
}

sc_residue3 sc_field_cross(const sc_field *f, sc_residue3 a, sc_residue3 b)
{
    return (sc_residue3){cross_term(f, a.y, b.z, a.z, b.y), cross_term(f, a.z, b.x, a.x, b.z),
                         cross_term(f, a.x, b.y, a.y, b.x)};
}

uint64_t sc_field_dot(const sc_field *f, sc_residue3 a, sc_residue3 b)
{
    const uint64_t x = sc_field_multiply(f, a.x, b.x), y = sc_field_multiply(f, a.y, b.y);
    return sc_field_add(f, sc_field_add(f, x, y), sc_field_multiply(f, a.z, b.z));
}

uint64_t sc_field_det(const sc_field *f, sc_residue3 a, sc_residue3 b, sc_residue3 c)
{
    return sc_field_dot(f, a, sc_field_cross(f, b, c));
}

static int leading_axis(sc_residue3 a)
{
    return a.x != 0 ? 0 : a.y != 0 ? 1 : 2;
}

uint64_t sc_residue_leading(sc_residue3 a)
{
    return sc_residue_component(a, leading_axis(a));
}

/* The direction scaled to 1 along its leading axis, and the point of the line with 0 there. */
uint64_t sc_field_line_key(const sc_field *f, sc_residue3 p, sc_residue3 along, uint64_t inverse)
{
    const int axis = leading_axis(along);
    uint64_t key = (uint64_t)axis;

    for (int k = 0; k < 3; k++) {
        if (k != axis) {
            uint64_t slope = sc_field_multiply(f, sc_residue_component(along, k), inverse);
            uint64_t climb = sc_field_multiply(f, slope, sc_residue_component(p, axis));
            uint64_t foot = sc_field_subtract(f, sc_residue_component(p, k), climb);
            key = sc_hash_words(key ^ slope, foot);
        }
    }
    return key;
}
