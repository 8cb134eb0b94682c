/* file_bytes.c - see file_bytes.h. */
#include "file_bytes.h"

#include "message.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What a device holds has no end; one that is empty, like /dev/null, is as an empty file. */
static bool is_endless(FILE *file)
{
    struct stat status;
    int descriptor = fileno(file);
    return fstat(descriptor, &status) == 0 &&
           (S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode)) && !isatty(descriptor) &&
           getc(file) != EOF;
}

/* What comes from a pipe may have no end either; nothing that is read at once is so long. */
enum { MOST_PIPED = 1 << 28 }; /* 256 MiB */

static bool is_regular(FILE *file)
{
    struct stat status;
    return fstat(fileno(file), &status) == 0 && S_ISREG(status.st_mode);
}

static char *read_all(const char *name, FILE *file, size_t *size)
{
    size_t capacity = 1 << 16, got;
    char *bytes = malloc(capacity);

    *size = 0;
    errno = 0;
    while (bytes && (got = fread(bytes + *size, 1, capacity - *size - 1, file)) > 0) {
        *size += got;
        if (capacity - *size == 1) {
            if (capacity >= MOST_PIPED && !is_regular(file)) {
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
    if (ferror(file)) {
        message_print("%s: cannot read: %s", name, strerror(errno ? errno : EIO));
        free(bytes);
        return NULL;
    }
    bytes[*size] = '\0';
    return bytes;
}

char *file_bytes(const char *path, size_t *size)
{
    const bool from_stdin = strcmp(path, "-") == 0;
    FILE *file = from_stdin ? stdin : fopen(path, "rb");
    const char *name = message_file(path);
    char *bytes = NULL;

    if (!file) {
        message_print("%s: cannot read: %s", name, strerror(errno));
        return NULL;
    }
    if (is_endless(file)) {
        message_print("%s: it is a device, not a file", name);
    } else {
        bytes = read_all(name, file, size);
    }
    if (!from_stdin) {
        fclose(file);
    }
    return bytes;
}
