/* cracks.h - cracks in the border of a part that is not closed: loops as narrow as rounding,
 * along edges that other vertices lie on, which T-junctions leave. */
#ifndef SC_CRACKS_H
#define SC_CRACKS_H

#include "fillings.h"
#include "rim.h"
#include "tiles.h"

typedef struct sc_cracks {
    sc_rim_edge *edges; /* [edge_count] of the border, each once */
    uint32_t *crack;    /* [edge_count] of which it is, or UINT32_MAX */
    size_t edge_count;
    uint32_t count;
    sc_fillings fillings; /* of all of them */
} sc_cracks;

/* False if memory ran out; free in any case. */
bool sc_cracks_find(const sc_rim *rim, sc_cracks *cracks);
void sc_cracks_free(sc_cracks *cracks);

/* The border without cracks, but those that are open (NULL: none are); its slack is what the
 * others may amount to where it is asked. False if memory ran out. */
bool sc_cracks_rest(const sc_cracks *cracks, const bool *open, sc_rim *rest);

/* Takes those cracks out of the border that matter nowhere on the tiles; whoever is polled and
 * gives up lets all stay. False if memory ran out. */
bool sc_cracks_close(const sc_tiles *tiles, sc_rim *rim);

#endif
