/* octets_baseline.c - octets.inc, with what the compiler takes for granted. */
#define ISA baseline
#define LANES 4
#include "octets.inc"
