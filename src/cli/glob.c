/* glob.c - see glob.h.
 *
 * Only the last * that was passed is ever tried again: what came before it has matched as
 * early as it can, which leaves the most for the rest. So no pattern is slow, as patterns
 * with many * are to matchers that go back further. */
#include "glob.h"

#include <stddef.h>
#include <string.h>

/* Bytes of the character that starts here; a byte that is no UTF-8 is one by itself. */
static size_t length_of(const char *c)
{
    unsigned char first = (unsigned char)*c;
    size_t length = first < 0xc2 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 1;
    for (size_t i = 1; i < length; i++) {
        if (((unsigned char)c[i] & 0xc0) != 0x80) {
            return 1;
        }
    }
    return length;
}

/* One character of a set, past a backslash; moves the pattern on. */
static const char *set_character(const char **pattern, size_t *length)
{
    const char *c = *pattern + (**pattern == '\\' && (*pattern)[1]);
    *length = length_of(c);
    *pattern = c + *length;
    return c;
}

/* UTF-8 has the order of its characters. */
static int compare(const char *a, size_t a_length, const char *b, size_t b_length)
{
    int order = memcmp(a, b, a_length < b_length ? a_length : b_length);
    return order ? order : (a_length > b_length) - (a_length < b_length);
}

/* The set behind a [: past its end, or NULL where it has none. *matches: the character is
 * one that the set allows. */
static const char *match_set(const char *pattern, const char *name, bool *matches)
{
    bool inverted = *pattern == '!' || *pattern == '^', found = false;
    size_t name_length = length_of(name);

    pattern += inverted;
    for (bool first = true; first || *pattern != ']'; first = false) {
        size_t low_length, high_length;
        if (!*pattern) {
            return NULL;
        }
        const char *low = set_character(&pattern, &low_length), *high = low;
        high_length = low_length;
        if (pattern[0] == '-' && pattern[1] && pattern[1] != ']') {
            pattern++;
            high = set_character(&pattern, &high_length);
        }
        found = found || (compare(low, low_length, name, name_length) <= 0 &&
                          compare(name, name_length, high, high_length) <= 0);
    }
    *matches = found != inverted;
    return pattern + 1;
}

/* What is left of the pattern when its first element has taken the first character of the
 * name, which is not empty; NULL: it does not match. */
static const char *match_one(const char *pattern, const char *name)
{
    bool matches;
    if (*pattern == '?') {
        return pattern + 1;
    }
    if (*pattern == '[') {
        const char *rest = match_set(pattern + 1, name, &matches);
        if (rest) {
            return matches ? rest : NULL;
        }
    }
    pattern += *pattern == '\\' && pattern[1];
    size_t length = length_of(pattern);
    return *pattern && length == length_of(name) && memcmp(pattern, name, length) == 0
               ? pattern + length
               : NULL;
}

bool glob_match(const char *pattern, const char *name)
{
    const char *after_star = NULL, *from = NULL; /* the last *, and where its text may end */

    for (;;) {
        if (*pattern == '*') {
            after_star = ++pattern;
            from = name;
            continue;
        }
        const char *rest = *name && *pattern ? match_one(pattern, name) : NULL;
        if (rest) {
            pattern = rest;
            name += length_of(name);
        } else if (!*name && !*pattern) {
            return true;
        } else if (after_star && *from) {
            from += length_of(from);
            pattern = after_star;
            name = from;
        } else {
            return false;
        }
    }
}
