/* windings.h - where the facets of one part lie in the other.
 *
 * The winding number of the other part is constant along an edge that crosses none
 * of its facets and changes by 1 at each that it crosses. So the vertices of the
 * facets that may lie inside are joined along their edges, and one ray for each
 * connected set gives the number of all of them. */
#ifndef SC_WINDINGS_H
#define SC_WINDINGS_H

#include "solid.h"

/* A facet that meets the other part or lies inside it. */
typedef struct sc_active {
    uint32_t facet;
    uint32_t vertex[3]; /* numbers in the table of this part's vertices */
    int change[3];      /* of the winding number along edge i, from vertex i on */
} sc_active;

typedef struct sc_windings {
    sc_solid *own, *other;
    sc_active *facets; /* [count]; the first `crossed` meet the other part's surface and
                          stand by facet number */
    size_t count, capacity, crossed;

    sc_vec3 *points; /* [vertices], each once */
    uint32_t *parent;
    int32_t *offset;  /* winding number less that of the parent */
    int32_t *winding; /* after sc_windings_solve */
    size_t vertices, vertex_capacity;
    uint32_t *slots; /* hash table of vertex numbers + 1 */
    size_t slot_count;

    bool some_outside; /* some facet was left out: it lies outside the other part */
} sc_windings;

/* All false if memory ran out; free in any case. */
bool sc_windings_init(sc_windings *w, sc_solid *own, sc_solid *other);
void sc_windings_free(sc_windings *w);

/* Facets that meet the other surface, sorted, each once; their changes along edges are
 * to be filled in before sc_windings_solve. */
bool sc_windings_add_crossed(sc_windings *w, const uint32_t *facets, size_t count);

/* The active facet with this number among the crossed ones. */
sc_active *sc_windings_crossed(sc_windings *w, uint32_t facet);

/* All other facets that may lie inside the other part. */
bool sc_windings_add_rest(sc_windings *w);

/* Where the surfaces of two closed parts do not meet: whether a connected piece of `own`
 * lies inside `other`. *contained is set; false if memory ran out. */
bool sc_windings_contained(sc_solid *own, sc_solid *other, bool *contained);

/* The same from a few vertices alone: quick where most of `own` lies inside; *contained
 * left false tells nothing. */
bool sc_windings_some_inside(sc_solid *own, sc_solid *other, bool *contained);

/* All facets, whether or not they may lie inside. */
bool sc_windings_add_all(sc_windings *w);

/* Winding numbers of all vertices in the table. With `rays` false they are relative:
 * only sets of vertices that are connected matter then (sc_windings_root). */
bool sc_windings_solve(sc_windings *w, bool rays);

/* A vertex that stands for the connected set of `vertex`. */
uint32_t sc_windings_root(sc_windings *w, uint32_t vertex);

#endif
