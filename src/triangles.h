/* triangles.h - facets -> preprocessed triangles, made when first looked at.
 *
 * Placed, widened to double, with what the narrow phase uses more than once: edge
 * vectors, the F vectors and inverse determinant of the barycentric
 * point-in-triangle test, unit normal and bounding sphere. */
#ifndef SC_TRIANGLES_H
#define SC_TRIANGLES_H

#include "facets.h"
#include "geom/vec3.h"
#include "stlclash.h"

typedef struct sc_triangle {
    sc_vec3 v[3];
    sc_vec3 edge[3];    /* edge[i] = v[i+1] - v[i], rounded */
    sc_vec3 normal;     /* unit, (v1-v0) x (v2-v0); zero for a degenerate triangle, unless
                           rounding makes it one of some area */
    double thickness;   /* the vertices lie within this of the plane through v0 across
                          the rounded normal: 0 but for needles */
    sc_vec3 f[2];       /* foot of p: (f[0].(p-v0), f[1].(p-v0)) * inverse_det are
                          its coordinates along v1-v0 and v2-v0 */
    double inverse_det; /* 1 / |(v1-v0) x (v2-v0)|^2, 0 where the normal is */
    double foot_margin; /* error of those coordinates: large for a needle */
    sc_vec3 centre;     /* of the bounding sphere: the centroid */
    double radius;      /* to the farthest vertex, rounded up */
} sc_triangle;

/* A rigid placement of the stored coordinates; made by sc_placement_make. */
typedef struct sc_placement {
    int is_identity;
    double m[3][4];     /* row-major, rotation and translation */
    double flush_below; /* placed coordinates smaller than this become 0, so that
                            products in the exact core cannot underflow */
} sc_placement;

/* From 16 numbers, row-major, or NULL for the identity. `whose` names the part in
 * messages; reach is the largest
 * magnitude of a stored coordinate. Fails with STLCLASH_E_ARGUMENT where the
 * matrix is not rigid, with STLCLASH_E_RANGE where placed coordinates could exceed
 * 2^200. Rotations by multiples of 90 degrees whose entries carry the rounding of
 * a cosine are made exact. */
stlclash_code sc_placement_make(const double *m, const char *whose, double reach,
                                sc_placement *placement, stlclash_error *error);

/* Shifts all that is placed so, by what is small beside `reach`, the largest magnitude of a placed
 * coordinate. */
void sc_placement_shift(sc_placement *placement, sc_vec3 shift, double reach);

/* A point of the part given in doubles, placed. */
sc_vec3 sc_place_point(const sc_placement *placement, sc_vec3 p);

/* One vertex, placed: each coordinate rounded in a fixed order of operations, so
 * that equal stored vertices stay equal; -0 becomes +0. */
sc_vec3 sc_place(const sc_placement *placement, const float xyz[3]);

/* The three placed vertices of facet i. */
void sc_triangle_vertices(const sc_facets *facets, const sc_placement *placement, uint32_t i,
                          sc_vec3 v[3]);

/* Everything about the triangle with these vertices; the first where it is to stay. */
void sc_triangle_set(sc_triangle *triangle, const sc_vec3 v[3]);

static inline sc_triangle sc_triangle_make(const sc_vec3 v[3])
{
    sc_triangle t;
    sc_triangle_set(&t, v);
    return t;
}

#endif
