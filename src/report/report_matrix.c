/* report_matrix.c - see report_matrix.h. */
#include "report_matrix.h"

#include "report_pair.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_WIDTH = 80, SHORTEST_NAME = 4 };

/* In the order of the legend. A capital is a pair that fails. */
static const struct cell {
    char letter;
    const char *color, *meaning;
} cells_known[] = {
    {'?', "35", "undecided"},
    {'X', "1;31", "clash"},
    {'C', "36", "contact that fails"},
    {'N', "33", "near"},
    {'x', "31", "clash that passes"},
    {'c', "36", "contact"},
    {'n', "33", "near, but known"},
    {'.', "32", "clear"},
    {'-', "2", "ignored"},
};
enum { CELLS_KNOWN = sizeof cells_known / sizeof cells_known[0] };

static bool has_matrix(const struct report *report)
{
    return report->part_count >= 3 && report->part_count <= MATRIX_MOST_PARTS;
}

static char letter_of(const report_pair *pair)
{
    char letter = '?';

    if (pair->ignored) {
        return '-';
    }
    switch (report_pair_status(pair)) {
    case STLCLASH_UNDECIDED: return '?';
    case STLCLASH_CLASH: letter = 'x'; break;
    case STLCLASH_CONTACT: letter = 'c'; break;
    case STLCLASH_NEAR: letter = 'n'; break;
    case STLCLASH_CLEAR: return '.';
    }
    return report_pair_fails(pair) ? (char)toupper(letter) : letter;
}

char *report_matrix_make(const struct report *report)
{
    size_t count = has_matrix(report) ? report->part_count : 1;
    char *cells = malloc(count * count);
    if (!cells || !has_matrix(report)) {
        return cells;
    }
    /* A pair that is not listed is clear by its boxes, or ignored far away. */
    memset(cells, report->clear_unlisted > 0 ? '.' : '-', count * count);
    for (size_t i = 0; i < report->pair_count; i++) {
        const report_pair *pair = &report->pairs[i];
        size_t a = (size_t)(pair->a - report->parts), b = (size_t)(pair->b - report->parts);
        cells[a < b ? a * count + b : b * count + a] = letter_of(pair);
    }
    return cells;
}

/* Characters of UTF-8 text that a name of so many columns can show. */
static size_t bytes_of_columns(const char *name, size_t columns)
{
    size_t length = 0;
    while (name[length] && columns > 0) {
        length++;
        while (((unsigned char)name[length] & 0xc0) == 0x80) {
            length++;
        }
        columns--;
    }
    return length;
}

/* The name in exactly so many columns; a long one is cut, with a mark. Nothing follows
 * the last one. */
static void print_name(const row_page *page, const char *name, size_t width, bool last)
{
    char shown[4 * LINE_WIDTH];
    bool cut = row_columns(name) > width;
    size_t bytes = bytes_of_columns(name, cut ? width - 1 : width);

    bytes = bytes < sizeof shown ? bytes : sizeof shown - 1;
    memcpy(shown, name, bytes);
    shown[bytes] = '\0';
    row_name(page, shown);
    fputs(cut ? "~" : "", page->stream);
    fprintf(page->stream, "%*s", cut || last ? 0 : (int)(width - row_columns(name)), "");
}

static void print_letter(const row_page *page, char letter)
{
    const struct cell *cell = cells_known;
    while (cell->letter != letter) {
        cell++;
    }
    if (page->color) {
        fprintf(page->stream, " \033[%sm%c\033[0m", cell->color, letter);
    } else {
        fprintf(page->stream, " %c", letter);
    }
}

/* The numbers of the columns, tens above ones. */
static void print_heading(const row_page *page, size_t width)
{
    size_t count = page->report->part_count;
    for (size_t unit = count >= 10 ? 10 : 1; unit > 0; unit /= 10) {
        fprintf(page->stream, "%*s", (int)width + 6, "");
        for (size_t j = 1; j <= count; j++) {
            if (j >= unit) {
                fprintf(page->stream, " %zu", j / unit % 10);
            } else {
                fputs("  ", page->stream);
            }
        }
        fputc('\n', page->stream);
    }
}

static bool occurs(char letter, const char *cells, size_t count)
{
    for (size_t i = 0; i + 1 < count; i++) {
        if (memchr(&cells[i * count + i + 1], letter, count - i - 1)) {
            return true;
        }
    }
    return false;
}

static void print_legend(const row_page *page, const char *cells)
{
    const struct report *report = page->report;
    size_t column = 0;

    fputc('\n', page->stream);
    for (size_t k = 0; k < CELLS_KNOWN; k++) {
        const struct cell *cell = &cells_known[k];
        bool apart = cell->letter == '.' && report->ignored_unlisted > 0;
        const char *more = apart ? ", or ignored and apart" : "";
        if (!occurs(cell->letter, cells, report->part_count)) {
            continue;
        }
        size_t length = 5 + strlen(cell->meaning) + strlen(more);
        if (column > 0 && column + length > LINE_WIDTH) {
            fputc('\n', page->stream);
            column = 0;
        }
        fputs(column == 0 ? "   " : "  ", page->stream);
        print_letter(page, cell->letter);
        fprintf(page->stream, " %s%s", cell->meaning, more);
        column += length;
    }
    fputc('\n', page->stream);
}

void report_matrix_print(const row_page *page, const char *cells)
{
    const struct report *report = page->report;
    size_t count = report->part_count, width = SHORTEST_NAME;
    if (!has_matrix(report)) {
        return;
    }
    size_t most = LINE_WIDTH - 6 - 2 * count; /* in front of the letters */
    for (size_t i = 0; i < count; i++) {
        size_t columns = row_columns(report->parts[i].name);
        width = columns > width ? columns : width;
    }
    width = width < most ? width : most;

    fputc('\n', page->stream);
    print_heading(page, width);
    for (size_t i = 0; i < count; i++) {
        fprintf(page->stream, "  %2zu  ", i + 1);
        print_name(page, report->parts[i].name, width, i + 1 == count);
        fprintf(page->stream, "%*s", i + 1 < count ? 2 * ((int)i + 1) : 0, "");
        for (size_t j = i + 1; j < count; j++) {
            print_letter(page, cells[i * count + j]);
        }
        fputc('\n', page->stream);
    }
    print_legend(page, cells);
}
