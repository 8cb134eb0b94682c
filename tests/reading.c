/* reading.c - see reading.h. */
#include "reading.h"

#include "test.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- loading ---------------------------------------------------------------- */

/* Reads every facet and checks what holds for any outcome. */
static void check_outcome(const loaded *l, const char *name)
{
    const sc_file *file = &l->file;
    if (l->code == STLCLASH_OK) {
        double sum = 0;
        for (uint32_t i = 0; i < file->facets.count && i < 100000; i++) {
            float xyz[9];
            sc_facet_load(&file->facets, i, xyz);
            for (int k = 0; k < 9; k++) {
                sum += (double)xyz[k];
            }
        }
        CHECK(file->format == STLCLASH_BINARY || sum - sum == 0, "%s: not finite", name);
        return;
    }
    CHECK(!file->buffer && !file->map && !file->facets.first && file->facets.count == 0 &&
              file->trailing_bytes == 0,
          "%s: not zeroed", name);
    CHECK_INT(l->error.code, l->code);
    size_t length = strlen(l->error.text);
    CHECK(length > 0 && length < sizeof l->error.text - 1, "%s: %zu characters", name, length);
    for (size_t i = 0; i < length; i++) {
        CHECK(l->error.text[i] >= ' ' && l->error.text[i] <= '~', "%s: byte %d in the message",
              name, l->error.text[i]);
    }
}

loaded read_bytes(const void *bytes, size_t size, const char *name)
{
    loaded l = {.copy = malloc(size ? size : 1)};
    memcpy(l.copy, bytes, size);
    memset(&l.file, 0xA5, sizeof l.file); /* whatever was there does not matter */
    l.code = sc_file_parse(l.copy, size, &l.file, &l.error);
    check_outcome(&l, name);
    return l;
}

loaded read_path(const char *path)
{
    loaded l = {.copy = NULL};
    memset(&l.file, 0xA5, sizeof l.file);
    l.code = sc_file_open(path, &l.file, &l.error);
    check_outcome(&l, path);
    return l;
}

void read_done(loaded *l)
{
    sc_file_close(&l->file);
    free(l->copy);
}

void check_fails(loaded *l, const char *name, stlclash_code code, const char *part)
{
    CHECK(l->code == code, "%s: code %d (%s), expected %d", name, (int)l->code,
          l->code ? l->error.text : "loads", (int)code);
    if (l->code != STLCLASH_OK) {
        CHECK(strstr(l->error.text, part), "%s: \"%s\" lacks \"%s\"", name, l->error.text, part);
    }
    read_done(l);
}

void check_loads(loaded *l, const char *name, stlclash_format format, uint32_t triangles,
                 uint64_t trailing)
{
    CHECK(l->code == STLCLASH_OK, "%s: %s", name, l->error.text);
    if (l->code == STLCLASH_OK) {
        const sc_file *f = &l->file;
        CHECK(f->format == format, "%s: format %d", name, (int)f->format);
        CHECK(f->facets.count == triangles, "%s: %u triangles, expected %u", name,
              (unsigned)f->facets.count, (unsigned)triangles);
        CHECK(f->trailing_bytes == trailing, "%s: %llu trailing bytes", name,
              (unsigned long long)f->trailing_bytes);
    }
    read_done(l);
}
/* ---- files made in memory --------------------------------------------------- */

void store_u32(unsigned char *at, uint32_t value)
{
    for (int byte = 0; byte < 4; byte++) {
        at[byte] = (unsigned char)(value >> 8 * byte);
    }
}

size_t make_binary(unsigned char *out, const char *header, uint32_t counted, uint32_t held,
                   size_t extra)
{
    memset(out, 0, 84 + 50 * (size_t)held + extra);
    memcpy(out, header, strlen(header));
    store_u32(out + 80, counted);
    for (uint32_t i = 0; i < held; i++) {
        for (uint32_t k = 0; k < 9; k++) {
            float value = (float)(9 * i + k);
            uint32_t bits;
            memcpy(&bits, &value, 4);
            store_u32(out + 84 + 50 * (size_t)i + 12 + 4 * (size_t)k, bits);
        }
    }
    memset(out + 84 + 50 * (size_t)held, 'x', extra);
    return 84 + 50 * (size_t)held + extra;
}

size_t make_ascii(char *out, int facets)
{
    size_t size = (size_t)sprintf(out, "solid made\n");
    for (int i = 0; i < facets; i++) {
        int c = 9 * i;
        size += (size_t)sprintf(out + size,
                                "facet\nouter loop\nvertex %d %d %d\nvertex %d %d %d\n"
                                "vertex %d %d %d\nendloop\nendfacet\n",
                                c, c + 1, c + 2, c + 3, c + 4, c + 5, c + 6, c + 7, c + 8);
    }
    return size + (size_t)sprintf(out + size, "endsolid made\n");
}

void check_made(const sc_file *file, uint32_t facets)
{
    CHECK_INT(file->facets.count, facets);
    for (uint32_t i = 0; i < file->facets.count; i++) {
        float xyz[9];
        sc_facet_load(&file->facets, i, xyz);
        for (uint32_t k = 0; k < 9; k++) {
            CHECK(xyz[k] == (float)(9 * i + k), "facet %u: coordinate %u is %g", (unsigned)i,
                  (unsigned)k, (double)xyz[k]);
        }
    }
}
/* ---- files and pipes -------------------------------------------------------- */

static char directory[64];

const char *enter_directory(void)
{
    static char path[96];
    snprintf(directory, sizeof directory, "/tmp/stlclash-test-XXXXXX");
    if (!mkdtemp(directory)) {
        test_skip("no temporary directory");
        return NULL;
    }
    snprintf(path, sizeof path, "%s/file.stl", directory);
    return path;
}

void leave_directory(const char *path)
{
    unlink(path);
    rmdir(directory);
}

void write_all(int descriptor, const unsigned char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t done_now = write(descriptor, bytes, size < 5000 ? size : 5000);
        if (done_now <= 0) {
            return;
        }
        bytes += done_now;
        size -= (size_t)done_now;
    }
}

loaded read_slow_pipe(const void *bytes, size_t size, int flags, long nanoseconds)
{
    int ends[2], saved = dup(STDIN_FILENO);
    if (pipe(ends) != 0 || fcntl(ends[0], F_SETFL, flags) != 0) {
        abort();
    }
    pid_t writer = fork();
    if (writer == 0) {
        close(ends[0]);
        nanosleep(&(struct timespec){.tv_nsec = nanoseconds}, NULL);
        write_all(ends[1], bytes, size);
        _exit(0);
    }
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    loaded l = read_path("-");
    dup2(saved, STDIN_FILENO); /* a writer that is not done yet ends here */
    close(saved);
    waitpid(writer, NULL, 0);
    return l;
}

loaded read_pipe(const void *bytes, size_t size)
{
    return read_slow_pipe(bytes, size, 0, 0);
}
