/* inside.c - sc_windings_add_rest: the facets that may lie inside the other part, found
 * from the top of the octree down; and sc_windings_add_whole, where one ray tells of all.
 *
 * A node whose box meets no facet of the other part lies wholly on one side of it, and
 * one ray tells on which. What lies inside is taken as it stands in the file, by families
 * of blocks that need not be opened: their vertices are told apart among themselves
 * first, so that the table of all vertices is asked once for each and not once for each
 * corner. */
#include "windings.h"

#include "base/alloc.h"

/* ---- patches ------------------------------------------------------------- */

enum { MOST_CORNERS = 3 * SC_FAMILY, SLOTS = 4096 };

/* Some facets, and the places of their corners, each once. */
typedef struct group {
    uint32_t facet[SC_FAMILY];
    uint32_t facets;
    uint16_t corner[MOST_CORNERS]; /* its place */
    sc_vec3 place[MOST_CORNERS];
    uint16_t parent[MOST_CORNERS]; /* of a place: connected sets */
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

static uint16_t root_of(group *g, uint16_t place)
{
    while (g->parent[place] != place) {
        g->parent[place] = g->parent[g->parent[place]];
        place = g->parent[place];
    }
    return place;
}

static void join(group *g, uint16_t a, uint16_t b)
{
    a = root_of(g, a);
    b = root_of(g, b);
    g->parent[a > b ? a : b] = a < b ? a : b;
}

static void find_places(const sc_windings *w, group *g)
{
    g->places = 0;
    memset(g->slot, 0, sizeof g->slot);
    for (uint32_t i = 0; i < g->facets; i++) {
        sc_vec3 v[3];
        uint16_t *corner = g->corner + 3 * i;
        sc_solid_facet(w->own, g->facet[i], v);
        for (int k = 0; k < 3; k++) {
            corner[k] = place_of_point(g, v[k]);
        }
        join(g, corner[0], corner[1]);
        join(g, corner[1], corner[2]);
    }
}

/* Room for `more` items behind `count`; false if memory ran out. */
static bool make_room(void **items, size_t *capacity, size_t count, size_t more, size_t size)
{
    if (count + more <= *capacity) {
        return true;
    }
    size_t larger = 2 * *capacity + more;
    void *grown = sc_realloc(*items, larger, size);
    if (grown) {
        *items = grown;
        *capacity = larger;
    }
    return grown != NULL;
}

/* For so many facets, and vertices that may be as many patches. */
static bool make_room_for(sc_windings *w, size_t more_facets, size_t more_vertices)
{
    void *patches = w->patches, *facets = w->patch_facets, *vertices = w->patch_vertices;
    bool good = sc_windings_reserve(w, more_vertices) &&
                make_room(&patches, &w->patch_capacity, w->patch_count, more_vertices,
                          sizeof *w->patches) &&
                make_room(&facets, &w->patch_facet_capacity, w->patch_facet_count, more_facets,
                          sizeof *w->patch_facets) &&
                make_room(&vertices, &w->patch_vertex_capacity, w->patch_vertex_count,
                          more_vertices, sizeof *w->patch_vertices);
    w->patches = patches;
    w->patch_facets = facets;
    w->patch_vertices = vertices;
    return good;
}

/* The connected set with this root, as a patch. */
static void add_patch(sc_windings *w, group *g, uint16_t root)
{
    sc_patch *patch = &w->patches[w->patch_count++];
    *patch = (sc_patch){
        .facet = w->patch_facet_count, .vertex = w->patch_vertex_count, .bounds = sc_box_empty()};
    for (uint32_t i = 0; i < g->facets; i++) {
        if (root_of(g, g->corner[3 * i]) == root) {
            w->patch_facets[w->patch_facet_count++] = g->facet[i];
        }
    }
    for (uint32_t i = 0; i < g->places; i++) {
        if (root_of(g, (uint16_t)i) == root) {
            w->patch_vertices[w->patch_vertex_count++] = g->number[i];
            sc_box_add_point(&patch->bounds, g->place[i]);
            sc_windings_unite(w, g->number[root], g->number[i]);
        }
    }
    patch->facets = w->patch_facet_count - patch->facet;
    patch->vertices = w->patch_vertex_count - patch->vertex;
}

static bool add_group(sc_windings *w, group *g)
{
    find_places(w, g);
    if (!make_room_for(w, g->facets, g->places)) {
        return false;
    }
    for (uint32_t i = 0; i < g->places; i++) {
        sc_windings_expect(w, g->place[i]);
    }
    for (uint32_t i = 0; i < g->places; i++) {
        if (!sc_windings_vertex(w, g->place[i], &g->number[i])) {
            return false;
        }
    }
    for (uint32_t i = 0; i < g->places; i++) {
        if (g->parent[i] == i) {
            add_patch(w, g, (uint16_t)i);
        }
    }
    return true;
}

/* Everything below a node. */
static bool add_inside(sc_windings *w, group *g, uint32_t index, int level)
{
    const sc_octree *tree = w->own->tree;
    if (level <= 1) {
        g->facets = sc_octree_facets(tree, level, index, g->facet);
        return add_group(w, g);
    }
    for (uint32_t i = 8 * index; i < 8 * index + 8 && i < tree->count[level - 1]; i++) {
        if (!add_inside(w, g, i, level - 1)) {
            return false;
        }
    }
    return true;
}

/* ---- the search ---------------------------------------------------------- */

typedef enum side { OUTSIDE, INSIDE, MIXED, FAILED } side;

static side side_of(sc_windings *w, const sc_fbox *box, int level, uint32_t index)
{
    bool failed = false;
    int winding;
    sc_vec3 v[3];

    if (!sc_solid_clear_frame(w->other, box->low, box->high, &failed)) {
        return failed ? FAILED : MIXED;
    }
    sc_solid_facet(w->own, sc_octree_some_facet(w->own->tree, level, index), v);
    if (!sc_solid_winding(w->other, v[0], &winding)) {
        return FAILED;
    }
    return winding != 0 ? INSIDE : OUTSIDE;
}

static bool add_leaf(sc_windings *w, const sc_leaf *leaf)
{
    for (int i = 0; i < leaf->count; i++) {
        if (!sc_windings_crossed(w, leaf->triangle[i]) &&
            !sc_windings_add_facet(w, leaf->triangle[i])) {
            return false;
        }
    }
    return true;
}

static bool descend(sc_windings *w, group *g, uint32_t index, int level, const sc_fbox *box,
                    const sc_fbox *other)
{
    side s = sc_fbox_meet(box, other) ? side_of(w, box, level, index) : OUTSIDE;
    if (s == FAILED) {
        return false;
    }
    if (s == OUTSIDE) {
        w->some_outside = true;
        return true;
    }
    if (s == INSIDE) {
        return add_inside(w, g, index, level);
    }
    if (level < 0) {
        return add_leaf(w, sc_octree_leaf(w->own->tree, index));
    }
    const sc_octet *octet = sc_octree_children(w->own->tree, level, index);
    if (!octet) {
        return false;
    }
    for (uint32_t i = 0; i < 8; i++) {
        sc_fbox child = sc_octet_box(octet, i);
        if (child.low[0] <= child.high[0] &&
            !descend(w, g, 8 * index + i, level - 1, &child, other)) {
            return false;
        }
    }
    return true;
}

bool sc_windings_add_rest(sc_windings *w)
{
    const sc_octree *own = w->own->tree, *other = w->other->tree;
    if (own->levels == 0 || other->levels == 0) {
        return true;
    }
    group *g = sc_alloc(1, sizeof *g);
    if (!g) {
        return false;
    }
    sc_fbox root = sc_octet_box(own->octets[own->levels - 1], 0);
    sc_fbox bounds = sc_octet_box(other->octets[other->levels - 1], 0);
    bool good = descend(w, g, 0, own->levels - 1, &root, &bounds);
    sc_free(g);
    return good;
}

/* ---- parts of one shell --------------------------------------------------- */

bool sc_windings_add_whole(sc_windings *w)
{
    const sc_part *part = w->own->part;
    const uint32_t facets = part->mesh->file.facets.count;
    sc_vec3 v[3];
    int winding;

    sc_solid_facet(w->own, 0, v);
    if (!sc_solid_winding(w->other, v[0], &winding)) {
        return false;
    }
    if (winding == 0) {
        w->some_outside = true;
        return true;
    }
    uint32_t number;
    if (!make_room_for(w, facets, 1) || !sc_windings_vertex(w, v[0], &number)) {
        return false;
    }
    for (uint32_t i = 0; i < facets; i++) {
        w->patch_facets[i] = i;
    }
    w->patch_vertices[0] = number;
    w->patches[0] = (sc_patch){.facets = facets, .vertices = 1, .bounds = part->used_bounds};
    w->patch_facet_count = facets;
    w->patch_vertex_count = w->patch_count = 1;
    return true;
}
