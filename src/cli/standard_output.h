/* standard_output.h - standard output, from which nothing is lost. */
#ifndef CLI_STANDARD_OUTPUT_H
#define CLI_STANDARD_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

/* The stream to print to. Where whoever has the other end reads slowly, and made the descriptor one
 * that does not block, it waits all the same. */
FILE *standard_output(void);

/* Closes it. Whether everything arrived, what was printed before, `ok`, too; else a line tells. */
bool standard_output_close(bool ok);

#endif
