/* parallel.h - the same function on several threads.
 *
 * A crew is the caller and threads that it may call upon: they are started when there is first
 * something for them to do, stand by between stretches of work, and end with the crew. Those
 * that cannot be started are done without. NULL is the crew of the caller alone. */
#ifndef SC_PARALLEL_H
#define SC_PARALLEL_H

#include <stdint.h>

enum { SC_MAX_THREADS = 256 };

typedef struct sc_crew sc_crew;

/* So many threads with the caller; NULL for one, or if memory ran out. */
sc_crew *sc_crew_new(int threads);
void sc_crew_free(sc_crew *crew);

/* With the caller; at least 1. */
int sc_crew_threads(const sc_crew *crew);

/* Calls work(context, i) once for each i in 0 .. items - 1 and returns when all are done: 0 by the
 * caller, the others in order, each by the next thread that is free. For one caller at a time; from
 * within such work, the calling thread does all of it. */
void sc_crew_items(sc_crew *crew, int items, void (*work)(void *context, int item), void *context);

/* The crew where work that takes about so long is worth waking it, or starting it; else NULL.
 * `later`: about how long what follows takes, for which it would be started anyway. */
sc_crew *sc_crew_for(sc_crew *crew, uint64_t nanoseconds);
sc_crew *sc_crew_ahead_of(sc_crew *crew, uint64_t nanoseconds, uint64_t later);

/* The same with a crew of so many threads for this once. */
void sc_parallel(int threads, void (*work)(void *context, int thread), void *context);

/* So many as an option asks for; where that is 0, as many as this process may use processors, or
 * the time of (quota.h). At least 1, at most SC_MAX_THREADS. */
int sc_threads(int asked);

#endif
