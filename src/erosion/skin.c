/* skin.c - see skin.h. */
#include "skin.h"

#include "base/alloc.h"
#include "base/union_find.h"
#include "geom/sos.h"

enum { TRIANGLES_A_POLL = 256 };

/* Pairs of boxes that are compared at most; and triangles, by ways out. */
static const uint64_t most_boxes = 1 << 24, most_triangles = 1 << 28;

void sc_skin_vertices(const sc_skin *skin, uint32_t triangle, sc_vec3 v[3])
{
    if (skin->eroded) {
        sc_erosion_vertices(skin->eroded, triangle, v);
    } else {
        sc_solid_facet(skin->solid, triangle, v);
    }
}

/* ---- pieces ------------------------------------------------------------------------- */

static bool number_vertices(sc_skin *s)
{
    const sc_facets *facets = &s->solid->part->mesh->file.facets;
    if (s->eroded) {
        s->triangles = s->eroded->pieces;
        s->vertices = s->eroded->fans;
        s->vertex = s->eroded->fan;
        return true;
    }
    const bool good = sc_corners_number(facets, &s->corners);
    s->triangles = facets->count;
    s->vertices = s->corners.vertices;
    s->vertex = s->corners.vertex;
    return good;
}

static bool is_left_out(const sc_skin *s, uint32_t triangle)
{
    return s->left_out && s->left_out[triangle];
}

static uint32_t root_of(const sc_skin *s, uint32_t triangle)
{
    return sc_union_root(s->parent, s->vertex[3 * (size_t)triangle]);
}

/* Of a triangle that is not left out. */
static uint32_t piece_of(const sc_skin *s, uint32_t triangle)
{
    return s->number[root_of(s, triangle)] - 1;
}

/* In the order of their first triangles. */
static void number_pieces(sc_skin *s)
{
    for (uint32_t i = 0; i < s->triangles; i++) {
        const uint32_t *v = &s->vertex[3 * (size_t)i];
        if (!is_left_out(s, i)) {
            sc_union_join(s->parent, v[0], v[1]);
            sc_union_join(s->parent, v[0], v[2]);
        }
    }
    for (uint32_t i = 0; i < s->triangles; i++) {
        uint32_t *number = is_left_out(s, i) ? NULL : &s->number[root_of(s, i)];
        if (number && *number == 0) {
            *number = ++s->pieces;
        }
    }
    s->inside = s->pieces;
}

static void find_bounds(sc_skin *s)
{
    for (uint32_t i = 0; i < s->pieces; i++) {
        s->box[i] = sc_box_empty();
    }
    for (uint32_t i = 0; i < s->triangles; i++) {
        sc_vec3 v[3];
        sc_skin_vertices(s, i, v);
        const sc_box box = sc_box_of_points(v, 3);
        sc_box_add_box(&s->bounds, &box);
        if (!is_left_out(s, i)) {
            sc_box_add_box(&s->box[piece_of(s, i)], &box);
        }
    }
}

bool sc_skin_make(const sc_solid *solid, const sc_erosion *eroded, const bool *left_out,
                  sc_skin *skin)
{
    *skin =
        (sc_skin){.solid = solid, .eroded = eroded, .left_out = left_out, .bounds = sc_box_empty()};
    if (!number_vertices(skin)) {
        return false;
    }
    skin->parent = sc_union_make(skin->vertices);
    skin->number = sc_calloc(skin->vertices, sizeof *skin->number);
    if (!skin->parent || !skin->number) {
        return false;
    }
    number_pieces(skin);
    skin->box = sc_alloc(skin->pieces, sizeof *skin->box);
    skin->where = sc_calloc(skin->pieces, sizeof *skin->where);
    if (!skin->box || !skin->where) {
        return false;
    }
    find_bounds(skin);
    return true;
}

void sc_skin_free(sc_skin *skin)
{
    sc_corners_free(&skin->corners);
    sc_free(skin->parent);
    sc_free(skin->number);
    sc_free(skin->box);
    sc_free(skin->where);
    *skin = (sc_skin){.solid = NULL};
}

/* ---- where they lie ------------------------------------------------------------------ */

static void put(sc_skin *s, uint32_t piece, bool outside)
{
    s->where[piece] = outside ? SC_SKIN_OUTSIDE : SC_SKIN_HELD;
    s->inside -= outside;
}

/* The piece of a triangle, if it has one and it is not known where that lies. */
static bool is_open(const sc_skin *s, uint32_t triangle, uint32_t *piece)
{
    if (is_left_out(s, triangle)) {
        return false;
    }
    *piece = piece_of(s, triangle);
    return s->where[*piece] == SC_SKIN_UNKNOWN;
}

bool sc_skin_is_outside(const sc_skin *skin, uint32_t triangle)
{
    return !is_left_out(skin, triangle) && skin->where[piece_of(skin, triangle)] == SC_SKIN_OUTSIDE;
}

/* What an eroded piece, which is closed by itself, winds about lies in its box. */
void sc_skin_tell_by_boxes(sc_skin *skin, const sc_skin *eroded)
{
    if ((uint64_t)skin->pieces * eroded->pieces > most_boxes) {
        return;
    }
    for (uint32_t i = 0; i < skin->pieces; i++) {
        bool held = false;
        for (uint32_t k = 0; k < eroded->pieces && !held; k++) {
            held = sc_box_inside(&skin->box[i], &eroded->box[k]);
        }
        if (!held) {
            put(skin, i, true);
        }
    }
}

/* Whether a point is farther from the surface of a part than `room`; and whether it is outside. */
static bool is_well_away(sc_surface *surface, sc_vec3 p, double room, bool *outside)
{
    const sc_box near = sc_box_grown(&surface->solid->part->used_bounds, room);
    const sc_seek seek = {.enough = room, .hint = UINT32_MAX};
    *outside = true;
    if (!sc_box_holds(&near, p)) {
        return true;
    }
    const bool away = sc_surface_nearest(surface, p, seek).distance > room;
    *outside = away && !sc_surface_surely_contains(surface, p);
    return away;
}

void sc_skin_tell_by_points(sc_skin *skin, sc_surface *other, const sc_poll *poll)
{
    const double room = sc_skin_room(other);
    for (uint32_t i = 0; i < skin->triangles && skin->inside > 0; i++) {
        uint32_t piece;
        if (i % TRIANGLES_A_POLL == 0 && !sc_poll_goes_on(poll)) {
            return;
        }
        if (is_open(skin, i, &piece)) {
            sc_vec3 v[3];
            bool outside;
            sc_skin_vertices(skin, i, v);
            if (is_well_away(other, sc_triangle_middle(v), room, &outside)) {
                put(skin, piece, outside);
            }
        }
    }
}

/* A way out of an eroded surface from a corner of a piece that does not meet it. */
typedef struct way_out {
    sc_vec3 from, to;
    sc_box box;
    uint32_t piece;
    int entered; /* how often it passes the surface inwards, less outwards */
} way_out;

enum { WAYS = 64 }; /* at once */

/* Of pieces that are not known, from triangle *next on; how many. They count as held from then
 * on. */
static uint32_t list_ways(sc_skin *skin, const sc_skin *eroded, double small, uint32_t *next,
                          way_out *ways)
{
    uint32_t count = 0;
    for (; *next < skin->triangles && count < WAYS; ++*next) {
        uint32_t piece;
        if (!is_open(skin, *next, &piece) || sc_box_extent(&skin->box[piece]) <= small) {
            continue;
        }
        sc_vec3 v[3];
        sc_skin_vertices(skin, *next, v);
        const sc_vec3 line[2] = {v[0], sc_box_way_out(&eroded->bounds, v[0], sc_ray_slant)};
        ways[count++] = (way_out){line[0], line[1], sc_box_of_points(line, 2), piece, 0};
        put(skin, piece, false);
    }
    return count;
}

/* False if whoever is polled gives up. */
static bool walk_out(const sc_skin *eroded, way_out *ways, uint32_t count, const sc_poll *poll)
{
    for (uint32_t i = 0; i < eroded->triangles; i++) {
        sc_vec3 v[3];
        if (i % TRIANGLES_A_POLL == 0 && !sc_poll_goes_on(poll)) {
            return false;
        }
        sc_skin_vertices(eroded, i, v);
        const sc_box box = sc_box_of_points(v, 3);
        for (uint32_t k = 0; k < count; k++) {
            way_out *w = &ways[k];
            if (sc_boxes_meet(&box, &w->box)) {
                w->entered += sc_erosion_sign(eroded->eroded, i) *
                              sc_sos_edge_of_a(w->from, w->to, v, &sc_shift_usual);
            }
        }
    }
    return true;
}

/* At the far end the surface winds about nothing. */
void sc_skin_tell_by_windings(sc_skin *skin, const sc_skin *eroded, double small,
                              const sc_poll *poll)
{
    uint64_t looked_at = 0;
    uint32_t next = 0, count = WAYS;
    while (count == WAYS) {
        way_out ways[WAYS];
        count = list_ways(skin, eroded, small, &next, ways);
        looked_at += (uint64_t)count * eroded->triangles;
        if (count == 0 || looked_at > most_triangles || !walk_out(eroded, ways, count, poll)) {
            return;
        }
        for (uint32_t k = 0; k < count; k++) {
            if (ways[k].entered == 0) {
                put(skin, ways[k].piece, true);
            }
        }
    }
}
