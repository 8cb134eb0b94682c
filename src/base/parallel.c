/* parallel.c - see parallel.h. */
#define _GNU_SOURCE /* sched_getaffinity: a container may own fewer cores than exist */
#include "parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

typedef struct task {
    void (*work)(void *context, int thread);
    void *context;
    int thread;
} task;

static void *run(void *argument)
{
    task *t = argument;
    t->work(t->context, t->thread);
    return NULL;
}

void sc_parallel(int threads, void (*work)(void *context, int thread), void *context)
{
    pthread_t ids[SC_MAX_THREADS];
    task tasks[SC_MAX_THREADS];
    int started = 1;

    while (started < threads && started < SC_MAX_THREADS) {
        tasks[started] = (task){work, context, started};
        if (pthread_create(&ids[started], NULL, run, &tasks[started]) != 0) {
            break;
        }
        started++;
    }
    work(context, 0);
    for (int i = 1; i < started; i++) {
        pthread_join(ids[i], NULL);
    }
}

typedef struct item_list {
    void (*work)(void *context, int item);
    void *context;
    int count;
    atomic_int next;
} item_list;

static void take_items(void *context, int thread)
{
    item_list *list = context;
    (void)thread;
    for (int i = atomic_fetch_add(&list->next, 1); i < list->count;
         i = atomic_fetch_add(&list->next, 1)) {
        list->work(list->context, i);
    }
}

void sc_parallel_items(int threads, int items, void (*work)(void *context, int item), void *context)
{
    item_list list = {.work = work, .context = context, .count = items};
    sc_parallel(threads < items ? threads : items, take_items, &list);
}

int sc_processors(void)
{
#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        return CPU_COUNT(&set);
    }
#endif
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (int)online : 1;
}
