/* probes.c - how many probes a second: `probes FILE.stl COUNT [ANSWERS]`.
 *
 * A line for the tree, and for each kind of probe one: how many million a second the library
 * answers, one thread, from probes in memory to answers in memory; many at once and one by
 * one. ANSWERS gets the parameter of each first hit as a float, -1 where there is none. */
#include "probe_set.h"
#include "stlclash.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* What the process has in memory, in MB. */
static double resident(void)
{
    long size = 0, pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file) {
        pages = fscanf(file, "%ld %ld", &size, &pages) == 2 ? pages : 0;
        fclose(file);
    }
    return 1e-6 * (double)pages * (double)sysconf(_SC_PAGESIZE);
}

static unsigned char *read_all(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    unsigned char *bytes = NULL;
    if (file && fseek(file, 0, SEEK_END) == 0) {
        *size = (size_t)ftell(file);
        rewind(file);
        bytes = malloc(*size + 1);
        if (bytes && fread(bytes, 1, *size, file) != *size) {
            free(bytes);
            bytes = NULL;
        }
    }
    if (file) {
        fclose(file);
    }
    return bytes;
}

typedef struct measuring {
    const stlclash_prober *prober;
    const stlclash_probe *probes;
    size_t count;
    stlclash_probe_hit *hits; /* [count] */
    bool *found;              /* [count] */
} measuring;

/* Millions a second, the best of three. */
static double rate_of(const measuring *m, void (*ask)(const measuring *))
{
    double least = INFINITY;
    for (int i = 0; i < 3; i++) {
        double start = seconds();
        ask(m);
        least = fmin(least, seconds() - start);
    }
    return 1e-6 * (double)m->count / least;
}

static void first_many(const measuring *m)
{
    stlclash_error error;
    stlclash_prober_first_many(m->prober, m->probes, m->count, m->hits, &error);
}

static void any_many(const measuring *m)
{
    stlclash_error error;
    stlclash_prober_any_many(m->prober, m->probes, m->count, m->found, &error);
}

static void first_each(const measuring *m)
{
    stlclash_error error;
    for (size_t i = 0; i < m->count; i++) {
        stlclash_prober_first(m->prober, &m->probes[i], &m->found[i], &m->hits[i], &error);
    }
}

static void any_each(const measuring *m)
{
    stlclash_error error;
    for (size_t i = 0; i < m->count; i++) {
        stlclash_prober_any(m->prober, &m->probes[i], &m->found[i], &error);
    }
}

static void measure(const measuring *m, probe_kind kind, FILE *answers)
{
    size_t hits = 0;

    memset(m->hits, 1, m->count * sizeof *m->hits); /* pages that are there */
    memset(m->found, 1, m->count * sizeof *m->found);
    double each = rate_of(m, first_each), any_one = rate_of(m, any_each);
    double any = rate_of(m, any_many), first = rate_of(m, first_many);
    for (size_t i = 0; i < m->count; i++) {
        bool hit = m->hits[i].triangles > 0;
        float t = hit ? (float)m->hits[i].t : -1.0f;
        hits += hit;
        if (answers) {
            fwrite(&t, sizeof t, 1, answers);
        }
    }
    printf("%s hits %zu first %.3f any %.3f first_each %.3f any_each %.3f\n",
           probe_kind_names[kind], hits, first, any, each, any_one);
}

int main(int argc, char **argv)
{
    stlclash_mesh *mesh;
    stlclash_prober *prober;
    stlclash_error error;
    size_t size = 0, count = argc > 2 ? strtoul(argv[2], NULL, 10) : 1000000;
    FILE *answers = argc > 3 ? fopen(argv[3], "wb") : NULL;
    unsigned char *stl = argc > 1 ? read_all(argv[1], &size) : NULL;

    if (!stl || stlclash_mesh_parse(stl, size, &mesh, &error) != STLCLASH_OK) {
        fprintf(stderr, "probes: a binary STL file is expected\n");
        return 2;
    }
    stlclash_mesh_info info = stlclash_mesh_get_info(mesh);
    probe_target part = {.stl = stl, .triangles = (uint32_t)info.triangles};
    memcpy(part.low, info.bounds[0], sizeof part.low);
    memcpy(part.high, info.bounds[1], sizeof part.high);
    double start = seconds(), before = resident();
    if (stlclash_prober_make(mesh, NULL, false, &prober, &error) != STLCLASH_OK) {
        fprintf(stderr, "probes: %s\n", error.text);
        return 2;
    }
    double took = seconds() - start;
    printf("triangles %u build %.3f memory %.1f\n", part.triangles, took, resident() - before);
    stlclash_probe *probes = calloc(count, sizeof *probes);
    measuring m = {prober, probes, count, calloc(count, sizeof *m.hits),
                   calloc(count, sizeof *m.found)};
    for (int kind = 0; probes && m.hits && m.found && kind < PROBE_KINDS; kind++) {
        uint64_t state = 1;
        for (size_t i = 0; i < count; i++) {
            probe_segment s = probe_draw((probe_kind)kind, &part, &state);
            for (int k = 0; k < 3; k++) {
                probes[i].from[k] = (double)s.from[k];
                probes[i].to[k] = (double)s.to[k];
            }
        }
        measure(&m, (probe_kind)kind, answers);
    }
    if (answers) {
        fclose(answers);
    }
    free(m.found);
    free(m.hits);
    free(probes);
    stlclash_prober_free(prober);
    stlclash_mesh_free(mesh);
    free(stl);
    return 0;
}
