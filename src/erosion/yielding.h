/* yielding.h - corners of an eroded part that give way to what they meet: each goes the shortest
 * way that all ask for whose facets were met, until none is met any more. */
#ifndef SC_YIELDING_H
#define SC_YIELDING_H

#include "proving.h"

/* Each fan as far as it takes, and all by a little more than rounding: where a part lies as deep as
 * the limit, corners must not go back from planes that do not. *shallow: as of a proof. False if
 * memory ran out. */
bool sc_yield_little(const sc_erosion_proof *proof, int i, sc_erosion *eroded, bool *shallow);

/* At rest, from where the fans were displaced to: those that met the other part go the other way as
 * far as they may. Tells the rest. */
bool sc_yield_far(const sc_erosion_proof *proof, int i, sc_erosion *eroded, sc_manner manner,
                  bool *shallow);

#endif
