/* entangled.h - where pieces of the surface of one part meet each other. */
#ifndef SC_ENTANGLED_H
#define SC_ENTANGLED_H

#include "members.h"

/* Two facets of different pieces that meet, as members; false ends the search. */
typedef bool sc_entangled_pair(void *context, uint32_t a, uint32_t b);

/* All such pairs, each once, always in the same order; but for some where there are very many to
 * look at that cannot be told apart in space. m is numbered. False if memory ran out, or
 * the time of the solid. */
bool sc_entangled_find(const sc_windings *w, const sc_members *m, sc_entangled_pair *pair,
                       void *context);

#endif
