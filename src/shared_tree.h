/* shared_tree.h - the octree over all of a placed part, built once for many pairs.
 *
 * Trees are of floats in a frame that both parts of a pair share. Where the smaller part
 * lies in or near the larger one's box the frame is made from that box alone, whatever the
 * smaller one is: so all such pairs of a part have one frame, and its tree serves them all. */
#ifndef SC_SHARED_TREE_H
#define SC_SHARED_TREE_H

#include "octree.h"
#include "part.h"

/* The frame of a pair of parts that are not empty. *anchor: which of the two it was made
 * from, 0 or 1, or -1: from both. Depends on the parts alone, not on their order. */
sc_frame sc_frame_of_parts(const sc_part *a, const sc_part *b, int *anchor);

typedef struct sc_shared_tree sc_shared_tree;

/* Of a part that stays as it is, its mesh included. NULL if memory ran out. */
sc_shared_tree *sc_shared_tree_make(const sc_part *part);
void sc_shared_tree_free(sc_shared_tree *shared); /* may be NULL */

/* The tree in the frame that a pair has where this part is its anchor. Any number of threads
 * may ask: the first builds it, the others wait. It is not to be freed. */
stlclash_code sc_shared_tree_get(sc_shared_tree *shared, const sc_frame *frame, sc_octree **tree,
                                 stlclash_error *error);

#endif
