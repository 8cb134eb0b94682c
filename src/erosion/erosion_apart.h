/* erosion_apart.h - whether two parts have nothing in common once one of them is eroded. */
#ifndef SC_EROSION_APART_H
#define SC_EROSION_APART_H

#include "erosion_proof.h"
#include "solids/surface.h"

/* How often a look at facets asks whether to go on. */
enum { SC_ERODED_A_POLL = 256 };

/* Part i eroded; lists pairs that meet unless `met` is NULL. False if memory ran out. */
bool sc_erosion_is_apart(const sc_erosion_proof *proof, int i, const sc_erosion *eroded,
                         sc_eroded_pairs *met, bool *apart);

/* Of both parts, as they stand. */
static inline double sc_erosion_reach(const sc_erosion_proof *proof)
{
    return sc_parts_reach(proof->solid[0]->part, proof->solid[1]->part);
}

/* Nothing that is displaced comes into part i unless it was in there. */
static inline sc_box sc_erosion_box(const sc_erosion_proof *proof, int i)
{
    return sc_box_grown(&proof->solid[i]->part->used_bounds, proof->limit);
}

static inline sc_surface sc_erosion_surface(const sc_erosion_proof *proof, int i)
{
    return (sc_surface){.solid = proof->solid[i],
                        .margin = sc_erosion_reach(proof) * SC_SURFACE_MARGIN};
}

#endif
