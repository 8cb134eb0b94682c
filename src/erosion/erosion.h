/* erosion.h - a closed part as it is with its facets gone back by little.
 *
 * Each vertex is displaced to where the planes of all facets about it have gone back by one length,
 * if there is such a place: where the part touches itself, once for each fan of facets that hang
 * together by edges. Facets are divided at T-junctions before (seams.h), so the surface stays
 * closed; and no point of it is displaced by more than its vertices are. */
#ifndef SC_EROSION_H
#define SC_EROSION_H

#include "base/watch.h"
#include "part.h"
#include "seams.h"

typedef struct sc_erosion {
    const sc_part *part;
    const int8_t *orientation; /* [facets] 1, or -1 where one is to be read the other way round; or
                                  NULL */
    const bool *near;          /* [facets] which may meet the other part, displaced; NULL: all */

    sc_seams seams;
    uint32_t pieces; /* of facets: these, or what they are divided into */
    uint32_t *fan;   /* [3 * pieces] of each corner */
    uint32_t fans;
    sc_vec3 *place; /* [fans] where each is */
    sc_vec3 *way;   /* [fans] where each goes if planes go back by 1 */

    double by, most; /* by how much planes have gone back, and how far vertices may have at most; */
    double *share;   /* [fans] or only by this part of that; NULL: all by as much */
    sc_vec3 *gone;   /* [fans] where each has gone then */
    double least_size; /* of a coordinate that is not 0, for the sake of exact signs */
} sc_erosion;

/* Whether so little, beside the largest coordinate, leaves room for rounding. */
static inline bool sc_erosion_has_room(double limit, double reach)
{
    return limit > 0x1p-30 * reach;
}

/* Of a part as `used` places it, and not displaced so far. `near`: which of the facets may meet the
 * other part once they are displaced, so only these are to go back; kept, not copied. *possible:
 * the facets match, and time was left. False if memory ran out; free in any case. */
bool sc_erosion_make(const sc_part *part, const int8_t *orientation, const bool *near,
                     sc_watch *watch, sc_erosion *erosion, bool *possible);
void sc_erosion_free(sc_erosion *erosion);

/* way[fans]: where each goes if only planes go back, by 1, that do not face along a direction, nor
 * against it: of what is a prism along it, across it. False if memory or time ran out. */
bool sc_erosion_ways_across(const sc_erosion *erosion, sc_vec3 along, sc_watch *watch,
                            sc_vec3 *way);

/* Displaces all vertices along their ways, from where they are: planes by so much, but none of them
 * farther than `most`. */
void sc_erosion_go(sc_erosion *erosion, double by, double most);

/* What part of that a fan may go, and how far. */
static inline double sc_erosion_share(const sc_erosion *erosion, uint32_t fan)
{
    return erosion->share ? erosion->share[fan] : 1.0;
}

static inline double sc_erosion_most(const sc_erosion *erosion, uint32_t fan)
{
    return sc_erosion_share(erosion, fan) * erosion->most;
}

/* The facet that a piece is of. */
uint32_t sc_erosion_facet(const sc_erosion *erosion, uint32_t piece);

/* 1, or -1 where it is to be read the other way round. */
int sc_erosion_sign(const sc_erosion *erosion, uint32_t piece);

/* The pieces of a facet: numbers from *first on; returns how many. */
uint32_t sc_erosion_pieces(const sc_erosion *erosion, uint32_t facet, uint32_t *first);

/* The vertices of a piece, displaced. */
static inline void sc_erosion_vertices(const sc_erosion *erosion, uint32_t piece, sc_vec3 v[3])
{
    for (size_t k = 0; k < 3; k++) {
        v[k] = erosion->gone[erosion->fan[3 * (size_t)piece + k]];
    }
}

#endif
