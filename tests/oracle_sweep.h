/* oracle_sweep.h - the truth about a triangle that moves straight, in rationals of GMP.
 *
 * The times at which the triangles meet are those at which t d lies in the hull of the nine
 * differences a - b: the part of a line in a polytope. Its ends are found among all triples,
 * pairs and single points of the nine. Not for threads. */
#ifndef ORACLE_SWEEP_H
#define ORACLE_SWEEP_H

#include "geom/vec3.h"

#include <gmp.h>
#include <stdbool.h>

typedef struct oracle_sweep {
    bool ever;         /* they meet at some time, in 0..1 or not; else the times mean nothing */
    mpq_t first, last; /* unlimited by 0..1 */
} oracle_sweep;

void oracle_sweep_init(oracle_sweep *sweep);
void oracle_sweep_clear(oracle_sweep *sweep);

void oracle_sweep_find(oracle_sweep *sweep, const sc_vec3 a[3], const sc_vec3 b[3], sc_vec3 d);

/* Whether triangle `rests` has a point in the open prism that `moves` sweeps out along d: it
 * is clipped by the prism's five planes, and the middle of what is left looked at. False
 * where the prism has no volume. */
bool oracle_sweep_enters(const sc_vec3 moves[3], const sc_vec3 rests[3], sc_vec3 d);

#endif
