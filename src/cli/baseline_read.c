/* baseline_read.c - baseline_read and baseline_free; see baseline_read.h. */
#include "baseline_read.h"

#include "message.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the file ------------------------------------------------------------ */

static void __attribute__((format(printf, 2, 3)))
complain(const char *path, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    message_print("%s: is no report of 'stlclash -f json': %s", path, text);
}

/* All bytes of a file, *size of them; the caller frees them. NULL: errno tells why. */
static char *read_bytes(const char *path, size_t *size)
{
    FILE *stream = fopen(path, "rb");
    size_t room = 0;
    char *bytes = NULL;
    if (!stream) {
        return NULL;
    }
    *size = 0;
    errno = 0;
    for (;;) {
        if (*size == room) {
            room = room ? 2 * room : 65536;
            char *grown = realloc(bytes, room);
            if (!grown) {
                errno = ENOMEM;
                break;
            }
            bytes = grown;
        }
        size_t got = fread(bytes + *size, 1, room - *size, stream);
        *size += got;
        if (got == 0) {
            break;
        }
    }
    int reason = ferror(stream) && errno == 0 ? EIO : errno;
    fclose(stream);
    if (reason != 0) {
        free(bytes);
        bytes = NULL;
    }
    errno = reason;
    return bytes;
}

static cJSON *parse(const char *path)
{
    size_t size;
    char *bytes = read_bytes(path, &size);
    if (!bytes) {
        message_print("%s: %s", path, strerror(errno));
        return NULL;
    }
    const char *end = NULL;
    cJSON *root = cJSON_ParseWithLengthOpts(bytes, size, &end, false);
    size_t stop = end ? (size_t)(end - bytes) : 0;
    while (root && stop < size && strchr(" \t\r\n", bytes[stop]) && bytes[stop]) {
        stop++;
    }
    if (!root || stop < size) {
        complain(path, "no JSON from byte %zu of %zu on", stop, size);
        cJSON_Delete(root);
        root = NULL;
    }
    free(bytes);
    return root;
}

/* ---- members: each returns false after a complaint ------------------------ */

/* Where a member stands, for messages, and what holds it. */
typedef struct place {
    const char *path;
    char where[64]; /* "pairs[3]." or "" */
    const cJSON *object;
} place;

static const cJSON *member(const place *at, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(at->object, key);
    if (!item) {
        complain(at->path, "%s%s is missing", at->where, key);
    }
    return item;
}

static bool refuse(const place *at, const char *key, const char *what)
{
    complain(at->path, "%s%s is not %s", at->where, key, what);
    return false;
}

static bool get_bool(const place *at, const char *key, bool *value)
{
    const cJSON *item = member(at, key);
    if (!item) {
        return false;
    }
    *value = cJSON_IsTrue(item);
    return cJSON_IsBool(item) || refuse(at, key, "true or false");
}

static bool get_text(const place *at, const char *key, bool may_be_null, const char **value)
{
    const cJSON *item = member(at, key);
    if (!item) {
        return false;
    }
    *value = cJSON_IsString(item) ? item->valuestring : NULL;
    return *value || (may_be_null && cJSON_IsNull(item)) || refuse(at, key, "a text");
}

/* A number of `least` or more, or null, which becomes `null`. */
static bool get_number(const place *at, const char *key, double least, double null, double *value)
{
    const cJSON *item = member(at, key);
    if (!item) {
        return false;
    }
    *value = null;
    if (cJSON_IsNull(item)) {
        return true;
    }
    *value = item->valuedouble;
    return (cJSON_IsNumber(item) && isfinite(*value) && *value >= least) ||
           refuse(at, key, least == 0.0 ? "a number of 0 or more" : "a number");
}

/* The same for a number that is always there. */
static bool get_length(const place *at, const char *key, double *value)
{
    return get_number(at, key, 0.0, NAN, value) && (!isnan(*value) || refuse(at, key, "a number"));
}

static bool get_tolerance(const place *at, const char *key, double *value)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(at->object, key);
    if (cJSON_IsString(item) && strcmp(item->valuestring, "auto") == 0) {
        *value = STLCLASH_AUTO;
        return true;
    }
    return get_length(at, key, value);
}

static bool get_vector(const place *at, const char *key, double v[3])
{
    const cJSON *item = member(at, key);
    if (!item || !cJSON_IsArray(item) || cJSON_GetArraySize(item) != 3) {
        return item && refuse(at, key, "a list of 3 numbers");
    }
    for (int k = 0; k < 3; k++) {
        const cJSON *number = cJSON_GetArrayItem(item, k);
        if (!cJSON_IsNumber(number) || !isfinite(number->valuedouble)) {
            return refuse(at, key, "a list of 3 numbers");
        }
        v[k] = number->valuedouble;
    }
    return true;
}

static bool get_object(const place *at, const char *key, place *inside)
{
    const cJSON *item = member(at, key);
    if (!item || !cJSON_IsObject(item)) {
        return item && refuse(at, key, "an object");
    }
    *inside = (place){.path = at->path, .object = item};
    snprintf(inside->where, sizeof inside->where, "%.32s%s.", at->where, key);
    return true;
}

static bool get_contact(const place *at, bool *fails)
{
    const char *text;
    if (!get_text(at, "contact", false, &text)) {
        return false;
    }
    *fails = strcmp(text, "fail") == 0;
    return *fails || strcmp(text, "allow") == 0 || refuse(at, "contact", "allow or fail");
}

static bool get_terms(const place *at, baseline_terms *terms)
{
    return get_length(at, "clearance", &terms->clearance) &&
           get_tolerance(at, "touch_overlap", &terms->touch_overlap) &&
           get_tolerance(at, "touch_gap", &terms->touch_gap) &&
           get_contact(at, &terms->contact_fails);
}

/* ---- lists --------------------------------------------------------------- */

static const cJSON *get_array(const place *at, const char *key)
{
    const cJSON *list = member(at, key);
    if (list && !cJSON_IsArray(list)) {
        refuse(at, key, "a list");
        return NULL;
    }
    return list;
}

/* Zeroed room for what a list holds. */
static void *room_for(const cJSON *list, size_t size)
{
    void *room = calloc((size_t)cJSON_GetArraySize(list) + 1, size);
    if (!room) {
        message_print("out of memory");
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
            complain(at->path, "%s[%zu] is not an object", key, *count);
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
    return get_text(at, "name", false, &rule->name) && get_terms(at, &rule->terms) &&
           get_number(at, "max_volume", 0.0, INFINITY, &rule->max_volume) &&
           get_number(at, "max_depth", 0.0, INFINITY, &rule->max_depth) &&
           get_bool(at, "ignore", &rule->ignore);
}

static bool get_rules(const place *at, baseline *old)
{
    const cJSON *list = get_array(at, "rules");
    old->rules = list ? room_for(list, sizeof *old->rules) : NULL;
    return old->rules && read_each(at, "rules", list, old, &old->rule_count, read_rule);
}

static bool read_part(const place *at, baseline *old, size_t i)
{
    return get_text(at, "name", false, &old->parts[i]);
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
    if (!get_text(at, "status", false, &text)) {
        return false;
    }
    for (*status = STLCLASH_UNDECIDED; *status <= STLCLASH_CLEAR; (*status)++) {
        if (strcmp(text, stlclash_status_text(*status)) == 0) {
            return true;
        }
    }
    return refuse(at, "status", "one of the five");
}

/* Whether the pair failed by its rule: a baseline of its own may have let it pass. */
static bool get_fails(const place *at, bool *fails)
{
    const char *change;
    bool pass;
    if (!get_bool(at, "pass", &pass) || !get_text(at, "change", true, &change)) {
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
        return true;
    }
    if (!get_object(at, "overlap", &inside) || !get_number(&inside, "depth", 0.0, NAN, &depth) ||
        !get_number(&inside, "depth_error", 0.0, NAN, &depth_error) ||
        !get_number(&inside, "volume", -INFINITY, NAN, &volume) ||
        !get_number(&inside, "volume_error", 0.0, NAN, &volume_error) ||
        !get_object(&inside, "bounds", &box) || !get_vector(&box, "min", state->bounds[0]) ||
        !get_vector(&box, "max", state->bounds[1])) {
        return false;
    }
    if (isnan(depth) != isnan(depth_error) || isnan(volume) || isnan(volume_error)) {
        return refuse(at, "overlap", "complete");
    }
    state->depth = report_change_depth(depth, depth_error);
    state->volume = report_change_volume(volume, volume_error);
    return true;
}

static bool get_state(const place *at, change_state *state)
{
    double distance;
    bool ignored = false;

    *state = report_change_unknown();
    if (!get_bool(at, "ignored", &ignored) || ignored) {
        return ignored;
    }
    state->judged = true;
    if (!get_status(at, &state->status) || !get_fails(at, &state->fails) ||
        !get_number(at, "resolution", 0.0, 0.0, &state->resolution) ||
        !get_number(at, "distance", 0.0, NAN, &distance) || !get_overlap(at, state)) {
        return false;
    }
    state->distance = report_change_distance(distance, state->resolution);
    return true;
}

static bool read_pair(const place *at, baseline *old, size_t i)
{
    baseline_pair *pair = &old->pairs[i];

    if (!get_text(at, "a", false, &pair->a) || !get_text(at, "b", false, &pair->b) ||
        !get_text(at, "id", false, &pair->id) || !get_state(at, &pair->state)) {
        return false;
    }
    return (strlen(pair->id) == REPORT_ID_SIZE - 1 &&
            strspn(pair->id, "0123456789abcdef") == REPORT_ID_SIZE - 1) ||
           refuse(at, "id", "16 hexadecimal digits");
}

static bool get_pairs(const place *at, baseline *old)
{
    const cJSON *list = get_array(at, "pairs");
    old->pairs = list ? room_for(list, sizeof *old->pairs) : NULL;
    old->resolved = old->pairs ? room_for(list, sizeof *old->resolved) : NULL;
    return old->resolved && read_each(at, "pairs", list, old, &old->pair_count, read_pair);
}

/* ---- the report ---------------------------------------------------------- */

static int by_name(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

static int by_id(const void *x, const void *y)
{
    return strcmp(((const baseline_pair *)x)->id, ((const baseline_pair *)y)->id);
}

static bool check_schema(const place *at)
{
    double schema;
    if (!get_length(at, "schema", &schema)) {
        return false;
    }
    if (schema != REPORT_SCHEMA) {
        message_print("%s: is a report of schema %g, and %d is known here", at->path, schema,
                      REPORT_SCHEMA);
    }
    return schema == REPORT_SCHEMA;
}

static bool read_root(baseline *old)
{
    place at = {.path = old->path, .object = old->root}, options;

    if (!cJSON_IsObject(old->root)) {
        complain(old->path, "it holds no object");
        return false;
    }
    if (!check_schema(&at) || !get_text(&at, "units", true, &old->units) ||
        !get_object(&at, "options", &options) || !get_terms(&options, &old->terms) ||
        !get_bool(&options, "exact", &old->exact) || !get_bool(&options, "quick", &old->quick) ||
        !get_bool(&options, "no_overlap", &old->no_overlap) || !get_rules(&at, old) ||
        !get_parts(&at, old) || !get_pairs(&at, old)) {
        return false;
    }
    qsort(old->parts, old->part_count, sizeof *old->parts, by_name);
    qsort(old->pairs, old->pair_count, sizeof *old->pairs, by_id);
    for (size_t i = 1; i < old->pair_count; i++) {
        if (strcmp(old->pairs[i - 1].id, old->pairs[i].id) == 0) {
            complain(old->path, "two pairs have the id %s", old->pairs[i].id);
            return false;
        }
    }
    return true;
}

baseline *baseline_read(const char *path)
{
    cJSON *root = parse(path);
    if (!root) {
        return NULL;
    }
    baseline *old = calloc(1, sizeof *old);
    if (!old) {
        message_print("out of memory");
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
        cJSON_Delete(old->root);
        free(old->rules);
        free(old->parts);
        free(old->pairs);
        free(old->resolved);
        free(old);
    }
}
