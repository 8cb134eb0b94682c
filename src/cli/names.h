/* names.h - files -> names of parts: short, and each one once. */
#ifndef CLI_NAMES_H
#define CLI_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* The stem of a file ("dir/lid.stl" is "lid", "-" is "stdin"), with as many
 * folders in front as tell it from the other files; what is still the same, as a
 * file given twice is, gets "#2", "#3" and so on. The caller frees each name;
 * NULL in names[] means that memory ran out. */
void names_of_files(char *const files[], size_t count, char *names[]);

/* first[i] is the first of the files that is the same as number i. False if memory ran out. */
bool names_first_of_files(char *const files[], size_t count, size_t first[]);

#endif
