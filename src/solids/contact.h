/* contact.h - where parts touch face to face, and in which direction. */
#ifndef SC_CONTACT_H
#define SC_CONTACT_H

#include "base/parallel.h"
#include "contact_shift.h"
#include "solid.h"

typedef struct sc_contact {
    double area;    /* of coplanar facets that face each other */
    sc_vec3 away;   /* the sum of their normals out of solid[1], by area */
    sc_shift apart; /* takes solid[0] off these facets, if there are any */
    bool has_normal;
    sc_vec3 normal; /* unit, out of solid[1], of the plane with the largest share */
} sc_contact;

/* hits: as for sc_crossings_find. False if memory ran out. */
bool sc_contact_find(sc_solid *const solid[2], const uint64_t *hits, size_t hit_count,
                     sc_crew *crew, sc_contact *contact);

#endif
