/* probe.c - see probe.h.
 *
 * Probes are read, answered and written in portions, as they come: a pipe can ask and
 * wait for the answer, and a file of any length takes no more memory for it. */
#include "probe.h"

#include "message.h"
#include "probe_lines.h"
#include "probe_spec.h"
#include "process.h"
#include "standard_output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The format of what is written as soon as it is known, or NULL. */
static const report_format *format_as_they_come(const cli_options *options)
{
    const report_format *format = report_probe_format(options->format);
    return options->output_count == 0 && report_probe_is_list(format) ? format : NULL;
}

bool probe_run_open(probe_run *run, const cli_options *options)
{
    run->options = options;
    run->start = process_seconds();
    run->sums.pass = true;
    run->as_they_come = format_as_they_come(options);
    bool ok = probe_parts_open(&run->parts, options);
    run->cost.read_seconds = process_seconds() - run->start;
    return ok;
}

static void drop_probes(probe_run *run)
{
    for (size_t i = 0; i < run->sums.count; i++) {
        stlclash_probe_result **results = (stlclash_probe_result **)run->probes[i].results;
        for (size_t part = 0; results && part < run->parts.count; part++) {
            stlclash_probe_result_free(results[part]);
        }
        free(results);
    }
    run->sums.count = run->answered = 0;
}

void probe_run_free(probe_run *run)
{
    drop_probes(run);
    free(run->probes);
    probe_parts_free(&run->parts);
}

/* ---- answers ------------------------------------------------------------------------ */

/* The results of the probes from `first` on, by part and probe, to each probe's own. */
static bool share_out(probe_run *run, size_t first, size_t count, stlclash_probe_result **all)
{
    size_t parts = run->parts.count;
    bool ok = true;

    for (size_t i = 0; i < count; i++) {
        stlclash_probe_result **own = malloc(parts * sizeof *own);
        for (size_t part = 0; part < parts; part++) {
            if (own) {
                own[part] = all[part * count + i];
            } else {
                stlclash_probe_result_free(all[part * count + i]);
            }
        }
        run->probes[first + i].results = own;
        ok = ok && own;
    }
    return ok || message_no_memory();
}

/* Holds each part against `count` probes: all[part * count + probe]. On failure all are
 * NULL. */
static bool check_parts(const probe_run *run, const stlclash_probe *probes, size_t count,
                        stlclash_probe_result **all)
{
    stlclash_error error;

    for (size_t part = 0; part < run->parts.count; part++) {
        if (stlclash_prober_check_many(run->parts.probers[part], probes, count,
                                       &run->options->check, &all[part * count],
                                       &error) != STLCLASH_OK) {
            message_print("%s: %s", run->parts.parts[part].name, error.text);
            for (size_t i = 0; i < part * count; i++) {
                stlclash_probe_result_free(all[i]);
            }
            return false;
        }
    }
    return true;
}

static bool check_probes(probe_run *run, size_t first, size_t count)
{
    stlclash_probe_result **all = calloc(count * run->parts.count, sizeof *all);
    stlclash_probe *probes = malloc(count * sizeof *probes);
    bool ok = (all && probes) || message_no_memory();

    for (size_t i = 0; ok && i < count; i++) {
        probes[i] = run->probes[first + i].probe;
    }
    ok = ok && check_parts(run, probes, count, all) && share_out(run, first, count, all);
    free(all);
    free(probes);
    return ok;
}

static bool time_is_up(const probe_run *run)
{
    double most = run->options->check.max_seconds;
    return most > 0.0 && process_seconds() - run->start > most;
}

static bool write_out(probe_run *run)
{
    struct report report = probe_run_report(run);
    if (!run->options->quiet && !report_print(&report, run->as_they_come, standard_output())) {
        message_print("standard output: %s", strerror(errno));
        return false;
    }
    return true;
}

/* Answers the probes that are not; writes and drops them, or keeps them. */
static bool answer(void *context)
{
    enum { AT_ONCE = 16384 }; /* answers, which limits the memory for them */
    probe_run *run = context;
    size_t most = run->parts.count < AT_ONCE ? AT_ONCE / run->parts.count : 1;

    while (run->answered < run->sums.count) {
        size_t first = run->answered, left = run->sums.count - first;
        size_t count = left < most ? left : most;
        bool late = time_is_up(run);
        if (!late && !check_probes(run, first, count)) {
            return false;
        }
        for (size_t i = first; i < first + count; i++) {
            report_probe *probe = &run->probes[i];
            probe->note = late ? "time_limit" : NULL;
            run->sums.status[report_probe_status(probe, run->parts.count)]++;
            run->sums.pass = run->sums.pass && report_probe_passes(probe, run->parts.count);
        }
        run->answered += count;
    }
    if (run->as_they_come && run->sums.count > 0) {
        bool ok = write_out(run);
        drop_probes(run);
        return ok;
    }
    return true;
}

static bool add_probe(void *context, const stlclash_probe *probe, uint64_t line)
{
    probe_run *run = context;
    if (run->sums.count == run->capacity) {
        size_t larger = 2 * run->capacity + 64;
        report_probe *grown = realloc(run->probes, larger * sizeof *grown);
        if (!grown) {
            return message_no_memory();
        }
        run->probes = grown;
        run->capacity = larger;
    }
    run->probes[run->sums.count++] =
        (report_probe){.probe = *probe, .number = run->number++, .line = line};
    return true;
}

static bool check_lines(probe_run *run)
{
    const char *file = run->options->probe_file;
    probe_taker taker = {.take = add_probe, .pause = answer, .context = run};
    uint64_t before = run->number;

    bool ok = probe_lines_read(file, &taker);
    run->sums.unread = taker.unread;
    /* A gate that holds nothing against the parts must not pass; JSON lines, without a format
     * of pairs, are a talk that may be short. */
    if (ok && run->number == before && taker.unread == 0 && run->options->format->write) {
        message_print("%s: it holds no probe", message_file(file));
        return false;
    }
    return ok;
}

bool probe_run_check(probe_run *run)
{
    const cli_options *options = run->options;
    double start = process_seconds();
    bool ok = true;

    for (size_t i = 0; i < options->probe_count && ok; i++) {
        stlclash_probe probe;
        char what[PROBE_PROBLEM_SIZE];
        ok = !probe_read(options->probes[i], &probe, what) && add_probe(run, &probe, 0);
    }
    ok = ok && answer(run);
    ok = ok && (!options->probe_file || check_lines(run));
    run->cost.check_seconds = process_seconds() - start;
    return ok;
}

struct report probe_run_report(probe_run *run)
{
    const cli_options *options = run->options;
    run->sums.probes = run->probes;
    return (struct report){.parts = run->parts.parts,
                           .part_count = run->parts.count,
                           .units = options->units ? options->units : run->parts.manifest.units,
                           .options = options->check,
                           .all_hits = options->max_hits_given,
                           .color = run->color,
                           .cost = options->verbose ? &run->cost : NULL,
                           .probes = &run->sums};
}
