/* pages.c - see pages.h. */
#define _DEFAULT_SOURCE /* madvise */
#include "pages.h"

#include "alloc.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

void sc_pages_expect(const unsigned char *bytes, size_t size)
{
#ifdef MADV_POPULATE_READ
    enum { AT_A_FAULT = 1 << 16 }; /* so much becomes present by one */
    const long page = sysconf(_SC_PAGESIZE);
    if (page <= 0 || size <= AT_A_FAULT) {
        return;
    }
    const size_t before = (uintptr_t)bytes % (size_t)page;
    (void)madvise((void *)(uintptr_t)(bytes - before), before + size, MADV_POPULATE_READ);
#else
    (void)bytes;
    (void)size;
#endif
}

static double nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

/* What it takes to have the bytes of a map present, and to come by each line of the cache. */
static double time_to_look(const unsigned char *map)
{
    enum { LINE = 64 };
    const double begin = nanoseconds();
    volatile unsigned char seen;
    sc_pages_expect(map, SC_PAGES_TRIED);
    for (size_t i = 0; i < SC_PAGES_TRIED; i += LINE) {
        seen = map[i];
    }
    (void)seen;
    return nanoseconds() - begin;
}

/* What it takes to read as much into memory at hand; negative if it cannot be. The first time it
 * may come from the disk, and the memory from the system. */
static double time_to_read(int descriptor)
{
    unsigned char *buffer = sc_alloc(SC_PAGES_TRIED, 1);
    double begin = 0.0, time = -1.0;
    bool good = buffer != NULL;
    for (int i = 0; i < 2 && good; i++) {
        begin = nanoseconds();
        good = pread(descriptor, buffer, SC_PAGES_TRIED, 0) == SC_PAGES_TRIED;
        time = nanoseconds() - begin;
    }
    sc_free(buffer);
    return good ? time : -1.0;
}

bool sc_pages_cost_more(int descriptor, const unsigned char *map, size_t size)
{
    enum { UNKNOWN, LESS, MORE };
    /* Memory that is not at hand is cleared first, and does not stay in the cache. */
    static const double all_of_reading = 2.0;
    static atomic_int known = UNKNOWN;
    const char *wanted = getenv("STLCLASH_READ");

    if (wanted && (strcmp(wanted, "map") == 0 || strcmp(wanted, "read") == 0)) {
        return strcmp(wanted, "read") == 0;
    }
    if (atomic_load(&known) == UNKNOWN && size >= SC_PAGES_TRIED) {
        const double to_read = time_to_read(descriptor);
        if (to_read >= 0.0) {
            atomic_store(&known, time_to_look(map) > all_of_reading * to_read ? MORE : LESS);
        }
    }
    return atomic_load(&known) == MORE;
}
