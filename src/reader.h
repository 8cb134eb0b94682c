/* reader.h - bytes -> facets: binary and ASCII STL, every rejection named.
 *
 * The two formats are told apart by size and content, never by the word "solid"
 * alone: text that starts with it and holds no control character near is ASCII; a file
 * of exactly 84 + 50 n bytes whose count says n is binary; else what starts with "solid"
 * and holds no zero byte near is ASCII; else a file of another known format is named and
 * rejected; what is left is binary, possibly with bytes behind its facets. */
#ifndef SC_READER_H
#define SC_READER_H

#include "facets.h"
#include "stlclash.h"

#include <stdbool.h>

/* A binary file: where its count is, where its facets begin, and in each the vertices. */
enum {
    SC_BINARY_COUNT_AT = 80,
    SC_BINARY_FACETS_AT = 84,
    SC_BINARY_FACET_BYTES = 50,
    SC_BINARY_VERTICES_AT = 12
};

/* What tells whether a file is still the one that was read. */
typedef struct sc_file_stamp {
    bool regular; /* by name, from its start: it can be read again */
    uint64_t device, inode, size;
    int64_t seconds, nanoseconds; /* when it was last changed */
} sc_file_stamp;

/* What a file holds. Owns the memory behind `facets`: a map of the file, a buffer, or, for bytes
 * that the caller keeps, nothing. */
typedef struct sc_file {
    stlclash_format format;
    sc_facets facets;
    uint64_t trailing_bytes; /* behind the last facet of a binary file */
    void *buffer;            /* NULL or allocated by sc_alloc */
    void *map;               /* NULL or from mmap */
    size_t map_size;
    sc_file_stamp stamp; /* zero for bytes in memory */
} sc_file;

/* Reads `path`, "-" being standard input. Regular files of a megabyte or more are mapped; of the
 * rest ASCII is read as it comes, and of it only the facets are kept, and anything else is read to
 * its end into a buffer of at most twice its size. Coordinates of a binary file are not looked at
 * here (the first pass over the mesh does); an ASCII one's are finite. On failure *file is zero. */
stlclash_code sc_file_open(const char *path, sc_file *file, stlclash_error *error);

/* The same for `size` bytes in memory that outlive the file. */
stlclash_code sc_file_parse(const unsigned char *bytes, size_t size, sc_file *file,
                            stlclash_error *error);

/* Gives everything back; a zeroed sc_file is fine. */
void sc_file_close(sc_file *file);

#endif
