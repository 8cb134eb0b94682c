/* shallow.c - see shallow.h. */
#include "shallow.h"

#include "base/error.h"
#include "erosion/eroded_outside.h"

typedef struct attempt {
    sc_motion_run *run;
    sc_leg leg; /* its parts in an order that does not depend on their names */
    sc_solid solid[2];
    double limit; /* of what a part yields */
    double until;
} attempt;

/* When the parts, or what stands in their place, first meet; 0: not known. `yields`: no point of
 * either is farther from where it was; `gap`: what is won by it. */
static sc_passage_code find_meeting(const attempt *a, const sc_passing passing[2], double yields,
                                    double gap, double *time)
{
    sc_passage passage;
    double meeting = 0.0;
    sc_passage_code code = sc_leg_passage(a->run, &a->leg, passing, yields, &passage);
    if (code == SC_PASSAGE_OK) {
        code = sc_passage_meets(&passage, 0.0, 0x1p-6 * gap, &meeting);
    }
    sc_passage_free(&passage);
    *time = code == SC_PASSAGE_OK ? meeting : 0.0;
    return code;
}

/* ---- one part eroded ----------------------------------------------------------------- */

/* False if memory ran out. */
static bool try_eroded(attempt *a, int i, const sc_erosion *eroded)
{
    sc_solid *const solid[2] = {&a->solid[0], &a->solid[1]};
    sc_passing passing[2] = {a->leg.passing[0], a->leg.passing[1]};
    const sc_poll poll = sc_motion_poll(a->run);
    double time;
    bool outside;
    passing[i].eroded = eroded;
    const sc_passage_code code = find_meeting(a, passing, eroded->most, eroded->by, &time);
    if (code == SC_PASSAGE_MEMORY || time <= a->until) {
        return code != SC_PASSAGE_MEMORY;
    }
    const bool good = sc_eroded_outside(solid, i, eroded, &poll, &outside);
    a->until = good && outside ? time : a->until;
    return good;
}

/* By as much as leaves room in the corners of boxes; or by little, as where corners are sharp. */
static bool try_part(attempt *a, int i)
{
    static const double share[] = {0.577, 0x1p-8};
    sc_erosion eroded;
    bool possible;
    bool good = sc_erosion_make(a->leg.passing[i].part, a->solid[i].orientation, NULL,
                                &a->run->watch, &eroded, &possible);
    for (int k = 0; k < 2 && good && possible && a->until <= 1.0; k++) {
        sc_erosion_go(&eroded, share[k] * a->limit, a->limit);
        good = try_eroded(a, i, &eroded);
    }
    sc_erosion_free(&eroded);
    return good;
}

/* ---- one part shifted ----------------------------------------------------------------- */

/* A part that moves, along its axis: what turns on a seat may lie on it by more than leaves room in
 * its corners. */
static stlclash_code try_shifted(attempt *a, int i, double by)
{
    sc_passing passing[2] = {a->leg.passing[0], a->leg.passing[1]};
    sc_part part[2] = {*passing[0].part, *passing[1].part};
    double time;
    stlclash_status status;
    sc_part_shift(&part[i], sc_scale(sc_vec3_of(passing[i].screw->screw.direction), by));
    part[i].placement = part[i].used;
    part[i].bounds = part[i].used_bounds;
    passing[i].part = &part[i];
    const sc_passage_code found = find_meeting(a, passing, fabs(by), fabs(by), &time);
    if (found == SC_PASSAGE_MEMORY) {
        return sc_error_memory(a->run->error);
    }
    if (time <= a->until) {
        return STLCLASH_OK;
    }
    const stlclash_code code = sc_motion_pose_status(a->run, part, 0.0, 0.0, &status);
    if (code == STLCLASH_OK && status != STLCLASH_CLASH && status != STLCLASH_UNDECIDED) {
        a->until = time;
    }
    return code;
}

static stlclash_code try_shifts(attempt *a)
{
    stlclash_code code = STLCLASH_OK;
    for (int k = 0; k < 4 && code == STLCLASH_OK && a->until <= 1.0; k++) {
        if (a->leg.passing[k / 2].screw) {
            code = try_shifted(a, k / 2, k % 2 ? a->limit : -a->limit);
        }
    }
    return code;
}

/* ---- all of it -------------------------------------------------------------------------- */

static sc_leg in_order(const sc_leg *leg)
{
    sc_leg ordered = *leg;
    sc_part part[2] = {*leg->passing[0].part, *leg->passing[1].part};
    if (sc_parts_order(part).swapped) {
        ordered.passing[0] = leg->passing[1];
        ordered.passing[1] = leg->passing[0];
    }
    return ordered;
}

static stlclash_code try_all(attempt *a)
{
    const double extent[2] = {sc_box_extent(&a->leg.passing[0].part->used_bounds),
                              sc_box_extent(&a->leg.passing[1].part->used_bounds)};
    const int smaller = extent[1] < extent[0];
    stlclash_code code = try_part(a, smaller) ? STLCLASH_OK : sc_error_memory(a->run->error);
    code = code == STLCLASH_OK ? try_shifts(a) : code;
    if (code == STLCLASH_OK && a->until <= 1.0 && !try_part(a, 1 - smaller)) {
        code = sc_error_memory(a->run->error);
    }
    return code;
}

stlclash_code sc_shallow_until(sc_motion_run *run, const sc_leg *leg, double *until)
{
    attempt a = {.run = run, .leg = in_order(leg)};
    const sc_part *part[2] = {a.leg.passing[0].part, a.leg.passing[1].part};
    const double reach = sc_parts_reach(part[0], part[1]);
    a.limit = (1.0 - 0x1p-20) * sc_equal_depth(run->tolerances.touch_overlap, reach);
    *until = 0.0;
    if (!sc_erosion_has_room(a.limit, reach)) {
        return STLCLASH_OK;
    }
    stlclash_code code = sc_motion_make_solids(run, part, a.solid);
    if (code == STLCLASH_OK) {
        code = try_all(&a);
        sc_motion_free_solids(a.solid);
    }
    *until = a.until;
    return code;
}
