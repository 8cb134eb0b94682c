/* gap_patches.h - facets of one leaf that hang together by vertices: where leaves are near each
 * other with all of their points, so are those of their patches, and they count as one facet does.
 */
#ifndef SC_GAP_PATCHES_H
#define SC_GAP_PATCHES_H

#include "base/groups.h"
#include "gap_facets.h"

typedef struct sc_gap_patches {
    uint32_t count;
    uint32_t *of;          /* [facets] of each facet; of one whose leaf does not matter its own */
    sc_groups facets;      /* of each patch */
    sc_gap_sphere *sphere; /* [count] around each */
    uint32_t *from_rim;    /* [count + 1] its vertices that others share: rim[from_rim[i]] .. */
    uint32_t *rim;         /* [from_rim[count]] */
    uint32_t *from_leaf;   /* [facets + 1] those of the leaf that the facet at place i stands for:
                              from_leaf[i] .. from_leaf[i + 1] - 1 */
} sc_gap_patches;

/* Of facets with the leaves of their part. False if memory or time ran out; free in any case. */
bool sc_gap_patches_make(const sc_gap_facets *facets, const sc_gap_leaf *leaf, sc_watch *watch,
                         sc_gap_patches *patches);
void sc_gap_patches_free(sc_gap_patches *patches);

/* Those of pairs of leaves, by the places of the facets that stand for them: *blocks, in order,
 * unless there are more than `most`, *complete. The caller frees them. False if memory or time ran
 * out. */
bool sc_gap_blocks_make(const sc_gap_patches patches[2], const sc_pair_list *leaves, size_t most,
                        sc_watch *watch, sc_pair_list *blocks, bool *complete);

#endif
