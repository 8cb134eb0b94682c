/* sos.h - crossings of edges and facets when no two things touch.
 *
 * Simulation of Simplicity: part A is moved by e along one axis, by e^2 along another and
 * e^3 along the third, either way, e positive and smaller than anything. Every sign that is 0
 * as the coordinates stand is decided by the first component that does not vanish; parts stay
 * rigid, so nothing else changes (Edelsbrunner and Muecke, 1990). Before that A may shrink
 * towards a centre, or grow away from it, by so little that the moves are nothing beside it:
 * where faces of A touch on opposite sides, no move leads out of all of them.
 *
 * Facets of zero area cross nothing. All that is asked of two parts must be asked with the
 * same shift; which one it is changes no volume. */
#ifndef SC_SOS_H
#define SC_SOS_H

#include "vec3.h"

#include <stdint.h>

/* How A changes: all of it moves towards `centre` (1), away from it (-1) or neither (0); and by
 * e^(i+1) in the direction sign[i], 1 or -1, along axis[i]. The centre has floats. */
typedef struct sc_shift {
    int8_t axis[3], sign[3];
    int8_t towards;
    sc_vec3 centre;
} sc_shift;

/* By (e, e^2, e^3). */
extern const sc_shift sc_shift_usual;

/* The other way. */
static inline sc_shift sc_shift_reversed(sc_shift shift)
{
    for (int k = 0; k < 3; k++) {
        shift.sign[k] = (int8_t)-shift.sign[k];
    }
    shift.towards = (int8_t)-shift.towards;
    return shift;
}

/* The one closest to a direction: its largest component first. The usual one of (0, 0, 0). */
sc_shift sc_shift_along(sc_vec3 direction);

/* Which way it moves A across a plane with this normal, the first component that counts and is
 * not 0: 1 along the normal, -1 against it, 0 for no normal. Without its centre. */
int sc_shift_across(const sc_shift *shift, sc_vec3 normal);

/* Where what of A lies in the plane of a facet g of B comes to lie: 1 inside, -1 outside, 0 where g
 * has no area. */
int sc_sos_in_plane(const sc_vec3 g[3], const sc_shift *shift);

/* Edge u -> v of A against facet g of B: +1 where it enters (v on the inner side),
 * -1 where it leaves, 0 where it does not cross. */
int sc_sos_edge_of_a(sc_vec3 u, sc_vec3 v, const sc_vec3 g[3], const sc_shift *shift);

/* Edge u -> v of B against facet f of A, the same. */
int sc_sos_edge_of_b(sc_vec3 u, sc_vec3 v, const sc_vec3 f[3], const sc_shift *shift);

/* Both, of all edges of a facet f of A and a facet g of B, edge i from vertex i on. */
void sc_sos_facets(const sc_vec3 f[3], const sc_vec3 g[3], const sc_shift *shift, int of_f[3],
                   int of_g[3]);

#endif
