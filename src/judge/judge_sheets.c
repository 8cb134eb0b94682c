/* judge_sheets.c - see judge_sheets.h. */
#include "judge_sheets.h"

#include "base/error.h"
#include "depth/sheet.h"
#include "judge_erosion.h"
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
    stlclash_code code = sc_judge_erode(s, rounding, &shallow);
    if (code == STLCLASH_OK && !shallow) {
        code = sc_sheets_try(s, rounding, &shallow);
    }
    if (shallow) {
        s->thickness = rounding;
        s->j->depth.bound = sc_fmin(s->j->depth.bound, rounding);
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
        depth->bound = sc_fmin(depth->bound, rounding);
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
    depth->bound = shallow ? sc_fmin(depth->bound, limit) : depth->bound;
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
        const double limit = depth->depth * (1.0 + sc_fmax(request->relative_error, sheet_error));
        code = try_sheet(s, limit, NULL, &shallow, &rest);
        if (code != STLCLASH_OK) {
            return code;
        }
        tried = depth->depth;
        if (shallow) {
            depth->bound = sc_fmin(depth->bound, limit);
        } else if (!isnan(rest.place.x) && !sc_depth_try(request, rest.place, depth)) {
            return sc_error_memory(s->error);
        }
        depth->complete = depth->bound <= depth->depth * (1.0 + request->relative_error);
    }
    *spent = rest.spent;
    return code;
}
