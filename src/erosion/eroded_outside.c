/* eroded_outside.c - see eroded_outside.h.
 *
 * Surfaces that have no point in common wind about all of a piece as often, so a point of it tells.
 * What the part is eroded to is closed as it is placed, so there any point will do; the other part
 * may be so but for rounding, where T-junctions close it. */
#include "eroded_outside.h"

#include "base/alloc.h"
#include "base/union_find.h"
#include "corners.h"
#include "geom/sos.h"
#include "solids/surface.h"

enum { TRIANGLES_A_POLL = 256 };

/* Pairs of boxes that are compared at most; and triangles, by ways out. */
static const uint64_t most_boxes = 1 << 24, most_triangles = 1 << 28;

/* The surface of a part in triangles, as it is or eroded, and its pieces: those that have a vertex
 * in common hang together. */
typedef struct skin {
    const sc_solid *solid;
    const sc_erosion *eroded; /* or NULL */
    sc_corners corners;       /* where it is as it is */
    const uint32_t *vertex;   /* [3 * triangles] of each corner */
    uint32_t triangles, vertices;
    uint32_t *parent; /* [vertices] in one set with those of its piece, which go by their roots */
    sc_box *box;      /* [vertices] of pieces, by root */
    bool *outside;    /* [vertices] known to be, by root */
    uint32_t *piece;  /* [pieces] roots */
    uint32_t pieces, inside; /* of them: those not known to be outside */
    sc_box bounds;           /* of all */
} skin;

static uint32_t piece_of(const skin *s, uint32_t triangle)
{
    return sc_union_root(s->parent, s->vertex[3 * (size_t)triangle]);
}

static void vertices_of(const skin *s, uint32_t triangle, sc_vec3 v[3])
{
    if (s->eroded) {
        sc_erosion_vertices(s->eroded, triangle, v);
    } else {
        sc_solid_facet(s->solid, triangle, v);
    }
}

/* ---- pieces ------------------------------------------------------------------------- */

static bool number_vertices(skin *s)
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

static void find_pieces(skin *s)
{
    for (size_t i = 0; i < s->triangles; i++) {
        sc_union_join(s->parent, s->vertex[3 * i], s->vertex[3 * i + 1]);
        sc_union_join(s->parent, s->vertex[3 * i], s->vertex[3 * i + 2]);
    }
    for (uint32_t i = 0; i < s->vertices; i++) {
        s->box[i] = sc_box_empty();
    }
    for (uint32_t i = 0; i < s->triangles; i++) {
        const uint32_t root = piece_of(s, i);
        sc_vec3 v[3];
        vertices_of(s, i, v);
        const sc_box box = sc_box_of_points(v, 3);
        if (sc_box_is_empty(&s->box[root])) {
            s->piece[s->pieces++] = root;
        }
        sc_box_add_box(&s->box[root], &box);
        sc_box_add_box(&s->bounds, &box);
    }
    s->inside = s->pieces;
}

/* False if memory ran out; free in any case. */
static bool skin_make(const sc_solid *solid, const sc_erosion *eroded, skin *s)
{
    *s = (skin){.solid = solid, .eroded = eroded, .bounds = sc_box_empty()};
    if (!number_vertices(s)) {
        return false;
    }
    s->parent = sc_union_make(s->vertices);
    s->box = sc_alloc(s->vertices, sizeof *s->box);
    s->outside = sc_calloc(s->vertices, sizeof *s->outside);
    s->piece = sc_alloc(s->vertices, sizeof *s->piece);
    const bool good = s->parent && s->box && s->outside && s->piece;
    if (good) {
        find_pieces(s);
    }
    return good;
}

static void skin_free(skin *s)
{
    sc_corners_free(&s->corners);
    sc_free(s->parent);
    sc_free(s->box);
    sc_free(s->outside);
    sc_free(s->piece);
}

/* ---- outside ------------------------------------------------------------------------- */

static void put_outside(skin *s, uint32_t piece)
{
    s->outside[piece] = true;
    s->inside--;
}

/* What an eroded piece, which is closed by itself, winds about lies in its box. */
static void tell_by_boxes(skin *s, const skin *eroded)
{
    if ((uint64_t)s->pieces * eroded->pieces > most_boxes) {
        return;
    }
    for (uint32_t i = 0; i < s->pieces; i++) {
        const sc_box *box = &s->box[s->piece[i]];
        bool held = false;
        for (uint32_t k = 0; k < eroded->pieces && !held; k++) {
            held = sc_box_inside(box, &eroded->box[eroded->piece[k]]);
        }
        if (!held) {
            put_outside(s, s->piece[i]);
        }
    }
}

/* Whether a point is farther from a part than `room`, and outside. */
static bool is_well_outside(sc_surface *surface, sc_vec3 p, double room)
{
    const sc_box near = sc_box_grown(&surface->solid->part->used_bounds, room);
    const sc_seek seek = {.enough = room, .hint = UINT32_MAX};
    return !sc_box_holds(&near, p) || (sc_surface_nearest(surface, p, seek).distance > room &&
                                       !sc_surface_surely_contains(surface, p));
}

/* By the middle of some triangle of each piece. */
static void tell_by_points(skin *s, sc_surface *other, const sc_poll *poll)
{
    const double room = 4.0 * other->margin; /* more than rounding leaves open at T-junctions */
    for (uint32_t i = 0; i < s->triangles && s->inside > 0; i++) {
        const uint32_t piece = piece_of(s, i);
        if (i % TRIANGLES_A_POLL == 0 && !sc_poll_goes_on(poll)) {
            return;
        }
        if (!s->outside[piece]) {
            sc_vec3 v[3];
            vertices_of(s, i, v);
            const sc_vec3 middle = sc_triangle_middle(v);
            if (is_well_outside(other, middle, room)) {
                put_outside(s, piece);
            }
        }
    }
}

/* How often an eroded surface winds about a point that it does not pass through. */
static int winding_about(const skin *eroded, sc_vec3 p)
{
    const sc_vec3 line[2] = {p, sc_box_way_out(&eroded->bounds, p, sc_ray_slant)};
    const sc_box way = sc_box_of_points(line, 2);
    int entered = 0;
    for (uint32_t i = 0; i < eroded->triangles; i++) {
        sc_vec3 v[3];
        vertices_of(eroded, i, v);
        const sc_box box = sc_box_of_points(v, 3);
        if (sc_boxes_meet(&box, &way)) {
            entered += sc_erosion_sign(eroded->eroded, i) *
                       sc_sos_edge_of_a(line[0], line[1], v, &sc_shift_usual);
        }
    }
    return -entered; /* outside, at the far end, it is 0 */
}

/* By a corner of each piece. */
static void tell_by_windings(skin *s, const skin *eroded, const sc_poll *poll)
{
    uint64_t looked_at = 0;
    for (uint32_t i = 0; i < s->triangles && s->inside > 0; i++) {
        const uint32_t piece = piece_of(s, i);
        if (s->outside[piece]) {
            continue;
        }
        sc_vec3 v[3];
        vertices_of(s, i, v);
        looked_at += eroded->triangles;
        if (looked_at > most_triangles || !sc_poll_goes_on(poll) || winding_about(eroded, v[0])) {
            return;
        }
        put_outside(s, piece);
    }
}

/* Whether no piece of a part lies in what the other one is eroded to. */
static bool lies_outside(const sc_solid *solid, const skin *eroded, const sc_poll *poll,
                         bool *outside)
{
    skin s;
    const bool good = skin_make(solid, NULL, &s);
    if (good) {
        tell_by_boxes(&s, eroded);
        tell_by_windings(&s, eroded, poll);
    }
    *outside = good && s.inside == 0;
    skin_free(&s);
    return good;
}

bool sc_eroded_outside(sc_solid *const solid[2], int i, const sc_erosion *eroded,
                       const sc_poll *poll, bool *outside)
{
    const double reach = sc_parts_reach(solid[0]->part, solid[1]->part);
    sc_surface other = {.solid = solid[1 - i], .margin = reach * SC_SURFACE_MARGIN};
    skin own;
    bool good = skin_make(solid[i], eroded, &own);
    *outside = false;
    if (good) {
        tell_by_points(&own, &other, poll);
        good = !other.failed && (own.inside > 0 || lies_outside(solid[1 - i], &own, poll, outside));
    }
    skin_free(&own);
    return good;
}
