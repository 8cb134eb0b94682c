/* option_unknown.h - what is wrong with an option that getopt_long does not take. */
#ifndef CLI_OPTION_UNKNOWN_H
#define CLI_OPTION_UNKNOWN_H

/* Where it returned '?' for the argument: one line on standard error, for an option that is
 * unknown, ambiguous, or given a value in vain. Reads optopt. */
void option_explain_unknown(const char *argument);

#endif
