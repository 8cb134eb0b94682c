/* regional.h - erosion by as much as each region of an overlap asks for.
 *
 * Say a point p of a region lies deeper below the surface of A than the limit of that, and B is
 * eroded, by up to the greatest limit of all. Facets of B that may come to p on their way go no
 * farther than the limit of the region, as each vertex keeps to the least limit of all regions that
 * a facet about it may come to. So if what is eroded does not hold p, its surface passed p, and
 * ended in A, no farther from p than that (erosion_proof.h). Else p is in a piece of what is left
 * in common. Any way from p out of the region leaves that piece there; or it leaves B, but not what
 * B is eroded to: which went out from the surface of B there, by no more than the greatest limit,
 * so the piece ends no farther off. Either way some facet that meets the other surface, or lies
 * inside, is no farther from the bounds of the region than the greatest limit. As that holds of all
 * ways along an axis, no such point is farther from a box around all such facets. */
#ifndef SC_REGIONAL_H
#define SC_REGIONAL_H

#include "proving.h"

/* How far each vertex may go, as regions have it that are open. False if memory ran out. */
bool sc_regional_share(const sc_erosion_proof *proof, sc_erosion *eroded);

/* Of boxes about all that is left: regions that none of them comes near are not open, and of the
 * others it is near these. */
void sc_regional_close(const sc_erosion_proof *proof, const sc_box *left, size_t count);

/* Whether none is open. */
bool sc_regional_is_done(const sc_erosion_regions *regions);

/* Whether a place is told that lies deeper in an open region than its limit. */
bool sc_regional_is_refuted(const sc_erosion_regions *regions);

#endif
