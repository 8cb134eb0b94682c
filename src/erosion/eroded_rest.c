/* eroded_rest.c - see eroded_rest.h. */
#include "eroded_rest.h"

#include "base/alloc.h"
#include "base/union_find.h"
#include "broad.h"
#include "skin.h"

/* ---- the deepest place ------------------------------------------------------------ */

bool sc_eroded_rest_place(const sc_erosion_proof *proof, int i, const sc_eroded_pairs *met)
{
    enum { PLACES = 6 };
    sc_erosion_rest *rest = proof->rest;
    sc_surface other = sc_erosion_surface(proof, 1 - i);
    sc_seek seek = {.hint = UINT32_MAX};

    for (size_t k = 0; rest && k < met->count; k++) {
        const uint32_t facet = met->facet[k][0];
        sc_vec3 v[PLACES];
        if (k > 0 && facet == met->facet[k - 1][0]) {
            continue;
        }
        sc_solid_facet(proof->solid[i], facet, v);
        for (int n = 0; n < 3; n++) {
            v[3 + n] = sc_mul_add(v[n], 0.5, sc_sub(v[(n + 1) % 3], v[n]));
        }
        for (int n = 0; n < PLACES; n++) {
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

enum { MOST_BOXES = 1024, MOST_TRIANGLES = 1 << 17 };

/* Pairs of boxes that are joined at most. */
static const uint64_t most_joined = 1 << 25;

/* Both surfaces: [0] the eroded one, [1] the other; and the boxes about those of their triangles of
 * which some may be in what both have in common, or in its border. */
typedef struct search {
    const sc_erosion *eroded;
    const sc_eroded_pairs *met;
    bool *meets[2]; /* [triangles] of each: whether it may meet the other surface */
    sc_skin skin[2];
    sc_box *about; /* [count] */
    uint32_t count;
    uint32_t *parent; /* [count] in one set with those that hang together with it */
    uint32_t *number; /* [count] of the box around these, by root, from 1 on; 0: it has none */
    uint64_t joined;
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

static uint32_t count_left(const search *s)
{
    uint32_t count = 0;
    for (int side = 0; side < 2; side++) {
        for (uint32_t i = 0; i < s->skin[side].triangles; i++) {
            count += !sc_skin_is_outside(&s->skin[side], i);
        }
    }
    return count;
}

/* With `room` on all sides. */
static void list_about(search *s, double room)
{
    for (int side = 0; side < 2; side++) {
        for (uint32_t i = 0; i < s->skin[side].triangles; i++) {
            if (!sc_skin_is_outside(&s->skin[side], i)) {
                sc_vec3 v[3];
                sc_skin_vertices(&s->skin[side], i, v);
                const sc_box box = sc_box_of_points(v, 3);
                s->about[s->count++] = sc_box_grown(&box, room);
            }
        }
    }
}

static bool join(void *context, uint32_t a, uint32_t b)
{
    search *s = context;
    sc_union_join(s->parent, a, b);
    return ++s->joined < most_joined;
}

/* Around those that hang together, and the limit about them. False if they are too many. */
static bool put_together(search *s, double limit)
{
    sc_erosion_rest *rest = s->rest;
    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t *number = &s->number[sc_union_root(s->parent, i)];
        const sc_box within = sc_box_grown(&s->about[i], limit);
        if (*number == 0) {
            if (rest->boxes == MOST_BOXES) {
                return false;
            }
            rest->box[rest->boxes++] = within;
            *number = (uint32_t)rest->boxes;
        }
        sc_box_add_box(&rest->box[*number - 1], &within);
    }
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

/* Of triangles that may matter, those hang together whose boxes meet: so do those of triangles that
 * have any point in common, as where a surface passes through itself. No boxes, if they are too
 * many. False if memory ran out. */
static bool find_boxes(search *s, const sc_erosion_proof *proof, double room)
{
    const uint32_t left = count_left(s);
    sc_erosion_rest *rest = s->rest;
    rest->triangles = left;
    if (left > MOST_TRIANGLES) {
        return true;
    }
    rest->box = rest->box ? rest->box : sc_alloc(MOST_BOXES, sizeof *rest->box);
    s->about = sc_alloc(left, sizeof *s->about);
    s->parent = sc_union_make(left);
    s->number = sc_calloc(left, sizeof *s->number);
    if (!rest->box || !s->about || !s->parent || !s->number) {
        return false;
    }
    list_about(s, room);
    const bool all = sc_broad_sweep(s->about, s->count, proof->watch, join, s);
    const bool told = all && put_together(s, proof->limit) && are_little(rest, proof);
    rest->boxes = told ? rest->boxes : 0;
    return all || s->joined == most_joined || sc_watch_was_over(proof->watch);
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
    sc_skin_tell_by_points(&s->skin[0], &surface, &proof->poll);
    sc_skin_tell_by_windings(&s->skin[1], &s->skin[0], SMALL * proof->limit, &proof->poll);
    return find_boxes(s, proof, sc_skin_room(&surface)) && !surface.failed;
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
    sc_free(s.about);
    sc_free(s.parent);
    sc_free(s.number);
    return good;
}

bool sc_eroded_rest_tell(const sc_erosion_proof *proof, int i, const sc_erosion *eroded,
                         const sc_eroded_pairs *met)
{
    const sc_erosion_rest *rest = proof->rest;
    const bool is_of_use = rest && rest->depth <= proof->limit && met->complete &&
                           (rest->boxes == 0 || met->count < rest->pairs);
    return !is_of_use || sc_eroded_rest_boxes(proof, i, eroded, met);
}
