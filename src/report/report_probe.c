/* report_probe.c - see report_probe.h: the formats. */
#include "report_probe_parts.h"

#include <string.h>

enum { TEXT, JSON, LINES, FORMATS };
static const report_format formats[FORMATS] = {
    [TEXT] = {"text", {NULL}, report_probe_write_text},
    [JSON] = {"json", {NULL}, report_probe_write_json},
    [LINES] = {"jsonl", {NULL}, report_probe_write_lines},
};

const report_format *report_probe_format(const report_format *format)
{
    for (size_t i = 0; i < FORMATS; i++) {
        if (strcmp(formats[i].name, format->name) == 0) {
            return &formats[i];
        }
    }
    return NULL;
}

bool report_probe_is_list(const report_format *format)
{
    return format == &formats[TEXT] || format == &formats[LINES];
}
