/* watch.h - the time that a check may take, for those who work on it: any thread may ask.
 *
 * Once it is over, it stays so. Work that asks in the middle ends as if memory had run out; who
 * began it looks at the watch to tell the two apart. */
#ifndef SC_WATCH_H
#define SC_WATCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

typedef struct sc_watch {
    struct timespec start;
    double seconds; /* 0: no end */
    atomic_bool over;
} sc_watch;

/* Looks at the clock, unless there is no need. NULL is never over. */
bool sc_watch_is_over(sc_watch *watch);

/* Whether it was seen to be over: as those that gave up saw it. */
static inline bool sc_watch_was_over(const sc_watch *watch)
{
    return watch && atomic_load_explicit(&watch->over, memory_order_relaxed);
}

/* The same as sc_watch_is_over, at every 64th step of a loop. */
static inline bool sc_watch_ends(sc_watch *watch, size_t step)
{
    enum { STEPS_A_LOOK = 64 };
    return step % STEPS_A_LOOK == 0 && sc_watch_is_over(watch);
}

#endif
