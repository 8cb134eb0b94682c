/* report_json_writer.c - see report_json_writer.h. */
#include "report_json_writer.h"

#include "report_escape.h"
#include "report_number.h"

/* Two blanks for each that is open: reports are long, and formats of printf are slow. */
static void begin_line(json_writer *json)
{
    static const char line[] = "\n                                ";
    _Static_assert(sizeof line - 2 == 2 * JSON_DEPTH, "as many blanks as a line may begin with");
    fwrite(line, 1, 1 + 2 * (size_t)json->depth, json->stream);
}

/* The comma, the line and the key that stand in front of a value. */
static void begin(json_writer *json, const char *key)
{
    json_layout layout = json->layouts[json->depth];

    if (json->begun[json->depth]) {
        fputs(layout == JSON_INLINE ? ", " : ",", json->stream);
    }
    json->begun[json->depth] = true;
    if (layout == JSON_LINES) {
        begin_line(json);
    }
    if (key) {
        fputc('"', json->stream);
        fputs(key, json->stream);
        fputs("\": ", json->stream);
    }
}

void json_open(json_writer *json, const char *key, char bracket, json_layout layout)
{
    if (json->depth > 0) {
        begin(json, key);
    }
    fputc(bracket, json->stream);
    json->depth++;
    json->layouts[json->depth] = layout;
    json->begun[json->depth] = false;
    json->brackets[json->depth] = bracket == '{' ? '}' : ']';
}

void json_close(json_writer *json)
{
    bool line = json->layouts[json->depth] == JSON_LINES && json->begun[json->depth];
    char bracket = json->brackets[json->depth];

    json->depth--;
    if (line) {
        begin_line(json);
    }
    fputc(bracket, json->stream);
}

void json_null(json_writer *json, const char *key)
{
    begin(json, key);
    fputs("null", json->stream);
}

void json_bool(json_writer *json, const char *key, bool value)
{
    begin(json, key);
    fputs(value ? "true" : "false", json->stream);
}

void json_string(json_writer *json, const char *key, const char *text)
{
    if (!text) {
        json_null(json, key);
        return;
    }
    begin(json, key);
    fputc('"', json->stream);
    escape_json(text, json->stream);
    fputc('"', json->stream);
}

void json_count(json_writer *json, const char *key, uint64_t count)
{
    char text[NUMBER_SIZE];
    begin(json, key);
    fputs(number_count(text, count), json->stream);
}

void json_number(json_writer *json, const char *key, double value)
{
    char text[NUMBER_SIZE];
    begin(json, key);
    fputs(number_shortest(text, value), json->stream);
}

static void write_vector(json_writer *json, const double v[3])
{
    char text[NUMBER_SIZE];
    for (int k = 0; k < 3; k++) {
        fputc(k == 0 ? '[' : ',', json->stream);
        fputs(number_shortest(text, v[k]), json->stream);
    }
    fputc(']', json->stream);
}

void json_vector(json_writer *json, const char *key, const double v[3])
{
    begin(json, key);
    write_vector(json, v);
}

void json_bounds(json_writer *json, const char *key, const double bounds[2][3])
{
    begin(json, key);
    fputs("{\"min\": ", json->stream);
    write_vector(json, bounds[0]);
    fputs(", \"max\": ", json->stream);
    write_vector(json, bounds[1]);
    fputc('}', json->stream);
}

void json_number_or_null(json_writer *json, const char *key, bool known, double value)
{
    if (known) {
        json_number(json, key, value);
    } else {
        json_null(json, key);
    }
}

void json_vector_or_null(json_writer *json, const char *key, bool known, const double v[3])
{
    if (known) {
        json_vector(json, key, v);
    } else {
        json_null(json, key);
    }
}
