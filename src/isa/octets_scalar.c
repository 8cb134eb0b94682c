/* octets_scalar.c - octets.inc, one box at a time: what the others are tested against. */
#define ISA scalar
#define LANES 1
#include "octets.inc"
