/* health_once.h - the health of a mesh, judged once however many pairs ask for it. */
#ifndef SC_HEALTH_ONCE_H
#define SC_HEALTH_ONCE_H

#include "base/parallel.h"
#include "health.h"

typedef struct sc_health_once sc_health_once;

/* NULL if memory ran out. */
sc_health_once *sc_health_once_make(void);
void sc_health_once_free(sc_health_once *once); /* may be NULL */

/* As sc_health_judge; *health lives as long as the mesh. Any number of threads may ask:
 * one judges, the others wait. */
stlclash_code sc_health_get(const stlclash_mesh *mesh, bool full, const sc_health **health,
                            stlclash_error *error);

/* Whether the mesh is closed by the sum of its boundary, sc_boundary_vanishes; one that is
 * not may still be closed, with T-junctions. Looked at once, too. */
bool sc_health_is_balanced(const stlclash_mesh *mesh);
bool sc_health_both_balanced(const stlclash_mesh *const mesh[2], sc_crew *crew);

#endif
