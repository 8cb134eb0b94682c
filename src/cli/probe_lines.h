/* probe_lines.h - a file of probes, one in each line, as it comes. */
#ifndef CLI_PROBE_LINES_H
#define CLI_PROBE_LINES_H

#include "stlclash.h"

/* Who takes the probes. Returning false ends the reading. */
typedef struct probe_taker {
    bool (*take)(void *context, const stlclash_probe *probe, uint64_t line);
    bool (*pause)(void *context); /* no more has come so far: a pipe may wait for answers */
    void *context;
    uint64_t unread; /* counted here: lines that are no probe */
} probe_taker;

/* Reads the file, "-" is standard input. Empty lines and those that begin with '#' are left
 * out; one that is no probe is told on standard error, with its number, and counted. False
 * where the file cannot be read, after a line on standard error, or where the taker said so. */
bool probe_lines_read(const char *file, probe_taker *taker);

#endif
