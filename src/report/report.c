/* report.c - see report.h. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "report.h"

#include "report_pair.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

const report_format report_formats[] = {
    {"text", {".txt", ".text"}, report_write_text},
    {"json", {".json"}, report_write_json},
    {"junit", {".xml"}, report_write_junit},
    {"markdown", {".md"}, report_write_markdown},
    {"csv", {".csv"}, report_write_csv},
    {"github", {NULL}, report_write_github},
    {"jsonl", {".jsonl"}, NULL},
    {NULL, {NULL}, NULL},
};

const report_format report_curves[] = {
    {"curves", {".obj"}, report_write_curves},
    {NULL, {NULL}, NULL},
};

const report_format report_overlaps[] = {
    {"overlap", {".stl"}, report_write_overlap_stl},
    {"overlap", {".obj"}, report_write_overlap_obj},
    {NULL, {NULL}, NULL},
};

const report_format *report_format_named(const char *name)
{
    for (const report_format *format = report_formats; format->name; format++) {
        if (strcmp(format->name, name) == 0) {
            return format;
        }
    }
    return NULL;
}

const report_format *report_format_of_file(const char *path, const report_format *formats)
{
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash ? slash : path, '.');

    for (const report_format *format = formats; dot && format->name; format++) {
        for (const char *const *extension = format->extensions; *extension; extension++) {
            if (strcasecmp(dot, *extension) == 0) {
                return format;
            }
        }
    }
    return NULL;
}

report_summary report_summarise(const struct report *report)
{
    report_summary summary = {.known = true, .pass = true};

    for (size_t i = 0; i < report->part_count; i++) {
        summary.known = summary.known && !report->parts[i].error;
    }
    for (size_t i = 0; i < report->pair_count; i++) {
        const report_pair *pair = &report->pairs[i];
        if (pair->ignored) {
            summary.ignored++;
            continue;
        }
        stlclash_status status = report_pair_status(pair);
        summary.status[status]++;
        summary.passing[status] += pair->pass;
        summary.pass = summary.pass && pair->pass;
    }
    summary.status[STLCLASH_CLEAR] += report->clear_unlisted;
    summary.passing[STLCLASH_CLEAR] += report->clear_unlisted;
    summary.ignored += report->ignored_unlisted;
    for (int i = STLCLASH_CLASH; i <= STLCLASH_CLEAR; i++) {
        summary.checked += summary.status[i];
    }
    summary.pairs = summary.checked + summary.ignored + summary.status[STLCLASH_UNDECIDED];
    summary.known = summary.known && summary.status[STLCLASH_UNDECIDED] == 0;
    summary.pass = summary.pass && summary.known;
    return summary;
}

bool report_print(const struct report *report, const report_format *format, FILE *stream)
{
    errno = 0;
    if (!format->write(report, stream)) {
        errno = ENOMEM;
        return false;
    }
    /* An error that the stream met before the flush has left its errno, as long
     * as no call in between succeeded in setting another. */
    if (fflush(stream) != 0 || ferror(stream)) {
        errno = errno ? errno : EIO;
        return false;
    }
    return true;
}

/* Prints to the descriptor and closes it. Whether the data have reached the disk is not waited
 * for: that may take longer than the check, which can be run again. */
static bool print_and_close(const struct report *report, const report_format *format,
                            int descriptor)
{
    FILE *stream = fdopen(descriptor, "w");
    if (!stream) {
        close(descriptor);
        return false;
    }
    bool ok = report_print(report, format, stream);
    int reason = errno;
    if (fclose(stream) != 0 && ok) {
        return false;
    }
    errno = reason;
    return ok;
}

/* What a new file may do by the umask, which can only be read by setting it. */
static mode_t new_file_mode(void)
{
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

static bool replace_file(const struct report *report, const report_format *format, const char *path,
                         mode_t mode)
{
    static const char pattern[] = ".stlclash-XXXXXX";
    const char *slash = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
    char *temporary = malloc(folder + sizeof pattern);
    if (!temporary) {
        return false;
    }
    memcpy(temporary, path, folder);
    memcpy(temporary + folder, pattern, sizeof pattern);

    int descriptor = mkstemp(temporary);
    bool ok = descriptor >= 0;
    if (ok) {
        if (fchmod(descriptor, mode) != 0) {
            /* Some file systems know no modes: the report is worth more. */
        }
        ok = print_and_close(report, format, descriptor) && rename(temporary, path) == 0;
        if (!ok) {
            int reason = errno;
            unlink(temporary);
            errno = reason;
        }
    }
    free(temporary);
    return ok;
}

/* A file can be made in the folder of this path, with slashes but in front of its name. */
static bool can_make_beside(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = strdup(slash ? path : "./");
    if (!folder) {
        return false;
    }
    folder[slash ? slash - path + 1 : 2] = '\0';
    bool ok = faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) == 0;
    int reason = errno;
    free(folder);
    errno = reason;
    return ok;
}

/* What is named by `text` in a link at `path`: relative to the folder that this is in. */
static char *path_beside(const char *path, const char *text)
{
    const char *slash = strrchr(path, '/');
    const size_t folder = slash && *text != '/' ? (size_t)(slash - path) + 1 : 0;
    char *made = malloc(folder + strlen(text) + 1);
    if (made) {
        memcpy(made, path, folder);
        strcpy(made + folder, text);
    }
    return made;
}

/* The file that a path leads to, through links, be there one or not: a link stays a link, as where
 * a shell writes. To be freed; NULL, with errno, if none can be. */
static char *file_behind(const char *path)
{
    enum { MOST_LINKS = 40 };
    char *target = realpath(path, NULL), text[4096];
    if (target || errno != ENOENT) {
        return target;
    }
    target = strdup(path);
    for (int links = 0; target; links++) {
        const ssize_t length = readlink(target, text, sizeof text - 1);
        if (length < 0) {
            return target;
        }
        text[length] = '\0';
        char *next = links < MOST_LINKS ? path_beside(target, text) : NULL;
        if (links == MOST_LINKS) {
            errno = ELOOP;
        }
        const int reason = errno;
        free(target);
        errno = reason;
        target = next;
    }
    return NULL;
}

bool report_can_save(const char *path)
{
    struct stat status;
    const bool exists = stat(path, &status) == 0;
    if (!exists && errno != ENOENT) {
        return false;
    }
    if (exists && S_ISDIR(status.st_mode)) {
        errno = EISDIR;
        return false;
    }
    if (exists && !S_ISREG(status.st_mode)) {
        return faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0;
    }
    char *target = file_behind(path);
    bool ok = target && can_make_beside(target);
    int reason = errno;
    free(target);
    errno = reason;
    return ok;
}

bool report_save(const struct report *report, const report_format *format, const char *path)
{
    struct report plain = *report;
    plain.color = false;

    struct stat status;
    bool exists = stat(path, &status) == 0;
    if (exists && !S_ISREG(status.st_mode)) {
        /* A pipe or a device is written to; a directory fails here. */
        int descriptor = open(path, O_WRONLY | O_NOCTTY);
        return descriptor >= 0 && print_and_close(&plain, format, descriptor);
    }

    /* An interrupt waits until the temporary file has its name, or is gone. */
    sigset_t interrupts, before;
    sigemptyset(&interrupts);
    sigaddset(&interrupts, SIGINT);
    sigaddset(&interrupts, SIGTERM);
    sigaddset(&interrupts, SIGHUP);
    sigaddset(&interrupts, SIGQUIT);
    sigaddset(&interrupts, SIGXCPU);
    sigprocmask(SIG_BLOCK, &interrupts, &before);

    char *target = file_behind(path);
    bool ok = target && replace_file(&plain, format, target,
                                     exists ? status.st_mode & 0777 : new_file_mode());
    int reason = errno;
    free(target);
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = reason;
    return ok;
}
