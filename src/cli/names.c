/* names.c - see names.h.
 *
 * Names and files are told apart by sorting, so that many take little longer than few. */
#include "names.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Part of a path: the stem with some folders in front. */
typedef struct label {
    const char *start;
    int length;
    const char *file;
    size_t number; /* of the file, in the order given */
} label;

static label label_of(const char *file, size_t number, int folders)
{
    if (strcmp(file, "-") == 0) {
        return (label){"stdin", 5, file, number};
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
    return (label){start, (int)(end - start), file, number};
}

static int compare_labels(const label *a, const label *b)
{
    int shorter = a->length < b->length ? a->length : b->length;
    int order = memcmp(a->start, b->start, (size_t)shorter);
    return order ? order : (a->length > b->length) - (a->length < b->length);
}

static int by_label(const void *x, const void *y)
{
    const label *a = x, *b = y;
    int order = compare_labels(a, b);
    order = order ? order : strcmp(a->file, b->file);
    return order ? order : (a->number > b->number) - (a->number < b->number);
}

/* Of labels that are the same one, with so many folders: gives it to those that have none for good,
 * which they have then where no other file has it, or where there is no longer one. True if some
 * are left that want a longer one. */
static bool settle_labels(const label *same, size_t count, int folders, label *labels,
                          bool *settled)
{
    bool shared = false, more = false;
    for (size_t i = 1; i < count; i++) {
        shared = shared || strcmp(same[0].file, same[i].file) != 0;
    }
    for (size_t i = 0; i < count; i++) {
        const label *l = &same[i];
        const label longer = label_of(l->file, l->number, folders + 1);
        if (!settled[l->number]) {
            labels[l->number] = *l;
            settled[l->number] = !shared || compare_labels(l, &longer) == 0;
            more = more || !settled[l->number];
        }
    }
    return more;
}

/* The shortest label of each file that no other file has at the same depth: labels that are
 * not alone get one folder more, all at once, until none is left that has one. */
static bool find_labels(char *const files[], size_t count, label *labels)
{
    label *sorted = malloc((count + 1) * sizeof *sorted);
    bool *settled = calloc(count + 1, sizeof *settled), more = sorted && settled;
    bool good = more;

    for (int folders = 0; more; folders++) {
        for (size_t i = 0; i < count; i++) {
            sorted[i] = label_of(files[i], i, folders);
        }
        qsort(sorted, count, sizeof *sorted, by_label);
        more = false;
        for (size_t first = 0, end; first < count; first = end) {
            for (end = first + 1;
                 end < count && compare_labels(&sorted[first], &sorted[end]) == 0;) {
                end++;
            }
            more |= settle_labels(&sorted[first], end - first, folders, labels, settled);
        }
    }
    free(sorted);
    free(settled);
    return good;
}

/* ---- the same name again -------------------------------------------------- */

/* Names that are taken: a table of them by their hash, never more than half full. */
typedef struct table {
    const char **slots;
    size_t size; /* a power of two */
} table;

static bool take(table *t, const char *name)
{
    size_t hash = 14695981039346656037u;
    for (const char *c = name; *c; c++) {
        hash = (hash ^ (unsigned char)*c) * 1099511628211u;
    }
    for (size_t i = hash;; i++) {
        const char **slot = &t->slots[i & (t->size - 1)];
        if (!*slot) {
            *slot = name;
            return true;
        }
        if (strcmp(*slot, name) == 0) {
            return false;
        }
    }
}

/* How often a label was numbered so far: of labels that are the same, the one that came
 * first keeps count. */
static size_t *counters(const label *labels, size_t count, size_t **same)
{
    label *sorted = malloc((count + 1) * sizeof *sorted);
    size_t *counts = calloc(count + 1, sizeof *counts);
    *same = calloc(count + 1, sizeof **same);
    if (!sorted || !counts || !*same) {
        free(sorted);
        free(counts);
        return NULL;
    }
    memcpy(sorted, labels, count * sizeof *sorted);
    for (size_t i = 0; i < count; i++) {
        sorted[i].file = ""; /* by label, then number */
    }
    qsort(sorted, count, sizeof *sorted, by_label);
    for (size_t i = 0; i < count; i++) {
        bool first = i == 0 || compare_labels(&sorted[i - 1], &sorted[i]) != 0;
        (*same)[sorted[i].number] = first ? sorted[i].number : (*same)[sorted[i - 1].number];
    }
    free(sorted);
    return counts;
}

static void name_files(const label *labels, size_t count, table *taken, size_t *counts,
                       const size_t *same, char *names[])
{
    for (size_t i = 0; i < count; i++) {
        size_t size = (size_t)labels[i].length + 24; /* room for # and a number */
        size_t *n = &counts[same[i]];
        names[i] = malloc(size);
        if (!names[i]) {
            continue;
        }
        do {
            ++*n;
            if (*n == 1) {
                snprintf(names[i], size, "%.*s", labels[i].length, labels[i].start);
            } else {
                snprintf(names[i], size, "%.*s#%zu", labels[i].length, labels[i].start, *n);
            }
        } while (!take(taken, names[i]));
    }
}

void names_of_files(char *const files[], size_t count, char *names[])
{
    label *labels = malloc((count + 1) * sizeof *labels);
    table taken = {NULL, 4};
    size_t *same = NULL, *counts = NULL;

    while (taken.size < 2 * count) {
        taken.size *= 2;
    }
    taken.slots = calloc(taken.size, sizeof *taken.slots);
    for (size_t i = 0; i < count; i++) {
        names[i] = NULL;
    }
    if (labels && taken.slots && find_labels(files, count, labels)) {
        counts = counters(labels, count, &same);
        if (counts) {
            name_files(labels, count, &taken, counts, same, names);
        }
    }
    free(labels);
    free(taken.slots);
    free(counts);
    free(same);
}

static int by_file(const void *x, const void *y)
{
    char *const *const *a = x, *const *const *b = y;
    int order = strcmp(**a, **b);
    return order ? order : (*a > *b) - (*a < *b);
}

bool names_first_of_files(char *const files[], size_t count, size_t first[])
{
    char *const **sorted = malloc((count + 1) * sizeof *sorted);

    if (!sorted) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        sorted[i] = &files[i];
    }
    qsort(sorted, count, sizeof *sorted, by_file);
    for (size_t i = 0; i < count; i++) {
        const size_t number = (size_t)(sorted[i] - files);
        const bool same = i > 0 && strcmp(*sorted[i - 1], *sorted[i]) == 0;
        first[number] = same ? first[sorted[i - 1] - files] : number;
    }
    free(sorted);
    return true;
}
