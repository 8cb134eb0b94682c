/* deformed.h - a part of which each vertex moves straight to its place in another mesh, as it is in
 * between: a mesh of its own, whose vertices are rounded to floats, and whose facets are divided at
 * T-junctions (seams.h), so that it stays closed where these keep to their edges. */
#ifndef SC_DEFORMED_H
#define SC_DEFORMED_H

#include "erosion/seams.h"
#include "part.h"

typedef struct sc_deformed {
    const sc_part *start;
    const stlclash_mesh *end; /* of as many facets; placed as the part is: */
    const double *placement;  /* 16 numbers or NULL */
    const char *whose;        /* the part, in messages */
    double farthest;          /* the most that a vertex moves */
    double error;             /* of a vertex in between, less what seams stray */
    sc_seams seams;
    unsigned char *bytes; /* a binary STL file: the part in between */
    stlclash_mesh *mesh;  /* read from it, or NULL */
} sc_deformed;

/* The first four members are given. Free in any case. */
stlclash_code sc_deformed_make(sc_deformed *deformed, stlclash_error *error);
void sc_deformed_free(sc_deformed *deformed);

/* The part at time t, 0..1; it is used until the next call. */
stlclash_code sc_deformed_at(sc_deformed *deformed, double t, sc_part *part, stlclash_error *error);

/* How far the point `at` of a given triangle at time t has come since the start. */
double sc_deformed_way(const sc_deformed *deformed, double t, uint32_t triangle,
                       const double at[3]);

/* Of a point of the part at time t, where on the triangles that were given it lies. */
void sc_deformed_as_given(const sc_deformed *deformed, double t, const double at[3],
                          uint32_t *triangle, stlclash_feature *feature);

#endif
