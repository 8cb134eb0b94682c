/* option_unknown.h - what is wrong with an option that getopt_long does not take, or would take for
 * others. */
#ifndef CLI_OPTION_UNKNOWN_H
#define CLI_OPTION_UNKNOWN_H

#include <stdbool.h>

/* A long option with one dash too few, like -quick, is a row of letters to getopt_long, and might
 * pass: true, and one line on standard error. (-help may pass.) */
bool option_explain_one_dash(const char *argument);

/* Where it returned '?': one line on standard error, for an option that is unknown, ambiguous, or
 * given a value in vain, or a file whose name begins with a dash. Reads optind and optopt. */
void option_explain_unknown(char *const *argv);

#endif
