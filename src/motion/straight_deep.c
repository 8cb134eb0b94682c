/* straight_deep.c - see straight.h. */
#include "straight.h"

#include "doubts.h"

#include <string.h>

/* A part as it is compared, shifted. */
static stlclash_code shifted_part(const sc_straight *s, int i, sc_vec3 shift, sc_part *part)
{
    const sc_placement *used = &s->part[i].used;
    double m[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    if (!used->is_identity) {
        memcpy(m, used->m, sizeof used->m);
    }
    for (int k = 0; k < 3; k++) {
        m[4 * k + 3] += sc_component(shift, k);
    }
    return sc_part_place(s->part[i].mesh, m, "a part on its way", part, s->run->error);
}

stlclash_code sc_straight_parts(const sc_straight *s, double time, sc_part part[2])
{
    stlclash_code code = shifted_part(s, 0, (sc_vec3){0.0, 0.0, 0.0}, &part[0]);
    return code == STLCLASH_OK ? shifted_part(s, 1, sc_scale(s->sweep.d, time), &part[1]) : code;
}

stlclash_code sc_straight_status(const sc_straight *s, const sc_part part[2],
                                 stlclash_status *status)
{
    const sc_tolerances *own = &s->run->tolerances;
    return sc_motion_pose_status(s->run, part, own->touch_overlap, own->touch_gap, status);
}

/* Whether the parts clash at that time, overlapping deeper than the touch overlap. */
static stlclash_code clashes_at(const sc_straight *s, double time, bool *clashes)
{
    sc_part part[2];
    stlclash_status status;
    stlclash_code code = sc_straight_parts(s, time, part);
    code = code == STLCLASH_OK ? sc_straight_status(s, part, &status) : code;
    if (code == STLCLASH_OK) {
        *clashes = status == STLCLASH_CLASH;
    }
    return code;
}

stlclash_code sc_straight_may_overlap(const sc_straight *s, const sc_part part[2], bool *overlap)
{
    stlclash_status status = STLCLASH_UNDECIDED;
    stlclash_code code = sc_motion_pose_status(s->run, part, 0.0, 0.0, &status);
    *overlap = status == STLCLASH_CLASH || status == STLCLASH_UNDECIDED;
    return code;
}

static bool may_go_on(const sc_straight *s, stlclash_code code, bool found)
{
    return code == STLCLASH_OK && !found && sc_motion_go_on(s->run, SC_HALF_DONE);
}

/* What overlaps by about as much as it may takes longest: so the farthest poses come first. */
stlclash_code sc_straight_find_deep_pose(const sc_straight *s, sc_poses poses, bool *deep)
{
    enum { STEPS = 16, NEARER = 24 };
    const double first = s->sweep.crossing.found ? s->sweep.crossing.event.time : 0.0;
    const double left = 1.0 - first;
    const double least = 4.0 * s->run->tolerances.touch_overlap / sc_length(s->sweep.d);
    const double soon = 256.0 * least;
    double step = 0.25 * left;
    stlclash_code code = STLCLASH_OK;

    *deep = false;
    if (poses == SC_POSES_SOON) {
        code = clashes_at(s, 1.0, deep);
    }
    for (int i = 1; i < STEPS && poses == SC_POSES_LATER && may_go_on(s, code, *deep); i++) {
        code = clashes_at(s, first + left * i / STEPS, deep);
    }
    for (int i = 0; i < NEARER && step > least && may_go_on(s, code, *deep); i++, step *= 0.25) {
        if ((step <= soon) == (poses == SC_POSES_SOON)) {
            code = clashes_at(s, first + step, deep);
        }
    }
    return code;
}

/* A part with nothing but the place in which it is compared. */
static sc_part as_compared(const sc_part *part)
{
    sc_part out = *part;
    out.placement = part->used;
    out.bounds = part->used_bounds;
    out.shared = NULL;
    return out;
}

/* Whether the motion passes through nothing, and one part does not lie in the other, if the part
 * that moves is shifted before. */
static stlclash_code try_shift(const sc_straight *s, sc_vec3 shift, bool *found)
{
    sc_part shifted = s->part[1];
    sc_sweep sweep = s->sweep;
    sc_part_shift(&shifted, shift);
    sweep.part[1] = &shifted;
    sweep.contact.found = sweep.crossing.found = false;
    stlclash_code code = sc_sweep_meetings(&sweep, s->run->error);
    *found = code == STLCLASH_OK && !sweep.stopped && !sweep.crossing.found;
    if (*found) {
        bool overlap;
        const sc_part part[2] = {as_compared(sweep.part[0]), as_compared(sweep.part[1])};
        code = sc_straight_may_overlap(s, part, &overlap);
        *found = code == STLCLASH_OK && !overlap;
    }
    return code;
}

double sc_straight_most_yield(const sc_straight *s)
{
    return sc_equal_depth(s->run->tolerances.touch_overlap,
                          sc_parts_reach(&s->part[0], &s->part[1]));
}

stlclash_code sc_straight_try_along(const sc_straight *s, sc_vec3 away, bool *shallow)
{
    static const double share[2] = {0x1p-8, 1.0}; /* little frees what rounding left */
    stlclash_code code = STLCLASH_OK;
    *shallow = false;
    for (int i = 0; i < 2 && may_go_on(s, code, *shallow); i++) {
        code = try_shift(s, sc_scale(away, share[i] * sc_straight_most_yield(s)), shallow);
    }
    return code;
}

stlclash_code sc_straight_try_aside(const sc_straight *s, bool *shallow)
{
    const sc_sweep_meeting *crossing = &s->sweep.crossing;
    stlclash_code code = STLCLASH_OK;
    *shallow = false;
    for (int i = 0; i < 4 && crossing->found && may_go_on(s, code, *shallow); i++) {
        const sc_part *part = &s->part[i / 2];
        sc_vec3 v[3];
        sc_triangle_vertices(&part->mesh->file.facets, &part->used, crossing->triangle[i / 2], v);
        const sc_vec3 area = sc_area_twice(v);
        const double length = sc_length(area);
        if (length > 0.0) {
            const sc_vec3 away = sc_scale(area, (i % 2 ? -1.0 : 1.0) / length);
            code = sc_straight_try_along(s, away, shallow);
        }
    }
    return code;
}

stlclash_code sc_straight_look_behind_doubts(const sc_straight *s, bool *deep)
{
    enum { DOUBTS = 16, STEPS = 4 };
    const double limit = s->run->tolerances.touch_overlap;
    const double step = 4.0 * limit / sc_length(s->sweep.d);
    double times[DOUBTS];
    sc_sweep crossings = s->sweep;
    crossings.contact.found = crossings.crossing.found = false;
    crossings.keep_crossings = true;
    stlclash_code code = sc_sweep_meetings(&crossings, s->run->error);
    const int count = code == STLCLASH_OK && !crossings.stopped
                          ? sc_doubts_find(&crossings, limit, step, times, DOUBTS)
                          : 0;
    sc_sweep_free(&crossings);
    for (int i = 0; i < STEPS * count && may_go_on(s, code, *deep); i++) {
        const double time = times[i / STEPS] + ldexp(step, 3 * (STEPS - 1 - i % STEPS));
        if (time < 1.0) {
            code = clashes_at(s, time, deep);
        }
    }
    return code;
}
