/* regional.h - erosion by as much as each region of an overlap asks for.
 *
 * Say a point p of a region lies deeper below the surface of A than the limit of that, and B is
 * eroded, by up to the greatest limit of all. A way to p from outside of the region enters it
 * through a facet about it: so facets of B that may come to p on their way are at rest no farther
 * than the greatest limit from such a facet, and go no farther than the limit of the region, as
 * each vertex keeps to the least limit of all regions that a facet at it may come to. So if what is
 * eroded does not hold p, its surface passed p, and ended in A, no farther from p than that
 * (erosion_proof.h).
 *
 * Else p is in a piece of what is left in common. Any way from p out of the region leaves that
 * piece there: through the surface of A, or through that of B, which came there by no more than the
 * greatest limit, so through a facet about the region as well, or from as near to one. Or it leaves
 * B, but not what B is eroded to: which went out from the surface of B there, by no more than that
 * limit, so the piece ends no farther off. In each case some facet that meets the other surface, or
 * lies inside, is no farther than the greatest limit from a facet about the region. As that holds
 * of all ways along an axis, p is no farther from a box around all such facets of the piece. */
#ifndef SC_REGIONAL_H
#define SC_REGIONAL_H

#include "proving.h"

/* How far each vertex of part i may go, as regions have it that are open. *all: time was left, and
 * it did not take too long (stretches.h). False if memory ran out. */
bool sc_regional_share(const sc_erosion_proof *proof, int i, sc_erosion *eroded, bool *all);

/* Boxes about all triangles that are left, in sets of those that hang together. */
typedef struct sc_regional_left {
    const sc_box *about; /* [count] */
    uint32_t *parent;    /* [count] sets whose boxes meet become one */
    uint32_t count;
} sc_regional_left;

/* Regions that none of them comes near are not open any more, and of the others it is near these
 * that something may lie deeper. False if memory ran out. */
bool sc_regional_close(const sc_erosion_proof *proof, const sc_regional_left *left);

/* Whether the boxes that are left of a region are far less than its bounds, or small beside its
 * limit: then it takes little time to search them. */
bool sc_regional_is_little(const sc_erosion_region *region);

/* How many boxes are left of those that are open; more than any number, where it is not little that
 * is left of one of them. None: all are shown. */
size_t sc_regional_boxes(const sc_erosion_regions *regions);

/* Whether a place is told that lies deeper in an open region than its limit. */
bool sc_regional_is_refuted(const sc_erosion_regions *regions);

#endif
