/* json_file.h - files of JSON that people write, read strictly: nothing is skipped or guessed.
 *
 * Where a function returns false or NULL it has printed one line: the file, the place in it
 * and what is wrong there. */
#ifndef CLI_JSON_FILE_H
#define CLI_JSON_FILE_H

#include <cJSON.h>
#include <stdbool.h>
#include <stddef.h>

/* The place that is looked at, for messages: "parts[3].placement". */
typedef struct json_place {
    const char *file;
    char path[160];
} json_place;

/* The place of a member, or of an element, counted from 0, in that one. Long paths are cut. */
json_place json_member(const json_place *at, const char *key);
json_place json_element(const json_place *at, size_t index);

/* Says what is wrong there; false. */
bool json_refuse(const json_place *at, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* `good`, or a refusal: "a text is expected, not null". */
bool json_expect(const json_place *at, const cJSON *item, bool good, const char *what);

/* A text, and one that is not empty; the caller frees it. */
bool json_get_text(const json_place *at, const cJSON *item, char **text);
bool json_get_name(const json_place *at, const cJSON *item, char **text);

/* A text without control characters; nothing is kept of an empty one. */
bool json_get_label(const json_place *at, const cJSON *item, char **text);

/* Of 0 or more. */
bool json_get_length(const json_place *at, const cJSON *item, bool *given, double *number);

/* A list of numbers: how many there are, of which the first 16 are kept. `what` is asked for. */
bool json_get_numbers(const json_place *at, const cJSON *item, const char *what, double numbers[16],
                      int *count);

/* Says that a list has so many numbers and not `right`; false. */
bool json_wrong_count(const json_place *at, int count, const char *right);

/* A list of 3, 12 or 16 numbers, as --place-b has them. A json_reader: `matrix` is a double[16]. */
bool json_get_placement(const json_place *at, const cJSON *item, void *matrix);

/* Reads one member of an object, or element of a list; what it fills is `target`. */
typedef bool json_reader(const json_place *at, const cJSON *item, void *target);

/* Every member of an object that is no comment, each key once; what is null is as if it were not
 * there. `keys` lists them all, up to a NULL. */
bool json_get_members(const json_place *at, const cJSON *object, const char *const *keys,
                      json_reader *read, void *target);

/* The elements of a list into an array of as many zeroed items of `size` bytes, which is the
 * caller's in any case. */
bool json_get_list(const json_place *at, const cJSON *list, size_t size, json_reader *read,
                   void **items, size_t *count);

/* The path of a file that stands beside another one; the caller frees it. NULL: memory is
 * short, which is not said. */
char *json_beside(const char *of, const char *file);

/* All of a file, "-" for standard input; fills *at for what comes next. */
cJSON *json_read(const char *path, json_place *at);

#endif
