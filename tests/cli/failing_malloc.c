/* failing_malloc.c - for LD_PRELOAD: the FAIL_AT-th allocation of a process fails. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>

static int must_fail(void)
{
    static long left = -1;
    if (left == -1) {
        const char *at = getenv("FAIL_AT");
        left = at ? atol(at) : 0;
    }
    if (left > 0 && __atomic_fetch_sub(&left, 1, __ATOMIC_RELAXED) == 1) {
        errno = ENOMEM;
        return 1;
    }
    return 0;
}

void *malloc(size_t size)
{
    static void *(*next)(size_t);
    if (!next) {
        next = (void *(*)(size_t))dlsym(RTLD_NEXT, "malloc");
    }
    return must_fail() ? NULL : next(size);
}

void *realloc(void *memory, size_t size)
{
    static void *(*next)(void *, size_t);
    if (!next) {
        next = (void *(*)(void *, size_t))dlsym(RTLD_NEXT, "realloc");
    }
    return must_fail() ? NULL : next(memory, size);
}

void *calloc(size_t count, size_t size)
{
    static void *(*next)(size_t, size_t);
    if (!next) {
        next = (void *(*)(size_t, size_t))dlsym(RTLD_NEXT, "calloc");
    }
    return must_fail() ? NULL : next(count, size);
}
