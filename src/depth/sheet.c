/* sheet.c - see sheet.h.
 *
 * A point that lies deeper than the limit in part A lies in its core, which begins that far
 * below the surface. No core holds a point of B if
 *
 *     1. no facet of B comes into it, and
 *     2. no face of the casings of the facets of A (casing.h) is common to A and B beyond what is
 *        near A: the way from a point in the core to the nearest facet of A passes such a face,
 *        inside A all along and up to there in the core. No facet of B comes into that, so if the
 *        point is inside B, so is that of the face.
 *
 * For 1, what lies near facets of A is taken off a facet of B: of a strip along the plane of
 * such a facet, what lies over it. What is left meets none of them, so it lies inside A or
 * outside with all of each piece, and one winding number tells. For 2, the same is done with
 * faces of casings, and what is left of them asked for in B: or all of a piece at once where no
 * facet of B comes to it, as there are few that do where the parts merely touch. */
#include "sheet.h"

#include "base/runs.h"
#include "sheet_facet.h"

/* Of the limit: where the limit is, past all casings: more than the farthest of them
 * (sheet_facet.c, SC_CASING_FARTHEST). */
static const double beyond_casings = 1.0055;

/* Of the largest coordinate: the least limit that leaves room for rounding. */
static const double least_limit = 0x1p-30;

/* Facets held against pieces at most; and of a region, which is one of several. */
static const uint64_t most_steps_in_all = 30000000, steps_a_facet = 400;
static const uint64_t most_steps_of_region = 4000000;

typedef sc_sheet_look look;

/* Of facets of part i that come to the box. */
static bool settle_run(look *l, sc_runs *runs, int i, const sc_box *near)
{
    uint32_t f, end;
    bool good = sc_sheet_poll(l);
    for (sc_runs_next(runs, &f, &end); f < end && good; f++) {
        sc_vec3 v[3];
        sc_solid_facet(l->request->solid[i], f, v);
        const sc_box box = sc_box_of_points(v, 3);
        good = !sc_boxes_meet(&box, near) || sc_sheet_facet(l, f, v);
    }
    return good;
}

/* Whether facets of part i keep out of the core of the other part; or their casings out of what
 * both have in common. Up to so many runs of them; adds the steps. */
static bool settle_runs(look *l, sc_runs *runs, int i, uint64_t end, uint64_t *steps)
{
    const uint64_t before = l->steps;
    const sc_sheet_request *request = l->request;
    sc_solid *const *solid = request->solid;
    sc_box near = sc_box_grown(&solid[1 - i]->part->used_bounds, 2.5 * l->limit);
    if (request->region) {
        const sc_box region = sc_box_grown(&l->within, 2.5 * l->limit);
        near = sc_boxes_common(&near, &region);
    }
    l->solid[0] = sc_surface_of(solid[0], solid[1]->part);
    l->solid[1] = sc_surface_of(solid[1], solid[0]->part);
    l->near = l->solid[l->cased ? i : 1 - i];
    l->in = l->solid[1 - i];
    l->part = i;

    bool good = true;
    while (runs->done < end && good) {
        good = settle_run(l, runs, i, &near);
    }
    *steps += sc_sheet_steps(l) - before;
    l->failed = l->failed || l->casing.failed || l->near.failed || l->in.failed ||
                l->solid[0].failed || l->solid[1].failed;
    return good;
}

/* The same of both parts. Not where an eighth of many has taken so much that all would take more
 * than there is. */
static bool settle_facets(look *l)
{
    enum { FACETS_A_RUN = 64, PART_TRIED = 8, MANY_RUNS = 256 };
    sc_runs all[2];
    uint64_t most = 0, steps = 0;
    bool good = true;
    for (int i = 0; i < 2 && good; i++) {
        all[i] = sc_runs_of(l->request->solid[i]->part->mesh->file.facets.count, FACETS_A_RUN);
        most = all[i].count > most ? all[i].count : most;
        good = settle_runs(l, &all[i], i, all[i].count / PART_TRIED, &steps);
    }
    l->given_up = l->given_up || (most >= MANY_RUNS && steps * PART_TRIED > l->most_steps);
    for (int i = 0; i < 2 && good && !l->given_up; i++) {
        good = settle_runs(l, &all[i], i, all[i].count, &steps);
    }
    return good && !l->given_up;
}

static uint64_t most_steps(const sc_sheet_request *request)
{
    const uint64_t facets = sc_parts_facets(request->solid[0]->part, request->solid[1]->part);
    return request->region ? most_steps_of_region : most_steps_in_all + steps_a_facet * facets;
}

bool sc_sheet_overlap(const sc_sheet_request *request, bool *shallow)
{
    sc_solid *const *solid = request->solid;
    const double reach = sc_parts_reach(solid[0]->part, solid[1]->part);
    look l = {.limit = request->limit / beyond_casings,
              .reach = reach,
              .request = request,
              .most_steps = most_steps(request)};
    if (request->rest) {
        *request->rest = (sc_sheet_rest){{NAN, NAN, NAN}, false};
    }
    if (request->region) {
        l.within = sc_box_grown(&request->region->within, l.limit);
    }
    *shallow = l.limit > least_limit * reach;
    for (int cased = 0; cased < 2 && *shallow; cased++) {
        l.cased = cased != 0;
        *shallow = settle_facets(&l);
    }
    if (request->rest && l.given_up) {
        request->rest->spent = true;
    }
    sc_sheet_look_free(&l);
    return !l.failed;
}
