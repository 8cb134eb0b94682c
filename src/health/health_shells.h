/* health_shells.h - a closed mesh as closed shells, as small ones as can be told.
 *
 * Facets that share an edge with nobody else belong to one shell. Where more than two
 * meet, as at the common edge of two touching bodies, they are joined only as far as
 * each shell needs to be closed by itself: bodies that touch at edges or corners stay
 * shells of their own, unless T-junctions along the common edge leave a choice; and so do bodies
 * with a whole face in common the same way round, as where one of them is inside out. */
#ifndef SC_HEALTH_SHELLS_H
#define SC_HEALTH_SHELLS_H

#include "health_lines.h"
#include "health_scan.h"

typedef struct sc_health_shell {
    uint32_t first; /* its lowest facet */
    uint32_t facets;
    double volume; /* signed, as stored */
    int sign;      /* of the volume, exact */
    sc_box box;
    int flip; /* -1 where it is to be read the other way round, else 1 */
} sc_health_shell;

typedef struct sc_health_shells {
    uint32_t *of; /* [facets] its shell; SC_NO_INDEX for facets without area */
    sc_health_shell *shell;
    uint32_t count;
} sc_health_shells;

typedef enum sc_shells_code {
    SC_SHELLS_ONE, /* one shell: *shells stays empty */
    SC_SHELLS_FOUND,
    SC_SHELLS_TWISTED, /* edges with more than two facets: the edges must be known */
    SC_SHELLS_MEMORY
} sc_shells_code;

/* For meshes whose scan sums to zero and matched edges; takes the sets of the matcher. */
sc_shells_code sc_shells_scan(const sc_facets *facets, sc_scan *scan, sc_health_shells *shells);

/* For every closed mesh; false if memory ran out. */
bool sc_shells_find(const sc_facets *facets, const sc_edges *edges, const sc_lines *lines,
                    sc_health_shells *shells);

void sc_shells_free(sc_health_shells *shells);

#endif
