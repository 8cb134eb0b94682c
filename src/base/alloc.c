/* alloc.c - see alloc.h. */
#define _DEFAULT_SOURCE /* madvise */
#include "alloc.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const size_t large_page = (size_t)1 << 21; /* on most systems */

/* Many pages are many faults, and many addresses to look up: so what is large, and will be filled,
 * is to be made of large ones. A wish. The pages at both ends are asked for as well, so that what
 * the C library has mapped for a block alone stays one map, which it can grow in its place. */
static void wish_for_large_pages(void *memory, size_t bytes)
{
#ifdef MADV_HUGEPAGE
    if (memory && bytes >= 2 * large_page) {
        const size_t page = (size_t)sysconf(_SC_PAGESIZE), before = (uintptr_t)memory % page;
        const size_t pages = (before + bytes - 1) / page + 1;
        (void)madvise((char *)memory - before, pages * page, MADV_HUGEPAGE);
    }
#else
    (void)memory, (void)bytes;
#endif
}

static atomic_ulong made;
static atomic_ulong fail_at;

static int must_fail(void)
{
    unsigned long number = atomic_fetch_add_explicit(&made, 1, memory_order_relaxed) + 1;
    return number == atomic_load_explicit(&fail_at, memory_order_relaxed);
}

void *sc_realloc(void *memory, size_t count, size_t size)
{
    if ((size != 0 && count > SIZE_MAX / size) || must_fail()) {
        return NULL;
    }
    size_t bytes = count * size;
    return realloc(memory, bytes ? bytes : 1); /* realloc(p, 0) might free */
}

void *sc_alloc(size_t count, size_t size)
{
    return sc_realloc(NULL, count, size);
}

void *sc_calloc(size_t count, size_t size)
{
    return must_fail() ? NULL : calloc(count ? count : 1, size ? size : 1);
}

void *sc_alloc_scattered(size_t count, size_t size)
{
    const size_t line = 64, most = SIZE_MAX / 2;
    if ((size != 0 && count > most / size) || must_fail()) {
        return NULL;
    }
    size_t bytes = count * size, unit = bytes >= 2 * large_page ? large_page : line;
    bytes = (bytes / unit + 1) * unit;
    void *memory = aligned_alloc(unit, bytes);
    wish_for_large_pages(memory, bytes);
    return memory;
}

bool sc_resize(void *array, size_t *capacity, size_t count, size_t size)
{
    void *memory; /* any pointer to objects looks like this one (POSIX) */
    memcpy(&memory, array, sizeof memory);
    memory = sc_realloc(memory, count, size);
    if (memory) {
        wish_for_large_pages(memory, count * size);
        memcpy(array, &memory, sizeof memory);
        *capacity = count;
    }
    return memory != NULL;
}

bool sc_grow(void *array, size_t *capacity, size_t needed, size_t size)
{
    size_t more = *capacity / 2 + 64, larger = *capacity <= SIZE_MAX - more ? *capacity + more : 0;
    return sc_resize(array, capacity, larger < needed ? needed : larger, size);
}

void sc_free(void *memory)
{
    free(memory);
}

unsigned long sc_alloc_fail_at(unsigned long n)
{
    atomic_store(&fail_at, n);
    return atomic_exchange(&made, 0);
}
