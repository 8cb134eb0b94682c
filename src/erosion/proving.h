/* proving.h - what is to be proven of two parts by erosion (erosion_proof.h), and what is told
 * beside it. */
#ifndef SC_PROVING_H
#define SC_PROVING_H

#include "base/parallel.h"
#include "base/poll.h"
#include "erosion.h"
#include "solids/surface.h"

/* Facets that meet once one part is eroded: number k of that, in order, and of the other one. */
typedef struct sc_eroded_pairs {
    uint32_t (*facet)[2]; /* [count] */
    size_t count, most;
    bool complete;         /* there are no others */
    const bool *displaced; /* [fans] since these were listed, all of them; NULL: they were not */
} sc_eroded_pairs;

static inline void sc_eroded_pairs_add(sc_eroded_pairs *pairs, uint32_t own, uint32_t other)
{
    if (pairs->count < pairs->most) {
        uint32_t *facet = pairs->facet[pairs->count++];
        facet[0] = own;
        facet[1] = other;
    }
}

/* How vertices of an eroded part go: as facets face, which leads those next to each other the same
 * way, also beside edges; or each the shortest way, which shows more of ridges that fit into
 * grooves. */
typedef enum sc_manner { SC_AS_FACING, SC_SHORTEST } sc_manner;

/* What is left that may lie deeper than the limit. Zeroed, but for the place: nothing is told. */
typedef struct sc_erosion_rest {
    sc_vec3 place;       /* of a part, where it lies deep in the other one, or NaN; */
    double depth;        /* how deep */
    sc_box *box;         /* [boxes] that hold all there is (eroded_rest.h), if there are any; */
    size_t boxes, pairs; /* of so many pairs of facets that still meet, */
    uint32_t triangles;  /* and so many triangles that are left in all */
} sc_erosion_rest;

/* A region of what the parts have in common at rest, to lie no deeper than its own limit. */
typedef struct sc_erosion_region {
    uint32_t number; /* of the overlap's */
    sc_box bounds;
    double limit; /* positive; the greatest of all is that of the proof */
    bool open;    /* it is not shown so far; then */
    sc_box *left; /* [boxes] all that may lie deeper is in these, to be freed; NULL: anywhere */
    size_t boxes;
    sc_vec3 place; /* in the bounds, of a part, where it lies deep in the other one, or NaN; */
    double depth;  /* how deep, if that is more than was given */
} sc_erosion_region;

typedef struct sc_erosion_regions {
    sc_erosion_region *region; /* [count] in the order of their numbers */
    size_t count;
    const struct sc_regions *of; /* which facets bound them; NULL: not known */
} sc_erosion_regions;

typedef struct sc_erosion_proof {
    sc_solid *solid[2]; /* closed; as they stand, or where the way begins */
    sc_vec3 way;        /* of the second one, as seen from the first; zero at rest */
    double limit;       /* positive */
    sc_watch *watch;
    sc_poll poll;
    sc_crew *crew; /* for looks at rest, and searches of what is left */

    /* *clear: the surfaces have no point in common all the way, part i being eroded so; lists pairs
     * that meet unless `met` is NULL. False if memory ran out. NULL at rest. */
    bool (*clear)(void *context, int i, const sc_erosion *eroded, sc_eroded_pairs *met,
                  bool *clear);
    void *context;

    sc_erosion_rest *rest;       /* of sc_erosion_bounds, its boxes to be freed; NULL: not told */
    sc_erosion_regions *regions; /* of sc_erosion_settles; else NULL */
} sc_erosion_proof;

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
    return sc_surface_of(proof->solid[i], proof->solid[1 - i]->part);
}

#endif
