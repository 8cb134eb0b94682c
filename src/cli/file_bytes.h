/* file_bytes.h - a file that is read at once, or as it comes; writing to one. */
#ifndef CLI_FILE_BYTES_H
#define CLI_FILE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* All bytes of a file, of standard input for "-", with a zero behind them; the caller frees them.
 * NULL after one line on standard error. */
char *file_bytes(const char *path, size_t *size);

/* As read(2), but for a descriptor that does not block, as standard input may be where a program
 * before us made it so: that is waited for. */
ssize_t file_read(int descriptor, void *bytes, size_t size);

/* The same of write(2), until all bytes are written; false, with errno, where they could not be. */
bool file_write(int descriptor, const void *bytes, size_t size);

#endif
