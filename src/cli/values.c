/* values.c - see values.h. */
#include "values.h"

#include "message.h"
#include "stlclash.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool value_refused(const char *option, const char *text, const char *what)
{
    message_print("--%s: '%s' %s (try --help)", option, text, what);
    return false;
}

const char *value_read(const char *text, const char *end, double *number)
{
    size_t length = (size_t)(end - text), digits = strspn(text, "+-.0123456789eE");
    if (length == 0 || digits < length) {
        bool comma = digits > 0 && digits < length && text[digits] == ',';
        return comma ? "has a comma; the decimal sign is a point" : "is not a number";
    }
    char *stop;
    errno = 0;
    *number = strtod(text, &stop);
    if (stop != end) {
        return "is not a number";
    }
    if (errno == ERANGE) {
        return fabs(*number) > 1.0 ? "is too large" : "is too small to tell from 0";
    }
    *number += 0.0; /* -0 to 0 */
    return NULL;
}

bool value_number(const char *option, const char *text, double *number)
{
    const char *problem = value_read(text, text + strlen(text), number);
    if (!problem && *number < 0.0) {
        problem = "is negative";
    }
    return !problem || value_refused(option, text, problem);
}

/* Where a word stands for a number: whether another word was given, and no number at all. */
static bool is_other_word(const char *text)
{
    return isalpha((unsigned char)*text);
}

bool value_tolerance(const char *option, const char *text, double *tolerance)
{
    if (strcmp(text, "auto") == 0) {
        *tolerance = STLCLASH_AUTO;
        return true;
    }
    return is_other_word(text) ? value_refused(option, text, "is neither a number nor auto")
                               : value_number(option, text, tolerance);
}

bool value_fraction(const char *option, const char *text, double least, double *fraction)
{
    size_t length = strlen(text);
    bool percent = length > 0 && text[length - 1] == '%';
    const char *problem = value_read(text, text + length - percent, fraction);
    if (problem) {
        return value_refused(option, text, problem);
    }
    *fraction /= percent ? 100.0 : 1.0;
    if (!(*fraction >= least && *fraction <= 1.0)) {
        char what[64];
        snprintf(what, sizeof what, "is not in %g .. 1", least);
        return value_refused(option, text, what);
    }
    return true;
}

bool value_count(const char *option, const char *text, uint64_t most, uint64_t *count)
{
    size_t length = strlen(text);
    if (length == 0 || strspn(text, "0123456789") < length) {
        return value_refused(option, text, "is not a whole number of 0 or more");
    }
    errno = 0;
    unsigned long long number = strtoull(text, NULL, 10);
    if (errno == ERANGE || number > most) {
        return value_refused(option, text, "is too large");
    }
    *count = number;
    return true;
}

bool value_count_or_all(const char *option, const char *text, uint64_t *count)
{
    if (strcmp(text, "all") == 0) {
        *count = STLCLASH_ALL_HITS;
        return true;
    }
    return is_other_word(text) ? value_refused(option, text, "is neither a number nor all")
                               : value_count(option, text, STLCLASH_ALL_HITS, count);
}

bool value_size(const char *option, const char *text, uint64_t *bytes)
{
    static const char letters[] = "KMGT";
    size_t length = strspn(text, "0123456789");
    const char *letter = text[length] ? strchr(letters, text[length]) : NULL;
    int shift = letter ? 10 * (int)(letter - letters + 1) : 0;

    if (length == 0 || (text[length] && (!letter || text[length + 1]))) {
        return value_refused(option, text, "is not a whole number with K, M, G, T or nothing");
    }
    errno = 0;
    unsigned long long number = strtoull(text, NULL, 10);
    if (errno == ERANGE || number > UINT64_MAX >> shift) {
        return value_refused(option, text, "is too large");
    }
    *bytes = (uint64_t)number << shift;
    return *bytes > 0 || value_refused(option, text, "is not more than 0");
}

bool value_choice(const char *option, const char *text, const char *words, int *choice)
{
    size_t length = strlen(text);
    int number = 0;
    for (const char *word = words; *word; number++) {
        size_t word_length = strcspn(word, "|");
        if (word_length == length && memcmp(word, text, length) == 0) {
            *choice = number;
            return true;
        }
        word += word_length + (word[word_length] == '|');
    }
    char what[128];
    snprintf(what, sizeof what, "is not one of %s", words);
    return value_refused(option, text, what);
}

/* Finite numbers between commas: how many there are, of which the first 16 are kept; 0
 * where one is none, which is said. */
static int read_numbers(const char *option, const char *text, double numbers[16])
{
    int count = 0;
    for (const char *start = text, *end;; start = end + 1) {
        double number;
        end = start + strcspn(start, ",");
        const char *problem = value_read(start, end, &number);
        if (problem) {
            message_print("--%s: number %d of '%s' %s (try --help)", option, count + 1, text,
                          problem);
            return 0;
        }
        if (count < 16) {
            numbers[count] = number;
        }
        count++;
        if (*end == '\0') {
            return count;
        }
    }
}

static bool wrong_count(const char *option, const char *text, int count, const char *right)
{
    char what[64];
    snprintf(what, sizeof what, "has %d number%s, not %s", count, count == 1 ? "" : "s", right);
    return value_refused(option, text, what);
}

bool value_vector(const char *option, const char *text, double vector[3])
{
    double numbers[16];
    int count = read_numbers(option, text, numbers);
    if (count == 0) {
        return false;
    }
    if (count != 3) {
        return wrong_count(option, text, count, "3");
    }
    memcpy(vector, numbers, 3 * sizeof *vector);
    return true;
}

bool value_matrix(const double numbers[16], int count, double matrix[16])
{
    static const double identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

    memcpy(matrix, identity, sizeof identity);
    for (int i = 0; i < count && i < 16; i++) {
        matrix[count == 3 ? 4 * i + 3 : i] = numbers[i];
    }
    return count == 3 || count == 12 || count == 16;
}

bool value_placement(const char *option, const char *text, double matrix[16])
{
    double numbers[16];
    int count = read_numbers(option, text, numbers);
    if (count == 0) {
        return false;
    }
    return value_matrix(numbers, count, matrix) || wrong_count(option, text, count, "3, 12 or 16");
}

bool value_has_control(const char *text)
{
    for (const char *c = text; *c; c++) {
        if ((unsigned char)*c < ' ' || *c == 0x7f) {
            return true;
        }
    }
    return false;
}

bool value_label(const char *option, const char *text, const char **label)
{
    if (value_has_control(text)) {
        return value_refused(option, text, "has a control character");
    }
    *label = *text ? text : NULL;
    return true;
}

bool value_file(const char *option, const char *text, const char **file)
{
    *file = text;
    return *text || value_refused(option, text, "is no name of a file");
}
