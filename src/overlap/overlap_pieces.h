/* overlap_pieces.h - the connected pieces of an overlap's boundary, one or more of which
 * bound a region. */
#ifndef SC_OVERLAP_PIECES_H
#define SC_OVERLAP_PIECES_H

#include "crossings.h"

/* That of the vertices outside the other part: most of those in the table are, and what is kept of
 * each piece must not be kept of each of them. */
enum { SC_NO_PIECE = 0 };

/* Which piece a vertex inside the other part, a crossing or a patch belongs to. */
typedef struct sc_pieces {
    size_t *of; /* of the vertices of A, those of B, the crossings, the patches of A, those of
                   B: SC_NO_PIECE or 1 .. count - 1 */
    size_t count;
    bool multiplicity; /* along some edge a winding number is neither 0 nor 1 */
} sc_pieces;

static inline size_t sc_pieces_vertex(const sc_crossings *x, int part, uint32_t vertex)
{
    return part == 0 ? vertex : x->windings[0].vertices + vertex;
}

static inline size_t sc_pieces_crossing(const sc_crossings *x, size_t crossing)
{
    return x->windings[0].vertices + x->windings[1].vertices + crossing;
}

static inline size_t sc_pieces_patch(const sc_crossings *x, int part, size_t patch)
{
    size_t before = part == 0 ? 0 : x->windings[0].patch_count;
    return sc_pieces_crossing(x, x->crossing_count) + before + patch;
}

/* Takes patches apart where they are not known to be all of one piece (sc_windings_split).
 * False if memory ran out; free in any case. */
bool sc_pieces_find(sc_crossings *crossings, sc_crew *crew, sc_pieces *pieces);
void sc_pieces_free(sc_pieces *pieces);

#endif
