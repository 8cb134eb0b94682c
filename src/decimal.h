/* decimal.h - decimal text -> the nearest float, whatever the locale. */
#ifndef SC_DECIMAL_H
#define SC_DECIMAL_H

/* Reads the number that starts at `at` and ends before `end`:
 *
 *     [+|-] digits [. [digits]] [(e|E) [+|-] digits]     (also: . digits)
 *
 * Returns the byte behind it, or NULL if there is none. *value is correctly
 * rounded, ties to even, for any number of digits; an infinity where the number
 * is too large for a float. */
const unsigned char *sc_decimal_read(const unsigned char *at, const unsigned char *end,
                                     float *value);

#endif
