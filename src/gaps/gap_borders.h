/* gap_borders.h - what facets of one part share: vertices, edges, and what lies along edges of both
 * (gap_seams.h).
 *
 * Of those that have a vertex or edge in common each shares it with the one before and the one
 * after it: what all of them are near to joins them all. */
#ifndef SC_GAP_BORDERS_H
#define SC_GAP_BORDERS_H

#include "gap_seams.h"

/* Of facet index[k] of leaf[k]. */
typedef struct sc_gap_border {
    uint32_t leaf[2]; /* the first number is not the lower one */
    uint32_t end[2];  /* numbers of points, of a vertex twice the same; of a seam SC_GAP_SEAM and
                         its number */
    uint8_t index[2];
} sc_gap_border;

#define SC_GAP_SEAM UINT32_MAX

/* What of a leaf hangs together: bits of its facets. */
typedef struct sc_gap_pieces {
    uint8_t piece[8]; /* [count] */
    uint8_t count;
} sc_gap_pieces;

/* Where borders of a leaf with another one begin: they run to the next of these. */
typedef struct sc_gap_neighbour {
    uint32_t leaf, first;
} sc_gap_neighbour;

typedef struct sc_gap_borders {
    sc_gap_border *inside; /* [inside_count] of facets of one leaf, a leaf after the other */
    size_t inside_count, inside_capacity;
    uint32_t *from;        /* [leaves + 1] where those of each leaf begin */
    sc_gap_pieces *pieces; /* [leaves] what they hold together */

    sc_gap_border *between; /* [between_count] of facets of two leaves, two after two */
    size_t between_count, between_capacity;
    sc_gap_neighbour *neighbours; /* of each leaf those of lower numbers; and one for the end */
    uint32_t *from_neighbour;     /* [leaves + 1] where they begin */

    sc_gap_seams seams;
} sc_gap_borders;

/* What lies no farther apart than `within` may be a seam. False if memory or time ran out; free in
 * any case. */
bool sc_gap_borders_make(const sc_gap_facets *facets, double within, sc_watch *watch,
                         sc_gap_borders *borders);
void sc_gap_borders_free(sc_gap_borders *borders);

/* The ends of one; false: it is a vertex. */
bool sc_gap_border_ends(const sc_gap_facets *facets, const sc_gap_borders *borders,
                        const sc_gap_border *border, sc_vec3 end[2]);

#endif
