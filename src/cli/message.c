/* message.c - see message.h. */
#include "message.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 16384 }; /* two paths and a sentence; the rest is cut off */

void message_print(const char *format, ...)
{
    char line[LONGEST];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);

    for (unsigned char *c = (unsigned char *)line; *c; c++) {
        bool c1 = *c == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0; /* control characters in UTF-8 */
        if (*c < ' ' || *c == 0x7f || c1) {
            *c = '?';
            c[1] = c1 ? '?' : c[1];
        }
    }
    fprintf(stderr, "stlclash: %s\n", line);
}

const char *message_file(const char *file)
{
    return strcmp(file, "-") == 0 ? "standard input" : file;
}

void message_read(const char *file, const stlclash_mesh_info *info)
{
    message_print("read %s: %s, %" PRIu64 " triangle%s", message_file(file),
                  info->format == STLCLASH_ASCII ? "ASCII" : "binary", info->triangles,
                  info->triangles == 1 ? "" : "s");
}

bool message_no_memory(void)
{
    message_print("out of memory");
    return false;
}
