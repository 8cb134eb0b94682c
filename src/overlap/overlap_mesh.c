/* overlap_mesh.c - see overlap_mesh.h. */
#include "overlap_mesh.h"

#include "base/alloc.h"
#include "ears.h"
#include "overlap_loops.h"

#include <string.h>

/* A facet as it is found. */
typedef struct piece_of_surface {
    sc_vec3 corner[3];
    uint32_t region;
} facet;

typedef struct collecting {
    const sc_crossings *x;
    const sc_pieces *pieces;
    const sc_overlap *overlap;
    facet *facets;
    size_t count, capacity;
    double same; /* points that are no farther apart are so but for rounding, or may as well be */
    sc_overlap_loops loops;
    sc_ears ears;
    sc_flat *flat; /* of the corners of a face */
    size_t *nodes; /* of each of these */
    uint32_t *ends;
    size_t flat_capacity, node_capacity, end_capacity;
} collecting;

/* ---- facets ------------------------------------------------------------------ */

/* As often as the other part covers it; turned over if less than never. One with corners in one
 * place leaves no gap. */
static bool add_facet(collecting *c, const sc_vec3 v[3], int times, uint32_t region)
{
    const facet f = {{v[0], v[times > 0 ? 1 : 2], v[times > 0 ? 2 : 1]}, region};
    const size_t more = (size_t)(times > 0 ? times : -times);

    if (region == SC_NO_REGION || sc_same(v[0], v[1]) || sc_same(v[1], v[2]) ||
        sc_same(v[2], v[0])) {
        return true;
    }
    if (!sc_make_room(&c->facets, &c->capacity, c->count + more, sizeof *c->facets)) {
        return false;
    }
    for (size_t i = 0; i < more; i++) {
        c->facets[c->count++] = f;
    }
    return true;
}

static uint32_t region_of(const collecting *c, size_t node)
{
    return c->overlap->region_of[c->pieces->of[node]];
}

/* Facets that no crossing is on. */
static bool add_whole(collecting *c, int part, const sc_active *f)
{
    const sc_windings *in = &c->x->windings[part];
    const uint32_t *at = f->vertex;
    const sc_vec3 v[3] = {in->points[at[0]], in->points[at[1]], in->points[at[2]]};
    const int times = in->winding[at[0]];
    return times == 0 || add_facet(c, v, times, region_of(c, sc_pieces_vertex(c->x, part, at[0])));
}

static bool add_patch(collecting *c, int part, size_t number)
{
    const sc_windings *in = &c->x->windings[part];
    const sc_patch *patch = &in->patches[number];
    const uint32_t region = region_of(c, sc_pieces_patch(c->x, part, number));
    bool good = true;

    for (size_t i = patch->facet; i < patch->facet + patch->facets && good; i++) {
        sc_vec3 v[3];
        sc_solid_facet(in->own, in->patch_facets[i], v);
        good = add_facet(c, v, patch->winding, region) && !sc_watch_ends(in->own->watch, i);
    }
    return good;
}

/* ---- facets that are cut ----------------------------------------------------- */

/* What some loops of one region enclose. */
static bool add_face(collecting *c, const sc_loop *loops, size_t count)
{
    const sc_overlap_loops *l = &c->loops;
    size_t corners = 0;
    for (size_t i = 0; i < count; i++) {
        corners += loops[i].end - loops[i].first;
    }
    if (!sc_make_room(&c->flat, &c->flat_capacity, corners, sizeof *c->flat) ||
        !sc_make_room(&c->nodes, &c->node_capacity, corners, sizeof *c->nodes) ||
        !sc_make_room(&c->ends, &c->end_capacity, count, sizeof *c->ends)) {
        return false;
    }
    corners = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t k = loops[i].first; k < loops[i].end; k++, corners++) {
            c->flat[corners] = l->corners[k].at;
            c->nodes[corners] = l->corners[k].node;
        }
        c->ends[i] = (uint32_t)corners;
    }
    const sc_face face = {c->flat, c->ends, (uint32_t)count, c->same};
    bool good = sc_ears_cut(&c->ears, &face, c->x->solid[0]->watch);
    for (size_t i = 0; i < c->ears.count && good; i++) {
        sc_vec3 v[3];
        for (int k = 0; k < 3; k++) {
            v[k] = sc_overlap_loops_point(l, c->nodes[c->ears.triangles[i][k]]);
        }
        good = add_facet(c, v, 1, loops->region);
    }
    return good;
}

static bool add_crossed(collecting *c, const sc_active *f)
{
    const sc_overlap_loops *l = &c->loops;
    bool good = sc_overlap_loops_find(&c->loops, f);

    for (size_t first = 0, end; first < l->count && good; first = end) {
        const uint32_t region = l->loops[first].region;
        for (end = first + 1; end < l->count && l->loops[end].region == region;) {
            end++;
        }
        good = region == SC_NO_REGION || add_face(c, l->loops + first, end - first);
    }
    return good;
}

static bool add_part(collecting *c, int part)
{
    const sc_windings *in = &c->x->windings[part];
    bool good = sc_overlap_loops_begin(c->x, c->pieces, c->overlap->region_of, part, &c->loops);

    for (size_t i = 0; i < in->count && good; i++) {
        const sc_active *f = &in->facets[i];
        good = i >= in->crossed && sc_crossings_spare(c->x, part, f) ? add_whole(c, part, f)
                                                                     : add_crossed(c, f);
        good = good && !sc_watch_ends(in->own->watch, i);
    }
    for (size_t i = 0; i < in->patch_count && good; i++) {
        good = add_patch(c, part, i);
    }
    sc_overlap_loops_free(&c->loops);
    return good;
}

/* ---- vertices ---------------------------------------------------------------- */

/* The numbers of points, + 1, by their hash. */
typedef struct numbers {
    uint32_t *slots;
    size_t mask;
} numbers;

static uint32_t number_of(sc_overlap_mesh *mesh, const numbers *n, sc_vec3 p)
{
    size_t slot = (size_t)sc_windings_hash(p) & n->mask;
    while (n->slots[slot] != 0 && !sc_same(mesh->vertices[n->slots[slot] - 1], p)) {
        slot = (slot + 1) & n->mask;
    }
    if (n->slots[slot] == 0) {
        mesh->vertices[mesh->vertex_count] = p;
        n->slots[slot] = (uint32_t)++mesh->vertex_count;
    }
    return n->slots[slot] - 1;
}

/* Where the facets of each region go; afterwards of_region[i] is where those of i end. */
static void place_facets(const collecting *c, const numbers *n, sc_overlap_mesh *mesh)
{
    size_t first = 0;
    for (size_t i = 0; i < c->count; i++) {
        mesh->of_region[c->facets[i].region]++;
    }
    for (size_t i = 0; i <= c->overlap->region_count; i++) {
        const size_t count = mesh->of_region[i];
        mesh->of_region[i] = first;
        first += count;
    }
    for (size_t i = 0; i < c->count; i++) {
        uint32_t *f = mesh->facets[mesh->of_region[c->facets[i].region]++];
        for (int k = 0; k < 3; k++) {
            f[k] = number_of(mesh, n, c->facets[i].corner[k]);
        }
    }
}

static bool make_mesh(const collecting *c, sc_overlap_mesh *mesh)
{
    const size_t regions = c->overlap->region_count;
    size_t slots = 2;
    while (slots < 4 * c->count) {
        slots *= 2;
    }
    const numbers n = {sc_calloc(slots, sizeof *n.slots), slots - 1};
    size_t capacity = 3 * c->count;
    mesh->vertices = sc_alloc(capacity, sizeof *mesh->vertices);
    mesh->facets = sc_alloc(c->count, sizeof *mesh->facets);
    mesh->of_region = sc_calloc(regions + 1, sizeof *mesh->of_region);
    const bool good =
        n.slots && mesh->vertices && mesh->facets && mesh->of_region && capacity <= UINT32_MAX;
    if (good) {
        place_facets(c, &n, mesh);
        memmove(mesh->of_region + 1, mesh->of_region, regions * sizeof *mesh->of_region);
        mesh->of_region[0] = 0;
        (void)sc_resize(&mesh->vertices, &capacity, mesh->vertex_count, sizeof *mesh->vertices);
    }
    sc_free(n.slots);
    return good;
}

/* ---- all of it --------------------------------------------------------------- */

bool sc_overlap_make_mesh(const sc_crossings *crossings, const sc_pieces *pieces,
                          sc_overlap *overlap)
{
    static const double relative = 0x1p-42;
    const double reach = sc_box_reach(&overlap->common);
    collecting c = {.x = crossings, .pieces = pieces, .overlap = overlap, .same = relative * reach};
    const bool good = add_part(&c, 0) && add_part(&c, 1) && make_mesh(&c, &overlap->mesh);

    sc_ears_free(&c.ears);
    sc_free(c.facets);
    sc_free(c.flat);
    sc_free(c.nodes);
    sc_free(c.ends);
    return good;
}
