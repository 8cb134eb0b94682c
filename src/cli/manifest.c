/* manifest.c - see manifest.h. */
#include "manifest.h"

#include "json_file.h"
#include "message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- values -------------------------------------------------------------- */

static bool get_tolerance(const json_place *at, const cJSON *item, bool *given, double *number)
{
    if (cJSON_IsString(item)) {
        *given = true;
        *number = STLCLASH_AUTO;
        return strcmp(item->valuestring, "auto") == 0 ||
               json_refuse(at, "a number or \"auto\" is expected");
    }
    return json_get_length(at, item, given, number);
}

static bool get_contact(const json_place *at, const cJSON *item, bool *given, bool *fails)
{
    *given = true;
    *fails = cJSON_IsString(item) && strcmp(item->valuestring, "fail") == 0;
    return *fails || (cJSON_IsString(item) && strcmp(item->valuestring, "allow") == 0) ||
           json_refuse(at, "\"allow\" or \"fail\" is expected");
}

static bool get_placement(const json_place *at, const cJSON *item, manifest_part *part)
{
    part->has_placement = true;
    return json_get_placement(at, item, part->placement);
}

/* ---- objects ------------------------------------------------------------- */

static bool read_part_member(const json_place *at, const cJSON *item, void *target)
{
    manifest_part *part = target;
    if (strcmp(item->string, "name") == 0) {
        return json_get_name(at, item, &part->name);
    }
    if (strcmp(item->string, "placement") == 0) {
        return get_placement(at, item, part);
    }
    if (strcmp(item->string, "motion") == 0) {
        return motion_of_json(at, item, &part->motion);
    }
    char *file = NULL;
    bool good = json_get_name(at, item, &file);
    if (good) {
        part->file = json_beside(at->file, file);
        good = part->file || message_no_memory();
    }
    free(file);
    return good;
}

static bool read_part(const json_place *at, const cJSON *item, void *target)
{
    static const char *const keys[] = {"name", "file", "placement", "motion", NULL};
    manifest_part *part = target;
    return json_get_members(at, item, keys, read_part_member, part) &&
           (part->name || json_refuse(at, "name is missing")) &&
           (part->file || json_refuse(at, "file is missing"));
}

static bool read_rule_member(const json_place *at, const cJSON *item, void *target)
{
    rule *r = target;
    const char *key = item->string;
    if (strcmp(key, "a") == 0) {
        return json_get_name(at, item, &r->a);
    }
    if (strcmp(key, "b") == 0) {
        return json_get_name(at, item, &r->b);
    }
    if (strcmp(key, "reason") == 0) {
        return json_get_text(at, item, &r->reason);
    }
    if (strcmp(key, "ignore") == 0) {
        r->ignore = cJSON_IsTrue(item);
        return json_expect(at, item, cJSON_IsBool(item), "true or false");
    }
    if (strcmp(key, "contact") == 0) {
        return get_contact(at, item, &r->has_contact, &r->contact_fails);
    }
    if (strcmp(key, "touch_overlap") == 0) {
        return get_tolerance(at, item, &r->has_touch_overlap, &r->touch_overlap);
    }
    if (strcmp(key, "touch_gap") == 0) {
        return get_tolerance(at, item, &r->has_touch_gap, &r->touch_gap);
    }
    if (strcmp(key, "max_volume") == 0) {
        return json_get_length(at, item, &r->has_max_volume, &r->max_volume);
    }
    if (strcmp(key, "max_depth") == 0) {
        return json_get_length(at, item, &r->has_max_depth, &r->max_depth);
    }
    return json_get_length(at, item, &r->has_clearance, &r->clearance);
}

static bool read_rule(const json_place *at, const cJSON *item, void *target)
{
    rule *r = target;
    size_t size = strlen(at->file) + strlen(at->path) + 3;
    r->where = malloc(size);
    if (!r->where) {
        return message_no_memory();
    }
    snprintf(r->where, size, "%s: %s", at->file, at->path);
    return json_get_members(at, item, rule_keys, read_rule_member, r) && rule_check(r);
}

static bool read_root_member(const json_place *at, const cJSON *item, void *target)
{
    manifest *m = target;
    void *items = NULL;
    bool good;
    if (strcmp(item->string, "units") == 0) {
        return json_get_label(at, item, &m->units);
    }
    if (strcmp(item->string, "parts") == 0) {
        good = json_get_list(at, item, sizeof *m->parts, read_part, &items, &m->part_count);
        m->parts = items;
    } else {
        good = json_get_list(at, item, sizeof *m->rules, read_rule, &items, &m->rule_count);
        m->rules = items;
    }
    return good;
}

static int by_name(const void *x, const void *y)
{
    const manifest_part *const *a = x, *const *b = y;
    int order = strcmp((*a)->name, (*b)->name);
    return order ? order : (*a > *b) - (*a < *b);
}

static bool check_names(const json_place *at, const manifest *m)
{
    const manifest_part **sorted = malloc((m->part_count + 1) * sizeof *sorted);
    bool good = true;

    if (!sorted) {
        return message_no_memory();
    }
    for (size_t i = 0; i < m->part_count; i++) {
        sorted[i] = &m->parts[i];
    }
    qsort(sorted, m->part_count, sizeof *sorted, by_name);
    for (size_t i = 1; i < m->part_count && good; i++) {
        if (strcmp(sorted[i - 1]->name, sorted[i]->name) == 0) {
            json_place parts = json_member(at, "parts");
            json_place second = json_element(&parts, (size_t)(sorted[i] - m->parts));
            good = json_refuse(&second, "the name '%.100s' is that of parts[%zu] too",
                               sorted[i]->name, (size_t)(sorted[i - 1] - m->parts));
        }
    }
    free(sorted);
    return good;
}

bool manifest_read(const char *path, manifest *m)
{
    static const char *const keys[] = {"units", "parts", "rules", NULL};
    json_place at;

    *m = (manifest){0};
    cJSON *root = json_read(path, &at);
    bool good = root && json_get_members(&at, root, keys, read_root_member, m) &&
                (m->parts || json_refuse(&at, "parts is missing")) &&
                (m->part_count >= 2 ||
                 json_refuse(&at, "parts: two or more are expected, %zu given", m->part_count)) &&
                check_names(&at, m);
    cJSON_Delete(root);
    return good;
}

void manifest_free(manifest *m)
{
    for (size_t i = 0; i < m->part_count; i++) {
        free(m->parts[i].name);
        free(m->parts[i].file);
        motion_free(&m->parts[i].motion);
    }
    for (size_t i = 0; i < m->rule_count; i++) {
        rule_free(&m->rules[i]);
    }
    free(m->parts);
    free(m->rules);
    free(m->units);
    *m = (manifest){0};
}
