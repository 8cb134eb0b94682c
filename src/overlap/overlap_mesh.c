/* overlap_mesh.c - see overlap_mesh.h. */
#include "overlap_mesh.h"

#include "base/alloc.h"
#include "ears.h"
#include "overlap_loops.h"

#include <string.h>

/* A facet as it is found. */
typedef struct found_facet {
    uint32_t vertex[3], region;
} found_facet;

typedef struct collecting {
    const sc_crossings *x;
    const sc_pieces *pieces;
    const sc_overlap *overlap;
    double same; /* points that are no farther apart are so but for rounding, or may as well be */

    found_facet *facets; /* [count] */
    size_t count, capacity;
    sc_vec3 *vertices; /* [vertex_count] each once */
    size_t vertex_count, vertex_capacity;
    uint32_t *slots; /* [slot_count] hash table of their numbers + 1 */
    size_t slot_count;

    sc_overlap_loops loops;
    sc_ears ears;
    sc_flat *flat; /* of the corners of a face */
    size_t *nodes; /* of each of these */
    uint32_t *ends;
    size_t flat_capacity, node_capacity, end_capacity;
} collecting;

/* ---- vertices ---------------------------------------------------------------- */

/* The slot that has the number of a point, or may take it. */
static uint32_t *slot_of(const collecting *c, sc_vec3 p)
{
    size_t slot = (size_t)sc_windings_hash(p) & (c->slot_count - 1);
    while (c->slots[slot] != 0 && !sc_same(c->vertices[c->slots[slot] - 1], p)) {
        slot = (slot + 1) & (c->slot_count - 1);
    }
    return &c->slots[slot];
}

/* Room for so many vertices in all, in a table that is at most half full. */
static bool make_room_for_vertices(collecting *c, size_t count)
{
    size_t slots = c->slot_count > 0 ? c->slot_count : 1024;
    while (slots < 2 * count) {
        slots *= 2;
    }
    if (count >= UINT32_MAX ||
        !sc_make_room(&c->vertices, &c->vertex_capacity, count, sizeof *c->vertices)) {
        return false;
    }
    if (slots == c->slot_count) {
        return true;
    }
    sc_free(c->slots);
    c->slots = sc_calloc(slots, sizeof *c->slots);
    c->slot_count = slots;
    for (size_t i = 0; i < c->vertex_count && c->slots; i++) {
        *slot_of(c, c->vertices[i]) = (uint32_t)i + 1;
    }
    return c->slots != NULL;
}

/* The number of a point, for which there is room. */
static uint32_t number_of(collecting *c, sc_vec3 p)
{
    uint32_t *slot = slot_of(c, p);
    if (*slot == 0) {
        c->vertices[c->vertex_count] = p;
        *slot = (uint32_t)++c->vertex_count;
    }
    return *slot - 1;
}

/* ---- facets ------------------------------------------------------------------ */

/* As often as the other part covers it; turned over if less than never. One with corners in one
 * place leaves no gap. */
static bool add_facet(collecting *c, const sc_vec3 v[3], int times, uint32_t region)
{
    const size_t more = (size_t)(times > 0 ? times : -times);

    if (region == SC_NO_REGION || sc_same(v[0], v[1]) || sc_same(v[1], v[2]) ||
        sc_same(v[2], v[0])) {
        return true;
    }
    if (!make_room_for_vertices(c, c->vertex_count + 3) ||
        !sc_make_room(&c->facets, &c->capacity, c->count + more, sizeof *c->facets)) {
        return false;
    }
    const uint32_t a = number_of(c, v[0]), b = number_of(c, v[1]), d = number_of(c, v[2]);
    for (size_t i = 0; i < more; i++) {
        c->facets[c->count++] = (found_facet){{a, times > 0 ? b : d, times > 0 ? d : b}, region};
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

/* ---- all of it --------------------------------------------------------------- */

/* The facets of each region together, in the order in which they were found. */
static bool sort_by_region(const collecting *c, size_t regions, sc_overlap_mesh *mesh)
{
    size_t *next = mesh->of_region = sc_calloc(regions + 1, sizeof *next);
    mesh->facets = sc_alloc(c->count, sizeof *mesh->facets);
    if (!next || !mesh->facets) {
        return false;
    }
    for (size_t i = 0; i < c->count; i++) {
        next[c->facets[i].region]++;
    }
    for (size_t i = 0, sum = 0; i <= regions; i++) {
        sum += next[i];
        next[i] = sum; /* behind the last, and the first once all are placed */
    }
    for (size_t i = c->count; i-- > 0;) {
        memcpy(mesh->facets[--next[c->facets[i].region]], c->facets[i].vertex,
               sizeof *mesh->facets);
    }
    return true;
}

bool sc_overlap_make_mesh(const sc_crossings *crossings, const sc_pieces *pieces,
                          sc_overlap *overlap)
{
    static const double relative = 0x1p-42;
    collecting c = {.x = crossings,
                    .pieces = pieces,
                    .overlap = overlap,
                    .same = relative * sc_box_reach(&overlap->common)};
    const bool good = add_part(&c, 0) && add_part(&c, 1) &&
                      sort_by_region(&c, overlap->region_count, &overlap->mesh);

    overlap->mesh.vertices = c.vertices;
    overlap->mesh.vertex_count = c.vertex_count;
    sc_ears_free(&c.ears);
    sc_free(c.facets);
    sc_free(c.slots);
    sc_free(c.flat);
    sc_free(c.nodes);
    sc_free(c.ends);
    return good;
}
