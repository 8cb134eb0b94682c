/* parallel.c - see parallel.h. */
#define _GNU_SOURCE /* sched_getaffinity: a container may own fewer cores than exist */
#include "parallel.h"

#include "alloc.h"
#include "quota.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>
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
    double time[SC_MAX_THREADS]; /* each has run when the caller last looked, in seconds */
    pthread_mutex_t lock;
    pthread_cond_t more, done;
    stretch now;           /* under the lock */
    bool over;             /* under the lock */
    int asleep;            /* under the lock: threads that wait for more */
    atomic_uint number;    /* that of `now` */
    _Atomic uint64_t next; /* number << 32 | item */
    atomic_uint left;      /* items that are not done; at the end, threads that have not ended */
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

/* One of those that the caller may wait for. */
static void count_off(sc_crew *crew)
{
    if (atomic_fetch_sub(&crew->left, 1) == 1) {
        pthread_mutex_lock(&crew->lock);
        pthread_cond_signal(&crew->done);
        pthread_mutex_unlock(&crew->lock);
    }
}

static void do_item(sc_crew *crew, const stretch *s, uint32_t item)
{
    s->work(s->context, (int)item);
    count_off(crew);
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
    count_off(crew);
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

int sc_crew_threads(const sc_crew *crew)
{
    return crew ? crew->threads : 1;
}

/* ---- on which processors they are ------------------------------------------ */

#if defined(__linux__)

/* To the processor `steps` on from that of the caller among those that this process may use; from
 * there it may move on to all of them, as before. */
static void move_thread(pthread_t id, int steps)
{
    cpu_set_t allowed, one;
    int here = sched_getcpu();
    if (here < 0 || sched_getaffinity(0, sizeof allowed, &allowed) != 0) {
        return;
    }
    unsigned cpu = (unsigned)here;
    steps %= CPU_COUNT(&allowed);
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

/* How long a thread has run, in seconds. */
static double run_time(pthread_t id)
{
    clockid_t clock;
    struct timespec at = {0, 0};
    if (pthread_getcpuclockid(id, &clock) == 0) {
        clock_gettime(clock, &at);
    }
    return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

/* Other programs may keep a thread from its processor, for longer than all the work takes. So
 * threads that have not run since the caller last looked come to its own, if they are called in:
 * the caller is about to wait for them. At the first `most`: each takes a look at its clock. */
static void look_around(sc_crew *crew, int most, bool calls_in)
{
    for (int i = 0; i < crew->started && i < most; i++) {
        const double time = run_time(crew->id[i]);
        if (calls_in && time == crew->time[i]) {
            move_thread(crew->id[i], 0);
        }
        crew->time[i] = time;
    }
}

#else

static void move_thread(pthread_t id, int steps)
{
    (void)id, (void)steps;
}

static void look_around(sc_crew *crew, int most, bool calls_in)
{
    (void)crew, (void)most, (void)calls_in;
}

#endif

/* ---- stretches of work ----------------------------------------------------- */

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

/* Those that there are items for. A kernel may leave a new thread on the processor of the thread
 * that made it for longer than its work takes, while others are idle: so they are spread. */
static void start_threads(sc_crew *crew, int items)
{
    int most = (items < crew->threads ? items : crew->threads) - 1;
    while (crew->started < most && start_thread(crew, &crew->id[crew->started])) {
        move_thread(crew->id[crew->started], crew->started + 1);
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

/* Until no item is left to be done, but no longer than about that. */
static void wait_a_while(sc_crew *crew, long nanoseconds)
{
    static const long second = 1000000000;
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_nsec += nanoseconds;
    end.tv_sec += end.tv_nsec / second;
    end.tv_nsec %= second;
    pthread_mutex_lock(&crew->lock);
    while (atomic_load(&crew->left) > 0 &&
           pthread_cond_timedwait(&crew->done, &crew->lock, &end) == 0) {
    }
    pthread_mutex_unlock(&crew->lock);
}

static void wait_for_all(sc_crew *crew)
{
    enum { FEW = 4 }; /* a wait is mostly brief, and of many processors one is mostly free */
    static const long brief = 100000, longest = 100000000; /* nanoseconds */
    if (atomic_load(&crew->left) > 0) {
        look_around(crew, FEW, false);
    }
    for (int i = 0; i < PATIENCE && atomic_load(&crew->left) > 0; i++) {
        relax();
    }
    for (long wait = brief; atomic_load(&crew->left) > 0; wait *= wait < longest ? 2 : 1) {
        look_around(crew, SC_MAX_THREADS, true);
        wait_a_while(crew, wait);
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

void sc_crew_free(sc_crew *crew)
{
    if (!crew) {
        return;
    }
    pthread_mutex_lock(&crew->lock);
    crew->over = true;
    atomic_store(&crew->left, (unsigned)crew->started);
    atomic_fetch_add(&crew->number, 1); /* for those that have not gone to sleep */
    pthread_cond_broadcast(&crew->more);
    pthread_mutex_unlock(&crew->lock);
    wait_for_all(crew);
    for (int i = 0; i < crew->started; i++) {
        pthread_join(crew->id[i], NULL);
    }
    pthread_cond_destroy(&crew->done);
    pthread_cond_destroy(&crew->more);
    pthread_mutex_destroy(&crew->lock);
    sc_free(crew);
}

sc_crew *sc_crew_for(sc_crew *crew, uint64_t nanoseconds)
{
    return sc_crew_ahead_of(crew, nanoseconds, 0);
}

sc_crew *sc_crew_ahead_of(sc_crew *crew, uint64_t nanoseconds, uint64_t later)
{
    enum { WORTH_WAKING = 100000, WORTH_STARTING = 800000 };
    const bool stands_by = crew && (crew->started > 0 || nanoseconds + later >= WORTH_STARTING);
    return stands_by && nanoseconds >= WORTH_WAKING ? crew : NULL;
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

/* No more than a container allows the time of: the threads of one that may see all processors of a
 * large machine would use it up by waiting for each other. Few cannot, and a look takes as long as
 * to read a small part. */
static int allowed_processors(void)
{
    enum { FEW = 4 };
    static atomic_int quota; /* 0: not looked at */
    const int count = processors();
    if (count <= FEW) {
        return count;
    }
    int most = atomic_load(&quota);
    if (most == 0) {
        most = sc_quota_processors("/proc/self/cgroup", "/sys/fs/cgroup");
        atomic_store(&quota, most);
    }
    return count < most ? count : most;
}

int sc_threads(int asked)
{
    int threads = asked > 0 ? asked : allowed_processors();
    return threads < SC_MAX_THREADS ? threads : SC_MAX_THREADS;
}
