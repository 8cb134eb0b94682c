/* probe_lines.c - see probe_lines.h. */
#include "probe_lines.h"

#include "file_bytes.h"
#include "message.h"
#include "probe_spec.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PORTION = 65536 };

typedef struct line_reader {
    const char *file;
    int descriptor;
    char bytes[PORTION + 1];
    size_t used;
    uint64_t line; /* lines so far */
    bool skipping; /* the rest of a line that is too long */
} line_reader;

static void refuse_line(probe_taker *taker, const line_reader *reader, const char *problem)
{
    message_print("%s: line %" PRIu64 ": %s", message_file(reader->file), reader->line, problem);
    taker->unread++;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* One line without its end, a zero byte behind it. */
static bool take_line(probe_taker *taker, line_reader *reader, char *text, size_t length)
{
    static const char mark[] = "\xEF\xBB\xBF"; /* UTF-8, as some editors say at the start */
    char what[PROBE_PROBLEM_SIZE], *end = text + length;
    stlclash_probe probe;

    if (++reader->line == 1 && strncmp(text, mark, sizeof mark - 1) == 0) {
        text += sizeof mark - 1;
    }
    while (end > text && (is_blank(end[-1]) || end[-1] == '\r')) {
        *--end = '\0';
    }
    while (is_blank(*text)) {
        text++;
    }
    if (*text == '#' || text == end) {
        return true; /* a comment, or empty */
    }
    const char *problem =
        memchr(text, '\0', (size_t)(end - text)) ? "a zero byte" : probe_read(text, &probe, what);
    if (problem) {
        refuse_line(taker, reader, problem);
        return true;
    }
    return taker->take(taker->context, &probe, reader->line);
}

/* The whole lines that were read; `last`: what is left is one too. */
static bool take_lines(probe_taker *taker, line_reader *reader, bool last)
{
    size_t from = 0;

    while (from < reader->used) {
        char *start = reader->bytes + from, *end = memchr(start, '\n', reader->used - from);
        if (!end && !last) {
            break;
        }
        size_t length = end ? (size_t)(end - start) : reader->used - from;
        start[length] = '\0';
        if (reader->skipping) {
            reader->skipping = false;
        } else if (!take_line(taker, reader, start, length)) {
            return false;
        }
        from += length + 1;
    }
    from = from < reader->used ? from : reader->used;
    memmove(reader->bytes, reader->bytes + from, reader->used - from);
    reader->used -= from;
    if (reader->used == PORTION) {
        if (!reader->skipping) {
            reader->line++;
            refuse_line(taker, reader, "the line is too long");
        }
        reader->skipping = true;
        reader->used = 0;
    }
    return taker->pause(taker->context);
}

static bool read_lines(probe_taker *taker, line_reader *reader)
{
    bool ok = true;

    for (bool more = true; ok && more;) {
        ssize_t got = reader->descriptor < 0
                          ? -1
                          : file_read(reader->descriptor, reader->bytes + reader->used,
                                      PORTION - reader->used);
        if (got < 0) {
            message_print("%s: cannot read: %s", message_file(reader->file), strerror(errno));
            ok = false;
            break;
        }
        reader->used += (size_t)got;
        more = got > 0;
        ok = take_lines(taker, reader, !more);
    }
    return ok;
}

bool probe_lines_read(const char *file, probe_taker *taker)
{
    const bool from_file = strcmp(file, "-") != 0;
    line_reader *reader = calloc(1, sizeof *reader);

    if (!reader) {
        return message_no_memory();
    }
    reader->file = file;
    reader->descriptor = from_file ? open(file, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
    bool ok = read_lines(taker, reader);
    if (from_file && reader->descriptor >= 0) {
        close(reader->descriptor);
    }
    free(reader);
    return ok;
}
