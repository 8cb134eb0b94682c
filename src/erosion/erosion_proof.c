/* erosion_proof.c - see erosion_proof.h. */
#include "erosion_proof.h"

#include "away.h"
#include "base/alloc.h"
#include "demands.h"
#include "eroded_outside.h"
#include "geom/tri_intersect.h"
#include "solids/surface.h"

enum { FACETS_A_POLL = 256 };

static double reach_of(const sc_erosion_proof *proof)
{
    return sc_parts_reach(proof->solid[0]->part, proof->solid[1]->part);
}

/* Nothing that is displaced comes into a part unless it was in there. */
static sc_box box_about(const sc_erosion_proof *proof, int i)
{
    return sc_box_grown(&proof->solid[i]->part->used_bounds, proof->limit);
}

static sc_surface surface_of(const sc_erosion_proof *proof, int i)
{
    return (sc_surface){.solid = proof->solid[i], .margin = reach_of(proof) * SC_SURFACE_MARGIN};
}

/* ---- at rest ------------------------------------------------------------------------ */

/* A piece of an eroded facet, held against the other part. */
typedef struct held {
    sc_vec3 v[3];
    uint32_t facet;
    sc_eroded_pairs *met; /* or NULL: the first one that it meets tells */
    bool meets;
} held;

/* Whether more pairs are wanted. */
static bool wants_more(const held *h)
{
    return h->met ? h->met->count < SC_ERODED_PAIRS : !h->meets;
}

static bool is_missed(void *context, uint32_t facet, const sc_vec3 v[3])
{
    held *h = context;
    if (sc_tri_meet(h->v, v) == SC_APART) {
        return true;
    }
    h->meets = true;
    if (h->met) {
        sc_eroded_pairs_add(h->met, h->facet, facet);
    }
    return wants_more(h);
}

/* Whether the surface of a part, eroded, has no point in common with that of the other. */
static bool keeps_clear(const sc_erosion_proof *proof, const sc_erosion *eroded, int i,
                        sc_eroded_pairs *met, sc_surface *other)
{
    const sc_box near = box_about(proof, 1 - i);
    held h = {.met = met, .meets = false};
    for (uint32_t p = 0; p < eroded->pieces && wants_more(&h); p++) {
        if (p % FACETS_A_POLL == 0 && !sc_poll_goes_on(&proof->poll)) {
            return false;
        }
        sc_erosion_vertices(eroded, p, h.v);
        h.facet = sc_erosion_facet(eroded, p);
        const sc_box box = sc_box_of_points(h.v, 3);
        const sc_walk walk = {.within = box, .facet = is_missed, .context = &h};
        if (sc_boxes_meet(&box, &near)) {
            sc_surface_walk(other, &walk);
        }
    }
    return !h.meets;
}

static bool is_clear(const sc_erosion_proof *proof, int i, const sc_erosion *eroded,
                     sc_eroded_pairs *met, bool *clear)
{
    if (proof->clear) {
        return proof->clear(proof->context, i, eroded, met, clear);
    }
    sc_surface other = surface_of(proof, 1 - i);
    *clear = keeps_clear(proof, eroded, i, met, &other);
    return !other.failed;
}

/* Whether the parts have nothing in common, one of them eroded; lists pairs that meet as is_clear
 * does. */
static bool is_apart(const sc_erosion_proof *proof, int i, const sc_erosion *eroded,
                     sc_eroded_pairs *met, bool *apart)
{
    bool clear;
    *apart = false;
    return is_clear(proof, i, eroded, met, &clear) &&
           (!clear || sc_eroded_outside(proof->solid, i, eroded, &proof->poll, apart));
}

/* ---- as far as the other part asks ---------------------------------------------------- */

/* That one piece keeps clear of a facet: fans go on where they do not go far enough. */
static bool give_way(const sc_erosion_proof *proof, int i, sc_erosion *eroded, uint32_t piece,
                     const sc_vec3 a[3], const sc_vec3 out[2])
{
    const double margin = 0x1p-48 * reach_of(proof);
    sc_vec3 b[3];
    sc_demand demand;
    for (size_t k = 0; k < 3; k++) {
        b[k] = eroded->place[eroded->vertex[3 * (size_t)piece + k]];
    }
    if (!sc_demand_find(a, b, sc_scale(proof->way, i == 1 ? 1.0 : -1.0), out, &demand)) {
        return false;
    }
    for (size_t k = 0; k < 3; k++) {
        sc_vec3 *way = &eroded->way[eroded->fan[3 * (size_t)piece + k]];
        const double missing = demand.least[k] + margin - sc_dot(demand.way, *way);
        if (missing > 0.0) {
            *way = sc_mul_add(*way, missing, demand.way);
        }
        if (sc_length(*way) > eroded->most) {
            return false;
        }
    }
    return true;
}

/* False where one had to go too far. */
static bool give_way_to_all(const sc_erosion_proof *proof, int i, sc_erosion *eroded,
                            const sc_eroded_pairs *met)
{
    bool good = true;
    for (size_t k = 0; k < met->count && good; k++) {
        sc_vec3 a[3], b[3];
        uint32_t first, left = sc_erosion_pieces(eroded, met->facet[k][0], &first);
        sc_solid_facet(proof->solid[1 - i], met->facet[k][1], a);
        sc_solid_facet(proof->solid[i], met->facet[k][0], b);
        const sc_vec3 out[2] = {sc_unit_or_zero(sc_area_twice(a)),
                                sc_unit_or_zero(sc_area_twice(b))};
        for (; left > 0 && good; left--) {
            good = give_way(proof, i, eroded, first + left - 1, a, out);
        }
    }
    return good;
}

/* Each fan as far as it takes, and all by a little more than rounding: where a part lies as deep as
 * the limit, corners must not go back from planes that do not. */
static bool try_demands(const sc_erosion_proof *proof, int i, sc_erosion *eroded, bool *shallow)
{
    enum { ROUNDS = 16 };
    const double little = 0x1p-46 * reach_of(proof);
    sc_eroded_pairs met = {sc_alloc(SC_ERODED_PAIRS, sizeof *met.facet), 0};
    bool good = met.facet != NULL, goes_on = true;
    for (uint32_t k = 0; k < eroded->fans; k++) {
        const double length = sc_length(eroded->way[k]);
        eroded->way[k] = sc_scale(eroded->way[k], fmin(little, 4.0 * little / length));
    }
    eroded->by = 1.0;
    eroded->most = proof->limit;
    for (int round = 0; round < ROUNDS && good && goes_on && !*shallow; round++) {
        met.count = 0;
        good = is_apart(proof, i, eroded, &met, shallow);
        goes_on = good && met.count > 0 && met.count < SC_ERODED_PAIRS &&
                  sc_poll_goes_on(&proof->poll) && give_way_to_all(proof, i, eroded, &met);
    }
    sc_free(met.facet);
    return good;
}

/* ---- all of it ------------------------------------------------------------------------- */

/* Each facet by the same share of the limit; at corners no farther than the limit. */
static bool try_share(const sc_erosion_proof *proof, int i, double share, sc_erosion *eroded,
                      bool *shallow)
{
    eroded->by = share * proof->limit;
    return is_apart(proof, i, eroded, NULL, shallow);
}

/* Each vertex straight away from the surface of the other part. */
static bool try_away(const sc_erosion_proof *proof, int i, sc_erosion *eroded, bool *shallow)
{
    sc_vec3 *const back = eroded->way, *const away = sc_alloc(eroded->fans, sizeof *away);
    sc_surface other = surface_of(proof, 1 - i);
    bool good = away != NULL;
    if (good) {
        sc_away_find(eroded, &other, proof->limit, &proof->poll, away);
        eroded->way = away;
        eroded->by = 1.0;
        good = !other.failed && is_apart(proof, i, eroded, NULL, shallow);
        eroded->way = back;
    }
    sc_free(away);
    return good;
}

/* As far as may be: back, which lets corners lag behind, or at rest away. */
static bool try_far(const sc_erosion_proof *proof, int i, sc_erosion *eroded, bool *shallow)
{
    return try_share(proof, i, 1.0, eroded, shallow) &&
           (*shallow || proof->clear || try_away(proof, i, eroded, shallow));
}

/* By very little, as where rounding to doubles made parts overlap; by as much as leaves room in
 * the corners of boxes; by more; and by as much as it takes. */
static bool try_all(const sc_erosion_proof *proof, int i, sc_erosion *eroded, bool *shallow)
{
    return try_share(proof, i, 0x1p-8, eroded, shallow) &&
           (*shallow || try_share(proof, i, 0.577, eroded, shallow)) &&
           (*shallow || try_far(proof, i, eroded, shallow)) &&
           (*shallow || try_demands(proof, i, eroded, shallow));
}

/* No corner is farther from the middle of the triangle. */
static double radius_of(const sc_vec3 v[3], sc_vec3 middle)
{
    double most = 0.0;
    for (int k = 0; k < 3; k++) {
        most = sc_max(most, sc_length(sc_sub(v[k], middle)));
    }
    return most;
}

/* At rest: the facets of part i that come near the surface of the other. */
static bool find_near(const sc_erosion_proof *proof, int i, bool **near)
{
    const sc_part *part = proof->solid[i]->part;
    const sc_facets *facets = &part->mesh->file.facets;
    const sc_box about = box_about(proof, 1 - i);
    sc_surface other = surface_of(proof, 1 - i);
    uint32_t hint = UINT32_MAX;

    *near = sc_calloc(facets->count, sizeof **near);
    for (uint32_t f = 0; f < facets->count && *near; f++) {
        sc_vec3 v[3];
        if (f % FACETS_A_POLL == 0 && !sc_poll_goes_on(&proof->poll)) {
            break; /* the rest does not matter any more */
        }
        sc_triangle_vertices(facets, &part->used, f, v);
        const sc_box box = sc_box_of_points(v, 3);
        if (sc_boxes_meet(&box, &about)) {
            const sc_vec3 middle = sc_triangle_middle(v);
            const double reach = radius_of(v, middle) + proof->limit;
            const sc_seek any = {.enough = reach, .hint = hint};
            const sc_nearest nearest = sc_surface_any(&other, middle, reach, any);
            (*near)[f] = nearest.distance <= reach;
            hint = nearest.facet;
        }
    }
    return *near && !other.failed;
}

typedef bool attempt(const sc_erosion_proof *proof, int i, sc_erosion *eroded, bool *shallow);

static bool try_part(const sc_erosion_proof *proof, int i, attempt *try_it, bool *shallow)
{
    const sc_solid *solid = proof->solid[i];
    sc_erosion eroded = {.part = NULL};
    bool possible = false;
    *shallow = false;
    bool *near = NULL;
    bool good = proof->clear || find_near(proof, i, &near);
    good = good &&
           sc_erosion_make(solid->part, solid->orientation, near, proof->watch, &eroded, &possible);
    if (good && possible) {
        eroded.most = (1.0 - 0x1p-20) * proof->limit;
        good = try_it(proof, i, &eroded, shallow);
    }
    sc_erosion_free(&eroded);
    sc_free(near);
    return good;
}

/* One part, or the other. */
static bool try_parts(const sc_erosion_proof *proof, attempt *try_it, bool *shallow)
{
    const sc_box *boxes[2] = {&proof->solid[0]->part->used_bounds,
                              &proof->solid[1]->part->used_bounds};
    const int smaller = sc_box_extent(boxes[0]) < sc_box_extent(boxes[1]) ? 0 : 1;
    *shallow = false;
    if (!sc_erosion_has_room(proof->limit, reach_of(proof))) {
        return true;
    }
    return try_part(proof, smaller, try_it, shallow) &&
           (*shallow || try_part(proof, 1 - smaller, try_it, shallow));
}

bool sc_erosion_proves(const sc_erosion_proof *proof, bool *shallow)
{
    return try_parts(proof, try_all, shallow);
}

bool sc_erosion_bounds(const sc_erosion_proof *proof, bool *shallow)
{
    return try_parts(proof, try_far, shallow);
}
