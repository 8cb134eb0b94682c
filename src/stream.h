/* stream.h - the bytes of a file or pipe as they come: a window that moves along them.
 *
 * What has been seen of the bytes is [begin, end); `more` tells whether others follow. Bytes in
 * memory are a window of all there is. */
#ifndef SC_STREAM_H
#define SC_STREAM_H

#include "stlclash.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct sc_stream {
    const unsigned char *begin, *end;
    bool more; /* else the bytes end at `end` */
    int descriptor;
    unsigned char *buffer; /* what begin and end point into; NULL for bytes in memory */
    size_t capacity;
} sc_stream;

/* Bytes that are in memory, and stay there. */
sc_stream sc_stream_of_memory(const unsigned char *bytes, size_t size);

/* The bytes that are read from `descriptor`, of which `capacity` are read at once, or all there
 * are. Whatever comes of it, sc_stream_close gives back what it took. */
stlclash_code sc_stream_open(int descriptor, size_t capacity, sc_stream *stream,
                             stlclash_error *error);

/* Reads on where `more` is true: the window begins at `from`, which lies in it, from then on, and
 * is longer than it was from there, or `more` is false. It grows only where it must, to twice its
 * size. Pointers into it are of no use any more. */
stlclash_code sc_stream_advance(sc_stream *stream, const unsigned char *from,
                                stlclash_error *error);

/* Gives back the window, unless that was taken over (buffer set to NULL). */
void sc_stream_close(sc_stream *stream);

#endif
