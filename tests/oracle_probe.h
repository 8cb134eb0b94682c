/* oracle_probe.h - the truth about a segment and triangles, in rationals of GMP.
 *
 * Points are solved for and put into barycentric coordinates, which no kernel does.
 * Degenerate triangles count as the segment or point that they are. Not for threads. */
#ifndef ORACLE_PROBE_H
#define ORACLE_PROBE_H

#include "geom/vec3.h"

#include <gmp.h>
#include <stdbool.h>

/* The parameters t0 <= t1 of the segment pq between which it lies in the triangle; both must
 * be initialised. False where they do not meet. *inside: in one point, inside the triangle
 * and between p and q. */
bool oracle_stretch(sc_vec3 p, sc_vec3 q, const sc_vec3 v[3], mpq_t t0, mpq_t t1, bool *inside);

/* Whether the point at t of pq lies inside a closed mesh of `count` triangles, and not on its
 * surface: the parity of what a random ray crosses, drawn anew where that is in doubt. */
bool oracle_inside(sc_vec3 p, sc_vec3 q, const mpq_t t, const sc_vec3 (*triangles)[3], int count);

/* Whether t is that parameter but for 2^-39 of it. */
bool oracle_close(double t, const mpq_t exact);

#endif
