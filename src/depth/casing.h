/* casing.h - what encloses a surface, facet by facet: about each of them faces that are all about
 * as far from it. Who comes from afar straight to the nearest point of the surface comes through
 * one of them. */
#ifndef SC_CASING_H
#define SC_CASING_H

#include "piece.h"
#include "solids/surface.h"

/* No point of a face is nearer to the facet than `distance`, none farther than so many times that,
 * rounding and corners off the plane of the wall aside. */
#define SC_CASING_FARTHEST 1.002

/* Takes a face; false: enough of them. */
typedef bool (*sc_casing_take)(void *context, const sc_piece *face);

typedef struct sc_casing {
    sc_surface *surface;
    double distance;
    sc_casing_take take;
    void *context;
    sc_vec3 *ways; /* at first NULL; freed by who made it */
    size_t count, capacity;
    bool failed; /* memory ran out */
} sc_casing;

/* Faces about a facet: over both of its sides; and, unless a facet of a lower number has them as
 * well, about its edges and corners, as far as no other facet is nearer there. False if that is
 * enough, or memory ran out. */
bool sc_casing_of_facet(sc_casing *casing, uint32_t facet, const sc_wall *wall);

/* All about the longest side of a facet that is no wider than rounding. */
bool sc_casing_of_hair(sc_casing *casing, const sc_vec3 v[3]);

#endif
