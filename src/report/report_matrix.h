/* report_matrix.h - an assembly at a glance: a letter for each pair of parts. */
#ifndef REPORT_MATRIX_H
#define REPORT_MATRIX_H

#include "report_row.h"

enum { MATRIX_MOST_PARTS = 30 }; /* more do not fit into 80 columns */

/* The letters, row by row, for report_matrix_print; the caller frees them. NULL:
 * memory is short. Not NULL where there is no matrix. */
char *report_matrix_make(const struct report *report);

/* The upper triangle and a legend; nothing for too many parts, or fewer than three. */
void report_matrix_print(const row_page *page, const char *cells);

#endif
