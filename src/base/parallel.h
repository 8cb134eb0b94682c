/* parallel.h - the same function on several threads.
 *
 * Blocking, no pool, nothing shared but what the context shares. Threads that
 * cannot be started are done without: thread 0 is the caller, and the function
 * must hand out work such that any of them can do all of it. */
#ifndef SC_PARALLEL_H
#define SC_PARALLEL_H

enum { SC_MAX_THREADS = 256 };

/* Calls work(context, i) for i in 0 .. threads - 1, and returns when all did. */
void sc_parallel(int threads, void (*work)(void *context, int thread), void *context);

/* Calls work(context, i) once for each i in 0 .. items - 1, by as many of the threads as
 * find one to do; one thread does them in order. */
void sc_parallel_items(int threads, int items, void (*work)(void *context, int item),
                       void *context);

/* The processors that this process may use, at least 1. */
int sc_processors(void);

#endif
