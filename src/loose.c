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
    sc_free(loose->facets);
    *loose = (sc_loose){.most = 0};
}

/* At once for all that there may be: what is not used is not touched. */
static bool make_room(sc_loose *loose)
{
    if (!loose->blocks && !loose->failed) {
        loose->blocks = sc_alloc(loose->most, sizeof *loose->blocks);
        loose->facets = sc_alloc(loose->most * SC_BLOCK, sizeof *loose->facets);
        loose->failed = !loose->blocks || !loose->facets;
    }
    return !loose->failed;
}

void sc_loose_add(sc_loose *loose, size_t block, const sc_loose_facet *facet, uint32_t count)
{
    if (!make_room(loose)) {
        return;
    }
    memcpy(loose->facets + loose->facet_count, facet, count * sizeof *facet);
    loose->facet_count += count;
    loose->blocks[loose->block_count++] =
        (sc_loose_block){(uint32_t)block, (uint32_t)loose->facet_count};
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
    uint32_t first = at > 0 ? loose->blocks[at - 1].end : 0, count = 0;
    for (uint32_t i = first; i < loose->blocks[at].end; i++) {
        const sc_loose_facet *f = &loose->facets[i];
        facet[count] = f->facet;
        /* without a branch: it is as good as chance */
        count += sc_four_rows_meet(marked, sc_span_rows(f->span)) | (f->span == SC_SPAN_NONE);
    }
    return count;
}
