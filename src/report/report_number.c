/* report_number.c - see report_number.h. */
#include "report_number.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

const char *number_shortest(char text[NUMBER_SIZE], double value)
{
    value += 0.0; /* -0 to 0 */
    if (fabs(value) < 1e15 && value == floor(value)) {
        snprintf(text, NUMBER_SIZE, "%.0f", value);
        return text;
    }
    /* A decimal of up to 15 digits survives the way to a normal double and back,
     * so 15 digits find every shorter one too (%g drops trailing zeros). Below
     * DBL_MIN doubles are sparser. */
    int exponent, before = errno; /* strtod sets errno; callers look at a stream's */
    bool power_of_2 = fabs(frexp(value, &exponent)) == 0.5;
    for (int digits = fabs(value) < DBL_MIN ? 1 : DBL_DIG; digits <= 17; digits++) {
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
    return text;
}

const char *number_error(char text[NUMBER_SIZE], double error)
{
    int before = errno;
    double tried = error;
    do {
        snprintf(text, NUMBER_SIZE, "%.2g", tried + 0.0);
        tried *= 1.01; /* a step below that of the last digit */
    } while (strtod(text, NULL) < error);
    errno = before;
    return text;
}

const char *number_rounded(char text[NUMBER_SIZE], double value)
{
    snprintf(text, NUMBER_SIZE, "%.7g", value + 0.0);
    return text;
}
