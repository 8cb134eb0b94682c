/* baseline.h - a former JSON report, against which only new and worse failures fail. */
#ifndef CLI_BASELINE_H
#define CLI_BASELINE_H

#include "report/report.h"

#include <stdbool.h>

typedef struct baseline baseline;

/* Reads a report. Prints one line and returns NULL where the file is no report of this
 * schema. The path must outlive the baseline. */
baseline *baseline_read(const char *path);

/* Sets `change` and `pass` of pairs[pair_count], which are those of the report, and
 * its `baseline` and `resolved`, which live as long as the baseline. Prints one line
 * and returns false where the baseline has parts that the report lacks, or is of other options or
 * rules: those that match no pair of its parts may have come. */
bool baseline_compare(baseline *old, struct report *report, report_pair *pairs);

void baseline_free(baseline *old);

#endif
