/* progress.c - see progress.h. */
#include "progress.h"

#include "process.h"

#include <math.h>
#include <stdio.h>

enum { BAR_WIDTH = 40 };

progress progress_start(double patience)
{
    return (progress){.start = process_seconds(), .patience = patience};
}

bool progress_update(void *context, double done)
{
    progress *bar = context;
    double now = process_seconds();

    /* Ten drawings a second are smooth, and few enough to cost nothing. */
    if (now - bar->start < bar->patience || (bar->drawn && now - bar->shown < 0.1)) {
        return true;
    }
    bar->shown = now;
    bar->drawn = true;

    static const char full[BAR_WIDTH + 1] = "########################################";
    done = fmin(fmax(done, 0.0), 1.0);
    fprintf(stderr, "\rchecking [%-*.*s] %3d %%", BAR_WIDTH, (int)(done * BAR_WIDTH), full,
            (int)(done * 100));
    fflush(stderr);
    return true;
}

void progress_end(progress *bar)
{
    if (bar->drawn) {
        fprintf(stderr, "\r%*s\r", BAR_WIDTH + 20, ""); /* blanks: any terminal knows them */
        bar->drawn = false;
    }
}
