/* reports.c - see reports.h. */
#include "reports.h"

#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const nasty_names[] = {
    "a \"quoted\" 'name'",
    "<b>&amp;]]></b>",
    "line\nend\r\nand\ttab",
    "comma, semicolon; colon: 100%",
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "'apostrophe",
    "\xef\xbc\x9dwide",
    "\xf0\x9f\x94\xa9 bolt \xe2\x9c\x93",
    "latin gr\xfcn \xc1\x80 \xed\xa0\x80 \xf5\x80",
    "cut \xe2\x82",
    "\x1b[31mred\x07\x7f\x01",
    "noncharacter \xef\xbf\xbf \xef\xbf\xbe",
    "| a | `b` | *c* | [d](e) | $x$ | \\ |",
    "::error::%0A::",
    "=cmd|' /C calc'!A0,\"x\"\r\n",
    " leading and trailing ",
    "\t=tab",
    NULL,
};

static const stlclash_warning warning = {"degenerate_triangles", 3, 7, "3 triangles have no area"};
static const char *const notes[] = {"containment_unknown", "units_differ"};

void made_start(made_report *made, size_t parts)
{
    memset(made, 0, sizeof *made);
    made->report = (struct report){.parts = made->parts,
                                   .part_count = parts,
                                   .pairs = made->pairs,
                                   .units = "mm",
                                   .options = stlclash_options_default()};
    made->report.options.clearance = 0.5;
    made->rules[0] = (report_rule){.name = "part1* / part*",
                                   .a = "*", /* however few parts there are */
                                   .b = "*",
                                   .options = &made->report.options,
                                   .max_volume = 0.001,
                                   .max_depth = INFINITY};
    made->rules[1] = (report_rule){.name = "part2 / part*",
                                   .a = "*",
                                   .b = "*",
                                   .options = &made->report.options,
                                   .reason = "they share a bearing",
                                   .ignore = true,
                                   .max_volume = INFINITY,
                                   .max_depth = INFINITY};
    made->hits[0] = (stlclash_hit){1, 2, 1, {{0.1, 0.2, 0.3}}};
    made->hits[1] = (stlclash_hit){4, 2, 2, {{0.1, 0.2, 0.3}, {1, 2, 3}}};
    for (size_t i = 0; i < parts; i++) {
        snprintf(made->names[i], sizeof made->names[i], "part%zu", i);
        snprintf(made->files[i], sizeof made->files[i], "part%zu.stl", i);
        made->parts[i] = (report_part){.name = made->names[i],
                                       .file = made->files[i],
                                       .info = {.triangles = 12, .bounds = {{0}, {1, 1, 1}}},
                                       .found = {.bounds = {{0}, {1, 1, 1}}}};
    }
    if (parts > 0) {
        made->parts[0].info.warnings = &warning;
        made->parts[0].info.warning_count = 1;
    }
}

static void fill_overlap(made_report *made, stlclash_result *result, double amount)
{
    made->regions[0] = (stlclash_region){amount, {{0}, {1, 1, 1}}, amount, 0, 0};
    made->regions[1] = (stlclash_region){amount / 2, {{0}, {1, 1, 1}}, NAN, 0, 0};
    result->has_overlap = true;
    result->overlap = (stlclash_overlap){.volume = amount,
                                         .volume_error = 1e-12,
                                         .bounds = {{0}, {1, 1, 1}},
                                         .has_depth = true,
                                         .depth = amount,
                                         .depth_error = 0.001,
                                         .deepest_point = {0.5, 0.5, 0.5},
                                         .deepest_in = STLCLASH_A,
                                         .deepest_vector = {0, 0, amount},
                                         .regions = made->regions,
                                         .region_count = 2};
    result->has_hit_count = true;
    result->hit_count = 18;
    result->hits = made->hits;
    result->hits_listed = 2;
}

static void fill(made_report *made, stlclash_result *result, made_kind kind, double amount)
{
    static const stlclash_status statuses[] = {STLCLASH_UNDECIDED, STLCLASH_CLASH,
                                               STLCLASH_CONTACT,   STLCLASH_NEAR,
                                               STLCLASH_CLEAR,     STLCLASH_CONTACT};
    *result = (stlclash_result){.status = statuses[kind],
                                .pass = kind == MADE_CLEAR || kind == MADE_TOUCH,
                                .resolution = 0x1p-23,
                                .touch_gap = 0x1p-22,
                                .touch_overlap = 0x1p-22};
    if (kind == MADE_UNDECIDED) {
        result->notes = notes;
        result->note_count = 2;
        return;
    }
    result->has_separation = true;
    result->separation = (stlclash_separation){.distance = kind == MADE_CLASH ? 0.0 : amount,
                                               .vector = {amount, 0, 0},
                                               .point_a = {amount, 0, 0}};
    if (kind == MADE_CLASH) {
        fill_overlap(made, result, amount);
    }
}

report_pair *made_add(made_report *made, made_kind kind, size_t a, size_t b, double amount)
{
    size_t i = made->report.pair_count++;
    report_pair *pair = &made->pairs[i];
    *pair =
        (report_pair){.a = &made->parts[a], .b = &made->parts[b], .options = &made->report.options};

    if (kind == MADE_IGNORED) {
        pair->ignored = made->rules[1].reason;
        pair->rule = &made->rules[1];
        pair->pass = true;
    } else if (kind == MADE_ERROR) {
        pair->error = "its volume is between the limits that could be proven";
    } else {
        fill(made, &made->results[i], kind, amount);
        pair->result = &made->results[i];
        pair->pass = pair->result->pass;
    }
    return pair;
}

void made_all(made_report *made)
{
    for (size_t a = 0; a < made->report.part_count; a++) {
        for (size_t b = a + 1; b < made->report.part_count; b++) {
            made_kind kind = (made_kind)test_below(MADE_KINDS);
            report_pair *pair = made_add(made, kind, a, b, test_uniform(0.0, 0.4));
            if (kind != MADE_IGNORED && test_below(3) == 0) {
                pair->rule = &made->rules[0];
            }
        }
    }
}

void made_nasty(made_report *made)
{
    for (size_t i = 0; i < made->report.part_count && nasty_names[i]; i++) {
        snprintf(made->names[i], sizeof made->names[i], "%s", nasty_names[i]);
        snprintf(made->files[i], sizeof made->files[i], "%s.stl", nasty_names[i]);
    }
}

char *made_text(const struct report *report, const char *format, size_t *size)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);

    if (!stream || !report_print(report, report_format_named(format), stream)) {
        test_failed(__FILE__, __LINE__, "%s was not written", format);
    }
    if (stream) {
        fclose(stream);
    }
    if (size) {
        *size = length;
    }
    return text;
}
