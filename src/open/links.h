/* links.h - ways between pieces of a surface that lie beside each other, as where facets have
 * corners of their own: what is found out about one of them goes for those it is linked with. */
#ifndef SC_LINKS_H
#define SC_LINKS_H

#include "solids/solid.h"
#include "solids/windings.h"

typedef struct sc_links {
    uint32_t (*ends)[2]; /* [count] vertices of two pieces each, close together */
    size_t count;
    uint32_t *first; /* [vertices] of the root of a piece: that of the first one it hangs together
                        with so; else no more than it itself */
} sc_links;

/* Straight ways, past nothing of the part `in`, between pieces that matter. Free in any case; false
 * if memory ran out. */
bool sc_links_find(sc_windings *pieces, sc_solid *in,
                   bool (*matters)(const void *context, uint32_t root), const void *context,
                   sc_links *links);
void sc_links_free(sc_links *links);

#endif
