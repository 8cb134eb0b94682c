/* assembly_jobs.h - the pairs of an assembly that there is something to tell of: those that the
 * broad phase leaves, with the options of each. */
#ifndef SC_ASSEMBLY_JOBS_H
#define SC_ASSEMBLY_JOBS_H

#include "assembly.h"
#include "verdict.h"

#include <stdatomic.h>

/* One pair of the broad phase. */
typedef struct sc_job {
    uint32_t a, b;
    bool clear_by_boxes;
    const stlclash_options *options; /* NULL: left out */
    double box_distance;
    uint64_t weight; /* a guess at the work */
    atomic_bool done;
    stlclash_error *failure; /* why it could not be judged, or NULL */
    stlclash_result *result;
    stlclash_sweep_result *sweep; /* of parts that move: it owns the result; or NULL */
} sc_job;

typedef struct sc_jobs {
    const stlclash_assembly *assembly;
    const stlclash_assembly_options *options;
    stlclash_options defaults;
    sc_job *all; /* [count], by (a, b) */
    size_t count;
} sc_jobs;

/* Fills *jobs, which must stay where it is, as must what is given. Fails where the options of a
 * pair are out of range, or memory ran out; sc_jobs_free in any case. */
stlclash_code sc_jobs_find(const stlclash_assembly *assembly,
                           const stlclash_assembly_options *options, sc_jobs *jobs,
                           stlclash_error *error);
void sc_jobs_free(sc_jobs *jobs);

/* Why a part of the pair is in error, which alone tells its status; or NULL. */
const stlclash_error *sc_job_part_error(const sc_jobs *jobs, const sc_job *job);

/* How the parts move as seen from each other, if they do. */
bool sc_job_moves(const sc_jobs *jobs, const sc_job *job, stlclash_motion *motion);

/* As the options of the pair have them, which is not left out. */
sc_tolerances sc_job_tolerances(const sc_jobs *jobs, const sc_job *job);

/* The pair could not be judged; false if memory ran out for telling why. */
bool sc_job_fail(sc_job *job, const stlclash_error *error);

#endif
