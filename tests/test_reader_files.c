/* test_reader_files.c - where STL comes from: files, pipes, standard input; what cannot be read. */
#include "base/alloc.h"
#include "reading.h"
#include "test.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

TEST(regular_files)
{
    enum { FACETS = 25000 }; /* not small, as binary and as text */
    const char *path = enter_directory();
    if (!path) {
        return;
    }
    unsigned char *bytes = malloc(5000000);
    for (int ascii = 0; ascii < 2; ascii++) {
        size_t size = ascii ? make_ascii((char *)bytes, FACETS)
                            : make_binary(bytes, "solid", FACETS, FACETS, 3);
        int descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
        write_all(descriptor, (const unsigned char *)"behind this", 11);
        write_all(descriptor, bytes, size);

        /* Standard input somewhere inside a file starts there. */
        int saved = dup(STDIN_FILENO);
        lseek(descriptor, 11, SEEK_SET);
        dup2(descriptor, STDIN_FILENO);
        loaded l = read_path("-");
        check_made(&l.file, FACETS);
        CHECK(!l.file.map, "a map from the middle of a file");
        read_done(&l);
        dup2(saved, STDIN_FILENO);
        close(saved);

        if (ftruncate(descriptor, 0) != 0 || lseek(descriptor, 0, SEEK_SET) != 0) {
            abort();
        }
        write_all(descriptor, bytes, size);
        close(descriptor);
        l = read_path(path);
        check_made(&l.file, FACETS);
        CHECK(ascii ? !l.file.map && l.file.buffer : l.file.map && !l.file.buffer, "memory");
        check_loads(&l, path, ascii ? STLCLASH_ASCII : STLCLASH_BINARY, FACETS, ascii ? 0 : 3);
    }

    /* A small file is read: a process has not as many maps as it may want files. */
    int descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    write_all(descriptor, bytes, make_binary(bytes, "solid", 10, 10, 3));
    close(descriptor);
    loaded l = read_path(path);
    check_made(&l.file, 10);
    CHECK(!l.file.map && l.file.buffer, "a small file is mapped");
    read_done(&l);
    free(bytes);
    leave_directory(path);
}

TEST(pipes)
{
    unsigned char *bytes = malloc(5000000);
    for (int ascii = 0; ascii < 2; ascii++) {
        for (uint32_t facets = 1; facets <= 30000; facets *= 30) {
            size_t size = ascii ? make_ascii((char *)bytes, (int)facets)
                                : make_binary(bytes, "made", facets, facets, 0);
            loaded l = read_pipe(bytes, size);
            check_made(&l.file, facets);
            check_loads(&l, "pipe", ascii ? STLCLASH_ASCII : STLCLASH_BINARY, facets, 0);
        }
    }
    size_t size = make_binary(bytes, "made", 0xFFFFFFFFu, 10, 0);
    loaded l = read_pipe(bytes, size);
    check_fails(&l, "count too large", STLCLASH_E_FORMAT, "header counts 4294967295");
    l = read_pipe(bytes, 0);
    check_fails(&l, "empty pipe", STLCLASH_E_FORMAT, "the file is empty");
    free(bytes);
}

/* Standard input may be so, where a program before us made it. */
TEST(pipe_that_does_not_block)
{
    unsigned char bytes[84 + 50 * 10];
    const size_t size = make_binary(bytes, "made", 10, 10, 0);
    loaded l = read_slow_pipe(bytes, size, O_NONBLOCK, 20000000);
    check_loads(&l, "pipe", STLCLASH_BINARY, 10, 0);
}

TEST(named_pipe)
{
    const char *path = enter_directory();
    if (!path) {
        return;
    }
    unsigned char bytes[84 + 50 * 10];
    size_t size = make_binary(bytes, "made", 10, 10, 0);
    if (mkfifo(path, 0600) == 0) {
        pid_t writer = fork();
        if (writer == 0) {
            write_all(open(path, O_WRONLY), bytes, size);
            _exit(0);
        }
        loaded l = read_path(path);
        check_made(&l.file, 10);
        read_done(&l);
        waitpid(writer, NULL, 0);
    }
    leave_directory(path);
}

/* Sizes and offsets beyond 32 bits: a sparse file of 4.5 GB. */
TEST(large_file)
{
    const char *path = enter_directory();
    if (!path) {
        return;
    }
    const uint32_t count = 90000000;
    const off_t size = 84 + (off_t)50 * count;
    unsigned char head[84], one[84 + 50];
    make_binary(head, "made", count, 0, 0);
    make_binary(one, "made", 1, 1, 0);
    int descriptor = open(path, O_RDWR | O_CREAT, 0600);
    if (ftruncate(descriptor, size + 5) != 0 ||
        pwrite(descriptor, head, sizeof head, 0) != sizeof head ||
        pwrite(descriptor, one + 84, 50, size - 50) != 50) {
        test_skip("no sparse file of 4.5 GB");
    } else if (test_long() || ftruncate(descriptor, size) == 0) {
        loaded l = read_path(path);
        CHECK(l.code == STLCLASH_OK, "%s", l.error.text);
        if (l.code == STLCLASH_OK) {
            const sc_facets last = {.first = one + 84 + 12, .stride = 50, .count = 1};
            float got[9], xyz[9];
            sc_facet_load(&l.file.facets, count - 1, got);
            sc_facet_load(&last, 0, xyz);
            CHECK(memcmp(got, xyz, sizeof xyz) == 0, "last facet");
        }
        check_loads(&l, path, STLCLASH_BINARY, count, test_long() ? 5 : 0);

        if (ftruncate(descriptor, size - 1) == 0) {
            l = read_path(path);
            check_fails(&l, "large, cut", STLCLASH_E_FORMAT, "ends inside triangle 89999999");
        }
    }
    close(descriptor);
    leave_directory(path);
}

TEST(files_that_cannot_be_read)
{
    loaded l = read_path("/nonexistent/file.stl");
    check_fails(&l, "missing", STLCLASH_E_IO, "cannot open: No such file or directory");
    l = read_path("/");
    check_fails(&l, "directory", STLCLASH_E_IO, "it is a directory");
    l = read_path("");
    check_fails(&l, "empty path", STLCLASH_E_IO, "cannot open");
    l = read_path("/dev/null");
    check_fails(&l, "null device", STLCLASH_E_FORMAT, "the file is empty");

    int saved = dup(STDIN_FILENO);
    close(STDIN_FILENO);
    l = read_path("-");
    check_fails(&l, "closed standard input", STLCLASH_E_IO, "cannot read");
    int writable = open("/dev/null", O_WRONLY);
    CHECK_INT(writable, STDIN_FILENO);
    l = read_path("-");
    check_fails(&l, "standard input for writing only", STLCLASH_E_IO, "cannot read");
    dup2(saved, STDIN_FILENO);
    close(saved);
}

TEST(failing_allocations)
{
    unsigned char *bytes = malloc(4000000);
    for (int kind = 0; kind < 3; kind++) { /* binary pipe, ASCII pipe, ASCII in memory */
        const uint32_t facets = 20000;     /* windows of several sizes */
        size_t size = kind > 0 ? make_ascii((char *)bytes, (int)facets)
                               : make_binary(bytes, "made", facets, facets, 0);
        for (unsigned long n = 1;; n++) {
            sc_alloc_fail_at(n);
            loaded l = kind < 2 ? read_pipe(bytes, size) : read_bytes(bytes, size, "memory");
            unsigned long made = sc_alloc_fail_at(0);
            if (n > made) { /* none was left to fail */
                check_made(&l.file, facets);
                read_done(&l);
                CHECK(n > 3, "only %lu allocations in kind %d", made, kind);
                break;
            }
            check_fails(&l, "failing", STLCLASH_E_MEMORY, "out of memory");
        }
    }
    free(bytes);
}
