/* judge_search.c - see judge_search.h. */
#include "judge_search.h"

#include "base/error.h"
#include "contact/flat.h"
#include "depth/depth_vertices.h"

typedef sc_judging state;

/* Cells and triangles that a search may look at, of one of several regions; of parts that touch in
 * a plane, but for rounding: to know better would be of no use; and where one crossing is all that
 * is known: all of them may tell at once (sc_check). */
static const uint64_t region_budget = 100000, flat_budget = 2000, stopped_budget = 20000;

/* ---- one search ---------------------------------------------------------------- */

sc_depth_request sc_search_ask(state *s, const sc_box *within, uint32_t region, double threshold)
{
    double relative = s->q->options->depth_error;
    relative = relative > 0.0 ? relative : SC_USUAL_DEPTH_ERROR;
    if (threshold >= 0.0) { /* whether it is exceeded does not depend on how well it is reported */
        relative = sc_fmin(relative, SC_USUAL_DEPTH_ERROR);
    }
    uint64_t budget = isfinite(s->thickness)   ? flat_budget
                      : s->q->stopped          ? stopped_budget
                      : region != SC_NO_REGION ? region_budget
                                               : SC_LOOKS;
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

double sc_judge_limit_above(const sc_depth_request *request, const sc_depth *depth)
{
    return depth->depth * (1.0 + 0.98 * request->relative_error);
}

/* What a plane between the parts tells holds as well. */
static void bound_by_thickness(const state *s, sc_depth *depth)
{
    if (isfinite(s->thickness)) {
        depth->bound = sc_fmax(depth->depth, sc_fmin(depth->bound, s->thickness));
        depth->complete = true;
    }
}

stlclash_code sc_search_at_once(state *s, const sc_depth_request *request, sc_depth *depth)
{
    if (!sc_depth_find(request, depth)) {
        return sc_error_memory(s->error);
    }
    bound_by_thickness(s, depth);
    return STLCLASH_OK;
}

stlclash_code sc_judge_vertices(state *s, const sc_depth_request *request, uint64_t looks,
                                sc_depth *depth)
{
    enum { AT_LEAST = 1024 };
    if (depth->depth > 0.0 && !sc_depth_try_vertices(request, AT_LEAST + looks, depth)) {
        return sc_error_memory(s->error);
    }
    return STLCLASH_OK;
}

double sc_judge_depth_limit(const state *s, const sc_box *within)
{
    return sc_equal_depth(s->q->tolerances->touch_overlap, sc_box_reach(within));
}

/* Where the search did not come to its end: whether a plane between the parts bounds the depth well
 * enough, as between sheets that are pressed into each other. */
static void bound_by_plane(state *s, const sc_depth_request *request, sc_depth *depth)
{
    double thickness;
    if (!depth->complete &&
        sc_flat_contact(s->solid, s->q->hits, s->q->hit_count, depth->bound, &thickness)) {
        depth->bound = sc_fmax(depth->depth, sc_fmin(depth->bound, thickness));
        depth->complete = depth->bound <= depth->depth * (1.0 + request->relative_error);
    }
}

double sc_rounding_of(const state *s)
{
    return 2.0 * s->q->tolerances->resolution;
}

/* ---- a search that goes on where it was left ----------------------------------- */

sc_search sc_search_begin(const sc_depth_request *request, sc_depth *depth)
{
    return (sc_search){*request, sc_depth_begin(request), depth};
}

void sc_search_end(sc_search *w)
{
    sc_depth_end(w->search);
}

/* What a search for the depth has come to when it is known within its error, or one with a
 * threshold when nothing lies deeper. */
static double bound_to_reach(const sc_search *w)
{
    return w->request.threshold >= 0.0 ? w->request.threshold
                                       : w->depth->depth * (1.0 + w->request.relative_error);
}

/* What is known already holds. */
stlclash_code sc_search_on(state *s, sc_search *w, uint64_t budget)
{
    sc_depth *depth = w->depth;
    const double bound = depth->bound;
    if (!w->search || !sc_depth_go_on(w->search, budget, depth)) {
        return sc_error_memory(s->error);
    }
    depth->bound = sc_fmax(depth->depth, sc_fmin(depth->bound, bound));
    depth->complete |= depth->bound <= bound_to_reach(w);
    bound_by_thickness(s, depth);
    if (w->request.threshold < 0.0 && !w->request.regions) { /* else that was asked before */
        bound_by_plane(s, &w->request, depth);
    }
    return STLCLASH_OK;
}

/* The bound falls as cells become smaller, and these become more at least as the inverse: so at
 * best it falls as the looks become more. And each cell that waits asks for a look, unless
 * something deeper is found meanwhile. */
stlclash_code sc_search_unless_hopeless(state *s, sc_search *w, uint64_t budget)
{
    enum { TRIED = 8 };
    stlclash_code code = sc_search_on(s, w, budget / TRIED);
    const bool hopeless =
        w->request.threshold < 0.0 &&
        (w->depth->bound / TRIED > bound_to_reach(w) || sc_depth_pending(w->search) > budget);
    return code == STLCLASH_OK && !w->depth->complete && !hopeless ? sc_search_on(s, w, budget)
                                                                   : code;
}

/* How far a search has come. */
typedef struct progress {
    double bound, pending;
} progress;

static progress progress_of(const sc_search *w)
{
    return (progress){w->depth->bound, (double)sc_depth_pending(w->search)};
}

/* Whether a search that went on from `before` would come to its end so within so many steps
 * more, as its bound falls, or where many facets lie about as deep, as these are done: not where
 * its cells have to be as small as what is thin. */
static bool is_closing(const sc_search *w, progress before, double steps)
{
    const progress now = progress_of(w);
    return now.bound - bound_to_reach(w) <= (before.bound - now.bound) * steps ||
           now.pending <= (before.pending - now.pending) * steps;
}

stlclash_code sc_search_while_closing(state *s, sc_search *w, uint64_t budget, uint64_t step)
{
    enum { LOOKS_A_FACET = 4 };
    const uint64_t facets = sc_parts_facets(s->q->part[0], s->q->part[1]);
    const uint64_t most = w->request.budget + LOOKS_A_FACET * facets;
    bool closing = true;
    stlclash_code code = sc_search_on(s, w, budget - step);

    for (; code == STLCLASH_OK && !w->depth->complete && budget <= most && closing;
         budget += step) {
        const progress before = progress_of(w);
        code = sc_search_on(s, w, budget);
        closing = is_closing(w, before, (double)(most - budget) / (double)step);
    }
    return code;
}
