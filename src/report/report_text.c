/* report_text.c - the report for people: the verdict, then the numbers that matter.
 *
 * Two parts make one block. An assembly has a verdict and counts, a matrix of its
 * pairs where that fits, a block for each of the worst failures, and a line for
 * everything else that somebody should look at. */
#include "report.h"
#include "report_block.h"
#include "report_matrix.h"
#include "report_pair.h"

#include <inttypes.h>
#include <stdlib.h>

enum { FEW_BLOCKS = 10, FEW_LINES = 20, NAME_COLUMN = 26, HEAD_INDENT = 11 };

/* CLASH      a.stl  b.stl */
static void print_head(const row_page *page, const report_pair *pair, const char *a, const char *b)
{
    row_status(page, report_pair_status(pair));
    fputs("  ", page->stream);
    row_name(page, a);
    fputs("  ", page->stream);
    row_name(page, b);
    fputc('\n', page->stream);
}

/* ---- the parts ----------------------------------------------------------- */

static void print_health(const row_page *page, const report_part *part)
{
    const stlclash_part_result *found = &part->found;
    char value[ROW_VALUE_SIZE];

    row_start(page, "part", part->name);
    if (!found->has_health) {
        fputs("not judged", page->stream);
    } else if (!found->closed) {
        fputs("not closed", page->stream);
    } else {
        fputs("closed, volume ", page->stream);
        row_name(page, row_number(value, page, found->volume, 3));
    }
    if (found->has_components) {
        fprintf(page->stream, ", %" PRIu64 " component%s", found->components,
                found->components == 1 ? "" : "s");
    }
    fputc('\n', page->stream);
}

static bool is_healthy_report(const struct report *report)
{
    bool quiet = !report->options.health;
    for (size_t i = 0; quiet && i < report->part_count; i++) {
        const report_part *part = &report->parts[i];
        quiet = part->info.warning_count == 0 && part->found.warning_count == 0;
    }
    return quiet;
}

static void print_parts(const row_page *page)
{
    const struct report *report = page->report;

    for (size_t i = 0; report->options.health && i < report->part_count; i++) {
        if (!report->parts[i].error) {
            print_health(page, &report->parts[i]);
        }
    }
    for (size_t i = 0; i < report->part_count; i++) {
        report_print_warnings(page, &report->parts[i]);
    }
}

/* ---- an assembly: the head ----------------------------------------------- */

static void print_changes(const row_page *page)
{
    const struct report *report = page->report;
    uint64_t counts[REPORT_RESOLVED + 1];

    report_count_changes(report, counts);
    row_start(page, "baseline", report->baseline);
    for (int change = REPORT_NEW; change <= REPORT_RESOLVED; change++) {
        fprintf(page->stream, "%s%" PRIu64 " %s", change == REPORT_NEW ? "" : ", ", counts[change],
                report_change_text((report_change)change));
    }
    fputc('\n', page->stream);
}

static void print_unreadable(const row_page *page)
{
    const struct report *report = page->report;
    for (size_t i = 0; i < report->part_count; i++) {
        const report_part *part = &report->parts[i];
        if (part->error) {
            row_sentence(page, "unreadable", part->name, part->error);
        }
    }
}

static void print_verdict(const row_page *page)
{
    report_summary summary = report_summarise(page->report);
    char counts[PAIR_LINE_SIZE];

    if (!summary.known) {
        row_word(page, "UNDECIDED", "35");
    } else {
        row_word(page, summary.pass ? "PASS" : "FAIL", summary.pass ? "32" : "1;31");
    }
    fputs("  ", page->stream);
    row_wrapped(page, report_counts_line(counts, page->report), HEAD_INDENT, HEAD_INDENT, 80);
    if (page->report->baseline) {
        print_changes(page);
    }
    print_unreadable(page);
}

/* ---- an assembly: its pairs ---------------------------------------------- */

/* "  contact       lid vs box                  distance 0 mm" */
static void print_line(const row_page *page, const char *label, const char *a, const char *b,
                       const char *text)
{
    fprintf(page->stream, "  %-12s  ", label);
    row_name(page, a);
    fputs(" vs ", page->stream);
    row_name(page, b);
    int length = (int)(row_columns(a) + row_columns(b)) + 4;
    if (*text) {
        fprintf(page->stream, "%*s  ", length < NAME_COLUMN ? NAME_COLUMN - length : 0, "");
        row_name(page, text);
    }
    fputc('\n', page->stream);
}

static void print_pair_line(const row_page *page, const report_pair *pair, const char *label)
{
    char line[PAIR_LINE_SIZE];
    print_line(page, label, pair->a->name, pair->b->name,
               report_pair_line(line, page->report, pair));
}

static void print_more(const row_page *page, uint64_t count, const char *remark)
{
    char value[ROW_VALUE_SIZE];
    if (count > 0) {
        snprintf(value, sizeof value, "and %" PRIu64 " more", count);
        row_start(page, "", value);
        fprintf(page->stream, "%s\n", remark);
    }
}

/* Blocks for the worst, a line for each other one. An unreadable part has said it for
 * all its pairs. */
static void print_failures(const row_page *page, const report_pair **pairs)
{
    size_t count = page->report->pair_count, blocks = 0;

    for (size_t i = 0; i < count && report_pair_fails(pairs[i]); i++) {
        const report_pair *pair = pairs[i];
        if (report_pair_unread(pair)) {
            continue;
        }
        if (blocks <= FEW_BLOCKS) {
            fputc('\n', page->stream); /* one more in front of the lines */
        }
        if (blocks < FEW_BLOCKS) {
            print_head(page, pair, pair->a->name, pair->b->name);
            report_print_block(page, pair);
        } else {
            print_pair_line(page, pair, report_pair_word(pair));
        }
        blocks++;
    }
}

/* Lines for the pairs of one kind, up to a number of them. */
static void print_kind(const row_page *page, const report_pair **pairs,
                       bool (*wanted)(const report_pair *), uint64_t unlisted)
{
    uint64_t found = 0, most = wanted == report_pair_accepted ? UINT64_MAX : FEW_LINES;

    for (size_t i = 0; i < page->report->pair_count; i++) {
        if (!wanted(pairs[i])) {
            continue;
        }
        if (found == 0) {
            fputc('\n', page->stream);
        }
        if (found++ < most) {
            bool known = report_pair_accepted(pairs[i]) || pairs[i]->change == REPORT_RESOLVED;
            print_pair_line(page, pairs[i],
                            known ? report_change_text(pairs[i]->change)
                                  : report_pair_word(pairs[i]));
        }
    }
    print_more(page, found > most ? found - most : 0, "--format=json lists them");
    print_more(page, found > 0 ? unlisted : 0, "with boxes apart");
}

static void print_resolved(const row_page *page)
{
    const struct report *report = page->report;
    for (size_t i = 0; i < report->resolved_count; i++) {
        const report_resolved *pair = &report->resolved[i];
        char text[ROW_VALUE_SIZE];
        if (i == 0) {
            fputc('\n', page->stream);
        }
        snprintf(text, sizeof text, "was %.80s, is clear", pair->was);
        print_line(page, "resolved", pair->a, pair->b, text);
    }
}

static void print_rules(const row_page *page)
{
    const struct report *report = page->report;
    for (size_t i = 0; i < report->rule_count; i++) {
        const report_rule *rule = &report->rules[i];
        if (i == 0) {
            fputc('\n', page->stream);
        }
        row_start(page, "rule", rule->name);
        fprintf(page->stream, "matches %" PRIu64 " pair%s", rule->matched,
                rule->matched == 1 ? "" : "s");
        if (rule->applied != rule->matched) {
            fprintf(page->stream, ", %" PRIu64 " of them left to it", rule->applied);
        }
        fputc('\n', page->stream);
        if (rule->reason) {
            row_start(page, "", rule->ignore ? "ignored" : "reason");
            row_name(page, rule->reason);
            fputc('\n', page->stream);
        }
    }
}

static bool print_assembly(const row_page *page)
{
    const report_pair **pairs = report_pairs_worst_first(page->report);
    if (!pairs) {
        return false;
    }
    char *cells = report_matrix_make(page->report);
    if (!cells) {
        free(pairs);
        return false;
    }
    print_verdict(page);
    report_matrix_print(page, cells);
    print_failures(page, pairs);
    print_kind(page, pairs, report_pair_accepted, 0);
    print_kind(page, pairs, report_pair_passes, 0);
    print_resolved(page);
    print_kind(page, pairs, report_pair_ignored, page->report->ignored_unlisted);
    print_rules(page);
    if (!is_healthy_report(page->report)) {
        fputc('\n', page->stream);
        print_parts(page);
    }
    free(cells);
    free(pairs);
    return true;
}

/* ---- the report ---------------------------------------------------------- */

/* Two parts and nothing else to tell. */
static bool is_plain_pair(const struct report *report)
{
    return report->part_count == 2 && report->pair_count == 1 && report->pairs[0].result &&
           report->rule_count == 0 && !report->baseline;
}

bool report_write_text(const struct report *report, FILE *stream)
{
    row_page page = {
        .stream = stream, .report = report, .escape = escape_text, .color = report->color};

    if (!is_plain_pair(report)) {
        page.brief = !report->all_hits;
        return print_assembly(&page);
    }
    const report_pair *pair = &report->pairs[0];
    bool names = report->own_names;
    print_head(&page, pair, names ? pair->a->name : pair->a->file,
               names ? pair->b->name : pair->b->file);
    report_print_block(&page, pair);
    print_parts(&page);
    return true;
}
