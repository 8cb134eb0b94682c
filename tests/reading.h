/* reading.h - for tests of the reader: files made in memory, read from there, by name or through a
 * pipe, and what must come of it. */
#ifndef TEST_READING_H
#define TEST_READING_H

#include "reader.h"

/* What was read; of bytes in memory a copy that ends where they do: ASan sees over-reads. */
typedef struct loaded {
    stlclash_code code;
    sc_file file;
    stlclash_error error;
    unsigned char *copy;
} loaded;

/* Each checks what holds for any outcome. Given back by read_done, or by check_fails and
 * check_loads. read_pipe opens "-", and the bytes come through a pipe from another process. */
loaded read_bytes(const void *bytes, size_t size, const char *name);
loaded read_path(const char *path);
loaded read_pipe(const void *bytes, size_t size);
/* The same, of a pipe with such flags (fcntl), after less than a second. */
loaded read_slow_pipe(const void *bytes, size_t size, int flags, long nanoseconds);
void read_done(loaded *l);

/* The message of a failure must contain `part`. */
void check_fails(loaded *l, const char *name, stlclash_code code, const char *part);
void check_loads(loaded *l, const char *name, stlclash_format format, uint32_t triangles,
                 uint64_t trailing);

/* A binary file with `held` facets and `extra` bytes behind them; coordinate k of
 * facet i is 9 i + k. */
size_t make_binary(unsigned char *out, const char *header, uint32_t counted, uint32_t held,
                   size_t extra);
/* An ASCII file of the same facets, with short lines. */
size_t make_ascii(char *out, int facets);
/* Whether these are the facets. */
void check_made(const sc_file *file, uint32_t facets);
void store_u32(unsigned char *at, uint32_t value);

/* A path in a new directory, NULL where there is none to be had; leave_directory removes both. */
const char *enter_directory(void);
void leave_directory(const char *path);
void write_all(int descriptor, const unsigned char *bytes, size_t size);

/* ASCII: a facet, a solid with a vertex given as text, and one with a normal. */
#define LOOP "outer loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\n"
#define FACET "facet normal 0 0 1\n" LOOP "endfacet\n"
#define VERTEX_FILE(xyz)                                                                           \
    "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex " xyz                             \
    "\nvertex 0 1 0\nendloop\nendfacet\nendsolid\n"
#define NORMAL_FILE(normal) "solid\nfacet" normal "\n" LOOP "endfacet\nendsolid\n"

#endif
