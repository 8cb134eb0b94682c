/* standard_output.c - see standard_output.h. */
#define _GNU_SOURCE /* fopencookie */
#include "standard_output.h"

#include "file_bytes.h"
#include "message.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#if defined(__linux__)

/* As stdio takes it: 0 where it could not be written. */
static ssize_t write_patiently(void *cookie, const char *bytes, size_t size)
{
    (void)cookie;
    return file_write(STDOUT_FILENO, bytes, size) ? (ssize_t)size : 0;
}

static int close_descriptor(void *cookie)
{
    (void)cookie;
    return close(STDOUT_FILENO);
}

/* To clear the flag would change the descriptor of all that share it. */
static FILE *patient(void)
{
    const cookie_io_functions_t functions = {.write = write_patiently, .close = close_descriptor};
    const int flags = fcntl(STDOUT_FILENO, F_GETFL);
    return flags != -1 && (flags & O_NONBLOCK) != 0 ? fopencookie(NULL, "w", functions) : NULL;
}

#else

static FILE *patient(void)
{
    return NULL;
}

#endif

FILE *standard_output(void)
{
    static FILE *stream;
    if (!stream) {
        stream = patient();
        stream = stream ? stream : stdout;
    }
    return stream;
}

bool standard_output_close(bool ok)
{
    FILE *stream = standard_output();
    const bool failed = ferror(stream) || !ok;
    errno = failed ? errno : 0;
    if (fclose(stream) != 0 || failed) {
        message_print("standard output: %s", errno ? strerror(errno) : "write error");
        return false;
    }
    return true;
}
