/* report_probe.c - see report_probe.h. */
#include "report_probe.h"

#include "report_json.h"
#include "report_number.h"
#include "report_row.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SCHEMA = 1 };

/* ---- of all parts together ---------------------------------------------------------- */

/* How bad a result is, the worst highest. */
static int weight(const stlclash_probe_result *result)
{
    switch (result->status) {
    case STLCLASH_CLASH: return 5;
    case STLCLASH_UNDECIDED: return 4;
    case STLCLASH_NEAR: return 3;
    case STLCLASH_CONTACT: return result->pass ? 1 : 2;
    case STLCLASH_CLEAR: break;
    }
    return 0;
}

stlclash_status report_probe_status(const report_probe *probe, size_t parts)
{
    const stlclash_probe_result *worst = NULL;
    for (size_t i = 0; probe->results && i < parts; i++) {
        if (!worst || weight(probe->results[i]) > weight(worst)) {
            worst = probe->results[i];
        }
    }
    return worst ? worst->status : STLCLASH_UNDECIDED;
}

bool report_probe_passes(const report_probe *probe, size_t parts)
{
    for (size_t i = 0; probe->results && i < parts; i++) {
        if (!probe->results[i]->pass) {
            return false;
        }
    }
    return probe->results != NULL;
}

/* A hit and the part that is hit. */
typedef struct placed_hit {
    const stlclash_probe_hit *hit;
    size_t part;
} placed_hit;

/* The next hit along the probe, over all parts: of equal parameters the first part's.
 * `next` counts those taken of each part. False at the end. */
static bool next_hit(const report_probe *probe, size_t parts, size_t *next, placed_hit *hit)
{
    hit->hit = NULL;
    for (size_t i = 0; probe->results && i < parts; i++) {
        const stlclash_probe_result *result = probe->results[i];
        if (next[i] < result->hits_listed && (!hit->hit || result->hits[next[i]].t < hit->hit->t)) {
            *hit = (placed_hit){&result->hits[next[i]], i};
        }
    }
    if (hit->hit) {
        next[hit->part]++;
    }
    return hit->hit != NULL;
}

static uint64_t count_hits(const report_probe *probe, size_t parts)
{
    uint64_t count = 0;
    for (size_t i = 0; probe->results && i < parts; i++) {
        count += probe->results[i]->hit_count;
    }
    return count;
}

/* The part that a probe which hits nothing comes nearest to, or `parts`. */
static size_t nearest_part(const report_probe *probe, size_t parts)
{
    size_t nearest = parts;
    if (count_hits(probe, parts) > 0) {
        return parts;
    }
    for (size_t i = 0; probe->results && i < parts; i++) {
        if (probe->results[i]->has_gap &&
            (nearest == parts ||
             probe->results[i]->gap.distance < probe->results[nearest]->gap.distance)) {
            nearest = i;
        }
    }
    return nearest;
}

/* The part that a capsule comes to first, or `parts`. */
static size_t contact_part(const report_probe *probe, size_t parts)
{
    size_t first = parts;
    for (size_t i = 0; probe->results && i < parts; i++) {
        if (probe->results[i]->has_contact &&
            (first == parts || probe->results[i]->contact_t < probe->results[first]->contact_t)) {
            first = i;
        }
    }
    return first;
}

/* The largest resolution of a part with the probe. */
static double resolution_of(const report_probe *probe, size_t parts)
{
    double largest = 0.0;
    for (size_t i = 0; probe->results && i < parts; i++) {
        largest = fmax(largest, probe->results[i]->resolution);
    }
    return largest;
}

/* Whether an earlier part has the same note. */
static bool noted_before(const report_probe *probe, size_t part, const char *note)
{
    for (size_t i = 0; i < part; i++) {
        for (size_t k = 0; k < probe->results[i]->note_count; k++) {
            if (strcmp(probe->results[i]->notes[k], note) == 0) {
                return true;
            }
        }
    }
    return false;
}

/* ---- text ------------------------------------------------------------------------------ */

static const struct appearance {
    const char *word, *color;
} appearances[] = {
    [STLCLASH_UNDECIDED] = {"UNDECIDED", "35"}, [STLCLASH_CLASH] = {"CLASH", "1;31"},
    [STLCLASH_CONTACT] = {"CONTACT", "36"},     [STLCLASH_NEAR] = {"NEAR", "33"},
    [STLCLASH_CLEAR] = {"CLEAR", "32"},
};

/* CLASH      0 0 30 to 0 0 -30, radius 2 */
static void print_head(const row_page *page, const report_probe *probe)
{
    struct appearance look = appearances[report_probe_status(probe, page->report->part_count)];
    const stlclash_probe *p = &probe->probe;
    char value[ROW_VALUE_SIZE];

    row_word(page, look.word, look.color);
    fprintf(page->stream, "  %s", row_vector(value, p->from));
    fprintf(page->stream, p->ray ? " along %s" : " to %s", row_vector(value, p->to));
    if (p->radius > 0.0) {
        fprintf(page->stream, ", radius %s", row_number(value, page, p->radius, 1));
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
    uint64_t count = count_hits(probe, report->part_count), shown = 0;
    uint64_t most = report->all_hits ? report->options.max_hits : FEW;
    char value[ROW_VALUE_SIZE];
    placed_hit h;

    while (shown < most && next_hit(probe, report->part_count, next, &h)) {
        shown++;
        row_start(page, labels[h.hit->passing], row_vector(value, h.hit->point));
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
    fputc('\n', page->stream);
    if (probe->probe.radius > 0.0) {
        row_value(page, "distance", row_number(value, page, result->gap.distance, 1));
    }
    row_value(page, "vector", row_way(value, result->gap.vector));
    row_start(page, "on probe", row_vector(value, result->gap.point_probe));
    fprintf(page->stream, "at %s\n", number_rounded(value, result->gap.t));
    row_start(page, "on part", row_vector(value, result->gap.point_part));
    print_of(page, result->gap.feature, result->gap.triangle, part);
}

static void print_contact(const row_page *page, const report_probe *probe, size_t part)
{
    const stlclash_probe_result *result = probe->results[part];
    char value[ROW_VALUE_SIZE];

    row_start(page, "reaches it", row_vector(value, result->contact_centre));
    fprintf(page->stream, "centre of the leading end, at %s, ",
            number_rounded(value, result->contact_t));
    row_name(page, page->report->parts[part].name);
    fputc('\n', page->stream);
}

static void print_probe(const row_page *page, const report_probe *probe, size_t *next)
{
    const struct report *report = page->report;
    size_t parts = report->part_count, near = nearest_part(probe, parts);
    size_t contact = contact_part(probe, parts);

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
    if (probe->note) {
        row_sentence(page, "note", "", stlclash_note_text(probe->note));
    }
    for (size_t i = 0; probe->results && i < parts; i++) {
        for (size_t k = 0; k < probe->results[i]->note_count; k++) {
            const char *note = probe->results[i]->notes[k];
            if (!noted_before(probe, i, note)) {
                row_sentence(page, "note", "", stlclash_note_text(note));
            }
        }
    }
}

/* Counters of hits, one a part, all 0. */
static size_t *make_next(const struct report *report)
{
    return calloc(report->part_count + 1, sizeof(size_t));
}

static bool write_text(const struct report *report, FILE *stream)
{
    row_page page = {stream, report, escape_text, report->color, false};
    size_t *next = make_next(report);

    for (size_t i = 0; next && i < report->probes->count; i++) {
        memset(next, 0, report->part_count * sizeof *next);
        print_probe(&page, &report->probes->probes[i], next);
    }
    free(next);
    return next != NULL;
}

/* ---- JSON ------------------------------------------------------------------------------- */

static void vector_or_null(json_writer *json, const char *key, bool known, const double v[3])
{
    if (known) {
        json_vector(json, key, v);
    } else {
        json_null(json, key);
    }
}

static void write_hit(json_writer *json, const struct report *report, const placed_hit *h)
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
    uint64_t listed = 0, count = count_hits(probe, report->part_count);
    placed_hit h;

    json_count(json, "hit_count", count);
    json_open(json, "hits", '[', layout);
    while (listed < report->options.max_hits && next_hit(probe, report->part_count, next, &h)) {
        write_hit(json, report, &h);
        listed++;
    }
    json_close(json);
    json_bool(json, "hits_truncated", listed < count);
}

static void write_gap(json_writer *json, const struct report *report, const report_probe *probe)
{
    size_t part = nearest_part(probe, report->part_count);
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
    size_t part = contact_part(probe, report->part_count);
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
    vector_or_null(json, "to", !p->ray, p->to);
    vector_or_null(json, "direction", p->ray, p->to);
    json_number(json, "radius", p->radius);
    json_string(json, "status", stlclash_status_text(report_probe_status(probe, parts)));
    json_bool(json, "pass", report_probe_passes(probe, parts));
    json_number(json, "resolution", resolution_of(probe, parts));
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
            if (!noted_before(probe, i, probe->results[i]->notes[k])) {
                json_string(json, NULL, probe->results[i]->notes[k]);
            }
        }
    }
    json_close(json);
    json_close(json);
}

static bool write_lines(const struct report *report, FILE *stream)
{
    size_t *next = make_next(report);

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

static bool write_json(const struct report *report, FILE *stream)
{
    json_writer json = {.stream = stream};
    size_t *next = make_next(report);
    if (!next) {
        return false;
    }
    json_open(&json, NULL, '{', JSON_LINES);
    json_string(&json, "stlclash", stlclash_version());
    json_count(&json, "schema", SCHEMA);
    json_string(&json, "units", report->units);
    report_json_options(&json, &report->options);
    json_open(&json, "parts", '[', JSON_LINES);
    for (size_t i = 0; i < report->part_count; i++) {
        report_json_part(&json, &report->parts[i]);
    }
    json_close(&json);
    json_open(&json, "probes", '[', JSON_LINES);
    for (size_t i = 0; i < report->probes->count; i++) {
        write_probe(&json, report, &report->probes->probes[i], JSON_LINES, next);
    }
    json_close(&json);
    write_summary(&json, report->probes);
    json_close(&json);
    fputc('\n', stream);
    free(next);
    return true;
}

/* ---- formats ----------------------------------------------------------------------------- */

const report_format report_probe_lines = {"jsonl", {NULL}, write_lines};

const report_format *report_probe_format(const report_format *format)
{
    static const report_format formats[] = {{"text", {NULL}, write_text},
                                            {"json", {NULL}, write_json}};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (strcmp(formats[i].name, format->name) == 0) {
            return &formats[i];
        }
    }
    return strcmp(report_probe_lines.name, format->name) == 0 ? &report_probe_lines : NULL;
}
