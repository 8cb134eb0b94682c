/* A crew: every item once, item 0 by the caller, whoever else is awake; and what it must not
 * change. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "base/alloc.h"
#include "base/parallel.h"
#include "test.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

enum { MOST_ITEMS = 60 };

typedef struct stretch {
    pthread_t caller;
    sc_crew *crew;
    atomic_int done[MOST_ITEMS], inner; /* how often */
    bool by_caller;                     /* item 0 */
    int pauses;                         /* in each item */
} stretch;

static void pause_for(int microseconds)
{
    struct timespec time = {0, 1000L * microseconds};
    nanosleep(&time, NULL);
}

static void count_inner(void *context, int item)
{
    (void)item;
    atomic_fetch_add(&((stretch *)context)->inner, 1);
}

static void count(void *context, int item)
{
    stretch *s = context;
    for (int i = 0; i < s->pauses; i++) {
        pause_for(10);
    }
    if (item == 0) {
        s->by_caller = pthread_equal(pthread_self(), s->caller);
    }
    sc_crew_items(s->crew, 3, count_inner, s); /* a stretch within one */
    atomic_fetch_add(&s->done[item], 1);
}

static void try_stretch(sc_crew *crew, int items, int pauses)
{
    stretch s = {.caller = pthread_self(), .crew = crew, .pauses = pauses};
    sc_crew_items(crew, items, count, &s);
    for (int i = 0; i < MOST_ITEMS; i++) {
        CHECK_INT(s.done[i], i < items);
    }
    CHECK_INT(s.inner, 3 * items);
    CHECK(items == 0 || s.by_caller, "item 0 of %d by another thread", items);
}

TEST(a_crew_does_every_item_once)
{
    for (int threads = 0; threads < 7; threads++) {
        sc_crew *crew = sc_crew_new(threads);
        CHECK_INT(sc_crew_threads(crew), threads < 1 ? 1 : threads);
        for (int i = 0; i < test_rounds(1000); i++) {
            try_stretch(crew, (int)test_below(MOST_ITEMS + 1), test_below(20) == 0);
            if (test_below(50) == 0) {
                pause_for(300); /* so that they go to sleep */
            }
        }
        sc_crew_free(crew);
    }
}

enum { SIDE_BY_SIDE = 4 };

typedef struct meeting {
    pthread_t by[SIDE_BY_SIDE];
    atomic_int begun;
} meeting;

/* Each waits for all others, a minute at most: however busy the machine is, none takes two. */
static void meet_others(void *context, int item)
{
    meeting *m = context;
    m->by[item] = pthread_self();
    atomic_fetch_add(&m->begun, 1);
    for (int i = 0; i < 60000 && m->begun < SIDE_BY_SIDE; i++) {
        pause_for(1000);
    }
}

TEST(a_crew_works_side_by_side)
{
    meeting m = {.begun = 0};
    sc_crew *crew = sc_crew_new(SIDE_BY_SIDE);
    sc_crew_items(crew, SIDE_BY_SIDE, meet_others, &m);
    for (int i = 1; i < SIDE_BY_SIDE; i++) {
        CHECK(!pthread_equal(m.by[0], m.by[i]), "one thread did items 0 and %d", i);
    }
    sc_crew_free(crew);
}

#if defined(__linux__)

static void note_thread(void *context, int item)
{
    /* Long enough for each to take one, and for the caller to wait for those that sleep. */
    pause_for(item == 0 ? 2000 : 4000);
    ((pthread_t *)context)[item] = pthread_self();
}

/* Threads are moved when they start, and when the caller waits for some that do not run: after that
 * they may run wherever the caller may. It moves them, so it alone may look without seeing one on
 * its way. */
static void try_processors(const cpu_set_t *mine)
{
    enum { THREADS = 5 };
    pthread_t id[THREADS];
    sc_crew *crew = sc_crew_new(THREADS);
    for (int round = 0; round < 3; round++) { /* starts them; some were waited for; again */
        sc_crew_items(crew, THREADS, note_thread, id);
        for (int i = 0; i < THREADS; i++) {
            cpu_set_t seen;
            CHECK_INT(pthread_getaffinity_np(id[i], sizeof seen, &seen), 0);
            CHECK(CPU_EQUAL(&seen, mine), "round %d, thread with item %d: %d processors of %d",
                  round, i, CPU_COUNT(&seen), CPU_COUNT(mine));
        }
    }
    sc_crew_free(crew);
}

TEST(a_crew_runs_where_its_caller_may)
{
    cpu_set_t all, one;
    CHECK_INT(sched_getaffinity(0, sizeof all, &all), 0);
    try_processors(&all);
    for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        CPU_ZERO(&one);
        CPU_SET(cpu, &one);
        if (CPU_ISSET(cpu, &all) && sched_setaffinity(0, sizeof one, &one) == 0) {
            try_processors(&one);
        }
    }
    CHECK_INT(sched_setaffinity(0, sizeof all, &all), 0);
}

#endif

TEST(a_crew_that_has_nothing_to_do)
{
    sc_crew *crew = sc_crew_new(3);
    CHECK(sc_crew_for(crew, 0) == NULL && sc_crew_for(crew, UINT64_MAX) == crew, "worth waking");
    CHECK(sc_crew_ahead_of(crew, 0, UINT64_MAX / 2) == NULL &&
              sc_crew_ahead_of(crew, 200000, 0) == NULL &&
              sc_crew_ahead_of(crew, 200000, UINT64_MAX / 2) == crew,
          "worth starting for what is to come");
    sc_crew_free(crew);
    sc_alloc_fail_at(1);
    CHECK(sc_crew_new(3) == NULL, "without memory, the caller is alone");
    sc_alloc_fail_at(0);
    sc_crew_free(NULL);
}
