/* eroded_rest.c - see eroded_rest.h. */
#include "eroded_rest.h"

#include "base/alloc.h"
#include "base/union_find.h"
#include "broad.h"
#include "region_near.h"
#include "regional.h"
#include "skin.h"

/* ---- the deepest place ------------------------------------------------------------ */

typedef struct placing {
    sc_surface other;
    uint32_t hint;
    sc_vec3 at;
} placing;

static void take_deeper(placing *p, sc_vec3 at, sc_vec3 *place, double *depth)
{
    const sc_seek seek = {.enough = *depth, .hint = p->hint};
    const sc_nearest nearest = sc_surface_nearest(&p->other, at, seek);
    p->hint = nearest.facet;
    if (nearest.distance > *depth &&
        sc_surface_contains(&p->other, sc_surface_tidy(&p->other, at))) {
        *place = at;
        *depth = nearest.distance;
    }
}

static void take_deeper_of(void *context, sc_erosion_region *region)
{
    placing *p = context;
    take_deeper(p, p->at, &region->place, &region->depth);
}

/* Of all, or of each region that may hold it. */
static void take_place(const sc_erosion_proof *proof, int i, uint32_t facet, placing *p, sc_vec3 at)
{
    if (proof->rest) {
        take_deeper(p, at, &proof->rest->place, &proof->rest->depth);
    }
    if (proof->regions) {
        p->at = at;
        sc_region_at(proof->regions, i, facet, at, take_deeper_of, p);
    }
}

bool sc_eroded_rest_place(const sc_erosion_proof *proof, int i, const sc_eroded_pairs *met)
{
    enum { PAIRS_A_POLL = 256 };
    const bool tells = proof->rest || proof->regions;
    placing p = {.other = sc_erosion_surface(proof, 1 - i), .hint = UINT32_MAX};

    for (size_t k = 0; tells && k < met->count; k++) {
        const uint32_t facet = met->facet[k][0];
        sc_vec3 v[3];
        if (k % PAIRS_A_POLL == 0 && !sc_poll_goes_on(&proof->poll)) {
            break;
        }
        if (k > 0 && facet == met->facet[k - 1][0]) {
            continue;
        }
        sc_solid_facet(proof->solid[i], facet, v);
        for (int n = 0; n < 3; n++) {
            const sc_vec3 half = sc_scale(sc_sub(v[(n + 1) % 3], v[n]), 0.5);
            take_place(proof, i, facet, &p, v[n]);
            take_place(proof, i, facet, &p, sc_add(v[n], half));
        }
    }
    return !p.other.failed;
}

bool sc_eroded_is_refuted(const sc_erosion_proof *proof)
{
    return (proof->rest && proof->rest->depth > proof->limit) ||
           (proof->regions && sc_regional_is_refuted(proof->regions));
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
    uint32_t left;    /* of these, in all */
    sc_box *about;    /* [left] about each of them; NULL: they are too many */
    uint32_t *parent; /* [left] in one set with those that hang together with it */
    uint32_t *number; /* [left] of the box around these, by root, from 1 on; 0: it has none */
    uint64_t joined;
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
    uint32_t count = 0;
    for (int side = 0; side < 2; side++) {
        for (uint32_t i = 0; i < s->skin[side].triangles; i++) {
            if (!sc_skin_is_outside(&s->skin[side], i)) {
                sc_vec3 v[3];
                sc_skin_vertices(&s->skin[side], i, v);
                const sc_box box = sc_box_of_points(v, 3);
                s->about[count++] = sc_box_grown(&box, room);
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
static bool put_together(search *s, sc_erosion_rest *rest, double limit)
{
    for (uint32_t i = 0; i < s->left; i++) {
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

/* Whether the boxes are far less than the place where the parts' boxes meet. */
static bool are_little(const sc_erosion_rest *rest, const sc_erosion_proof *proof)
{
    enum { FAR_LESS = 8 };
    const sc_box own = sc_erosion_box(proof, 0), other = sc_erosion_box(proof, 1);
    const sc_box common = sc_boxes_common(&own, &other);
    double sum = 0.0;
    for (size_t k = 0; k < rest->boxes; k++) {
        sum += sc_box_volume(&rest->box[k]);
    }
    return FAR_LESS * sum <= sc_box_volume(&common);
}

/* Of triangles that may matter, those hang together whose boxes meet: so do those of triangles that
 * have any point in common, as where a surface passes through itself. *all: there was time for all.
 * False if memory ran out. */
static bool join_left(search *s, const sc_erosion_proof *proof, bool *all)
{
    s->parent = sc_union_make(s->left);
    *all = s->parent && sc_broad_sweep(s->about, s->left, proof->watch, join, s);
    return *all || (s->parent && (s->joined == most_joined || sc_watch_was_over(proof->watch)));
}

/* No boxes, if they are too many. False if memory ran out. */
static bool make_boxes(search *s, const sc_erosion_proof *proof)
{
    sc_erosion_rest *rest = proof->rest;
    rest->box = rest->box ? rest->box : sc_alloc(MOST_BOXES, sizeof *rest->box);
    s->number = sc_calloc(s->left, sizeof *s->number);
    if (!rest->box || !s->number) {
        return false;
    }
    rest->boxes = put_together(s, rest, proof->limit) && are_little(rest, proof) ? rest->boxes : 0;
    return true;
}

static bool close_regions(search *s, const sc_erosion_proof *proof)
{
    const sc_regional_left left = {s->about, s->parent, s->left};
    return sc_regional_close(proof, &left);
}

/* Boxes about all that is left. False if memory ran out. */
static bool find_left(search *s, const sc_erosion_proof *proof, int i)
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
    s->left = count_left(s);
    if (s->left <= MOST_TRIANGLES) {
        s->about = sc_alloc(s->left, sizeof *s->about);
        if (!s->about) {
            return false;
        }
        list_about(s, sc_skin_room(&surface));
    }
    return !surface.failed;
}

static void free_search(search *s)
{
    for (int side = 0; side < 2; side++) {
        sc_skin_free(&s->skin[side]);
        sc_free(s->meets[side]);
    }
    sc_free(s->about);
    sc_free(s->parent);
    sc_free(s->number);
}

bool sc_eroded_rest_boxes(const sc_erosion_proof *proof, int i, const sc_erosion *eroded,
                          const sc_eroded_pairs *met)
{
    search s = {.eroded = eroded, .met = met};
    sc_erosion_rest *rest = proof->rest;
    bool good = find_left(&s, proof, i), all = false;
    if (good && s.about) {
        good = join_left(&s, proof, &all);
    }
    if (rest) {
        rest->boxes = 0;
        rest->pairs = met->count;
        rest->triangles = s.left;
    }
    if (good && all && rest) {
        good = make_boxes(&s, proof);
    }
    if (good && all && proof->regions) {
        good = close_regions(&s, proof);
    }
    free_search(&s);
    return good;
}

bool sc_eroded_rest_tell(const sc_erosion_proof *proof, int i, const sc_erosion *eroded,
                         const sc_eroded_pairs *met, bool *shallow)
{
    const sc_erosion_rest *rest = proof->rest;
    bool good = true;
    if (!met->complete || sc_eroded_is_refuted(proof)) {
        return true;
    }
    if (!rest || rest->boxes == 0 || met->count < rest->pairs) {
        good = sc_eroded_rest_boxes(proof, i, eroded, met);
    }
    *shallow = proof->regions && sc_regional_boxes(proof->regions) == 0;
    return good;
}
