/* json_file.c - see json_file.h. */
#include "json_file.h"

#include "file_bytes.h"
#include "message.h"
#include "similar.h"
#include "values.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool json_refuse(const json_place *at, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    message_print("%s: %s%s%s", at->file, at->path, *at->path ? ": " : "", text);
    return false;
}

json_place json_member(const json_place *at, const char *key)
{
    json_place inner = {at->file, ""};
    snprintf(inner.path, sizeof inner.path, "%.100s%s%.50s", at->path, *at->path ? "." : "", key);
    return inner;
}

json_place json_element(const json_place *at, size_t index)
{
    json_place inner = {at->file, ""};
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

bool json_expect(const json_place *at, const cJSON *item, bool good, const char *what)
{
    return good || json_refuse(at, "%s is expected, not %s", what, kind_of(item));
}

bool json_get_text(const json_place *at, const cJSON *item, char **text)
{
    if (!json_expect(at, item, cJSON_IsString(item), "a text")) {
        return false;
    }
    *text = strdup(item->valuestring);
    return *text || message_no_memory();
}

bool json_get_name(const json_place *at, const cJSON *item, char **text)
{
    return json_get_text(at, item, text) && (**text || json_refuse(at, "it is empty"));
}

bool json_get_label(const json_place *at, const cJSON *item, char **text)
{
    if (!json_get_text(at, item, text)) {
        return false;
    }
    if (value_has_control(*text)) {
        return json_refuse(at, "it has a control character");
    }
    if (!**text) {
        free(*text);
        *text = NULL;
    }
    return true;
}

static bool get_number(const json_place *at, const cJSON *item, double *number)
{
    if (!json_expect(at, item, cJSON_IsNumber(item), "a number")) {
        return false;
    }
    *number = item->valuedouble + 0.0; /* -0 to 0 */
    return isfinite(*number) || json_refuse(at, "the number is too large");
}

bool json_get_length(const json_place *at, const cJSON *item, bool *given, double *number)
{
    *given = true;
    return get_number(at, item, number) &&
           (*number >= 0.0 || json_refuse(at, "%g is negative", *number));
}

bool json_get_numbers(const json_place *at, const cJSON *item, const char *what, double numbers[16],
                      int *count)
{
    *count = 0;
    if (!json_expect(at, item, cJSON_IsArray(item), what)) {
        return false;
    }
    for (const cJSON *child = item->child; child; child = child->next, ++*count) {
        json_place inner = json_element(at, (size_t)*count);
        if (*count < 16 && !get_number(&inner, child, &numbers[*count])) {
            return false;
        }
    }
    return true;
}

bool json_wrong_count(const json_place *at, int count, const char *right)
{
    return json_refuse(at, "it has %d number%s, not %s", count, count == 1 ? "" : "s", right);
}

bool json_get_placement(const json_place *at, const cJSON *item, void *matrix)
{
    double numbers[16];
    int count;

    return json_get_numbers(at, item, "a list of 3, 12 or 16 numbers", numbers, &count) &&
           (value_matrix(numbers, count, matrix) || json_wrong_count(at, count, "3, 12 or 16"));
}

/* ---- objects and lists --------------------------------------------------- */

/* A key that begins with _ is a comment. */
static bool is_comment(const cJSON *member)
{
    return member->string[0] == '_';
}

static bool refuse_key(const json_place *at, const char *key, const char *const *keys)
{
    char advice[SIMILAR_SIZE];
    return json_refuse(at, "'%.100s' is not a key that is known here%s", key,
                       similar_advice(advice, key, keys));
}

bool json_get_members(const json_place *at, const cJSON *object, const char *const *keys,
                      json_reader *read, void *target)
{
    unsigned seen = 0;

    if (!json_expect(at, object, cJSON_IsObject(object), "an object")) {
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
            return refuse_key(at, item->string, keys);
        }
        json_place inner = json_member(at, item->string);
        if (seen >> key & 1) {
            return json_refuse(&inner, "it is given twice");
        }
        seen |= 1u << key;
        if (!cJSON_IsNull(item) && !read(&inner, item, target)) {
            return false;
        }
    }
    return true;
}

bool json_get_list(const json_place *at, const cJSON *list, size_t size, json_reader *read,
                   void **items, size_t *count)
{
    if (!json_expect(at, list, cJSON_IsArray(list), "a list")) {
        return false;
    }
    size_t length = (size_t)cJSON_GetArraySize(list);
    *items = calloc(length + 1, size);
    if (!*items) {
        return message_no_memory();
    }
    for (const cJSON *item = list->child; item; item = item->next) {
        json_place inner = json_element(at, *count);
        void *target = (char *)*items + *count * size;
        (*count)++; /* what was read of it is freed with the rest */
        if (!read(&inner, item, target)) {
            return false;
        }
    }
    return true;
}

/* ---- the file ------------------------------------------------------------ */

char *json_beside(const char *of, const char *file)
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

static bool refuse_at(const json_place *at, const char *text, const char *position,
                      const char *what)
{
    size_t line = 1, column = 1;
    for (; text < position; text++) {
        column = *text == '\n' ? 1 : column + 1;
        line += *text == '\n';
    }
    return json_refuse(at, "%s (line %zu, column %zu)", what, line, column);
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

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Behind the digits there; NULL if there are none, or `c` is NULL. */
static const char *after_digits(const char *c)
{
    size_t count = c ? strspn(c, "0123456789") : 0;
    return count > 0 ? c + count : NULL;
}

/* Behind the number there; NULL if JSON has no such number. */
static const char *after_number(const char *c)
{
    c += *c == '-';
    c = *c == '0' ? c + 1 : after_digits(c);
    if (c && *c == '.') {
        c = after_digits(c + 1);
    }
    if (c && (*c == 'e' || *c == 'E')) {
        c = after_digits(c + 1 + (c[1] == '+' || c[1] == '-'));
    }
    return c && (is_digit(*c) || *c == '.') ? NULL : c;
}

/* Whether it is 0 as a double, and not as it is written. */
static bool is_too_small(const char *number)
{
    return strtod(number, NULL) == 0.0 && is_digit(number[strcspn(number, "123456789eE,]}")]);
}

/* Behind the text in quotes there. */
static const char *after_text(const char *c)
{
    for (c++; *c != '"'; c++) {
        c += *c == '\\';
    }
    return c + 1;
}

/* cJSON takes 01 and 1. for numbers, and for 0 what no double can tell from it. False where there
 * is such a one, of JSON otherwise. */
static bool check_numbers(const json_place *at, const char *text, const char *end)
{
    const char *c = text;
    while (c < end) {
        if (*c == '"') {
            c = after_text(c);
        } else if (*c == '-' || is_digit(*c)) {
            const char *behind = after_number(c);
            if (!behind || is_too_small(c)) {
                return refuse_at(at, text, c,
                                 behind ? "the number is too small to tell from 0"
                                        : "not valid JSON: a number is not written so");
            }
            c = behind;
        } else {
            c++;
        }
    }
    return true;
}

static cJSON *parse(const json_place *at, const char *text, size_t size)
{
    const char *end = text, *nul = find_nul(text, size);

    const char *begin =
        strncmp(text, "\xEF\xBB\xBF", 3) == 0 ? text + 3 : text; /* cJSON knows it */
    const char first = begin[strspn(begin, " \t\r\n")];

    if (nul ? first != '{' && first != '['
            : first != '\0' && !strchr("{[\"-0123456789tfn", first)) {
        json_refuse(at, "not a JSON file: it begins with neither { nor [");
        return NULL;
    }
    if (nul) {
        refuse_at(at, text, nul, "a NUL character is not allowed");
        return NULL;
    }
    if (first == '\0') {
        json_refuse(at, "the file is empty");
        return NULL;
    }
    cJSON *root = cJSON_ParseWithLengthOpts(text, size, &end, false);
    if (!root) {
        refuse_at(at, text, end, "not valid JSON");
        return NULL;
    }
    const char *rest = end + strspn(end, " \t\r\n");
    if (*rest) {
        refuse_at(at, text, rest, "not valid JSON: something follows");
        cJSON_Delete(root);
        return NULL;
    }
    if (!check_numbers(at, text, end)) {
        cJSON_Delete(root);
        return NULL;
    }
    return root;
}

cJSON *json_read(const char *path, json_place *at)
{
    size_t size;

    *at = (json_place){message_file(path), ""};
    char *text = file_bytes(path, &size);
    if (!text) {
        return NULL;
    }
    cJSON *root = parse(at, text, size);
    free(text);
    return root;
}
