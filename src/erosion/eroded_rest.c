/* eroded_rest.c - see eroded_rest.h. */
#include "eroded_rest.h"

#include "base/alloc.h"
#include "base/union_find.h"
#include "skin.h"

/* ---- the deepest corner ----------------------------------------------------------- */

static bool find_corner(const sc_erosion_proof *proof, int i, const sc_eroded_pairs *met)
{
    sc_erosion_rest *rest = proof->rest;
    sc_surface other = sc_erosion_surface(proof, 1 - i);
    sc_seek seek = {.hint = UINT32_MAX};

    for (size_t k = 0; k < met->count; k++) {
        const uint32_t facet = met->facet[k][0];
        sc_vec3 v[3];
        if (k > 0 && facet == met->facet[k - 1][0]) {
            continue;
        }
        sc_solid_facet(proof->solid[i], facet, v);
        for (int n = 0; n < 3; n++) {
            seek.enough = rest->depth;
            const sc_nearest nearest = sc_surface_nearest(&other, v[n], seek);
            seek.hint = nearest.facet;
            if (nearest.distance > rest->depth &&
                sc_surface_contains(&other, sc_surface_tidy(&other, v[n]))) {
                rest->place = v[n];
                rest->depth = nearest.distance;
            }
        }
    }
    return !other.failed;
}

/* ---- boxes around all there is ------------------------------------------------------ */

enum { MOST_BOXES = 1024 };

/* Both surfaces: [0] the eroded one, [1] the other. Triangles that matter hang together where they
 * have a vertex in common, or meet. */
typedef struct search {
    const sc_erosion *eroded;
    const sc_eroded_pairs *met;
    bool *meets[2]; /* [triangles] of each: whether it may meet the other surface */
    sc_skin skin[2];
    uint32_t *parent; /* [vertices of both] */
    uint32_t *number; /* [vertices of both] of the box, by root, from 1 on; 0: it has none */
    sc_erosion_rest *rest;
} search;

static bool mark_meeting(search *s, uint32_t facets)
{
    s->meets[0] = sc_calloc(s->eroded->pieces, sizeof *s->meets[0]);
    s->meets[1] = sc_calloc(facets, sizeof *s->meets[1]);
    const bool good = s->meets[0] && s->meets[1];
    for (size_t k = 0; k < s->met->count && good; k++) {
        uint32_t first, left = sc_erosion_pieces(s->eroded, s->met->facet[k][0], &first);
        for (; left > 0; left--) {
            s->meets[0][first + left - 1] = true;
        }
        s->meets[1][s->met->facet[k][1]] = true;
    }
    return good;
}

/* Whether some of a triangle may be in what both have in common, or in its border. */
static bool matters(const search *s, int side, uint32_t triangle)
{
    const sc_skin *skin = &s->skin[side];
    return s->meets[side][triangle] ||
           skin->where[sc_skin_piece(skin, triangle)] != SC_SKIN_OUTSIDE;
}

/* Of a corner, among those of both. */
static uint32_t vertex_of(const search *s, int side, uint32_t triangle, int k)
{
    const uint32_t of_skin = s->skin[side].vertex[3 * (size_t)triangle + (size_t)k];
    return side == 0 ? of_skin : s->skin[0].vertices + of_skin;
}

static void join_all(search *s)
{
    for (int side = 0; side < 2; side++) {
        for (uint32_t i = 0; i < s->skin[side].triangles; i++) {
            if (matters(s, side, i)) {
                const uint32_t v = vertex_of(s, side, i, 0);
                sc_union_join(s->parent, v, vertex_of(s, side, i, 1));
                sc_union_join(s->parent, v, vertex_of(s, side, i, 2));
            }
        }
    }
    for (size_t k = 0; k < s->met->count; k++) {
        uint32_t first, left = sc_erosion_pieces(s->eroded, s->met->facet[k][0], &first);
        for (; left > 0; left--) {
            sc_union_join(s->parent, vertex_of(s, 0, first + left - 1, 0),
                          vertex_of(s, 1, s->met->facet[k][1], 0));
        }
    }
}

/* Of those that hang together. False if they are too many. */
static bool add_to_box(search *s, int side, uint32_t triangle, double limit)
{
    uint32_t *number = &s->number[sc_union_root(s->parent, vertex_of(s, side, triangle, 0))];
    sc_erosion_rest *rest = s->rest;
    sc_vec3 v[3];
    sc_skin_vertices(&s->skin[side], triangle, v);
    const sc_box box = sc_box_of_points(v, 3), within = sc_box_grown(&box, limit);

    if (*number == 0) {
        if (rest->boxes == MOST_BOXES) {
            return false;
        }
        rest->box[rest->boxes++] = within;
        *number = (uint32_t)rest->boxes;
    }
    sc_box_add_box(&rest->box[*number - 1], &within);
    return true;
}

static double volume_of(const sc_box *box)
{
    return (box->high[0] - box->low[0]) * (box->high[1] - box->low[1]) *
           (box->high[2] - box->low[2]);
}

/* Whether the boxes are far less than the place where the parts' boxes meet. */
static bool are_little(const sc_erosion_rest *rest, const sc_erosion_proof *proof)
{
    enum { FAR_LESS = 8 };
    const sc_box own = sc_erosion_box(proof, 0), other = sc_erosion_box(proof, 1);
    const sc_box common = sc_boxes_common(&own, &other);
    double sum = 0.0;
    for (size_t k = 0; k < rest->boxes; k++) {
        sum += volume_of(&rest->box[k]);
    }
    return FAR_LESS * sum <= volume_of(&common);
}

static void list_boxes(search *s, const sc_erosion_proof *proof)
{
    bool told = true;
    for (int side = 0; side < 2; side++) {
        for (uint32_t i = 0; i < s->skin[side].triangles && told; i++) {
            told = !matters(s, side, i) || add_to_box(s, side, i, proof->limit);
        }
    }
    s->rest->boxes = told && are_little(s->rest, proof) ? s->rest->boxes : 0;
}

static bool find(search *s, const sc_erosion_proof *proof, int i)
{
    enum { SMALL = 8 }; /* times the limit: it costs little to look there for what is deep */
    const sc_solid *other = proof->solid[1 - i];
    sc_surface surface = sc_erosion_surface(proof, 1 - i);

    if (!mark_meeting(s, other->part->mesh->file.facets.count) ||
        !sc_skin_make(proof->solid[i], s->eroded, s->meets[0], &s->skin[0]) ||
        !sc_skin_make(other, NULL, s->meets[1], &s->skin[1])) {
        return false;
    }
    const uint32_t vertices = s->skin[0].vertices + s->skin[1].vertices;
    s->parent = sc_union_make(vertices);
    s->number = sc_calloc(vertices, sizeof *s->number);
    s->rest->box = s->rest->box ? s->rest->box : sc_alloc(MOST_BOXES, sizeof *s->rest->box);
    if (!s->parent || !s->number || !s->rest->box) {
        return false;
    }
    sc_skin_tell_by_points(&s->skin[0], &surface, &proof->poll);
    sc_skin_tell_by_windings(&s->skin[1], &s->skin[0], SMALL * proof->limit, &proof->poll);
    join_all(s);
    list_boxes(s, proof);
    return !surface.failed;
}

bool sc_eroded_rest_boxes(const sc_erosion_proof *proof, int i, const sc_erosion *eroded,
                          const sc_eroded_pairs *met)
{
    search s = {.eroded = eroded, .met = met, .rest = proof->rest};
    s.rest->boxes = 0;
    s.rest->pairs = met->count;
    const bool good = find(&s, proof, i);
    for (int side = 0; side < 2; side++) {
        sc_skin_free(&s.skin[side]);
        sc_free(s.meets[side]);
    }
    sc_free(s.parent);
    sc_free(s.number);
    return good;
}

bool sc_eroded_rest_tell(const sc_erosion_proof *proof, int i, const sc_erosion *eroded,
                         const sc_eroded_pairs *met)
{
    const sc_erosion_rest *rest = proof->rest;
    if (!rest) {
        return true;
    }
    if (!find_corner(proof, i, met)) {
        return false;
    }
    const bool is_less = rest->boxes == 0 || met->count < rest->pairs;
    const bool is_of_use = eroded && rest->depth <= proof->limit && met->count < met->most;
    return !is_of_use || !is_less || sc_eroded_rest_boxes(proof, i, eroded, met);
}
