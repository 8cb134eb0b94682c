/* gap_facets.h - the facets of one part that are near the other, which vertices and edges they
 * share, and their leaves. */
#ifndef SC_GAP_FACETS_H
#define SC_GAP_FACETS_H

#include "gap_pairs.h"

typedef struct sc_gap_sphere {
    sc_vec3 centre;
    double radius;
} sc_gap_sphere;

typedef struct sc_gap_facets {
    uint32_t count;
    uint32_t *facet;       /* [count] their numbers, in order: others tell them by their places */
    sc_gap_sphere *sphere; /* [count] around each */

    sc_vec3 *points; /* [vertices] as the part is compared, each once */
    uint32_t vertices, edges;
    uint32_t (*vertex)[3]; /* [count] numbers of points */
    uint32_t (*edge)[3];   /* [count] numbers of edges, k from vertex k to the next one */

    sc_gap_leaf *leaves; /* [leaf_count] of places of facets */
    uint32_t leaf_count;
    sc_gap_sphere *around; /* [leaf_count] around each */
    uint32_t *leaf;        /* [count] of each facet, which is that of number index there */
    uint8_t *index;        /* [count] */
} sc_gap_facets;

/* Those of part `which`, 0 or 1, whose leaves are taken from the list. False if memory or time ran
 * out; free in any case. */
bool sc_gap_facets_make(const sc_part *part, int which, sc_gap_list *list, sc_watch *watch,
                        sc_gap_facets *facets);
void sc_gap_facets_free(sc_gap_facets *facets);

/* The place of one, by its number; count: it is none of them. */
uint32_t sc_gap_place(const sc_gap_facets *facets, uint32_t number);

/* Its vertices. */
static inline void sc_gap_corners(const sc_gap_facets *facets, uint32_t i, sc_vec3 v[3])
{
    for (int k = 0; k < 3; k++) {
        v[k] = facets->points[facets->vertex[i][k]];
    }
}

static inline sc_triangle sc_gap_triangle(const sc_gap_facets *facets, uint32_t i)
{
    sc_vec3 v[3];
    sc_gap_corners(facets, i, v);
    return sc_triangle_make(v);
}

#endif
