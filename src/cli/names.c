/* names.c - see names.h. */
#include "names.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Part of a path: the stem with some folders in front. */
typedef struct label {
    const char *start;
    int length;
} label;

static label label_of(const char *file, int folders)
{
    if (strcmp(file, "-") == 0) {
        return (label){"stdin", 5};
    }
    const char *slash = strrchr(file, '/');
    const char *start = slash ? slash + 1 : file;
    const char *dot = strrchr(start, '.');
    const char *end = dot && dot > start ? dot : start + strlen(start);

    for (; folders > 0 && start > file; folders--) {
        start--; /* onto the slash in front */
        while (start > file && start[-1] != '/') {
            start--;
        }
    }
    return (label){start, (int)(end - start)};
}

static bool same(label a, label b)
{
    return a.length == b.length && memcmp(a.start, b.start, (size_t)a.length) == 0;
}

/* The shortest label of file i that no other file has at the same depth. */
static label distinct_label(char *const files[], size_t count, size_t i)
{
    for (int folders = 0;; folders++) {
        label mine = label_of(files[i], folders);
        bool more = !same(mine, label_of(files[i], folders + 1));
        bool taken = false;
        for (size_t j = 0; j < count && !taken; j++) {
            taken = strcmp(files[i], files[j]) != 0 && same(mine, label_of(files[j], folders));
        }
        if (!taken || !more) {
            return mine;
        }
    }
}

static bool used(char *const names[], size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (names[i] && strcmp(names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

void names_of_files(char *const files[], size_t count, char *names[])
{
    for (size_t i = 0; i < count; i++) {
        label stem = distinct_label(files, count, i);
        size_t size = (size_t)stem.length + 24; /* room for # and a number */
        names[i] = malloc(size);
        if (!names[i]) {
            continue;
        }
        snprintf(names[i], size, "%.*s", stem.length, stem.start);
        for (size_t n = 2; used(names, i, names[i]); n++) {
            snprintf(names[i], size, "%.*s#%zu", stem.length, stem.start, n);
        }
    }
}
