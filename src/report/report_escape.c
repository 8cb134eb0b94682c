/* report_escape.c - see report_escape.h. */
#include "report_escape.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD in UTF-8 */

/* Bytes of the UTF-8 character that starts here, or 0 where there is none. */
static int utf8_length(const unsigned char *c)
{
    bool leads = c[0] < 0x80 || (c[0] >= 0xc2 && c[0] <= 0xf4);
    int length = c[0] < 0x80 ? 1 : c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : 4;
    if (!leads) {
        return 0;
    }
    for (int i = 1; i < length; i++) {
        if ((c[i] & 0xc0) != 0x80) { /* the terminator included */
            return 0;
        }
    }
    bool overlong = (c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xf0 && c[1] < 0x90);
    bool surrogate = c[0] == 0xed && c[1] >= 0xa0;
    bool too_large = c[0] == 0xf4 && c[1] >= 0x90;
    return overlong || surrogate || too_large ? 0 : length;
}

static bool is_control(unsigned char c)
{
    return c < ' ' || c == 0x7f;
}

/* U+FFFE and U+FFFF are UTF-8 but no characters of XML. */
static bool is_noncharacter(const unsigned char *c, int length)
{
    return length == 3 && c[0] == 0xef && c[1] == 0xbf && c[2] >= 0xbe;
}

/* Calls write_ascii for each ASCII character, and writes the others as they are. */
static void each_character(const char *text, FILE *stream,
                           void (*write_ascii)(unsigned char c, FILE *stream))
{
    for (const unsigned char *c = (const unsigned char *)text; *c;) {
        int length = utf8_length(c);
        if (length == 1) {
            write_ascii(*c, stream);
        } else if (length == 0 || is_noncharacter(c, length)) {
            fputs(REPLACEMENT, stream);
        } else {
            fwrite(c, 1, (size_t)length, stream);
        }
        c += length ? length : 1;
    }
}

void escape_text(const char *text, FILE *stream)
{
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        bool second_set = c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0; /* U+0080 to U+009F */
        c += second_set;
        fputc(second_set || is_control(*c) ? '?' : *c, stream);
    }
}

static void write_json(unsigned char c, FILE *stream)
{
    if (is_control(c)) {
        fprintf(stream, "\\u%04x", c);
    } else {
        fprintf(stream, c == '"' || c == '\\' ? "\\%c" : "%c", c);
    }
}

void escape_json(const char *text, FILE *stream)
{
    for (const unsigned char *c = (const unsigned char *)text; *c;) {
        int length = utf8_length(c);
        if (length == 1) {
            write_json(*c, stream);
        } else if (length == 0) {
            fputs("\\ufffd", stream);
        } else {
            fwrite(c, 1, (size_t)length, stream);
        }
        c += length ? length : 1;
    }
}

char *escape_clean_copy(const char *text)
{
    char *copy = malloc(3 * strlen(text) + 1); /* U+FFFD has three bytes */
    char *end = copy;

    for (const unsigned char *c = (const unsigned char *)text; copy && *c;) {
        int length = utf8_length(c);
        memcpy(end, length ? (const char *)c : REPLACEMENT, length ? (size_t)length : 3);
        end += length ? length : 3;
        c += length ? length : 1;
    }
    if (copy) {
        *end = '\0';
    }
    return copy;
}

static void write_xml(unsigned char c, FILE *stream)
{
    switch (c) {
    case '&': fputs("&amp;", stream); break;
    case '<': fputs("&lt;", stream); break;
    case '>': fputs("&gt;", stream); break;
    case '"': fputs("&quot;", stream); break;
    case '\t':
    case '\n':
    case '\r': fprintf(stream, "&#%d;", c); break; /* or an attribute would have a blank */
    default:
        if (is_control(c)) {
            fputs(REPLACEMENT, stream);
        } else {
            fputc(c, stream);
        }
    }
}

void escape_xml(const char *text, FILE *stream)
{
    each_character(text, stream, write_xml);
}

static void write_markdown(unsigned char c, FILE *stream)
{
    if (c == '&') {
        fputs("&amp;", stream);
    } else if (c == '<') {
        fputs("&lt;", stream);
    } else if (is_control(c)) {
        fputc(c == '\n' || c == '\r' || c == '\t' ? ' ' : '?', stream);
    } else {
        fprintf(stream, strchr("\\`*_{}[]()#+!|~>@:$", c) ? "\\%c" : "%c", c);
    }
}

void escape_markdown(const char *text, FILE *stream)
{
    each_character(text, stream, write_markdown);
}

/* What a spreadsheet takes for the start of a formula, or an apostrophe. The wide
 * forms are those of East Asian keyboards, which some take as well. */
static bool needs_guard(const char *text)
{
    static const char *const wide[] = {"\xef\xbc\x9d", "\xef\xbc\x8b", "\xef\xbc\x8d",
                                       "\xef\xbc\xa0"};
    for (size_t i = 0; i < sizeof wide / sizeof wide[0]; i++) {
        if (strncmp(text, wide[i], 3) == 0) {
            return true;
        }
    }
    return *text && strchr("=+-@'\t\r\n", *text);
}

static void write_csv(unsigned char c, FILE *stream)
{
    if (c == '"') {
        fputs("\"\"", stream);
    } else {
        fputc(is_control(c) && c != '\n' && c != '\r' ? '?' : c, stream);
    }
}

void escape_csv(const char *text, FILE *stream)
{
    bool quotes = strpbrk(text, ",\"\r\n") != NULL;
    fputs(quotes ? "\"" : "", stream);
    fputs(needs_guard(text) ? "'" : "", stream);
    each_character(text, stream, write_csv);
    fputs(quotes ? "\"" : "", stream);
}

static void write_github(unsigned char c, FILE *stream)
{
    if (c == '%' || c == '\r' || c == '\n') {
        fprintf(stream, "%%%02X", c);
    } else {
        fputc(is_control(c) ? '?' : c, stream);
    }
}

void escape_github(const char *text, FILE *stream)
{
    each_character(text, stream, write_github);
}

static void write_github_property(unsigned char c, FILE *stream)
{
    if (c == ':' || c == ',') {
        fprintf(stream, "%%%02X", c);
    } else {
        write_github(c, stream);
    }
}

void escape_github_property(const char *text, FILE *stream)
{
    each_character(text, stream, write_github_property);
}
