/* list_pairs.c - see list_pairs.h. */
#include "list_pairs.h"

#include "report/report_escape.h"
#include "report/report_json_writer.h"
#include "report/report_number.h"
#include "report/report_pair.h"

#include <inttypes.h>
#include <string.h>

enum { SCHEMA = 1 };

/* What would be done with pairs. */
typedef struct counts {
    uint64_t check, ignored, clear, undecided;
} counts;

static const char *action_of(const report_pair *pair)
{
    return pair->ignored          ? "ignore"
           : pair->error          ? "undecided"
           : pair->clear_by_boxes ? "clear"
                                  : "check";
}

static counts count_pairs(const struct report *report)
{
    counts sum = {.ignored = report->ignored_unlisted, .clear = report->clear_unlisted};
    for (size_t i = 0; i < report->pair_count; i++) {
        const report_pair *pair = &report->pairs[i];
        sum.ignored += pair->ignored != NULL;
        sum.undecided += !pair->ignored && pair->error;
        sum.clear += !pair->ignored && !pair->error && pair->clear_by_boxes;
        sum.check += !pair->ignored && !pair->error && !pair->clear_by_boxes;
    }
    return sum;
}

/* ---- text ---------------------------------------------------------------- */

static void print_length(const struct report *report, const char *what, double value, FILE *stream)
{
    char number[NUMBER_SIZE];
    fprintf(stream, "%s %s", what, number_rounded(number, value));
    if (report->units) {
        fputc(' ', stream);
        escape_text(report->units, stream);
    }
}

static void print_why(const struct report *report, const report_pair *pair, FILE *stream)
{
    if (pair->ignored) {
        escape_text(pair->ignored, stream);
    } else if (pair->error) {
        escape_text(pair->error, stream);
    } else {
        if (!report_pair_has_boxes(pair)) {
            fputs("a part has no triangles", stream);
        } else if (pair->box_distance > 0.0) {
            print_length(report, "boxes apart by", pair->box_distance, stream);
        } else {
            fputs("boxes meet", stream);
        }
        if (pair->options->clearance > 0.0) {
            print_length(report, ", clearance", pair->options->clearance, stream);
        }
    }
    if (pair->rule) {
        fputs("; rule ", stream);
        escape_text(pair->rule->name, stream);
    }
}

static bool write_text(const struct report *report, FILE *stream)
{
    counts sum = count_pairs(report);

    for (size_t i = 0; i < report->pair_count; i++) {
        const report_pair *pair = &report->pairs[i];
        fprintf(stream, "%-9s  ", action_of(pair));
        escape_text(pair->a->name, stream);
        fputs("  ", stream);
        escape_text(pair->b->name, stream);
        fputs("  (", stream);
        print_why(report, pair, stream);
        fputs(")\n", stream);
    }
    uint64_t all = sum.check + sum.clear + sum.ignored + sum.undecided;
    fprintf(stream,
            "%" PRIu64 " pair%s: %" PRIu64 " to check, %" PRIu64 " clear by %s boxes alone, "
            "%" PRIu64 " ignored, %" PRIu64 " undecided\n",
            all, all == 1 ? "" : "s", sum.check, sum.clear, sum.clear == 1 ? "its" : "their",
            sum.ignored, sum.undecided);
    return true;
}

/* ---- JSON ---------------------------------------------------------------- */

static void write_pair(json_writer *json, const report_pair *pair)
{
    json_open(json, NULL, '{', JSON_INLINE);
    json_string(json, "a", pair->a->name);
    json_string(json, "b", pair->b->name);
    json_string(json, "action", action_of(pair));
    json_string(json, "rule", pair->rule ? pair->rule->name : NULL);
    json_string(json, "reason", pair->ignored ? pair->ignored : pair->error);
    json_number_or_null(json, "box_distance", !pair->error && report_pair_has_boxes(pair),
                        pair->box_distance);
    if (pair->ignored) {
        json_null(json, "clearance");
    } else {
        json_number(json, "clearance", pair->options->clearance);
    }
    json_close(json);
}

static bool write_json(const struct report *report, FILE *stream)
{
    counts sum = count_pairs(report);
    json_writer json = {.stream = stream};

    json_open(&json, NULL, '{', JSON_LINES);
    json_string(&json, "stlclash", stlclash_version());
    json_count(&json, "schema", SCHEMA);
    json_string(&json, "units", report->units);
    json_open(&json, "list_pairs", '[', JSON_LINES);
    for (size_t i = 0; i < report->pair_count; i++) {
        write_pair(&json, &report->pairs[i]);
    }
    json_close(&json);
    json_open(&json, "summary", '{', JSON_INLINE);
    json_count(&json, "pairs", sum.check + sum.clear + sum.ignored + sum.undecided);
    json_count(&json, "check", sum.check);
    json_count(&json, "clear", sum.clear);
    json_count(&json, "ignored", sum.ignored);
    json_count(&json, "undecided", sum.undecided);
    json_close(&json);
    json_close(&json);
    fputc('\n', stream);
    return true;
}

const report_format *list_pairs_format(const report_format *format)
{
    static const report_format formats[] = {{"text", {NULL}, write_text},
                                            {"json", {NULL}, write_json}};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (strcmp(formats[i].name, format->name) == 0) {
            return &formats[i];
        }
    }
    return NULL;
}
