/* report_number.c - see report_number.h. */
#include "report_number.h"

#include "base/real.h"

#include <errno.h>
#include <float.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- the shortest decimal ----------------------------------------------------- */

/* A decimal of up to 15 digits survives the way to a normal double and back, so 15 digits
 * find every shorter one too, with zeros at the end; 17 always do. */
enum { LEAST_DIGITS = DBL_DIG, MOST_DIGITS = DBL_DIG + 2 };

/* By the C library: right for all, and slow. */
static void find_by_trying(char text[NUMBER_SIZE], double value)
{
    int exponent, before = errno; /* strtod sets errno; callers look at a stream's */
    bool power_of_2 = fabs(frexp(value, &exponent)) == 0.5;
    int digits = fabs(value) < DBL_MIN ? 1 : LEAST_DIGITS; /* below it doubles are sparser */

    for (; digits <= MOST_DIGITS; digits++) {
        snprintf(text, NUMBER_SIZE, "%.*g", digits, value);
        if (strtod(text, NULL) == value) {
            break;
        }
        /* Doubles are twice as dense below a power of 2 as above it: the nearest
         * decimal may lie below and miss where the next one above hits. */
        if (power_of_2) {
            snprintf(text, NUMBER_SIZE, "%.*Lg", digits, value * (1 + 0x1p-54L));
            if (strtod(text, NULL) == value) {
                break;
            }
        }
    }
    errno = before;
}

__extension__ typedef unsigned __int128 wide;

/* decimal / 10^places, without zeros at the end. */
static void write_decimal(char *text, bool negative, uint64_t decimal, int places)
{
    char backwards[NUMBER_SIZE];
    int count = 0;

    for (; places > 0 && decimal % 10 == 0; places--) {
        decimal /= 10;
    }
    for (int place = 0; decimal > 0 || place <= places; place++) {
        if (place == places && places > 0) {
            backwards[count++] = '.';
        }
        backwards[count++] = (char)('0' + decimal % 10);
        decimal /= 10;
    }
    if (negative) {
        *text++ = '-';
    }
    while (count > 0) {
        *text++ = backwards[--count];
    }
    *text = '\0';
}

/* The same for most of what a report holds, in integers: a mantissa over a power of 2 is
 * rounded to so many decimal places, and what that leaves compared with half a unit of the
 * mantissa. False where that does not fit 128 bits, or neighbours are not as far on both
 * sides. */
static bool find_in_integers(char text[NUMBER_SIZE], double value)
{
    static const double power[] = {1e-3, 1e-2, 1e-1, 1e0,  1e1,  1e2,  1e3,  1e4,  1e5, 1e6,
                                   1e7,  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    const double size = fabs(value);
    int exponent, places = MOST_DIGITS + 3; /* of 17 digits from 1e-4 on */

    if (!(size >= 1e-4 && size < 1e15)) {
        return false;
    }
    const uint64_t mantissa = (uint64_t)ldexp(frexp(size, &exponent), DBL_MANT_DIG);
    const int shift = DBL_MANT_DIG - exponent; /* size = mantissa / 2^shift */
    const wide half = (wide)1 << shift >> 1;
    if (mantissa == UINT64_C(1) << (DBL_MANT_DIG - 1)) {
        return false;
    }
    for (int i = 0; size >= power[i]; i++) {
        places--;
    }
    places -= MOST_DIGITS - LEAST_DIGITS;
    wide unit = 1; /* a decimal of 1, times 2^shift: scaled as the mantissa is */
    for (int i = 0; i < places; i++) {
        unit *= 10;
    }
    for (;; places++, unit *= 10) {
        const wide scaled = mantissa * unit, rest = scaled & (((wide)1 << shift) - 1);
        uint64_t decimal = (uint64_t)(scaled >> shift);
        const bool up = rest > half || (rest == half && decimal % 2 == 1);
        const wide off = up ? 2 * half - rest : rest;
        if (2 * off < unit || (2 * off == unit && mantissa % 2 == 0)) {
            write_decimal(text, value < 0.0, decimal + up, places);
            return true;
        }
    }
}

const char *number_shortest(char text[NUMBER_SIZE], double value)
{
    value += 0.0; /* -0 to 0 */
    if (fabs(value) < 1e15 && value == sc_floor(value)) {
        write_decimal(text, value < 0.0, (uint64_t)fabs(value), 0);
    } else if (!find_in_integers(text, value)) {
        find_by_trying(text, value);
    }
    return text;
}

const char *number_count(char text[NUMBER_SIZE], uint64_t count)
{
    write_decimal(text, false, count, 0);
    return text;
}

/* ---- others --------------------------------------------------------------------- */

const char *number_error(char text[NUMBER_SIZE], double error)
{
    int before = errno;
    double tried = error;
    do {
        snprintf(text, NUMBER_SIZE, "%.2g", tried + 0.0);
        tried = sc_fmax(1.01 * tried, sc_next_above(tried)); /* below a step of the last digit */
    } while (strtod(text, NULL) < error);
    errno = before;
    return text;
}

const char *number_rounded(char text[NUMBER_SIZE], double value)
{
    snprintf(text, NUMBER_SIZE, "%.7g", value + 0.0);
    return text;
}
