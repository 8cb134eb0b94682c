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
