/* report_id.h - a name for a pair that stays the same from report to report. */
#ifndef REPORT_ID_H
#define REPORT_ID_H

enum { REPORT_ID_SIZE = 17 }; /* 16 hexadecimal digits and the terminator */

/* Depends on the two names only, and not on their order. Two pairs have the same id
 * with a chance of 2^-64 each, and where somebody has worked at it. Returns id. */
const char *report_id(char id[REPORT_ID_SIZE], const char *name_a, const char *name_b);

#endif
