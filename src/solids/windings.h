/* windings.h - where the facets of one part lie in the other.
 *
 * The winding number of the other part is constant along an edge that crosses none
 * of its facets and changes by 1 at each that it crosses. So the vertices of the
 * facets that may lie inside are joined along their edges, and one ray for each
 * connected set gives the number of all of them. */
#ifndef SC_WINDINGS_H
#define SC_WINDINGS_H

#include "base/hash.h"
#include "solid.h"

/* A facet that meets the other part or lies inside it. */
typedef struct sc_active {
    uint32_t facet;
    uint32_t vertex[3]; /* numbers in the table of this part's vertices */
} sc_active;

/* Of the winding number along edge i of a facet, from vertex i on. */
typedef struct sc_changes {
    atomic_int along[3];
} sc_changes;

/* Facets that lie wholly inside, no box of them near the other part: all their vertices have one
 * winding number. Most of a part that lies deep in another is patches. */
typedef struct sc_patch {
    size_t facet, facets; /* first in patch_facets, and how many */
    int winding;
    size_t vertex, vertices; /* after sc_windings_split: the same in patch_vertices */
} sc_patch;

/* A vertex in the sets of those that are connected (union-find): of a root, itself and 0. */
typedef struct sc_joined {
    uint32_t parent;
    int32_t offset; /* winding number less that of the parent */
} sc_joined;

typedef struct sc_windings {
    sc_solid *own, *other;
    sc_active *facets; /* [count]; the first `crossed` meet the other part's surface and
                          stand by facet number */
    size_t count, capacity, crossed;
    sc_changes *changes; /* [crossed]; along others there are none; until sc_windings_solve */
    uint32_t *from;      /* where those numbered i << from_bits and more begin among these */
    int from_bits;
    uint32_t from_count;

    sc_patch *patches; /* [patch_count], of facets that are not among those above */
    size_t patch_count, patch_capacity;
    uint32_t *patch_facets;   /* [patch_facet_count] */
    uint32_t *patch_vertices; /* [patch_vertex_count] numbers in the table; each once a patch */
    size_t patch_facet_count, patch_facet_capacity;
    size_t patch_vertex_count, patch_vertex_capacity;
    bool is_whole; /* the only patch is the whole part, known to be one shell */

    sc_vec3 *points;   /* [vertices], each once */
    sc_joined *joined; /* to each other, along edges */
    int32_t *winding;  /* after sc_windings_solve */
    size_t vertices, vertex_capacity;
    uint32_t *slots; /* hash table of vertex numbers + 1; NULL: made again when one is added */
    size_t slot_count;

    bool torn; /* after sc_windings_solve: vertices do not agree which of them lie inside, as they
                  stand at cracks that T-junctions of the other part left when it was placed */
    bool some_outside; /* some facet was left out: it lies outside the other part */
} sc_windings;

/* All false if memory ran out; free in any case. */
bool sc_windings_init(sc_windings *w, sc_solid *own, sc_solid *other);
void sc_windings_free(sc_windings *w);

/* Facets that meet the other surface, sorted, each once; their changes along edges are
 * to be filled in before sc_windings_solve. */
bool sc_windings_add_crossed(sc_windings *w, const uint32_t *facets, size_t count);

/* The active facet with this number among the crossed ones. */
sc_active *sc_windings_crossed(const sc_windings *w, uint32_t facet);

/* All other facets that may lie inside the other part; those far inside as patches. */
bool sc_windings_add_rest(sc_windings *w);

/* The same where nothing crosses and the part is one shell: all of it or nothing. */
bool sc_windings_add_whole(sc_windings *w);

/* For these two, which are a file of their own (inside.c): facets with their vertices; room for
 * a patch more, of so many facets at most; one of those that stand behind patch_facets. */
bool sc_windings_add_facets(sc_windings *w, const uint32_t *facets, size_t count);
bool sc_windings_room_for_patch(sc_windings *w, size_t facets);
sc_patch *sc_windings_add_patch(sc_windings *w, size_t facets, int winding);

/* After sc_windings_solve: takes patches apart, so that each hangs together by its vertices, and
 * adds those to the table; which takes longer than to find the patches. */
bool sc_windings_split(sc_windings *w);

/* For this one, which is a file of its own (patches.c): room for so many more vertices in the
 * table; the numbers of some. */
bool sc_windings_reserve(sc_windings *w, size_t vertices);
bool sc_windings_vertices(sc_windings *w, const sc_vec3 *points, size_t count, uint32_t *numbers);

static inline uint64_t sc_windings_hash(sc_vec3 p)
{
    uint64_t bits[3], h = 0;
    p = (sc_vec3){p.x + 0.0, p.y + 0.0, p.z + 0.0}; /* -0 is +0 */
    memcpy(bits, &p, sizeof bits);
    for (int k = 0; k < 3; k++) {
        h = sc_hash_add(h, bits[k]);
    }
    return h;
}

/* Joins the corners of the facets with area in a block of the file; nothing else of them is
 * kept. */
bool sc_windings_join_block(sc_windings *w, size_t block);

/* Where the surfaces of two closed parts do not meet: whether a connected piece of `own`
 * lies inside `other`. *contained is set; false if memory ran out. */
bool sc_windings_contained(sc_solid *own, sc_solid *other, bool *contained);

/* The same from a few vertices alone: quick where most of `own` lies inside; *contained
 * left false tells nothing. */
bool sc_windings_some_inside(sc_solid *own, sc_solid *other, bool *contained);

/* Of a part that is one shell, which nothing crosses: the winding number about all of it. False if
 * memory ran out. */
bool sc_windings_of_shell(sc_solid *own, sc_solid *other, int *winding);

/* All facets, whether or not they may lie inside. */
bool sc_windings_add_all(sc_windings *w);

/* Winding numbers of all vertices in the table. With `rays` false they are relative:
 * only sets of vertices that are connected matter then (sc_windings_root). */
bool sc_windings_solve(sc_windings *w, bool rays);

/* Of all winding numbers: 0 and 0 if there are none. */
typedef struct sc_winding_range {
    int least, greatest;
    bool some_0, some_not_0;
} sc_winding_range;

sc_winding_range sc_windings_range(const sc_windings *w);

/* A vertex that stands for the connected set of `vertex`. */
uint32_t sc_windings_root(sc_windings *w, uint32_t vertex);

#endif
