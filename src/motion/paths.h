/* paths.h - two parts, of which one moves with each vertex straight to its place in another
 * mesh: the first pair of triangles that may meet on the way. */
#ifndef SC_PATHS_H
#define SC_PATHS_H

#include "base/poll.h"
#include "geom/tri_paths.h"
#include "part.h"

typedef struct sc_paths {
    const sc_part *rests, *moves;
    const stlclash_mesh *end; /* of the part that moves: as many facets; placed as it is */
    double tolerance;         /* > 0 */
    sc_poll poll;

    /* Found: a is the part that rests. */
    sc_path_meeting first;
    uint32_t triangle[2]; /* resting, moving */
    bool stopped;         /* by poll */
} sc_paths;

/* Fills what is found; fails where memory ran out. */
stlclash_code sc_paths_meet(sc_paths *paths, stlclash_error *error);

#endif
