/* values.h - the values of options, read strictly: nothing is skipped, rounded to
 * fit, or guessed.
 *
 * Each function prints one line that names the option and the value, and returns
 * false, where the text is not what it reads. */
#ifndef CLI_VALUES_H
#define CLI_VALUES_H

#include <stdbool.h>
#include <stdint.h>

/* The finite number that fills the text up to `end`: no blanks, hexadecimals or names of
 * numbers, as strtod would have them. Prints nothing; returns NULL, or what is wrong. */
const char *value_read(const char *text, const char *end, double *number);

/* A finite decimal of 0 or more. */
bool value_number(const char *option, const char *text, double *number);

/* The same, or "auto": STLCLASH_AUTO. */
bool value_tolerance(const char *option, const char *text, double *tolerance);

/* A share of 1, as a decimal or in percent ("1%"), in least .. 1. */
bool value_fraction(const char *option, const char *text, double least, double *fraction);

/* Digits, for a number of at most `most`. */
bool value_count(const char *option, const char *text, uint64_t most, uint64_t *count);

/* The same for any number, or "all": STLCLASH_ALL_HITS. */
bool value_count_or_all(const char *option, const char *text, uint64_t *count);

/* Bytes: digits, and K, M, G or T for powers of 1024; not 0. */
bool value_size(const char *option, const char *text, uint64_t *bytes);

/* One of some words, as in "auto|always|never"; the choice counts from 0. */
bool value_choice(const char *option, const char *text, const char *words, int *choice);

/* A shift by 3 numbers, or the 12 or 16 of a matrix row by row, its last row optional; false for
 * any other count. Prints nothing. */
bool value_matrix(const double numbers[16], int count, double matrix[16]);

/* X,Y,Z, or 12 or 16 numbers, as value_matrix has them. */
bool value_placement(const char *option, const char *text, double matrix[16]);

/* X,Y,Z, of any sign. */
bool value_vector(const char *option, const char *text, double vector[3]);

/* Whether any character is a control character, a line end among them. Prints nothing. */
bool value_has_control(const char *text);

/* Anything without control characters; "" becomes NULL. */
bool value_label(const char *option, const char *text, const char **label);

/* Anything but "", as a variable of a script is that was not set. */
bool value_file(const char *option, const char *text, const char **file);

/* Prints "--option: 'text' what" and returns false. */
bool value_refused(const char *option, const char *text, const char *what);

#endif
