/* erosion_proof.c - see erosion_proof.h. */
#include "erosion_proof.h"

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
    const sc_box near = sc_box_grown(&proof->solid[1 - i]->part->used_bounds, proof->limit);
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
    sc_surface other = {.solid = proof->solid[1 - i],
                        .margin = reach_of(proof) * SC_SURFACE_MARGIN};
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

/* By very little, as where rounding to doubles made parts overlap; by as much as leaves room in
 * the corners of boxes; and by as much as it takes. */
static bool try_eroded(const sc_erosion_proof *proof, int i, sc_erosion *eroded, bool *shallow)
{
    static const double share[] = {0x1p-8, 0.577};
    bool good = true;
    *shallow = false;
    eroded->most = (1.0 - 0x1p-20) * proof->limit;
    for (int k = 0; k < 2 && !*shallow && good; k++) {
        eroded->by = share[k] * proof->limit;
        good = is_apart(proof, i, eroded, NULL, shallow);
    }
    if (good && !*shallow) {
        good = try_demands(proof, i, eroded, shallow);
    }
    return good;
}

static bool try_part(const sc_erosion_proof *proof, int i, bool *shallow)
{
    const sc_solid *solid = proof->solid[i];
    sc_erosion eroded;
    bool possible;
    *shallow = false;
    bool good = sc_erosion_make(solid->part, solid->orientation, proof->watch, &eroded, &possible);
    if (good && possible) {
        good = try_eroded(proof, i, &eroded, shallow);
    }
    sc_erosion_free(&eroded);
    return good;
}

bool sc_erosion_proves(const sc_erosion_proof *proof, bool *shallow)
{
    const sc_box *boxes[2] = {&proof->solid[0]->part->used_bounds,
                              &proof->solid[1]->part->used_bounds};
    const int smaller = sc_box_extent(boxes[0]) < sc_box_extent(boxes[1]) ? 0 : 1;
    *shallow = false;
    if (!sc_erosion_has_room(proof->limit, reach_of(proof))) {
        return true;
    }
    return try_part(proof, smaller, shallow) && (*shallow || try_part(proof, 1 - smaller, shallow));
}
