/* judge_regions.c - see judge_regions.h. */
#include "judge_regions.h"

#include "base/alloc.h"
#include "base/error.h"
#include "judge_erosion.h"
#include "judge_search.h"
#include "judge_sheets.h"

typedef sc_judging state;

/* Where it is searched for region by region: for all of them, and how many they may be. */
static const uint64_t regions_budget = 4000000, least_region_budget = 4000;
enum { MAX_REGIONS_SEARCHED = 1000 };

/* Regions whose own depth is told. */
enum { MAX_REGION_DEPTHS = 100 };

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
    const double bound = sc_fmax(all->bound, one->bound);
    const bool complete = all->complete && one->complete;
    if (one->depth > all->depth) {
        *all = *one;
    }
    all->bound = bound;
    all->complete = complete;
}

/* Of one region, of which something may be known, within its budget: briefly, by sheets if they may
 * be tried, or on. Adds how many looks it took. */
static stlclash_code search_region(state *s, const sc_depth_request *request, bool by_sheets,
                                   sc_depth *depth, uint64_t *looks)
{
    sc_search w = sc_search_begin(request, depth);
    const uint64_t brief =
        request->budget < least_region_budget ? request->budget : least_region_budget;
    stlclash_code code = sc_search_on(s, &w, brief);
    if (code == STLCLASH_OK && !depth->complete && by_sheets) {
        code = sc_sheets_bound_region(s, request, depth);
    }
    if (code == STLCLASH_OK && !depth->complete) {
        code = sc_search_unless_hopeless(s, &w, request->budget);
    }
    *looks += w.search ? sc_depth_looks(w.search) : 0;
    sc_search_end(&w);
    return code;
}

stlclash_code sc_judge_by_region(state *s, double threshold, sc_depth *depth)
{
    const sc_overlap *o = &s->j->overlap;

    uint64_t looks = 0;
    *depth = (sc_depth){.complete = o->region_count > 1 && o->region_count <= MAX_REGIONS_SEARCHED};
    if (!make_region_depths(s)) {
        return sc_error_memory(s->error);
    }
    for (size_t i = 0; i < o->region_count && depth->complete; i++) {
        sc_depth one = {.bound = INFINITY};
        sc_depth_request request = sc_search_ask(s, &o->regions[i].bounds, (uint32_t)i, threshold);
        uint64_t share = regions_budget / o->region_count;
        share = share > least_region_budget ? share : least_region_budget;
        request.budget = share < request.budget ? share : request.budget;
        const uint64_t before = looks;
        stlclash_code code =
            search_region(s, &request, request.budget >= SC_FIRST_LOOKS, &one, &looks);
        if (code == STLCLASH_OK && threshold < 0.0) {
            code = sc_judge_vertices(s, &request, looks - before, &one);
        }
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

/* ---- each by itself, once all of them are known --------------------------------- */

/* Regions that are not measured yet, of those whose depth is told. */
typedef struct measuring {
    size_t count;
    size_t of[MAX_REGION_DEPTHS];
    sc_depth_request request[MAX_REGION_DEPTHS];
    sc_depth depth[MAX_REGION_DEPTHS];
} measuring;

static void list_open(state *s, measuring *m)
{
    const sc_overlap *o = &s->j->overlap;
    m->count = 0;
    for (size_t i = 0; i < o->region_count && i < MAX_REGION_DEPTHS; i++) {
        if (isnan(s->j->region_depths[i])) {
            m->of[m->count] = i;
            m->request[m->count] = sc_search_ask(s, &o->regions[i].bounds, (uint32_t)i, -1.0);
            m->depth[m->count++] = (sc_depth){.bound = INFINITY};
        }
    }
}

static size_t count_open(const measuring *m)
{
    size_t open = 0;
    for (size_t k = 0; k < m->count; k++) {
        open += !m->depth[k].complete;
    }
    return open;
}

/* With a few looks at those that nothing is known of: what they find is the limit of each. */
static stlclash_code erode_open(state *s, measuring *m)
{
    enum { FEW_LOOKS = 32 };
    stlclash_code code = STLCLASH_OK;
    for (size_t k = 0; k < m->count && code == STLCLASH_OK; k++) {
        if (!m->depth[k].complete && m->depth[k].depth == 0.0) {
            sc_depth_request brief = m->request[k];
            brief.budget = brief.budget < FEW_LOOKS ? brief.budget : FEW_LOOKS;
            code = sc_search_at_once(s, &brief, &m->depth[k]);
        }
    }
    return code == STLCLASH_OK ? sc_judge_erode_regions(s, m->request, m->count, m->depth) : code;
}

/* One after the other. They are much alike: once the depth of one is not found out, or it takes
 * less time to erode those that are open than to search them, by what the others took, that is
 * done, where it told the depth of all of them; and then it begins anew with what is left. */
static stlclash_code search_open(state *s, measuring *m)
{
    enum { PATIENCE = 4, MOST_HALVINGS = 9, AT_LEAST = 2000 };
    const uint64_t worth = AT_LEAST + sc_parts_facets(s->q->part[0], s->q->part[1]);
    int lost = 0; /* regions whose depth was not found out */
    uint64_t looks = 0, searched = 0;
    bool may_erode = s->by_erosion;
    stlclash_code code = STLCLASH_OK;
    for (size_t k = 0; k < m->count && code == STLCLASH_OK;) {
        if (may_erode && (lost > 0 || looks * count_open(m) > worth * searched)) {
            code = erode_open(s, m);
            may_erode = false;
            lost = 0;
            k = 0;
        } else if (m->depth[k].complete) {
            k++;
        } else {
            sc_depth_request request = m->request[k];
            request.budget >>= lost < MOST_HALVINGS ? lost : MOST_HALVINGS;
            code = search_region(s, &request, lost < PATIENCE, &m->depth[k], &looks);
            lost += !m->depth[k].complete;
            searched++;
            k++;
        }
    }
    return code;
}

/* What is deeper than the whole, within its error, is what the whole is. */
static void tell_regions(state *s, const measuring *m)
{
    sc_depth *whole = &s->j->depth;
    for (size_t k = 0; k < m->count; k++) {
        const sc_depth *depth = &m->depth[k];
        s->j->region_depths[m->of[k]] = depth->complete ? depth->depth : NAN;
        if (depth->depth > whole->depth) {
            const sc_depth known = *whole;
            *whole = *depth;
            whole->bound = sc_fmax(depth->depth, known.bound);
            whole->complete = known.complete;
        }
    }
}

stlclash_code sc_judge_measure_regions(state *s)
{
    if (!make_region_depths(s)) {
        return sc_error_memory(s->error);
    }
    if (s->j->overlap.region_count == 1) {
        s->j->region_depths[0] = s->j->depth.depth;
        return STLCLASH_OK;
    }
    measuring *m = sc_alloc(1, sizeof *m);
    if (!m) {
        return sc_error_memory(s->error);
    }
    list_open(s, m);
    stlclash_code code = search_open(s, m);
    if (code == STLCLASH_OK) {
        tell_regions(s, m);
    }
    sc_free(m);
    return code;
}
