/* erosion_apart.h - whether two parts have nothing in common once one of them is eroded. */
#ifndef SC_EROSION_APART_H
#define SC_EROSION_APART_H

#include "proving.h"

/* Part i eroded; lists pairs that meet unless `met` is NULL, and at rest looks only at what was
 * displaced since they were listed. False if memory ran out. */
bool sc_erosion_is_apart(const sc_erosion_proof *proof, int i, const sc_erosion *eroded,
                         sc_eroded_pairs *met, bool *apart);

#endif
