/* report_probe_json.c - probes as JSON: one report, or a line for each. */
#include "report_json.h"
#include "report_probe_parts.h"

#include <stdlib.h>
#include <string.h>

enum { SCHEMA = 1 };

static void write_hit(json_writer *json, const struct report *report, const report_probe_hit *h)
{
    json_open(json, NULL, '{', JSON_INLINE);
    json_string(json, "part", report->parts[h->part].name);
    json_string(json, "passing", stlclash_passing_text(h->hit->passing));
    json_number(json, "t", h->hit->t);
    json_number(json, "t_end", h->hit->t_end);
    json_vector(json, "point", h->hit->point);
    json_vector(json, "point_end", h->hit->point_end);
    json_count(json, "triangle", h->hit->triangle);
    json_count(json, "triangles", h->hit->triangles);
    json_string(json, "feature", stlclash_feature_text(h->hit->feature));
    json_close(json);
}

static void write_hits(json_writer *json, const struct report *report, const report_probe *probe,
                       json_layout layout, size_t *next)
{
    uint64_t listed = 0, count = report_probe_count_hits(probe, report->part_count);
    report_probe_hit h;

    json_count(json, "hit_count", count);
    json_open(json, "hits", '[', layout);
    while (listed < report->options.max_hits &&
           report_probe_next_hit(probe, report->part_count, next, &h)) {
        write_hit(json, report, &h);
        listed++;
    }
    json_close(json);
    json_bool(json, "hits_truncated", listed < count);
}

static void write_gap(json_writer *json, const struct report *report, const report_probe *probe)
{
    size_t part = report_probe_nearest(probe, report->part_count);
    if (part == report->part_count) {
        json_null(json, "nearest");
        return;
    }
    const stlclash_probe_result *result = probe->results[part];
    json_open(json, "nearest", '{', JSON_INLINE);
    json_string(json, "part", report->parts[part].name);
    json_number(json, "distance", result->gap.distance);
    json_number(json, "clearance", result->clearance);
    json_vector(json, "vector", result->gap.vector);
    json_number(json, "t", result->gap.t);
    json_vector(json, "point_probe", result->gap.point_probe);
    json_vector(json, "point_part", result->gap.point_part);
    json_count(json, "triangle", result->gap.triangle);
    json_string(json, "feature", stlclash_feature_text(result->gap.feature));
    json_close(json);
}

static void write_contact(json_writer *json, const struct report *report, const report_probe *probe)
{
    size_t part = report_probe_contact(probe, report->part_count);
    if (part == report->part_count) {
        json_null(json, "contact");
        return;
    }
    json_open(json, "contact", '{', JSON_INLINE);
    json_string(json, "part", report->parts[part].name);
    json_number(json, "t", probe->results[part]->contact_t);
    json_vector(json, "centre", probe->results[part]->contact_centre);
    json_close(json);
}

static void write_probe(json_writer *json, const struct report *report, const report_probe *probe,
                        json_layout layout, size_t *next)
{
    const stlclash_probe *p = &probe->probe;
    size_t parts = report->part_count;

    memset(next, 0, parts * sizeof *next);
    json_open(json, NULL, '{', layout);
    json_count(json, "probe", probe->number);
    if (probe->line > 0) {
        json_count(json, "line", probe->line);
    } else {
        json_null(json, "line");
    }
    json_vector(json, "from", p->from);
    json_vector_or_null(json, "to", !p->ray, p->to);
    json_vector_or_null(json, "direction", p->ray, p->to);
    json_number(json, "radius", p->radius);
    json_string(json, "status", stlclash_status_text(report_probe_status(probe, parts)));
    json_bool(json, "pass", report_probe_passes(probe, parts));
    json_number(json, "resolution", report_probe_resolution(probe, parts));
    json_open(json, "begins_inside", '[', JSON_INLINE);
    for (size_t i = 0; probe->results && i < parts; i++) {
        if (probe->results[i]->has_inside && probe->results[i]->inside) {
            json_string(json, NULL, report->parts[i].name);
        }
    }
    json_close(json);
    write_hits(json, report, probe, layout, next);
    write_gap(json, report, probe);
    write_contact(json, report, probe);
    json_open(json, "notes", '[', JSON_INLINE);
    if (probe->note) {
        json_string(json, NULL, probe->note);
    }
    for (size_t i = 0; probe->results && i < parts; i++) {
        for (size_t k = 0; k < probe->results[i]->note_count; k++) {
            if (!report_probe_noted(probe, i, probe->results[i]->notes[k])) {
                json_string(json, NULL, probe->results[i]->notes[k]);
            }
        }
    }
    json_close(json);
    json_close(json);
}

bool report_probe_write_lines(const struct report *report, FILE *stream)
{
    size_t *next = report_probe_make_next(report);

    for (size_t i = 0; next && i < report->probes->count; i++) {
        json_writer json = {.stream = stream};
        write_probe(&json, report, &report->probes->probes[i], JSON_INLINE, next);
        fputc('\n', stream);
    }
    free(next);
    return next != NULL;
}

static void write_summary(json_writer *json, const struct report_probes *probes)
{
    uint64_t checked = 0;
    for (int i = STLCLASH_CLASH; i <= STLCLASH_CLEAR; i++) {
        checked += probes->status[i];
    }
    json_open(json, "summary", '{', JSON_INLINE);
    json_count(json, "probes", checked + probes->status[STLCLASH_UNDECIDED]);
    json_count(json, "checked", checked);
    for (int i = STLCLASH_CLASH; i <= STLCLASH_CLEAR; i++) {
        json_count(json, stlclash_status_text((stlclash_status)i), probes->status[i]);
    }
    json_count(json, "undecided", probes->status[STLCLASH_UNDECIDED]);
    json_count(json, "unread", probes->unread);
    json_bool(json, "pass", probes->pass);
    json_close(json);
}

bool report_probe_write_json(const struct report *report, FILE *stream)
{
    json_writer json = {.stream = stream};
    size_t *next = report_probe_make_next(report);
    if (!next) {
        return false;
    }
    json_open(&json, NULL, '{', JSON_LINES);
    json_string(&json, "stlclash", stlclash_version());
    json_count(&json, "schema", SCHEMA);
    json_string(&json, "units", report->units);
    report_json_options(&json, &report->options);
    report_json_parts(&json, report);
    json_open(&json, "probes", '[', JSON_LINES);
    for (size_t i = 0; i < report->probes->count; i++) {
        write_probe(&json, report, &report->probes->probes[i], JSON_LINES, next);
    }
    json_close(&json);
    write_summary(&json, report->probes);
    if (report->cost) {
        json_open(&json, "stats", '{', JSON_INLINE);
        report_json_cost(&json, report->cost);
        json_close(&json);
    }
    json_close(&json);
    fputc('\n', stream);
    free(next);
    return true;
}
