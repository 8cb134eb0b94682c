/* report_probe_text.c - probes as text for people. */
#include "report_number.h"
#include "report_probe_parts.h"
#include "report_row.h"

#include <stdlib.h>
#include <string.h>

/* CLASH      0 0 30 to 0 0 -30, radius 2 */
static void print_head(const row_page *page, const report_probe *probe)
{
    const stlclash_probe *p = &probe->probe;
    char value[ROW_VALUE_SIZE];

    row_status(page, report_probe_status(probe, page->report->part_count));
    fprintf(page->stream, "  %s", row_vector(value, p->from));
    fprintf(page->stream, p->ray ? " along %s" : " to %s", row_vector(value, p->to));
    if (p->radius > 0.0) {
        fputs(", radius ", page->stream);
        row_name(page, row_number(value, page, p->radius, 1));
    }
    fputc('\n', page->stream);
}

static void print_of(const row_page *page, stlclash_feature feature, uint32_t triangle, size_t part)
{
    fprintf(page->stream, "%s of triangle %u of ", stlclash_feature_text(feature),
            (unsigned)triangle);
    row_name(page, page->report->parts[part].name);
    fputc('\n', page->stream);
}

static void print_hits(const row_page *page, const report_probe *probe, size_t *next)
{
    enum { FEW = 10 };
    static const char *const labels[] = {"touches", "enters", "leaves"};
    const struct report *report = page->report;
    uint64_t count = report_probe_count_hits(probe, report->part_count), shown = 0;
    uint64_t most = report->all_hits ? report->options.max_hits : FEW;
    char value[ROW_VALUE_SIZE];
    report_probe_hit h;

    while (shown < most && report_probe_next_hit(probe, report->part_count, next, &h)) {
        shown++;
        row_start(page, labels[h.hit->passing], row_point(value, h.hit->point));
        fprintf(page->stream, "at %s", number_rounded(value, h.hit->t));
        if (h.hit->t_end > h.hit->t) {
            fprintf(page->stream, " to %s", number_rounded(value, h.hit->t_end));
        }
        fputs(", ", page->stream);
        print_of(page, h.hit->feature, h.hit->triangle, h.part);
    }
    if (shown < count) {
        snprintf(value, sizeof value, "%llu", (unsigned long long)(count - shown));
        row_start(page, "more hits", value);
        fputs("-n lists them\n", page->stream);
    }
}

static void print_gap(const row_page *page, const report_probe *probe, size_t part)
{
    const stlclash_probe_result *result = probe->results[part];
    char value[ROW_VALUE_SIZE];

    if (probe->probe.radius > 0.0) {
        row_start(page, "clearance", row_number(value, page, result->clearance, 1));
        fputs("the distance less the radius, from ", page->stream);
    } else {
        row_start(page, "distance", row_number(value, page, result->gap.distance, 1));
        fputs("from ", page->stream);
    }
    row_name(page, page->report->parts[part].name);
    if (result->status == STLCLASH_NEAR) {
        fputs(", below the clearance of ", page->stream);
        row_name(page, row_number(value, page, page->report->options.clearance, 1));
    }
    fputc('\n', page->stream);
    if (probe->probe.radius > 0.0) {
        row_value(page, "distance", row_number(value, page, result->gap.distance, 1));
    }
    row_value(page, "vector", row_way(value, result->gap.vector));
    row_start(page, "on probe", row_point(value, result->gap.point_probe));
    fprintf(page->stream, "at %s\n", number_rounded(value, result->gap.t));
    row_start(page, "on part", row_point(value, result->gap.point_part));
    print_of(page, result->gap.feature, result->gap.triangle, part);
}

static void print_contact(const row_page *page, const report_probe *probe, size_t part)
{
    const stlclash_probe_result *result = probe->results[part];
    char value[ROW_VALUE_SIZE];

    row_start(page, "reaches it", row_point(value, result->contact_centre));
    fprintf(page->stream, "centre of the leading end, at %s, ",
            number_rounded(value, result->contact_t));
    row_name(page, page->report->parts[part].name);
    fputc('\n', page->stream);
}

/* What makes a contact fail; a gap that is too small has said so. */
static void print_failure(const row_page *page, const report_probe *probe)
{
    const stlclash_options *options = &page->report->options;
    size_t parts = page->report->part_count;
    char value[ROW_VALUE_SIZE];

    if (report_probe_status(probe, parts) != STLCLASH_CONTACT ||
        report_probe_passes(probe, parts)) {
        return;
    }
    if (options->contact_fails) {
        row_value(page, "contact", "fails by --contact=fail");
    } else {
        fprintf(page->stream, "  %-12s  not kept: ", "clearance");
        row_name(page, row_number(value, page, options->clearance, 1));
        fputc('\n', page->stream);
    }
}

static void print_probe(const row_page *page, const report_probe *probe, size_t *next)
{
    const struct report *report = page->report;
    size_t parts = report->part_count, near = report_probe_nearest(probe, parts);
    size_t contact = report_probe_contact(probe, parts);

    print_head(page, probe);
    print_hits(page, probe, next);
    for (size_t i = 0; probe->results && i < parts; i++) {
        if (probe->results[i]->has_inside && probe->results[i]->inside) {
            row_value(page, "begins in", report->parts[i].name);
        }
    }
    if (near < parts) {
        print_gap(page, probe, near);
    }
    if (contact < parts) {
        print_contact(page, probe, contact);
    }
    print_failure(page, probe);
    if (probe->note) {
        row_sentence(page, "note", NULL, stlclash_note_text(probe->note));
    }
    for (size_t i = 0; probe->results && i < parts; i++) {
        for (size_t k = 0; k < probe->results[i]->note_count; k++) {
            const char *note = probe->results[i]->notes[k];
            if (!report_probe_noted(probe, i, note)) {
                row_sentence(page, "note", NULL, stlclash_note_text(note));
            }
        }
    }
}

bool report_probe_write_text(const struct report *report, FILE *stream)
{
    row_page page = {stream, report, escape_text, report->color, false};
    size_t *next = report_probe_make_next(report);

    for (size_t i = 0; next && i < report->probes->count; i++) {
        memset(next, 0, report->part_count * sizeof *next);
        print_probe(&page, &report->probes->probes[i], next);
    }
    free(next);
    return next != NULL;
}
