/* main.c - the command: options -> meshes -> check -> reports -> exit status. */
#include "message.h"
#include "motion.h"
#include "names.h"
#include "options.h"
#include "process.h"
#include "progress.h"
#include "report.h"
#include "stlclash.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum exit_status {
    EXIT_PASS = 0, /* every pair was checked and passes */
    EXIT_FAIL = 1, /* at least one pair fails */
    EXIT_ERROR = 2 /* misuse, unreadable input, a file that could not be written,
                      or an undecided pair: more than a failure, for the answer is
                      not known */
};

enum { PARTS = 2 };

/* What one run holds; zero is empty. */
struct run {
    stlclash_mesh *meshes[PARTS];
    char *names[PARTS];
    stlclash_result *result;      /* that of `sweep` where the parts move */
    stlclash_sweep_result *sweep; /* or NULL */
    report_cost cost;
};

static void run_free(struct run *run)
{
    if (run->sweep) {
        stlclash_sweep_result_free(run->sweep);
    } else {
        stlclash_result_free(run->result);
    }
    for (int i = 0; i < PARTS; i++) {
        stlclash_mesh_free(run->meshes[i]);
        free(run->names[i]);
    }
}

static bool read_meshes(const cli_options *options, struct run *run)
{
    double start = process_seconds();
    stlclash_error error;

    names_of_files(options->files, PARTS, run->names);
    for (int i = 0; i < PARTS; i++) {
        const char *file = options->files[i];
        if (!run->names[i]) {
            message_print("out of memory");
            return false;
        }
        if (stlclash_mesh_read(file, &run->meshes[i], &error) != STLCLASH_OK) {
            message_print("%s: %s", strcmp(file, "-") == 0 ? "standard input" : file, error.text);
            return false;
        }
        if (options->verbose) {
            stlclash_mesh_info info = stlclash_mesh_get_info(run->meshes[i]);
            message_print("read %s: %s, %" PRIu64 " triangles", file,
                          info.format == STLCLASH_ASCII ? "ASCII" : "binary", info.triangles);
        }
    }
    run->cost.read_seconds = process_seconds() - start;
    return true;
}

static bool check(const cli_options *options, struct run *run)
{
    double start = process_seconds();
    stlclash_options how = options->check;
    if (options->quiet && options->output_count == 0 && !options->curves) {
        how.no_overlap = true; /* nobody would see it */
    }
    progress bar = progress_start(options->progress == CLI_ALWAYS ? 0.0 : 1.0);
    if (options->progress == CLI_ALWAYS ||
        (options->progress == CLI_AUTO && isatty(STDERR_FILENO))) {
        how.progress = progress_update;
        how.progress_context = &bar;
    }

    stlclash_error error = {.text = ""};
    bool good = true;
    stlclash_code code = STLCLASH_OK;
    if (motion_given(&options->motion)) {
        good = motion_check(&options->motion, run->meshes, &how, &run->sweep);
        run->result = good ? run->sweep->start : NULL;
    } else {
        code = stlclash_check(run->meshes[0], run->meshes[1], &how, &run->result, &error);
    }
    progress_end(&bar);
    if (!good) {
        return false;
    }
    if (code != STLCLASH_OK) {
        message_print("%s", error.text);
        return false;
    }
    run->cost.check_seconds = process_seconds() - start;
    return true;
}

static void print_cost(const struct run *run)
{
    const stlclash_stats *stats = &run->result->stats;
    const report_cost *cost = &run->cost;
    for (int i = 0; i < PARTS; i++) {
        message_print(
            "blocks of %s: %" PRIu64 ", %" PRIu64 " near the other part, %" PRIu64 " opened",
            run->names[i], stats->blocks[i], stats->blocks_kept[i], stats->blocks_opened[i]);
    }
    message_print("tests: %" PRIu64 " boxes, %" PRIu64 " triangle pairs, %" PRIu64
                  " signs by exact arithmetic",
                  stats->box_tests, stats->triangle_pairs, stats->exact_calls);
    message_print("time: %.3f s read, %.3f s check, %.3f s processor; peak memory %.1f MB",
                  cost->read_seconds, cost->check_seconds, cost->cpu_seconds,
                  1e-6 * (double)cost->peak_bytes);
}

static bool want_color(cli_when when)
{
    const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return when == CLI_ALWAYS ||
           (when == CLI_AUTO && isatty(STDOUT_FILENO) && !(no_color && *no_color) && terminal &&
            strcmp(terminal, "dumb") != 0);
}

/* Everything that was written to standard output arrived. */
static bool close_stdout(bool ok)
{
    errno = ok ? 0 : errno;
    bool failed = ferror(stdout) || !ok;
    if (fclose(stdout) != 0 || failed) {
        message_print("standard output: %s", errno ? strerror(errno) : "write error");
        return false;
    }
    return true;
}

static bool save(const struct report *report, const report_format *format, const char *path)
{
    if (!report_save(report, format, path)) {
        message_print("%s: %s", path, strerror(errno));
        return false;
    }
    return true;
}

/* Half of the curves, or none because nobody looked, would look like all of them. */
static bool save_curves(const struct report *report, const char *path)
{
    for (size_t i = 0; i < report->pair_count; i++) {
        const stlclash_result *result = report->pairs[i].result;
        if (!result->has_hit_count) {
            message_print("%s: not written, for the check did not reach its end", path);
            return false;
        }
        if (result->hit_count > 0 && !(result->part[0].closed && result->part[1].closed)) {
            message_print("%s: not written, for a part is not closed (--health tells where)", path);
            return false;
        }
    }
    return save(report, &report_curves, path);
}

/* Every report that was asked for, even where another one fails. */
static bool write_reports(const cli_options *options, const struct report *report)
{
    bool ok = true;
    for (size_t i = 0; i < options->output_count; i++) {
        ok = save(report, options->outputs[i].format, options->outputs[i].path) && ok;
    }
    if (options->curves) {
        ok = save_curves(report, options->curves) && ok;
    }
    if (!options->quiet) {
        ok = close_stdout(report_print(report, options->format, stdout)) && ok;
    }
    return ok;
}

static int run_check(const cli_options *options, struct run *run)
{
    if (!read_meshes(options, run) || !check(options, run)) {
        return EXIT_ERROR;
    }
    run->cost.cpu_seconds = process_cpu_seconds();
    run->cost.peak_bytes = process_peak_bytes();
    if (options->verbose) {
        print_cost(run);
    }

    report_part parts[PARTS];
    for (int i = 0; i < PARTS; i++) {
        parts[i] = (report_part){.file = options->files[i],
                                 .name = run->names[i],
                                 .info = stlclash_mesh_get_info(run->meshes[i]),
                                 .found = run->result->part[i]};
    }
    report_pair pair = {.a = &parts[0],
                        .b = &parts[1],
                        .options = &options->check,
                        .result = run->result,
                        .motion = run->sweep,
                        .pass = run->sweep ? run->sweep->pass : run->result->pass};
    struct report report = {
        .parts = parts,
        .part_count = PARTS,
        .pairs = &pair,
        .pair_count = 1,
        .units = options->units,
        .options = options->check,
        .all_hits = options->max_hits_given,
        .color = want_color(options->color),
        .cost = options->verbose ? &run->cost : NULL,
    };
    bool written = write_reports(options, &report);

    report_summary summary = report_summarise(&report);
    if (!written || summary.status[STLCLASH_UNDECIDED] > 0) {
        return EXIT_ERROR;
    }
    return summary.pass ? EXIT_PASS : EXIT_FAIL;
}

int main(int argc, char **argv)
{
    cli_options options;
    struct run run = {0};
    int status = EXIT_ERROR;

    process_prepare();
    if (options_parse(&options, argc, argv)) {
        switch (options.action) {
        case CLI_HELP:
            options_print_help(stdout);
            status = close_stdout(true) ? EXIT_PASS : EXIT_ERROR;
            break;
        case CLI_VERSION:
            printf("stlclash %s\n", stlclash_version());
            status = close_stdout(true) ? EXIT_PASS : EXIT_ERROR;
            break;
        case CLI_CHECK: status = run_check(&options, &run); break;
        }
    }
    run_free(&run);
    options_free(&options);
    return status;
}
