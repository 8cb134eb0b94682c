/* report_row.h - rows of text for people: "  label         value   remark".
 *
 * What comes from outside goes through the page's escape, so that the same rows can
 * stand in XML. Numbers are rounded to seven digits, which is what a float can tell;
 * JSON has them in full. */
#ifndef REPORT_ROW_H
#define REPORT_ROW_H

#include "report.h"
#include "report_escape.h"

enum { ROW_VALUE_SIZE = 128 };

typedef struct row_page {
    FILE *stream;
    const struct report *report;
    report_escape *escape;
    bool color;
    bool brief; /* one block of many: no list of triangles, no long names again */
} row_page;

/* "  label         value" */
void row_value(const row_page *page, const char *label, const char *value);

/* A text in lines of at most `width` columns where its words allow that. It starts in
 * `column`, and further lines have an indent. */
void row_wrapped(const row_page *page, const char *text, int indent, int column, int width);

/* A label and a sentence, in lines of a length that reads well; in front of it the name of the
 * part that it is about, or NULL. */
void row_sentence(const row_page *page, const char *label, const char *about, const char *text);

/* "  label         value                     ", for a remark to follow. */
void row_start(const row_page *page, const char *label, const char *value);

/* The columns that a text takes, as far as one is a character of UTF-8. */
size_t row_columns(const char *text);

/* A text from outside. */
void row_name(const row_page *page, const char *name);

/* A word in the colour that terminals number so; padded to nine columns. */
void row_word(const row_page *page, const char *word, const char *color);

/* The same of a status, in capitals. */
void row_status(const row_page *page, stlclash_status status);

/* A number with its unit: of a length (power 1), an area (2) or a volume (3). */
const char *row_with_unit(char text[ROW_VALUE_SIZE], const row_page *page, const char *number,
                          int power);
const char *row_number(char text[ROW_VALUE_SIZE], const row_page *page, double value, int power);

/* A bound of an error, rounded up. */
const char *row_error(char text[ROW_VALUE_SIZE], const row_page *page, double error, int power);

/* Numbers as they are. */
const char *row_vector(char text[ROW_VALUE_SIZE], const double v[3]);

/* A point that was computed: what is next to nothing beside its largest coordinate is what rounding
 * left of 0. */
const char *row_point(char text[ROW_VALUE_SIZE], const double point[3]);

/* A way from one point to another; what is far below its length is rounding. */
const char *row_way(char text[ROW_VALUE_SIZE], const double v[3]);

/* A unit vector, to five digits. */
const char *row_direction(char text[ROW_VALUE_SIZE], const double v[3]);

#endif
