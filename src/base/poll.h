/* poll.h - who is asked now and then whether to go on, on the thread that began the work. */
#ifndef SC_POLL_H
#define SC_POLL_H

#include <stdbool.h>

/* Zero: nobody is asked, and it always goes on. */
typedef struct sc_poll {
    bool (*ask)(void *context); /* false: give up */
    void *context;
} sc_poll;

static inline bool sc_poll_goes_on(const sc_poll *poll)
{
    return !poll->ask || poll->ask(poll->context);
}

#endif
