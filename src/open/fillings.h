/* fillings.h - what surfaces that fill cracks can amount to of the winding number: about the points
 * of a triangle, and far from summing up all of them. */
#ifndef SC_FILLINGS_H
#define SC_FILLINGS_H

#include "geom/vec3.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An edge beside the longest one of its crack, to the line of which part of the filling runs: no
 * point of that is farther than `off` from the point of the edge beside it. */
typedef struct sc_crack_side {
    sc_vec3 from, to;
    double length, off;
    uint32_t crack;
} sc_crack_side;

typedef struct sc_filling_node sc_filling_node;

typedef struct sc_fillings {
    sc_crack_side *sides;   /* [count] those that lie close together side by side */
    sc_filling_node *nodes; /* over them */
    size_t count, node_count;
    double reach;
} sc_fillings;

/* Takes over the sides; false if memory ran out. Free in any case. */
bool sc_fillings_make(sc_crack_side *sides, size_t count, sc_fillings *fillings);
void sc_fillings_free(sc_fillings *fillings);

/* Of fillings, those of cracks that are not left open. */
typedef struct sc_filling_search {
    const sc_fillings *fillings;
    const bool *open; /* [cracks] or NULL */
    double most;      /* of the winding number */
    uint64_t looks;   /* at nodes that are left */
    sc_vec3 at;       /* where more was found */
} sc_filling_search;

/* Whether they amount to no more than `most` all over the triangle, or segment, which then passes
 * none of them and does not pass the edges of the cracks; false, too, where the looks do not do. */
bool sc_fillings_stay_small(sc_filling_search *s, const sc_vec3 v[3]);

/* Sets open[] of all cracks that may amount to a good part of `most` about s->at; false if none
 * does. */
bool sc_fillings_open_near(const sc_filling_search *s, bool *open);

#endif
