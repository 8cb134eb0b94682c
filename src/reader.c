/* reader.c - see reader.h. */
#include "reader.h"

#include "ascii.h"
#include "base/alloc.h"
#include "base/error.h"
#include "geom/vec3.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Binary STL: 80 bytes for any use, the count, and per facet the normal (12 bytes),
 * three vertices (36) and an attribute (2). */
enum { ATTRIBUTE_IN_FACET = 48 };

enum { WINDOW_BYTES = 1 << 18, LEAST_MAPPED_BYTES = 1 << 20 };

/* The bytes of a file; behind sc_file they are its map, its buffer, or neither. */
typedef struct span {
    const unsigned char *bytes;
    size_t size;
} span;

/* ---- other formats by name -------------------------------------------------- */

static const struct signature {
    const char *bytes;
    size_t length;
    const char *text;
} signatures[] = {
    {"\x1F\x8B\x08", 3, "it is gzip-compressed (run gunzip first)"},
    {"PK\x03\x04", 4, "it is a zip archive, which 3MF files are too (unpack it, or export STL)"},
    {"BZh91AY&SY", 10, "it is bzip2-compressed (run bunzip2 first)"},
    {"\xFD\x37zXZ\x00", 6, "it is xz-compressed (run unxz first)"},
    {"\x28\xB5\x2F\xFD", 4, "it is zstd-compressed (run unzstd first)"},
    {"7z\xBC\xAF\x27\x1C", 6, "it is a 7z archive (unpack it first)"},
    {"Rar!\x1A\x07", 6, "it is a RAR archive (unpack it first)"},
    {"\x89PNG", 4, "it is a PNG image"},
    {"\xFF\xD8\xFF", 3, "it is a JPEG image"},
    {"%PDF-", 5, "it is a PDF document"},
    {"glTF\x02\x00\x00\x00", 8, "it is a glTF model (export STL)"},
    {"version https://git-lfs", 23, "it is a Git LFS pointer (run git lfs pull)"},
    {"<<<<<<< ", 8, "it has a merge conflict in it (resolve that first)"},
    {"ISO-10303-21", 12, "it is a STEP model (export STL)"},
    {"\xD0\xCF\x11\xE0", 4, "it is a document such as SolidWorks writes (export STL)"},
    {"\x7F"
     "ELF",
     4, "it is a program"},
    {"ply\n", 4, "it is a PLY model (export STL)"},
    {"ply\r", 4, "it is a PLY model (export STL)"},
    {"\xFF\xFE\x00\x00", 4, "it is UTF-32 text (save it as ASCII or UTF-8)"},
    {"\x00\x00\xFE\xFF", 4, "it is UTF-32 text (save it as ASCII or UTF-8)"},
};

static bool begins(span file, const char *bytes, size_t length)
{
    return file.size >= length && memcmp(file.bytes, bytes, length) == 0;
}

/* Without control characters near the start. */
static bool is_text(span file)
{
    size_t near = file.size < SC_SIGN_BYTES ? file.size : SC_SIGN_BYTES;
    for (size_t i = 0; i < near; i++) {
        if (file.bytes[i] < ' ' && !sc_is_space(file.bytes[i])) {
            return false;
        }
    }
    return true;
}

/* What the file is instead of STL, and the remedy; NULL if it may be binary STL. */
static const char *other_format(span file)
{
    for (size_t i = 0; i < sizeof signatures / sizeof signatures[0]; i++) {
        if (begins(file, signatures[i].bytes, signatures[i].length)) {
            return signatures[i].text;
        }
    }
    if (file.size >= 512 && memcmp(file.bytes + 257, "ustar", 5) == 0) {
        return "it is a tar archive (unpack it first)";
    }
    /* UTF-16, with or without a byte order mark: a zero beside the first letter. */
    if (file.size >= 4 && (begins(file, "\xFF\xFE", 2) || begins(file, "\xFE\xFF", 2)) &&
        (file.bytes[2] == 0) != (file.bytes[3] == 0)) {
        return "it is UTF-16 text (save it as ASCII or UTF-8)";
    }
    if (begins(file, "s\0o\0l\0i\0d", 9) || begins(file, "\0s\0o\0l\0i\0d", 10)) {
        return "it is UTF-16 text (save it as ASCII or UTF-8)";
    }
    if (!is_text(file)) {
        return NULL;
    }
    const unsigned char *end = file.bytes + file.size, *first = sc_text_start(file.bytes, end);
    const span text = {first, (size_t)(end - first)};
    if (text.size == 0) {
        return "it is blank";
    }
    if (sc_is_space(*first)) {
        return "it is blank as far as it was looked at";
    }
    if (begins(text, "<", 1)) {
        return "it is HTML or XML (was a web page saved instead of the file?)";
    }
    if (begins(text, "v ", 2) || begins(text, "o ", 2) || begins(text, "g ", 2) ||
        begins(text, "mtllib ", 7)) {
        return "it looks like an OBJ model (export STL)";
    }
    return "it is text that does not start with \"solid\"";
}

/* ---- binary STL ------------------------------------------------------------- */

/* True if the attribute counts are what they were once meant to be, lengths of data
 * behind each facet: such a file ends where they lead. */
static bool has_attribute_data(span file, uint32_t count)
{
    size_t at = SC_BINARY_FACETS_AT;
    for (uint32_t i = 0; i < count; i++) {
        if (file.size - at < SC_BINARY_FACET_BYTES) {
            return false;
        }
        const unsigned char *attribute = file.bytes + at + ATTRIBUTE_IN_FACET;
        size_t data = (size_t)attribute[0] | (size_t)attribute[1] << 8;
        at += SC_BINARY_FACET_BYTES;
        if (file.size - at < data) {
            return false;
        }
        at += data;
    }
    return at == file.size;
}

/* What the facets take that the header of a binary file counts. */
static uint64_t counted_bytes(span file)
{
    return (uint64_t)sc_load_u32(file.bytes + SC_BINARY_COUNT_AT) * SC_BINARY_FACET_BYTES;
}

static bool has_binary_size(span file)
{
    return file.size >= SC_BINARY_FACETS_AT &&
           file.size - SC_BINARY_FACETS_AT == counted_bytes(file);
}

/* Whether these bytes are whole binary files, one behind the other, none of them empty. */
static bool is_binary_files(span bytes)
{
    while (bytes.size > SC_BINARY_FACETS_AT) {
        const uint64_t facets = counted_bytes(bytes);
        if (facets == 0 || facets > bytes.size - SC_BINARY_FACETS_AT) {
            return false;
        }
        bytes.bytes += SC_BINARY_FACETS_AT + facets;
        bytes.size -= SC_BINARY_FACETS_AT + (size_t)facets;
    }
    return bytes.size == 0;
}

/* Whether they are a facet as files have them: with finite numbers, a normal of unit length or
 * none, and more than one corner. */
static bool may_be_facet(const unsigned char *bytes)
{
    float number[12];
    for (size_t i = 0; i < 12; i++) {
        const uint32_t bits = sc_load_u32(bytes + 4 * i);
        memcpy(&number[i], &bits, sizeof bits);
        if (!isfinite(number[i])) {
            return false;
        }
    }
    const sc_vec3 normal = {(double)number[0], (double)number[1], (double)number[2]};
    const double length_sq = sc_dot(normal, normal);
    return (length_sq == 0.0 || fabs(length_sq - 1.0) < 0.01) &&
           (memcmp(number + 3, number + 6, 12) != 0 || memcmp(number + 3, number + 9, 12) != 0);
}

/* Whether these bytes begin like a binary file, which may be cut or have others behind it. */
static bool begins_binary_file(span bytes)
{
    enum { MOST_LOOKED_AT = 16 };
    if (bytes.size < SC_BINARY_FACETS_AT + SC_BINARY_FACET_BYTES) {
        return false;
    }
    const uint64_t held = (bytes.size - SC_BINARY_FACETS_AT) / SC_BINARY_FACET_BYTES;
    const uint32_t count = sc_load_u32(bytes.bytes + SC_BINARY_COUNT_AT);
    for (uint32_t i = 0; i < count && i < held && i < MOST_LOOKED_AT; i++) {
        if (!may_be_facet(bytes.bytes + SC_BINARY_FACETS_AT + (size_t)i * SC_BINARY_FACET_BYTES)) {
            return false;
        }
    }
    return count > 0;
}

static stlclash_code parse_binary(span bytes, sc_file *file, stlclash_error *error)
{
    if (bytes.size < SC_BINARY_FACETS_AT) {
        return sc_error(error, STLCLASH_E_FORMAT,
                        "the file ends at byte %zu, inside the header (84 bytes); "
                        "it looks truncated",
                        bytes.size);
    }
    uint32_t count = sc_load_u32(bytes.bytes + SC_BINARY_COUNT_AT);
    uint64_t data = bytes.size - SC_BINARY_FACETS_AT, needed = counted_bytes(bytes);
    uint64_t held = data / SC_BINARY_FACET_BYTES;
    if (count == UINT32_MAX && data < needed && data % SC_BINARY_FACET_BYTES == 0) {
        return sc_error(error, STLCLASH_E_FORMAT,
                        "header counts %" PRIu32 " triangles, the file holds %" PRIu64
                        " (%zu bytes): the exporter never filled in the count",
                        count, held, bytes.size);
    }
    if (data < needed && data % SC_BINARY_FACET_BYTES == 0) {
        return sc_error(error, STLCLASH_E_FORMAT,
                        "header counts %" PRIu32 " triangles, the file holds %" PRIu64
                        " (%zu bytes); it looks truncated",
                        count, held, bytes.size);
    }
    if (data < needed) {
        return sc_error(error, STLCLASH_E_FORMAT,
                        "header counts %" PRIu32 " triangles, the file holds %" PRIu64
                        " (%zu bytes) and ends inside triangle %" PRIu64
                        ", counted from 0; it looks truncated",
                        count, held, bytes.size, held);
    }
    if (count == 0 && data > 0) {
        return sc_error(error, STLCLASH_E_FORMAT,
                        "header counts 0 triangles, but %" PRIu64
                        " bytes follow: the exporter never filled in the count",
                        data);
    }
    if (data > needed && has_attribute_data(bytes, count)) {
        return sc_error(error, STLCLASH_E_FORMAT,
                        "the triangles carry %" PRIu64
                        " bytes of attribute data, which is not supported; export without it",
                        data - needed);
    }
    const size_t end = SC_BINARY_FACETS_AT + (size_t)needed;
    const span behind = {bytes.bytes + end, bytes.size - end};
    if (data > needed && (is_binary_files(behind) || begins_binary_file(behind))) {
        return sc_error(error, STLCLASH_E_FORMAT,
                        "another STL file begins at byte %zu; give each a file of its own", end);
    }
    file->format = STLCLASH_BINARY;
    file->facets.stride = SC_BINARY_FACET_BYTES;
    file->facets.count = count;
    file->facets.first =
        bytes.bytes + SC_BINARY_FACETS_AT + (count > 0 ? SC_BINARY_VERTICES_AT : 0);
    file->trailing_bytes = data - needed;
    return STLCLASH_OK;
}

/* ---- telling formats apart -------------------------------------------------- */

/* Whether the start of a file, SC_SIGN_BYTES or all of it, shows that it is ASCII, without a
 * look at its size. No binary file is so: a count without zero bytes is one of 16 million facets
 * or more, and of these the first ones would have none either, nor any other control character. */
static bool is_ascii(span start)
{
    return is_text(start) && sc_ascii_starts(start.bytes, start.size);
}

/* Whether it is text like that but for zero bytes: where a binary file has its count there are
 * letters, which count more triangles than there are, and no whole number of them follows. */
static bool is_damaged_ascii(span file)
{
    if (file.size < SC_BINARY_FACETS_AT || counted_bytes(file) <= file.size - SC_BINARY_FACETS_AT ||
        (file.size - SC_BINARY_FACETS_AT) % SC_BINARY_FACET_BYTES == 0) {
        return false;
    }
    const span count = {file.bytes + SC_BINARY_COUNT_AT, SC_BINARY_FACETS_AT - SC_BINARY_COUNT_AT};
    return is_text(count) && sc_ascii_begins(file.bytes, file.size);
}

/* On success the facets are a view into `bytes` if binary, else in file->buffer. */
static stlclash_code parse(span bytes, sc_file *file, stlclash_error *error)
{
    if (bytes.size == 0) {
        return sc_error(error, STLCLASH_E_FORMAT, "the file is empty");
    }
    if (!is_ascii(bytes) && has_binary_size(bytes)) {
        return parse_binary(bytes, file, error);
    }
    if (sc_ascii_starts(bytes.bytes, bytes.size)) {
        sc_stream all = sc_stream_of_memory(bytes.bytes, bytes.size);
        return sc_ascii_read(&all, bytes.size, file, error);
    }
    if (is_damaged_ascii(bytes)) {
        const unsigned char *zero = memchr(bytes.bytes, 0, bytes.size);
        return sc_error(error, STLCLASH_E_FORMAT,
                        "byte %zu of the text is zero, where ASCII STL has none; it looks damaged",
                        (size_t)(zero - bytes.bytes));
    }
    const char *other = other_format(bytes);
    if (other) {
        return sc_error(error, STLCLASH_E_FORMAT, "not an STL file: %s", other);
    }
    return parse_binary(bytes, file, error);
}

stlclash_code sc_file_parse(const unsigned char *bytes, size_t size, sc_file *file,
                            stlclash_error *error)
{
    *file = (sc_file){0};
    stlclash_code code = parse((span){bytes, size}, file, error);
    if (code != STLCLASH_OK) {
        sc_file_close(file);
    }
    return code;
}

/* ---- files and pipes -------------------------------------------------------- */

/* What a device holds has no end; one that is empty, like /dev/null, is as an empty file. */
static bool is_endless(int descriptor, const struct stat *status)
{
    char byte;
    return (S_ISCHR(status->st_mode) || S_ISBLK(status->st_mode)) && !isatty(descriptor) &&
           read(descriptor, &byte, 1) > 0;
}

/* Maps a regular file that is to be read from its start; false if it cannot be, or is small:
 * a process may have so many maps only. */
static bool map_file(int descriptor, const struct stat *status, sc_file *file)
{
    if (!S_ISREG(status->st_mode) || status->st_size < LEAST_MAPPED_BYTES ||
        (uintmax_t)status->st_size > SIZE_MAX || lseek(descriptor, 0, SEEK_CUR) != 0) {
        return false;
    }
    size_t size = (size_t)status->st_size;
    void *map = mmap(NULL, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (map == MAP_FAILED) {
        return false;
    }
    file->map = map;
    file->map_size = size;
    return true;
}

static void release_map(sc_file *file)
{
    if (file->map) {
        munmap(file->map, file->map_size);
    }
    file->map = NULL;
    file->map_size = 0;
}

static sc_file_stamp stamp_of(const struct stat *status)
{
    return (sc_file_stamp){.regular = S_ISREG(status->st_mode),
                           .device = (uint64_t)status->st_dev,
                           .inode = (uint64_t)status->st_ino,
                           .size = (uint64_t)status->st_size,
                           .seconds = (int64_t)status->st_mtim.tv_sec,
                           .nanoseconds = (int64_t)status->st_mtim.tv_nsec};
}

static span seen_of(const sc_stream *stream)
{
    return (span){stream->begin, (size_t)(stream->end - stream->begin)};
}

/* Whether it is text, which is not binary STL (see is_ascii), and what kind of it is seen. */
static bool is_known_text(span start)
{
    const unsigned char *end = start.bytes + start.size;
    return is_text(start) &&
           (start.size > SC_MOST_AT_ONCE || sc_text_start(start.bytes, end) < end);
}

/* The first of so many facets, which are all there, that has a coordinate that is not finite; or
 * how many they are. */
static size_t first_nonfinite(span file, size_t count)
{
    const sc_facets facets = {.first = file.bytes + SC_BINARY_FACETS_AT + SC_BINARY_VERTICES_AT,
                              .stride = SC_BINARY_FACET_BYTES,
                              .count = (uint32_t)count};
    for (uint32_t i = 0; i < facets.count; i++) {
        float v[9];
        sc_facet_load(&facets, i, v);
        for (int k = 0; k < 9; k++) {
            if (!isfinite(v[k])) {
                return i;
            }
        }
    }
    return count;
}

/* A stream that may have no end. What is behind the facets that its header counts would be ignored,
 * so a little of it is waited for, to tell what it is; and of so many facets as no one may have
 * meant the first ones are looked at: numbers that are not finite make any other one in vain. */
static stlclash_code check_endless(span seen, stlclash_error *error)
{
    enum { MOST_BEHIND = 1 << 24, LOOKED_AT_FROM = 1 << 26, MOST_LOOKED_AT = 1 << 16 };
    if (seen.size < MOST_BEHIND || sc_ascii_starts(seen.bytes, seen.size)) {
        return STLCLASH_OK;
    }
    const uint64_t data = seen.size - SC_BINARY_FACETS_AT, needed = counted_bytes(seen);
    if (data > needed && data - needed > MOST_BEHIND) {
        sc_file file = {0};
        const stlclash_code code = parse(seen, &file, error);
        return code != STLCLASH_OK
                   ? code
                   : sc_error(error, STLCLASH_E_FORMAT,
                              "header counts %" PRIu64 " triangles, and more than %d bytes follow "
                              "them; it is no STL file",
                              needed / SC_BINARY_FACET_BYTES, MOST_BEHIND);
    }
    const size_t count = seen.size >= LOOKED_AT_FROM ? MOST_LOOKED_AT : 0;
    const size_t wrong = first_nonfinite(seen, count);
    if (wrong == count) {
        return STLCLASH_OK;
    }
    const char *other = other_format(seen);
    return other ? sc_error(error, STLCLASH_E_FORMAT, "not an STL file: %s", other)
                 : sc_error(error, STLCLASH_E_NONFINITE,
                            "triangle %zu has a vertex coordinate that is not finite", wrong);
}

/* Reads ASCII as it comes, of other text the start, and anything else to its end, into a window
 * that doubles when it is full, so that it is at most twice what has arrived. */
static stlclash_code read_stream(sc_stream *stream, sc_file *file, stlclash_error *error)
{
    stlclash_code code = check_endless(seen_of(stream), error);
    while (code == STLCLASH_OK && stream->more && !is_known_text(seen_of(stream))) {
        code = sc_stream_advance(stream, stream->begin, error);
        code = code == STLCLASH_OK ? check_endless(seen_of(stream), error) : code;
    }
    if (code != STLCLASH_OK) {
        return code;
    }
    const span seen = seen_of(stream);
    if (is_ascii(seen)) {
        return sc_ascii_read(stream, seen.size, file, error);
    }
    code = parse(seen, file, error);
    if (code == STLCLASH_OK && file->format == STLCLASH_BINARY) {
        file->buffer = stream->buffer;
        stream->buffer = NULL;
    }
    return code;
}

/* Reads the open file; on failure what it made is left to sc_file_close. */
static stlclash_code load(int descriptor, sc_file *file, stlclash_error *error)
{
    struct stat status;
    if (fstat(descriptor, &status) != 0) {
        return sc_error_system(error, "read", errno);
    }
    if (S_ISDIR(status.st_mode)) {
        return sc_error(error, STLCLASH_E_IO, "it is a directory, not a file");
    }
    if (is_endless(descriptor, &status)) {
        return sc_error(error, STLCLASH_E_IO, "it is a device, not a file");
    }
    file->stamp = stamp_of(&status);
    if (map_file(descriptor, &status, file)) {
        stlclash_code code = parse((span){file->map, file->map_size}, file, error);
        if (code == STLCLASH_OK && file->format == STLCLASH_ASCII) {
            release_map(file);
        }
        return code;
    }

    const bool small = S_ISREG(status.st_mode) && status.st_size < LEAST_MAPPED_BYTES;
    sc_stream stream;
    stlclash_code code = sc_stream_open(
        descriptor, small ? (size_t)status.st_size + 1 : WINDOW_BYTES, &stream, error);
    if (code == STLCLASH_OK) {
        code = read_stream(&stream, file, error);
    }
    sc_stream_close(&stream);
    return code;
}

stlclash_code sc_file_open(const char *path, sc_file *file, stlclash_error *error)
{
    *file = (sc_file){0};
    bool standard_input = strcmp(path, "-") == 0;
    int descriptor = standard_input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return sc_error_system(error, "open", errno);
    }
    stlclash_code code = load(descriptor, file, error);
    file->stamp.regular = file->stamp.regular && !standard_input;
    if (!standard_input) {
        close(descriptor);
    }
    if (code != STLCLASH_OK) {
        sc_file_close(file);
    }
    return code;
}

void sc_file_close(sc_file *file)
{
    release_map(file);
    sc_free(file->buffer);
    *file = (sc_file){0};
}
