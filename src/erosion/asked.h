/* asked.h - the way of a corner of which several planes ask that it lie beyond them. */
#ifndef SC_ASKED_H
#define SC_ASKED_H

#include "geom/vec3.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* That a fan goes along the unit vector `way` by `least`, which may be negative. */
typedef struct sc_asked {
    uint32_t fan;
    sc_vec3 way;
    double least;
} sc_asked;

/* Zeroed: none. */
typedef struct sc_asked_list {
    sc_asked *asked; /* [count] */
    size_t count, capacity;
} sc_asked_list;

/* False if memory ran out. */
bool sc_asked_add(sc_asked_list *list, const sc_asked *asked);
void sc_asked_free(sc_asked_list *list);

/* By fans, in an order that does not depend on how they came, and each once. */
void sc_asked_sort(sc_asked_list *list);

/* Whether a way is what all of these, of one fan, ask for. */
bool sc_asked_is_kept(const sc_asked *asked, size_t count, sc_vec3 way);

/* The shortest way that is, but for little beside `most`, if there is one; else any. */
sc_vec3 sc_asked_shortest(const sc_asked *asked, size_t count, double most);

/* As far along a way as they allow, of which some may ask for less than nothing; but no farther
 * than `most`. */
sc_vec3 sc_asked_stretched(const sc_asked *asked, size_t count, sc_vec3 way, double most);

#endif
