/* watch.c - see watch.h. */
#include "watch.h"

static bool is_past(const sc_watch *watch)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - watch->start.tv_sec) +
               1e-9 * (double)(now.tv_nsec - watch->start.tv_nsec) >
           watch->seconds;
}

bool sc_watch_is_over(sc_watch *watch)
{
    if (!watch || sc_watch_was_over(watch)) {
        return watch != NULL;
    }
    if (!(watch->seconds > 0.0) || !is_past(watch)) {
        return false;
    }
    atomic_store_explicit(&watch->over, true, memory_order_relaxed);
    return true;
}
