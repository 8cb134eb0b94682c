/* octets_isa.h - the builds of octets.inc; octets.c chooses among them. */
#ifndef SC_OCTETS_ISA_H
#define SC_OCTETS_ISA_H

#include "octets.h"

extern const sc_octets_isa sc_octets_scalar, sc_octets_baseline;
#if defined(__x86_64__)
extern const sc_octets_isa sc_octets_avx2, sc_octets_avx512;
#endif

#endif
