/* octets_avx2.c - octets.inc for processors with AVX2. */
#if defined(__x86_64__)
#define ISA avx2
#define LANES 8
#include "octets.inc"
#else
typedef int sc_octets_avx2_is_for_x86; /* a file of nothing is not C */
#endif
