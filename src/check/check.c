/* check.c - see check.h; and stlclash_check: two meshes to a result, stage by stage.
 *
 *     place -> first bound -> near -> octrees -> traversal with narrow phase -> solids -> gaps ->
 *     verdict
 *
 * Where one crossing is enough, or a point inside, it may be found before all that
 * (first_crossing.h, first_inside.h, first_between.h).
 *
 * Inside, the parts stand in an order of their own (sc_parts_order), so that
 * exchanging the arguments exchanges the roles in the result and nothing else. */
#include "check.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/float_mode.h"
#include "base/parallel.h"
#include "fill.h"
#include "first_between.h"
#include "first_bound.h"
#include "first_crossing.h"
#include "first_inside.h"
#include "gaps/gaps.h"
#include "judge/judge.h"
#include "judge/judging.h"
#include "narrow.h"
#include "near.h"
#include "result.h"
#include "shared_tree.h"
#include "traverse.h"
#include "verdict.h"

/* Fewer are searched as soon as a place to begin with is found. */
enum { MIN_TRIANGLES_TO_LOOK_FIRST = 10000 };

typedef struct check {
    stlclash_options options;
    sc_order order;
    sc_part part[2]; /* in that order */
    sc_tolerances tolerances;
    sc_frame frame;
    int anchor;   /* see sc_frame_of_parts */
    double bound; /* pairs of triangles farther apart are not looked for */
    bool crosses; /* known before the search, where the overlap is to be measured */
    bool inside;  /* so is that a place lies deep in both, where that is enough */
    sc_octree tree[2];
    bool whole_tree[2]; /* good for questions about solids too, not only for the search */
    sc_crew *crew;
    sc_narrow *narrow; /* [threads of the crew]; in the end the first has everything */
    bool complete;     /* the traversal looked at everything within the bound */
    sc_judgement judgement;
    sc_gaps gaps; /* zero: not looked for */
    sc_watch watch;
    const char *given_up; /* the note that says why, or NULL */
    sc_result *result;
    stlclash_error *error;
} check;

/* ---- the stages ---------------------------------------------------------- */

int sc_check_threads(int threads, uint64_t triangles)
{
    enum { FEW = 2000 };
    return (uint64_t)threads < triangles / FEW ? threads
                                               : (int)(triangles / FEW + (triangles < FEW));
}

sc_crew *sc_check_crew(int threads, const sc_part part[2])
{
    return sc_crew_new(sc_check_threads(sc_threads(threads), sc_parts_facets(&part[0], &part[1])));
}

static bool start_narrow(check *c)
{
    c->crew = sc_check_crew(c->options.threads, c->part);
    const int threads = sc_crew_threads(c->crew);
    c->narrow = sc_calloc((size_t)threads, sizeof *c->narrow);
    if (!c->narrow) {
        return false;
    }
    const bool divided = sc_parts_are_divided(&c->part[0], &c->part[1]);
    for (int i = 0; i < threads; i++) {
        sc_narrow *n = &c->narrow[i];
        n->leaves = sc_leaves_of(&c->frame, &c->part[0], &c->part[1]);
        n->stop_at_crossing = c->options.quick && !sc_has_limits(&c->options);
        n->stop_at_touch = n->stop_at_crossing && divided;
        n->flush_within = sc_judge_measures(&c->options) ? c->tolerances.flush.all_over : 0.0;
        sc_narrow_init(n);
    }
    return true;
}

/* How far about a crossing there must be all of either part, to tell whether it lies deep. */
static double deep_reach(const check *c)
{
    double overlap = c->tolerances.touch_overlap;
    return overlap > 0.0 ? 1.01 * overlap + c->tolerances.resolution : 0.0;
}

/* What is found about a pair that lies close together: where one crossing is enough that is
 * all; where the overlap is to be measured, that there is one. */
static stlclash_code look_for_crossing(check *c, const uint32_t nearby[2])
{
    sc_narrow *narrow = &c->narrow[0];
    bool is_enough = narrow->stop_at_crossing;
    stlclash_code code = sc_first_crossing(c->part, &c->frame, nearby, deep_reach(c), &c->watch,
                                           narrow, is_enough ? c->tree : NULL, c->error);

    if (code == STLCLASH_OK && !is_enough && narrow->hits.count > 0) {
        c->crosses = true;
        c->bound = sc_narrow_least_bound(narrow);
        sc_narrow_restart(narrow);
    }
    return code;
}

/* By how much a distance may be stated too small (tri_distance.h): a search that is to find it
 * again must go beyond that. */
static double distance_error(const check *c)
{
    return 0x1p-48 * sc_parts_reach(&c->part[0], &c->part[1]);
}

/* Whether a look at a few places is little beside a search. */
static bool are_worth_a_look(const check *c)
{
    return sc_parts_facets(&c->part[0], &c->part[1]) >= MIN_TRIANGLES_TO_LOOK_FIRST;
}

/* Not only as far as the status depends on it. */
static bool wants_distance(const stlclash_options *options)
{
    return !options->quick && !options->no_distance;
}

/* At a pair that lies close together: how far others need be looked for, and whether the
 * surfaces cross there already. Where the distance is not asked for: as far as the status depends
 * on it; quick: and whether one part lies in the other. */
static stlclash_code look_nearby(check *c, bool *settled)
{
    sc_narrow *narrow = &c->narrow[0];
    const bool measured = wants_distance(&c->options);
    stlclash_code code = STLCLASH_OK;
    uint32_t nearby[2];

    bool crossing = (narrow->stop_at_crossing || sc_judge_measures(&c->options)) &&
                    are_worth_a_look(c) && sc_parts_way_apart(&c->part[0], &c->part[1]) >= 0.0;
    if (crossing || measured) {
        sc_nearest_samples(c->part, nearby);
        sc_nearest_by_turns(c->part, nearby);
    }
    double bound = sc_deciding_distance(&c->tolerances);
    if (measured) {
        sc_narrow_probe(narrow, nearby[0], nearby[1]);
        bound = sqrt(narrow->distance_sq) + distance_error(c);
    }
    c->bound = sc_fmax(bound, sc_narrow_least_bound(narrow));
    if (crossing) {
        code = look_for_crossing(c, nearby);
    }
    if (code == STLCLASH_OK && narrow->stop_at_crossing && narrow->hits.count == 0) {
        code = sc_first_inside(c->part, &c->frame, deep_reach(c), c->crew, &c->inside, c->error);
    }
    *settled = narrow->hits.count > 0 || c->inside;
    return code;
}

/* The tree of a part that serves other pairs too, or NULL. */
static sc_shared_tree *shared_tree(const check *c, int part)
{
    return c->anchor == part ? c->part[part].shared : NULL;
}

/* That others have seen the time to be over. */
static void note_time(check *c)
{
    if (!c->given_up && sc_watch_was_over(&c->watch)) {
        c->given_up = "time_limit";
    }
}

/* The trees of both parts, by as many threads as there are. */
typedef struct planting {
    check *c;
    sc_near near;
    stlclash_code code[2];
    stlclash_error error[2];
} planting;

static void build_tree(void *context, int part)
{
    planting *p = context;
    check *c = p->c;
    bool whole = c->whole_tree[part];
    const sc_box *region = whole ? &c->part[part].used_bounds : &p->near.region[part];
    const sc_vicinity *near = whole ? NULL : sc_near_vicinity(&p->near, part);
    const sc_octree_request request = {.mesh = c->part[part].mesh,
                                       .placement = &c->part[part].used,
                                       .frame = &c->frame,
                                       .region = region,
                                       .near = near,
                                       .watch = &c->watch};
    p->code[part] = sc_octree_build(&request, &c->tree[part], &p->error[part]);
}

/* What of either part lies within the bound of the other, and within the touch overlap, for
 * questions about how deep crossings are. Where that is most of a part that may lie deep in
 * the other, or whole trees will be asked for anyway, questions about solids share them. */
static stlclash_code plant(check *c, planting *p)
{
    const uint64_t facets = sc_parts_facets(&c->part[0], &c->part[1]);
    const uint64_t later = c->crosses ? (SC_NS_LOOK + SC_NS_WIND) * facets : 0; /* the least */
    sc_crew *crew = sc_crew_ahead_of(c->crew, SC_NS_PLANT * facets, later);
    bool whole = c->crosses && !shared_tree(c, 0) && !shared_tree(c, 1);

    if (!whole) {
        if (!sc_near_find(c->part, &c->frame, sc_fmax(c->bound, deep_reach(c)), crew, &p->near)) {
            return sc_error_memory(c->error);
        }
        if (p->near.none) {
            return STLCLASH_OK; /* trees stay empty */
        }
    }
    bool deep = sc_parts_way_apart(&c->part[0], &c->part[1]) > c->tolerances.touch_overlap;
    for (int i = 0; i < 2; i++) {
        c->whole_tree[i] = whole || (deep && !shared_tree(c, i) &&
                                     sc_near_is_much(&p->near, &c->frame, &c->part[i], i));
    }
    sc_crew_items(crew, 2, build_tree, p);
    note_time(c); /* then a tree may be missing for that */
    return c->given_up ? STLCLASH_OK : sc_error_of_parts(c->error, p->code, p->error);
}

static stlclash_code build_trees(check *c)
{
    planting *p = sc_alloc(1, sizeof *p); /* too large for a small stack */
    if (!p) {
        return sc_error_memory(c->error);
    }
    p->c = c;
    sc_near_init(&p->near, c->part);
    stlclash_code code = plant(c, p);
    sc_near_free(&p->near);
    sc_free(p);
    return code;
}

/* Where one proof is enough, and most of both parts lies near the other: a place between walls may
 * be one, as of a part that is there twice. */
static stlclash_code look_between(check *c, bool *settled)
{
    if (!c->narrow->stop_at_crossing || !are_worth_a_look(c) || !c->whole_tree[0] ||
        !c->whole_tree[1] || c->given_up) {
        return STLCLASH_OK;
    }
    stlclash_code code =
        sc_first_between(c->part, &c->frame, c->tree, deep_reach(c), c->crew, &c->inside, c->error);
    *settled = c->inside;
    return code;
}

static bool go_on(void *context, double done)
{
    check *c = context;

    if (sc_watch_is_over(&c->watch)) {
        c->given_up = "time_limit";
    } else if (c->options.progress && !c->options.progress(c->options.progress_context, done)) {
        c->given_up = "cancelled";
    }
    return c->given_up == NULL;
}

/* Of what was given up the lowest hit is told, and nothing is made of the others. */
static void keep_lowest(sc_pair_list *hits)
{
    for (size_t i = 1; i < hits->count; i++) {
        hits->pairs[0] = hits->pairs[i] < hits->pairs[0] ? hits->pairs[i] : hits->pairs[0];
    }
    hits->count = hits->count > 0;
}

/* What all threads found, sorted, in the first one's. False if memory ran out. */
static bool put_together(check *c)
{
    sc_narrow *all = &c->narrow[0];
    for (int i = 0; i < sc_crew_threads(c->crew); i++) {
        if (c->given_up) {
            keep_lowest(&c->narrow[i].hits);
            c->narrow[i].flush.count = 0;
        }
        if (i > 0 && !sc_narrow_join(all, &c->narrow[i])) {
            return false;
        }
    }
    if (!sc_pairs_sort(&all->hits, &c->watch) || !sc_pairs_sort(&all->flush, &c->watch)) {
        return false;
    }
    note_time(c);
    if (c->given_up) {
        keep_lowest(&all->hits);
        c->complete = false;
    }
    return true;
}

static stlclash_code search(check *c)
{
    if (!go_on(c, 0.0)) {
        return STLCLASH_OK;
    }
    if (c->tree[0].levels == 0 || c->tree[1].levels == 0) {
        c->complete = true;
        return STLCLASH_OK;
    }
    const int threads = sc_crew_threads(c->crew);
    void *workers[SC_MAX_THREADS];
    for (int i = 0; i < threads; i++) {
        workers[i] = &c->narrow[i];
    }
    sc_traversal t = {.a = &c->tree[0],
                      .b = &c->tree[1],
                      .bound = c->bound,
                      .measures = wants_distance(&c->options) || sc_has_limits(&c->options),
                      .crew = c->crew,
                      .leaves = sc_narrow_leaves,
                      .workers = workers,
                      .poll = go_on,
                      .poll_context = c,
                      .watch = &c->watch};
    sc_traverse(&t);
    c->complete = !t.stopped;
    bool failed = t.out_of_memory;
    for (int i = 0; i < threads; i++) {
        failed |= c->narrow[i].out_of_memory;
    }
    for (int i = 0; i < threads && !failed && t.settled_by >= 0; i++) {
        (i == t.settled_by ? sc_narrow_settle : sc_narrow_restart)(&c->narrow[i]);
    }
    for (int i = 0; i < threads; i++) {
        sc_leaves_free(&c->narrow[i].leaves); /* of trees that may be forgotten from now on */
    }
    note_time(c);
    c->result->public.stats.box_tests = t.box_tests;
    failed = failed || !put_together(c);
    return failed ? sc_error_memory(c->error) : STLCLASH_OK;
}

/* ---- judging ------------------------------------------------------------- */

static bool still_going(void *context)
{
    return go_on(context, 1.0);
}

static sc_found found_so_far(check *c)
{
    return (sc_found){.part = {&c->part[0], &c->part[1]},
                      .order = c->order,
                      .complete = c->complete,
                      .bound = c->bound,
                      .narrow = c->narrow,
                      .judgement = &c->judgement,
                      .gaps = c->gaps.complete ? &c->gaps : NULL,
                      .options = &c->options,
                      .tolerances = &c->tolerances,
                      .watch = &c->watch};
}

/* A search that was given up leaves nothing to judge; one that stopped at a hit
 * has its proof. */
static stlclash_code judge(check *c)
{
    const sc_narrow *n = &c->narrow[0];
    const sc_found found = found_so_far(c);
    sc_case question = {
        .part = {&c->part[0], &c->part[1]},
        .frame = c->frame,
        .near = {&c->tree[0], &c->tree[1]},
        .tree = {c->whole_tree[0] ? &c->tree[0] : NULL, c->whole_tree[1] ? &c->tree[1] : NULL},
        .shared = {shared_tree(c, 0), shared_tree(c, 1)},
        .options = &c->options,
        .tolerances = &c->tolerances,
        .crew = c->crew,
        .hits = n->hits.pairs,
        .hit_count = n->hits.count,
        .flush = n->flush.pairs,
        .flush_count = n->flush.count,
        .touching = n->hits.count > 0 || sc_gap_touches(sc_found_distance(&found), &c->tolerances),
        .stopped = !c->complete,
        .crossing = n->crossing_count > 0,
        .all_crossing = c->complete && n->crossing_count == n->hits.count,
        .inside = c->inside,
        .poll = {still_going, c},
        .watch = &c->watch};
    stlclash_code code = c->given_up ? STLCLASH_OK : sc_judge(&question, &c->judgement, c->error);
    note_time(c);
    return code;
}

/* The gaps, where they are asked for and the surfaces were searched in full. */
static stlclash_code find_gaps(check *c)
{
    if (!c->options.gaps || c->options.quick || c->given_up || !c->complete) {
        return STLCLASH_OK;
    }
    const sc_narrow *n = &c->narrow[0];
    const sc_found found = found_so_far(c);
    const double distance = sc_found_distance(&found);
    const uint32_t nearest[2] = {n->nearest_a, n->nearest_b};
    /* The parts may be compared as stored, and stand far away. */
    const double resolution = 0x1p-23 * sc_parts_reach(&c->part[0], &c->part[1]);
    const sc_gap_request request = {.part = c->part,
                                    .frame = &c->frame,
                                    .reach = sc_gap_reach(&c->tolerances),
                                    .resolution = sc_fmin(c->tolerances.resolution, resolution),
                                    .crew = c->crew,
                                    .poll = {still_going, c},
                                    .watch = &c->watch};
    if (distance > request.reach) {
        c->gaps.complete = !wants_distance(&c->options) || isfinite(distance);
        return STLCLASH_OK;
    }
    const stlclash_code code =
        sc_gaps_find(&request, &n->hits, n->hits.count > 0 ? NULL : nearest, &c->gaps, c->error);
    note_time(c);
    if (code == STLCLASH_OK && !c->gaps.complete && !c->given_up) {
        sc_result_note(c->result, "gaps_unknown");
    }
    return code;
}

/* Parts from different unit systems: of unlike size, and apart where they should fit. */
static bool units_differ(const check *c)
{
    double extent[2];
    if (sc_boxes_meet(&c->part[0].bounds, &c->part[1].bounds)) {
        return false;
    }
    for (int i = 0; i < 2; i++) {
        extent[i] = sc_box_extent(&c->part[i].bounds);
    }
    double factor = sc_fmax(extent[0], extent[1]) / sc_fmin(extent[0], extent[1]);
    return fabs(factor / 25.4 - 1.0) <= 0.1 || fabs(factor / 1000.0 - 1.0) <= 0.1;
}

static void add_notes(check *c, const sc_found *found)
{
    for (size_t i = 0; i < c->judgement.note_count; i++) {
        sc_result_note(c->result, c->judgement.notes[i]);
    }
    if (c->given_up) {
        sc_result_note(c->result, c->given_up);
    } else if (!c->complete) {
        sc_result_note(c->result, "stopped_at_proof");
    } else if (!wants_distance(&c->options) && !isfinite(sc_found_distance(found))) {
        sc_result_note(c->result, "distance_not_needed");
    }
    if (units_differ(c)) {
        sc_result_note(c->result, "units_differ");
    }
}

/* A clash that may be one, as far as its volume and depth are known. */
static void apply_limits(check *c)
{
    stlclash_result *r = &c->result->public;
    const sc_judgement *j = &c->judgement;
    sc_measure volume = {0.0, INFINITY}, depth = {0.0, INFINITY};

    if (j->has_overlap) {
        volume.least = sc_fmax(j->overlap.volume - j->overlap.volume_error, 0.0);
        volume.most = j->overlap.volume + j->overlap.volume_error;
    }
    if (j->has_depth) {
        depth = (sc_measure){j->depth.depth, j->depth.bound};
    }
    switch (sc_keeps_limits(&volume, &depth, &c->options)) {
    case SC_KEPT: r->pass = true; break;
    case SC_EXCEEDED: break;
    case SC_LIMIT_UNKNOWN:
        r->status = STLCLASH_UNDECIDED;
        sc_result_note(c->result, "limit_undecided");
        break;
    }
}

static stlclash_code conclude(check *c)
{
    stlclash_result *r = &c->result->public;
    const sc_found found = found_so_far(c);
    const stlclash_code code = sc_fill_result(&found, c->result, c->error);
    note_time(c);
    if (code == STLCLASH_OK && c->narrow) {
        bool meets = c->narrow->hits.count > 0 || c->judgement.interiors_meet;
        double distance = sc_found_distance(&found);
        /* A search that stopped at a hit has what the verdict needs; one that found no distance,
         * where it is not to do without, has not. */
        bool known = meets || (c->complete && (!wants_distance(&c->options) || isfinite(distance)));
        sc_findings findings = {.complete = !c->given_up && known,
                                .meeting = meets,
                                .deep = c->judgement.deep,
                                .distance = distance};
        r->status = sc_verdict(&findings, &c->tolerances);
        r->pass = sc_passes(r->status, findings.distance, &c->tolerances);
        if (r->status == STLCLASH_CLASH && sc_has_limits(&c->options)) {
            apply_limits(c);
        }
        add_notes(c, &found);
    }
    return code;
}

static void fill_facts(check *c)
{
    stlclash_result *r = &c->result->public;
    for (int i = 0; i < 2; i++) {
        int part = c->order.swapped ? 1 - i : i;
        r->stats.blocks[i] = c->part[part].mesh->blocks.count;
        r->stats.blocks_kept[i] = c->tree[part].blocks_kept;
        r->stats.blocks_opened[i] = sc_octree_opened(&c->tree[part]);
    }
    if (c->narrow) {
        r->stats.triangle_pairs = c->narrow[0].pair_count;
        r->stats.exact_calls = c->narrow[0].exact_calls;
    }
    r->resolution = c->tolerances.resolution;
    r->touch_gap = c->tolerances.touch_gap;
    r->touch_overlap = c->tolerances.touch_overlap;
    r->clearance_slack = c->tolerances.clearance_slack;
}

/* ---- all of it ----------------------------------------------------------- */

static stlclash_code run(check *c)
{
    const sc_part *a = &c->part[0], *b = &c->part[1];

    if (a->mesh->file.facets.count == 0 || b->mesh->file.facets.count == 0) {
        sc_result_note(c->result, "no_triangles");
        return conclude(c);
    }
    c->tolerances = sc_tolerances_make(&c->options,
                                       sc_fmax(sc_box_reach(&a->bounds), sc_box_reach(&b->bounds)));
    c->frame = sc_frame_of_parts(a, b, &c->anchor);
    if (!start_narrow(c)) {
        return sc_error_memory(c->error);
    }
    bool settled;
    stlclash_code code = look_nearby(c, &settled);
    code = code == STLCLASH_OK && !settled ? build_trees(c) : code;
    code = code == STLCLASH_OK && !settled ? look_between(c, &settled) : code;
    code = code == STLCLASH_OK && !settled ? search(c) : code;
    code = code == STLCLASH_OK ? judge(c) : code;
    code = code == STLCLASH_OK ? find_gaps(c) : code;
    return code == STLCLASH_OK ? conclude(c) : code;
}

/* *stuck: the search stopped at a hit that does not tell enough. */
static stlclash_code check_once(const sc_part *a, const sc_part *b, const stlclash_options *options,
                                const struct timespec *start, stlclash_result **result, bool *stuck,
                                stlclash_error *error)
{
    check c = {.options = *options,
               .part = {*a, *b},
               .watch = {*start, options->max_seconds, false},
               .error = error};

    *result = NULL;
    c.order = sc_parts_order(c.part);
    c.result = sc_result_make();
    stlclash_code code = c.result ? run(&c) : sc_error_memory(error);
    if (code == STLCLASH_OK) {
        fill_facts(&c);
        *result = &c.result->public;
        *stuck = !c.complete && !c.given_up && c.judgement.deep == SC_DEEP_UNKNOWN;
    } else {
        stlclash_result_free(c.result ? &c.result->public : NULL);
    }
    for (int i = 0; c.narrow && i < sc_crew_threads(c.crew); i++) {
        sc_narrow_free(&c.narrow[i]);
    }
    sc_free(c.narrow);
    sc_crew_free(c.crew);
    sc_judgement_free(&c.judgement);
    sc_gaps_free(&c.gaps);
    sc_octree_free(&c.tree[0]);
    sc_octree_free(&c.tree[1]);
    return code;
}

stlclash_code sc_check(const sc_part *a, const sc_part *b, const stlclash_options *options,
                       const struct timespec *start, stlclash_result **result,
                       stlclash_error *error)
{
    bool stuck = false;
    stlclash_code code = check_once(a, b, options, start, result, &stuck, error);
    if (stuck) { /* from all crossings it may be seen that the parts lie nowhere deep */
        stlclash_options all = *options;
        all.quick = false;
        all.no_overlap = true;
        stlclash_result_free(*result);
        code = check_once(a, b, &all, start, result, &stuck, error);
    }
    return code;
}

stlclash_code stlclash_check(const stlclash_mesh *a, const stlclash_mesh *b,
                             const stlclash_options *options, stlclash_result **result,
                             stlclash_error *error)
{
    SC_STANDARD_FLOATS;
    stlclash_options defaults = stlclash_options_default();
    const stlclash_options *o = options ? options : &defaults;
    struct timespec start;
    sc_part part[2];

    *result = NULL;
    clock_gettime(CLOCK_MONOTONIC, &start);
    stlclash_code code = sc_check_options(o, error);
    code = code == STLCLASH_OK ? sc_part_place(a, o->placement[0], "A", &part[0], error) : code;
    code = code == STLCLASH_OK ? sc_part_place(b, o->placement[1], "B", &part[1], error) : code;
    return code == STLCLASH_OK ? sc_check(&part[0], &part[1], o, &start, result, error) : code;
}
