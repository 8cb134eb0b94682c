/* sos.c - see sos.h. */
#include "sos.h"

#include "orient.h"

/* The side of a vertex of one part on the plane of a facet of the other, +1 inside.
 * Where it lies in the plane, moving A by (e, e^2, e^3) puts it on the side that the
 * first component of the facet's normal that is not 0 says: `moved` is +1 where the
 * facet is A's (it moves away along its normal: inside), -1 where the vertex is. 0
 * only for a facet without area. */
static int side_of(const sc_vec3 facet[3], sc_vec3 p, int moved)
{
    int side = sc_orient3d(facet[0], facet[1], facet[2], p);
    for (int axis = 0; side == 0 && axis < 3; axis++) {
        side = moved * sc_orient2d(facet[0], facet[1], facet[2], axis);
    }
    return side;
}

/* The sign of edge pq of A against edge rs of B; 0 only where they are parallel. */
static int edge_sign(sc_vec3 p, sc_vec3 q, sc_vec3 r, sc_vec3 s)
{
    int sign = sc_orient3d(p, q, r, s);
    for (int axis = 0; sign == 0 && axis < 3; axis++) {
        sign = sc_cross_sign(q, p, r, s, axis);
    }
    return sign;
}

int sc_sos_edge_of_a(sc_vec3 u, sc_vec3 v, const sc_vec3 g[3])
{
    int side_u = side_of(g, u, -1), side_v = side_of(g, v, -1);
    if (side_u * side_v >= 0) {
        return 0;
    }
    int sign = edge_sign(u, v, g[0], g[1]);
    if (edge_sign(u, v, g[1], g[2]) != sign || edge_sign(u, v, g[2], g[0]) != sign) {
        return 0;
    }
    return side_v;
}

int sc_sos_edge_of_b(sc_vec3 u, sc_vec3 v, const sc_vec3 f[3])
{
    int side_u = side_of(f, u, 1), side_v = side_of(f, v, 1);
    if (side_u * side_v >= 0) {
        return 0;
    }
    int sign = edge_sign(f[0], f[1], u, v);
    if (edge_sign(f[1], f[2], u, v) != sign || edge_sign(f[2], f[0], u, v) != sign) {
        return 0;
    }
    return side_v;
}
