/* report_markdown.c - a summary for a job or a merge request: the count, the failures
 * worst first, what was left out and why; the rest folded away. */
#include "report.h"
#include "report_escape.h"
#include "report_pair.h"

#include <inttypes.h>
#include <stdlib.h>

enum { MOST_ROWS = 200 }; /* of a table or list: a job summary may have a megabyte */

static void write_summary(FILE *stream, const struct report *report)
{
    char counts[PAIR_LINE_SIZE];
    fprintf(stream, "### stlclash: %s\n\n%s.\n", report_verdict(report),
            report_counts_line(counts, report));
}

static void write_baseline(FILE *stream, const struct report *report)
{
    uint64_t counts[REPORT_RESOLVED + 1];
    report_count_changes(report, counts);

    fputs("Against ", stream);
    escape_markdown(report->baseline, stream);
    for (int change = REPORT_NEW; change <= REPORT_RESOLVED; change++) {
        fprintf(stream, "%s %" PRIu64 " %s", change == REPORT_NEW ? ":" : ",", counts[change],
                report_change_text((report_change)change));
    }
    fputs(".\n", stream);
}

/* A list of what is odd about the parts. */
typedef struct remarks {
    FILE *stream;
    uint64_t count;
} remarks;

static void write_remark(remarks *r, const char *kind, const report_part *part, const char *text)
{
    if (++r->count > MOST_ROWS) {
        return;
    }
    fprintf(r->stream, "%s- **%s** ", r->count == 1 ? "\n" : "", kind);
    escape_markdown(part->name, r->stream);
    fputs(": ", r->stream);
    escape_markdown(text, r->stream);
    fputc('\n', r->stream);
}

static void write_warnings(remarks *r, const report_part *part, const stlclash_warning *warnings,
                           size_t count)
{
    for (size_t i = 0; i < count; i++) {
        write_remark(r, "warning", part, warnings[i].text);
    }
}

static void write_remarks(FILE *stream, const struct report *report)
{
    remarks r = {.stream = stream};
    for (size_t i = 0; i < report->part_count; i++) {
        if (report->parts[i].error) {
            write_remark(&r, "unreadable", &report->parts[i], report->parts[i].error);
        }
    }
    for (size_t i = 0; i < report->part_count; i++) {
        const report_part *part = &report->parts[i];
        write_warnings(&r, part, part->info.warnings, part->info.warning_count);
        write_warnings(&r, part, part->found.warnings, part->found.warning_count);
    }
    if (r.count > MOST_ROWS) {
        fprintf(stream, "- and %" PRIu64 " more\n", r.count - MOST_ROWS);
    }
}

static void write_cell(FILE *stream, const char *text)
{
    fputc(' ', stream);
    escape_markdown(text, stream);
    fputs(" |", stream);
}

static void write_row(FILE *stream, const struct report *report, const report_pair *pair)
{
    char line[PAIR_LINE_SIZE];
    const char *change = report_change_text(pair->change);

    fputc('|', stream);
    write_cell(stream, report_pair_word(pair));
    write_cell(stream, pair->a->name);
    write_cell(stream, pair->b->name);
    write_cell(stream, report_pair_line(line, report, pair));
    write_cell(stream, pair->rule ? pair->rule->name : "");
    if (report->baseline) {
        write_cell(stream, change ? change : "");
    }
    fputc('\n', stream);
}

static bool is_failure(const report_pair *pair)
{
    return report_pair_fails(pair) && !report_pair_unread(pair);
}

/* A table of the pairs of one kind, if there are any; folded away under `fold`. */
static void write_table(FILE *stream, const struct report *report, const report_pair **pairs,
                        bool (*wanted)(const report_pair *), const char *fold)
{
    uint64_t count = 0, rows = 0;
    for (size_t i = 0; i < report->pair_count; i++) {
        count += wanted(pairs[i]);
    }
    if (count == 0) {
        return;
    }
    if (fold) {
        fprintf(stream, "\n<details><summary>%" PRIu64 " %s</summary>\n", count, fold);
    }
    fprintf(stream, "\n| | A | B | | rule |%s\n| --- | --- | --- | --- | --- |%s\n",
            report->baseline ? " baseline |" : "", report->baseline ? " --- |" : "");
    for (size_t i = 0; i < report->pair_count && rows < MOST_ROWS; i++) {
        if (wanted(pairs[i])) {
            write_row(stream, report, pairs[i]);
            rows++;
        }
    }
    if (rows < count) {
        fprintf(stream, "\nand %" PRIu64 " more\n", count - rows);
    }
    if (fold) {
        fputs("\n</details>\n", stream);
    }
}

static void write_unlisted(FILE *stream, const struct report *report)
{
    if (report->clear_unlisted > 0) {
        fprintf(stream, "\n%" PRIu64 " %s boxes alone.\n", report->clear_unlisted,
                report->clear_unlisted == 1 ? "pair is clear by its" : "pairs are clear by their");
    }
    for (size_t i = 0; i < report->resolved_count; i++) {
        fputs(i == 0 ? "\n- resolved: " : "- resolved: ", stream);
        escape_markdown(report->resolved[i].a, stream);
        fputs(" and ", stream);
        escape_markdown(report->resolved[i].b, stream);
        fputc('\n', stream);
    }
}

bool report_write_markdown(const struct report *report, FILE *stream)
{
    const report_pair **pairs = report_pairs_worst_first(report);
    if (!pairs) {
        return false;
    }
    write_summary(stream, report);
    if (report->baseline) {
        write_baseline(stream, report);
    }
    write_remarks(stream, report);
    write_table(stream, report, pairs, is_failure, NULL);
    write_table(stream, report, pairs, report_pair_accepted, "fail as in the baseline");
    write_table(stream, report, pairs, report_pair_ignored, "ignored");
    write_table(stream, report, pairs, report_pair_passes, "pass");
    write_unlisted(stream, report);
    free(pairs);
    return true;
}
