/* tiles.h - triangles all over which a winding number is asked for: facets, or what edges sweep
 * out. */
#ifndef SC_TILES_H
#define SC_TILES_H

#include "base/poll.h"
#include "geom/vec3.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct sc_tiles {
    size_t count;
    bool (*tile)(void *context, size_t i, sc_vec3 v[3]); /* false: not all over this */
    void *context;
    sc_poll poll;
} sc_tiles;

/* Halves of a triangle, at the middle of its longest edge; false where that is one of its ends. */
static inline bool sc_tile_halve(const sc_vec3 v[3], sc_vec3 half[2][3])
{
    double length[3];
    int k = 0;

    for (int i = 0; i < 3; i++) {
        length[i] = sc_length(sc_sub(v[(i + 1) % 3], v[i]));
        k = length[i] > length[k] ? i : k;
    }
    const sc_vec3 a = v[k], b = v[(k + 1) % 3], c = v[(k + 2) % 3];
    const sc_vec3 middle = sc_scale(sc_add(a, b), 0.5);
    const sc_vec3 halves[2][3] = {{a, middle, sc_same(c, b) ? middle : c},
                                  {middle, b, sc_same(c, a) ? middle : c}}; /* segments remain so */
    for (int i = 0; i < 6; i++) {
        half[i / 3][i % 3] = halves[i / 3][i % 3];
    }
    return !sc_same(middle, a) && !sc_same(middle, b);
}

#endif
