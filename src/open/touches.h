/* touches.h - when facets on a straight way touch a part that rests. */
#ifndef SC_TOUCHES_H
#define SC_TOUCHES_H

#include "part.h"

/* Two facets, one of which moves straight, touch from one time to another, and at no other time:
 * they are convex. Within 0 .. 1. */
typedef struct sc_touch {
    double first, last;
} sc_touch;

/* Zeroed: none. */
typedef struct sc_touches {
    sc_touch *time; /* [count] */
    size_t count, capacity;
} sc_touches;

/* Those of a facet, by `way` as geom/tri_sweep.h wants it, with all of the part. False if memory
 * ran out. */
bool sc_touches_add(sc_touches *touches, const sc_part *part, const sc_vec3 v[3], sc_vec3 way);

/* By when they begin. */
void sc_touches_sort(sc_touches *touches);
void sc_touches_free(sc_touches *touches);

#endif
