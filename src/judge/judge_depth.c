/* judge_depth.c - see judge_depth.h. */
#include "judge_depth.h"

#include "base/error.h"
#include "judge_erosion.h"
#include "judge_regions.h"
#include "judge_search.h"
#include "judge_sheets.h"

typedef sc_judging state;

/* Looks before sheets are tried; and the least that a search goes on for between two looks at
 * whether it comes to its end. */
static const uint64_t second_budget = 250000, more_budget = 125000;

/* ---- all of the overlap, to the error that is asked for ------------------------ */

/* Where neither a short search nor regions tell: by one that takes longer, and goes on if that
 * helps; then by sheets, which go facet by facet, where a search has cells as small as the depth;
 * and if that is not enough, by the longest search, after which they may show a bound that is of
 * use. */
static stlclash_code search_long(state *s, sc_search *w)
{
    sc_depth *depth = w->depth;
    bool spent = false;
    stlclash_code code = sc_search_while_closing(s, w, second_budget, more_budget);
    if (code == STLCLASH_OK && !depth->complete) {
        code = sc_sheets_close(s, &w->request, depth, &spent);
    }
    if (code != STLCLASH_OK || depth->complete) {
        return code;
    }
    code = sc_search_on(s, w, w->request.budget);
    if (code == STLCLASH_OK && !spent) {
        code = sc_sheets_bound_to(s, 2.0 * depth->depth, depth);
    }
    return code;
}

/* Up to that budget. Before, erosion may show that nothing lies deeper: where the search is far
 * from its end when it has taken as long as that takes of what is thin, or very far at a part of
 * that; or else later, as it takes longer of what is not; and again where the search has found
 * something deeper since. */
static stlclash_code search_and_erode(state *s, sc_search *w, uint64_t budget)
{
    enum { LATER = 8, SOONER = 16 };
    const double far = 8.0, very_far = 32.0, error = w->request.relative_error;
    const uint64_t first = sc_judge_erosion_looks(s);
    const bool erodes = !isfinite(s->thickness); /* else that is known to hold */
    sc_depth *depth = w->depth;
    stlclash_code code = STLCLASH_OK;
    uint64_t looks = 0;
    double tried = 0.0;

    while (looks < budget && code == STLCLASH_OK && !depth->complete) {
        const uint64_t next = looks == 0 ? first / SOONER : looks < first ? first : LATER * looks;
        looks = erodes && next < budget ? next : budget;
        code = sc_search_on(s, w, looks);
        const double by = looks < first ? very_far : far;
        const bool is_time = looks > first || depth->bound > by * depth->depth;
        if (code == STLCLASH_OK && erodes && !depth->complete && is_time && depth->depth > tried) {
            code = sc_judge_erode_to(s, &w->request, depth);
            tried = depth->depth * (1.0 + 0.5 * error);
        }
    }
    return code;
}

/* Region by region, or long. */
static stlclash_code search_further(state *s, sc_search *w, bool *by_region)
{
    sc_depth regions;
    stlclash_code code = sc_judge_by_region(s, -1.0, &regions);
    *by_region = code == STLCLASH_OK && regions.complete;
    if (*by_region) {
        s->j->depth = regions;
    }
    return code == STLCLASH_OK && !*by_region ? search_long(s, w) : code;
}

/* Briefly, if that tells. */
static stlclash_code search_whole(state *s, sc_search *w)
{
    const uint64_t budget = w->request.budget;
    bool by_region = false; /* then vertices were looked at, too */
    stlclash_code code = search_and_erode(s, w, budget < SC_LOOKS ? budget : SC_FIRST_LOOKS);
    code = code == STLCLASH_OK ? sc_sheets_bound(s, &w->request) : code;
    if (code == STLCLASH_OK && !s->j->depth.complete && budget >= SC_LOOKS) {
        code = search_further(s, w, &by_region);
    }
    return code == STLCLASH_OK && !by_region
               ? sc_judge_vertices(s, &w->request, sc_depth_looks(w->search), &s->j->depth)
               : code;
}

stlclash_code sc_need_depth(state *s)
{
    if (s->has_depth) {
        return STLCLASH_OK;
    }
    const sc_depth_request request = sc_search_ask(s, &s->j->overlap.common, SC_NO_REGION, -1.0);
    s->j->depth = (sc_depth){.bound = INFINITY};
    sc_search w = sc_search_begin(&request, &s->j->depth);
    stlclash_code code = search_whole(s, &w);
    sc_search_end(&w);
    s->has_depth = code == STLCLASH_OK;
    return code;
}

/* ---- what is reported ---------------------------------------------------------- */

/* Where the depth is not known well enough to tell whether it keeps its limit, that alone
 * is asked for. */
static stlclash_code settle_depth_limit(state *s)
{
    sc_depth *known = &s->j->depth, closer;
    double limit = s->q->options->max_depth;
    if (limit == STLCLASH_NO_LIMIT || known->bound <= limit || known->depth > limit) {
        return STLCLASH_OK;
    }
    const sc_box *common = &s->j->overlap.common;
    double threshold = sc_equal_depth(limit, sc_box_reach(common));
    sc_depth_request request = sc_search_ask(s, common, SC_NO_REGION, threshold);
    stlclash_code code = sc_search_at_once(s, &request, &closer);
    if (code == STLCLASH_OK && closer.bound <= threshold) {
        known->bound = sc_fmax(known->depth, limit);
    } else if (code == STLCLASH_OK && closer.depth > threshold) {
        code = sc_depth_tell(&request, &closer) ? STLCLASH_OK : sc_error_memory(s->error);
        closer.bound = known->bound;
        *known = closer;
    }
    return code;
}

stlclash_code sc_judge_measure_depth(state *s)
{
    stlclash_code code = sc_need_depth(s);
    code = code == STLCLASH_OK ? settle_depth_limit(s) : code;
    if (code != STLCLASH_OK) {
        return code;
    }
    if (s->j->depth.depth > sc_judge_depth_limit(s, &s->j->overlap.common)) {
        s->j->deep = SC_DEEP; /* what is exhibited counts */
    }
    if (!s->j->depth.complete) {
        sc_judging_note(s, "depth_undecided");
    }
    if (!isfinite(s->j->depth.bound)) {
        return STLCLASH_OK;
    }
    code = sc_judge_measure_regions(s);
    if (code != STLCLASH_OK) {
        return code;
    }
    s->j->has_depth = true;
    for (size_t i = 0; i < s->j->overlap.region_count; i++) {
        if (isnan(s->j->region_depths[i])) {
            sc_judging_note(s, "region_depth_unknown");
            break;
        }
    }
    return code;
}
