/* message.h - what the command says on standard error, one line each. */
#ifndef CLI_MESSAGE_H
#define CLI_MESSAGE_H

#include "stlclash.h"

#include <stdbool.h>

/* Prints "stlclash: " and the text, in which control characters (of file names,
 * say) become '?', so that a message stays one line. */
void message_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Says that memory ran out; returns false. */
bool message_no_memory(void);

/* The name of a file in a message: "-" is standard input. */
const char *message_file(const char *file);

/* Says what a file of a part was found to hold. */
void message_read(const char *file, const stlclash_mesh_info *info);

#endif
