/* progress.h - a bar on standard error while a check runs. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct progress {
    double start, shown; /* process_seconds() at the start and at the last drawing */
    double patience;     /* seconds before the bar appears */
    int width;           /* of what is drawn now, 0: nothing */
} progress;

progress progress_start(double patience);

/* A stlclash_options.progress; context is a progress. Never ends the check. */
bool progress_update(void *context, double done);

/* The same for many pairs: those done, all, and those done that fail. */
bool progress_update_pairs(progress *bar, double done, uint64_t pairs_done, uint64_t pairs,
                           uint64_t failed);

/* Takes the bar away again. */
void progress_end(progress *bar);

#endif
