/* report_json_writer.h - JSON straight to a stream, with a layout that people can read
 * and diff.
 *
 * Nothing is allocated, so a report of any length needs no memory and no half of one
 * is left by a lack of it. Numbers are the shortest that read back to the same double.
 * A key is NULL in an array; keys are our own and not escaped. */
#ifndef REPORT_JSON_WRITER_H
#define REPORT_JSON_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { JSON_DEPTH = 16 };

/* One line; one line without blanks, for lists of numbers; a line for each member. */
typedef enum json_layout { JSON_INLINE, JSON_TIGHT, JSON_LINES } json_layout;

/* Zero but for the stream is a writer at the start of a document. */
typedef struct json_writer {
    FILE *stream;
    int depth;
    json_layout layouts[JSON_DEPTH]; /* of what is open at that depth */
    bool begun[JSON_DEPTH];          /* it has a member */
    char brackets[JSON_DEPTH];       /* with which it closes */
} json_writer;

/* '{' or '['; json_close ends what was opened last. An array of lines that stays empty
 * is "[]". */
void json_open(json_writer *json, const char *key, char bracket, json_layout layout);
void json_close(json_writer *json);

void json_null(json_writer *json, const char *key);
void json_bool(json_writer *json, const char *key, bool value);
void json_string(json_writer *json, const char *key, const char *text); /* NULL: null */
void json_count(json_writer *json, const char *key, uint64_t count);
void json_number(json_writer *json, const char *key, double value);
void json_vector(json_writer *json, const char *key, const double v[3]);
void json_bounds(json_writer *json, const char *key, const double bounds[2][3]);

/* Null unless known. */
void json_number_or_null(json_writer *json, const char *key, bool known, double value);
void json_vector_or_null(json_writer *json, const char *key, bool known, const double v[3]);

#endif
