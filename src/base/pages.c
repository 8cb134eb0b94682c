/* pages.c - see pages.h. */
#define _DEFAULT_SOURCE /* madvise */
#include "pages.h"

#include <stdint.h>
#include <sys/mman.h>
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
