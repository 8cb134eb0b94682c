/* surround.h - whether a part that is not closed may hold a piece of the other one. Of the
 * solids only the part and the orientation is needed. */
#ifndef SC_SURROUND_H
#define SC_SURROUND_H

#include "base/poll.h"
#include "solids/solid.h"

typedef struct sc_surround_request {
    sc_solid *in, *of;    /* parts whose surfaces do not pass through each other */
    const uint64_t *hits; /* pairs of triangles that touch: what hangs together with them is */
    size_t hit_count;     /* not asked for */
    bool in_is_closed;    /* then one point of a piece tells of all of it */
    bool may_touch;       /* on the way: pieces are not asked for about the times when they do */
    sc_poll poll;
} sc_surround_request;

/* Whether the generalized winding number of `in` reaches 0.5 in magnitude somewhere on a connected
 * piece of `of`, on its facets as on their edges; pieces whose boxes do not meet that of `in` lie
 * outside. *held is set as well where to find out would take too long. False if memory ran out. */
bool sc_surround_find(const sc_surround_request *request, bool *held);

/* Whether it does so somewhere on the straight way of `of`, by `way` as geom/tri_sweep.h wants it,
 * if nothing passes through anything meanwhile, and it does not in the beginning and the end. As
 * above; of `in` the part alone is needed. */
bool sc_surround_on_way(const sc_surround_request *request, sc_vec3 way, bool *held);

#endif
