/* health_lines.h - edges that do not balance, summed along their lines.
 *
 *     a-------b-------c      An edge a-c of one facet against a-b and b-c of others, a
 *                            T-junction at b, is no gap: nothing is left on the line.
 *
 * Exact: two edges are on one line only if they are collinear, and along the line they
 * are ordered by a coordinate as stored. */
#ifndef SC_HEALTH_LINES_H
#define SC_HEALTH_LINES_H

#include "health_edges.h"

typedef struct sc_line_member {
    uint32_t edge;
    int way; /* 1 or -1: whether it runs, from low to high, along the line or against it */
} sc_line_member;

typedef struct sc_line_piece {
    size_t first;
    bool whole;
} sc_line_piece;

typedef struct sc_lines {
    /* Edges of which a part does not balance. open: an odd number of facets meets
     * there. mixed: an even one, of which some are the wrong way round. */
    sc_count open, mixed;
    sc_count joined; /* edges that only others along their line balance */

    /* Of closed meshes: the pieces into which the ends of edges cut their lines, each
     * with the edges that cover it. `whole` ones stand for all of a line, where cutting
     * it up would cost too much. */
    sc_line_member *member; /* of piece i: member[piece[i].first] .. [piece[i + 1].first - 1] */
    sc_line_piece *piece;   /* [pieces + 1] */
    size_t pieces, members, capacity[2];
} sc_lines;

/* False if memory ran out. */
bool sc_lines_find(const sc_edges *edges, sc_lines *lines);
void sc_lines_free(sc_lines *lines);

#endif
