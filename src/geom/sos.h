/* sos.h - crossings of edges and facets when no two things touch.
 *
 * Simulation of Simplicity by translation: part A is moved by (e, e^2, e^3), e
 * positive and smaller than anything. Every sign that is 0 as the coordinates stand
 * is decided by the first component that does not vanish; parts stay rigid, so nothing
 * else changes (Edelsbrunner and Muecke, 1990). Facets of zero area cross nothing. */
#ifndef SC_SOS_H
#define SC_SOS_H

#include "vec3.h"

/* Edge u -> v of A against facet g of B: +1 where it enters (v on the inner side),
 * -1 where it leaves, 0 where it does not cross. */
int sc_sos_edge_of_a(sc_vec3 u, sc_vec3 v, const sc_vec3 g[3]);

/* Edge u -> v of B against facet f of A, the same. */
int sc_sos_edge_of_b(sc_vec3 u, sc_vec3 v, const sc_vec3 f[3]);

#endif
