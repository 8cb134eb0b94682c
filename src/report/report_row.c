/* report_row.c - see report_row.h. */
#include "report_row.h"

#include "base/real.h"
#include "report_number.h"

#include <string.h>

enum { LINE_LENGTH = 90, REMARK_COLUMN = 26 };

void row_name(const row_page *page, const char *name)
{
    page->escape(name, page->stream);
}

static size_t columns_of(const char *text, size_t length)
{
    size_t columns = 0;
    for (size_t i = 0; i < length; i++) {
        columns += ((unsigned char)text[i] & 0xc0) != 0x80;
    }
    return columns;
}

size_t row_columns(const char *text)
{
    return columns_of(text, strlen(text));
}

void row_value(const row_page *page, const char *label, const char *value)
{
    fprintf(page->stream, "  %-12s  ", label);
    row_name(page, value);
    fputc('\n', page->stream);
}

/* A piece of a text from outside. Longer ones go out in parts that end with a
 * character. */
static void write_piece(const row_page *page, const char *text, size_t length)
{
    char part[512];
    while (length > 0) {
        size_t size = length < sizeof part ? length : sizeof part - 1;
        while (size < length && size > 1 && ((unsigned char)text[size] & 0xc0) == 0x80) {
            size--;
        }
        memcpy(part, text, size);
        part[size] = '\0';
        row_name(page, part);
        text += size;
        length -= size;
    }
}

void row_wrapped(const row_page *page, const char *text, int indent, int column, int width)
{
    for (;;) {
        size_t word = strcspn(text, " ");
        write_piece(page, text, word);
        column += (int)columns_of(text, word);
        text += word;
        if (!*text) {
            break;
        }
        text++; /* the blank, which becomes a line end where the next word is too long */
        if (column + 1 + (int)columns_of(text, strcspn(text, " ")) > width) {
            column = fprintf(page->stream, "\n%*s", indent, "") - 1;
        } else {
            column += fprintf(page->stream, " ");
        }
    }
    fputc('\n', page->stream);
}

void row_sentence(const row_page *page, const char *label, const char *about, const char *text)
{
    int indent = fprintf(page->stream, "  %-12s  ", label);
    char before[ROW_VALUE_SIZE] = "";

    if (about) {
        snprintf(before, sizeof before, "%.100s: ", about);
    }
    row_name(page, before);
    row_wrapped(page, text, indent, indent + (int)row_columns(before), LINE_LENGTH);
}

void row_start(const row_page *page, const char *label, const char *value)
{
    fprintf(page->stream, "  %-12s  ", label);
    row_name(page, value);
    int length = (int)row_columns(value);
    fprintf(page->stream, "%*s  ", length < REMARK_COLUMN ? REMARK_COLUMN - length : 0, "");
}

void row_word(const row_page *page, const char *word, const char *color)
{
    if (page->color) {
        fprintf(page->stream, "\033[%sm%-9s\033[0m", color, word);
    } else {
        fprintf(page->stream, "%-9s", word);
    }
}

void row_status(const row_page *page, stlclash_status status)
{
    static const struct {
        const char *word, *color;
    } looks[] = {
        [STLCLASH_UNDECIDED] = {"UNDECIDED", "35"}, [STLCLASH_CLASH] = {"CLASH", "1;31"},
        [STLCLASH_CONTACT] = {"CONTACT", "36"},     [STLCLASH_NEAR] = {"NEAR", "33"},
        [STLCLASH_CLEAR] = {"CLEAR", "32"},
    };
    row_word(page, looks[status].word, looks[status].color);
}

const char *row_with_unit(char text[ROW_VALUE_SIZE], const row_page *page, const char *number,
                          int power)
{
    static const char *const powers[] = {"", "", "^2", "^3"};
    const char *units = page->report->units;
    snprintf(text, ROW_VALUE_SIZE, "%s%s%.64s%s", number, units ? " " : "", units ? units : "",
             units ? powers[power] : "");
    return text;
}

const char *row_number(char text[ROW_VALUE_SIZE], const row_page *page, double value, int power)
{
    char number[NUMBER_SIZE];
    return row_with_unit(text, page, number_rounded(number, value), power);
}

const char *row_error(char text[ROW_VALUE_SIZE], const row_page *page, double error, int power)
{
    char number[NUMBER_SIZE];
    return row_with_unit(text, page, number_error(number, error), power);
}

const char *row_vector(char text[ROW_VALUE_SIZE], const double v[3])
{
    char x[NUMBER_SIZE], y[NUMBER_SIZE], z[NUMBER_SIZE];
    snprintf(text, ROW_VALUE_SIZE, "%s %s %s", number_rounded(x, v[0]), number_rounded(y, v[1]),
             number_rounded(z, v[2]));
    return text;
}

/* The same, but 0 for what is less than a fraction of the largest of them. */
static const char *rounded_vector(char text[ROW_VALUE_SIZE], const double v[3], double fraction)
{
    const double largest = sc_fmax(sc_fmax(fabs(v[0]), fabs(v[1])), fabs(v[2]));
    double cleaned[3];
    for (int k = 0; k < 3; k++) {
        cleaned[k] = fabs(v[k]) < fraction * largest ? 0.0 : v[k];
    }
    return row_vector(text, cleaned);
}

const char *row_point(char text[ROW_VALUE_SIZE], const double point[3])
{
    return rounded_vector(text, point, 1e-10);
}

const char *row_way(char text[ROW_VALUE_SIZE], const double v[3])
{
    return rounded_vector(text, v, 1e-7);
}

const char *row_direction(char text[ROW_VALUE_SIZE], const double v[3])
{
    double cleaned[3];
    for (int k = 0; k < 3; k++) {
        cleaned[k] = fabs(v[k]) < 0.5e-5 ? 0.0 : v[k];
    }
    snprintf(text, ROW_VALUE_SIZE, "%.5g %.5g %.5g", cleaned[0], cleaned[1], cleaned[2]);
    return text;
}
