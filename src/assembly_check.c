/* assembly_check.c - stlclash_assembly_check: the pairs of an assembly, phase by phase.
 *
 *     broad phase -> the options of each near pair -> schedule -> check.c for each -> delivery
 *
 * Few large pairs are checked one after the other, with all threads inside; many small ones
 * side by side, each by one thread. Where the parts do not fit into memory together, pairs
 * are taken in tiles of parts that do. Pairs are delivered in the order of their parts
 * whatever the schedule was. */
#include "assembly.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "broad.h"
#include "check.h"
#include "motion.h"
#include "result.h"
#include "shared_tree.h"
#include "verdict.h"

#include <stdatomic.h>
#include <stdlib.h>

/* One pair of the broad phase. */
typedef struct job {
    uint32_t a, b;
    bool clear_by_boxes;
    const stlclash_options *options; /* NULL: left out */
    double box_distance;
    uint64_t weight; /* a guess at the work */
    atomic_bool done;
    stlclash_error *failure; /* why it could not be judged, or NULL */
    stlclash_result *result;
    stlclash_sweep_result *sweep; /* of parts that move: it owns the result; or NULL */
} job;

typedef struct run {
    stlclash_assembly *assembly;
    const stlclash_assembly_options *options;
    stlclash_options defaults;
    struct timespec start;
    int threads;
    job *jobs; /* [count], by (a, b) */
    size_t count, delivered;
    uint32_t *order; /* [scheduled] the jobs that need a check, in the order of the schedule */
    size_t scheduled, large;
    atomic_size_t next;
    uint64_t weight;        /* of all that are scheduled */
    sc_shared_tree **trees; /* [parts] of parts with many pairs, else NULL */
    _Atomic uint64_t weight_done;
    _Atomic uint64_t failed, done;
    atomic_bool stop;  /* cancelled: what is not decided stays undecided */
    atomic_bool ended; /* the caller wants no more pairs */
    atomic_bool out_of_memory;
} run;

/* ---- the broad phase ----------------------------------------------------- */

static bool is_box(const sc_member *m)
{
    return m->info.error.code == STLCLASH_OK && m->info.mesh.triangles > 0;
}

/* What has no box is near everything: its pairs are to be told as undecided. */
static sc_broad_box broad_box(const run *r, const sc_member *m)
{
    sc_broad_box box = {.box = m->swept, .margin = INFINITY};
    if (!is_box(m)) {
        box.box = (sc_box){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    } else if (r->options->far == STLCLASH_FAR_COUNT) {
        /* The touch gap of a pair that leaves it to us is no more than the sum of these. */
        stlclash_options plain = stlclash_options_default();
        box.margin = 0.5 * r->options->reach +
                     sc_tolerances_make(&plain, sc_box_reach(&m->part.bounds)).touch_gap;
    }
    return box;
}

static bool find_pairs(run *r)
{
    const stlclash_assembly *assembly = r->assembly;
    sc_broad_box *boxes = sc_alloc(assembly->count, sizeof *boxes);
    sc_broad_pair *pairs = NULL;

    for (size_t i = 0; boxes && i < assembly->count; i++) {
        boxes[i] = broad_box(r, &assembly->members[i]);
    }
    bool good = boxes && sc_broad_find(boxes, assembly->count, &pairs, &r->count);
    sc_free(boxes);
    r->jobs = good ? sc_calloc(r->count, sizeof *r->jobs) : NULL;
    for (size_t i = 0; r->jobs && i < r->count; i++) {
        r->jobs[i].a = pairs[i].a;
        r->jobs[i].b = pairs[i].b;
    }
    sc_free(pairs);
    return r->jobs != NULL;
}

/* ---- the options of each ------------------------------------------------- */

static sc_tolerances tolerances_of(const run *r, const job *j, const stlclash_options *options)
{
    const sc_member *a = &r->assembly->members[j->a], *b = &r->assembly->members[j->b];
    return sc_tolerances_make(options,
                              fmax(sc_box_reach(&a->part.bounds), sc_box_reach(&b->part.bounds)));
}

/* Whether no distance that the boxes allow could change the status, with room for parts of
 * one placement, which are compared where they are stored. */
static bool boxes_tell(const run *r, const job *j)
{
    const sc_member *a = &r->assembly->members[j->a], *b = &r->assembly->members[j->b];
    double reach = fmax(sc_box_reach(&a->swept), sc_box_reach(&b->swept));
    sc_tolerances t = tolerances_of(r, j, j->options);
    return j->box_distance > sc_deciding_distance(&t) + reach * 0x1p-44;
}

/* The status of a pair with such a part does not depend on anything else. */
static const stlclash_error *part_error(const run *r, const job *j)
{
    const sc_member *a = &r->assembly->members[j->a], *b = &r->assembly->members[j->b];
    return a->info.error.code != STLCLASH_OK   ? &a->info.error
           : b->info.error.code != STLCLASH_OK ? &b->info.error
                                               : NULL;
}

static void fail(run *r, job *j, const stlclash_error *error)
{
    j->failure = sc_alloc(1, sizeof *j->failure);
    if (j->failure) {
        *j->failure = *error;
    } else {
        atomic_store(&r->out_of_memory, true);
    }
}

static stlclash_code ask_options(run *r, job *j, stlclash_error *error)
{
    const stlclash_assembly_options *o = r->options;
    const sc_member *a = &r->assembly->members[j->a], *b = &r->assembly->members[j->b];

    if (is_box(a) && is_box(b)) {
        j->box_distance = sc_box_distance(&a->swept, &b->swept);
    }
    j->options = o->options ? o->options(o->context, j->a, j->b) : &r->defaults;
    if (!j->options) {
        return STLCLASH_OK;
    }
    stlclash_code code = sc_check_options(j->options, error);
    if (code == STLCLASH_OK && fmax(j->options->clearance, j->options->touch_gap) > o->reach &&
        o->options) {
        code = sc_error(error, STLCLASH_E_ARGUMENT,
                        "a pair asks for a larger clearance or touch gap than the reach");
    }
    j->clear_by_boxes = code == STLCLASH_OK && is_box(a) && is_box(b) &&
                        o->far != STLCLASH_FAR_CHECK && boxes_tell(r, j);
    j->weight = 1000 + a->info.mesh.triangles + b->info.mesh.triangles;
    return code;
}

static sc_relation relation_of(const run *r, const job *j, stlclash_motion *motion)
{
    const sc_member *members = r->assembly->members;
    return sc_movers_relate(&members[j->a].mover, &members[j->b].mover, motion);
}

/* A pair whose boxes do not tell, of parts that move in a way that cannot be followed. */
static void refuse_unrelated(run *r, job *j)
{
    stlclash_motion motion;
    stlclash_error error;

    if (!j->options || j->clear_by_boxes || part_error(r, j) ||
        relation_of(r, j, &motion) != SC_UNRELATED) {
        return;
    }
    sc_error(&error, STLCLASH_E_ARGUMENT,
             "both parts move, neither both straight nor both alike, which is not supported: let "
             "one of them rest, or ignore the pair by a rule");
    atomic_store(&j->done, true);
    fail(r, j, &error);
}

/* Pairs that are not delivered are dropped here. */
static stlclash_code choose_jobs(run *r, stlclash_error *error)
{
    size_t kept = 0;

    for (size_t i = 0; i < r->count; i++) {
        job *j = &r->jobs[kept];
        *j = (job){.a = r->jobs[i].a, .b = r->jobs[i].b};
        stlclash_code code = ask_options(r, j, error);
        if (code != STLCLASH_OK) {
            return code;
        }
        refuse_unrelated(r, j);
        kept += !j->clear_by_boxes || r->options->far == STLCLASH_FAR_LIST;
    }
    r->count = kept;
    return STLCLASH_OK;
}

/* ---- the schedule -------------------------------------------------------- */

/* A job's place in the schedule: large ones first, then by tiles of parts, then as given. */
typedef struct place {
    uint64_t tiles;
    uint32_t job;
    bool small;
} place;

static int by_place(const void *x, const void *y)
{
    const place *a = x, *b = y;
    if (a->small != b->small) {
        return a->small - b->small;
    }
    if (a->tiles != b->tiles) {
        return a->tiles < b->tiles ? -1 : 1;
    }
    return (a->job > b->job) - (a->job < b->job);
}

/* Files are put into tiles, each a third of the memory at most, so that two fit with room
 * for what comes next. Everything in one tile: memory is no matter. */
static void find_tiles(const run *r, uint32_t *tile)
{
    const stlclash_assembly *assembly = r->assembly;
    uint64_t room = sc_store_memory(assembly->store), filled = 0, all = 0;
    uint32_t number = 0;

    for (size_t s = 0; s < assembly->source_count; s++) {
        all += sc_store_bytes(assembly->store, s);
    }
    for (size_t s = 0; s < assembly->source_count; s++) {
        uint64_t bytes = sc_store_bytes(assembly->store, s);
        if (all > room && filled > 0 && filled + bytes > room / 3) {
            number++;
            filled = 0;
        }
        filled += bytes;
        tile[s] = number;
    }
}

static uint64_t tiles_of(const run *r, const uint32_t *tile, const job *j)
{
    uint32_t a = tile[r->assembly->members[j->a].file], b = tile[r->assembly->members[j->b].file];
    uint32_t low = a < b ? a : b, high = a < b ? b : a;
    /* Every other row of tiles backwards: its first pairs use what is still loaded. */
    return (uint64_t)low << 32 | (low % 2 ? UINT32_MAX - high : high);
}

/* A pair is large if it alone is as much work as a thread's fair share. */
static bool is_large(const run *r, const job *j)
{
    return r->threads > 1 && j->weight > r->weight / (uint64_t)r->threads / 2 && j->weight >= 40000;
}

static bool make_schedule(run *r)
{
    place *places = sc_alloc(r->count, sizeof *places);
    uint32_t *tile = sc_alloc(r->assembly->source_count, sizeof *tile);
    r->order = sc_alloc(r->count, sizeof *r->order);
    bool good = places && tile && r->order;

    for (size_t i = 0; good && i < r->count; i++) {
        const job *j = &r->jobs[i];
        if (j->options && !j->clear_by_boxes && !part_error(r, j) && !j->failure) {
            places[r->scheduled++].job = (uint32_t)i;
            r->weight += j->weight;
        }
    }
    if (good) {
        find_tiles(r, tile);
        for (size_t i = 0; i < r->scheduled; i++) {
            const job *j = &r->jobs[places[i].job];
            places[i].small = !is_large(r, j);
            places[i].tiles = tiles_of(r, tile, j);
            r->large += !places[i].small;
        }
        qsort(places, r->scheduled, sizeof *places, by_place);
        for (size_t i = 0; i < r->scheduled; i++) {
            r->order[i] = places[i].job;
        }
    }
    sc_free(places);
    sc_free(tile);
    return good;
}

/* ---- trees for many pairs ------------------------------------------------ */

/* A tree of a part with so few facets is built in no time; one takes up to that many bytes
 * for each. */
enum { LEAST_FACETS = 2000, TREE_BYTES = 100 };

/* Parts that are in several pairs get a tree that serves all of them, as far as memory goes.
 * Only where all meshes stay: a tree refers to its mesh. */
static bool make_trees(run *r)
{
    const stlclash_assembly *assembly = r->assembly;
    uint32_t *pairs = sc_calloc(assembly->count, sizeof *pairs);
    uint64_t room = sc_store_memory(assembly->store), used = 0;
    bool good = pairs != NULL;

    r->trees = sc_calloc(assembly->count, sizeof *r->trees);
    good = good && r->trees;
    for (size_t s = 0; s < assembly->source_count; s++) {
        used += sc_store_bytes(assembly->store, s);
    }
    for (size_t i = 0; good && i < r->scheduled; i++) {
        pairs[r->jobs[r->order[i]].a]++;
        pairs[r->jobs[r->order[i]].b]++;
    }
    for (size_t i = 0; good && i < assembly->count; i++) {
        const sc_member *m = &assembly->members[i];
        uint64_t bytes = TREE_BYTES * m->info.mesh.triangles;
        if (pairs[i] < 2 || m->info.mesh.triangles < LEAST_FACETS || used > room ||
            bytes > room - used) {
            continue;
        }
        sc_part part = m->part;
        stlclash_error error;
        if (sc_store_acquire(assembly->store, m->file, &part.mesh, &error) == STLCLASH_OK) {
            sc_store_release(assembly->store, m->file);
            r->trees[i] = sc_shared_tree_make(&part);
            good = r->trees[i] != NULL;
            used += bytes;
        }
    }
    sc_free(pairs);
    return good;
}

/* ---- one pair ------------------------------------------------------------ */

/* A thread at work on a job. */
typedef struct worker {
    run *run;
    const job *job;
    int thread;
} worker;

/* On the calling thread it tells the caller how far things are; on others it only hears
 * whether to go on. */
static bool go_on(void *context, double done)
{
    const worker *w = context;
    run *r = w->run;

    if (w->thread == 0 && r->options->progress && !atomic_load(&r->stop)) {
        double weight = (double)atomic_load(&r->weight_done);
        weight += w->job ? done * (double)w->job->weight : 0.0;
        stlclash_assembly_progress progress = {
            .pairs = r->scheduled,
            .done = atomic_load(&r->done),
            .failed = atomic_load(&r->failed),
            .fraction = r->weight > 0 ? fmin(weight / (double)r->weight, 1.0) : 1.0};
        if (!r->options->progress(r->options->context, &progress)) {
            atomic_store(&r->stop, true);
        }
    }
    return !atomic_load(&r->stop);
}

/* The parts of a job, with their meshes. */
static stlclash_code take_parts(run *r, const job *j, sc_part part[2], stlclash_error *error)
{
    uint32_t number[2] = {j->a, j->b};
    for (int i = 0; i < 2; i++) {
        const sc_member *m = &r->assembly->members[number[i]];
        part[i] = m->part;
        part[i].shared = r->trees[number[i]];
        stlclash_code code = sc_store_acquire(r->assembly->store, m->file, &part[i].mesh, error);
        if (code != STLCLASH_OK) {
            if (i == 1) {
                sc_store_release(r->assembly->store, r->assembly->members[j->a].file);
            }
            return code;
        }
    }
    return STLCLASH_OK;
}

/* At rest, or as they move. */
static stlclash_code check_parts(run *r, job *j, const sc_part part[2], stlclash_options *options,
                                 stlclash_error *error)
{
    stlclash_motion motion;

    if (relation_of(r, j, &motion) == SC_AT_REST) {
        return sc_check(&part[0], &part[1], options, &r->start, &j->result, error);
    }
    options->placement[0] = r->assembly->members[j->a].mover.placement;
    options->placement[1] = r->assembly->members[j->b].mover.placement;
    stlclash_code code = sc_motion_sweep(part, options, &motion, &r->start, &j->sweep, error);
    j->result = code == STLCLASH_OK ? j->sweep->start : NULL;
    return code;
}

static bool job_fails(const job *j)
{
    stlclash_status status = j->sweep ? j->sweep->status : j->result->status;
    return status != STLCLASH_UNDECIDED && !(j->sweep ? j->sweep->pass : j->result->pass);
}

static void free_result(job *j)
{
    if (j->sweep) {
        stlclash_sweep_result_free(j->sweep);
    } else {
        stlclash_result_free(j->result);
    }
}

static void check_job(run *r, job *j, int threads, int thread)
{
    worker w = {r, j, thread};
    stlclash_options options = *j->options;
    stlclash_error error;
    sc_part part[2];

    options.threads = threads;
    options.max_seconds = r->options->max_seconds;
    options.progress = go_on;
    options.progress_context = &w;
    stlclash_code code = take_parts(r, j, part, &error);
    if (code == STLCLASH_OK) {
        code = check_parts(r, j, part, &options, &error);
        sc_store_release(r->assembly->store, r->assembly->members[j->a].file);
        sc_store_release(r->assembly->store, r->assembly->members[j->b].file);
    }
    if (code != STLCLASH_OK) {
        fail(r, j, &error);
    } else if (job_fails(j)) {
        atomic_fetch_add(&r->failed, 1);
    }
    atomic_fetch_add(&r->weight_done, j->weight);
    atomic_fetch_add(&r->done, 1);
    atomic_store(&j->done, true);
}

/* All that is known of a pair whose boxes are far apart. */
static stlclash_result *clear_result(run *r, const job *j)
{
    sc_result *result = sc_result_make();
    const uint32_t number[2] = {j->a, j->b};

    if (!result) {
        atomic_store(&r->out_of_memory, true);
        return NULL;
    }
    sc_tolerances t = tolerances_of(r, j, j->options);
    result->public.status = STLCLASH_CLEAR;
    result->public.pass = true;
    result->public.resolution = t.resolution;
    result->public.touch_gap = t.touch_gap;
    result->public.touch_overlap = t.touch_overlap;
    result->public.clearance_slack = t.clearance_slack;
    for (int i = 0; i < 2; i++) {
        memcpy(result->public.part[i].bounds, r->assembly->members[number[i]].info.bounds,
               sizeof result->public.part[i].bounds);
    }
    sc_result_note(result, "clear_by_boxes");
    return &result->public;
}

/* ---- delivery ------------------------------------------------------------ */

static bool is_ready(const run *r, const job *j)
{
    return r->options->list_only || !j->options || j->clear_by_boxes || part_error(r, j) ||
           atomic_load(&j->done);
}

/* Everything that is ready and has nothing in front of it that is not. */
static void deliver(run *r)
{
    for (; r->delivered < r->count && !atomic_load(&r->ended); r->delivered++) {
        job *j = &r->jobs[r->delivered];
        if (!is_ready(r, j)) {
            return;
        }
        const stlclash_error *error = j->failure ? j->failure : part_error(r, j);
        stlclash_pair pair = {
            .a = j->a,
            .b = j->b,
            .options = j->options,
            .box_distance = j->box_distance,
            .clear_by_boxes = j->clear_by_boxes,
            .result = j->clear_by_boxes && !r->options->list_only ? clear_result(r, j) : j->result,
            .sweep = j->sweep};
        if (error && j->options) {
            pair.error = *error;
        }
        if (atomic_load(&r->out_of_memory)) {
            return; /* there may be nothing to tell of this one */
        }
        j->result = NULL;
        j->sweep = NULL;
        if (!r->options->pair(r->options->context, &pair)) {
            atomic_store(&r->ended, true);
            atomic_store(&r->stop, true);
        }
    }
}

/* ---- all of them --------------------------------------------------------- */

/* Small jobs, by threads that take the next one when they are done. */
static void work(void *context, int thread)
{
    run *r = context;
    worker idle = {r, NULL, thread};
    for (size_t i; !atomic_load(&r->ended) && (i = atomic_fetch_add(&r->next, 1)) < r->scheduled;) {
        check_job(r, &r->jobs[r->order[i]], 1, thread);
        if (thread == 0) {
            deliver(r);
            go_on(&idle, 0.0);
        }
    }
}

static void check_all(run *r)
{
    deliver(r);
    for (size_t i = 0; i < r->large && !atomic_load(&r->ended); i++) {
        check_job(r, &r->jobs[r->order[i]], r->threads, 0);
        deliver(r);
    }
    atomic_store(&r->next, r->large);
    size_t left = r->scheduled - r->large;
    sc_parallel(left < (size_t)r->threads ? (int)left : r->threads, work, r);
    deliver(r);
}

stlclash_code stlclash_assembly_check(stlclash_assembly *assembly,
                                      const stlclash_assembly_options *options,
                                      stlclash_error *error)
{
    run r = {.assembly = assembly, .options = options, .defaults = stlclash_options_default()};

    clock_gettime(CLOCK_MONOTONIC, &r.start);
    if (!(options->reach >= 0.0 && options->reach < INFINITY)) {
        return sc_error(error, STLCLASH_E_ARGUMENT, "reach must be finite and not negative");
    }
    if (!(options->max_seconds >= 0.0)) {
        return sc_error(error, STLCLASH_E_ARGUMENT, "time limit must not be negative");
    }
    if (options->threads < 0) {
        return sc_error(error, STLCLASH_E_ARGUMENT, "number of threads must not be negative");
    }
    r.threads = sc_assembly_threads(options->threads);
    stlclash_code code = find_pairs(&r) ? STLCLASH_OK : sc_error_memory(error);
    code = code == STLCLASH_OK ? choose_jobs(&r, error) : code;
    if (code == STLCLASH_OK && !options->list_only) {
        code = make_schedule(&r) && make_trees(&r) ? STLCLASH_OK : sc_error_memory(error);
    }
    if (code == STLCLASH_OK) {
        check_all(&r);
        code = atomic_load(&r.out_of_memory) ? sc_error_memory(error) : STLCLASH_OK;
    }
    for (size_t i = 0; r.jobs && i < r.count; i++) {
        free_result(&r.jobs[i]);
        sc_free(r.jobs[i].failure);
    }
    for (size_t i = 0; r.trees && i < assembly->count; i++) {
        sc_shared_tree_free(r.trees[i]);
    }
    sc_free(r.trees);
    sc_free(r.jobs);
    sc_free(r.order);
    return code;
}
