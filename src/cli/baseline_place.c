/* baseline_place.c - see baseline_place.h. */
#include "baseline_place.h"

#include "message.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

void place_complain(const char *path, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    message_print("%s: is no report of 'stlclash -f json': %s", message_file(path), text);
}

const cJSON *place_member(const place *at, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(at->object, key);
    if (!item) {
        place_complain(at->path, "%s%s is missing", at->where, key);
    }
    return item;
}

bool place_refuse(const place *at, const char *key, const char *what)
{
    place_complain(at->path, "%s%s is not %s", at->where, key, what);
    return false;
}

bool place_bool(const place *at, const char *key, bool *value)
{
    const cJSON *item = place_member(at, key);
    if (!item) {
        return false;
    }
    *value = cJSON_IsTrue(item);
    return cJSON_IsBool(item) || place_refuse(at, key, "true or false");
}

bool place_text(const place *at, const char *key, bool may_be_null, const char **value)
{
    const cJSON *item = place_member(at, key);
    if (!item) {
        return false;
    }
    *value = cJSON_IsString(item) ? item->valuestring : NULL;
    return *value || (may_be_null && cJSON_IsNull(item)) || place_refuse(at, key, "a text");
}

bool place_number(const place *at, const char *key, double least, double null, double *value)
{
    const cJSON *item = place_member(at, key);
    if (!item) {
        return false;
    }
    *value = null;
    if (cJSON_IsNull(item)) {
        return true;
    }
    *value = item->valuedouble;
    return (cJSON_IsNumber(item) && isfinite(*value) && *value >= least) ||
           place_refuse(at, key, least == 0.0 ? "a number of 0 or more" : "a number");
}

bool place_length(const place *at, const char *key, double *value)
{
    return place_number(at, key, 0.0, NAN, value) &&
           (!isnan(*value) || place_refuse(at, key, "a number"));
}

bool place_vector(const place *at, const char *key, double v[3])
{
    const cJSON *item = place_member(at, key);
    if (!item || !cJSON_IsArray(item) || cJSON_GetArraySize(item) != 3) {
        return item && place_refuse(at, key, "a list of 3 numbers");
    }
    for (int k = 0; k < 3; k++) {
        const cJSON *number = cJSON_GetArrayItem(item, k);
        if (!cJSON_IsNumber(number) || !isfinite(number->valuedouble)) {
            return place_refuse(at, key, "a list of 3 numbers");
        }
        v[k] = number->valuedouble;
    }
    return true;
}

bool place_object(const place *at, const char *key, place *inside)
{
    const cJSON *item = place_member(at, key);
    if (!item || !cJSON_IsObject(item)) {
        return item && place_refuse(at, key, "an object");
    }
    *inside = (place){.path = at->path, .object = item};
    snprintf(inside->where, sizeof inside->where, "%.32s%s.", at->where, key);
    return true;
}
