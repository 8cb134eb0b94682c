/* list_pairs.h - what a run would check, and why: the pairs before anything is checked. */
#ifndef CLI_LIST_PAIRS_H
#define CLI_LIST_PAIRS_H

#include "report/report.h"

/* The format in which such a list takes the place of a report in `format`; NULL: there is
 * none. */
const report_format *list_pairs_format(const report_format *format);

#endif
