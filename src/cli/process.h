/* process.h - what the command arranges with the system before it starts, and the
 * clocks that it reads. */
#ifndef CLI_PROCESS_H
#define CLI_PROCESS_H

#include <stdint.h>

/* The heap, standard descriptors and signals; see process.c. */
void process_prepare(void);

double process_seconds(void);     /* since some start */
double process_cpu_seconds(void); /* of all threads */
uint64_t process_peak_bytes(void);

#endif
