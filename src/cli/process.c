/* process.c - see process.h. */
#define _DEFAULT_SOURCE /* madvise, sbrk */
#include "process.h"

#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

/* The file whose map holds the address, in the line; or NULL. */
static char *mapped_file(const void *address, char *line, int size)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    uintptr_t start, end;
    char *file = NULL;

    while (maps && !file && fgets(line, size, maps)) {
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR, &start, &end) == 2 &&
            (uintptr_t)address >= start && (uintptr_t)address < end) {
            file = strchr(line, '/');
        }
    }
    if (maps) {
        fclose(maps);
    }
    return file;
}

/* Input files are mapped, so one that is cut while it is read ends in SIGBUS. It comes where facets
 * are read, with no lock of the C library held, which may be used here for that. */
static void on_bus_error(int signal_number, siginfo_t *information, void *context)
{
    static const char why[] = "was truncated while it was being read";
    static atomic_flag told = ATOMIC_FLAG_INIT;
    static char line[5000], text[6000]; /* stacks may be small */
    (void)signal_number, (void)context;
    while (atomic_flag_test_and_set(&told)) {
        pause(); /* another thread tells it */
    }
    char *file = mapped_file(information->si_addr, line, sizeof line);
    if (file) {
        for (char *c = file; *c; c++) {
            *c = *c == '\n' ? '\0' : (unsigned char)*c < ' ' || *c == 0x7f ? '?' : *c;
        }
        snprintf(text, sizeof text, "stlclash: %s: it %s\n", file, why);
    } else {
        snprintf(text, sizeof text, "stlclash: an input file %s\n", why);
    }
    ssize_t written = write(STDERR_FILENO, text, strlen(text));
    (void)written; /* nothing is left to be done about it */
    _exit(2);
}

/* Makes sure that 0, 1 and 2 are taken: a file of ours that got one of them would
 * receive what is meant for the caller. Opened the wrong way round, so that
 * using them still fails. */
static void occupy_standard_descriptors(void)
{
    for (int descriptor = 0; descriptor <= 2; descriptor++) {
        if (fcntl(descriptor, F_GETFD) == -1) {
            int opened = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY);
            (void)opened; /* the lowest free one, which is this descriptor */
        }
    }
}

#if defined(__GLIBC__) && defined(MADV_HUGEPAGE)
static bool is_unlimited(int resource)
{
    struct rlimit limit;
    return getrlimit(resource, &limit) == 0 && limit.rlim_cur == RLIM_INFINITY;
}

/* Moves the end of the data, where the heap will begin, to so many bytes before a large page: what
 * comes before a large one is made of small ones. */
static void begin_before_large_page(uintptr_t bytes)
{
    const uintptr_t large = (uintptr_t)1 << 21, next = (uintptr_t)sbrk(0) + bytes;
    (void)sbrk((intptr_t)((large - next % large) % large));
}

/* A page fault for every 4 kilobytes costs small parts as much as all that is done with them, and
 * more on virtual machines. So what is allocated comes from one heap, what is freed is there for
 * what comes next, and the heap is made of large pages as far as it is touched; to clear the first
 * of them costs no more than the faults of the shortest run. Nothing depends on it, and where
 * addresses are limited they are not spent on it. */
static void make_heap(void)
{
    enum { MEGABYTE = 1 << 20, HEAP = 256 * MEGABYTE, LARGEST_BLOCK = 32 * MEGABYTE };
    enum { DEFAULT_PAD = 128 * 1024 };

    if (!is_unlimited(RLIMIT_AS) || !is_unlimited(RLIMIT_DATA)) {
        return;
    }
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    begin_before_large_page(page);
    (void)mallopt(M_ARENA_MAX, 1);
    (void)mallopt(M_MMAP_THRESHOLD, LARGEST_BLOCK);
    (void)mallopt(M_TRIM_THRESHOLD, 2 * HEAP - 1);
    (void)mallopt(M_TOP_PAD, HEAP);
    void *block = malloc(1);
    (void)mallopt(M_TOP_PAD, DEFAULT_PAD);
    const uintptr_t start = (uintptr_t)block / page * page;
    const uintptr_t room = (uintptr_t)sbrk(0) - start;
    if (block && room >= HEAP && room < 2 * (uintptr_t)HEAP) { /* that heap, and not another's */
        (void)madvise((char *)block - ((uintptr_t)block - start), room, MADV_HUGEPAGE);
    }
    free(block);
}
#else
static void make_heap(void)
{
}
#endif

void process_prepare(void)
{
    make_heap();
    occupy_standard_descriptors();
    signal(SIGPIPE, SIG_IGN); /* a write then fails, and the failure is reported */
    signal(SIGXFSZ, SIG_IGN); /* as well, beyond a limit on file sizes */
    struct sigaction action = {.sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, NULL);
}

static double clock_seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double process_seconds(void)
{
    return clock_seconds(CLOCK_MONOTONIC);
}

double process_cpu_seconds(void)
{
    return clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
}

uint64_t process_peak_bytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (uint64_t)usage.ru_maxrss * 1024;
}
