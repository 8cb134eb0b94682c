/* ascii.c - see ascii.h. */
#include "ascii.h"

#include "base/alloc.h"
#include "base/error.h"
#include "decimal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { FACET_BYTES_TYPICAL = 200 }; /* of text; exporters write 150 to 300 */

/* The text, and the facets read so far. No function reads behind the end of the window, and each
 * moves `at` forward or fails. */
typedef struct parser {
    const unsigned char *at, *end; /* of the window: its end is that of the text, or more follows */
    sc_stream *stream;
    unsigned long long lines; /* ended in front of the window */
    unsigned char before;     /* the byte in front of it, or 0 */
    bool cut;                 /* the end of the window, not of the text, made what was tried fail */
    bool in_facet;            /* a facet was tried, and is in xyz, not the end of its solid */
    bool over;                /* the solid, if it is empty: its line has an "endsolid" too */
    bool begins;              /* another solid did, where one was over */
    float xyz[9];
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

/* ---- errors ----------------------------------------------------------------- */

/* Lines that end among `size` bytes, and `before` is the one in front: CR and LF together count
 * once. */
static inline unsigned char ends_among(const unsigned char *at, size_t size, unsigned char before)
{
    unsigned char ends = (unsigned char)(is_line_end(*at) && !(*at == '\n' && before == '\r'));
    for (size_t i = 1; i < size; i++) {
        const unsigned char cr = at[i] == '\r', lf = at[i] == '\n', alone = at[i - 1] != '\r';
        ends = (unsigned char)(ends + cr + (lf & alone));
    }
    return ends;
}

/* Lines that end in [at, end). Pieces of a size that the compiler knows, with a count in a byte,
 * are what it makes vectors of: this goes over all of a text that comes in windows. */
static unsigned long long line_ends(const unsigned char *at, const unsigned char *end,
                                    unsigned char before)
{
    enum { PIECE = 129 };
    unsigned long long lines = 0;
    for (; end - at >= PIECE; at += PIECE) {
        lines += ends_among(at, PIECE, before);
        before = at[PIECE - 1];
    }
    for (; at < end; before = *at++) {
        lines += ends_among(at, 1, before);
    }
    return lines;
}

static unsigned long long line_number(const parser *p)
{
    return 1 + p->lines + line_ends(p->stream->begin, p->at, p->before);
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

/* Whether bytes that follow may belong to the token at p->at. */
static inline bool is_cut(const parser *p)
{
    return p->stream->more && token_end(p->at, p->end) == p->end;
}

static stlclash_code fail(parser *p, stlclash_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* At the token p->at, unless that is cut: then nothing is said, and what was tried is to be tried
 * anew with more of the text. */
static stlclash_code fail(parser *p, stlclash_code code, const char *format, ...)
{
    p->cut = is_cut(p);
    if (!p->cut) {
        char text[sizeof p->error->text];
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(text, sizeof text, format, arguments);
        va_end(arguments);
        sc_error(p->error, code, "line %llu: %s", line_number(p), text);
    }
    return code;
}

/* Behind a solid the file may end: what follows there is cut off from nothing. */
static stlclash_code fail_behind_solid(parser *p)
{
    char found[64];
    return fail(p, STLCLASH_E_FORMAT, "expected \"solid\" or the end of the file, found %s",
                quote(p, found));
}

static stlclash_code fail_expected(parser *p, const char *expected)
{
    char found[64];
    if (p->at == p->end) {
        return fail(p, STLCLASH_E_FORMAT, "expected %s, but the file ends; it looks truncated",
                    expected);
    }
    bool last = token_end(p->at, p->end) == p->end;
    return fail(p, STLCLASH_E_FORMAT, "expected %s, found %s%s", expected, quote(p, found),
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

static stlclash_code fail_number(parser *p, const char *expected)
{
    const unsigned char *behind = token_end(p->at, p->end);
    char found[64];
    if (p->at < p->end && memchr(p->at, ',', (size_t)(behind - p->at))) {
        return fail(p, STLCLASH_E_FORMAT,
                    "%s has a decimal comma; export with decimal points "
                    "(in a locale such as C or English)",
                    quote(p, found));
    }
    return fail_expected(p, expected);
}

/* Behind the number that is the whole token at p->at; NULL if that is none. */
static inline const unsigned char *number_end(const parser *p, float *value)
{
    const unsigned char *behind = sc_decimal_read(p->at, p->end, value);
    return behind && (behind == p->end || sc_is_space(*behind)) ? behind : NULL;
}

/* False at what is no number. */
static bool skip_normal(parser *p)
{
    for (int k = 0; k < 3; k++) {
        float ignored;
        const unsigned char *behind = number_end(p, &ignored);
        if (!behind) {
            behind = token_end(p->at, p->end);
            if (!is_nonfinite_token(p->at, behind)) {
                return false;
            }
        }
        p->at = skip_space(behind, p->end);
    }
    return true;
}

static stlclash_code fail_coordinate(parser *p)
{
    char found[64];
    if (is_nonfinite_token(p->at, token_end(p->at, p->end))) {
        return fail(p, STLCLASH_E_NONFINITE, "vertex coordinate %s is not finite; repair the mesh",
                    quote(p, found));
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
            return fail(p, STLCLASH_E_NONFINITE,
                        "vertex coordinate %s is too large for a 32-bit float (at most 3.4e38)",
                        quote(p, found));
        }
        p->at = skip_space(behind, p->end);
    }
    return STLCLASH_OK;
}

/* ---- facets and solids ------------------------------------------------------ */

static stlclash_code append(parser *p)
{
    if (p->count == UINT32_MAX) {
        return sc_error(p->error, STLCLASH_E_FORMAT,
                        "line %llu: more than 4294967295 triangles; split the file",
                        line_number(p));
    }
    if (!sc_make_room(&p->facets, &p->capacity, p->count + 1, SC_FACET_BYTES)) {
        return sc_error_memory(p->error);
    }
    unsigned char *bytes = p->facets + p->count * SC_FACET_BYTES;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(bytes, p->xyz, SC_FACET_BYTES);
#else
    for (int k = 0; k < 9; k++) {
        uint32_t bits;
        memcpy(&bits, &p->xyz[k], 4);
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
    if (TAKE(p, "normal") && !skip_normal(p)) {
        return fail_number(p, "a number of the normal");
    }
    if (!TAKE(p, "outer") || !TAKE(p, "loop")) {
        return fail_expected(p, "\"outer loop\"");
    }
    for (int k = 0; k < 3; k++) {
        if (!TAKE(p, "vertex")) {
            return fail_expected(p, "\"vertex\"");
        }
        const stlclash_code code = read_vertex(p, p->xyz + 3 * k);
        if (code != STLCLASH_OK) {
            return code;
        }
    }
    if (!TAKE(p, "endloop") && !(TAKE(p, "end") && TAKE(p, "loop"))) {
        if (starts_with(p->at, p->end, "vertex", 6)) {
            return fail(p, STLCLASH_E_FORMAT,
                        "the facet has a fourth vertex; export triangles only");
        }
        return fail_expected(p, "\"endloop\"");
    }
    if (!TAKE(p, "endfacet") && !(TAKE(p, "end") && TAKE(p, "facet"))) {
        return fail_expected(p, "\"endfacet\"");
    }
    return STLCLASH_OK;
}

/* "endsolid" or "end solid"; a name may follow without a blank. */
static bool take_endsolid(parser *p)
{
    const char *word = TAKE(p, "end") ? "solid" : "endsolid";
    if (!starts_with(p->at, p->end, word, strlen(word))) {
        return false;
    }
    p->at += strlen(word);
    return true;
}

/* In a solid: a facet, or its end, or, where that is over already, the next one. */
static stlclash_code read_in_solid(parser *p)
{
    p->in_facet = TAKE(p, "facet");
    if (p->in_facet) {
        return read_facet(p);
    }
    p->begins = p->over && starts_with(p->at, p->end, "solid", 5);
    if (p->begins) {
        p->at += 5;
        return STLCLASH_OK;
    }
    return take_endsolid(p) ? STLCLASH_OK : fail_expected(p, "\"facet\" or \"endsolid\"");
}

/* Between solids. */
static stlclash_code read_solid(parser *p)
{
    if (!starts_with(p->at, p->end, "solid", 5)) {
        return fail_behind_solid(p);
    }
    p->at += 5;
    return STLCLASH_OK;
}

/* ---- the window ------------------------------------------------------------- */

/* Goes on reading, with the window from p->at on. */
static stlclash_code advance(parser *p)
{
    p->lines += line_ends(p->stream->begin, p->at, p->before);
    if (p->at > p->stream->begin) {
        p->before = p->at[-1];
    }
    const stlclash_code code = sc_stream_advance(p->stream, p->at, p->error);
    p->at = p->stream->begin;
    p->end = p->stream->end;
    return code;
}

/* Moves p->at as `skip` does, through as many windows as it takes. */
static stlclash_code skip_through(parser *p, const unsigned char *(*skip)(const unsigned char *at,
                                                                          const unsigned char *end))
{
    stlclash_code code = STLCLASH_OK;
    p->at = skip(p->at, p->end);
    while (code == STLCLASH_OK && p->at == p->end && p->stream->more) {
        code = advance(p);
        p->at = skip(p->at, p->end);
    }
    return code;
}

/* What begins at `from` has no end as near as one must be. */
static stlclash_code fail_endless(parser *p, const unsigned char *from)
{
    p->at = from;
    return sc_error(p->error, STLCLASH_E_FORMAT,
                    "line %llu: what begins here goes on for more than %d bytes, as no facet does; "
                    "it looks damaged",
                    line_number(p), SC_MOST_AT_ONCE);
}

static inline bool is_endless(const unsigned char *from, const unsigned char *until)
{
    return until - from > SC_MOST_AT_ONCE;
}

/* Without the white space behind it. */
static const unsigned char *without_space(const unsigned char *from, const unsigned char *until)
{
    while (until > from && sc_is_space(until[-1])) {
        until--;
    }
    return until;
}

/* What `read` reads at p->at, which it is asked for anew wherever the end of the window has a say
 * in what it finds: where that cuts a token, or may have cut the last one. The limit on its length
 * is the same for any window. */
static inline stlclash_code read_whole(parser *p, stlclash_code (*read)(parser *))
{
    for (;;) {
        const unsigned char *from = p->at;
        stlclash_code code = read(p);
        if (!p->cut) {
            const bool last = p->at == p->end && p->stream->more;
            if (code != STLCLASH_OK && is_endless(from, token_end(p->at, p->end))) {
                return fail_endless(p, from);
            }
            if (is_endless(from, p->at) && is_endless(from, without_space(from, p->at))) {
                return fail_endless(p, from);
            }
            if (!last) {
                return code;
            }
            if (sc_is_space(p->end[-1])) {
                return skip_through(p, skip_space);
            }
        }
        if (is_endless(from, p->end)) {
            return fail_endless(p, from);
        }
        p->cut = false;
        p->at = from;
        code = advance(p);
        if (code != STLCLASH_OK) {
            return code;
        }
    }
}

/* ---- names, and facets in their line ---------------------------------------- */

static const unsigned char *skip_blanks(const unsigned char *at, const unsigned char *end)
{
    while (at < end && sc_is_space(*at) && !is_line_end(*at)) {
        at++;
    }
    return at;
}

/* Whether a facet begins at p->at, where the name of a solid may go on: names are of any words, but
 * none has been seen to go on like this. Moves behind what decides. */
static bool begins_facet(parser *p)
{
    return TAKE(p, "facet") && (!TAKE(p, "normal") || skip_normal(p)) && TAKE(p, "outer") &&
           TAKE(p, "loop");
}

/* Behind "solid" or "endsolid": to the first token in another line, or to a facet in this one, in
 * which case *solid tells whether a "solid" stands in front of it; *over, whether the last such
 * word in the line is an "endsolid". */
static stlclash_code skip_name(parser *p, bool *facet, bool *solid, bool *over)
{
    stlclash_code code = skip_through(p, skip_blanks);
    bool end = false; /* the token in front */
    *facet = *solid = *over = false;
    while (code == STLCLASH_OK && p->at < p->end && !is_line_end(*p->at)) {
        parser ahead = *p;
        *facet = begins_facet(&ahead);
        if (ahead.at != p->at && is_endless(p->at, token_end(ahead.at, p->end))) {
            return fail_endless(p, p->at);
        }
        /* A word that is as long already as these goes on as another one. */
        if (is_cut(&ahead) && (ahead.at != p->at || p->end - p->at < 8)) {
            code = advance(p);
            continue;
        }
        if (*facet) {
            *over = false;
            return STLCLASH_OK;
        }
        if (starts_with(p->at, p->end, "solid", 5)) {
            *solid = true;
            *over = end;
        } else if (starts_with(p->at, p->end, "endsolid", 8)) {
            *over = true;
        }
        end = starts_with(p->at, p->end, "end", 3) && token_end(p->at, p->end) - p->at == 3;
        code = skip_through(p, token_end);
        code = code == STLCLASH_OK ? skip_through(p, skip_blanks) : code;
    }
    return code == STLCLASH_OK ? skip_through(p, skip_space) : code;
}

/* ---- the file --------------------------------------------------------------- */

/* All solids; p->at is at the first. */
static stlclash_code read_solids(parser *p)
{
    bool inside = false, facet, solid, over; /* of a solid; in the line of its name */
    while (p->at < p->end) {
        stlclash_code code = read_whole(p, inside ? read_in_solid : read_solid);
        if (code == STLCLASH_OK && inside && p->in_facet) {
            code = append(p);
            p->over = false;
        } else if (code == STLCLASH_OK) {
            const bool ends = inside && !p->begins;
            code = skip_name(p, &facet, &solid, &over);
            if (code == STLCLASH_OK && ends && facet && !solid) {
                code = fail_behind_solid(p);
            }
            inside = !ends || facet;
            p->over = !ends && over;
        }
        if (code != STLCLASH_OK) {
            return code;
        }
    }
    return inside && !p->over ? fail_expected(p, "\"facet\" or \"endsolid\"") : STLCLASH_OK;
}

const unsigned char *sc_text_start(const unsigned char *bytes, const unsigned char *end)
{
    end = end - bytes > SC_MOST_AT_ONCE ? bytes + SC_MOST_AT_ONCE : end;
    if (end - bytes >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0) {
        bytes += 3;
    }
    return skip_space(bytes, end);
}

bool sc_ascii_begins(const unsigned char *bytes, size_t size)
{
    const unsigned char *end = bytes + size;
    return starts_with(sc_text_start(bytes, end), end, "solid", 5);
}

bool sc_ascii_starts(const unsigned char *bytes, size_t size)
{
    size_t near = size < SC_SIGN_BYTES ? size : SC_SIGN_BYTES;
    return sc_ascii_begins(bytes, size) && !memchr(bytes, 0, near);
}

stlclash_code sc_ascii_read(sc_stream *stream, size_t expected, sc_file *file,
                            stlclash_error *error)
{
    parser p = {.at = sc_text_start(stream->begin, stream->end),
                .end = stream->end,
                .stream = stream,
                .capacity = expected / FACET_BYTES_TYPICAL + 1,
                .error = error};
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
