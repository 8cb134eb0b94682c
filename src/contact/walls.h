/* walls.h - faces that lie in faces of the other part, of parts that overlap: how much of them is
 * surface of the one inside the other. */
#ifndef SC_WALLS_H
#define SC_WALLS_H

#include "contact.h"

/* What the area vector of the surface of solid[0] inside solid[1] lacks, and the area that it is
 * the sum of. A shift moves facets that are flush to the inside or the outside of the other part,
 * and so does rounding with some: of those that face the same way half is either's share, of those
 * that face each other nothing is inside. Where the other part goes on behind, as bodies of one
 * part do that stand wall to wall, all of it is: by half for either of their walls. */
typedef struct sc_walls {
    sc_vec3 area_vector;
    double area;
} sc_walls;

/* As the solids are shifted; after sc_contact_find. False if memory ran out, or time. */
bool sc_walls_find(const sc_contact_request *request, const sc_contact *contact, sc_walls *walls);

#endif
