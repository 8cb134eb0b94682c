/* facet_area.h - the normal of a facet, and whether it has area. */
#ifndef SC_FACET_AREA_H
#define SC_FACET_AREA_H

#include "orient.h"

/* Twice the area, along the normal; *error bounds what rounding did to it. */
static inline sc_vec3 sc_facet_normal(const sc_vec3 v[3], double *error)
{
    sc_vec3 e1 = sc_sub(v[1], v[0]), e2 = sc_sub(v[2], v[0]);
    *error = 0x1p-49 * sqrt(sc_dot(e1, e1) * sc_dot(e2, e2));
    return sc_cross(e1, e2);
}

/* Whether the facet has area. Exact. */
static inline bool sc_facet_has_area(const sc_vec3 v[3])
{
    double error;
    sc_vec3 n = sc_facet_normal(v, &error);
    return sc_dot(n, n) > error * error || sc_projection_axis(v[0], v[1], v[2]) >= 0;
}

#endif
