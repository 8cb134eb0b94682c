/* flat.h - a plane between two parts that proves that they lie nowhere deep in each
 * other: they touch, but for rounding. */
#ifndef SC_FLAT_H
#define SC_FLAT_H

#include "solids/solid.h"

/* Whether some direction, taken from facets where the surfaces meet, shows that no common point
 * lies deeper than `limit`: one part ends no farther along it than `limit` behind where the other
 * begins; *thickness is how far. False proves nothing. hits: as for sc_crossings_find. */
bool sc_flat_contact(const sc_solid solid[2], const uint64_t *hits, size_t hit_count, double limit,
                     double *thickness);

#endif
