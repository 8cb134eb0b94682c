/* judge_limit.c - see judge_limit.h. */
#include "judge_limit.h"

#include "base/error.h"
#include "contact/flat.h"
#include "judge_depth.h"
#include "judge_erosion.h"
#include "judge_regions.h"
#include "judge_search.h"
#include "judge_sheets.h"

typedef sc_judging state;

/* Looks that are worth it only if they find something: they save others. */
static const uint64_t glance_budget = 500;

/* Those of the first glance: an erosion of small parts takes no longer than a few. */
static uint64_t first_glance_budget(const state *s)
{
    const uint64_t budget = sc_judge_erosion_looks(s);
    return budget < glance_budget ? budget : glance_budget;
}

static sc_deep deeper_than(const sc_depth *depth, double limit)
{
    return depth->depth > limit ? SC_DEEP : depth->bound <= limit ? SC_NOT_DEEP : SC_DEEP_UNKNOWN;
}

/* Whether nothing has told yet. */
static bool is_open(stlclash_code code, const state *s)
{
    return code == STLCLASH_OK && s->j->deep == SC_DEEP_UNKNOWN;
}

/* Where the depth is to be reported, it mostly tells whether it exceeds a limit. */
static stlclash_code compare_reported_depth(state *s, double limit)
{
    stlclash_code code = STLCLASH_OK;
    s->j->deep = SC_DEEP_UNKNOWN;
    if (sc_judge_measures_depth(s->q->options)) {
        code = sc_need_overlap(s);
        if (code == STLCLASH_OK && s->j->has_overlap) {
            code = sc_need_depth(s);
            s->j->deep = deeper_than(&s->j->depth, limit);
        }
    }
    return code;
}

/* Whether a common point lies deeper than a limit, as far as a search of so many looks tells: for
 * anything deeper than the threshold, or with a negative one for the deepest. */
static stlclash_code search_for_depth(state *s, const sc_box *box, double threshold, double limit,
                                      uint64_t budget, sc_deep *deep)
{
    sc_depth depth;
    sc_depth_request request = sc_search_ask(s, box, SC_NO_REGION, threshold);
    request.budget = budget < request.budget ? budget : request.budget;
    request.relative_error = sc_fmin(request.relative_error, SC_USUAL_DEPTH_ERROR);
    stlclash_code code = sc_search_at_once(s, &request, &depth);
    *deep = code == STLCLASH_OK ? deeper_than(&depth, limit) : SC_DEEP_UNKNOWN;
    return code;
}

static stlclash_code glance(state *s, const sc_box *box, double limit, uint64_t budget,
                            sc_deep *deep)
{
    return search_for_depth(s, box, limit, limit, budget, deep);
}

/* What is shown to lie no deeper than `thickness`: if that is rounding, its depth is of no
 * interest. */
static void is_shallow(state *s, double thickness)
{
    s->thickness = thickness <= sc_rounding_of(s) ? thickness : INFINITY;
    s->j->deep = SC_NOT_DEEP;
}

/* Of parts that hold each other: whether all that they have in common lies along their surfaces,
 * but for rounding: what is no deeper keeps a touch overlap that allows more as well. What takes
 * longer comes later. */
static stlclash_code look_for_sheet(state *s, const sc_box *box, double limit)
{
    const double rounding = sc_rounding_of(s);
    const bool allows_more = s->q->tolerances->touch_overlap > rounding;
    const double thickness = sc_fmin(s->q->tolerances->touch_overlap, rounding);
    const double threshold = allows_more ? rounding : limit;
    const uint64_t first = first_glance_budget(s);
    stlclash_code code = STLCLASH_OK;
    bool shallow = false;

    s->j->deep = SC_DEEP_UNKNOWN;
    if (!s->glanced) {
        code = glance(s, box, threshold, first, &s->j->deep);
    }
    if (is_open(code, s)) {
        code = sc_judge_erode(s, thickness, &shallow);
    }
    if (is_open(code, s) && !shallow && first < glance_budget) {
        code = glance(s, box, threshold, glance_budget, &s->j->deep);
    }
    if (is_open(code, s) && !shallow) {
        code = sc_sheets_try(s, thickness, &shallow);
    }
    if (shallow || s->j->deep == SC_NOT_DEEP) {
        is_shallow(s, thickness);
    }
    if (allows_more && s->j->deep == SC_DEEP) {
        s->j->deep = SC_DEEP_UNKNOWN;
    }
    return code;
}

/* The same as a full run finds it: a limit just below the depth leaves so little that is deeper
 * that only the deepest point itself shows it. */
static stlclash_code look_for_deepest(state *s, const sc_box *box, double limit)
{
    return search_for_depth(s, box, -1.0, limit, SC_FIRST_LOOKS, &s->j->deep);
}

/* Whether sheets show that nothing lies deeper than a touch overlap that allows more than rounding,
 * as they do if it is more than the depth by a hundredth of it. */
static stlclash_code look_for_sheets(state *s)
{
    const double limit = s->q->tolerances->touch_overlap;
    sc_depth none = {.complete = false, .bound = INFINITY};
    sc_depth *depth = s->has_depth ? &s->j->depth : &none;
    stlclash_code code = STLCLASH_OK;

    if (limit > sc_rounding_of(s)) {
        code = sc_sheets_bound_to(s, limit, depth);
        s->j->deep = depth->bound <= limit ? SC_NOT_DEEP : s->j->deep;
    }
    return code;
}

/* The same region by region, where all hits are known. */
static stlclash_code look_region_by_region(state *s, double limit)
{
    sc_depth depth;
    stlclash_code code = s->q->stopped ? STLCLASH_OK : sc_need_overlap(s);
    if (code == STLCLASH_OK && !s->q->stopped && s->j->has_overlap) {
        code = sc_judge_by_region(s, limit, &depth);
        s->j->deep = code == STLCLASH_OK ? deeper_than(&depth, limit) : SC_DEEP_UNKNOWN;
    }
    return code;
}

/* By a search that takes as long as an erosion, and by that: as where parts that are pressed into
 * each other may lie far deeper than they do. */
static stlclash_code search_and_erode(state *s, sc_search *w, double limit)
{
    const uint64_t looks = sc_judge_erosion_looks(s);
    stlclash_code code = STLCLASH_OK;

    if (looks < w->request.budget && looks < SC_FIRST_LOOKS && limit > sc_rounding_of(s)) {
        code = sc_search_on(s, w, looks);
        s->j->deep = deeper_than(w->depth, limit);
        if (is_open(code, s)) {
            bool shallow;
            code = sc_judge_erode_below(s, &w->request, limit, w->depth, &shallow);
            s->j->deep = shallow ? SC_NOT_DEEP : deeper_than(w->depth, limit);
        }
    }
    return code;
}

/* By a search for anything deeper, briefly, and on as long as it comes closer to its end. */
static stlclash_code search_briefly(state *s, sc_search *w, double limit)
{
    const uint64_t budget = w->request.budget;
    stlclash_code code = budget < SC_LOOKS
                             ? sc_search_on(s, w, budget < SC_FIRST_LOOKS ? budget : SC_FIRST_LOOKS)
                             : sc_search_while_closing(s, w, SC_FIRST_LOOKS, SC_FIRST_LOOKS / 2);
    s->j->deep = deeper_than(w->depth, limit);
    return code;
}

/* By all that may tell, and at last by the longest search. *sheets: what crosses has no volume. */
static stlclash_code search_for_limit(state *s, sc_search *w, double limit, bool *sheets)
{
    stlclash_code code = search_and_erode(s, w, limit);
    if (is_open(code, s)) {
        code = search_briefly(s, w, limit);
    }
    if (is_open(code, s)) {
        code = sc_sheets_cross(s, sheets);
    }
    if (*sheets) {
        return code;
    }
    if (is_open(code, s)) {
        code = look_for_sheets(s);
    }
    if (is_open(code, s) && !sc_judge_measures_depth(s->q->options)) {
        code = look_for_deepest(s, &w->request.within, limit);
    }
    if (is_open(code, s)) {
        code = look_region_by_region(s, limit);
    }
    if (is_open(code, s)) {
        code = sc_search_on(s, w, w->request.budget);
        s->j->deep = deeper_than(w->depth, limit);
    }
    return code;
}

/* Where neither a glance nor what is reported tells. */
static stlclash_code settle_limit(state *s, const sc_box *box, double limit)
{
    bool sheets = false;
    stlclash_code code = STLCLASH_OK;

    if (s->measured) { /* else it takes a while */
        code = sc_sheets_cross(s, &sheets);
    }
    if (code == STLCLASH_OK && !sheets) {
        const sc_depth_request request = sc_search_ask(s, box, SC_NO_REGION, limit);
        sc_depth depth = {.bound = INFINITY};
        sc_search w = sc_search_begin(&request, &depth);
        code = search_for_limit(s, &w, limit, &sheets);
        sc_search_end(&w);
    }
    if (sheets) {
        s->j->deep = SC_DEEP;
    }
    if (is_open(code, s)) {
        sc_judging_note(s, "depth_undecided");
    }
    return code;
}

stlclash_code sc_judge_limit(state *s)
{
    sc_box box = s->measured && !s->q->crossing ? s->j->overlap.common : sc_judging_common_box(s);
    double limit = sc_judge_depth_limit(s, &box);
    double thickness;
    if (sc_flat_contact(s->solid, s->q->hits, s->q->hit_count, limit, &thickness)) {
        is_shallow(s, thickness);
        return STLCLASH_OK;
    }
    stlclash_code code = look_for_sheet(s, &box, limit);
    if (is_open(code, s)) {
        code = compare_reported_depth(s, limit);
    }
    return is_open(code, s) ? settle_limit(s, &box, limit) : code;
}

stlclash_code sc_judge_limit_at_a_glance(state *s, bool *deep)
{
    sc_box box = sc_judging_common_box(s);
    sc_deep found;
    stlclash_code code =
        glance(s, &box, sc_judge_depth_limit(s, &box), first_glance_budget(s), &found);
    *deep = found == SC_DEEP;
    s->glanced = found == SC_DEEP_UNKNOWN;
    return code;
}
