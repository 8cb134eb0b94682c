/* octets_avx512.c - octets.inc for processors with AVX-512. */
#if defined(__x86_64__)
#define ISA avx512
#define LANES 8
#include "octets.inc"
#else
typedef int sc_octets_avx512_is_for_x86; /* a file of nothing is not C */
#endif
