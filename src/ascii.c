/* ascii.c - see ascii.h. */
#include "ascii.h"

#include "base/alloc.h"
#include "base/error.h"
#include "decimal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    FACET_BYTES_TYPICAL = 200, /* of text; exporters write 150 to 300 */
    BINARY_SIGN_BYTES = 512    /* how far to look for zero bytes */
};

/* The text, and the facets read so far. No function reads behind `end`, and each
 * moves `at` forward or fails. */
typedef struct parser {
    const unsigned char *begin, *at, *end;
    unsigned char *facets;
    size_t count, capacity;
    stlclash_error *error;
} parser;

/* ---- words ------------------------------------------------------------------ */

static inline bool is_line_end(unsigned char c)
{
    return c == '\n' || c == '\r';
}

static inline const unsigned char *skip_space(const unsigned char *at, const unsigned char *end)
{
    while (at < end && sc_is_space(*at)) {
        at++;
    }
    return at;
}

static const unsigned char *token_end(const unsigned char *at, const unsigned char *end)
{
    while (at < end && !sc_is_space(*at)) {
        at++;
    }
    return at;
}

/* The bytes at `at` are `word` (lower case), in any case. Setting bit 5 makes a
 * lower-case letter of that letter in either case, and of nothing else. */
static inline bool starts_with(const unsigned char *at, const unsigned char *end, const char *word,
                               size_t length)
{
    if ((size_t)(end - at) < length) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        if ((at[i] | 0x20) != (unsigned char)word[i]) {
            return false;
        }
    }
    return true;
}

/* The same for a whole token; moves behind it and the white space that follows. */
static inline bool take_token(parser *p, const char *word, size_t length)
{
    if (!starts_with(p->at, p->end, word, length)) {
        return false;
    }
    const unsigned char *behind = p->at + length;
    if (behind < p->end && !sc_is_space(*behind)) {
        return false;
    }
    p->at = skip_space(behind, p->end);
    return true;
}

/* For string literals, whose length the compiler knows. */
#define TAKE(p, word) take_token(p, word, sizeof word - 1)

/* Moves to the start of the next line that is not empty. */
static void skip_line(parser *p)
{
    while (p->at < p->end && !is_line_end(*p->at)) {
        p->at++;
    }
    p->at = skip_space(p->at, p->end);
}

/* ---- errors ----------------------------------------------------------------- */

static unsigned long long line_number(const parser *p)
{
    unsigned long long line = 1;
    for (const unsigned char *c = p->begin; c < p->at; c++) {
        line += *c == '\n' || (*c == '\r' && !(c + 1 < p->end && c[1] == '\n'));
    }
    return line;
}

/* The token at p->at in quotes for a message: printable ASCII only, cut if long. */
static const char *quote(const parser *p, char text[64])
{
    size_t used = 0;
    const unsigned char *behind = token_end(p->at, p->end), *c;

    text[used++] = '"';
    for (c = p->at; c < behind && used < 48; c++) {
        if (*c > ' ' && *c < 0x7F && *c != '"' && *c != '\\') {
            text[used++] = (char)*c;
        } else {
            used += (size_t)snprintf(text + used, 5, "\\x%02X", *c);
        }
    }
    snprintf(text + used, 64 - used, c < behind ? "...\"" : "\"");
    return text;
}

/* Behind a solid the file may end: what follows there is cut off from nothing. */
static stlclash_code fail_behind_solid(const parser *p)
{
    char found[64];
    return sc_error(p->error, STLCLASH_E_FORMAT,
                    "line %llu: expected \"solid\" or the end of the file, found %s",
                    line_number(p), quote(p, found));
}

static stlclash_code fail_expected(const parser *p, const char *expected)
{
    char found[64];
    if (p->at == p->end) {
        return sc_error(p->error, STLCLASH_E_FORMAT,
                        "line %llu: expected %s, but the file ends; it looks truncated",
                        line_number(p), expected);
    }
    bool last = token_end(p->at, p->end) == p->end;
    return sc_error(p->error, STLCLASH_E_FORMAT, "line %llu: expected %s, found %s%s",
                    line_number(p), expected, quote(p, found),
                    last ? " at the end of the file; it looks truncated" : "");
}

/* ---- numbers ---------------------------------------------------------------- */

/* The token is a NaN or an infinity as C libraries print them: nan, -inf, +INF,
 * nan(ind), infinity, 1.#QNAN, -1.#IND00, ... */
static bool is_nonfinite_token(const unsigned char *at, const unsigned char *end)
{
    if (at < end && (*at == '-' || *at == '+')) {
        at++;
    }
    return starts_with(at, end, "nan", 3) || starts_with(at, end, "inf", 3) ||
           (end - at > 3 && memcmp(at, "1.#", 3) == 0);
}

static stlclash_code fail_number(const parser *p, const char *expected)
{
    const unsigned char *behind = token_end(p->at, p->end);
    char found[64];
    if (p->at < p->end && memchr(p->at, ',', (size_t)(behind - p->at)) &&
        (*p->at < 'A' || *p->at > 'z')) {
        return sc_error(p->error, STLCLASH_E_FORMAT,
                        "line %llu: %s has a decimal comma; export with decimal points "
                        "(in a locale such as C or English)",
                        line_number(p), quote(p, found));
    }
    return fail_expected(p, expected);
}

/* Behind the number that is the whole token at p->at; NULL if that is none. */
static inline const unsigned char *number_end(const parser *p, float *value)
{
    const unsigned char *behind = sc_decimal_read(p->at, p->end, value);
    return behind && (behind == p->end || sc_is_space(*behind)) ? behind : NULL;
}

static stlclash_code skip_normal(parser *p)
{
    for (int k = 0; k < 3; k++) {
        float ignored;
        const unsigned char *behind = number_end(p, &ignored);
        if (!behind) {
            behind = token_end(p->at, p->end);
            if (!is_nonfinite_token(p->at, behind)) {
                return fail_number(p, "a number of the normal");
            }
        }
        p->at = skip_space(behind, p->end);
    }
    return STLCLASH_OK;
}

static stlclash_code fail_coordinate(const parser *p)
{
    char found[64];
    if (is_nonfinite_token(p->at, token_end(p->at, p->end))) {
        return sc_error(p->error, STLCLASH_E_NONFINITE,
                        "line %llu: vertex coordinate %s is not finite; repair the mesh",
                        line_number(p), quote(p, found));
    }
    return fail_number(p, "a coordinate of the vertex");
}

static stlclash_code read_vertex(parser *p, float xyz[3])
{
    for (int k = 0; k < 3; k++) {
        const unsigned char *behind = number_end(p, &xyz[k]);
        if (!behind) {
            return fail_coordinate(p);
        }
        if (isinf(xyz[k])) {
            char found[64];
            return sc_error(p->error, STLCLASH_E_NONFINITE,
                            "line %llu: vertex coordinate %s is too large for a 32-bit float "
                            "(at most 3.4e38)",
                            line_number(p), quote(p, found));
        }
        p->at = skip_space(behind, p->end);
    }
    return STLCLASH_OK;
}

/* ---- facets and solids ------------------------------------------------------ */

static stlclash_code append(parser *p, const float xyz[9])
{
    if (!sc_make_room(&p->facets, &p->capacity, p->count + 1, SC_FACET_BYTES)) {
        return sc_error_memory(p->error);
    }
    unsigned char *bytes = p->facets + p->count * SC_FACET_BYTES;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(bytes, xyz, SC_FACET_BYTES);
#else
    for (int k = 0; k < 9; k++) {
        uint32_t bits;
        memcpy(&bits, &xyz[k], 4);
        for (int byte = 0; byte < 4; byte++) {
            bytes[4 * k + byte] = (unsigned char)(bits >> 8 * byte);
        }
    }
#endif
    p->count++;
    return STLCLASH_OK;
}

/* Behind "facet", up to and with "endfacet". */
static stlclash_code read_facet(parser *p)
{
    float xyz[9];
    stlclash_code code;

    if (TAKE(p, "normal") && (code = skip_normal(p)) != STLCLASH_OK) {
        return code;
    }
    if (!TAKE(p, "outer") || !TAKE(p, "loop")) {
        return fail_expected(p, "\"outer loop\"");
    }
    for (int k = 0; k < 3; k++) {
        if (!TAKE(p, "vertex")) {
            return fail_expected(p, "\"vertex\"");
        }
        code = read_vertex(p, xyz + 3 * k);
        if (code != STLCLASH_OK) {
            return code;
        }
    }
    if (!TAKE(p, "endloop") && !(TAKE(p, "end") && TAKE(p, "loop"))) {
        if (starts_with(p->at, p->end, "vertex", 6)) {
            return sc_error(p->error, STLCLASH_E_FORMAT,
                            "line %llu: the facet has a fourth vertex; export triangles only",
                            line_number(p));
        }
        return fail_expected(p, "\"endloop\"");
    }
    if (!TAKE(p, "endfacet") && !(TAKE(p, "end") && TAKE(p, "facet"))) {
        return fail_expected(p, "\"endfacet\"");
    }
    if (p->count == UINT32_MAX) {
        return sc_error(p->error, STLCLASH_E_FORMAT,
                        "line %llu: more than 4294967295 triangles; split the file",
                        line_number(p));
    }
    return append(p, xyz);
}

/* "endsolid" or "end solid"; a name may follow without a blank. */
static bool take_endsolid(parser *p)
{
    if (TAKE(p, "end")) {
        if (!starts_with(p->at, p->end, "solid", 5)) {
            return false;
        }
    } else if (!starts_with(p->at, p->end, "endsolid", 8)) {
        return false;
    }
    skip_line(p);
    return true;
}

static stlclash_code read_solids(parser *p)
{
    while (p->at < p->end) {
        if (!starts_with(p->at, p->end, "solid", 5)) {
            return fail_behind_solid(p); /* for the file begins with one */
        }
        skip_line(p);
        while (TAKE(p, "facet")) {
            stlclash_code code = read_facet(p);
            if (code != STLCLASH_OK) {
                return code;
            }
        }
        if (!take_endsolid(p)) {
            return fail_expected(p, "\"facet\" or \"endsolid\"");
        }
    }
    return STLCLASH_OK;
}

/* Behind the byte order mark and white space. */
static const unsigned char *text_start(const unsigned char *bytes, const unsigned char *end)
{
    if (end - bytes >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0) {
        bytes += 3;
    }
    return skip_space(bytes, end);
}

bool sc_ascii_starts(const unsigned char *bytes, size_t size)
{
    const unsigned char *end = bytes + size;
    size_t near = size < BINARY_SIGN_BYTES ? size : BINARY_SIGN_BYTES;
    return starts_with(text_start(bytes, end), end, "solid", 5) && !memchr(bytes, 0, near);
}

stlclash_code sc_ascii_parse(const unsigned char *bytes, size_t size, sc_file *file,
                             stlclash_error *error)
{
    parser p = {.begin = bytes, .end = bytes + size, .error = error};
    p.at = text_start(bytes, p.end);
    p.capacity = size / FACET_BYTES_TYPICAL + 1;
    p.facets = sc_alloc(p.capacity, SC_FACET_BYTES);
    if (!p.facets) {
        return sc_error_memory(error);
    }
    stlclash_code code = read_solids(&p);
    file->buffer = p.facets;
    if (code != STLCLASH_OK) {
        return code;
    }
    void *fitting = sc_realloc(p.facets, p.count, SC_FACET_BYTES);
    if (!fitting) {
        return sc_error_memory(error);
    }
    file->format = STLCLASH_ASCII;
    file->buffer = fitting;
    file->facets = (sc_facets){fitting, SC_FACET_BYTES, (uint32_t)p.count};
    return STLCLASH_OK;
}
