/* contact_shift.h - how one part leaves all faces that it touches another one with. */
#ifndef SC_CONTACT_SHIFT_H
#define SC_CONTACT_SHIFT_H

#include "geom/sos.h"

/* Parallel planes in which faces touch: the unit normal out of the part that stays, between which
 * two values along it, from a common origin, the planes lie, and how much of them touches. */
typedef struct sc_contact_plane {
    sc_vec3 normal;
    double low, high, area;
} sc_contact_plane;

/* The shift that takes the other part off all of the planes: along `away`, the sum of their
 * normals by area; else, where the planes face each other, by shrinking or growing; else off the
 * larger ones of them. `origin` is what the planes are measured from, `extent` how large what
 * touches is. */
sc_shift sc_contact_shift(const sc_contact_plane *planes, int count, sc_vec3 away, sc_vec3 origin,
                          double extent);

#endif
