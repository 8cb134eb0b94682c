/* assembly_check.c - stlclash_assembly_check: the pairs of an assembly, phase by phase.
 *
 *     broad phase -> the options of each near pair -> schedule -> check.c for each -> delivery
 *
 * Few large pairs are checked one after the other, with all threads inside; many small ones
 * side by side, each by one thread. Where the parts do not fit into memory together, pairs
 * are taken in tiles of parts that do. Pairs are delivered in the order of their parts
 * whatever the schedule was. */
#include "assembly.h"
#include "assembly_jobs.h"
#include "assembly_trees.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/float_mode.h"
#include "base/parallel.h"
#include "check/check.h"
#include "check/result.h"
#include "motion/motion.h"
#include "schedule.h"

#include <stdatomic.h>
#include <stdlib.h>

typedef struct run {
    stlclash_assembly *assembly;
    const stlclash_assembly_options *options;
    struct timespec start;
    int threads;
    sc_jobs jobs;
    size_t delivered; /* of jobs.all */
    sc_task *tasks;   /* [scheduled] the jobs that need a check, in the order of the schedule */
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

/* ---- the schedule -------------------------------------------------------- */

/* Tasks for the jobs that need a check, in the order in which they are done. */
static bool make_schedule(run *r)
{
    const stlclash_assembly *assembly = r->assembly;

    r->tasks = sc_alloc(r->jobs.count, sizeof *r->tasks);
    for (size_t i = 0; r->tasks && i < r->jobs.count; i++) {
        const sc_job *j = &r->jobs.all[i];
        if (j->options && !j->clear_by_boxes && !sc_job_part_error(&r->jobs, j) && !j->failure) {
            r->tasks[r->scheduled++] =
                (sc_task){.job = i,
                          .file = {assembly->members[j->a].file, assembly->members[j->b].file},
                          .weight = j->weight};
            r->weight += j->weight;
        }
    }
    return r->tasks && sc_schedule(r->tasks, r->scheduled, assembly->store, assembly->source_count,
                                   r->threads, &r->large);
}

static bool make_trees(run *r)
{
    uint32_t *pairs = sc_calloc(r->assembly->count, sizeof *pairs);

    for (size_t i = 0; pairs && i < r->scheduled; i++) {
        pairs[r->jobs.all[r->tasks[i].job].a]++;
        pairs[r->jobs.all[r->tasks[i].job].b]++;
    }
    r->trees = pairs ? sc_assembly_trees_make(r->assembly, pairs) : NULL;
    sc_free(pairs);
    return r->trees != NULL;
}

/* ---- one pair ------------------------------------------------------------ */

/* A thread at work on a job. */
typedef struct worker {
    run *run;
    const sc_job *job;
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
        const uint64_t failed = atomic_load(&r->failed); /* first: no more of them are done then */
        stlclash_assembly_progress progress = {
            .pairs = r->scheduled,
            .done = atomic_load(&r->done),
            .failed = failed,
            .fraction = r->weight > 0 ? sc_fmin(weight / (double)r->weight, 1.0) : 1.0};
        if (!r->options->progress(r->options->context, &progress)) {
            atomic_store(&r->stop, true);
        }
    }
    return !atomic_load(&r->stop);
}

/* The parts of a job, with their meshes. */
static stlclash_code take_parts(run *r, const sc_job *j, sc_part part[2], stlclash_error *error)
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
static stlclash_code check_parts(run *r, sc_job *j, const sc_part part[2],
                                 stlclash_options *options, stlclash_error *error)
{
    stlclash_motion motion;

    if (!sc_job_moves(&r->jobs, j, &motion)) {
        return sc_check(&part[0], &part[1], options, &r->start, &j->result, error);
    }
    options->placement[0] = r->assembly->members[j->a].mover.placement;
    options->placement[1] = r->assembly->members[j->b].mover.placement;
    stlclash_code code = sc_motion_sweep(part, options, &motion, &r->start, &j->sweep, error);
    j->result = code == STLCLASH_OK ? j->sweep->start : NULL;
    return code;
}

static bool job_fails(const sc_job *j)
{
    stlclash_status status = j->sweep ? j->sweep->status : j->result->status;
    return status != STLCLASH_UNDECIDED && !(j->sweep ? j->sweep->pass : j->result->pass);
}

static void check_job(run *r, sc_job *j, int threads, int thread)
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
    if (code != STLCLASH_OK && !sc_job_fail(j, &error)) {
        atomic_store(&r->out_of_memory, true);
    }
    atomic_fetch_add(&r->weight_done, j->weight);
    atomic_fetch_add(&r->done, 1); /* before it counts as failed: see go_on */
    if (code == STLCLASH_OK && job_fails(j)) {
        atomic_fetch_add(&r->failed, 1);
    }
    atomic_store(&j->done, true);
}

/* All that is known of a pair whose boxes are far apart. False if memory ran out. */
static bool make_clear_result(const run *r, sc_job *j)
{
    sc_result *result = sc_result_make();
    const uint32_t number[2] = {j->a, j->b};

    if (!result) {
        return false;
    }
    sc_tolerances t = sc_job_tolerances(&r->jobs, j);
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
    j->result = &result->public;
    return true;
}

/* ---- delivery ------------------------------------------------------------ */

static bool is_ready(const run *r, const sc_job *j)
{
    return r->options->list_only || !j->options || j->clear_by_boxes ||
           sc_job_part_error(&r->jobs, j) || atomic_load(&j->done);
}

/* Everything that is ready and has nothing in front of it that is not. */
static void deliver(run *r)
{
    for (; r->delivered < r->jobs.count && !atomic_load(&r->ended); r->delivered++) {
        sc_job *j = &r->jobs.all[r->delivered];
        if (!is_ready(r, j)) {
            return;
        }
        if (j->clear_by_boxes && !r->options->list_only && !j->result && !make_clear_result(r, j)) {
            atomic_store(&r->out_of_memory, true);
        }
        if (atomic_load(&r->out_of_memory)) {
            return; /* there may be nothing to tell of this one */
        }
        const stlclash_error *error = j->failure ? j->failure : sc_job_part_error(&r->jobs, j);
        stlclash_pair pair = {.a = j->a,
                              .b = j->b,
                              .options = j->options,
                              .box_distance = j->box_distance,
                              .clear_by_boxes = j->clear_by_boxes,
                              .result = j->result,
                              .sweep = j->sweep};
        if (error && j->options) {
            pair.error = *error;
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
        check_job(r, &r->jobs.all[r->tasks[i].job], 1, thread);
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
        check_job(r, &r->jobs.all[r->tasks[i].job], r->threads, 0);
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
    SC_STANDARD_FLOATS;
    run r = {.assembly = assembly, .options = options};

    clock_gettime(CLOCK_MONOTONIC, &r.start);
    if (!options->pair) {
        return sc_error(error, STLCLASH_E_ARGUMENT, "a function that takes the pairs is missing");
    }
    if (!(options->reach >= 0.0 && options->reach < INFINITY)) {
        return sc_error(error, STLCLASH_E_ARGUMENT, "reach must be finite and not negative");
    }
    if (!(options->max_seconds >= 0.0)) {
        return sc_error(error, STLCLASH_E_ARGUMENT, "time limit must be a number of 0 or more");
    }
    if (options->threads < 0) {
        return sc_error(error, STLCLASH_E_ARGUMENT, "number of threads must not be negative");
    }
    if (options->far > STLCLASH_FAR_CHECK) {
        return sc_error(error, STLCLASH_E_ARGUMENT,
                        "far is none of STLCLASH_FAR_COUNT, _LIST and _CHECK");
    }
    r.threads = sc_threads(options->threads);
    stlclash_code code = sc_jobs_find(assembly, options, &r.jobs, error);
    if (code == STLCLASH_OK && !options->list_only) {
        code = make_schedule(&r) && make_trees(&r) ? STLCLASH_OK : sc_error_memory(error);
    }
    if (code == STLCLASH_OK) {
        check_all(&r);
        code = atomic_load(&r.out_of_memory) ? sc_error_memory(error) : STLCLASH_OK;
    }
    sc_assembly_trees_free(assembly, r.trees);
    sc_jobs_free(&r.jobs);
    sc_free(r.tasks);
    return code;
}
