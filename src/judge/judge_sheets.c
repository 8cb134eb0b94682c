/* judge_sheets.c - see judge_sheets.h. */
#include "judge_sheets.h"

#include "base/alloc.h"
#include "base/error.h"
#include "depth/sheet.h"
#include "erosion/erosion_proof.h"
#include "judge_search.h"

typedef sc_judging state;

/* As much as they need to tell that nothing lies deeper. */
static const double sheet_error = 0.009;

/* Whether all that parts have in common, or of a region (else NULL), lies along their surfaces, no
 * deeper than the limit. */
static stlclash_code try_sheet(state *s, double limit, const sc_depth_request *region,
                               bool *shallow, sc_sheet_rest *rest)
{
    const sc_sheet_request request = {.solid = {&s->solid[0], &s->solid[1]},
                                      .limit = limit,
                                      .region = region,
                                      .rest = rest,
                                      .poll = s->q->poll};
    return sc_sheet_overlap(&request, shallow) ? STLCLASH_OK : sc_error_memory(s->error);
}

stlclash_code sc_sheets_cross(state *s, bool *sheets)
{
    stlclash_code code = STLCLASH_OK;
    *sheets = false;
    if (s->q->crossing && !s->q->stopped) {
        code = sc_need_overlap(s);
        *sheets = code == STLCLASH_OK && s->j->overlap.volume_is_zero;
    }
    return code;
}

uint64_t sc_sheets_erosion_looks(const state *s)
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
                              .poll = s->q->poll};
}

stlclash_code sc_sheets_erode(state *s, double limit, bool *shallow)
{
    const sc_erosion_proof proof = erosion_by(s, limit);
    return sc_erosion_proves(&proof, shallow) ? STLCLASH_OK : sc_error_memory(s->error);
}

/* Above what was found, within its error. */
static double limit_above(const sc_depth_request *request, const sc_depth *depth)
{
    return depth->depth * (1.0 + 0.98 * request->relative_error);
}

/* One box, for anything deeper than the limit, with some of the looks that are left. *bound: how
 * deep it may be there. */
static stlclash_code search_box(state *s, const sc_depth_request *request, const sc_box *box,
                                double limit, sc_depth *depth, uint64_t *left, double *bound)
{
    enum { MOST_LOOKS = 20000 };
    const uint64_t looks = *left < MOST_LOOKS ? *left : MOST_LOOKS;
    sc_depth_request within = *request;
    sc_depth found;

    within.within = sc_boxes_common(&request->within, box);
    within.threshold = limit;
    sc_search w = sc_search_begin(&within, &found);
    found = *depth;
    found.bound = INFINITY;
    stlclash_code code = sc_search_on(s, &w, looks);
    if (code == STLCLASH_OK) {
        const uint64_t taken = sc_depth_looks(w.search);
        *left -= taken < *left ? taken : *left;
    }
    sc_search_end(&w);
    *bound = found.bound;
    if (code == STLCLASH_OK && found.depth > depth->depth) {
        code = sc_depth_tell(request, &found) ? STLCLASH_OK : sc_error_memory(s->error);
        found.bound = depth->bound;
        found.complete = depth->complete;
        *depth = found;
    }
    return code;
}

/* Whether nothing lies deeper than the limit in any of the boxes. What does raises it, if it may:
 * what is deeper than that lies in the boxes, too. */
static stlclash_code search_rest(state *s, const sc_depth_request *request,
                                 const sc_erosion_rest *rest, bool rises, double *limit,
                                 sc_depth *depth, bool *shallow)
{
    uint64_t left = SC_LOOKS;
    stlclash_code code = STLCLASH_OK;

    *shallow = true;
    for (size_t k = 0; k < rest->boxes && code == STLCLASH_OK && *shallow;) {
        double bound;
        code = search_box(s, request, &rest->box[k], *limit, depth, &left, &bound);
        if (rises && depth->depth > *limit) {
            *limit = limit_above(request, depth);
        } else {
            *shallow = bound <= *limit;
            k++;
        }
    }
    return code;
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
    if (!*shallow && rest.boxes > 0 && depth->depth <= proof.limit) {
        code = search_rest(s, &deepest, &rest, rises, &proof.limit, depth, shallow);
    }
    sc_free(rest.box);
    depth->bound = *shallow ? fmin(depth->bound, proof.limit) : depth->bound;
    return code;
}

stlclash_code sc_sheets_erode_below(state *s, const sc_depth_request *request, double limit,
                                    sc_depth *depth, bool *shallow)
{
    return erode_below(s, request, limit, false, depth, shallow);
}

stlclash_code sc_sheets_erode_to(state *s, const sc_depth_request *request, sc_depth *depth)
{
    enum { ROUNDS = 8 };
    const double error = request->relative_error;
    double limit = 0.0; /* of the last round */
    stlclash_code code = STLCLASH_OK;

    for (int i = 0; i < ROUNDS && code == STLCLASH_OK && !depth->complete && depth->depth > limit;
         i++) {
        bool shallow;
        limit = limit_above(request, depth);
        code = erode_below(s, request, limit, true, depth, &shallow);
        depth->complete = depth->bound <= depth->depth * (1.0 + error);
    }
    return code;
}

/* Sheets that cross are never shallow; whether they do is seen where all crossings are known. */
stlclash_code sc_sheets_try(state *s, double limit, bool *shallow)
{
    bool sheets = false;
    stlclash_code code = STLCLASH_OK;
    *shallow = false;
    if (s->q->crossing && s->q->stopped) {
        return code;
    }
    code = try_sheet(s, limit, NULL, shallow, NULL);
    if (code == STLCLASH_OK && *shallow) {
        code = sc_sheets_cross(s, &sheets);
        *shallow = !sheets;
    }
    return code;
}

stlclash_code sc_sheets_bound(state *s, const sc_depth_request *request)
{
    const double rounding = sc_rounding_of(s);
    const double found = s->j->depth.depth;
    bool shallow = false;

    if (s->j->depth.complete || isfinite(s->thickness) || found > rounding ||
        found <= sc_judge_depth_limit(s, &request->within)) {
        return STLCLASH_OK;
    }
    stlclash_code code = sc_sheets_erode(s, rounding, &shallow);
    if (code == STLCLASH_OK && !shallow) {
        code = sc_sheets_try(s, rounding, &shallow);
    }
    if (shallow) {
        s->thickness = rounding;
        s->j->depth.bound = fmin(s->j->depth.bound, rounding);
        s->j->depth.complete = true;
    }
    return code;
}

stlclash_code sc_sheets_bound_region(state *s, const sc_depth_request *request, sc_depth *depth)
{
    const double rounding = sc_rounding_of(s);
    const bool is_of_use = request->threshold < 0.0 || request->threshold >= rounding;
    bool shallow = false;
    stlclash_code code = STLCLASH_OK;

    if (is_of_use && !depth->complete && depth->depth <= rounding) {
        code = try_sheet(s, rounding, request, &shallow, NULL);
    }
    if (shallow) {
        depth->bound = fmin(depth->bound, rounding);
        depth->complete = true;
    }
    return code;
}

stlclash_code sc_sheets_bound_to(state *s, double limit, sc_depth *depth)
{
    bool shallow = false;
    stlclash_code code = STLCLASH_OK;
    if (!depth->complete && depth->depth < limit && depth->bound > limit) {
        code = try_sheet(s, limit, NULL, &shallow, NULL);
    }
    depth->bound = shallow ? fmin(depth->bound, limit) : depth->bound;
    return code;
}

stlclash_code sc_sheets_close(state *s, const sc_depth_request *request, sc_depth *depth,
                              bool *spent)
{
    enum { ROUNDS = 16 };
    sc_sheet_rest rest = {.spent = false};
    stlclash_code code = STLCLASH_OK;
    double tried = 0.0;

    for (int i = 0; i < ROUNDS && !rest.spent && !depth->complete && depth->depth > tried; i++) {
        bool shallow;
        const double limit = depth->depth * (1.0 + fmax(request->relative_error, sheet_error));
        code = try_sheet(s, limit, NULL, &shallow, &rest);
        if (code != STLCLASH_OK) {
            return code;
        }
        tried = depth->depth;
        if (shallow) {
            depth->bound = fmin(depth->bound, limit);
        } else if (!isnan(rest.place.x) && !sc_depth_try(request, rest.place, depth)) {
            return sc_error_memory(s->error);
        }
        depth->complete = depth->bound <= depth->depth * (1.0 + request->relative_error);
    }
    *spent = rest.spent;
    return code;
}
