/* overlaid.h - which facets of a solid lie over each other in one plane. */
#ifndef SC_OVERLAID_H
#define SC_OVERLAID_H

#include "geom/vec3.h"

#include <stdbool.h>
#include <stdint.h>

/* Facets of one solid, about one of the other; and whether each may lie over another of them. */
typedef struct sc_overlaid {
    const sc_vec3 *within; /* [3] */
    sc_vec3 (*v)[3];       /* [count] */
    uint32_t count;
    bool *marked; /* [count], to be told: true also of others where they crowd */
} sc_overlaid;

/* In time that grows with their number, wherever they lie; false if memory ran out. */
bool sc_overlaid_mark(const sc_overlaid *facets);

#endif
