/* loose.c - see loose.h. */
#include "loose.h"

#include "base/alloc.h"

#include <string.h>

void sc_loose_init(sc_loose *loose, size_t blocks)
{
    *loose = (sc_loose){.most = blocks};
}

void sc_loose_free(sc_loose *loose)
{
    sc_free(loose->blocks);
    sc_free(loose->spans);
    *loose = (sc_loose){.most = 0};
}

/* At once for all that there may be: what is not used is not touched. */
static bool make_room(sc_loose *loose)
{
    if (!loose->blocks && !loose->failed) {
        loose->blocks = sc_alloc(loose->most, sizeof *loose->blocks);
        loose->spans = sc_alloc(loose->most * SC_BLOCK, sizeof *loose->spans);
        loose->failed = !loose->blocks || !loose->spans;
    }
    return !loose->failed;
}

void sc_loose_add(sc_loose *loose, size_t block, uint16_t listed, const sc_cell_span *spans)
{
    const size_t count = (size_t)__builtin_popcount(listed);
    if (!make_room(loose)) {
        return;
    }
    memcpy(loose->spans + loose->span_count, spans, count * sizeof *spans);
    loose->span_count += count;
    loose->blocks[loose->block_count++] =
        (sc_loose_block){(uint32_t)block, (uint32_t)loose->span_count, listed};
}

bool sc_loose_find(const sc_loose *loose, size_t block, size_t *at)
{
    while (*at < loose->block_count && loose->blocks[*at].block < block) {
        (*at)++;
    }
    return *at < loose->block_count && loose->blocks[*at].block == block;
}

uint32_t sc_loose_meeting(const sc_loose *loose, size_t at, const sc_cell_rows marked,
                          uint32_t facet[SC_BLOCK])
{
    const sc_loose_block *block = &loose->blocks[at];
    const sc_cell_span *span = loose->spans + (at > 0 ? loose->blocks[at - 1].end : 0);
    uint32_t count = 0;
    for (unsigned left = block->listed; left != 0; left &= left - 1, span++) {
        facet[count] = block->block * SC_BLOCK + (uint32_t)__builtin_ctz(left);
        /* without a branch: it is as good as chance */
        count += sc_four_rows_meet(marked, sc_span_rows(*span)) | (*span == SC_SPAN_NONE);
    }
    return count;
}
