/* loose.h - facets of blocks that say nothing of where their facets are, since what follows each
 * other in the file lies far apart: one by one, with the cells that each lies in.
 *
 * They are listed while a part is marked in a grid, when all of them are looked at anyway, so that
 * whether the other part comes near is asked of a few bits, and not of the facets again. */
#ifndef SC_LOOSE_H
#define SC_LOOSE_H

#include "blocks.h"
#include "cell_rows.h"

typedef struct sc_loose_facet {
    uint32_t facet;
    sc_cell_span span; /* where it is; or SC_SPAN_NONE */
} sc_loose_facet;

typedef struct sc_loose_block {
    uint32_t block, end; /* of its facets, which begin where those of the one before end */
} sc_loose_block;

/* In the order of the file. */
typedef struct sc_loose {
    size_t most; /* blocks that there may be */
    sc_loose_block *blocks;
    sc_loose_facet *facets;
    size_t block_count, facet_count;
    bool failed; /* memory ran out: not all are listed */
} sc_loose;

/* None as yet, of a part of so many blocks; freed by sc_loose_free. */
void sc_loose_init(sc_loose *loose, size_t blocks);
void sc_loose_free(sc_loose *loose);

/* Lists a block with so many facets, SC_BLOCK at most. */
void sc_loose_add(sc_loose *loose, size_t block, const sc_loose_facet *facet, uint32_t count);

/* Whether a block is listed; *at is its place then. Asked in ascending order, from *at = 0 on. */
bool sc_loose_find(const sc_loose *loose, size_t block, size_t *at);

/* The facets of the block at a place that may meet a marked cell; returns how many. */
uint32_t sc_loose_meeting(const sc_loose *loose, size_t at, const sc_cell_rows marked,
                          uint32_t facet[SC_BLOCK]);

#endif
