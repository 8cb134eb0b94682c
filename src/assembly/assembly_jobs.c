/* assembly_jobs.c - see assembly_jobs.h. */
#include "assembly_jobs.h"

#include "base/alloc.h"
#include "base/error.h"
#include "broad.h"
#include "check/check.h"

#include <math.h>

/* ---- the broad phase ----------------------------------------------------- */

static bool is_box(const sc_member *m)
{
    return m->info.error.code == STLCLASH_OK && m->info.mesh.triangles > 0;
}

/* What has no box is near everything: its pairs are to be told as undecided. */
static sc_broad_box broad_box(const sc_jobs *jobs, const sc_member *m)
{
    sc_broad_box box = {.box = m->swept, .margin = INFINITY};
    if (!is_box(m)) {
        box.box = (sc_box){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    } else if (jobs->options->far == STLCLASH_FAR_COUNT) {
        /* The touch gap of a pair that leaves it to us is no more than the sum of these. */
        stlclash_options plain = stlclash_options_default();
        box.margin = 0.5 * jobs->options->reach +
                     sc_tolerances_make(&plain, sc_box_reach(&m->part.bounds)).touch_gap;
    }
    return box;
}

static bool find_pairs(sc_jobs *jobs)
{
    const stlclash_assembly *assembly = jobs->assembly;
    sc_broad_box *boxes = sc_alloc(assembly->count, sizeof *boxes);
    sc_broad_pair *pairs = NULL;

    for (size_t i = 0; boxes && i < assembly->count; i++) {
        boxes[i] = broad_box(jobs, &assembly->members[i]);
    }
    bool good = boxes && sc_broad_find(boxes, assembly->count, &pairs, &jobs->count);
    sc_free(boxes);
    jobs->all = good ? sc_calloc(jobs->count, sizeof *jobs->all) : NULL;
    for (size_t i = 0; jobs->all && i < jobs->count; i++) {
        jobs->all[i].a = pairs[i].a;
        jobs->all[i].b = pairs[i].b;
    }
    sc_free(pairs);
    return jobs->all != NULL;
}

/* ---- the options of each ------------------------------------------------- */

sc_tolerances sc_job_tolerances(const sc_jobs *jobs, const sc_job *j)
{
    const sc_member *a = &jobs->assembly->members[j->a], *b = &jobs->assembly->members[j->b];
    return sc_tolerances_make(
        j->options, sc_fmax(sc_box_reach(&a->part.bounds), sc_box_reach(&b->part.bounds)));
}

/* Whether no distance that the boxes allow could change the status, with room for parts of
 * one placement, which are compared where they are stored. */
static bool boxes_tell(const sc_jobs *jobs, const sc_job *j)
{
    const sc_member *a = &jobs->assembly->members[j->a], *b = &jobs->assembly->members[j->b];
    double reach = sc_fmax(sc_box_reach(&a->swept), sc_box_reach(&b->swept));
    sc_tolerances t = sc_job_tolerances(jobs, j);
    return j->box_distance > sc_deciding_distance(&t) + reach * 0x1p-44;
}

const stlclash_error *sc_job_part_error(const sc_jobs *jobs, const sc_job *j)
{
    const sc_member *a = &jobs->assembly->members[j->a], *b = &jobs->assembly->members[j->b];
    return a->info.error.code != STLCLASH_OK   ? &a->info.error
           : b->info.error.code != STLCLASH_OK ? &b->info.error
                                               : NULL;
}

bool sc_job_fail(sc_job *j, const stlclash_error *error)
{
    j->failure = sc_alloc(1, sizeof *j->failure);
    if (j->failure) {
        *j->failure = *error;
    }
    return j->failure != NULL;
}

static stlclash_code ask_options(sc_jobs *jobs, sc_job *j, stlclash_error *error)
{
    const stlclash_assembly_options *o = jobs->options;
    const sc_member *a = &jobs->assembly->members[j->a], *b = &jobs->assembly->members[j->b];

    if (is_box(a) && is_box(b)) {
        j->box_distance = sc_box_distance(&a->swept, &b->swept);
    }
    j->options = o->options ? o->options(o->context, j->a, j->b) : &jobs->defaults;
    if (!j->options) {
        return STLCLASH_OK;
    }
    stlclash_options looked_at = *j->options; /* the check sets the others */
    looked_at.threads = 0;
    looked_at.max_seconds = 0.0;
    stlclash_code code = sc_check_options(&looked_at, error);
    if (code == STLCLASH_OK && sc_fmax(j->options->clearance, j->options->touch_gap) > o->reach &&
        o->options) {
        code = sc_error(error, STLCLASH_E_ARGUMENT,
                        "a pair asks for a larger clearance or touch gap than the reach");
    }
    j->clear_by_boxes = code == STLCLASH_OK && is_box(a) && is_box(b) &&
                        o->far != STLCLASH_FAR_CHECK && boxes_tell(jobs, j);
    j->weight = 1000 + a->info.mesh.triangles + b->info.mesh.triangles;
    return code;
}

bool sc_job_moves(const sc_jobs *jobs, const sc_job *j, stlclash_motion *motion)
{
    const sc_member *members = jobs->assembly->members;
    return sc_movers_relate(&members[j->a].mover, &members[j->b].mover, motion);
}

/* Pairs that are not delivered are dropped here. */
static stlclash_code choose_jobs(sc_jobs *jobs, stlclash_error *error)
{
    size_t kept = 0;

    for (size_t i = 0; i < jobs->count; i++) {
        sc_job *j = &jobs->all[kept];
        *j = (sc_job){.a = jobs->all[i].a, .b = jobs->all[i].b};
        stlclash_code code = ask_options(jobs, j, error);
        if (code != STLCLASH_OK) {
            return code;
        }
        kept += !j->clear_by_boxes || jobs->options->far == STLCLASH_FAR_LIST;
    }
    jobs->count = kept;
    return STLCLASH_OK;
}

stlclash_code sc_jobs_find(const stlclash_assembly *assembly,
                           const stlclash_assembly_options *options, sc_jobs *jobs,
                           stlclash_error *error)
{
    *jobs =
        (sc_jobs){.assembly = assembly, .options = options, .defaults = stlclash_options_default()};
    return find_pairs(jobs) ? choose_jobs(jobs, error) : sc_error_memory(error);
}

static void free_result(sc_job *j)
{
    if (j->sweep) {
        stlclash_sweep_result_free(j->sweep);
    } else {
        stlclash_result_free(j->result);
    }
}

void sc_jobs_free(sc_jobs *jobs)
{
    for (size_t i = 0; jobs->all && i < jobs->count; i++) {
        free_result(&jobs->all[i]);
        sc_free(jobs->all[i].failure);
    }
    sc_free(jobs->all);
    *jobs = (sc_jobs){.count = 0};
}
