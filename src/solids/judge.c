/* judge.c - see judge.h.
 *
 * A proper crossing that lies deep is proven by one point, without asking whether the
 * parts are closed; parts that are plainly apart, and a point that plainly lies inside,
 * without a look at their shells. All else needs closed parts: where nothing crosses, the
 * volume of the overlap is 0 or not, exactly; where it is not, or something crosses, the
 * depth decides against the touch overlap. Open parts have no inside: their surfaces alone
 * are judged, and where one could hold the other nothing is. */
#include "judge.h"

#include "apart.h"
#include "base/alloc.h"
#include "base/error.h"
#include "depth_crossing.h"
#include "edge_crossing.h"
#include "flat.h"
#include "judging.h"
#include "sheet.h"
#include "surround.h"

#include <stdatomic.h>
#include <string.h>

/* Cells and triangles that a search for the depth may look at, of the overlap and of one of
 * several regions. */
static const uint64_t depth_budget = 1000000, region_budget = 100000;

/* Of the depth, before other proofs are tried. */
static const uint64_t first_budget = 50000;

/* The same of parts that touch in a plane, but for rounding: to know better would be of no use; and
 * where one crossing is all that is known: all of them may tell at once (sc_check). */
static const uint64_t flat_budget = 2000, stopped_budget = 20000;

/* That a look may take which only saves others if it finds something. */
static const uint64_t glance_budget = 500;

/* Of two parts with fewer facets the shells are known as soon as anything of them. */
enum { FEW_FACETS = 8000 };

/* Regions whose own depth is searched for. */
enum { MAX_REGION_DEPTHS = 100 };

static const double default_depth_error = 0.01;

typedef sc_judging state;

static void note(state *s, const char *word)
{
    for (int i = 0; i < s->j->note_count; i++) {
        if (strcmp(s->j->notes[i], word) == 0) {
            return;
        }
    }
    s->j->notes[s->j->note_count++] = word;
}

static bool both_closed(const state *s)
{
    return s->j->health[0]->closed && s->j->health[1]->closed;
}

/* ---- depth --------------------------------------------------------------- */

static sc_box common_box(const state *s)
{
    return sc_boxes_common(&s->q->part[0]->used_bounds, &s->q->part[1]->used_bounds);
}

/* Whether nothing can lie deeper than the touch overlap, as a shift shows after which the parts'
 * boxes are apart. */
static bool boxes_part_soon(const state *s)
{
    return sc_parts_way_apart(s->q->part[0], s->q->part[1]) <= s->q->tolerances->touch_overlap;
}

/* In all of the overlap, or in one of several regions. */
static sc_depth_request ask_depth(state *s, const sc_box *within, uint32_t region, double threshold)
{
    double relative = s->q->options->depth_error;
    uint64_t budget = isfinite(s->thickness)   ? flat_budget
                      : s->q->stopped          ? stopped_budget
                      : region != SC_NO_REGION ? region_budget
                                               : depth_budget;
    return (sc_depth_request){.regions = region != SC_NO_REGION ? &s->regions : NULL,
                              .region = region,
                              .all = &s->j->depth,
                              .solid = {&s->solid[0], &s->solid[1]},
                              .within = *within,
                              .relative_error = relative > 0.0 ? relative : default_depth_error,
                              .threshold = threshold,
                              .hits = s->q->hits,
                              .hit_count = s->q->hit_count,
                              .budget = budget,
                              .poll = s->q->poll,
                              .poll_context = s->q->poll_context,
                              .crew = s->q->crew};
}

/* What a plane between the parts tells holds as well. */
static stlclash_code find_depth(state *s, const sc_depth_request *request, sc_depth *depth)
{
    bool found = sc_depth_find(request, depth);
    if (found && isfinite(s->thickness)) {
        depth->bound = fmax(depth->depth, fmin(depth->bound, s->thickness));
        depth->complete = true;
    }
    return found ? STLCLASH_OK : sc_error_memory(s->error);
}

/* A depth up to here counts as equal to the touch overlap: distances are rounded, and
 * the bound itself passes. */
static double equal_to(double touch_overlap, const sc_box *within)
{
    return touch_overlap * (1.0 + 0x1p-30) + sc_box_reach(within) * 0x1p-46;
}

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

static stlclash_code search_depth(state *s, const sc_depth_request *request)
{
    stlclash_code code = find_depth(s, request, &s->j->depth);
    if (code == STLCLASH_OK) {
        bound_by_plane(s, request, &s->j->depth);
    }
    return code;
}

/* Of all of the overlap, to the error that is asked for. */
static stlclash_code need_depth(state *s)
{
    stlclash_code code = STLCLASH_OK;
    if (!s->has_depth) {
        sc_depth_request all = ask_depth(s, &s->j->overlap.common, SC_NO_REGION, -1.0);
        const uint64_t budget = all.budget;
        all.budget = budget < depth_budget ? budget : first_budget;
        code = search_depth(s, &all);
        if (code == STLCLASH_OK && !s->j->depth.complete && all.budget < budget) {
            all.budget = budget;
            code = search_depth(s, &all);
        }
        s->has_depth = code == STLCLASH_OK;
    }
    return code;
}

static sc_deep deeper_than(const sc_depth *depth, double limit)
{
    return depth->depth > limit ? SC_DEEP : depth->bound <= limit ? SC_NOT_DEEP : SC_DEEP_UNKNOWN;
}

/* Where the depth is to be reported, it mostly tells whether it exceeds a limit. */
static stlclash_code compare_reported_depth(state *s, double limit)
{
    stlclash_code code = STLCLASH_OK;
    s->j->deep = SC_DEEP_UNKNOWN;
    if (sc_judge_measures(s->q->options)) {
        code = sc_need_overlap(s);
        if (code == STLCLASH_OK && s->j->has_overlap) {
            code = need_depth(s);
            s->j->deep = deeper_than(&s->j->depth, limit);
        }
    }
    return code;
}

/* Whether a common point lies deeper than a limit, as far as a search of so many looks tells. */
static stlclash_code look_for_depth(state *s, const sc_box *box, double limit, uint64_t budget,
                                    sc_deep *deep)
{
    sc_depth depth;
    sc_depth_request request = ask_depth(s, box, SC_NO_REGION, limit);
    request.budget = budget < request.budget ? budget : request.budget;
    stlclash_code code = find_depth(s, &request, &depth);
    *deep = code == STLCLASH_OK ? deeper_than(&depth, limit) : SC_DEEP_UNKNOWN;
    return code;
}

/* What is shown to lie no deeper than `thickness`: if that is rounding, its depth is of no interest. */
static void is_shallow(state *s, double thickness)
{
    s->thickness = thickness <= 2.0 * s->q->tolerances->resolution ? thickness : INFINITY;
    s->j->deep = SC_NOT_DEEP;
}

/* Of parts that hold each other, but where a glance shows nothing deep: whether all that they have in
 * common lies along their surfaces, but for rounding. */
static stlclash_code look_for_sheet(state *s, const sc_box *box, double limit)
{
    const sc_sheet_request request = {.solid = {&s->solid[0], &s->solid[1]},
                                      .limit = s->q->tolerances->touch_overlap,
                                      .poll = s->q->poll,
                                      .poll_context = s->q->poll_context};
    bool shallow = false;
    s->j->deep = SC_DEEP_UNKNOWN;
    if (request.limit > 2.0 * s->q->tolerances->resolution) {
        return STLCLASH_OK; /* walls may be as thin as that: see sheet.h */
    }
    stlclash_code code = look_for_depth(s, box, limit, glance_budget, &s->j->deep);
    if (code == STLCLASH_OK && s->j->deep == SC_DEEP_UNKNOWN) {
        code = sc_sheet_overlap(&request, &shallow) ? STLCLASH_OK : sc_error_memory(s->error);
        if (shallow) {
            is_shallow(s, request.limit);
        }
    }
    return code;
}

/* Whether a common point lies deeper than the touch overlap. */
static stlclash_code compare_depth(state *s)
{
    sc_box box = s->measured && !s->q->crossing ? s->j->overlap.common : common_box(s);
    double limit = equal_to(s->q->tolerances->touch_overlap, &box);
    double thickness;
    if (sc_flat_contact(s->solid, s->q->hits, s->q->hit_count, limit, &thickness)) {
        is_shallow(s, thickness);
        return STLCLASH_OK;
    }
    stlclash_code code = look_for_sheet(s, &box, limit);
    if (code == STLCLASH_OK && s->j->deep == SC_DEEP_UNKNOWN) {
        code = compare_reported_depth(s, limit);
    }
    if (code != STLCLASH_OK || s->j->deep != SC_DEEP_UNKNOWN) {
        return code;
    }
    code = look_for_depth(s, &box, limit, UINT64_MAX, &s->j->deep);
    if (code == STLCLASH_OK && s->j->deep == SC_DEEP_UNKNOWN) {
        note(s, "depth_undecided");
    }
    return code;
}

/* The same, with both parts read as stored, if a glance shows it: of parts that are inside out, or
 * do not lie deep, it might take long to see nothing. */
static stlclash_code glance_for_depth(state *s, bool *deep)
{
    sc_box box = common_box(s);
    sc_deep found;
    stlclash_code code = look_for_depth(s, &box, equal_to(s->q->tolerances->touch_overlap, &box),
                                        glance_budget, &found);
    *deep = found == SC_DEEP;
    return code;
}

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
    double threshold = equal_to(limit, common);
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

static stlclash_code measure_depth(state *s)
{
    enum { PATIENCE = 4, SHORT = 32 };
    const sc_overlap *o = &s->j->overlap;
    int lost = 0; /* regions whose depth was not found out */
    stlclash_code code = need_depth(s);
    code = code == STLCLASH_OK ? settle_depth_limit(s) : code;
    if (code != STLCLASH_OK) {
        return code;
    }
    if (s->j->depth.depth > equal_to(s->q->tolerances->touch_overlap, &o->common)) {
        s->j->deep = SC_DEEP; /* what is exhibited counts */
    }
    if (!s->j->depth.complete) {
        note(s, "depth_undecided");
    }
    if (!isfinite(s->j->depth.bound)) {
        return STLCLASH_OK;
    }
    s->j->region_depths = sc_alloc(o->region_count, sizeof *s->j->region_depths);
    if (!s->j->region_depths) {
        return sc_error_memory(s->error);
    }
    for (size_t i = 0; i < o->region_count; i++) {
        sc_depth depth = s->j->depth;
        if (o->region_count > 1 && i < MAX_REGION_DEPTHS) {
            sc_depth_request request = ask_depth(s, &o->regions[i].bounds, (uint32_t)i, -1.0);
            request.budget /= lost < PATIENCE ? 1 : SHORT; /* they are much alike */
            code = find_depth(s, &request, &depth);
            if (code != STLCLASH_OK) {
                return code;
            }
            lost += !depth.complete;
        }
        bool found = i < MAX_REGION_DEPTHS && (o->region_count == 1 || depth.complete);
        s->j->region_depths[i] = found ? depth.depth : NAN;
    }
    s->j->has_depth = true;
    return STLCLASH_OK;
}

/* ---- open parts ---------------------------------------------------------- */

/* Whether what of one part does not meet the other may lie in it. */
static stlclash_code look_for_held(state *s)
{
    bool held = false;
    stlclash_code code = STLCLASH_OK;
    for (int i = 0; i < 2 && code == STLCLASH_OK && !held; i++) {
        sc_surround_request request = {.in = &s->solid[i],
                                       .of = &s->solid[1 - i],
                                       .hits = s->q->hits,
                                       .hit_count = s->q->hit_count,
                                       .in_is_closed = s->j->health[i]->closed,
                                       .poll = s->q->poll,
                                       .poll_context = s->q->poll_context};
        code = sc_surround_find(&request, &held) ? STLCLASH_OK : sc_error_memory(s->error);
    }
    if (held) {
        s->j->deep = SC_DEEP_UNKNOWN;
        note(s, "containment_unknown");
    }
    return code;
}

static stlclash_code judge_open(state *s)
{
    sc_solid *const solid[2] = {&s->solid[0], &s->solid[1]};
    stlclash_code code = STLCLASH_OK;

    note(s, "open_part");
    if (s->q->crossing) {
        s->j->deep = SC_DEEP;
    } else if (s->q->hit_count > 0 &&
               !sc_crosses_along_edges(solid, s->q->hits, s->q->hit_count, &s->j->deep)) {
        return sc_error_memory(s->error);
    }
    if (s->j->deep == SC_DEEP_UNKNOWN) {
        note(s, "depth_undecided");
    }
    code = s->j->deep == SC_NOT_DEEP ? look_for_held(s) : code;
    return code == STLCLASH_OK ? sc_find_curves(s) : code;
}

/* ---- the judgement ------------------------------------------------------- */

typedef struct containment {
    state *s;
    atomic_bool contained, failed, in_doubt;
} containment;

/* Whether a part holds nothing of the other, as far as little work tells. */
static void look_for_ways_out(void *context, int part)
{
    containment *c = context;
    const sc_case *q = c->s->q;
    bool apart = false;
    if (atomic_load(&c->in_doubt)) {
        return;
    }
    if (!sc_apart_find(q->part[1 - part], q->part[part], &q->frame, &apart)) {
        atomic_store(&c->failed, true);
    }
    if (!apart) {
        atomic_store(&c->in_doubt, true);
    }
}

static void look_whether_closed(void *context, int part)
{
    containment *c = context;
    const sc_judgement *j = c->s->j;
    bool closed = !atomic_load(&c->in_doubt) &&
                  (j->has_health ? j->health[part]->closed
                                 : sc_health_is_balanced(c->s->q->part[part]->mesh));
    if (!closed) {
        atomic_store(&c->in_doubt, true);
    }
}

/* Parts whose surfaces do not meet. */
static stlclash_code judge_apart(state *s, bool *apart)
{
    const sc_case *q = s->q;
    containment c = {.s = s};

    *apart = false;
    if (sc_parts_facets(q->part[0], q->part[1]) < FEW_FACETS) {
        return STLCLASH_OK;
    }
    sc_crew *crew = sc_judging_crew(s, SC_NS_LOOK);
    sc_crew_items(crew, 2, look_for_ways_out, &c);
    sc_crew_items(crew, 2, look_whether_closed, &c);
    *apart = s->j->balanced = !c.in_doubt;
    return c.failed ? sc_error_memory(s->error) : STLCLASH_OK;
}

static void look_inside(void *context, int part)
{
    containment *c = context;
    bool contained = atomic_load(&c->contained); /* then that settles it */
    if (!contained &&
        !sc_windings_contained(&c->s->solid[part], &c->s->solid[1 - part], &contained)) {
        atomic_store(&c->failed, true);
    }
    if (contained) {
        atomic_store(&c->contained, true);
    }
}

/* Parts whose surfaces do not meet: whether a few points of one lie inside the other. */
static stlclash_code some_are_inside(state *s, bool *inside)
{
    *inside = false;
    for (int i = 0; i < 2 && !*inside; i++) {
        if (!sc_windings_some_inside(&s->solid[i], &s->solid[1 - i], inside)) {
            return sc_error_memory(s->error);
        }
    }
    return STLCLASH_OK;
}

/* The same of closed parts: whether any piece of one lies inside the other. */
static stlclash_code is_contained(state *s, bool *contained)
{
    stlclash_code code = some_are_inside(s, contained);
    if (code != STLCLASH_OK || *contained) {
        return code;
    }
    containment c = {.s = s};
    sc_crew_items(sc_judging_crew(s, SC_NS_JOIN), 2, look_inside, &c);
    *contained = c.contained;
    return c.failed ? sc_error_memory(s->error) : STLCLASH_OK;
}

/* With closed parts. */
static stlclash_code judge_closed(state *s)
{
    bool exact = s->q->tolerances->touch_overlap == 0.0;
    stlclash_code code = STLCLASH_OK;

    if (s->q->hit_count == 0) {
        bool contained;
        code = is_contained(s, &contained);
        if (code != STLCLASH_OK || !contained) {
            s->nothing_common = true;
            return code;
        }
        s->j->interiors_meet = true;
    }
    bool sure = s->q->hit_count == 0 || s->q->crossing; /* interiors meet, however little */
    if (exact && sure) {
        s->j->deep = SC_DEEP;
        return STLCLASH_OK;
    }
    if (!sure) {
        code = sc_need_overlap(s);
        if (code != STLCLASH_OK) {
            return code;
        }
        if (exact || s->j->overlap.volume_is_zero) {
            s->j->deep = s->j->overlap.volume_is_zero ? SC_NOT_DEEP : SC_DEEP;
            return STLCLASH_OK;
        }
    }
    return s->j->deep == SC_DEEP ? STLCLASH_OK : compare_depth(s);
}

/* Whether both are closed by the sum of their boundary: without a look at their shells. */
static bool both_balanced(state *s)
{
    containment c = {.s = s};
    sc_crew_items(sc_judging_crew(s, SC_NS_LOOK), 2, look_whether_closed, &c);
    s->j->balanced = !c.in_doubt;
    return s->j->balanced;
}

/* Parts whose surfaces do not meet: whether one lies deep in the other, as far as that is
 * seen without a look at their shells. A point with a winding number that is not 0 is
 * inside whichever way round they are to be read. */
static stlclash_code judge_inside(state *s, bool *deep)
{
    stlclash_code code = sc_need_solids(s);

    *deep = false;
    code = code == STLCLASH_OK ? some_are_inside(s, deep) : code;
    *deep = code == STLCLASH_OK && *deep && both_balanced(s);
    if (code == STLCLASH_OK && *deep && s->q->tolerances->touch_overlap > 0.0) {
        code = glance_for_depth(s, deep);
    }
    if (code == STLCLASH_OK) {
        s->j->deep = *deep ? SC_DEEP : SC_NOT_DEEP;
        s->j->interiors_meet = *deep;
        if (*deep) {
            note(s, "overlap_skipped");
        }
    }
    return code;
}

/* A deep point needs no closed parts, and what lies near a crossing may show one without
 * whole trees of the parts. */
static stlclash_code judge_crossing(state *s, bool *deep)
{
    const sc_case *q = s->q;
    sc_solid near[2];
    sc_box box = common_box(s);
    stlclash_code code = STLCLASH_OK;

    for (int i = 0; i < 2 && code == STLCLASH_OK; i++) {
        code = sc_solid_make(q->part[i], i == 0 ? SC_ROLE_A : SC_ROLE_B, &q->frame, q->near[i],
                             &near[i], s->error);
    }
    if (code == STLCLASH_OK && sc_depth_crossing(near, q->hits, q->hit_count,
                                                 equal_to(q->tolerances->touch_overlap, &box))) {
        *deep = true;
    } else {
        code = code == STLCLASH_OK ? sc_need_solids(s) : code;
        code = code == STLCLASH_OK ? glance_for_depth(s, deep) : code;
    }
    if (*deep) {
        s->j->deep = SC_DEEP;
        note(s, "overlap_skipped");
    }
    return code;
}

static stlclash_code measure(state *s)
{
    const stlclash_options *o = s->q->options;
    stlclash_code code = STLCLASH_OK;

    if (s->nothing_common) {
        return STLCLASH_OK;
    }
    if (!sc_judge_measures(o)) {
        if (s->j->deep == SC_DEEP || s->q->hit_count > 0) {
            note(s, "overlap_skipped");
        }
        s->j->has_overlap = false;
        return STLCLASH_OK;
    }
    code = sc_need_overlap(s);
    if (code == STLCLASH_OK && s->j->has_overlap) {
        code = measure_depth(s);
        if (s->j->overlap.multiplicity) {
            note(s, "counted_with_multiplicity");
        }
    }
    return code;
}

static stlclash_code judge(state *s)
{
    const sc_case *q = s->q;
    bool boxes_meet = sc_boxes_meet(&q->part[0]->used_bounds, &q->part[1]->used_bounds);
    bool measured = sc_judge_measures(q->options);
    stlclash_code code = STLCLASH_OK;

    s->j->deep = SC_NOT_DEEP;
    if (q->options->health) {
        code = sc_need_health(s);
    }
    if (code != STLCLASH_OK || (q->hit_count == 0 && !boxes_meet)) {
        return code; /* nothing can lie inside anything */
    }
    if (q->inside) {
        s->j->deep = SC_DEEP;
        s->j->interiors_meet = s->j->balanced = true;
        note(s, "overlap_skipped");
        return STLCLASH_OK;
    }
    if (q->crossing && q->tolerances->touch_overlap == 0.0 && !measured) {
        s->j->deep = SC_DEEP; /* closed or open: a crossing is a clash */
        note(s, "overlap_skipped");
        return STLCLASH_OK;
    }
    if (q->hit_count > 0 && !q->crossing && !measured && boxes_part_soon(s) &&
        (sc_parts_are_divided(q->part[0], q->part[1]) || both_balanced(s))) {
        note(s, "overlap_skipped");
        return STLCLASH_OK; /* they touch, and nothing lies deep; open ones may cross along edges */
    }
    if (q->crossing && q->tolerances->touch_overlap > 0.0 && !measured) {
        bool deep = false;
        code = judge_crossing(s, &deep);
        if (code != STLCLASH_OK || deep) {
            return code;
        }
    }
    if (q->hit_count == 0) {
        bool apart;
        code = judge_apart(s, &apart);
        if (code != STLCLASH_OK || apart) {
            return code;
        }
        if (!measured && !q->options->health) {
            bool deep;
            code = judge_inside(s, &deep);
            if (code != STLCLASH_OK || deep) {
                return code;
            }
        }
    }
    if (q->hit_count > 0 && measured && !q->options->health &&
        sc_parts_facets(q->part[0], q->part[1]) >= FEW_FACETS && both_balanced(s)) {
        code = sc_need_solids(s);
        code = code == STLCLASH_OK ? sc_need_overlap(s) : code;
    } else {
        code = sc_need_sound_solids(s);
        if (code == STLCLASH_OK && !both_closed(s)) {
            return judge_open(s);
        }
    }
    code = code == STLCLASH_OK ? judge_closed(s) : code;
    return code == STLCLASH_OK ? measure(s) : code;
}

/* Parts whose faces touch but for a gap that is rounding. */
static stlclash_code judge_flush(state *s)
{
    stlclash_code code = sc_need_sound_solids(s);
    return code == STLCLASH_OK && both_closed(s) ? sc_need_contact(s) : code;
}

stlclash_code sc_judge(const sc_case *question, sc_judgement *judgement, stlclash_error *error)
{
    state s = {.q = question, .j = judgement, .thickness = INFINITY, .error = error};
    *judgement = (sc_judgement){.deep = SC_NOT_DEEP};
    stlclash_code code = judge(&s);
    if (code == STLCLASH_OK && question->hit_count == 0 && question->flush_count > 0) {
        code = judge_flush(&s);
    }
    sc_judging_free(&s);
    if (code != STLCLASH_OK) {
        sc_judgement_free(judgement);
    }
    return code;
}

void sc_judgement_free(sc_judgement *judgement)
{
    sc_overlap_free(&judgement->overlap);
    sc_free(judgement->region_depths);
    *judgement = (sc_judgement){.deep = SC_NOT_DEEP};
}
