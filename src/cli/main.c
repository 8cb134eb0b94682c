/* main.c - the command: options -> parts -> check -> reports -> exit status. */
#include "baseline.h"
#include "list_pairs.h"
#include "message.h"
#include "options.h"
#include "outputs.h"
#include "probe.h"
#include "process.h"
#include "report/report.h"
#include "run.h"
#include "standard_output.h"
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

/* Sums over all pairs; of two parts, each on its own. */
static void print_work(const run *r)
{
    stlclash_stats sum = {0};
    size_t closely = 0;
    for (size_t i = 0; i < r->pair_count; i++) {
        const stlclash_result *result = r->pairs[i].result;
        if (result && !r->pairs[i].clear_by_boxes) {
            closely++;
            sum.box_tests += result->stats.box_tests;
            sum.triangle_pairs += result->stats.triangle_pairs;
            sum.exact_calls += result->stats.exact_calls;
        }
    }
    if (r->part_count == 2 && r->pair_count == 1 && r->pairs[0].result) {
        const stlclash_stats *stats = &r->pairs[0].result->stats;
        for (int i = 0; i < 2; i++) {
            message_print(
                "blocks of %s: %" PRIu64 ", %" PRIu64 " near the other part, %" PRIu64 " opened",
                r->names[i], stats->blocks[i], stats->blocks_kept[i], stats->blocks_opened[i]);
        }
    } else {
        message_print("pairs: %zu looked at more closely than by their boxes", closely);
    }
    message_print("tests: %" PRIu64 " boxes, %" PRIu64 " triangle pairs, %" PRIu64
                  " signs by exact arithmetic",
                  sum.box_tests, sum.triangle_pairs, sum.exact_calls);
}

static void print_cost(const report_cost *cost)
{
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

/* The format of a report, or that of probes or of a list of pairs in its place. */
static const report_format *format_of(const cli_options *options, const report_format *format)
{
    if (options_probe(options)) {
        return report_probe_format(format);
    }
    return options->list_pairs ? list_pairs_format(format) : format;
}

static bool save(const struct report *report, const report_format *format, const char *path)
{
    if (!report_save(report, format, path)) {
        message_print("%s: cannot write: %s", path, strerror(errno));
        return false;
    }
    return true;
}

/* Half of the curves or overlaps, or none because nobody looked, would look like all of them. */
static bool save_drawing(const struct report *report, const cli_output *drawing)
{
    const char *path = drawing->path;
    for (size_t i = 0; i < report->pair_count; i++) {
        const stlclash_result *result = report->pairs[i].result;
        if (report->pairs[i].ignored) {
            continue;
        }
        if (!result || !result->has_hit_count) {
            message_print("%s: not written, for %s", path,
                          result ? "the check did not reach its end"
                                 : "not every pair was checked");
            return false;
        }
    }
    return save(report, drawing->format, path);
}

/* Nor does a pair without a mesh go unsaid where parts clash, or may. */
static bool save_overlap(const struct report *report, const cli_output *overlap)
{
    const report_pair *first = NULL;
    size_t without = 0;

    for (size_t i = 0; i < report->pair_count; i++) {
        const report_pair *pair = &report->pairs[i];
        const bool may_clash =
            !pair->ignored && pair->result &&
            (pair->result->status == STLCLASH_CLASH || pair->result->status == STLCLASH_UNDECIDED);
        if (may_clash && !report_shows_overlap(pair)) {
            first = first ? first : pair;
            without++;
        }
    }
    const bool ok = save_drawing(report, overlap);
    if (ok && without == 1) {
        message_print("%s: lacks the overlap of %s and %s, whose volume is not known",
                      overlap->path, first->a->name, first->b->name);
    } else if (ok && without > 1) {
        message_print(
            "%s: lacks the overlaps of %zu pairs, whose volumes are not known: %s and %s, "
            "for one",
            overlap->path, without, first->a->name, first->b->name);
    }
    return ok;
}

/* What fails now would be known, and pass, in the next run. */
static bool spoils_baseline(const cli_options *options, const char *path, int status)
{
    if (status == EXIT_PASS || !outputs_renew_baseline(options, path)) {
        return false;
    }
    message_print("%s: the baseline is kept, for this run fails", path);
    return true;
}

/* Every report that was asked for of a run with that exit status, even where another one fails;
 * `quiet`: none to standard output. The status, or EXIT_ERROR if one could not be written. */
static int write_reports(const cli_options *options, const struct report *report, bool quiet,
                         int status)
{
    bool ok = true;
    for (size_t i = 0; i < options->output_count; i++) {
        const cli_output *output = &options->outputs[i];
        ok = (spoils_baseline(options, output->path, status) ||
              save(report, format_of(options, output->format), output->path)) &&
             ok;
    }
    if (options->overlap.path) {
        ok = save_overlap(report, &options->overlap) && ok;
    }
    if (options->curves.path) {
        ok = save_drawing(report, &options->curves) && ok;
    }
    if (!quiet) {
        const report_format *format = format_of(options, options->format);
        ok = standard_output_close(report_print(report, format, standard_output())) && ok;
    }
    return ok ? status : EXIT_ERROR;
}

/* Of a run as it was judged. */
static int exit_status(bool known, bool pass)
{
    return !known ? EXIT_ERROR : pass ? EXIT_PASS : EXIT_FAIL;
}

static int run_all(const cli_options *options, run *r)
{
    if (options->baseline && !(r->before = baseline_read(options->baseline))) {
        return EXIT_ERROR; /* before the work that would be in vain */
    }
    if (!run_open(r, options) || !run_check(r)) {
        return EXIT_ERROR;
    }
    r->cost.cpu_seconds = process_cpu_seconds();
    r->cost.peak_bytes = process_peak_bytes();
    if (options->verbose) {
        print_work(r);
        print_cost(&r->cost);
    }
    struct report report = run_report(r);
    report.color = want_color(options->color);
    if (r->before && !options->list_pairs && !baseline_compare(r->before, &report, r->pairs)) {
        return EXIT_ERROR;
    }
    /* A line has told of two files all that there is: a program wants its report all the same. */
    bool told =
        !options->list_pairs && run_is_told(r) && options->format->write == report_write_text;
    int status;
    if (options->list_pairs) {
        status = exit_status(!r->unreadable, true);
    } else {
        report_summary summary = report_summarise(&report);
        status = exit_status(summary.known, summary.pass);
    }
    return write_reports(options, &report, options->quiet || told, status);
}

static int run_probes(const cli_options *options, probe_run *r)
{
    r->color = want_color(options->color);
    if (!probe_run_open(r, options) || !probe_run_check(r)) {
        return EXIT_ERROR;
    }
    r->cost.cpu_seconds = process_cpu_seconds();
    r->cost.peak_bytes = process_peak_bytes();
    if (options->verbose) {
        print_cost(&r->cost);
    }
    struct report report = probe_run_report(r);
    bool known = r->sums.unread == 0 && r->sums.status[STLCLASH_UNDECIDED] == 0;
    int status = exit_status(known, r->sums.pass);
    return write_reports(options, &report, options->quiet, status);
}

/* What only developers set. A name that is mistaken would test nothing; reports are the same with
 * any of them, so that they are made all the same. */
static void look_at_environment(void)
{
    static const char *const known[] = {"scalar", "baseline", "avx2", "avx512"};
    const char *wanted = getenv("STLCLASH_ISA");
    bool good = !wanted || wanted[0] == '\0';

    for (size_t i = 0; i < sizeof known / sizeof known[0] && !good; i++) {
        good = strcmp(wanted, known[i]) == 0;
    }
    if (!good) {
        message_print("STLCLASH_ISA: '%s' is none of scalar, baseline, avx2 and avx512; ignored",
                      wanted);
    }
}

int main(int argc, char **argv)
{
    cli_options options;
    run job = {.part_count = 0};
    probe_run probing = {.options = NULL};
    int status = EXIT_ERROR;

    process_prepare();
    look_at_environment();
    if (options_parse(&options, argc, argv)) {
        switch (options.action) {
        case CLI_HELP:
            options_print_help(standard_output());
            status = standard_output_close(true) ? EXIT_PASS : EXIT_ERROR;
            break;
        case CLI_VERSION:
            fprintf(standard_output(), "stlclash %s\n", stlclash_version());
            status = standard_output_close(true) ? EXIT_PASS : EXIT_ERROR;
            break;
        case CLI_CHECK:
            status =
                options_probe(&options) ? run_probes(&options, &probing) : run_all(&options, &job);
            break;
        }
    }
    probe_run_free(&probing);
    run_free(&job);
    options_free(&options);
    return status;
}
