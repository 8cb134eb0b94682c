/* progress.c - see progress.h. */
#include "progress.h"

#include "base/real.h"
#include "process.h"

#include <inttypes.h>
#include <stdio.h>

enum { BAR_WIDTH = 40, NARROW_BAR_WIDTH = 16 };

progress progress_start(double patience)
{
    return (progress){.start = process_seconds(), .patience = patience};
}

/* Ten drawings a second are smooth, and few enough to cost nothing. */
static bool is_time(progress *bar, double now)
{
    if (now - bar->start < bar->patience || (bar->width > 0 && now - bar->shown < 0.1)) {
        return false;
    }
    bar->shown = now;
    return true;
}

/* Draws over what is there; blanks take away the rest of it, for any terminal knows them. */
static void draw(progress *bar, double done, int bar_width, const char *remark)
{
    static const char full[BAR_WIDTH + 1] = "########################################";
    int width = fprintf(stderr, "\rchecking [%-*.*s] %3d %%%s", bar_width, (int)(done * bar_width),
                        full, (int)(done * 100), remark) -
                1;
    if (width < bar->width) {
        fprintf(stderr, "%*s", bar->width - width, "");
    }
    bar->width = width > bar->width ? width : bar->width;
    fflush(stderr);
}

bool progress_update(void *context, double done)
{
    progress *bar = context;
    if (is_time(bar, process_seconds())) {
        draw(bar, sc_fmin(sc_fmax(done, 0.0), 1.0), BAR_WIDTH, "");
    }
    return true;
}

/* "3 min left"; nothing where too little is done to tell. */
static void time_left(char *text, size_t size, double passed, double done)
{
    double seconds = passed / done - passed;
    text[0] = '\0';
    if (done < 0.01 || passed < 1.0 || !(seconds < 1e6)) {
        return;
    }
    if (seconds < 100.0) {
        snprintf(text, size, ", %.0f s left", sc_ceil(seconds));
    } else if (seconds < 6000.0) {
        snprintf(text, size, ", %.0f min left", sc_ceil(seconds / 60.0));
    } else {
        snprintf(text, size, ", %.0f h left", sc_ceil(seconds / 3600.0));
    }
}

bool progress_update_pairs(progress *bar, double done, uint64_t pairs_done, uint64_t pairs,
                           uint64_t failed)
{
    double now = process_seconds();
    char remark[128], left[32];

    if (is_time(bar, now)) {
        done = sc_fmin(sc_fmax(done, 0.0), 1.0);
        time_left(left, sizeof left, now - bar->start, done);
        snprintf(remark, sizeof remark, " %" PRIu64 "/%" PRIu64 " pairs, %" PRIu64 " fail%s",
                 pairs_done, pairs, failed, left);
        draw(bar, done, NARROW_BAR_WIDTH, remark);
    }
    return true;
}

void progress_end(progress *bar)
{
    if (bar->width > 0) {
        fprintf(stderr, "\r%*s\r", bar->width, "");
        bar->width = 0;
    }
}
