/* Pages that are expected: present when they are looked at, the bytes as they were, and nothing
 * else where there are none. */
#define _DEFAULT_SOURCE /* madvise */
#include "base/pages.h"

#include "test.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum { SIZE = 1 << 22, STEP = 4096, LESS = 64 };

static unsigned char byte_at(int i)
{
    return (unsigned char)(i * 7 + i / STEP);
}

/* A file of some bytes, with its descriptor; NULL, and a failure, if there can be none. */
static FILE *file_of_bytes(void)
{
    FILE *file = tmpfile();
    for (int i = 0; file && i < SIZE; i++) {
        putc(byte_at(i), file);
    }
    CHECK(file && fflush(file) == 0, "no temporary file");
    return file;
}

static const unsigned char *map_of(FILE *file)
{
    void *map = mmap(NULL, SIZE, PROT_READ, MAP_PRIVATE, fileno(file), 0);
    CHECK(map != MAP_FAILED, "no map");
    return map == MAP_FAILED ? NULL : map;
}

/* How often the process faults while it looks at each page; all must be as they were written. What
 * a sanitizer keeps of each byte has pages of its own. */
__attribute__((no_sanitize_address)) static long faults_of(const unsigned char *map)
{
    struct rusage before, after;
    getrusage(RUSAGE_SELF, &before);
    for (int i = 0; i < SIZE; i += STEP) {
        if (map[i] != byte_at(i)) {
            CHECK(false, "byte %d is another one", i);
            break;
        }
    }
    getrusage(RUSAGE_SELF, &after);
    return after.ru_minflt + after.ru_majflt - before.ru_minflt - before.ru_majflt;
}

/* A system that knows the wish says that there is nothing to fulfil it with. */
static bool is_granted(void)
{
#ifdef MADV_POPULATE_READ
    void *map = mmap(NULL, STEP, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(map, STEP);
    return madvise(map, STEP, MADV_POPULATE_READ) == -1 && errno == ENOMEM;
#else
    return false;
#endif
}

TEST(pages_that_are_expected_are_there)
{
    if (!is_granted()) {
        test_skip("this system cannot be asked for pages");
        return;
    }
    FILE *file = file_of_bytes();
    if (!file) {
        return;
    }
    const unsigned char *map = map_of(file), *again = map_of(file);
    if (map && again) {
        sc_pages_expect(map + 3, SIZE - 3); /* as facets begin, in the midst of a page */
        const long with = faults_of(map), without = faults_of(again);
        CHECK(with * 4 <= without, "%ld faults, and %ld of pages that nobody asked for", with,
              without);
    }
    munmap((void *)(uintptr_t)map, SIZE);
    munmap((void *)(uintptr_t)again, SIZE);
    fclose(file);
}

TEST(pages_that_are_not_there_may_be_expected)
{
    FILE *file = file_of_bytes();
    const unsigned char *map = file ? map_of(file) : NULL;
    if (map) {
        CHECK_INT(ftruncate(fileno(file), SIZE / 2 + LESS), 0);
        sc_pages_expect(map, SIZE);
        sc_pages_expect(map + SIZE / 2 + STEP, SIZE / 4);
        CHECK_INT(map[SIZE / 2 + LESS - 1], byte_at(SIZE / 2 + LESS - 1));
        sc_pages_expect(map, 0);
        munmap((void *)(uintptr_t)map, SIZE);
    }
    if (file) {
        fclose(file);
    }
}
