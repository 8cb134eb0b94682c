/* alloc.c - see alloc.h. */
#include "alloc.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

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

void sc_free(void *memory)
{
    free(memory);
}

unsigned long sc_alloc_fail_at(unsigned long n)
{
    atomic_store(&fail_at, n);
    return atomic_exchange(&made, 0);
}
