/* report_json.c - the report for programs; data/report.schema.json describes it. */
#include "report_json.h"
#include "report.h"
#include "report_id.h"
#include "report_motion.h"
#include "report_pair.h"

#include <math.h>

/* ---- pieces -------------------------------------------------------------- */

static void write_tolerance(json_writer *json, const char *key, double tolerance, bool exact)
{
    if (tolerance != STLCLASH_AUTO) {
        json_number(json, key, tolerance);
    } else if (exact) {
        json_count(json, key, 0);
    } else {
        json_string(json, key, "auto");
    }
}

/* A side of the pair: the keys end the same way. */
static void write_side(json_writer *json, const char *key, stlclash_side side)
{
    json_string(json, key, side == STLCLASH_A ? "a" : side == STLCLASH_B ? "b" : NULL);
}

void report_json_witnesses(json_writer *json, bool known, const stlclash_separation *s)
{
    json_vector_or_null(json, "point_a", known, s->point_a);
    json_vector_or_null(json, "point_b", known, s->point_b);
    json_number_or_null(json, "triangle_a", known, s->triangle_a);
    json_number_or_null(json, "triangle_b", known, s->triangle_b);
    json_string(json, "feature_a", known ? stlclash_feature_text(s->feature_a) : NULL);
    json_string(json, "feature_b", known ? stlclash_feature_text(s->feature_b) : NULL);
}

/* ---- options, rules, parts ----------------------------------------------- */

void report_json_options(json_writer *json, const stlclash_options *options)
{
    json_open(json, "options", '{', JSON_INLINE);
    json_number(json, "clearance", options->clearance);
    write_tolerance(json, "touch_overlap", options->touch_overlap, options->exact);
    write_tolerance(json, "touch_gap", options->touch_gap, options->exact);
    json_bool(json, "exact", options->exact);
    json_string(json, "contact", options->contact_fails ? "fail" : "allow");
    json_bool(json, "quick", options->quick);
    json_bool(json, "no_distance", options->no_distance);
    json_bool(json, "no_overlap", options->no_overlap);
    json_bool(json, "no_depth", options->no_depth);
    json_bool(json, "require_closed", options->require_closed);
    json_bool(json, "gaps", options->gaps);
    json_close(json);
}

static void write_rule(json_writer *json, const report_rule *rule)
{
    const stlclash_options *options = rule->options;

    json_open(json, NULL, '{', JSON_INLINE);
    json_string(json, "name", rule->name);
    json_number(json, "clearance", options->clearance);
    write_tolerance(json, "touch_overlap", options->touch_overlap, options->exact);
    write_tolerance(json, "touch_gap", options->touch_gap, options->exact);
    json_string(json, "contact", options->contact_fails ? "fail" : "allow");
    json_number_or_null(json, "max_volume", isfinite(rule->max_volume), rule->max_volume);
    json_number_or_null(json, "max_depth", isfinite(rule->max_depth), rule->max_depth);
    json_bool(json, "ignore", rule->ignore);
    json_string(json, "reason", rule->reason);
    json_count(json, "matched", rule->matched);
    json_count(json, "applied", rule->applied);
    json_close(json);
}

static void write_warnings(json_writer *json, const stlclash_warning *warnings, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const stlclash_warning *warning = &warnings[i];
        json_open(json, NULL, '{', JSON_INLINE);
        json_string(json, "code", warning->code);
        json_count(json, "count", warning->count);
        if (warning->first == STLCLASH_NO_TRIANGLE) {
            json_null(json, "first");
        } else {
            json_count(json, "first", warning->first);
        }
        json_string(json, "message", warning->text);
        json_close(json);
    }
}

/* What is known of a part that was read. */
static void write_mesh(json_writer *json, const report_part *part)
{
    const stlclash_part_result *found = &part->found;

    json_string(json, "format", part->info.format == STLCLASH_ASCII ? "ascii" : "binary");
    json_count(json, "triangles", part->info.triangles);
    if (part->info.triangles > 0) {
        json_bounds(json, "bounds", found->bounds);
    } else {
        json_null(json, "bounds");
    }
    if (found->has_health) {
        json_bool(json, "closed", found->closed);
    } else {
        json_null(json, "closed");
    }
    json_number_or_null(json, "volume", found->has_volume, found->volume);
    json_number_or_null(json, "components", found->has_components, (double)found->components);
}

static void write_part(json_writer *json, const report_part *part)
{
    static const char *const of_mesh[] = {"format", "triangles", "bounds",
                                          "closed", "volume",    "components"};

    json_open(json, NULL, '{', JSON_LINES);
    json_string(json, "name", part->name);
    json_string(json, "file", part->file);
    if (part->error) {
        for (size_t i = 0; i < sizeof of_mesh / sizeof of_mesh[0]; i++) {
            json_null(json, of_mesh[i]);
        }
    } else {
        write_mesh(json, part);
    }
    json_open(json, "warnings", '[', JSON_LINES);
    write_warnings(json, part->info.warnings, part->info.warning_count);
    write_warnings(json, part->found.warnings, part->found.warning_count);
    json_close(json);
    json_string(json, "error", part->error);
    if (part->motion) {
        report_motion_json_part(json, part);
    }
    json_close(json);
}

void report_json_parts(json_writer *json, const struct report *report)
{
    json_open(json, "parts", '[', JSON_LINES);
    for (size_t i = 0; i < report->part_count; i++) {
        write_part(json, &report->parts[i]);
    }
    json_close(json);
}

/* ---- a pair -------------------------------------------------------------- */

static void write_separation(json_writer *json, const stlclash_result *result)
{
    const stlclash_separation *s = &result->separation;
    bool known = result->has_separation;

    json_number_or_null(json, "distance", known, s->distance);
    json_vector_or_null(json, "vector", known, s->vector);
    json_vector_or_null(json, "normal", known && result->has_normal, result->normal);
    report_json_witnesses(json, known, s);
}

static void write_gaps(json_writer *json, const stlclash_result *result)
{
    if (!result->has_gaps) {
        json_null(json, "gaps");
        return;
    }
    json_open(json, "gaps", '[', JSON_LINES);
    for (size_t i = 0; i < result->gap_count; i++) {
        const stlclash_separation *gap = &result->gaps[i];
        json_open(json, NULL, '{', JSON_INLINE);
        json_number(json, "distance", gap->distance);
        json_vector(json, "vector", gap->vector);
        report_json_witnesses(json, true, gap);
        json_close(json);
    }
    json_close(json);
}

static void write_hit(json_writer *json, const stlclash_hit *hit)
{
    json_open(json, NULL, '{', JSON_INLINE);
    json_count(json, "triangle_a", hit->triangle_a);
    json_count(json, "triangle_b", hit->triangle_b);
    json_open(json, "points", '[', JSON_TIGHT);
    for (uint32_t i = 0; i < hit->point_count; i++) {
        json_vector(json, NULL, hit->points[i]);
    }
    json_close(json);
    json_close(json);
}

static void write_intersections(json_writer *json, const stlclash_result *result)
{
    if (result->has_hit_count) {
        json_count(json, "intersecting_pairs", result->hit_count);
    } else {
        json_null(json, "intersecting_pairs");
    }
    if (!result->has_hit_count && result->hits_listed == 0) {
        json_null(json, "intersections");
        json_null(json, "intersections_truncated");
        return;
    }
    json_open(json, "intersections", '[', JSON_LINES);
    for (uint64_t i = 0; i < result->hits_listed; i++) {
        write_hit(json, &result->hits[i]);
    }
    json_close(json);
    /* A list that was not counted to its end is taken as cut. */
    json_bool(json, "intersections_truncated",
              !result->has_hit_count || result->hits_listed < result->hit_count);
}

static void write_depth(json_writer *json, const stlclash_overlap *overlap)
{
    bool known = overlap->has_depth, deep = known && overlap->depth > 0.0;

    json_number_or_null(json, "depth", known, overlap->depth);
    json_number_or_null(json, "depth_error", known, overlap->depth_error);
    json_vector_or_null(json, "deepest_point", deep, overlap->deepest_point);
    write_side(json, "deepest_in", deep ? overlap->deepest_in : STLCLASH_NEITHER);
    json_vector_or_null(json, "deepest_vector", deep, overlap->deepest_vector);
}

static void write_overlap(json_writer *json, const stlclash_result *result)
{
    const stlclash_overlap *overlap = &result->overlap;

    json_open(json, "overlap", '{', JSON_LINES);
    write_side(json, "contained", overlap->contained);
    json_number(json, "volume", overlap->volume);
    json_number(json, "volume_error", overlap->volume_error);
    json_vector(json, "centroid", overlap->centroid);
    json_bounds(json, "bounds", overlap->bounds);
    write_depth(json, overlap);
    json_number_or_null(json, "contact_area", result->has_contact_area, result->contact_area);
    json_open(json, "regions", '[', JSON_LINES);
    for (size_t i = 0; i < overlap->region_count; i++) {
        const stlclash_region *region = &overlap->regions[i];
        json_open(json, NULL, '{', JSON_INLINE);
        json_number(json, "volume", region->volume);
        json_bounds(json, "bounds", region->bounds);
        json_number_or_null(json, "depth", overlap->has_depth && !isnan(region->depth),
                            region->depth);
        json_close(json);
    }
    json_close(json);
    json_close(json);
}

static void write_result(json_writer *json, const stlclash_result *result)
{
    json_number_or_null(json, "resolution", result->resolution > 0.0, result->resolution);
    write_separation(json, result);
    write_gaps(json, result);
    write_intersections(json, result);
    json_number_or_null(json, "contact_area", result->has_contact_area, result->contact_area);
    if (result->has_overlap) {
        write_overlap(json, result);
    } else {
        json_null(json, "overlap");
    }
    json_open(json, "notes", '[', JSON_INLINE);
    for (size_t i = 0; i < result->note_count; i++) {
        json_string(json, NULL, result->notes[i]);
    }
    json_close(json);
}

/* A pair that was not judged has the same members. */
static void write_no_result(json_writer *json)
{
    static const char *const keys[] = {"resolution",    "distance",
                                       "vector",        "normal",
                                       "point_a",       "point_b",
                                       "triangle_a",    "triangle_b",
                                       "feature_a",     "feature_b",
                                       "gaps",          "intersecting_pairs",
                                       "intersections", "intersections_truncated",
                                       "contact_area",  "overlap"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        json_null(json, keys[i]);
    }
    json_open(json, "notes", '[', JSON_INLINE);
    json_close(json);
}

static void write_pair(json_writer *json, const report_pair *pair)
{
    char id[REPORT_ID_SIZE];

    json_open(json, NULL, '{', JSON_LINES);
    json_string(json, "a", pair->a->name);
    json_string(json, "b", pair->b->name);
    json_string(json, "id", report_id(id, pair->a->name, pair->b->name));
    json_string(json, "rule", pair->rule ? pair->rule->name : NULL);
    json_bool(json, "ignored", pair->ignored != NULL);
    json_string(json, "reason", pair->ignored);
    json_string(json, "error", pair->error);
    json_string(json, "change", report_change_text(pair->change));
    json_string(json, "status",
                pair->ignored ? NULL : stlclash_status_text(report_pair_status(pair)));
    json_bool(json, "pass", pair->ignored || pair->pass);
    json_number_or_null(json, "box_distance", !pair->error && report_pair_has_boxes(pair),
                        pair->box_distance);
    if (pair->result) {
        write_result(json, pair->result);
    } else {
        write_no_result(json);
    }
    if (pair->motion) {
        report_motion_json(json, pair->motion);
    }
    json_close(json);
}

/* ---- the rest ------------------------------------------------------------ */

static void write_baseline(json_writer *json, const struct report *report)
{
    if (!report->baseline) {
        json_null(json, "baseline");
        return;
    }
    uint64_t counts[REPORT_RESOLVED + 1];
    report_count_changes(report, counts);

    json_open(json, "baseline", '{', JSON_LINES);
    json_string(json, "file", report->baseline);
    for (int change = REPORT_NEW; change <= REPORT_RESOLVED; change++) {
        json_count(json, report_change_text((report_change)change), counts[change]);
    }
    json_open(json, "resolved_unlisted", '[', JSON_LINES);
    for (size_t i = 0; i < report->resolved_count; i++) {
        const report_resolved *pair = &report->resolved[i];
        json_open(json, NULL, '{', JSON_INLINE);
        json_string(json, "a", pair->a);
        json_string(json, "b", pair->b);
        json_string(json, "id", pair->id);
        json_string(json, "was", pair->was);
        json_close(json);
    }
    json_close(json);
    json_close(json);
}

static void write_summary(json_writer *json, const struct report *report)
{
    report_summary summary = report_summarise(report);

    json_open(json, "summary", '{', JSON_INLINE);
    json_count(json, "pairs", summary.pairs);
    json_count(json, "checked", summary.checked);
    json_count(json, "ignored", summary.ignored);
    for (int status = STLCLASH_CLASH; status <= STLCLASH_CLEAR; status++) {
        json_count(json, stlclash_status_text((stlclash_status)status), summary.status[status]);
    }
    json_count(json, "undecided", summary.status[STLCLASH_UNDECIDED]);
    json_bool(json, "pass", summary.pass);
    json_close(json);
}

void report_json_cost(json_writer *json, const report_cost *cost)
{
    json_number(json, "read_seconds", cost->read_seconds);
    json_number(json, "check_seconds", cost->check_seconds);
    json_number(json, "cpu_seconds", cost->cpu_seconds);
    json_count(json, "peak_bytes", cost->peak_bytes);
}

/* Sums over the pairs; the only part that may differ from run to run. */
static void write_stats(json_writer *json, const struct report *report)
{
    stlclash_stats sum = {0};
    for (size_t i = 0; i < report->pair_count; i++) {
        if (!report->pairs[i].result) {
            continue;
        }
        const stlclash_stats *stats = &report->pairs[i].result->stats;
        for (int side = 0; side < 2; side++) {
            sum.blocks[side] += stats->blocks[side];
            sum.blocks_kept[side] += stats->blocks_kept[side];
            sum.blocks_opened[side] += stats->blocks_opened[side];
        }
        sum.box_tests += stats->box_tests;
        sum.triangle_pairs += stats->triangle_pairs;
        sum.exact_calls += stats->exact_calls;
    }

    json_open(json, "stats", '{', JSON_INLINE);
    json_count(json, "blocks", sum.blocks[0] + sum.blocks[1]);
    json_count(json, "blocks_kept", sum.blocks_kept[0] + sum.blocks_kept[1]);
    json_count(json, "blocks_opened", sum.blocks_opened[0] + sum.blocks_opened[1]);
    json_count(json, "box_tests", sum.box_tests);
    json_count(json, "triangle_pairs", sum.triangle_pairs);
    json_count(json, "exact_calls", sum.exact_calls);
    report_json_cost(json, report->cost);
    json_close(json);
}

bool report_write_json(const struct report *report, FILE *stream)
{
    json_writer json = {.stream = stream};

    json_open(&json, NULL, '{', JSON_LINES);
    json_string(&json, "stlclash", stlclash_version());
    json_count(&json, "schema", REPORT_SCHEMA);
    json_string(&json, "units", report->units);
    report_json_options(&json, &report->options);
    json_open(&json, "rules", '[', JSON_LINES);
    for (size_t i = 0; i < report->rule_count; i++) {
        write_rule(&json, &report->rules[i]);
    }
    json_close(&json);
    report_json_parts(&json, report);
    json_open(&json, "pairs", '[', JSON_LINES);
    for (size_t i = 0; i < report->pair_count; i++) {
        write_pair(&json, &report->pairs[i]);
    }
    json_close(&json);
    write_baseline(&json, report);
    write_summary(&json, report);
    if (report->cost) {
        write_stats(&json, report);
    }
    json_close(&json);
    fputc('\n', stream);
    return true;
}
