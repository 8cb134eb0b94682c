/* progress.h - a bar on standard error while a check runs. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>

typedef struct progress {
    double start, shown; /* process_seconds() at the start and at the last drawing */
    double patience;     /* seconds before the bar appears */
    bool drawn;
} progress;

progress progress_start(double patience);

/* A stlclash_options.progress; context is a progress. Never ends the check. */
bool progress_update(void *context, double done);

/* Takes the bar away again. */
void progress_end(progress *bar);

#endif
