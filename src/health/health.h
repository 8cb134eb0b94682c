/* health.h - whether a mesh bounds a solid, and what is wrong with it.
 *
 * Judged on the stored coordinates; rigid placement changes nothing of it (vertices
 * are rounded once, the same for equal ones). */
#ifndef SC_HEALTH_H
#define SC_HEALTH_H

#include "mesh.h"

enum { SC_MAX_HEALTH_WARNINGS = 10 };

/* Its warnings point into it: not to be copied. */
typedef struct sc_health {
    bool closed;          /* its boundary vanishes, it is oriented consistently, and it could be
                             told which shells are inside out */
    bool one_shell;       /* every facet has area, and they hang together by their edges */
    bool simple_windings; /* no shell was found to make the winding number negative */
    double volume;        /* signed volume with `orientation` applied; closed parts only */

    /* [facets] 1 or -1, or NULL if no facet needs to be read the other way round. */
    int8_t *orientation;

    bool full;           /* judged as a whole: what follows is complete */
    uint64_t components; /* pieces joined by vertices; of the whole judgement only */

    stlclash_warning warnings[SC_MAX_HEALTH_WARNINGS];
    char texts[SC_MAX_HEALTH_WARNINGS][SC_WARNING_TEXT];
    size_t warning_count;
} sc_health;

/* With full = false only what a verdict needs: closed, orientation, volume. A sound mesh
 * takes one look at each facet and a search for shells that remembers 20 bytes of it. */
stlclash_code sc_health_judge(const stlclash_mesh *mesh, bool full, sc_health *health,
                              stlclash_error *error);
void sc_health_free(sc_health *health);

#endif
