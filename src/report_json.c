/* report_json.c - the report for programs; data/report.schema.json describes it.
 *
 * The whole report is built first, as a cJSON tree, so that a failed allocation
 * leaves no half of one. It is then written with a layout that people can read
 * and diff: cJSON has only one line, or one line for each number. */
#include "report.h"
#include "report_number.h"

#include <cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SCHEMA = 1 };

/* ---- building: a failed allocation anywhere makes *ok false -------------- */

static cJSON *add(cJSON *object, const char *key, cJSON *item, bool *ok)
{
    if (!cJSON_AddItemToObject(object, key, item)) {
        cJSON_Delete(item);
        *ok = false;
        return NULL;
    }
    return item;
}

static cJSON *append(cJSON *array, cJSON *item, bool *ok)
{
    if (!cJSON_AddItemToArray(array, item)) {
        cJSON_Delete(item);
        *ok = false;
        return NULL;
    }
    return item;
}

static void add_null(cJSON *object, const char *key, bool *ok)
{
    add(object, key, cJSON_CreateNull(), ok);
}

static void add_bool(cJSON *object, const char *key, bool value, bool *ok)
{
    add(object, key, cJSON_CreateBool(value), ok);
}

static void add_string(cJSON *object, const char *key, const char *text, bool *ok)
{
    add(object, key, text ? cJSON_CreateString(text) : cJSON_CreateNull(), ok);
}

/* Numbers go in as text: cJSON would print 17 digits, or round a large count. */
static void add_count(cJSON *object, const char *key, uint64_t count, bool *ok)
{
    char text[NUMBER_SIZE];
    snprintf(text, sizeof text, "%" PRIu64, count);
    add(object, key, cJSON_CreateRaw(text), ok);
}

static void add_number(cJSON *object, const char *key, double value, bool *ok)
{
    char text[NUMBER_SIZE];
    add(object, key, cJSON_CreateRaw(number_shortest(text, value)), ok);
}

static void add_tolerance(cJSON *object, const char *key, double tolerance, bool exact, bool *ok)
{
    if (tolerance != STLCLASH_AUTO) {
        add_number(object, key, tolerance, ok);
    } else if (exact) {
        add_count(object, key, 0, ok);
    } else {
        add_string(object, key, "auto", ok);
    }
}

enum { VECTOR_SIZE = 3 * NUMBER_SIZE, BOUNDS_SIZE = 2 * VECTOR_SIZE + 32 };

static const char *vector_text(char text[VECTOR_SIZE], const double v[3])
{
    char x[NUMBER_SIZE], y[NUMBER_SIZE], z[NUMBER_SIZE];
    snprintf(text, VECTOR_SIZE, "[%s,%s,%s]", number_shortest(x, v[0]), number_shortest(y, v[1]),
             number_shortest(z, v[2]));
    return text;
}

static void add_vector(cJSON *object, const char *key, const double v[3], bool *ok)
{
    char text[VECTOR_SIZE];
    add(object, key, cJSON_CreateRaw(vector_text(text, v)), ok);
}

static const char *bounds_text(char text[BOUNDS_SIZE], const double bounds[2][3])
{
    char min[VECTOR_SIZE], max[VECTOR_SIZE];
    snprintf(text, BOUNDS_SIZE, "{\"min\": %s, \"max\": %s}", vector_text(min, bounds[0]),
             vector_text(max, bounds[1]));
    return text;
}

static void add_bounds(cJSON *object, const char *key, const double bounds[2][3], bool *ok)
{
    char text[BOUNDS_SIZE];
    add(object, key, cJSON_CreateRaw(bounds_text(text, bounds)), ok);
}

/* A side of the pair: the keys end the same way. */
static void add_side(cJSON *object, const char *key, stlclash_side side, bool *ok)
{
    add_string(object, key, side == STLCLASH_A ? "a" : side == STLCLASH_B ? "b" : NULL, ok);
}

/* ---- the parts of a report ----------------------------------------------- */

static void add_options(cJSON *root, const stlclash_options *options, bool *ok)
{
    cJSON *object = add(root, "options", cJSON_CreateObject(), ok);

    add_number(object, "clearance", options->clearance, ok);
    add_tolerance(object, "touch_overlap", options->touch_overlap, options->exact, ok);
    add_tolerance(object, "touch_gap", options->touch_gap, options->exact, ok);
    add_bool(object, "exact", options->exact, ok);
    add_string(object, "contact", options->contact_fails ? "fail" : "allow", ok);
}

static void append_warnings(cJSON *array, const stlclash_warning *warnings, size_t count, bool *ok)
{
    for (size_t i = 0; i < count; i++) {
        const stlclash_warning *warning = &warnings[i];
        cJSON *entry = append(array, cJSON_CreateObject(), ok);
        add_string(entry, "code", warning->code, ok);
        add_count(entry, "count", warning->count, ok);
        if (warning->first == STLCLASH_NO_TRIANGLE) {
            add_null(entry, "first", ok);
        } else {
            add_count(entry, "first", warning->first, ok);
        }
        add_string(entry, "message", warning->text, ok);
    }
}

static void add_part(cJSON *parts, const report_part *part, bool *ok)
{
    const stlclash_part_result *found = &part->found;
    cJSON *object = append(parts, cJSON_CreateObject(), ok);

    add_string(object, "name", part->name, ok);
    add_string(object, "file", part->file, ok);
    add_string(object, "format", part->info.format == STLCLASH_ASCII ? "ascii" : "binary", ok);
    add_count(object, "triangles", part->info.triangles, ok);
    if (part->info.triangles > 0) {
        add_bounds(object, "bounds", found->bounds, ok);
    } else {
        add_null(object, "bounds", ok);
    }
    if (found->has_health) {
        add_bool(object, "closed", found->closed, ok);
    } else {
        add_null(object, "closed", ok);
    }
    if (found->has_health && found->closed) {
        add_number(object, "volume", found->volume, ok);
    } else {
        add_null(object, "volume", ok);
    }

    cJSON *warnings = add(object, "warnings", cJSON_CreateArray(), ok);
    append_warnings(warnings, part->info.warnings, part->info.warning_count, ok);
    append_warnings(warnings, found->warnings, found->warning_count, ok);
}

static void add_separation(cJSON *object, const stlclash_result *result, bool *ok)
{
    static const char *const keys[] = {"distance",   "vector",    "normal",
                                       "point_a",    "point_b",   "triangle_a",
                                       "triangle_b", "feature_a", "feature_b"};
    const stlclash_separation *s = &result->separation;

    if (!result->has_separation) {
        for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
            add_null(object, keys[i], ok);
        }
        return;
    }
    add_number(object, "distance", s->distance, ok);
    add_vector(object, "vector", s->vector, ok);
    if (result->has_normal) {
        add_vector(object, "normal", result->normal, ok);
    } else {
        add_null(object, "normal", ok);
    }
    add_vector(object, "point_a", s->point_a, ok);
    add_vector(object, "point_b", s->point_b, ok);
    add_count(object, "triangle_a", s->triangle_a, ok);
    add_count(object, "triangle_b", s->triangle_b, ok);
    add_string(object, "feature_a", stlclash_feature_text(s->feature_a), ok);
    add_string(object, "feature_b", stlclash_feature_text(s->feature_b), ok);
}

/* One text for each hit: there may be millions. */
static void append_hit(cJSON *array, const stlclash_hit *hit, bool *ok)
{
    char text[128 + 6 * (VECTOR_SIZE + 1)], point[VECTOR_SIZE];
    int used = snprintf(text, sizeof text,
                        "{\"triangle_a\": %" PRIu32 ", \"triangle_b\": %" PRIu32 ", \"points\": [",
                        hit->triangle_a, hit->triangle_b);

    for (uint32_t i = 0; i < hit->point_count; i++) {
        used += snprintf(text + used, sizeof text - (size_t)used, "%s%s", i ? "," : "",
                         vector_text(point, hit->points[i]));
    }
    snprintf(text + used, sizeof text - (size_t)used, "]}");
    append(array, cJSON_CreateRaw(text), ok);
}

static void add_intersections(cJSON *object, const stlclash_result *result, bool *ok)
{
    if (result->has_hit_count) {
        add_count(object, "intersecting_pairs", result->hit_count, ok);
    } else {
        add_null(object, "intersecting_pairs", ok);
    }
    if (!result->has_hit_count && result->hits_listed == 0) {
        add_null(object, "intersections", ok);
        add_null(object, "intersections_truncated", ok);
        return;
    }
    cJSON *array = add(object, "intersections", cJSON_CreateArray(), ok);
    for (uint64_t i = 0; i < result->hits_listed && *ok; i++) {
        append_hit(array, &result->hits[i], ok);
    }
    /* A list that was not counted to its end is taken as cut. */
    add_bool(object, "intersections_truncated",
             !result->has_hit_count || result->hits_listed < result->hit_count, ok);
}

static void append_region(cJSON *array, const stlclash_region *region, bool has_depth, bool *ok)
{
    char text[BOUNDS_SIZE + 3 * NUMBER_SIZE], volume[NUMBER_SIZE], bounds[BOUNDS_SIZE];
    char depth[NUMBER_SIZE] = "null";
    if (has_depth && !isnan(region->depth)) {
        number_shortest(depth, region->depth);
    }
    snprintf(text, sizeof text, "{\"volume\": %s, \"bounds\": %s, \"depth\": %s}",
             number_shortest(volume, region->volume), bounds_text(bounds, region->bounds), depth);
    append(array, cJSON_CreateRaw(text), ok);
}

static void add_depth(cJSON *object, const stlclash_overlap *overlap, bool *ok)
{
    if (overlap->has_depth) {
        add_number(object, "depth", overlap->depth, ok);
        add_number(object, "depth_error", overlap->depth_error, ok);
    } else {
        add_null(object, "depth", ok);
        add_null(object, "depth_error", ok);
    }
    if (overlap->has_depth && overlap->depth > 0.0) {
        add_vector(object, "deepest_point", overlap->deepest_point, ok);
        add_side(object, "deepest_in", overlap->deepest_in, ok);
        add_vector(object, "deepest_vector", overlap->deepest_vector, ok);
    } else {
        add_null(object, "deepest_point", ok);
        add_null(object, "deepest_in", ok);
        add_null(object, "deepest_vector", ok);
    }
}

static void add_contact_area(cJSON *object, const stlclash_result *result, bool *ok)
{
    if (result->has_contact_area) {
        add_number(object, "contact_area", result->contact_area, ok);
    } else {
        add_null(object, "contact_area", ok);
    }
}

static void add_overlap(cJSON *pair, const stlclash_result *result, bool *ok)
{
    const stlclash_overlap *overlap = &result->overlap;
    cJSON *object = add(pair, "overlap", cJSON_CreateObject(), ok);

    add_side(object, "contained", overlap->contained, ok);
    add_number(object, "volume", overlap->volume, ok);
    add_number(object, "volume_error", overlap->volume_error, ok);
    add_vector(object, "centroid", overlap->centroid, ok);
    add_bounds(object, "bounds", overlap->bounds, ok);
    add_depth(object, overlap, ok);
    add_contact_area(object, result, ok);
    cJSON *regions = add(object, "regions", cJSON_CreateArray(), ok);
    for (size_t i = 0; i < overlap->region_count && *ok; i++) {
        append_region(regions, &overlap->regions[i], overlap->has_depth, ok);
    }
}

static void add_pair(cJSON *pairs, const report_pair *pair, bool *ok)
{
    const stlclash_result *result = pair->result;
    cJSON *object = append(pairs, cJSON_CreateObject(), ok);

    add_string(object, "a", pair->a->name, ok);
    add_string(object, "b", pair->b->name, ok);
    add_string(object, "status", stlclash_status_text(report_status(pair)), ok);
    add_bool(object, "pass", pair->pass, ok);
    add_number(object, "resolution", result->resolution, ok);
    add_separation(object, result, ok);
    add_intersections(object, result, ok);
    add_contact_area(object, result, ok);
    if (result->has_overlap) {
        add_overlap(object, result, ok);
    } else {
        add_null(object, "overlap", ok);
    }

    cJSON *notes = add(object, "notes", cJSON_CreateArray(), ok);
    for (size_t i = 0; i < result->note_count; i++) {
        append(notes, cJSON_CreateString(result->notes[i]), ok);
    }
    if (pair->motion) {
        char *text = report_motion_json(pair);
        add(object, "motion", text ? cJSON_CreateRaw(text) : NULL, ok);
        free(text);
    }
}

static void add_summary(cJSON *root, const struct report *report, bool *ok)
{
    report_summary summary = report_summarise(report);
    cJSON *object = add(root, "summary", cJSON_CreateObject(), ok);

    add_count(object, "pairs", summary.pairs, ok);
    add_count(object, "checked", summary.checked, ok);
    add_count(object, "ignored", 0, ok);
    for (int status = STLCLASH_CLASH; status <= STLCLASH_CLEAR; status++) {
        add_count(object, stlclash_status_text((stlclash_status)status), summary.status[status],
                  ok);
    }
    add_count(object, "undecided", summary.status[STLCLASH_UNDECIDED], ok);
    add_bool(object, "pass", summary.pass, ok);
}

/* Sums over the pairs; the only part that may differ from run to run. */
static void add_stats(cJSON *root, const struct report *report, bool *ok)
{
    stlclash_stats sum = {0};
    for (size_t i = 0; i < report->pair_count; i++) {
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

    cJSON *object = add(root, "stats", cJSON_CreateObject(), ok);
    add_count(object, "blocks", sum.blocks[0] + sum.blocks[1], ok);
    add_count(object, "blocks_kept", sum.blocks_kept[0] + sum.blocks_kept[1], ok);
    add_count(object, "blocks_opened", sum.blocks_opened[0] + sum.blocks_opened[1], ok);
    add_count(object, "box_tests", sum.box_tests, ok);
    add_count(object, "triangle_pairs", sum.triangle_pairs, ok);
    add_count(object, "exact_calls", sum.exact_calls, ok);
    add_number(object, "read_seconds", report->cost->read_seconds, ok);
    add_number(object, "check_seconds", report->cost->check_seconds, ok);
    add_number(object, "cpu_seconds", report->cost->cpu_seconds, ok);
    add_count(object, "peak_bytes", report->cost->peak_bytes, ok);
}

/* ---- writing: no allocation from here on --------------------------------- */

/* Bytes of the UTF-8 character that starts here, or 0 where there is none. */
static int utf8_length(const unsigned char *c)
{
    bool leads = c[0] < 0x80 || (c[0] >= 0xc2 && c[0] <= 0xf4);
    int length = c[0] < 0x80 ? 1 : c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : 4;
    if (!leads) {
        return 0;
    }
    for (int i = 1; i < length; i++) {
        if ((c[i] & 0xc0) != 0x80) { /* the terminator included */
            return 0;
        }
    }
    bool overlong = (c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xf0 && c[1] < 0x90);
    bool surrogate = c[0] == 0xed && c[1] >= 0xa0;
    bool too_large = c[0] == 0xf4 && c[1] >= 0x90;
    return overlong || surrogate || too_large ? 0 : length;
}

/* A JSON string; bytes that are no UTF-8, as file names may have, become U+FFFD. */
static void write_string(const char *text, FILE *stream)
{
    fputc('"', stream);
    for (const unsigned char *c = (const unsigned char *)text; *c;) {
        int length = utf8_length(c);
        if (length == 0) {
            fputs("\\ufffd", stream);
        } else if (*c == '"' || *c == '\\') {
            fprintf(stream, "\\%c", *c);
        } else if (*c < ' ' || *c == 0x7f) {
            fprintf(stream, "\\u%04x", *c);
        } else {
            fwrite(c, 1, (size_t)length, stream);
        }
        c += length ? length : 1;
    }
    fputc('"', stream);
}

static bool is_object(const cJSON *item)
{
    return cJSON_IsObject(item) || (cJSON_IsRaw(item) && item->valuestring[0] == '{');
}

/* The report, its parts, its pairs and their overlaps have a line for each member,
 * and lists of objects a line for each object. All else is short and stays on one
 * line. */
static bool has_lines(const cJSON *item, int depth)
{
    return cJSON_IsObject(item) ? depth == 0 || depth == 2 || depth == 3
                                : item->child && is_object(item->child);
}

static void write_item(const cJSON *item, int depth, FILE *stream)
{
    if (cJSON_IsString(item)) {
        write_string(item->valuestring, stream);
    } else if (cJSON_IsRaw(item)) {
        fputs(item->valuestring, stream);
    } else if (cJSON_IsBool(item) || cJSON_IsNull(item)) {
        fputs(cJSON_IsNull(item) ? "null" : cJSON_IsTrue(item) ? "true" : "false", stream);
    } else {
        bool object = cJSON_IsObject(item), lines = has_lines(item, depth);
        fputc(object ? '{' : '[', stream);
        for (const cJSON *child = item->child; child; child = child->next) {
            if (lines) {
                fprintf(stream, "\n%*s", 2 * (depth + 1), "");
            }
            if (object) {
                fprintf(stream, "\"%s\": ", child->string);
            }
            write_item(child, depth + 1, stream);
            if (child->next) {
                fputs(lines ? "," : ", ", stream);
            }
        }
        if (lines) {
            fprintf(stream, "\n%*s", 2 * depth, "");
        }
        fputc(object ? '}' : ']', stream);
    }
}

bool report_write_json(const struct report *report, FILE *stream)
{
    bool ok = true;
    cJSON *root = cJSON_CreateObject();

    add_string(root, "stlclash", stlclash_version(), &ok);
    add_count(root, "schema", SCHEMA, &ok);
    add_string(root, "units", report->units, &ok);
    add_options(root, &report->options, &ok);
    cJSON *parts = add(root, "parts", cJSON_CreateArray(), &ok);
    for (size_t i = 0; i < report->part_count; i++) {
        add_part(parts, &report->parts[i], &ok);
    }
    cJSON *pairs = add(root, "pairs", cJSON_CreateArray(), &ok);
    for (size_t i = 0; i < report->pair_count; i++) {
        add_pair(pairs, &report->pairs[i], &ok);
    }
    add_summary(root, report, &ok);
    if (report->cost) {
        add_stats(root, report, &ok);
    }

    if (ok) {
        write_item(root, 0, stream);
        fputc('\n', stream);
    }
    cJSON_Delete(root);
    return ok;
}
