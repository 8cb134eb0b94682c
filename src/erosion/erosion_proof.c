/* erosion_proof.c - see erosion_proof.h. */
#include "erosion_proof.h"

#include "away.h"
#include "base/alloc.h"
#include "eroded_rest.h"
#include "erosion_apart.h"
#include "regional.h"
#include "stretches.h"
#include "yielding.h"

typedef bool attempt(const sc_erosion_proof *proof, int i, sc_erosion *eroded, bool *shallow);

/* That a vertex may go, with room for rounding. */
static double farthest(const sc_erosion_proof *proof)
{
    return (1.0 - 0x1p-20) * proof->limit;
}

/* Each facet by the same share of the limit; at corners no farther than the limit. */
static bool try_share(const sc_erosion_proof *proof, int i, double share, sc_erosion *eroded,
                      bool *shallow)
{
    sc_erosion_go(eroded, share * proof->limit, farthest(proof));
    return sc_erosion_is_apart(proof, i, eroded, NULL, shallow);
}

/* Each vertex away from the surface of the other part, at rest; where corners meet that on their
 * way, as in grooves, they yield, if they may. *all: else the ways would take too long to find. */
static bool try_away(const sc_erosion_proof *proof, int i, sc_erosion *eroded, sc_manner manner,
                     bool yields, bool *all, bool *shallow)
{
    sc_vec3 *const back = eroded->way, *const away = sc_alloc(eroded->fans, sizeof *away);
    bool good = away && sc_away_find(proof, i, eroded, manner, away, all);
    if (good && *all) {
        eroded->way = away;
        sc_erosion_go(eroded, 1.0, farthest(proof));
        good = yields ? sc_yield_far(proof, i, eroded, manner, shallow)
                      : sc_erosion_is_apart(proof, i, eroded, NULL, shallow);
        eroded->way = back;
    }
    sc_free(away);
    return good;
}

/* On a way: back from what faces across it alone, as the walls of a pin that slides in its hole; so
 * these go as far as may be, where corners at its end would lag behind. */
static bool try_across(const sc_erosion_proof *proof, int i, sc_erosion *eroded, bool *shallow)
{
    sc_vec3 *const back = eroded->way, *const across = sc_alloc(eroded->fans, sizeof *across);
    bool good = across && sc_erosion_ways_across(eroded, proof->way, proof->watch, across);
    if (good) {
        eroded->way = across;
        good = try_share(proof, i, 1.0, eroded, shallow);
        eroded->way = back;
    }
    sc_free(across);
    return good || (across && sc_watch_was_over(proof->watch));
}

/* Whether a corner lies deeper, or what is left takes less time to be searched than another part to
 * be eroded, or the same in another manner. */
static bool is_told(const sc_erosion_proof *proof)
{
    enum { FACETS_A_TRIANGLE = 256, FACETS_A_BOX = 8192 };
    const sc_erosion_rest *rest = proof->rest;
    const sc_erosion_regions *regions = proof->regions;
    const uint64_t facets = sc_parts_facets(proof->solid[0]->part, proof->solid[1]->part);
    return sc_eroded_is_refuted(proof) ||
           (rest && rest->boxes > 0 && rest->triangles < facets / FACETS_A_TRIANGLE) ||
           (regions && sc_regional_boxes(regions) < facets / FACETS_A_BOX);
}

/* As far as may be: back, which lets corners lag behind; or on a way across it, or at rest away. */
static bool try_far(const sc_erosion_proof *proof, int i, sc_erosion *eroded, bool yields,
                    bool *shallow)
{
    const bool good = try_share(proof, i, 1.0, eroded, shallow);
    bool all;
    if (!good || *shallow) {
        return good;
    }
    if (proof->clear) {
        return try_across(proof, i, eroded, shallow);
    }
    return try_away(proof, i, eroded, SC_AS_FACING, yields, &all, shallow) &&
           (*shallow || !all || is_told(proof) ||
            try_away(proof, i, eroded, SC_SHORTEST, yields, &all, shallow));
}

static bool try_farthest(const sc_erosion_proof *proof, int i, sc_erosion *eroded, bool *shallow)
{
    return try_far(proof, i, eroded, true, shallow);
}

/* By very little, as where rounding to doubles made parts overlap; by as much as leaves room in
 * the corners of boxes; by more; and by as much as it takes. */
static bool try_all(const sc_erosion_proof *proof, int i, sc_erosion *eroded, bool *shallow)
{
    return try_share(proof, i, 0x1p-8, eroded, shallow) &&
           (*shallow || try_share(proof, i, 0.577, eroded, shallow)) &&
           (*shallow || try_far(proof, i, eroded, false, shallow)) &&
           (*shallow || sc_yield_little(proof, i, eroded, shallow));
}

typedef struct nearing {
    const sc_part *part;
    bool *near;
} nearing;

/* Whether the other part may have a facet in a box, or within the limit of it. */
static bool comes_near(sc_stretch *stretch, const sc_box *box)
{
    sc_surface *other = &stretch->other;
    const sc_box within = sc_box_grown(box, stretch->proof->limit + 2.0 * other->margin);
    return sc_boxes_meet(&within, &other->solid->part->used_bounds) &&
           !sc_solid_clear(other->solid, &within, &other->failed);
}

/* Facets that follow each other mostly lie beside each other: some at once, then each. */
static void find_near_of(void *context, sc_stretch *stretch)
{
    enum { AT_ONCE = 16 };
    const nearing *n = context;
    const sc_facets *facets = &n->part->mesh->file.facets;
    for (uint32_t f = stretch->first, count; f < stretch->end && sc_stretch_goes_on(stretch);
         f += count) {
        sc_box box[AT_ONCE], all = sc_box_empty();
        count = stretch->end - f < AT_ONCE ? stretch->end - f : AT_ONCE;
        for (uint32_t k = 0; k < count; k++) {
            sc_vec3 v[3];
            sc_triangle_vertices(facets, &n->part->used, f + k, v);
            box[k] = sc_box_of_points(v, 3);
            sc_box_add_box(&all, &box[k]);
        }
        const bool some = comes_near(stretch, &all);
        for (uint32_t k = 0; k < count; k++) {
            n->near[f + k] = some && comes_near(stretch, &box[k]);
        }
    }
}

/* At rest: the facets of part i that may come to the surface of the other. *all: time was left. */
static bool find_near(const sc_erosion_proof *proof, int i, bool **near, bool *all)
{
    const sc_part *part = proof->solid[i]->part;
    const uint32_t facets = part->mesh->file.facets.count;
    *near = sc_calloc(facets, sizeof **near);
    nearing n = {part, *near};
    return *near && sc_stretches_look(proof, 1 - i, facets, find_near_of, &n, all);
}

static bool try_part(const sc_erosion_proof *proof, int i, attempt *try_it, bool *shallow)
{
    const sc_solid *solid = proof->solid[i];
    sc_erosion eroded = {.part = NULL};
    bool possible = false, all = true;
    *shallow = false;
    bool *near = NULL;
    bool good = proof->clear || find_near(proof, i, &near, &all);
    if (good && all) {
        good = sc_erosion_make(solid->part, solid->orientation, near, proof->watch, &eroded,
                               &possible);
    }
    if (good && possible && proof->regions) {
        good = sc_regional_share(proof, i, &eroded, &all);
    }
    if (good && possible && all) {
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
    if (!sc_erosion_has_room(proof->limit, sc_erosion_reach(proof))) {
        return true;
    }
    return try_part(proof, smaller, try_it, shallow) &&
           (*shallow || is_told(proof) || try_part(proof, 1 - smaller, try_it, shallow));
}

bool sc_erosion_proves(const sc_erosion_proof *proof, bool *shallow)
{
    return try_parts(proof, try_all, shallow);
}

bool sc_erosion_bounds(const sc_erosion_proof *proof, bool *shallow)
{
    return try_parts(proof, try_farthest, shallow);
}

bool sc_erosion_settles(const sc_erosion_proof *proof)
{
    bool shallow;
    const bool good = try_parts(proof, try_farthest, &shallow);
    for (size_t k = 0; k < proof->regions->count && shallow; k++) {
        proof->regions->region[k].open = false;
    }
    return good;
}
