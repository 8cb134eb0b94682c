/* flood.h - which cells of a grid can be reached around those that a part lies in. */
#ifndef SC_FLOOD_H
#define SC_FLOOD_H

#include "cells.h"

/* Marks in `reached` the cells from which a way leads through cells that are not walls to
 * an open side of the grid: open[k][0] is its low side along axis k, open[k][1] the high
 * one. May miss some at the end of winding ways. */
void sc_cells_flood(const sc_cells *walls, bool open[3][2], sc_cells *reached);

#endif
