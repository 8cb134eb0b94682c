/* stream.c - see stream.h. */
#include "stream.h"

#include "base/alloc.h"
#include "base/error.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

sc_stream sc_stream_of_memory(const unsigned char *bytes, size_t size)
{
    return (sc_stream){.begin = bytes, .end = bytes + size, .descriptor = -1};
}

/* Reads until the window is full or nothing more comes: what is done anew for each window is done
 * seldom, in however small pieces the bytes come. */
static stlclash_code fill(sc_stream *stream, size_t used, stlclash_error *error)
{
    while (used < stream->capacity) {
        const ssize_t got =
            read(stream->descriptor, stream->buffer + used, stream->capacity - used);
        if (got == 0) {
            stream->more = false;
            break;
        }
        if (got > 0) {
            used += (size_t)got;
        } else if (errno == EAGAIN) { /* whoever had the descriptor before does not block on it */
            struct pollfd wanted = {.fd = stream->descriptor, .events = POLLIN};
            poll(&wanted, 1, -1);
        } else if (errno != EINTR) {
            return sc_error_system(error, "read", errno);
        }
    }
    stream->begin = stream->buffer;
    stream->end = stream->buffer + used;
    return STLCLASH_OK;
}

stlclash_code sc_stream_open(int descriptor, size_t capacity, sc_stream *stream,
                             stlclash_error *error)
{
    *stream = (sc_stream){.more = true, .descriptor = descriptor, .capacity = capacity};
    stream->buffer = sc_alloc(capacity, 1);
    return stream->buffer ? fill(stream, 0, error) : sc_error_memory(error);
}

stlclash_code sc_stream_advance(sc_stream *stream, const unsigned char *from, stlclash_error *error)
{
    const size_t kept = (size_t)(stream->end - from);
    if (kept <= stream->capacity / 2) {
        memmove(stream->buffer, from, kept);
        return fill(stream, kept, error);
    }
    unsigned char *grown = NULL;
    if (from == stream->buffer) {
        grown = stream->capacity <= SIZE_MAX / 2 ? sc_realloc(stream->buffer, stream->capacity, 2)
                                                 : NULL;
    } else if ((grown = sc_alloc(stream->capacity, 2)) != NULL) {
        memcpy(grown, from, kept);
        sc_free(stream->buffer);
    }
    if (!grown) {
        return sc_error_memory(error);
    }
    stream->buffer = grown;
    stream->capacity *= 2;
    return fill(stream, kept, error);
}

void sc_stream_close(sc_stream *stream)
{
    sc_free(stream->buffer);
    stream->buffer = NULL;
}
