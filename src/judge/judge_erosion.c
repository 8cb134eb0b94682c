/* judge_erosion.c - see judge_erosion.h. */
#include "judge_erosion.h"

#include "base/alloc.h"
#include "base/error.h"
#include "erosion/erosion_proof.h"
#include "erosion/regional.h"
#include "judge_rest.h"
#include "judge_search.h"

typedef sc_judging state;

uint64_t sc_judge_erosion_looks(const state *s)
{
    enum { AT_LEAST = 50, FACETS_A_LOOK = 16, AT_MOST = SC_FIRST_LOOKS / 2 };
    const uint64_t facets = sc_parts_facets(s->q->part[0], s->q->part[1]);
    const uint64_t looks = AT_LEAST + facets / FACETS_A_LOOK;
    return looks < AT_MOST ? looks : AT_MOST;
}

static sc_erosion_proof erosion_by(state *s, double limit)
{
    const double reach = sc_parts_reach(s->solid[0].part, s->solid[1].part);
    return (sc_erosion_proof){.solid = {&s->solid[0], &s->solid[1]},
                              .limit = sc_equal_depth(limit, reach),
                              .watch = s->q->watch,
                              .poll = s->q->poll,
                              .crew = s->q->crew};
}

stlclash_code sc_judge_erode(state *s, double limit, bool *shallow)
{
    const sc_erosion_proof proof = erosion_by(s, limit);
    return sc_erosion_proves(&proof, shallow) ? STLCLASH_OK : sc_error_memory(s->error);
}

/* `rises`: the limit is what was found, within its error, and becomes more if that does. */
static stlclash_code erode_below(state *s, const sc_depth_request *request, double limit,
                                 bool rises, sc_depth *depth, bool *shallow)
{
    sc_depth_request deepest = *request;
    sc_erosion_rest rest = {.place = {NAN, NAN, NAN}};
    sc_erosion_proof proof = erosion_by(s, limit);

    proof.rest = &rest;
    deepest.threshold = -1.0;
    if (!sc_erosion_bounds(&proof, shallow) ||
        (!isnan(rest.place.x) && !sc_depth_try(&deepest, rest.place, depth))) {
        sc_free(rest.box);
        return sc_error_memory(s->error);
    }
    stlclash_code code = STLCLASH_OK;
    double shown = proof.limit;
    if (!*shallow && rest.boxes > 0 && depth->depth <= proof.limit) {
        code =
            sc_judge_search_rest(s, &deepest, rest.box, rest.boxes, rises, &shown, depth, shallow);
    }
    s->by_erosion = *shallow;
    sc_free(rest.box);
    depth->bound = *shallow ? sc_fmin(depth->bound, shown) : depth->bound;
    return code;
}

stlclash_code sc_judge_erode_below(state *s, const sc_depth_request *request, double limit,
                                   sc_depth *depth, bool *shallow)
{
    return erode_below(s, request, limit, false, depth, shallow);
}

stlclash_code sc_judge_erode_to(state *s, const sc_depth_request *request, sc_depth *depth)
{
    enum { ROUNDS = 8 };
    const double error = request->relative_error;
    double limit = 0.0; /* of the last round */
    stlclash_code code = STLCLASH_OK;

    for (int i = 0; i < ROUNDS && code == STLCLASH_OK && !depth->complete && depth->depth > limit;
         i++) {
        bool shallow;
        limit = sc_judge_limit_above(request, depth);
        code = erode_below(s, request, limit, true, depth, &shallow);
        depth->complete = depth->bound <= depth->depth * (1.0 + error);
    }
    return code;
}

/* ---- region by region ----------------------------------------------------------- */

/* Those that are to be shown, of so many, and which they are. */
typedef struct by_region {
    sc_depth_request *requests;
    sc_depth *depths;
    sc_erosion_regions regions;
    size_t *of;
} by_region;

/* The greatest limit of all. */
static double set_limits(const state *s, by_region *b, double reach)
{
    double greatest = 0.0;
    b->regions.of = &s->regions;
    for (size_t k = 0; k < b->regions.count; k++) {
        const sc_depth_request *request = &b->requests[b->of[k]];
        const double limit = sc_judge_limit_above(request, &b->depths[b->of[k]]);
        b->regions.region[k] =
            (sc_erosion_region){.number = request->region,
                                .bounds = s->j->overlap.regions[request->region].bounds,
                                .limit = sc_equal_depth(limit, reach),
                                .open = true,
                                .place = {NAN, NAN, NAN},
                                .depth = limit};
        greatest = sc_fmax(greatest, b->regions.region[k].limit);
    }
    return greatest;
}

/* Of one that is not shown: whether a deeper place was found. */
static stlclash_code try_place(state *s, const sc_depth_request *request, sc_vec3 place,
                               sc_depth *depth, bool *deeper)
{
    const double before = depth->depth;
    const bool good = sc_depth_try(request, place, depth);
    *deeper = depth->depth > before;
    return good ? STLCLASH_OK : sc_error_memory(s->error);
}

/* What is left of a region is searched, if it is little: it is shallow then, or all that may lie
 * deeper is there. */
static stlclash_code search_left(state *s, sc_depth_request *request, sc_erosion_region *region,
                                 sc_depth *depth)
{
    stlclash_code code = STLCLASH_OK;
    bool shallow = false;
    if (sc_regional_is_little(region)) {
        code = sc_judge_search_rest(s, request, region->left, region->boxes, true, &region->limit,
                                    depth, &shallow);
    }
    region->open = !shallow;
    if (region->open) {
        request->within = sc_box_empty();
        for (size_t k = 0; k < region->boxes; k++) {
            sc_box_add_box(&request->within, &region->left[k]);
        }
    }
    return code;
}

/* What is shown is known, or what is left is searched. Of the others those are kept of which
 * nothing was told, or a place that lies deeper, and not in another region; *again: something was
 * told. */
static stlclash_code keep_open(state *s, by_region *b, bool *again)
{
    size_t kept = 0;
    stlclash_code code = STLCLASH_OK;
    *again = false;
    for (size_t k = 0; k < b->regions.count; k++) {
        sc_erosion_region *r = &b->regions.region[k];
        const size_t i = b->of[k];
        bool keep = true;
        if (code == STLCLASH_OK && r->open && !isnan(r->place.x)) {
            code = try_place(s, &b->requests[i], r->place, &b->depths[i], &keep);
            *again = true;
        } else if (code == STLCLASH_OK && r->open && r->left) {
            code = search_left(s, &b->requests[i], r, &b->depths[i]);
        }
        if (!r->open) {
            b->depths[i].bound = sc_fmax(b->depths[i].depth, r->limit);
            b->depths[i].complete = true;
        }
        sc_free(r->left);
        b->of[kept] = i;
        kept += r->open && keep;
    }
    b->regions.count = kept;
    return code;
}

static stlclash_code settle(state *s, by_region *b)
{
    enum { ROUNDS = 8 };
    stlclash_code code = STLCLASH_OK;
    bool again = true;
    for (int round = 0; round < ROUNDS && code == STLCLASH_OK && again && b->regions.count > 0;
         round++) {
        sc_erosion_proof proof = erosion_by(s, 0.0);
        proof.limit = set_limits(s, b, sc_erosion_reach(&proof));
        proof.regions = &b->regions;
        const bool good = sc_erosion_settles(&proof);
        code = keep_open(s, b, &again);
        code = good ? code : sc_error_memory(s->error);
    }
    return code;
}

stlclash_code sc_judge_erode_regions(state *s, sc_depth_request *requests, size_t count,
                                     sc_depth *depths)
{
    const double reach = sc_parts_reach(s->solid[0].part, s->solid[1].part);
    by_region b = {.requests = requests, .depths = depths};
    b.regions.region = sc_alloc(count, sizeof *b.regions.region);
    b.of = sc_alloc(count, sizeof *b.of);
    const bool good = b.regions.region && b.of;
    for (size_t i = 0; i < count && good; i++) {
        b.of[b.regions.count] = i;
        b.regions.count += !depths[i].complete && sc_erosion_has_room(depths[i].depth, reach);
    }
    const stlclash_code code = good ? settle(s, &b) : sc_error_memory(s->error);
    sc_free(b.regions.region);
    sc_free(b.of);
    return code;
}
