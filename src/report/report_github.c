/* report_github.c - workflow commands of GitHub Actions, which show as annotations:
 * errors for what fails, warnings for what the baseline accepts and for odd meshes.
 *
 * GitHub shows the first ten of a kind from a step, so the worst come first. */
#include "report.h"
#include "report_escape.h"
#include "report_pair.h"

#include <stdlib.h>
#include <string.h>

/* "::error file=lid.stl,title=clash: lid / box::" */
static void start_command(FILE *stream, const char *command, const char *file)
{
    fprintf(stream, "::%s ", command);
    if (file && strcmp(file, "-") != 0) {
        fputs("file=", stream);
        escape_github_property(file, stream);
        fputc(',', stream);
    }
    fputs("title=", stream);
}

static void write_pair(FILE *stream, const struct report *report, const report_pair *pair)
{
    char line[PAIR_LINE_SIZE];
    const char *change = report_change_text(pair->change);

    start_command(stream, report_pair_accepted(pair) ? "warning" : "error", pair->a->file);
    escape_github_property(report_pair_word(pair), stream);
    fputs("::", stream);
    escape_github(pair->a->name, stream);
    fputs(" and ", stream);
    escape_github(pair->b->name, stream);
    fprintf(stream, "%s%s: %s", change ? ", " : "", change ? change : "", report_pair_word(pair));
    report_pair_line(line, report, pair);
    fputs(*line ? ", " : "", stream);
    escape_github(line, stream);
    if (pair->rule) {
        fputs(" (rule ", stream);
        escape_github(pair->rule->name, stream);
        fputc(')', stream);
    }
    fputc('\n', stream);
}

/* One for all the pairs of a part that could not be read. */
static void write_unreadable(FILE *stream, const report_part *part)
{
    start_command(stream, "error", part->file);
    fputs("unreadable::", stream);
    escape_github(part->name, stream);
    fputs(" could not be read, so none of its pairs is decided: ", stream);
    escape_github(part->error, stream);
    fputc('\n', stream);
}

static void write_warnings(FILE *stream, const report_part *part, const stlclash_warning *warnings,
                           size_t count)
{
    for (size_t i = 0; i < count; i++) {
        start_command(stream, "warning", part->file);
        fprintf(stream, "%s::", warnings[i].code);
        escape_github(part->name, stream);
        fputs(": ", stream);
        escape_github(warnings[i].text, stream);
        fputc('\n', stream);
    }
}

static void write_summary(FILE *stream, const struct report *report)
{
    char counts[PAIR_LINE_SIZE];
    fprintf(stream, "::notice title=stlclash::%s: %s\n", report_counts_line(counts, report),
            report_verdict(report));
}

bool report_write_github(const struct report *report, FILE *stream)
{
    const report_pair **pairs = report_pairs_worst_first(report);
    if (!pairs) {
        return false;
    }
    for (size_t i = 0; i < report->part_count; i++) {
        if (report->parts[i].error) {
            write_unreadable(stream, &report->parts[i]);
        }
    }
    for (size_t i = 0; i < report->pair_count; i++) {
        bool said = report_pair_unread(pairs[i]);
        if (!said && (report_pair_fails(pairs[i]) || report_pair_accepted(pairs[i]))) {
            write_pair(stream, report, pairs[i]);
        }
    }
    for (size_t i = 0; i < report->part_count; i++) {
        const report_part *part = &report->parts[i];
        write_warnings(stream, part, part->info.warnings, part->info.warning_count);
        write_warnings(stream, part, part->found.warnings, part->found.warning_count);
    }
    write_summary(stream, report);
    free(pairs);
    return true;
}
