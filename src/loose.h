/* loose.h - facets of blocks that say nothing of where their facets are, since what follows each
 * other in the file lies far apart: one by one, with the cells that each lies in.
 *
 * They are listed while a part is marked in a grid, when all of them are looked at anyway, so that
 * whether the other part comes near is asked of a few bits, and not of the facets again. */
#ifndef SC_LOOSE_H
#define SC_LOOSE_H

#include "blocks.h"
#include "cell_rows.h"

_Static_assert(SC_BLOCK <= 16, "the facets of a block are bits of 16");

typedef struct sc_loose_block {
    uint32_t block, end; /* of its spans, which begin where those of the one before end */
    uint16_t listed;     /* bit i: its facet i has one */
} sc_loose_block;

/* In the order of the file. */
typedef struct sc_loose {
    size_t most; /* blocks that there may be */
    sc_loose_block *blocks;
    sc_cell_span *spans; /* where each facet is; or SC_SPAN_NONE */
    size_t block_count, span_count;
    bool failed; /* memory ran out: not all are listed */
} sc_loose;

/* None as yet, of a part of so many blocks; freed by sc_loose_free. */
void sc_loose_init(sc_loose *loose, size_t blocks);
void sc_loose_free(sc_loose *loose);

/* Lists a block: bit i of `listed` stands for its facet i, which has a span; these in order. */
void sc_loose_add(sc_loose *loose, size_t block, uint16_t listed, const sc_cell_span *spans);

/* Whether a block is listed; *at is its place then. Asked in ascending order, from *at = 0 on. */
bool sc_loose_find(const sc_loose *loose, size_t block, size_t *at);

/* The facets of the block at a place that may meet a marked cell; returns how many. */
uint32_t sc_loose_meeting(const sc_loose *loose, size_t at, const sc_cell_rows marked,
                          uint32_t facet[SC_BLOCK]);

#endif
