/* error.h - filling a stlclash_error. */
#ifndef SC_ERROR_H
#define SC_ERROR_H

#include "stlclash.h"

/* Writes code and the formatted text into *error and returns code, so that
 * `return sc_error(...)` both reports and leaves. */
stlclash_code sc_error(stlclash_error *error, stlclash_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The one message for a failed allocation. */
stlclash_code sc_error_memory(stlclash_error *error);

/* "cannot `what`: " and why, which the error number of the system tells. */
stlclash_code sc_error_system(stlclash_error *error, const char *what, int number);

/* A name that the caller gave, for a message: on one line, and of a long one the end, so that what
 * is wrong has room behind it. */
enum { SC_ERROR_NAME = 128 };
void sc_error_name(const char *name, char text[SC_ERROR_NAME]);

/* Of work that was done for both parts, with a code and an error each: the first that failed,
 * or STLCLASH_OK. */
stlclash_code sc_error_of_parts(stlclash_error *error, const stlclash_code code[2],
                                const stlclash_error of[2]);

#endif
