/* sos.c - see sos.h. */
#include "sos.h"

#include "orient.h"

#include <math.h>
#include <stdbool.h>

const sc_shift sc_shift_usual = {.axis = {0, 1, 2}, .sign = {1, 1, 1}};

sc_shift sc_shift_along(sc_vec3 direction)
{
    sc_shift shift = sc_shift_usual;
    for (int i = 1; i < 3; i++) { /* few: insertion */
        int8_t axis = shift.axis[i];
        double size = fabs(sc_component(direction, axis));
        int at = i;
        for (; at > 0 && fabs(sc_component(direction, shift.axis[at - 1])) < size; at--) {
            shift.axis[at] = shift.axis[at - 1];
        }
        shift.axis[at] = axis;
    }
    for (int i = 0; i < 3; i++) {
        shift.sign[i] = sc_component(direction, shift.axis[i]) < 0.0 ? -1 : 1;
    }
    return shift;
}

int sc_shift_across(const sc_shift *shift, sc_vec3 normal)
{
    for (int i = 0; i < 3; i++) {
        double along = shift->sign[i] * sc_component(normal, shift->axis[i]);
        if (along != 0.0) {
            return along > 0.0 ? 1 : -1;
        }
    }
    return 0;
}

/* The side of a vertex of one part on the plane of a facet of the other, +1 inside, where it lies
 * in the plane: it goes where the centre is, or the plane goes there and leaves it behind; else
 * moving A puts it on the side that the first component of the facet's normal that is not 0 says.
 * `moved` is +1 where the facet is A's (it moves away along its normal: inside), -1 where the
 * vertex is. 0 only for a facet without area. */
static int side_in_plane(const sc_vec3 facet[3], int moved, const sc_shift *shift)
{
    int side = 0;
    if (shift->towards != 0) {
        side = -moved * shift->towards * sc_orient3d(facet[0], facet[1], facet[2], shift->centre);
    }
    for (int i = 0; side == 0 && i < 3; i++) {
        side = moved * shift->sign[i] * sc_orient2d(facet[0], facet[1], facet[2], shift->axis[i]);
    }
    return side;
}

int sc_sos_in_plane(const sc_vec3 g[3], const sc_shift *shift)
{
    return side_in_plane(g, -1, shift);
}

static int side_of(const sc_vec3 facet[3], sc_vec3 p, int moved, const sc_shift *shift)
{
    const int side = sc_orient3d(facet[0], facet[1], facet[2], p);
    return side != 0 ? side : side_in_plane(facet, moved, shift);
}

/* Of the three vertices of another facet. */
static void sides_of(const sc_vec3 facet[3], const sc_vec3 p[3], int moved, const sc_shift *shift,
                     int side[3])
{
    sc_orient3d_of_three(facet, p, side);
    if (side[0] == 0 || side[1] == 0 || side[2] == 0) {
        const int in_plane = side_in_plane(facet, moved, shift);
        for (int i = 0; i < 3; i++) {
            side[i] = side[i] != 0 ? side[i] : in_plane;
        }
    }
}

/* The sign of edge pq of A against edge rs of B; 0 only where they are parallel. The line of pq
 * stays parallel to itself, whatever its points do. */
static int edge_sign(sc_vec3 p, sc_vec3 q, sc_vec3 r, sc_vec3 s, const sc_shift *shift)
{
    int sign = sc_orient3d(p, q, r, s);
    if (sign == 0 && shift->towards != 0) {
        sign = shift->towards * sc_triple_sign(shift->centre, p, q, p, r, s);
    }
    for (int i = 0; sign == 0 && i < 3; i++) {
        sign = shift->sign[i] * sc_cross_sign(q, p, r, s, shift->axis[i]);
    }
    return sign;
}

int sc_sos_edge_of_a(sc_vec3 u, sc_vec3 v, const sc_vec3 g[3], const sc_shift *shift)
{
    int side_u = side_of(g, u, -1, shift), side_v = side_of(g, v, -1, shift);
    if (side_u * side_v >= 0) {
        return 0;
    }
    int sign = edge_sign(u, v, g[0], g[1], shift);
    if (edge_sign(u, v, g[1], g[2], shift) != sign || edge_sign(u, v, g[2], g[0], shift) != sign) {
        return 0;
    }
    return side_v;
}

int sc_sos_edge_of_b(sc_vec3 u, sc_vec3 v, const sc_vec3 f[3], const sc_shift *shift)
{
    int side_u = side_of(f, u, 1, shift), side_v = side_of(f, v, 1, shift);
    if (side_u * side_v >= 0) {
        return 0;
    }
    int sign = edge_sign(f[0], f[1], u, v, shift);
    if (edge_sign(f[1], f[2], u, v, shift) != sign || edge_sign(f[2], f[0], u, v, shift) != sign) {
        return 0;
    }
    return side_v;
}

/* The signs of the edges of one facet against those of the other, each found out once. */
enum { UNKNOWN = 2 };
typedef struct edge_signs {
    const sc_vec3 *f, *g;
    const sc_shift *shift;
    int sign[3][3];
} edge_signs;

static int sign_of(edge_signs *e, int i, int k)
{
    if (e->sign[i][k] == UNKNOWN) {
        e->sign[i][k] = edge_sign(e->f[i], e->f[(i + 1) % 3], e->g[k], e->g[(k + 1) % 3], e->shift);
    }
    return e->sign[i][k];
}

/* The edges of a facet between which an edge of another one must be to come through it, where the
 * line is in which their planes meet: those whose ends lie on different sides of the other's plane,
 * two or none. What the third one would tell is the same then. All of them, where the other one has
 * no plane. */
typedef struct gate {
    int count, edge[3];
} gate;

static gate gate_of(const int side[3])
{
    gate g = {.count = 0};
    for (int i = 0; i < 3; i++) {
        if (side[0] == 0 || side[i] * side[(i + 1) % 3] < 0) {
            g.edge[g.count++] = i;
        }
    }
    return g;
}

void sc_sos_facets(const sc_vec3 f[3], const sc_vec3 g[3], const sc_shift *shift, int of_f[3],
                   int of_g[3])
{
    edge_signs e = {
        f,
        g,
        shift,
        {{UNKNOWN, UNKNOWN, UNKNOWN}, {UNKNOWN, UNKNOWN, UNKNOWN}, {UNKNOWN, UNKNOWN, UNKNOWN}}};
    int side_f[3], side_g[3];

    sides_of(g, f, -1, shift, side_f);
    const gate in_f = gate_of(side_f);
    if (in_f.count == 0) { /* f is on one side, as where faces touch */
        for (int i = 0; i < 3; i++) {
            of_f[i] = of_g[i] = 0;
        }
        return;
    }
    sides_of(f, g, 1, shift, side_g);
    const gate in_g = gate_of(side_g);
    for (int i = 0; i < 3; i++) {
        const int f_to = side_f[(i + 1) % 3], g_to = side_g[(i + 1) % 3];
        bool f_passes = side_f[i] * f_to < 0 && in_g.count > 0;
        bool g_passes = side_g[i] * g_to < 0;
        for (int k = 1; k < in_g.count && f_passes; k++) {
            f_passes = sign_of(&e, i, in_g.edge[k]) == sign_of(&e, i, in_g.edge[0]);
        }
        for (int k = 1; k < in_f.count && g_passes; k++) {
            g_passes = sign_of(&e, in_f.edge[k], i) == sign_of(&e, in_f.edge[0], i);
        }
        of_f[i] = f_passes ? f_to : 0;
        of_g[i] = g_passes ? g_to : 0;
    }
}
