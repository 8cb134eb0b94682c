/* patches.c - the patches of windings: added; and taken apart, where it matters what hangs
 * together with what. Their vertices are then told apart among few facets first, so that the
 * table of all vertices is asked once for each and not once for each corner. */
#include "windings.h"

#include "base/alloc.h"
#include "base/union_find.h"

/* ---- adding ------------------------------------------------------------- */

static bool room_for_patches(sc_windings *w, size_t more)
{
    return sc_make_room(&w->patches, &w->patch_capacity, w->patch_count + more, sizeof *w->patches);
}

bool sc_windings_room_for_patch(sc_windings *w, size_t more_facets)
{
    return room_for_patches(w, 1) &&
           sc_make_room(&w->patch_facets, &w->patch_facet_capacity,
                        w->patch_facet_count + more_facets, sizeof *w->patch_facets);
}

sc_patch *sc_windings_add_patch(sc_windings *w, size_t facets, int winding)
{
    sc_patch *patch = &w->patches[w->patch_count++];
    *patch = (sc_patch){.facet = w->patch_facet_count, .facets = facets, .winding = winding};
    w->patch_facet_count += facets;
    return patch;
}

/* ---- taking apart ---------------------------------------------------- */

enum { MOST_CORNERS = 3 * SC_FAMILY, SLOTS = 4096 };

/* Some facets, and the places of their corners, each once. */
typedef struct group {
    uint32_t facet[SC_FAMILY];
    uint32_t facets;
    uint16_t corner[MOST_CORNERS]; /* its place */
    sc_vec3 place[MOST_CORNERS];
    uint32_t parent[MOST_CORNERS]; /* of a place: connected sets (union_find.h) */
    uint32_t number[MOST_CORNERS]; /* of a place in the table of vertices */
    uint32_t places;
    uint16_t slot[SLOTS]; /* hash table: a place + 1 */
} group;

static uint16_t place_of_point(group *g, sc_vec3 p)
{
    size_t at = sc_windings_hash(p) % SLOTS;
    for (; g->slot[at] != 0; at = (at + 1) % SLOTS) {
        const sc_vec3 *q = &g->place[g->slot[at] - 1];
        if (q->x == p.x && q->y == p.y && q->z == p.z) {
            return (uint16_t)(g->slot[at] - 1);
        }
    }
    uint16_t place = (uint16_t)g->places++;
    g->slot[at] = (uint16_t)(place + 1);
    g->place[place] = p;
    g->parent[place] = place;
    return place;
}

static void find_places(const sc_windings *w, group *g)
{
    enum { AHEAD = 8 };
    g->places = 0;
    memset(g->slot, 0, sizeof g->slot);
    for (uint32_t i = 0; i < g->facets; i++) {
        sc_vec3 v[3];
        uint16_t *corner = g->corner + 3 * i;
        sc_solid_expect(w->own, g->facet[i + AHEAD < g->facets ? i + AHEAD : i]);
        sc_solid_facet(w->own, g->facet[i], v);
        for (int k = 0; k < 3; k++) {
            corner[k] = place_of_point(g, v[k]);
        }
        sc_union_join(g->parent, corner[0], corner[1]);
        sc_union_join(g->parent, corner[1], corner[2]);
    }
}

/* Room for the vertices of a group, and as many patches. */
static bool make_room_for_sets(sc_windings *w, const group *g)
{
    return sc_windings_reserve(w, g->places) && room_for_patches(w, g->places) &&
           sc_make_room(&w->patch_vertices, &w->patch_vertex_capacity,
                        w->patch_vertex_count + g->places, sizeof *w->patch_vertices);
}

/* The connected set with this root, as a patch. */
static void add_set(sc_windings *w, group *g, uint32_t root, int winding)
{
    size_t facets = 0;
    for (uint32_t i = 0; i < g->facets; i++) {
        if (sc_union_root(g->parent, g->corner[3 * i]) == root) {
            w->patch_facets[w->patch_facet_count + facets++] = g->facet[i];
        }
    }
    sc_patch *patch = sc_windings_add_patch(w, facets, winding);
    patch->vertex = w->patch_vertex_count;
    for (uint32_t i = 0; i < g->places; i++) {
        if (sc_union_root(g->parent, i) == root) {
            w->patch_vertices[w->patch_vertex_count++] = g->number[i];
        }
    }
    patch->vertices = w->patch_vertex_count - patch->vertex;
}

static bool add_sets(sc_windings *w, group *g, int winding)
{
    find_places(w, g);
    if (!make_room_for_sets(w, g) || !sc_windings_vertices(w, g->place, g->places, g->number)) {
        return false;
    }
    for (uint32_t i = 0; i < g->places; i++) {
        if (g->parent[i] == i) {
            add_set(w, g, i, winding);
        }
    }
    return true;
}

/* The same facets in other patches: `facets` are those of the old ones. */
static bool split(sc_windings *w, const sc_patch *old, size_t count, const uint32_t *facets)
{
    group *g = sc_alloc(1, sizeof *g);
    size_t groups = 0;
    bool good = g != NULL;

    for (size_t i = 0; i < count && good; i++) {
        for (size_t first = 0; first < old[i].facets && good; first += g->facets) {
            size_t left = old[i].facets - first;
            g->facets = left < SC_FAMILY ? (uint32_t)left : SC_FAMILY;
            memcpy(g->facet, facets + old[i].facet + first, g->facets * sizeof *g->facet);
            good = !sc_watch_ends(w->own->watch, groups++) && add_sets(w, g, old[i].winding);
        }
    }
    sc_free(g);
    return good;
}

/* Those of the vertices that came with the patches. */
static bool set_windings(sc_windings *w)
{
    int32_t *winding = sc_realloc(w->winding, w->vertices, sizeof *winding);
    if (!winding) {
        return false;
    }
    w->winding = winding;
    for (size_t i = 0; i < w->patch_count; i++) {
        const sc_patch *p = &w->patches[i];
        for (size_t k = 0; k < p->vertices; k++) {
            winding[w->patch_vertices[p->vertex + k]] = p->winding;
        }
    }
    return true;
}

bool sc_windings_split(sc_windings *w)
{
    sc_patch *patches = w->patches;
    uint32_t *facets = w->patch_facets;
    const size_t count = w->patch_count, facet_count = w->patch_facet_count;

    if (count == 0) {
        return true;
    }
    w->patches = NULL;
    w->patch_facets = sc_alloc(facet_count, sizeof *facets);
    w->patch_count = w->patch_capacity = w->patch_facet_count = 0;
    w->patch_facet_capacity = facet_count;
    bool good = w->patch_facets && split(w, patches, count, facets) && set_windings(w);
    sc_free(patches);
    sc_free(facets);
    return good;
}
