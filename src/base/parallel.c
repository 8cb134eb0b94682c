/* parallel.c - see parallel.h. */
#define _GNU_SOURCE /* sched_getaffinity: a container may own fewer cores than exist */
#include "parallel.h"

#include "alloc.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

/* How often a thread looks at a variable that is about to change before it goes to sleep: for about
 * as long as it takes to wake one, a tenth of a millisecond. */
enum { PATIENCE = 3000 };

/* One stretch of work; its number is the upper half of sc_crew.next. */
typedef struct stretch {
    void (*work)(void *context, int item);
    void *context;
    uint32_t items;
    uint32_t number;
} stretch;

struct sc_crew {
    int threads, started; /* with the caller; without */
    pthread_t id[SC_MAX_THREADS];
    pthread_mutex_t lock;
    pthread_cond_t more, done;
    stretch now;           /* under the lock */
    bool over;             /* under the lock */
    int asleep;            /* under the lock: threads that wait for more */
    atomic_uint number;    /* that of `now` */
    _Atomic uint64_t next; /* number << 32 | item */
    atomic_uint left;      /* items that are not done */
    atomic_bool busy;
};

/* ---- the threads --------------------------------------------------------- */

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* The next item of a stretch; false if none is left, or the stretch is over. */
static bool take(sc_crew *crew, const stretch *s, uint32_t *item)
{
    uint64_t at = atomic_load(&crew->next);
    do {
        *item = (uint32_t)at;
        if (at >> 32 != s->number || *item >= s->items) {
            return false;
        }
    } while (!atomic_compare_exchange_weak(&crew->next, &at, at + 1));
    return true;
}

static void do_item(sc_crew *crew, const stretch *s, uint32_t item)
{
    s->work(s->context, (int)item);
    if (atomic_fetch_sub(&crew->left, 1) == 1) {
        pthread_mutex_lock(&crew->lock);
        pthread_cond_signal(&crew->done);
        pthread_mutex_unlock(&crew->lock);
    }
}

static void do_items(sc_crew *crew, const stretch *s)
{
    uint32_t item;
    while (take(crew, s, &item)) {
        do_item(crew, s, item);
    }
}

/* Waits for a stretch after number `last`; false at the end. */
static bool wait_for_more(sc_crew *crew, uint32_t last, stretch *s)
{
    for (int i = 0; i < PATIENCE && atomic_load(&crew->number) == last; i++) {
        relax();
    }
    pthread_mutex_lock(&crew->lock);
    crew->asleep++;
    while (!crew->over && crew->now.number == last) {
        pthread_cond_wait(&crew->more, &crew->lock);
    }
    crew->asleep--;
    *s = crew->now;
    bool more = !crew->over;
    pthread_mutex_unlock(&crew->lock);
    return more;
}

static void *stand_by(void *argument)
{
    sc_crew *crew = argument;
    stretch s = {.number = 0};
    while (wait_for_more(crew, s.number, &s)) {
        do_items(crew, &s);
    }
    return NULL;
}

/* ---- the crew ------------------------------------------------------------ */

sc_crew *sc_crew_new(int threads)
{
    sc_crew *crew = threads > 1 ? sc_calloc(1, sizeof *crew) : NULL;
    if (crew) {
        crew->threads = threads < SC_MAX_THREADS ? threads : SC_MAX_THREADS;
        pthread_mutex_init(&crew->lock, NULL);
        pthread_cond_init(&crew->more, NULL);
        pthread_cond_init(&crew->done, NULL);
    }
    return crew;
}

void sc_crew_free(sc_crew *crew)
{
    if (!crew) {
        return;
    }
    pthread_mutex_lock(&crew->lock);
    crew->over = true;
    atomic_fetch_add(&crew->number, 1); /* for those that have not gone to sleep */
    pthread_cond_broadcast(&crew->more);
    pthread_mutex_unlock(&crew->lock);
    for (int i = 0; i < crew->started; i++) {
        pthread_join(crew->id[i], NULL);
    }
    pthread_cond_destroy(&crew->done);
    pthread_cond_destroy(&crew->more);
    pthread_mutex_destroy(&crew->lock);
    sc_free(crew);
}

int sc_crew_threads(const sc_crew *crew)
{
    return crew ? crew->threads : 1;
}

#if defined(__linux__)

/* A kernel may leave a new thread on the processor of the thread that made it for longer than its
 * work takes, while others are idle. So it is moved, the first to the next processor that this
 * process may use, the second to the one after, and then may run on all of them as before. */
static void move_thread(pthread_t id, int ordinal)
{
    cpu_set_t allowed, one;
    int here = sched_getcpu();
    if (here < 0 || sched_getaffinity(0, sizeof allowed, &allowed) != 0) {
        return;
    }
    unsigned cpu = (unsigned)here;
    int steps = (ordinal + 1) % CPU_COUNT(&allowed);
    while (steps > 0) {
        cpu = (cpu + 1) % CPU_SETSIZE;
        steps -= CPU_ISSET(cpu, &allowed) ? 1 : 0;
    }
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    if (pthread_setaffinity_np(id, sizeof one, &one) == 0) {
        pthread_setaffinity_np(id, sizeof allowed, &allowed);
    }
}

#else

static void move_thread(pthread_t id, int ordinal)
{
    (void)id, (void)ordinal;
}

#endif

/* With a stack that is large enough, whatever limit the process, or the C library, has on them. */
static bool start_thread(sc_crew *crew, pthread_t *id)
{
    enum { STACK_BYTES = 1 << 20 };
    pthread_attr_t attributes;

    if (pthread_attr_init(&attributes) != 0) {
        return false;
    }
    bool good = pthread_attr_setstacksize(&attributes, STACK_BYTES) == 0 &&
                pthread_create(id, &attributes, stand_by, crew) == 0;
    pthread_attr_destroy(&attributes);
    return good;
}

/* Those that there are items for. */
static void start_threads(sc_crew *crew, int items)
{
    int most = (items < crew->threads ? items : crew->threads) - 1;
    while (crew->started < most && start_thread(crew, &crew->id[crew->started])) {
        move_thread(crew->id[crew->started], crew->started);
        crew->started++;
    }
}

static void begin(sc_crew *crew, stretch *s)
{
    pthread_mutex_lock(&crew->lock);
    s->number = crew->now.number + 1;
    crew->now = *s;
    atomic_store(&crew->left, s->items);
    atomic_store(&crew->next, (uint64_t)s->number << 32 | 1); /* 0 is the caller's */
    atomic_store(&crew->number, s->number);
    for (int i = 0; i < crew->asleep && i < (int)s->items - 1; i++) {
        pthread_cond_signal(&crew->more);
    }
    pthread_mutex_unlock(&crew->lock);
}

static void wait_for_all(sc_crew *crew)
{
    for (int i = 0; i < PATIENCE && atomic_load(&crew->left) > 0; i++) {
        relax();
    }
    if (atomic_load(&crew->left) > 0) {
        pthread_mutex_lock(&crew->lock);
        while (atomic_load(&crew->left) > 0) {
            pthread_cond_wait(&crew->done, &crew->lock);
        }
        pthread_mutex_unlock(&crew->lock);
    }
}

void sc_crew_items(sc_crew *crew, int items, void (*work)(void *context, int item), void *context)
{
    if (!crew || items < 2 || atomic_exchange(&crew->busy, true)) {
        for (int i = 0; i < items; i++) {
            work(context, i);
        }
        return;
    }
    stretch s = {.work = work, .context = context, .items = (uint32_t)items};
    begin(crew, &s);
    start_threads(crew, items);
    do_item(crew, &s, 0);
    do_items(crew, &s);
    wait_for_all(crew);
    atomic_store(&crew->busy, false);
}

sc_crew *sc_crew_for(sc_crew *crew, uint64_t nanoseconds)
{
    enum { WORTH_WAKING = 100000, WORTH_STARTING = 800000 };
    return crew && nanoseconds >= (crew->started > 0 ? WORTH_WAKING : WORTH_STARTING) ? crew : NULL;
}

void sc_parallel(int threads, void (*work)(void *context, int thread), void *context)
{
    sc_crew *crew = sc_crew_new(threads);
    sc_crew_items(crew, threads < SC_MAX_THREADS ? threads : SC_MAX_THREADS, work, context);
    sc_crew_free(crew);
}

static int processors(void)
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

int sc_threads(int asked)
{
    int threads = asked > 0 ? asked : processors();
    return threads < SC_MAX_THREADS ? threads : SC_MAX_THREADS;
}
