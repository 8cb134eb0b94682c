/* judge_depth.c - see judge_depth.h. */
#include "judge_depth.h"

#include "base/alloc.h"
#include "base/error.h"
#include "contact/flat.h"
#include "depth/sheet.h"

typedef sc_judging state;

/* Cells and triangles that a search for the depth may look at, of the overlap and of one of
 * several regions. */
static const uint64_t depth_budget = 1250000, region_budget = 100000;

/* Of the depth, before other proofs are tried: those by region, and those by sheets; and the least
 * that it goes on for between two looks at whether it comes to its end. */
static const uint64_t first_budget = 50000, second_budget = 250000, more_budget = 125000;

/* The same of parts that touch in a plane, but for rounding: to know better would be of no use; and
 * where one crossing is all that is known: all of them may tell at once (sc_check). */
static const uint64_t flat_budget = 2000, stopped_budget = 20000;

/* That a look may take which only saves others if it finds something. */
static const uint64_t glance_budget = 500;

/* Where it is searched for region by region: for all of them, and how many they may be. */
static const uint64_t regions_budget = 4000000, least_region_budget = 4000;
enum { MAX_REGIONS_SEARCHED = 1000 };

/* Regions whose own depth is told. */
enum { MAX_REGION_DEPTHS = 100 };

static const double default_depth_error = 0.01;

/* As much as sheets need to tell that nothing lies deeper. */
static const double casing_error = 0.009;

/* ---- one search ---------------------------------------------------------------- */

/* In all of the overlap, or in one of several regions. */
static sc_depth_request ask_depth(state *s, const sc_box *within, uint32_t region, double threshold)
{
    double relative = s->q->options->depth_error;
    relative = relative > 0.0 ? relative : default_depth_error;
    if (threshold >= 0.0) { /* whether it is exceeded does not depend on how well it is reported */
        relative = fmin(relative, default_depth_error);
    }
    uint64_t budget = isfinite(s->thickness)   ? flat_budget
                      : s->q->stopped          ? stopped_budget
                      : region != SC_NO_REGION ? region_budget
                                               : depth_budget;
    return (sc_depth_request){.regions = region != SC_NO_REGION ? &s->regions : NULL,
                              .region = region,
                              .all = s->has_depth && s->j->depth.complete ? &s->j->depth : NULL,
                              .solid = {&s->solid[0], &s->solid[1]},
                              .within = *within,
                              .relative_error = relative,
                              .threshold = threshold,
                              .hits = s->q->hits,
                              .hit_count = s->q->hit_count,
                              .budget = budget,
                              .poll = s->q->poll,
                              .crew = s->q->crew};
}

/* What a plane between the parts tells holds as well. */
static void bound_by_thickness(const state *s, sc_depth *depth)
{
    if (isfinite(s->thickness)) {
        depth->bound = fmax(depth->depth, fmin(depth->bound, s->thickness));
        depth->complete = true;
    }
}

static stlclash_code find_depth(state *s, const sc_depth_request *request, sc_depth *depth)
{
    if (!sc_depth_find(request, depth)) {
        return sc_error_memory(s->error);
    }
    bound_by_thickness(s, depth);
    return STLCLASH_OK;
}

double sc_judge_depth_limit(const state *s, const sc_box *within)
{
    return sc_equal_depth(s->q->tolerances->touch_overlap, sc_box_reach(within));
}

/* ---- where a search did not come to its end ------------------------------------ */

/* Where the search did not come to its end: whether a plane between the parts bounds the depth well
 * enough, as between sheets that are pressed into each other. */
static void bound_by_plane(state *s, const sc_depth_request *request, sc_depth *depth)
{
    double thickness;
    if (!depth->complete &&
        sc_flat_contact(s->solid, s->q->hits, s->q->hit_count, depth->bound, &thickness)) {
        depth->bound = fmax(depth->depth, fmin(depth->bound, thickness));
        depth->complete = depth->bound <= depth->depth * (1.0 + request->relative_error);
    }
}

/* What rounding alone may have made of parts that touch. */
static double rounding_of(const state *s)
{
    return 2.0 * s->q->tolerances->resolution;
}

/* Whether all that parts have in common lies along their surfaces, no deeper than the limit: if
 * they are nowhere thinner than that, or of any thickness. */
static stlclash_code try_sheet(state *s, double limit, bool any_thickness, bool *shallow,
                               sc_sheet_rest *rest)
{
    const sc_sheet_request request = {.solid = {&s->solid[0], &s->solid[1]},
                                      .limit = limit,
                                      .any_thickness = any_thickness,
                                      .rest = rest,
                                      .poll = s->q->poll};
    return sc_sheet_overlap(&request, shallow) ? STLCLASH_OK : sc_error_memory(s->error);
}

/* Whether surfaces that cross have no volume in common: of either part they are sheets there, facets
 * back to back, which hold nothing; and sheets that pass through a surface clash, as open parts do.
 * No search would find a point that lies deep. */
static stlclash_code cross_without_volume(state *s, bool *sheets)
{
    stlclash_code code = STLCLASH_OK;
    *sheets = false;
    if (s->q->crossing && !s->q->stopped) {
        code = sc_need_overlap(s);
        *sheets = code == STLCLASH_OK && s->j->overlap.volume_is_zero;
    }
    return code;
}

/* Casings, where sheets fail for what is thin alone: walls may be thinner than a touch overlap that
 * allows more than rounding (sheet.h), and faces that are folded onto themselves have nothing
 * between them at all. But sheets that cross are never shallow. */
static stlclash_code try_thin_sheet(state *s, double limit, bool *shallow)
{
    bool sheets = false;
    stlclash_code code = cross_without_volume(s, &sheets);
    if (code == STLCLASH_OK && !sheets && !(s->q->crossing && s->q->stopped)) {
        code = try_sheet(s, limit, true, shallow, NULL);
    }
    return code;
}

/* First of parts that are nowhere thinner. */
static stlclash_code try_sheets(state *s, double limit, bool *shallow)
{
    sc_sheet_rest rest;
    stlclash_code code = try_sheet(s, limit, false, shallow, &rest);
    return code == STLCLASH_OK && !*shallow && rest.thin && !rest.spent
               ? try_thin_sheet(s, limit, shallow)
               : code;
}

/* Where the search did not come to its end, and found nothing but rounding, though more than is
 * allowed: how much of that there is matters to nobody. */
static stlclash_code bound_by_sheet(state *s, const sc_depth_request *request)
{
    const double rounding = rounding_of(s);
    const double found = s->j->depth.depth;
    bool shallow = false;

    if (s->j->depth.complete || isfinite(s->thickness) || found > rounding ||
        found <= sc_judge_depth_limit(s, &request->within)) {
        return STLCLASH_OK;
    }
    stlclash_code code = try_sheets(s, rounding, &shallow);
    if (shallow) {
        s->thickness = rounding;
        s->j->depth.bound = fmin(s->j->depth.bound, rounding);
        s->j->depth.complete = true;
    }
    return code;
}

/* Where the search did not come to its end: whether sheets, of parts of any thickness, show a bound
 * that is of use. A search of cells as small as the depth is long, where sheets go facet by facet.
 */
static stlclash_code bound_by_casings(state *s, double limit, sc_depth *depth)
{
    bool shallow = false;
    stlclash_code code = STLCLASH_OK;
    if (!depth->complete && depth->depth < limit && depth->bound > limit) {
        code = try_sheet(s, limit, true, &shallow, NULL);
    }
    depth->bound = shallow ? fmin(depth->bound, limit) : depth->bound;
    return code;
}

/* Where the search did not come to its end: whether sheets, of parts of any thickness, show that
 * nothing lies deeper than what was found, within its error. If they do not, they show a place to
 * try, which may well be deeper. *spent: that took too long. */
static stlclash_code close_by_casings(state *s, const sc_depth_request *request, sc_depth *depth,
                                      bool *spent)
{
    enum { ROUNDS = 16 };
    sc_sheet_rest rest = {.spent = false};
    stlclash_code code = STLCLASH_OK;
    double tried = 0.0;

    for (int i = 0; i < ROUNDS && !rest.spent && !depth->complete && depth->depth > tried; i++) {
        bool shallow;
        const double limit = depth->depth * (1.0 + fmax(request->relative_error, casing_error));
        code = try_sheet(s, limit, true, &shallow, &rest);
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

/* ---- a search that goes on where it was left ----------------------------------- */

/* In all of the overlap. */
typedef struct whole_search {
    sc_depth_request request;
    sc_depth_search *search;
    sc_depth *depth;
} whole_search;

/* What is in *depth is set to nothing known. Freed by sc_depth_end. */
static whole_search begin_search(const sc_depth_request *request, sc_depth *depth)
{
    *depth = (sc_depth){.bound = INFINITY};
    return (whole_search){*request, sc_depth_begin(request), depth};
}

/* What a search for the depth has come to when it is known within its error, or one with a threshold
 * when nothing lies deeper. */
static double bound_to_reach(const whole_search *w)
{
    return w->request.threshold >= 0.0 ? w->request.threshold
                                       : w->depth->depth * (1.0 + w->request.relative_error);
}

/* Up to that budget in all; what is known already holds. */
static stlclash_code search_on(state *s, whole_search *w, uint64_t budget)
{
    sc_depth *depth = w->depth;
    const double bound = depth->bound;
    if (!w->search || !sc_depth_go_on(w->search, budget, depth)) {
        return sc_error_memory(s->error);
    }
    depth->bound = fmax(depth->depth, fmin(depth->bound, bound));
    depth->complete |= depth->bound <= bound_to_reach(w);
    bound_by_thickness(s, depth);
    if (w->request.threshold < 0.0) { /* else that was asked before */
        bound_by_plane(s, &w->request, depth);
    }
    return STLCLASH_OK;
}

/* How far a search has come. */
typedef struct progress {
    double bound, pending;
} progress;

static progress progress_of(const whole_search *w)
{
    return (progress){w->depth->bound, (double)sc_depth_pending(w->search)};
}

/* Whether a search that went on from `before` would come to its end so within so many steps more, as
 * its bound falls, or where many facets lie about as deep, as these are done: not where its cells
 * have to be as small as what is thin. */
static bool is_closing(const whole_search *w, progress before, double steps)
{
    const progress now = progress_of(w);
    return now.bound - bound_to_reach(w) <= (before.bound - now.bound) * steps ||
           now.pending <= (before.pending - now.pending) * steps;
}

/* Up to that budget, and as long after that, step by step, as it comes closer to its end. */
static stlclash_code search_while_closing(state *s, whole_search *w, uint64_t budget, uint64_t step)
{
    enum { LOOKS_A_FACET = 4 };
    const uint64_t facets = sc_parts_facets(s->q->part[0], s->q->part[1]);
    const uint64_t most = w->request.budget + LOOKS_A_FACET * facets;
    bool closing = true;
    stlclash_code code = search_on(s, w, budget - step);

    for (; code == STLCLASH_OK && !w->depth->complete && budget <= most && closing;
         budget += step) {
        const progress before = progress_of(w);
        code = search_on(s, w, budget);
        closing = is_closing(w, before, (double)(most - budget) / (double)step);
    }
    return code;
}

/* ---- all of the overlap, to the error that is asked for ------------------------ */

/* Of each region, as far as it is told: none as yet. */
static bool make_region_depths(state *s)
{
    const size_t count = s->j->overlap.region_count;
    if (!s->j->region_depths) {
        s->j->region_depths = sc_alloc(count, sizeof *s->j->region_depths);
        for (size_t i = 0; i < count && s->j->region_depths; i++) {
            s->j->region_depths[i] = NAN;
        }
    }
    return s->j->region_depths != NULL;
}

/* What has been found of one region more of those that were looked at. */
static void join_depth(sc_depth *all, const sc_depth *one)
{
    const double bound = fmax(all->bound, one->bound);
    const bool complete = all->complete && one->complete;
    if (one->depth > all->depth) {
        *all = *one;
    }
    all->bound = bound;
    all->complete = complete;
}

/* Each common point lies in some region, and each of those may be small where the whole is not:
 * region by region, up to the first that cannot be told, or lies deeper than the threshold. */
static stlclash_code search_regions(state *s, double threshold, sc_depth *depth)
{
    const sc_overlap *o = &s->j->overlap;

    *depth = (sc_depth){.complete = o->region_count > 1 && o->region_count <= MAX_REGIONS_SEARCHED};
    if (!make_region_depths(s)) {
        return sc_error_memory(s->error);
    }
    for (size_t i = 0; i < o->region_count && depth->complete; i++) {
        sc_depth one;
        sc_depth_request request = ask_depth(s, &o->regions[i].bounds, (uint32_t)i, threshold);
        uint64_t share = regions_budget / o->region_count;
        share = share > least_region_budget ? share : least_region_budget;
        request.budget = share < request.budget ? share : request.budget;
        stlclash_code code = find_depth(s, &request, &one);
        if (code != STLCLASH_OK) {
            return code;
        }
        join_depth(depth, &one);
        if (threshold >= 0.0 && one.depth > threshold) {
            return STLCLASH_OK;
        }
        if (threshold < 0.0 && one.complete && i < MAX_REGION_DEPTHS) {
            s->j->region_depths[i] = one.depth;
        }
    }
    if (!depth->complete) {
        depth->bound = INFINITY;
    }
    return STLCLASH_OK;
}

/* Where neither a short search nor regions tell: by one that takes longer, and goes on if that
 * helps; then by sheets, which go facet by facet, where a search has cells as small as the depth;
 * and if that is not enough, by the longest search, after which they may show a bound that is of
 * use. */
static stlclash_code search_long(state *s, whole_search *w)
{
    sc_depth *depth = w->depth;
    bool spent = false;
    stlclash_code code = search_while_closing(s, w, second_budget, more_budget);
    if (code == STLCLASH_OK && !depth->complete) {
        code = close_by_casings(s, &w->request, depth, &spent);
    }
    if (code != STLCLASH_OK || depth->complete) {
        return code;
    }
    code = search_on(s, w, w->request.budget);
    if (code == STLCLASH_OK && !spent) {
        code = bound_by_casings(s, 2.0 * depth->depth, depth);
    }
    return code;
}

/* Briefly, region by region, or long. */
static stlclash_code search_whole(state *s, whole_search *w)
{
    const uint64_t budget = w->request.budget;
    sc_depth regions = {.complete = false};
    stlclash_code code = search_on(s, w, budget < depth_budget ? budget : first_budget);
    code = code == STLCLASH_OK ? bound_by_sheet(s, &w->request) : code;
    if (code != STLCLASH_OK || s->j->depth.complete || budget < depth_budget) {
        return code;
    }
    code = search_regions(s, -1.0, &regions);
    if (code == STLCLASH_OK && regions.complete) {
        s->j->depth = regions;
    } else if (code == STLCLASH_OK) {
        code = search_long(s, w);
    }
    return code;
}

/* Of all of the overlap, to the error that is asked for. */
static stlclash_code need_depth(state *s)
{
    if (s->has_depth) {
        return STLCLASH_OK;
    }
    const sc_depth_request request = ask_depth(s, &s->j->overlap.common, SC_NO_REGION, -1.0);
    whole_search w = begin_search(&request, &s->j->depth);
    stlclash_code code = search_whole(s, &w);
    sc_depth_end(w.search);
    s->has_depth = code == STLCLASH_OK;
    return code;
}

/* ---- whether it exceeds what is allowed ---------------------------------------- */

static sc_deep deeper_than(const sc_depth *depth, double limit)
{
    return depth->depth > limit ? SC_DEEP : depth->bound <= limit ? SC_NOT_DEEP : SC_DEEP_UNKNOWN;
}

/* Where the depth is to be reported, it mostly tells whether it exceeds a limit. */
static stlclash_code compare_reported_depth(state *s, double limit)
{
    stlclash_code code = STLCLASH_OK;
    s->j->deep = SC_DEEP_UNKNOWN;
    if (sc_judge_measures_depth(s->q->options)) {
        code = sc_need_overlap(s);
        if (code == STLCLASH_OK && s->j->has_overlap) {
            code = need_depth(s);
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
    sc_depth_request request = ask_depth(s, box, SC_NO_REGION, threshold);
    request.budget = budget < request.budget ? budget : request.budget;
    request.relative_error = fmin(request.relative_error, default_depth_error);
    stlclash_code code = find_depth(s, &request, &depth);
    *deep = code == STLCLASH_OK ? deeper_than(&depth, limit) : SC_DEEP_UNKNOWN;
    return code;
}

static stlclash_code look_for_depth(state *s, const sc_box *box, double limit, uint64_t budget,
                                    sc_deep *deep)
{
    return search_for_depth(s, box, limit, limit, budget, deep);
}

/* What is shown to lie no deeper than `thickness`: if that is rounding, its depth is of no
 * interest. */
static void is_shallow(state *s, double thickness)
{
    s->thickness = thickness <= rounding_of(s) ? thickness : INFINITY;
    s->j->deep = SC_NOT_DEEP;
}

/* Of parts that hold each other, but where a glance shows nothing deep: whether all that they have
 * in common lies along their surfaces, but for rounding: what is no deeper keeps a touch overlap
 * that allows more as well. */
static stlclash_code look_for_sheet(state *s, const sc_box *box, double limit)
{
    const double rounding = rounding_of(s);
    const bool allows_more = s->q->tolerances->touch_overlap > rounding;
    const double thickness = fmin(s->q->tolerances->touch_overlap, rounding);
    bool shallow = false;
    stlclash_code code =
        look_for_depth(s, box, allows_more ? rounding : limit, glance_budget, &s->j->deep);
    if (code == STLCLASH_OK && s->j->deep == SC_DEEP_UNKNOWN) {
        code = try_sheets(s, thickness, &shallow);
        if (shallow) {
            is_shallow(s, thickness);
        }
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
    return search_for_depth(s, box, -1.0, limit, first_budget, &s->j->deep);
}

/* Whether sheets show that nothing lies deeper than a touch overlap that allows more than rounding,
 * as they do if it is more than the depth by a hundredth of it. */
static stlclash_code look_for_casings(state *s)
{
    const double limit = s->q->tolerances->touch_overlap;
    sc_depth none = {.complete = false, .bound = INFINITY};
    sc_depth *depth = s->has_depth ? &s->j->depth : &none;
    stlclash_code code = STLCLASH_OK;

    if (limit > rounding_of(s)) {
        code = bound_by_casings(s, limit, depth);
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
        code = search_regions(s, limit, &depth);
        s->j->deep = code == STLCLASH_OK ? deeper_than(&depth, limit) : SC_DEEP_UNKNOWN;
    }
    return code;
}

/* Whether nothing has told yet. */
static bool is_open(stlclash_code code, const state *s)
{
    return code == STLCLASH_OK && s->j->deep == SC_DEEP_UNKNOWN;
}

/* By a search for anything deeper, briefly, and on as long as it comes closer to its end; by all else
 * that may tell; and by the longest search. *sheets: what crosses has no volume. */
static stlclash_code search_for_limit(state *s, whole_search *w, double limit, bool *sheets)
{
    const uint64_t budget = w->request.budget;
    stlclash_code code = budget < depth_budget
                             ? search_on(s, w, budget < first_budget ? budget : first_budget)
                             : search_while_closing(s, w, first_budget, first_budget / 2);
    s->j->deep = deeper_than(w->depth, limit);
    if (is_open(code, s)) {
        code = cross_without_volume(s, sheets);
    }
    if (*sheets) {
        return code;
    }
    if (is_open(code, s)) {
        code = look_for_casings(s);
    }
    if (is_open(code, s) && !sc_judge_measures_depth(s->q->options)) {
        code = look_for_deepest(s, &w->request.within, limit);
    }
    if (is_open(code, s)) {
        code = look_region_by_region(s, limit);
    }
    if (is_open(code, s)) {
        code = search_on(s, w, budget);
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
        code = cross_without_volume(s, &sheets);
    }
    if (code == STLCLASH_OK && !sheets) {
        const sc_depth_request request = ask_depth(s, box, SC_NO_REGION, limit);
        sc_depth depth;
        whole_search w = begin_search(&request, &depth);
        code = search_for_limit(s, &w, limit, &sheets);
        sc_depth_end(w.search);
    }
    if (sheets) {
        s->j->deep = SC_DEEP;
    }
    if (is_open(code, s)) {
        sc_judging_note(s, "depth_undecided");
    }
    return code;
}

stlclash_code sc_judge_depth(state *s)
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

stlclash_code sc_judge_depth_at_a_glance(state *s, bool *deep)
{
    sc_box box = sc_judging_common_box(s);
    sc_deep found;
    stlclash_code code =
        look_for_depth(s, &box, sc_judge_depth_limit(s, &box), glance_budget, &found);
    *deep = found == SC_DEEP;
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
    sc_depth_request request = ask_depth(s, common, SC_NO_REGION, threshold);
    stlclash_code code = find_depth(s, &request, &closer);
    if (code == STLCLASH_OK && closer.bound <= threshold) {
        known->bound = fmax(known->depth, limit);
    } else if (code == STLCLASH_OK && closer.depth > threshold) {
        code = sc_depth_tell(&request, &closer) ? STLCLASH_OK : sc_error_memory(s->error);
        closer.bound = known->bound;
        *known = closer;
    }
    return code;
}

/* Of each region that is not measured yet. What is deeper than the whole, within its error, is
 * what the whole is. */
static stlclash_code measure_regions(state *s)
{
    enum { PATIENCE = 4, SHORT = 32 };
    const sc_overlap *o = &s->j->overlap;
    int lost = 0; /* regions whose depth was not found out */

    for (size_t i = 0; i < o->region_count && i < MAX_REGION_DEPTHS; i++) {
        sc_depth depth = s->j->depth;
        if (!isnan(s->j->region_depths[i])) {
            continue;
        }
        if (o->region_count > 1) {
            sc_depth_request request = ask_depth(s, &o->regions[i].bounds, (uint32_t)i, -1.0);
            request.budget /= lost < PATIENCE ? 1 : SHORT; /* they are much alike */
            stlclash_code code = find_depth(s, &request, &depth);
            if (code != STLCLASH_OK) {
                return code;
            }
            lost += !depth.complete;
        }
        s->j->region_depths[i] = o->region_count == 1 || depth.complete ? depth.depth : NAN;
        if (depth.depth > s->j->depth.depth) {
            depth.bound = fmax(depth.depth, s->j->depth.bound);
            depth.complete = s->j->depth.complete;
            s->j->depth = depth;
        }
    }
    return STLCLASH_OK;
}

stlclash_code sc_judge_measure_depth(state *s)
{
    stlclash_code code = need_depth(s);
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
    if (!make_region_depths(s)) {
        return sc_error_memory(s->error);
    }
    code = measure_regions(s);
    s->j->has_depth = code == STLCLASH_OK;
    for (size_t i = 0; i < s->j->overlap.region_count; i++) {
        if (isnan(s->j->region_depths[i])) {
            sc_judging_note(s, "region_depth_unknown");
            break;
        }
    }
    return code;
}
