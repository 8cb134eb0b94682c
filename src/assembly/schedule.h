/* schedule.h - in which order the pairs of an assembly are checked, so that threads have
 * equal shares and files are read again as seldom as memory allows. */
#ifndef SC_SCHEDULE_H
#define SC_SCHEDULE_H

#include "store.h"

/* A pair to be checked. */
typedef struct sc_task {
    size_t job;       /* its number with the caller */
    uint32_t file[2]; /* of its parts, in the store */
    uint64_t weight;  /* a guess at the work */
} sc_task;

/* Puts `count` tasks, in the order of their jobs, into the order of the schedule: first
 * *large ones that are worth all `threads` each, then small ones, one thread each. Among
 * these, where the `files` of the store do not fit into memory together, by tiles of files
 * that do; else as they were. False if memory ran out. */
bool sc_schedule(sc_task *tasks, size_t count, const sc_store *store, size_t files, int threads,
                 size_t *large);

#endif
