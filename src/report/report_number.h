/* report_number.h - doubles as text. */
#ifndef REPORT_NUMBER_H
#define REPORT_NUMBER_H

#include <stdint.h>

enum { NUMBER_SIZE = 40 }; /* room for any number, terminator included */

/* The shortest decimal that reads back to the same finite double, as JSON has
 * numbers; -0 is 0. Returns text. */
const char *number_shortest(char text[NUMBER_SIZE], double value);

const char *number_count(char text[NUMBER_SIZE], uint64_t count);

/* Two digits, rounded up: still a bound of the error that `error` bounds. */
const char *number_error(char text[NUMBER_SIZE], double error);

/* As a person reads it: seven digits, which is what a float can tell. */
const char *number_rounded(char text[NUMBER_SIZE], double value);

#endif
