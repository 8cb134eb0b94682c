/* error.c - see error.h. */
#undef _GNU_SOURCE /* has another strerror_r */
#include "error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

stlclash_code sc_error(stlclash_error *error, stlclash_code code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    error->code = code;
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return code;
}

stlclash_code sc_error_memory(stlclash_error *error)
{
    return sc_error(error, STLCLASH_E_MEMORY, "out of memory");
}

stlclash_code sc_error_system(stlclash_error *error, const char *what, int number)
{
    char reason[128];
    const int unknown = strerror_r(number, reason, sizeof reason);
    if (unknown) {
        snprintf(reason, sizeof reason, "error %d", number);
    }
    return sc_error(error, STLCLASH_E_IO, "cannot %s: %s", what, reason);
}

void sc_error_name(const char *name, char text[SC_ERROR_NAME])
{
    const size_t length = strlen(name);
    if (length < SC_ERROR_NAME) {
        memcpy(text, name, length + 1);
    } else {
        const char *end = name + length - (SC_ERROR_NAME - sizeof "...");
        while ((*end & 0xC0) == 0x80) { /* not in the middle of a letter in UTF-8 */
            end++;
        }
        snprintf(text, SC_ERROR_NAME, "...%s", end);
    }
    for (char *c = text; *c; c++) {
        *c = (unsigned char)*c < ' ' || *c == 0x7f ? '?' : *c; /* in any locale */
    }
}

stlclash_code sc_error_of_parts(stlclash_error *error, const stlclash_code code[2],
                                const stlclash_error of[2])
{
    int failed = code[0] == STLCLASH_OK;
    return code[failed] == STLCLASH_OK ? STLCLASH_OK
                                       : sc_error(error, code[failed], "%s", of[failed].text);
}

const char *stlclash_code_text(stlclash_code code)
{
    switch (code) {
    case STLCLASH_OK: return "success";
    case STLCLASH_E_ARGUMENT: return "argument out of range";
    case STLCLASH_E_IO: return "file could not be read";
    case STLCLASH_E_FORMAT: return "not a valid STL file";
    case STLCLASH_E_NONFINITE: return "vertex is not finite";
    case STLCLASH_E_RANGE: return "placed coordinate out of range";
    case STLCLASH_E_MEMORY: return "out of memory";
    }
    return "unknown code";
}
