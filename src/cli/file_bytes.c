/* file_bytes.c - see file_bytes.h. */
#include "file_bytes.h"

#include "message.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether a call that failed is to be made again, and the descriptor ready for it. */
static bool is_ready_again(int descriptor, short events)
{
    if (errno == EAGAIN) {
        struct pollfd wanted = {.fd = descriptor, .events = events};
        poll(&wanted, 1, -1);
        return true;
    }
    return errno == EINTR;
}

ssize_t file_read(int descriptor, void *bytes, size_t size)
{
    ssize_t got;
    do {
        got = read(descriptor, bytes, size);
    } while (got < 0 && is_ready_again(descriptor, POLLIN));
    return got;
}

bool file_write(int descriptor, const void *bytes, size_t size)
{
    const char *next = bytes;
    while (size > 0) {
        const ssize_t written = write(descriptor, next, size);
        if (written >= 0) {
            next += written;
            size -= (size_t)written;
        } else if (!is_ready_again(descriptor, POLLOUT)) {
            return false;
        }
    }
    return true;
}

/* What a device holds has no end; one that is empty, like /dev/null, is as an empty file. */
static bool is_endless(int descriptor)
{
    struct stat status;
    char byte;
    return fstat(descriptor, &status) == 0 &&
           (S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode)) && !isatty(descriptor) &&
           file_read(descriptor, &byte, 1) > 0;
}

/* What comes from a pipe may have no end either; nothing that is read at once is so long. */
enum { MOST_PIPED = 1 << 28 }; /* 256 MiB */

static bool is_regular(int descriptor)
{
    struct stat status;
    return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

static char *read_all(const char *name, int descriptor, size_t *size)
{
    size_t capacity = 1 << 16;
    ssize_t got = 0;
    char *bytes = malloc(capacity);

    *size = 0;
    while (bytes && (got = file_read(descriptor, bytes + *size, capacity - *size - 1)) > 0) {
        *size += (size_t)got;
        if (capacity - *size == 1) {
            if (capacity >= MOST_PIPED && !is_regular(descriptor)) {
                message_print("%s: 256 MiB came, and it is not at its end; put it into a file",
                              name);
                free(bytes);
                return NULL;
            }
            char *grown = capacity <= SIZE_MAX / 2 ? realloc(bytes, 2 * capacity) : NULL;
            if (!grown) {
                free(bytes);
            }
            bytes = grown;
            capacity *= 2;
        }
    }
    if (!bytes) {
        message_no_memory();
        return NULL;
    }
    if (got < 0) {
        message_print("%s: cannot read: %s", name, strerror(errno));
        free(bytes);
        return NULL;
    }
    bytes[*size] = '\0';
    return bytes;
}

char *file_bytes(const char *path, size_t *size)
{
    const bool from_file = strcmp(path, "-") != 0;
    const int descriptor = from_file ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
    const char *name = message_file(path);
    char *bytes = NULL;

    if (descriptor < 0) {
        message_print("%s: cannot read: %s", name, strerror(errno));
        return NULL;
    }
    if (is_endless(descriptor)) {
        message_print("%s: it is a device, not a file", name);
    } else {
        bytes = read_all(name, descriptor, size);
    }
    if (from_file) {
        close(descriptor);
    }
    return bytes;
}
