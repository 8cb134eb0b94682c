/* erosion_proof.h - that all which two closed parts have in common lies along their surfaces, at
 * rest or on a straight way: they have nothing in common once one is eroded.
 *
 * B' is B with no point of its surface displaced by more than the limit. If the surfaces of A and
 * B' have no point in common, and no piece of A lies in B' and none of B' in A, no point p that is
 * common to A and B lies deeper. Say it lies farther below the surface of A: what of the surface of
 * B passes p on its way to that of B' would end that near to p, so inside A, where nothing of B'
 * is. So p lies in B' as well, and so does all of A about it, up to the next of its surface, which
 * does not. The same holds of A, which does not move, for what lies deep in B. Where a part moves
 * and the surfaces keep apart all the way, what lies in what is as it was at the start. */
#ifndef SC_EROSION_PROOF_H
#define SC_EROSION_PROOF_H

#include "proving.h"

/* *shallow: no common point lies deeper than the limit in either part. False proves nothing: parts
 * may lie as deep as that, or taper off too sharply, or the limit be little more than rounding. The
 * function is false if memory ran out. */
bool sc_erosion_proves(const sc_erosion_proof *proof, bool *shallow);

/* The same at rest, of parts that may lie as deep as the limit, but for a hundredth, and not
 * deeper: most of what is common is a sheet between two walls then, as where a pin is pressed into
 * its hole. Else the deepest place of what stays in the way is told, a corner or half way along an
 * edge, if it lies deeper than the rest that is known: it may lie deeper than the limit. */
bool sc_erosion_bounds(const sc_erosion_proof *proof, bool *shallow);

/* The same region by region (regional.h), which are not open any more where it is shown; else what
 * lies deepest of such places is told. */
bool sc_erosion_settles(const sc_erosion_proof *proof);

#endif
