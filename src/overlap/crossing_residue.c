/* crossing_residue.c - see crossing_residue.h. */
#include "crossing_residue.h"

uint64_t sc_crossing_parameter(const sc_crossings *w, const sc_field *f, const sc_crossing *x,
                               sc_residue3 u, sc_residue3 v)
{
    sc_vec3 plane[3];
    sc_solid_facet(w->solid[1 - x->part], x->facet, plane);
    sc_residue3 p = sc_field_from3(f, plane[0]);
    sc_residue3 e1 = sc_field_subtract3(f, sc_field_from3(f, plane[1]), p);
    sc_residue3 e2 = sc_field_subtract3(f, sc_field_from3(f, plane[2]), p);
    uint64_t from = sc_field_det(f, sc_field_subtract3(f, u, p), e1, e2);
    uint64_t to = sc_field_det(f, sc_field_subtract3(f, v, p), e1, e2);
    return sc_field_multiply(f, from, sc_field_inverse(f, sc_field_subtract(f, from, to)));
}

sc_residue3 sc_crossing_point(const sc_crossings *w, const sc_field *f, const sc_crossing *x)
{
    const sc_windings *in = &w->windings[x->part];
    sc_residue3 u = sc_field_from3(f, in->points[x->low]);
    sc_residue3 v = sc_field_from3(f, in->points[x->high]);
    sc_residue3 way = sc_field_subtract3(f, v, u);
    uint64_t t = sc_crossing_parameter(w, f, x, u, v);
    return (sc_residue3){sc_field_add(f, u.x, sc_field_multiply(f, t, way.x)),
                         sc_field_add(f, u.y, sc_field_multiply(f, t, way.y)),
                         sc_field_add(f, u.z, sc_field_multiply(f, t, way.z))};
}
