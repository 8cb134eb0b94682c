/* probe.c - see probe.h.
 *
 * Probes are read, answered and written in portions, as they come: a pipe can ask and
 * wait for the answer, and a file of any length takes no more memory for it. */
#include "probe.h"

#include "message.h"
#include "names.h"
#include "probe_spec.h"
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool no_memory(void)
{
    message_print("out of memory");
    return false;
}

/* ---- parts -------------------------------------------------------------------------- */

static const char *shown(const char *file)
{
    return strcmp(file, "-") == 0 ? "standard input" : file;
}

static bool open_part(probe_run *run, size_t i)
{
    const cli_options *options = run->options;
    const double *placement = i < 2 ? options->check.placement[i] : NULL;
    const char *file = options->files[i];
    stlclash_error error;

    if (stlclash_mesh_read(file, &run->meshes[i], &error) != STLCLASH_OK ||
        stlclash_prober_make(run->meshes[i], placement, true, &run->probers[i], &error) !=
            STLCLASH_OK) {
        message_print("%s: %s", shown(file), error.text);
        return false;
    }
    run->parts[i] = (report_part){.file = file,
                                  .name = run->names[i],
                                  .info = stlclash_mesh_get_info(run->meshes[i]),
                                  .found = stlclash_prober_part(run->probers[i])};
    if (options->verbose) {
        message_print("read %s: %" PRIu64 " triangles", file, run->parts[i].info.triangles);
    }
    return true;
}

bool probe_run_open(probe_run *run, const cli_options *options)
{
    size_t count = options->file_count;

    *run = (probe_run){.options = options, .part_count = count, .start = process_seconds()};
    run->sums.pass = true;
    run->kept =
        options->output_count > 0 || report_probe_format(options->format) != &report_probe_lines;
    run->names = calloc(count, sizeof *run->names);
    run->meshes = calloc(count, sizeof *run->meshes);
    run->probers = calloc(count, sizeof *run->probers);
    run->parts = calloc(count, sizeof *run->parts);
    if (!run->names || !run->meshes || !run->probers || !run->parts) {
        return no_memory();
    }
    names_of_files(options->files, count, run->names);
    for (size_t i = 0; i < count; i++) {
        if (!run->names[i]) {
            return no_memory();
        }
        if (!open_part(run, i)) {
            return false;
        }
    }
    run->cost.read_seconds = process_seconds() - run->start;
    return true;
}

static void free_results(const probe_run *run, report_probe *probe)
{
    stlclash_probe_result **results = (stlclash_probe_result **)probe->results;
    for (size_t i = 0; results && i < run->part_count; i++) {
        stlclash_probe_result_free(results[i]);
    }
    free(results);
    probe->results = NULL;
}

static void drop_probes(probe_run *run)
{
    for (size_t i = 0; i < run->sums.count; i++) {
        free_results(run, &run->probes[i]);
    }
    run->sums.count = 0;
}

void probe_run_free(probe_run *run)
{
    drop_probes(run);
    free(run->probes);
    for (size_t i = 0; i < run->part_count; i++) {
        stlclash_prober_free(run->probers ? run->probers[i] : NULL);
        stlclash_mesh_free(run->meshes ? run->meshes[i] : NULL);
        free(run->names ? run->names[i] : NULL);
    }
    free(run->names);
    free(run->meshes);
    free(run->probers);
    free(run->parts);
}

/* ---- answers ------------------------------------------------------------------------ */

static bool add_probe(probe_run *run, const stlclash_probe *probe, uint64_t line)
{
    if (run->sums.count == run->capacity) {
        size_t larger = 2 * run->capacity + 64;
        report_probe *grown = realloc(run->probes, larger * sizeof *grown);
        if (!grown) {
            return no_memory();
        }
        run->probes = grown;
        run->capacity = larger;
    }
    run->probes[run->sums.count++] =
        (report_probe){.probe = *probe, .number = run->number++, .line = line};
    return true;
}

/* The results of the probes from `first` on, by part and probe, to each probe's own. */
static bool share_out(probe_run *run, size_t first, stlclash_probe_result **all)
{
    size_t count = run->sums.count - first;
    bool ok = true;

    for (size_t i = 0; i < count; i++) {
        stlclash_probe_result **own = malloc(run->part_count * sizeof *own);
        for (size_t part = 0; part < run->part_count; part++) {
            if (own) {
                own[part] = all[part * count + i];
            } else {
                stlclash_probe_result_free(all[part * count + i]);
            }
        }
        run->probes[first + i].results = own;
        ok = ok && own;
    }
    return ok || no_memory();
}

static bool time_is_up(const probe_run *run)
{
    double most = run->options->check.max_seconds;
    return most > 0.0 && process_seconds() - run->start > most;
}

static bool check_against_parts(probe_run *run, size_t first)
{
    size_t count = run->sums.count - first;
    stlclash_probe_result **all = calloc(count * run->part_count, sizeof *all);
    stlclash_probe *probes = malloc(count * sizeof *probes);
    stlclash_error error;
    bool ok = all && probes;

    for (size_t i = 0; ok && i < count; i++) {
        probes[i] = run->probes[first + i].probe;
    }
    for (size_t part = 0; ok && part < run->part_count; part++) {
        if (stlclash_prober_check_many(run->probers[part], probes, count, &run->options->check,
                                       &all[part * count], &error) != STLCLASH_OK) {
            message_print("%s", error.text);
            for (size_t i = 0; i < part * count; i++) {
                stlclash_probe_result_free(all[i]);
            }
            free(all);
            free(probes);
            return false;
        }
    }
    ok = ok ? share_out(run, first, all) : no_memory();
    free(all);
    free(probes);
    return ok;
}

/* Answers the probes from `first` on; writes and drops them, or keeps them. */
static bool answer(probe_run *run, size_t first)
{
    if (first == run->sums.count) {
        return true;
    }
    if (time_is_up(run)) {
        for (size_t i = first; i < run->sums.count; i++) {
            run->probes[i].note = "time_limit";
        }
    } else if (!check_against_parts(run, first)) {
        return false;
    }
    for (size_t i = first; i < run->sums.count; i++) {
        const report_probe *probe = &run->probes[i];
        run->sums.status[report_probe_status(probe, run->part_count)]++;
        run->sums.pass = run->sums.pass && report_probe_passes(probe, run->part_count);
    }
    if (run->kept) {
        return true;
    }
    struct report report = probe_run_report(run);
    bool ok = run->options->quiet || report_print(&report, &report_probe_lines, stdout);
    drop_probes(run);
    if (!ok) {
        message_print("standard output: %s", strerror(errno));
    }
    return ok;
}

/* ---- a file of probes --------------------------------------------------------------- */

enum { PORTION = 65536 };

/* The lines of a file as they come. */
typedef struct line_reader {
    const char *file;
    int descriptor;
    char bytes[PORTION + 1];
    size_t used;
    uint64_t line; /* lines so far */
    bool skipping; /* the rest of a line that is too long */
} line_reader;

static void refuse_line(probe_run *run, const line_reader *reader, const char *problem)
{
    message_print("%s: line %" PRIu64 ": %s", shown(reader->file), reader->line, problem);
    run->sums.unread++;
}

/* One line without its end; `length` tells of zero bytes. */
static bool take_line(probe_run *run, line_reader *reader, char *text, size_t length)
{
    char what[PROBE_PROBLEM_SIZE];
    stlclash_probe probe;

    reader->line++;
    while (length > 0 && strchr(" \t\r", text[length - 1]) && text[length - 1]) {
        text[--length] = '\0';
    }
    text += strspn(text, " \t");
    if (*text == '#' || (*text == '\0' && length == 0)) {
        return true; /* a comment, or empty */
    }
    const char *problem = strlen(text) + 1 < length && memchr(text, '\0', length)
                              ? "a zero byte"
                              : probe_read(text, &probe, what);
    if (problem) {
        refuse_line(run, reader, problem);
        return true;
    }
    return add_probe(run, &probe, reader->line);
}

/* The whole lines that were read; `last`: what is left is one too. */
static bool take_lines(probe_run *run, line_reader *reader, bool last)
{
    size_t from = 0, first = run->sums.count;

    while (from < reader->used) {
        char *start = reader->bytes + from, *end = memchr(start, '\n', reader->used - from);
        if (!end && !last) {
            break;
        }
        size_t length = end ? (size_t)(end - start) : reader->used - from;
        start[length] = '\0';
        if (reader->skipping) {
            reader->skipping = false;
        } else if (!take_line(run, reader, start, length)) {
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
            refuse_line(run, reader, "the line is too long");
        }
        reader->skipping = true;
        reader->used = 0;
    }
    return answer(run, first);
}

static bool read_probes(probe_run *run)
{
    line_reader reader = {.file = run->options->probe_file, .descriptor = STDIN_FILENO};
    bool ok = true, from_file = strcmp(reader.file, "-") != 0;

    if (from_file) {
        reader.descriptor = open(reader.file, O_RDONLY | O_CLOEXEC);
    }
    for (bool more = true; ok && more;) {
        ssize_t got = reader.descriptor < 0 ? -1
                                            : read(reader.descriptor, reader.bytes + reader.used,
                                                   PORTION - reader.used);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            message_print("%s: %s", shown(reader.file), strerror(errno));
            ok = false;
            break;
        }
        reader.used += (size_t)got;
        more = got > 0;
        ok = take_lines(run, &reader, !more);
    }
    if (from_file && reader.descriptor >= 0) {
        close(reader.descriptor);
    }
    return ok;
}

/* ---- the whole ---------------------------------------------------------------------- */

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
    ok = ok && answer(run, 0);
    ok = ok && (!options->probe_file || read_probes(run));
    run->cost.check_seconds = process_seconds() - start;
    return ok;
}

struct report probe_run_report(probe_run *run)
{
    run->sums.probes = run->probes;
    return (struct report){.parts = run->parts,
                           .part_count = run->part_count,
                           .units = run->options->units,
                           .options = run->options->check,
                           .all_hits = run->options->max_hits_given,
                           .probes = &run->sums};
}
