/* test_stream.c - windows that move along bytes: ASCII reads the same through any of them. */
#include "ascii.h"
#include "base/alloc.h"
#include "reading.h"
#include "stream.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A file that is gone once it is closed, with these bytes. */
static FILE *file_of(const void *bytes, size_t size)
{
    FILE *file = tmpfile();
    if (!file || fwrite(bytes, 1, size, file) != size || fflush(file) != 0) {
        abort();
    }
    return file;
}

/* The text, which starts with "solid", through a window of `capacity` bytes at first. */
static loaded read_through(FILE *text, size_t capacity, size_t *largest)
{
    loaded l = {.copy = NULL};
    sc_stream stream;
    if (lseek(fileno(text), 0, SEEK_SET) != 0 ||
        sc_stream_open(fileno(text), capacity, &stream, &l.error) != STLCLASH_OK) {
        abort();
    }
    l.code = sc_ascii_read(&stream, 0, &l.file, &l.error);
    *largest = stream.capacity;
    sc_stream_close(&stream);
    return l;
}

/* As the whole in memory is read. */
static void check_same(const char *text, size_t size, size_t capacity)
{
    FILE *file = file_of(text, size);
    size_t largest;
    loaded whole = read_bytes(text, size, "whole"), parts = read_through(file, capacity, &largest);
    CHECK_INT(parts.code, whole.code);
    if (whole.code == STLCLASH_OK && parts.code == STLCLASH_OK) {
        const size_t count = whole.file.facets.count;
        CHECK(parts.file.facets.count == count &&
                  memcmp(parts.file.facets.first, whole.file.facets.first, 36 * count) == 0,
              "window of %zu: other facets in %s", capacity, text);
    } else if (whole.code != STLCLASH_OK && parts.code != STLCLASH_OK) {
        CHECK(strcmp(whole.error.text, parts.error.text) == 0, "window of %zu: \"%s\", not \"%s\"",
              capacity, parts.error.text, whole.error.text);
    }
    read_done(&whole);
    read_done(&parts);
    fclose(file);
}

static const char *const texts[] = {
    "solid a facet b\r\n" FACET "\r\r\nfacet normal nan -1.5e-3 1.#INF\r\n" LOOP
    "end facet\r\nend solid a\n\n solid\n" FACET "endsolidx",
    "solid facet normal 0 0 1 " LOOP "endfacet endsolid solid facet normal 1 2 3 outer\n" FACET
    "endsolid facet facetfacet solid facet normal 0 0 1 " LOOP "endfacet endsolid endsolid \n",
    "solid xfacet normal 0 0 1 outer loop\nfacet normal 0 0 1   \n\n\n\n\n\n          "
    "\t\t\touter\n\r"
    " \n\n\n\nloop vertex 00000000000000000000000000000000000000000000000000000000000000001 2 3\n"
    "vertex 0.10000000000000000000000000000000000000000000000000000000 1e-5 1e+5\nvertex 1 2 3"
    "\nendloop endfacet endsolid",
    "solid endsolidsolid\nsolid a end  solid\n\nsolid b endsolid b\nendsolid\nsolid\n" FACET
    "endsolid solid end\nsolid x end endsolid x solid y endsolid",
};

/* Wherever the ends of the windows fall. */
TEST(stream_windows)
{
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const size_t size = strlen(texts[i]);
        for (size_t capacity = 8; capacity < size + 3; capacity++) {
            check_same(texts[i], size, capacity);
        }
        for (size_t cut = 5; cut < size; cut++) {
            check_same(texts[i], cut, 8 + cut % 50);
        }
    }
}

TEST(stream_flipped_bits)
{
    char text[1000];
    const int rounds = test_rounds(20000);
    for (int i = 0; i < rounds; i++) {
        const char *good = texts[i % 4];
        const size_t size = strlen(good);
        memcpy(text, good, size + 1);
        for (int changes = 1 + test_below(3); changes > 0; changes--) {
            /* but the word in front */
            text[5 + test_below((int)size - 5)] = " \n\r,#e.-9xf\xEF"[test_below(12)];
        }
        check_same(text, size, 8 + (size_t)test_below(300));
    }
}

/* What is kept of a text is its facets, however long the words between them are. */
TEST(stream_window_stays_small)
{
    enum { LONG = 1000000 };
    static const char *const before[] = {"solid ", "solid\n", "solid\nendsolid ",
                                         "solid\nendsolid\n", "solid\n" FACET};
    char *text = malloc(LONG + 1000);
    for (size_t i = 0; i < 5; i++) {
        for (int blank = 0; blank < 2; blank++) {
            size_t size = (size_t)sprintf(text, "%s", before[i]);
            if (!blank && (i == 1 || i >= 3)) { /* no place for a word */
                continue;
            }
            memset(text + size, blank ? ' ' : 'n', LONG);
            size += LONG;
            size +=
                (size_t)sprintf(text + size, "\n%s",
                                i < 2 || i == 4 ? FACET "endsolid" : "solid\n" FACET "endsolid");
            FILE *file = file_of(text, size);
            size_t largest;
            loaded l = read_through(file, 256, &largest);
            CHECK(largest <= 512, "window of %zu bytes, case %zu", largest, i);
            check_loads(&l, "long", STLCLASH_ASCII, i == 4 ? 2 : 1, 0);
            fclose(file);
        }
    }
    free(text);
}

/* Nothing but names may be of any length: where it ends is not waited for, and the window ends to
 * grow. What is said is the same however the text comes. */
TEST(stream_without_an_end)
{
    enum { MOST = SC_MOST_AT_ONCE };
    static const struct {
        const char *before, *behind, *message;
        bool within; /* a facet: then white space is none of a name, or between */
    } cases[] = {
        {"solid a\n", "\nendsolid", "line 2: what begins here", false},
        {"solid a\nfacet normal ", " 0 0 " LOOP "endfacet endsolid", "line 2: what begins here",
         true},
        {"solid a\nfacet normal 1 2 3 ", LOOP "endfacet endsolid", "line 2: what begins here",
         true},
        {"solid a\n" FACET, "\nendsolid", "line 9: what begins here", false},
        {"solid\nendsolid\n", "\nsolid\nendsolid", "line 3: what begins here", false},
        {"solid a facet normal 1 2 3 ", LOOP "endfacet endsolid", "line 1: what begins here", true},
        {"solid a facet normal 1 2 3 outer loop", "facet", "line 1: what begins here", true},
    };
    char *text = malloc(4 * MOST);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (int kind = 0; kind < 3; kind++) {
            const size_t before = strlen(cases[i].before),
                         length = (size_t)(kind < 2 ? MOST + 1 : MOST - 199);
            size_t size = (size_t)sprintf(text, "%s", cases[i].before);
            memset(text + size, kind == 1 ? ' ' : '0', length);
            size += length + (size_t)sprintf(text + size + length, "%s", cases[i].behind);
            FILE *file = file_of(text, size);
            size_t largest;
            loaded l = read_through(file, 256, &largest);
            CHECK(largest <= 4 * MOST, "window of %zu bytes, case %zu", largest, i);
            if (kind == 0 || (kind == 1 && cases[i].within)) {
                check_fails(&l, cases[i].before, STLCLASH_E_FORMAT, cases[i].message);
            } else {
                read_done(&l);
            }
            fclose(file);
            check_same(text, size, 256);
            check_same(text, before + length, 1000);
        }
    }
    free(text);
}
