/* baseline_read.c - baseline_read and baseline_free; see baseline_read.h. */
#include "baseline_read.h"

#include "baseline_place.h"
#include "json_file.h"
#include "message.h"
#include "report/report_id.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- options and rules ---------------------------------------------------- */

static bool get_tolerance(const place *at, const char *key, double *value)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(at->object, key);
    if (cJSON_IsString(item) && strcmp(item->valuestring, "auto") == 0) {
        *value = STLCLASH_AUTO;
        return true;
    }
    return place_length(at, key, value);
}

static bool get_contact(const place *at, bool *fails)
{
    const char *text;
    if (!place_text(at, "contact", false, &text)) {
        return false;
    }
    *fails = strcmp(text, "fail") == 0;
    return *fails || strcmp(text, "allow") == 0 || place_refuse(at, "contact", "allow or fail");
}

static bool get_terms(const place *at, baseline_terms *terms)
{
    return place_length(at, "clearance", &terms->clearance) &&
           get_tolerance(at, "touch_overlap", &terms->touch_overlap) &&
           get_tolerance(at, "touch_gap", &terms->touch_gap) &&
           get_contact(at, &terms->contact_fails);
}

/* ---- lists --------------------------------------------------------------- */

static const cJSON *get_array(const place *at, const char *key)
{
    const cJSON *list = place_member(at, key);
    if (list && !cJSON_IsArray(list)) {
        place_refuse(at, key, "a list");
        return NULL;
    }
    return list;
}

/* Zeroed room for what a list holds. */
static void *room_for(const cJSON *list, size_t size)
{
    void *room = calloc((size_t)cJSON_GetArraySize(list) + 1, size);
    if (!room) {
        message_no_memory();
    }
    return room;
}

/* Calls read_one for each item of a list of objects, and counts them. */
static bool read_each(const place *at, const char *key, const cJSON *list, baseline *old,
                      size_t *count, bool (*read_one)(const place *at, baseline *old, size_t i))
{
    const cJSON *item;
    cJSON_ArrayForEach(item, list)
    {
        place inside = {.path = at->path, .object = item};
        snprintf(inside.where, sizeof inside.where, "%s[%zu].", key, *count);
        if (!cJSON_IsObject(item)) {
            place_complain(at->path, "%s[%zu] is not an object", key, *count);
            return false;
        }
        if (!read_one(&inside, old, *count)) {
            return false;
        }
        (*count)++;
    }
    return true;
}

static bool read_rule(const place *at, baseline *old, size_t i)
{
    baseline_rule *rule = &old->rules[i];
    return place_text(at, "name", false, &rule->name) && get_terms(at, &rule->terms) &&
           place_number(at, "max_volume", 0.0, INFINITY, &rule->max_volume) &&
           place_number(at, "max_depth", 0.0, INFINITY, &rule->max_depth) &&
           place_bool(at, "ignore", &rule->ignore);
}

static bool get_rules(const place *at, baseline *old)
{
    const cJSON *list = get_array(at, "rules");
    old->rules = list ? room_for(list, sizeof *old->rules) : NULL;
    return old->rules && read_each(at, "rules", list, old, &old->rule_count, read_rule);
}

static bool read_part(const place *at, baseline *old, size_t i)
{
    old->parts[i].motion = cJSON_GetObjectItemCaseSensitive(at->object, "motion");
    return place_text(at, "name", false, &old->parts[i].name);
}

static bool get_parts(const place *at, baseline *old)
{
    const cJSON *list = get_array(at, "parts");
    old->parts = list ? room_for(list, sizeof *old->parts) : NULL;
    return old->parts && read_each(at, "parts", list, old, &old->part_count, read_part);
}

static bool get_status(const place *at, stlclash_status *status)
{
    const char *text;
    if (!place_text(at, "status", false, &text)) {
        return false;
    }
    for (*status = STLCLASH_UNDECIDED; *status <= STLCLASH_CLEAR; (*status)++) {
        if (strcmp(text, stlclash_status_text(*status)) == 0) {
            return true;
        }
    }
    return place_refuse(at, "status", "one of the five");
}

/* Whether the pair failed by its rule: a baseline of its own may have let it pass. */
static bool get_fails(const place *at, bool *fails)
{
    const char *change;
    bool pass;
    if (!place_bool(at, "pass", &pass) || !place_text(at, "change", true, &change)) {
        return false;
    }
    *fails = !pass || (change && (strcmp(change, report_change_text(REPORT_EXISTING)) == 0 ||
                                  strcmp(change, report_change_text(REPORT_BETTER)) == 0));
    return true;
}

static bool get_overlap(const place *at, change_state *state)
{
    place inside, box;
    double depth, depth_error, volume, volume_error;

    if (cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(at->object, "overlap"))) {
        const cJSON *area = cJSON_GetObjectItemCaseSensitive(at->object, "contact_area");
        state->depth = report_change_no_overlap(state->status, cJSON_IsNumber(area));
        return true;
    }
    if (!place_object(at, "overlap", &inside) ||
        !place_number(&inside, "depth", 0.0, NAN, &depth) ||
        !place_number(&inside, "depth_error", 0.0, NAN, &depth_error) ||
        !place_number(&inside, "volume", -INFINITY, NAN, &volume) ||
        !place_number(&inside, "volume_error", 0.0, NAN, &volume_error) ||
        !place_object(&inside, "bounds", &box) || !place_vector(&box, "min", state->bounds[0]) ||
        !place_vector(&box, "max", state->bounds[1])) {
        return false;
    }
    if (isnan(depth) != isnan(depth_error) || isnan(volume) || isnan(volume_error)) {
        return place_refuse(at, "overlap", "complete");
    }
    state->depth = report_change_depth(depth, depth_error);
    state->volume = report_change_volume(volume, volume_error);
    return true;
}

/* The distance that a state has: of parts that move, where they first meet or are nearest on
 * the way. NAN where there is none; `error`: the true one may be so much less. */
static bool get_distance(const place *at, double *distance, double *error)
{
    static const char *const moments[] = {"first_contact", "closest_approach"};
    place motion, moment;

    *error = 0.0;
    if (!cJSON_HasObjectItem(at->object, "motion")) {
        return place_number(at, "distance", 0.0, NAN, distance);
    }
    *distance = NAN;
    if (!place_object(at, "motion", &motion) ||
        !place_number(&motion, "closest_approach_error", 0.0, 0.0, error)) {
        return false;
    }
    for (int i = 0; i < 2; i++) {
        const cJSON *item = place_member(&motion, moments[i]);
        if (!item) {
            return false;
        }
        if (!cJSON_IsNull(item)) {
            return place_object(&motion, moments[i], &moment) &&
                   place_number(&moment, "distance", 0.0, NAN, distance);
        }
    }
    return true;
}

/* The gaps of parts at rest; null, or missing as before there were any: they were not listed. */
static bool get_gaps(const place *at, baseline_pair *pair)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(at->object, "gaps"), *item;
    change_state *state = &pair->state;

    if (!list || cJSON_IsNull(list) || cJSON_HasObjectItem(at->object, "motion")) {
        return true;
    }
    if (!cJSON_IsArray(list)) {
        return place_refuse(at, "gaps", "a list");
    }
    pair->gaps = room_for(list, sizeof *pair->gaps);
    cJSON_ArrayForEach(item, list)
    {
        place inside = {.path = at->path, .object = item};
        snprintf(inside.where, sizeof inside.where, "%.40sgaps[%zu].", at->where, state->gap_count);
        if (!pair->gaps ||
            !place_length(&inside, "distance", &pair->gaps[state->gap_count++].distance)) {
            free(pair->gaps);
            pair->gaps = NULL;
            return false;
        }
    }
    state->gaps = pair->gaps;
    state->has_gaps = pair->gaps != NULL;
    return state->has_gaps;
}

static bool get_state(const place *at, change_state *state)
{
    double distance, error;
    bool ignored = false;

    *state = report_change_unknown();
    if (!place_bool(at, "ignored", &ignored) || ignored) {
        return ignored;
    }
    state->judged = true;
    if (!get_status(at, &state->status) || !get_fails(at, &state->fails) ||
        !place_number(at, "resolution", 0.0, 0.0, &state->resolution) ||
        !get_distance(at, &distance, &error) || !get_overlap(at, state)) {
        return false;
    }
    state->distance = report_change_distance(distance, state->resolution);
    state->distance.low -= error;
    return true;
}

static bool read_pair(const place *at, baseline *old, size_t i)
{
    baseline_pair *pair = &old->pairs[i];

    if (!place_text(at, "a", false, &pair->a) || !place_text(at, "b", false, &pair->b) ||
        !place_text(at, "id", false, &pair->id) || !get_state(at, &pair->state)) {
        return false;
    }
    if (strlen(pair->id) != REPORT_ID_SIZE - 1 ||
        strspn(pair->id, "0123456789abcdef") != REPORT_ID_SIZE - 1) {
        return place_refuse(at, "id", "16 hexadecimal digits");
    }
    return get_gaps(at, pair);
}

static int by_id(const void *x, const void *y)
{
    const baseline_pair *a = *(const baseline_pair *const *)x;
    return strcmp(a->id, (*(const baseline_pair *const *)y)->id);
}

static bool sort_pairs(baseline *old)
{
    for (size_t i = 0; i < old->pair_count; i++) {
        old->sorted[i] = &old->pairs[i];
    }
    qsort(old->sorted, old->pair_count, sizeof *old->sorted, by_id);
    for (size_t i = 1; i < old->pair_count; i++) {
        if (strcmp(old->sorted[i - 1]->id, old->sorted[i]->id) == 0) {
            place_complain(old->path, "two pairs have the id %s", old->sorted[i]->id);
            return false;
        }
    }
    return true;
}

static bool get_pairs(const place *at, baseline *old)
{
    const cJSON *list = get_array(at, "pairs");
    old->pairs = list ? room_for(list, sizeof *old->pairs) : NULL;
    old->sorted = old->pairs ? room_for(list, sizeof *old->sorted) : NULL;
    old->resolved = old->sorted ? room_for(list, sizeof *old->resolved) : NULL;
    return old->resolved && read_each(at, "pairs", list, old, &old->pair_count, read_pair) &&
           sort_pairs(old);
}

/* ---- the report ---------------------------------------------------------- */

static int by_name(const void *x, const void *y)
{
    return strcmp(((const baseline_part *)x)->name, ((const baseline_part *)y)->name);
}

static bool check_schema(const place *at)
{
    double schema;
    if (!place_length(at, "schema", &schema)) {
        return false;
    }
    if (schema != REPORT_SCHEMA) {
        message_print("%s: is a report of schema %g, and %d is known here", message_file(at->path),
                      schema, REPORT_SCHEMA);
    }
    return schema == REPORT_SCHEMA;
}

static bool read_root(baseline *old)
{
    place at = {.path = old->path, .object = old->root}, options;

    if (!cJSON_IsObject(old->root)) {
        place_complain(old->path, "it holds no object");
        return false;
    }
    if (!check_schema(&at) || !place_text(&at, "units", true, &old->units) ||
        !place_object(&at, "options", &options) || !get_terms(&options, &old->terms) ||
        !place_bool(&options, "exact", &old->exact) ||
        !place_bool(&options, "quick", &old->quick) ||
        !place_bool(&options, "no_distance", &old->no_distance) ||
        !place_bool(&options, "no_overlap", &old->no_overlap) ||
        !place_bool(&options, "no_depth", &old->no_depth) ||
        !place_bool(&options, "require_closed", &old->require_closed) ||
        (cJSON_HasObjectItem(options.object, "gaps") &&
         !place_bool(&options, "gaps", &old->gaps)) ||
        !get_rules(&at, old) || !get_parts(&at, old) || !get_pairs(&at, old)) {
        return false;
    }
    qsort(old->parts, old->part_count, sizeof *old->parts, by_name);
    return true;
}

baseline *baseline_read(const char *path)
{
    json_place at;
    cJSON *root = json_read(path, &at);
    if (!root) {
        return NULL;
    }
    baseline *old = calloc(1, sizeof *old);
    if (!old) {
        message_no_memory();
        cJSON_Delete(root);
        return NULL;
    }
    *old = (baseline){.path = path, .root = root};
    if (!read_root(old)) {
        baseline_free(old);
        return NULL;
    }
    return old;
}

void baseline_free(baseline *old)
{
    if (old) {
        for (size_t i = 0; i < old->pair_count; i++) {
            free(old->pairs[i].gaps);
        }
        cJSON_Delete(old->root);
        free(old->rules);
        free(old->parts);
        free(old->pairs);
        free(old->sorted);
        free(old->resolved);
        free(old);
    }
}
