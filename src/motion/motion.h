/* motion.h - what the kinds of motion share: a run of stlclash_sweep. */
#ifndef SC_MOTION_H
#define SC_MOTION_H

#include "base/notes.h"
#include "base/poll.h"
#include "base/watch.h"
#include "part.h"
#include "solids/solid.h"
#include "stlclash.h"
#include "verdict.h"

/* The first member is what users see; it points into the others. */
typedef struct sc_motion_result {
    stlclash_sweep_result public;
    const char *notes[SC_MAX_NOTES];
    stlclash_screw *screws;
} sc_motion_result;

typedef struct sc_motion_run {
    stlclash_options options;
    const stlclash_motion *motion;
    sc_part part[2];          /* A and B as they stand at the start */
    sc_tolerances tolerances; /* of the start */
    sc_watch watch;
    const char *given_up; /* the note that says why, or NULL */
    sc_motion_result *result;
    stlclash_error *error;
} sc_motion_run;

/* As stlclash_sweep, for parts made by sc_part_place, options in their ranges and a motion
 * that sc_motion_check found right. Their placements are those of the options. max_seconds
 * count from *start. */
stlclash_code sc_motion_sweep(const sc_part part[2], const stlclash_options *options,
                              const stlclash_motion *motion, const struct timespec *start,
                              stlclash_sweep_result **result, stlclash_error *error);

/* Whether the motion of a part, placed so, is one: `moves` picks its way, `whose` names it. */
stlclash_code sc_motion_check(const stlclash_motion *motion, int moves, const stlclash_mesh *mesh,
                              const char *whose, stlclash_error *error);

/* Adds a word, a literal, to the notes of the motion; once. */
void sc_motion_note(sc_motion_run *run, const char *note);

/* Whether to go on with `done`, 0..1, of the work behind; sets given_up where not. */
bool sc_motion_go_on(sc_motion_run *run, double done);

/* The same for work of which nobody can tell how much is left. */
#define SC_HALF_DONE 0.5
sc_poll sc_motion_poll(sc_motion_run *run);

/* The parts as they stand at some time, checked: the status and the distance. The result is the
 * caller's. */
stlclash_code sc_motion_pose(sc_motion_run *run, const sc_part part[2], stlclash_result **result);

/* The status alone, with these tolerances in place of those of the run. */
stlclash_code sc_motion_pose_status(sc_motion_run *run, const sc_part part[2], double touch_overlap,
                                    double touch_gap, stlclash_status *status);

/* Whether an edge of one part passes through a facet of the other, and would do so wherever all
 * vertices were by no more than `error` from where they are. Not all pairs are looked at where very
 * many meet. */
stlclash_code sc_motion_pose_crosses(sc_motion_run *run, const sc_part part[2], double error,
                                     bool *crosses);

/* Which parts have no inside; the shells of those that the sum of the boundary tells to be closed
 * are not looked at. */
stlclash_code sc_motion_find_open(const sc_motion_run *run, const sc_part part[2], bool open[2]);

/* Both parts as solids with their shells read the right way round, the first with role A. */
stlclash_code sc_motion_make_solids(const sc_motion_run *run, const sc_part *const part[2],
                                    sc_solid solid[2]);
void sc_motion_free_solids(sc_solid solid[2]);

/* The status and whether it passes, from the status alone or from the least distance. */
void sc_motion_conclude(sc_motion_run *run, stlclash_status status, double distance);

/* The whole motion, once the start is checked and not undecided. */
stlclash_code sc_motion_from_start(sc_motion_run *run);

/* The motions; the start is checked, and neither a clash nor undecided. */
stlclash_code sc_motion_straight(sc_motion_run *run);
stlclash_code sc_motion_screw(sc_motion_run *run);
stlclash_code sc_motion_paths(sc_motion_run *run);
stlclash_code sc_motion_both(sc_motion_run *run);

/* What there is to tell of a screw where its start settles everything. */
stlclash_code sc_motion_screw_describe(sc_motion_run *run);

#endif
