/* cells.h - a grid of cells over a box: in which of them a part lies.
 *
 * The cell of a coordinate grows with the coordinate, rounding included, and what lies
 * beyond the grid counts for the cell at its border. So two boxes that have a point in
 * common have a cell in common, whatever box the grid is over. */
#ifndef SC_CELLS_H
#define SC_CELLS_H

#include "cell_rows.h"
#include "frame.h"
#include "loose.h"
#include "part.h"

/* All boxes are in the frame of a check. */
typedef struct sc_cells {
    sc_fbox box;
    float per_length[4]; /* three, each 0 where the box has no extent */
    float last[4];       /* the last cell along each axis */
    int32_t flat[4];     /* the same where the box has no extent, else 0: all layers are one */
    float slack;         /* by which a box is grown before it is looked for */
    int count;           /* cells along each axis */
    sc_cell_rows row;
} sc_cells;

/* A grid of count^3 over a box that is not empty, with no cell marked. */
void sc_cells_make(const sc_fbox *box, int count, sc_cells *cells);

/* How many cells along an axis go with so many facets that are to be marked: no more than
 * tell them apart. */
int sc_cells_count(uint64_t facets);

/* Marks every cell that a facet of the part has something in common with; others too: it goes by
 * boxes of blocks and facets, and marks all where that would take long. */
void sc_cells_mark(sc_cells *cells, const sc_frame *frame, const sc_part *part);

/* Marks so that every box within `by` (in the frame) of a facet of the part meets a marked cell, if
 * the box of the grid holds what lies half way: facets are grown by half of it, as boxes are that
 * are looked for. Blocks that say nothing of where their facets are go to `loose`. */
void sc_cells_mark_within(sc_cells *cells, const sc_frame *frame, const sc_part *part, double by,
                          sc_loose *loose);

/* What of a part can matter to another one. */
typedef struct sc_vicinity {
    sc_cells cells; /* those that the other one comes near */
    sc_loose loose; /* facets of the part, in those cells */
} sc_vicinity;

/* Whether a marked cell has something in common with the box; whether all that do are
 * marked. */
bool sc_cells_meet(const sc_cells *cells, const sc_fbox *box);
bool sc_cells_hold(const sc_cells *cells, const sc_fbox *box);

#endif
