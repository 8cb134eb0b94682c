/* outlook.h - the facets of a surface near some place, listed for searches that stay about it.
 *
 * What is not in the list is farther from its centre than its reach, and from a point beside the
 * centre by no more than the way there nearer: what is found in the list within that is the
 * nearest. For one thread. */
#ifndef SC_OUTLOOK_H
#define SC_OUTLOOK_H

#include "surface.h"

typedef struct sc_outlook_item {
    double distance; /* from the centre; they are in this order */
    uint32_t facet;
} sc_outlook_item;

typedef struct sc_outlook {
    sc_surface *surface;
    sc_vec3 centre;
    double reach;      /* of the list; 0: there is none */
    double widest;     /* for steps from here on too many facets are near */
    uint64_t searched; /* facets looked at by the last search without one */
    size_t count, most, capacity;
    sc_outlook_item *items;
} sc_outlook;

/* Without a list. */
sc_outlook sc_outlook_of(sc_surface *surface);

/* Sees to a list for searches no farther than `step` from p, which is so far from the surface, but
 * where that would be too long. */
void sc_outlook_settle(sc_outlook *outlook, sc_vec3 p, double distance, double step);

/* As sc_surface_nearest, which it asks where the list does not tell. */
sc_nearest sc_outlook_nearest(sc_outlook *outlook, sc_vec3 p, sc_seek seek);

void sc_outlook_free(sc_outlook *outlook);

#endif
