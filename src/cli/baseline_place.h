/* baseline_place.h - members of a JSON object that may be anything.
 *
 * Where a function returns false or NULL it has printed one line: the file, the member
 * and what it is not. */
#ifndef CLI_BASELINE_PLACE_H
#define CLI_BASELINE_PLACE_H

#include <cJSON.h>
#include <stdbool.h>

/* Where an object stands, for messages. */
typedef struct place {
    const char *path;
    char where[64]; /* "pairs[3]." or "" */
    const cJSON *object;
} place;

/* Prints that the file is no report, and why. */
void place_complain(const char *path, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Complains that a member is not what it should be; false. */
bool place_refuse(const place *at, const char *key, const char *what);

const cJSON *place_member(const place *at, const char *key);

bool place_bool(const place *at, const char *key, bool *value);

/* The text lives in the object; null gives NULL where that may be. */
bool place_text(const place *at, const char *key, bool may_be_null, const char **value);

/* A finite number of `least` or more, or null, which becomes `null`. */
bool place_number(const place *at, const char *key, double least, double null, double *value);

/* A finite number of 0 or more that is always there. */
bool place_length(const place *at, const char *key, double *value);

bool place_vector(const place *at, const char *key, double v[3]);
bool place_object(const place *at, const char *key, place *inside);

#endif
