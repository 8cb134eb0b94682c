/* cells.h - a grid of cells over a box: in which of them a part lies, and which can be
 * reached around it.
 *
 * The cell of a coordinate grows with the coordinate, rounding included, and what lies
 * beyond the grid counts for the cell at its border. So two boxes that have a point in
 * common have a cell in common, whatever box the grid is over. */
#ifndef SC_CELLS_H
#define SC_CELLS_H

#include "frame.h"
#include "part.h"

enum { SC_CELLS = 64 }; /* along each axis at most; those along x are the bits of a word */

/* All boxes are in the frame of a check. */
typedef struct sc_cells {
    sc_fbox box;
    float per_length[4];              /* three */
    int count;                        /* cells along each axis */
    uint64_t row[SC_CELLS][SC_CELLS]; /* [z][y] */
} sc_cells;

/* A grid of count^3 over a box that is not empty, with no cell marked. */
void sc_cells_make(const sc_fbox *box, int count, sc_cells *cells);

/* How many cells along an axis go with so many facets that are to be marked: no more than
 * tell them apart. */
int sc_cells_count(uint64_t facets);

/* Marks every cell within `by` (in the frame) of a facet of the part; others too: it goes
 * by boxes of blocks and facets, and marks all where that would take long. */
void sc_cells_mark(sc_cells *cells, const sc_frame *frame, const sc_part *part, double by);

/* Whether a marked cell has something in common with the box; whether all that do are
 * marked. */
bool sc_cells_meet(const sc_cells *cells, const sc_fbox *box);
bool sc_cells_hold(const sc_cells *cells, const sc_fbox *box);

/* Marks in `reached` the cells from which a way leads through cells that are not walls to
 * an open side of the grid: open[k][0] is its low side along axis k, open[k][1] the high
 * one. May miss some at the end of winding ways. */
void sc_cells_flood(const sc_cells *walls, bool open[3][2], sc_cells *reached);

#endif
