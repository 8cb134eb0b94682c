/* contact.h - where parts touch face to face, and in which direction. */
#ifndef SC_CONTACT_H
#define SC_CONTACT_H

#include "contact_pairs.h"
#include "contact_shift.h"

typedef struct sc_contact {
    double area;    /* of facets that face each other, touch, and bound something (layers.h);
                       NaN: not known */
    sc_vec3 away;   /* the sum of their normals out of solid[1], by area, where they are coplanar */
    sc_shift apart; /* takes solid[0] off these facets, if there are any */
    bool some_alike, some_opposed; /* facets that are flush and face the same way, or each other:
                                      whether that bounds something or not */
    bool has_normal;
    sc_vec3 normal;   /* unit, out of solid[1], of the direction with the largest share */
    uint64_t visited; /* how many facets were looked at for others that lie over them */
} sc_contact;

/* False if memory ran out. */
bool sc_contact_find(const sc_contact_request *request, sc_contact *contact);

#endif
