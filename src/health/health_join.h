/* health_join.h - some facets of a mesh, joined where they share an edge: pieces of its
 * shells, without a look at the rest. */
#ifndef SC_HEALTH_JOIN_H
#define SC_HEALTH_JOIN_H

#include "health_edges.h"
#include "mesh.h"

typedef enum sc_join_code {
    SC_JOINED,
    SC_JOIN_TWISTED, /* an edge has more than two of them, or two the same way round */
    SC_JOIN_MEMORY
} sc_join_code;

/* The facets number chosen[0 .. count - 1], each once, fewer than 2^31. root[i] becomes the
 * least index j such that chosen[j] and chosen[i] hang together; SC_NO_INDEX for facets
 * without area. `border`: edges at most that one of them alone has, or they may be told to be
 * twisted. */
sc_join_code sc_health_join(const stlclash_mesh *mesh, const uint32_t *chosen, uint32_t count,
                            uint64_t border, uint32_t *root);

#endif
