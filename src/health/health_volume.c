/* health_volume.c - see health_volume.h. */
#include "health_volume.h"

#include <math.h>

__extension__ typedef unsigned __int128 wide;

/* x = mantissa * 2^exponent, |mantissa| < 2^24, exponent >= -149. */
static int32_t split(float x, int *exponent)
{
    double fraction = frexp((double)x, exponent);
    *exponent -= 24;
    if (*exponent < -149) { /* fewer digits, all of them above 2^-149 */
        fraction = ldexp(fraction, *exponent + 149);
        *exponent = -149;
    }
    return (int32_t)ldexp(fraction, 24);
}

/* Adds or subtracts magnitude * 2^shift. */
static void accumulate(sc_volume_exact *v, wide magnitude, int shift, int negative)
{
    int at = shift / 64, bit = shift % 64;
    wide low = magnitude << bit; /* of at most 72 + 63 bits: the rest goes above */
    uint64_t part[3] = {(uint64_t)low, (uint64_t)(low >> 64),
                        bit > 0 ? (uint64_t)(magnitude >> (128 - bit)) : 0};
    uint64_t carry = 0;

    for (int i = at; i < SC_VOLUME_WORDS; i++) {
        uint64_t term = i - at < 3 ? part[i - at] : 0;
        if (i - at >= 3 && carry == 0) {
            break;
        }
        if (negative) {
            uint64_t before = v->word[i], after = before - term;
            v->word[i] = after - carry;
            carry = (uint64_t)(before < term) | (uint64_t)(after < carry);
        } else {
            uint64_t sum = v->word[i] + term;
            v->word[i] = sum + carry;
            carry = (uint64_t)(sum < term) | (uint64_t)(v->word[i] < carry);
        }
    }
}

void sc_volume_exact_add(sc_volume_exact *v, const float xyz[9])
{
    static const int terms[6][3] = {{0, 4, 8}, {1, 5, 6}, {2, 3, 7},
                                    {0, 5, 7}, {1, 3, 8}, {2, 4, 6}};
    int32_t mantissa[9];
    int exponent[9];

    for (int k = 0; k < 9; k++) {
        mantissa[k] = split(xyz[k], &exponent[k]);
    }
    for (int t = 0; t < 6; t++) {
        const int *i = terms[t];
        int64_t two = (int64_t)mantissa[i[0]] * mantissa[i[1]], three = mantissa[i[2]];
        int negative = (two < 0) ^ (three < 0) ^ (t >= 3);
        wide magnitude =
            (wide)(uint64_t)(two < 0 ? -two : two) * (uint64_t)(three < 0 ? -three : three);
        if (magnitude != 0) {
            int shift = exponent[i[0]] + exponent[i[1]] + exponent[i[2]] + 447;
            accumulate(v, magnitude, shift, negative);
        }
    }
}

int sc_volume_exact_sign(const sc_volume_exact *v)
{
    if (v->word[SC_VOLUME_WORDS - 1] >> 63) {
        return -1;
    }
    for (int i = 0; i < SC_VOLUME_WORDS; i++) {
        if (v->word[i] != 0) {
            return 1;
        }
    }
    return 0;
}
