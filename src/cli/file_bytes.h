/* file_bytes.h - a file that is read at once. */
#ifndef CLI_FILE_BYTES_H
#define CLI_FILE_BYTES_H

#include <stddef.h>

/* All bytes of a file, of standard input for "-", with a zero behind them; the caller frees them.
 * NULL after one line on standard error. */
char *file_bytes(const char *path, size_t *size);

#endif
