/* glob.h - patterns of names, as the shell has them. */
#ifndef CLI_GLOB_H
#define CLI_GLOB_H

#include <stdbool.h>

/* Whether the pattern matches all of the name: * any characters, ? one (a UTF-8 character
 * counts as one), [abc] [a-z] [!a] one of a set or none of it, \ in front of a character takes
 * its meaning away. A [ that no ] closes stands for itself. Takes time of at most the product
 * of the lengths, whatever the pattern. */
bool glob_match(const char *pattern, const char *name);

#endif
