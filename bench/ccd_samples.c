/* ccd_samples.c - queries with exact answers against the kernel for vertices that move
 * straight: `ccd_samples DIR`.
 *
 * Reads every .csv below DIR in a folder named vertex-face or edge-edge. A query is 8 rows,
 * four points at time 0 and then at time 1 (vertex and face, or the ends of two edges), each
 * of x, y, z as numerator and denominator, and the truth, 0 or 1. Prints a line for each file
 * and one for all: how many queries, colliding ones that were missed, and others that were
 * taken for colliding. Exits with 1 if any was missed or 5 % or more were taken wrongly. */
#define _XOPEN_SOURCE 700 /* nftw */
#include "geom/tri_paths.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double tolerance = 1e-6;

enum { MAX_FILES = 100000 };

static char *files[MAX_FILES];
static size_t file_count;

static int take_file(const char *path, const struct stat *status, int type, struct FTW *where)
{
    (void)status;
    (void)where;
    size_t length = strlen(path);
    if (type == FTW_F && length > 4 && strcmp(path + length - 4, ".csv") == 0 &&
        (strstr(path, "vertex-face/") || strstr(path, "edge-edge/")) && file_count < MAX_FILES) {
        files[file_count] = malloc(length + 1);
        if (!files[file_count]) {
            return 1;
        }
        memcpy(files[file_count++], path, length + 1);
    }
    return 0;
}

static int by_name(const void *x, const void *y)
{
    return strcmp(*(char *const *)x, *(char *const *)y);
}

/* Quotients that are doubles: numerator and denominator are read without rounding. */
static bool read_row(const char *line, sc_vec3 *point, int *truth)
{
    double number[6];
    char *end;
    for (int i = 0; i < 6; i++) {
        number[i] = strtod(line, &end);
        if (end == line || *end != ',') {
            return false;
        }
        line = end + 1;
    }
    *truth = (int)strtol(line, &end, 10);
    *point = (sc_vec3){number[0] / number[1], number[2] / number[3], number[4] / number[5]};
    return end != line && (*truth == 0 || *truth == 1);
}

typedef struct count {
    unsigned long queries, missed, wrong;
} count;

static bool run_file(const char *path, const char *name, count *all)
{
    FILE *file = fopen(path, "r");
    if (!file) {
        fprintf(stderr, "ccd_samples: %s: %s\n", path, strerror(errno));
        return false;
    }
    char line[4096];
    static sc_path_room room;
    sc_path_query query;
    count c = {0};
    unsigned long row = 0;
    bool edges = strstr(path, "edge-edge/") != NULL, good = true;
    for (; good && fgets(line, sizeof line, file); row++) {
        int truth;
        good = read_row(line, &query.at[row % 8 / 4][row % 4], &truth);
        if (!good || row % 8 != 7) {
            continue;
        }
        sc_path_hit hit = edges ? sc_path_edge_edge(&query, tolerance, 1.0, &room)
                                : sc_path_vertex_face(&query, tolerance, 1.0, &room);
        c.queries++;
        c.missed += truth && !hit.found;
        c.wrong += !truth && hit.found;
    }
    if (!good || row % 8 != 0) {
        fprintf(stderr, "ccd_samples: %s: line %lu is no row of a query\n", path, row);
        good = false;
    }
    fclose(file);
    printf("%s queries %lu false_negatives %lu false_positives %lu\n", name, c.queries, c.missed,
           c.wrong);
    all->queries += c.queries;
    all->missed += c.missed;
    all->wrong += c.wrong;
    return good;
}

int main(int argc, char **argv)
{
    if (argc != 2 || nftw(argv[1], take_file, 16, 0) != 0 || file_count == 0) {
        fprintf(stderr, "ccd_samples: no vertex-face/*.csv or edge-edge/*.csv below %s\n",
                argc == 2 ? argv[1] : "DIR, which must be given");
        return 2;
    }
    count all = {0};
    bool good = true;
    size_t folder = strlen(argv[1]);
    qsort(files, file_count, sizeof files[0], by_name);
    for (size_t i = 0; i < file_count; i++) {
        const char *name = files[i] + folder;
        good = run_file(files[i], name + strspn(name, "/"), &all) && good;
        free(files[i]);
    }
    printf("all queries %lu false_negatives %lu false_positives %lu\n", all.queries, all.missed,
           all.wrong);
    return good ? all.missed > 0 || 20 * all.wrong >= all.queries : 2;
}
