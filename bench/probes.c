/* probes.c - how many probes a second: `probes FILE.stl [COUNT]`.
 *
 * For each kind of probe one line: how many million a second the library answers, one
 * thread, from probes in memory to answers in memory, and how many hit. */
#include "probe_set.h"
#include "stlclash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static stlclash_probe probe_of(const probe_segment *s)
{
    stlclash_probe probe = {.radius = 0.0};
    for (int k = 0; k < 3; k++) {
        probe.from[k] = (double)s->from[k];
        probe.to[k] = (double)s->to[k];
    }
    return probe;
}

static void measure(const stlclash_prober *prober, probe_kind kind, const stlclash_probe *probes,
                    size_t count, stlclash_probe_hit *answers, bool *found)
{
    stlclash_error error;
    size_t hits = 0, some = 0, gaps = 0;
    double sum = 0.0, start;

    memset(answers, 1, count * sizeof *answers); /* pages that are there */
    memset(found, 1, count * sizeof *found);
    start = seconds();
    stlclash_prober_first_many(prober, probes, count, answers, &error);
    double first = seconds() - start;
    start = seconds();
    stlclash_prober_any_many(prober, probes, count, found, &error);
    double any = seconds() - start;
    for (size_t i = 0; i < count; i++) {
        hits += answers[i].triangles > 0;
        some += found[i];
        sum += answers[i].triangles > 0 ? answers[i].t : 0.0;
    }
    start = seconds();
    size_t few = count / 5000;
    for (size_t i = 0; i < few; i++) {
        stlclash_probe_gap gap;
        bool near;
        stlclash_prober_nearest(prober, &probes[i], INFINITY, &near, &gap, &error);
        gaps += near && gap.distance > 0.0;
    }
    double nearest = seconds() - start;
    printf("%s hits %zu any %zu first %.3f any %.3f nearest %.3f mean %.9g\n",
           probe_kind_names[kind], hits, some, 1e-6 * (double)count / first,
           1e-6 * (double)count / any, 1e-6 * (double)few / nearest,
           hits ? sum / (double)hits : 0.0);
}

int main(int argc, char **argv)
{
    stlclash_mesh *mesh;
    stlclash_prober *prober;
    stlclash_error error;
    size_t count = argc > 2 ? strtoul(argv[2], NULL, 10) : 1000000;

    if (argc < 2 || stlclash_mesh_read(argv[1], &mesh, &error) != STLCLASH_OK) {
        fprintf(stderr, "probes: %s\n", argc < 2 ? "a file is expected" : error.text);
        return 2;
    }
    stlclash_mesh_info info = stlclash_mesh_get_info(mesh);
    double start = seconds();
    if (stlclash_prober_make(mesh, NULL, false, &prober, &error) != STLCLASH_OK) {
        fprintf(stderr, "probes: %s\n", error.text);
        return 2;
    }
    printf("triangles %llu build %.3f\n", (unsigned long long)info.triangles, seconds() - start);
    stlclash_probe *probes = malloc(count * sizeof *probes);
    stlclash_probe_hit *answers = calloc(count, sizeof *answers);
    bool *found = calloc(count, sizeof *found);
    for (int kind = 0; probes && answers && found && kind < PROBE_KINDS; kind++) {
        uint64_t state = 1;
        for (size_t i = 0; i < count; i++) {
            probe_segment s = probe_draw((probe_kind)kind, info.bounds[0], info.bounds[1], &state);
            probes[i] = probe_of(&s);
        }
        measure(prober, (probe_kind)kind, probes, count, answers, found);
    }
    free(found);
    free(answers);
    free(probes);
    stlclash_prober_free(prober);
    stlclash_mesh_free(mesh);
    return 0;
}
