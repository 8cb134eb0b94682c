/* manifest.c - see manifest.h. */
#include "manifest.h"

#include "message.h"

#include <cJSON.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The place in the manifest that is looked at, for messages: "parts[3].placement". */
typedef struct place {
    const char *manifest;
    char path[160];
} place;

static bool refuse(const place *at, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool refuse(const place *at, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    message_print("%s: %s%s%s", at->manifest, at->path, *at->path ? ": " : "", text);
    return false;
}

static bool no_memory(void)
{
    message_print("out of memory");
    return false;
}

static place member_of(const place *at, const char *key)
{
    place inner = {at->manifest, ""};
    snprintf(inner.path, sizeof inner.path, "%.100s%s%.50s", at->path, *at->path ? "." : "", key);
    return inner;
}

static place element_of(const place *at, size_t index)
{
    place inner = {at->manifest, ""};
    snprintf(inner.path, sizeof inner.path, "%.120s[%zu]", at->path, index);
    return inner;
}

/* ---- values -------------------------------------------------------------- */

static const char *kind_of(const cJSON *item)
{
    return cJSON_IsNull(item)     ? "null"
           : cJSON_IsBool(item)   ? "true or false"
           : cJSON_IsNumber(item) ? "a number"
           : cJSON_IsString(item) ? "a text"
           : cJSON_IsArray(item)  ? "a list"
                                  : "an object";
}

static bool expect(const place *at, const cJSON *item, bool good, const char *what)
{
    return good || refuse(at, "%s is expected, not %s", what, kind_of(item));
}

static bool get_text(const place *at, const cJSON *item, char **text)
{
    if (!expect(at, item, cJSON_IsString(item), "a text")) {
        return false;
    }
    *text = strdup(item->valuestring);
    return *text || no_memory();
}

static bool get_name(const place *at, const cJSON *item, char **text)
{
    return get_text(at, item, text) && (**text || refuse(at, "it is empty"));
}

static bool get_number(const place *at, const cJSON *item, double *number)
{
    if (!expect(at, item, cJSON_IsNumber(item), "a number")) {
        return false;
    }
    *number = item->valuedouble + 0.0; /* -0 to 0 */
    return isfinite(*number) || refuse(at, "the number is too large");
}

/* Of 0 or more; null is as if it was not there. */
static bool get_length(const place *at, const cJSON *item, bool *given, double *number)
{
    if (cJSON_IsNull(item)) {
        return true;
    }
    *given = true;
    return get_number(at, item, number) &&
           (*number >= 0.0 || refuse(at, "%g is negative", *number));
}

static bool get_tolerance(const place *at, const cJSON *item, bool *given, double *number)
{
    if (cJSON_IsString(item)) {
        *given = true;
        *number = STLCLASH_AUTO;
        return strcmp(item->valuestring, "auto") == 0 ||
               refuse(at, "a number or \"auto\" is expected");
    }
    return get_length(at, item, given, number);
}

static bool get_contact(const place *at, const cJSON *item, bool *given, bool *fails)
{
    if (cJSON_IsNull(item)) {
        return true;
    }
    *given = true;
    *fails = cJSON_IsString(item) && strcmp(item->valuestring, "fail") == 0;
    return *fails || (cJSON_IsString(item) && strcmp(item->valuestring, "allow") == 0) ||
           refuse(at, "\"allow\" or \"fail\" is expected");
}

static bool get_placement(const place *at, const cJSON *item, manifest_part *part)
{
    int count = 0;

    if (cJSON_IsNull(item)) {
        return true;
    }
    if (!expect(at, item, cJSON_IsArray(item), "a list of 16 numbers")) {
        return false;
    }
    for (const cJSON *child = item->child; child; child = child->next, count++) {
        place inner = element_of(at, (size_t)count);
        if (count < 16 && !get_number(&inner, child, &part->placement[count])) {
            return false;
        }
    }
    part->has_placement = true;
    return count == 16 || refuse(at, "it has %d number%s, not 16", count, count == 1 ? "" : "s");
}

/* ---- objects ------------------------------------------------------------- */

/* A key that begins with _ is a comment. */
static bool is_comment(const cJSON *member)
{
    return member->string[0] == '_';
}

/* Reads one member of an object; what it fills is `target`. */
typedef bool (*member_reader)(const place *at, const cJSON *item, void *target);

/* Every member of an object that is no comment, each key once. `keys` lists them all. */
static bool read_members(const place *at, const cJSON *object, const char *const *keys,
                         member_reader read, void *target)
{
    unsigned seen = 0;

    if (!expect(at, object, cJSON_IsObject(object), "an object")) {
        return false;
    }
    for (const cJSON *item = object->child; item; item = item->next) {
        if (is_comment(item)) {
            continue;
        }
        unsigned key = 0;
        while (keys[key] && strcmp(keys[key], item->string) != 0) {
            key++;
        }
        if (!keys[key]) {
            return refuse(at, "'%.100s' is not a key that is known here", item->string);
        }
        place inner = member_of(at, item->string);
        if (seen >> key & 1) {
            return refuse(&inner, "it is given twice");
        }
        seen |= 1u << key;
        if (!read(&inner, item, target)) {
            return false;
        }
    }
    return true;
}

/* A file beside the manifest, as it is opened from here. */
static char *beside(const char *of, const char *file)
{
    const char *slash = strrchr(of, '/');
    size_t folder = *file == '/' || !slash ? 0 : (size_t)(slash - of) + 1;
    size_t size = folder + strlen(file) + 3;
    char *path = malloc(size);
    if (path) { /* a file called "-" is no standard input here */
        snprintf(path, size, "%.*s%s%s", (int)folder, of,
                 folder == 0 && strcmp(file, "-") == 0 ? "./" : "", file);
    }
    return path;
}

static bool read_part_member(const place *at, const cJSON *item, void *target)
{
    manifest_part *part = target;
    if (strcmp(item->string, "name") == 0) {
        return get_name(at, item, &part->name);
    }
    if (strcmp(item->string, "placement") == 0) {
        return get_placement(at, item, part);
    }
    char *file = NULL;
    bool good = get_name(at, item, &file);
    if (good) {
        part->file = beside(at->manifest, file);
        good = part->file || no_memory();
    }
    free(file);
    return good;
}

static bool read_part(const place *at, const cJSON *item, void *target)
{
    static const char *const keys[] = {"name", "file", "placement", NULL};
    manifest_part *part = target;
    return read_members(at, item, keys, read_part_member, part) &&
           (part->name || refuse(at, "name is missing")) &&
           (part->file || refuse(at, "file is missing"));
}

static bool read_rule_member(const place *at, const cJSON *item, void *target)
{
    rule *r = target;
    const char *key = item->string;
    if (strcmp(key, "a") == 0) {
        return get_name(at, item, &r->a);
    }
    if (strcmp(key, "b") == 0) {
        return get_name(at, item, &r->b);
    }
    if (strcmp(key, "reason") == 0) {
        return cJSON_IsNull(item) || get_text(at, item, &r->reason);
    }
    if (strcmp(key, "ignore") == 0) {
        r->ignore = cJSON_IsTrue(item);
        return cJSON_IsNull(item) || expect(at, item, cJSON_IsBool(item), "true or false");
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
        return get_length(at, item, &r->has_max_volume, &r->max_volume);
    }
    if (strcmp(key, "max_depth") == 0) {
        return get_length(at, item, &r->has_max_depth, &r->max_depth);
    }
    return get_length(at, item, &r->has_clearance, &r->clearance);
}

static bool read_rule(const place *at, const cJSON *item, void *target)
{
    static const char *const keys[] = {
        "a",         "b",      "clearance", "contact", "touch_overlap", "touch_gap", "max_volume",
        "max_depth", "ignore", "reason",    NULL};
    rule *r = target;
    size_t size = strlen(at->manifest) + strlen(at->path) + 3;
    r->where = malloc(size);
    if (!r->where) {
        return no_memory();
    }
    snprintf(r->where, size, "%s: %s", at->manifest, at->path);
    return read_members(at, item, keys, read_rule_member, r) && rule_check(r);
}

/* The elements of a list into an array of as many zeroed items of `size` bytes. */
static bool read_list(const place *at, const cJSON *list, size_t size, member_reader read,
                      void **items, size_t *count)
{
    if (!expect(at, list, cJSON_IsArray(list), "a list")) {
        return false;
    }
    size_t length = (size_t)cJSON_GetArraySize(list);
    *items = calloc(length + 1, size);
    if (!*items) {
        return no_memory();
    }
    for (const cJSON *item = list->child; item; item = item->next) {
        place inner = element_of(at, *count);
        void *target = (char *)*items + *count * size;
        (*count)++; /* what was read of it is freed with the rest */
        if (!read(&inner, item, target)) {
            return false;
        }
    }
    return true;
}

static bool read_root_member(const place *at, const cJSON *item, void *target)
{
    manifest *m = target;
    void *items = NULL;
    bool good;
    if (strcmp(item->string, "units") == 0) {
        return cJSON_IsNull(item) || get_text(at, item, &m->units);
    }
    if (strcmp(item->string, "parts") == 0) {
        good = read_list(at, item, sizeof *m->parts, read_part, &items, &m->part_count);
        m->parts = items;
    } else {
        good = read_list(at, item, sizeof *m->rules, read_rule, &items, &m->rule_count);
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

static bool check_names(const place *at, const manifest *m)
{
    const manifest_part **sorted = malloc((m->part_count + 1) * sizeof *sorted);
    bool good = true;

    if (!sorted) {
        return no_memory();
    }
    for (size_t i = 0; i < m->part_count; i++) {
        sorted[i] = &m->parts[i];
    }
    qsort(sorted, m->part_count, sizeof *sorted, by_name);
    for (size_t i = 1; i < m->part_count && good; i++) {
        if (strcmp(sorted[i - 1]->name, sorted[i]->name) == 0) {
            place parts = member_of(at, "parts");
            place second = element_of(&parts, (size_t)(sorted[i] - m->parts));
            good = refuse(&second, "the name '%.100s' is that of parts[%zu] too", sorted[i]->name,
                          (size_t)(sorted[i - 1] - m->parts));
        }
    }
    free(sorted);
    return good;
}

/* ---- the file ------------------------------------------------------------ */

/* All of it, with a zero behind it; NULL: errno tells why. */
static char *read_file(const char *path, size_t *size)
{
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    size_t capacity = 1 << 16;
    char *text = file ? malloc(capacity) : NULL;
    bool good = text != NULL;

    *size = 0;
    while (good) {
        size_t got = fread(text + *size, 1, capacity - *size - 1, file);
        *size += got;
        if (got == 0) {
            break;
        }
        if (capacity - *size == 1) {
            char *grown = capacity <= SIZE_MAX / 2 ? realloc(text, 2 * capacity) : NULL;
            good = grown != NULL;
            text = good ? grown : text;
            capacity *= 2;
        }
    }
    int reason = errno;
    good = good && !ferror(file);
    if (file && file != stdin) {
        fclose(file);
    }
    if (!good) {
        free(text);
        errno = reason ? reason : EIO;
        return NULL;
    }
    text[*size] = '\0';
    return text;
}

static bool refuse_at(const place *at, const char *text, const char *position, const char *what)
{
    size_t line = 1, column = 1;
    for (; text < position; text++) {
        column = *text == '\n' ? 1 : column + 1;
        line += *text == '\n';
    }
    return refuse(at, "%s (line %zu, column %zu)", what, line, column);
}

/* A NUL ends the texts of cJSON: what comes behind it would be lost. */
static const char *find_nul(const char *text, size_t size)
{
    const char *c = text;
    for (; c < text + size && *c; c++) {
        if (*c == '\\') {
            if (strncmp(c, "\\u0000", 6) == 0) {
                return c;
            }
            c += c[1] != '\0';
        }
    }
    return c < text + size ? c : NULL;
}

static cJSON *parse(const place *at, const char *text, size_t size)
{
    const char *end = text, *nul = find_nul(text, size);

    if (nul) {
        refuse_at(at, text, nul, "a NUL character is not allowed");
        return NULL;
    }
    cJSON *root = cJSON_ParseWithLengthOpts(text, size, &end, false);
    if (!root) {
        refuse_at(at, text, end, "not valid JSON");
        return NULL;
    }
    const char *rest = end + strspn(end, " \t\r\n");
    if (*rest) {
        refuse_at(at, text, rest, "not valid JSON: something follows the manifest");
        cJSON_Delete(root);
        return NULL;
    }
    return root;
}

bool manifest_read(const char *path, manifest *m)
{
    static const char *const keys[] = {"units", "parts", "rules", NULL};
    place at = {strcmp(path, "-") == 0 ? "standard input" : path, ""};
    size_t size;

    *m = (manifest){NULL};
    errno = 0;
    char *text = read_file(path, &size);
    if (!text) {
        message_print("%s: cannot read: %s", at.manifest, strerror(errno));
        return false;
    }
    cJSON *root = parse(&at, text, size);
    bool good = root && read_members(&at, root, keys, read_root_member, m) &&
                (m->parts || refuse(&at, "parts is missing")) &&
                (m->part_count >= 2 ||
                 refuse(&at, "parts: two or more are expected, %zu given", m->part_count)) &&
                check_names(&at, m);
    cJSON_Delete(root);
    free(text);
    return good;
}

void manifest_free(manifest *m)
{
    for (size_t i = 0; i < m->part_count; i++) {
        free(m->parts[i].name);
        free(m->parts[i].file);
    }
    for (size_t i = 0; i < m->rule_count; i++) {
        rule_free(&m->rules[i]);
    }
    free(m->parts);
    free(m->rules);
    free(m->units);
    *m = (manifest){NULL};
}
