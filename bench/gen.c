/* gen.c - writes benchmark pairs: `gen [-o DIR] CASE SIZE...`, files CASE_SIZE_A.stl
 * and CASE_SIZE_B.stl; CASE may be `all`, SIZE is like 10k, 1M, 100M (triangles a part,
 * about). Every file is written in whole 4 MiB pieces: how a file was written decides
 * in what pages the system caches it, and that what reading it costs, up to fourfold. */
#include "shapes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PIECE = 4 << 20 };

typedef struct writer {
    int file;
    size_t used;
    uint64_t degenerate;
    unsigned char piece[PIECE];
} writer;

static bool flush(writer *w)
{
    size_t done = 0;
    while (done < w->used) {
        ssize_t n = write(w->file, w->piece + done, w->used - done);
        if (n < 0) {
            return false;
        }
        done += (size_t)n;
    }
    w->used = 0;
    return true;
}

static bool put(writer *w, const unsigned char *bytes, size_t size)
{
    while (size > 0) {
        size_t part = size < PIECE - w->used ? size : PIECE - w->used;
        memcpy(w->piece + w->used, bytes, part);
        w->used += part;
        bytes += part;
        size -= part;
        if (w->used == PIECE && !flush(w)) {
            return false;
        }
    }
    return true;
}

static bool take(void *context, const shape_facet *facet)
{
    static const unsigned char no_normal[12];
    writer *w = context;
    unsigned char record[STL_RECORD_SIZE];

    stl_encode_facet(record, facet);
    w->degenerate += memcmp(record, no_normal, sizeof no_normal) == 0;
    return put(w, record, sizeof record);
}

/* Under a name of its own until it is whole. */
static bool write_shape(const char *path, const shape *s)
{
    static writer w;
    uint64_t facets = shape_facets(s);
    unsigned char header[STL_HEADER_SIZE];
    char partial[4200];
    bool ok;

    snprintf(partial, sizeof partial, "%s.part", path);
    w.used = 0;
    w.degenerate = 0;
    w.file = open(partial, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (w.file < 0) {
        return false;
    }
    stl_encode_header(header, (uint32_t)facets);
    ok = put(&w, header, sizeof header) && shape_emit(s, (shape_sink){take, &w}) && flush(&w);
    ok = close(w.file) == 0 && ok && rename(partial, path) == 0;
    printf("%11llu facets  %s", (unsigned long long)facets, path);
    printf(w.degenerate ? "  %llu DEGENERATE\n" : "\n", (unsigned long long)w.degenerate);
    fflush(stdout);
    return ok;
}

/* "10k" -> 10000; 0 if it is no such number. */
static double size_of(const char *text)
{
    char *end;
    double n = strtod(text, &end);

    n *= *end == 'k' ? 1e3 : *end == 'M' ? 1e6 : 1;
    end += *end == 'k' || *end == 'M';
    return *end == 0 && n >= 1 && n <= 4e9 ? n : 0;
}

static bool generate(const char *directory, const char *name, const char *size)
{
    shape pair[2];

    if (!shape_pair(name, size_of(size), pair)) {
        fprintf(stderr, "gen: no pair %s of size %s\n", name, size);
        return false;
    }
    for (int k = 0; k < 2; k++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s_%s_%c.stl", directory, name, size, "AB"[k]);
        if (!write_shape(path, &pair[k])) {
            fprintf(stderr, "gen: %s: %s\n", path, strerror(errno));
            return false;
        }
    }
    return true;
}

int main(int argc, char **argv)
{
    const char *directory = ".";
    bool ok = true;
    int i = 1;

    if (argc > 3 && strcmp(argv[1], "-o") == 0) {
        directory = argv[2];
        i = 3;
    }
    if (argc - i < 2) {
        fprintf(stderr, "usage: gen [-o DIR] CASE|all SIZE...\ncases:");
        for (const char *const *name = shape_pair_names; *name; name++) {
            fprintf(stderr, " %s", *name);
        }
        fprintf(stderr, "\n");
        return 2;
    }
    for (int k = i + 1; k < argc; k++) {
        if (size_of(argv[k]) <= 0) {
            fprintf(stderr, "gen: %s is not a size like 10k or 1M\n", argv[k]);
            return 2;
        }
        if (strcmp(argv[i], "all") != 0) {
            ok = generate(directory, argv[i], argv[k]) && ok;
            continue;
        }
        for (const char *const *name = shape_pair_names; *name; name++) {
            ok = generate(directory, *name, argv[k]) && ok;
        }
    }
    return ok ? 0 : 2;
}
