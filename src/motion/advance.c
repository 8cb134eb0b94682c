/* advance.c - see advance.h. */
#include "advance.h"

#include "base/alloc.h"
#include "base/error.h"

typedef struct sc_sample {
    double t, distance;
} sample;

double sc_advance_tolerance(const sc_motion_run *run)
{
    double longest = 0.0;
    for (int i = 0; i < 2; i++) {
        longest = sc_fmax(longest, sc_box_extent(&run->part[i].bounds));
    }
    double least = 0x1p-40 * longest; /* below it rounding is all there is */
    double tolerance = run->motion->tolerance > 0.0 ? run->motion->tolerance : 1e-4 * longest;
    return sc_fmax(tolerance, least);
}

/* ---- one pose ------------------------------------------------------------- */

static stlclash_moment moment_at(const sc_advance *a, double t, const stlclash_separation *s)
{
    stlclash_moment moment = {.time = a->from + t * (a->to - a->from), .separation = *s};
    if (a->as_given) {
        a->as_given(a->context, t, &moment.separation);
    }
    moment.travelled = a->travelled(a->context, t, &moment.separation);
    return moment;
}

static void settle(sc_advance_findings *f, sc_motion_run *run, const char *note)
{
    f->settled = true;
    if (note) {
        sc_motion_note(run, note);
        sc_motion_conclude(run, STLCLASH_UNDECIDED, 0.0);
    }
}

static stlclash_code add_sample(const sc_advance *a, sc_advance_findings *f, double t,
                                double distance)
{
    if (!sc_make_room(&f->samples, &f->capacity, f->sample_count + 1, sizeof *f->samples)) {
        return sc_error_memory(a->run->error);
    }
    f->samples[f->sample_count++] = (sample){t, distance};
    return STLCLASH_OK;
}

/* Whether parts that clash at t do so by more than the rounding of their pose. Closed ones lie
 * deeper in each other than that. Others have no depth: their facets must cross, wherever rounding
 * has left the vertices. Both ends of the way are as they were given. */
static stlclash_code clashes_certainly(const sc_advance *a, double t, const sc_part part[2],
                                       bool *certainly)
{
    const sc_tolerances *own = &a->run->tolerances;
    stlclash_status status = STLCLASH_UNDECIDED;
    stlclash_code code =
        sc_motion_pose_status(a->run, part, own->touch_overlap + a->error, own->touch_gap, &status);
    *certainly = status == STLCLASH_CLASH;
    if (code == STLCLASH_OK && *certainly && t > 0.0 && t < 1.0) {
        bool open[2];
        code = sc_motion_find_open(a->run, part, open);
        if (code == STLCLASH_OK && (open[0] || open[1])) {
            code = sc_motion_pose_crosses(a->run, part, a->error, certainly);
        }
    }
    return code;
}

static void touch_at(const sc_advance *a, double t, const stlclash_separation *s)
{
    stlclash_sweep_result *r = &a->run->result->public;
    if (!r->has_contact) {
        r->has_contact = true;
        r->contact = moment_at(a, t, s);
    }
}

/* What the pose at t tells of the motion; `certainly`: that it is a clash, if it is one. */
static void take_pose(const sc_advance *a, sc_advance_findings *f, double t,
                      const stlclash_result *pose, bool certainly)
{
    sc_motion_run *run = a->run;
    stlclash_sweep_result *r = &run->result->public;
    const stlclash_separation *s = &pose->separation;

    if (pose->status == STLCLASH_UNDECIDED) {
        bool in_time = sc_motion_go_on(run, 1.0);
        settle(f, run, in_time ? "pose_undecided" : NULL);
    } else if (pose->status == STLCLASH_CLASH && certainly) {
        r->has_clash = true;
        r->clash = moment_at(a, t, s);
        touch_at(a, t, s);
        sc_motion_conclude(run, STLCLASH_CLASH, 0.0);
        settle(f, run, NULL);
    } else if (pose->status == STLCLASH_CONTACT || !certainly) {
        touch_at(a, t, s);
    } else if (!r->has_approach || s->distance < r->approach.separation.distance) {
        r->has_approach = true;
        r->approach = moment_at(a, t, s);
    }
}

/* A part without inside has no depth that would show in poses nearby: it may pass through the other
 * one between two of them. One whose vertices move may have an inside at some times only. */
static stlclash_code look_for_open_parts(const sc_advance *a, sc_advance_findings *f,
                                         const sc_part part[2])
{
    bool open[2] = {false, false};
    stlclash_code code = STLCLASH_OK;
    if (a->run->result->public.has_contact && !f->passed) {
        code = sc_motion_find_open(a->run, part, open);
        f->open = open[0] || open[1];
    }
    return code;
}

/* Checks the pose at t. *distance is the least that it can be. */
static stlclash_code look(sc_advance *a, sc_advance_findings *f, double t, double *distance)
{
    sc_motion_run *run = a->run;
    stlclash_sweep_result *r = &run->result->public;
    if (!sc_motion_go_on(run, a->from + t * (a->to - a->from))) {
        settle(f, run, NULL);
        return STLCLASH_OK;
    }
    if (r->steps >= SC_ANY_POSES) {
        settle(f, run, "motion_steps");
        return STLCLASH_OK;
    }
    sc_part part[2];
    stlclash_result *result = NULL;
    stlclash_code code = a->pose(a->context, t, part);
    code = code == STLCLASH_OK ? sc_motion_pose(run, part, &result) : code;
    if (code != STLCLASH_OK) {
        return code;
    }
    bool certainly = true;
    if (result->status == STLCLASH_CLASH) {
        code = clashes_certainly(a, t, part, &certainly);
        if (code != STLCLASH_OK) {
            stlclash_result_free(result);
            return code;
        }
        f->doubtful |= !certainly;
    }
    take_pose(a, f, t, result, certainly);
    bool touches = result->status == STLCLASH_CONTACT || !certainly;
    *distance = touches ? 0.0 : sc_fmax(result->separation.distance - a->error, 0.0);
    if (!f->settled) {
        f->least = sc_fmin(f->least, *distance);
        /* So near that steps no longer grow with the distance: they may meet before the
         * next one. */
        if (!r->has_contact && *distance < a->near_by) {
            touch_at(a, t, &result->separation);
            r->contact.conservative = true;
        }
        code = add_sample(a, f, t, *distance);
        code = code == STLCLASH_OK ? look_for_open_parts(a, f, part) : code;
    }
    stlclash_result_free(result);
    return code;
}

stlclash_code sc_advance_look(sc_advance *advance, double t, sc_advance_findings *findings)
{
    double distance;
    findings->sample_count = 0;
    return look(advance, findings, t, &distance);
}

/* ---- meetings ------------------------------------------------------------- */

/* How far no point may move until the next pose. Once the parts may have met, only depth is left to
 * be watched: from pose to pose it does not grow by more than the tolerance. */
static double safe_way(const sc_advance *a, const sc_advance_findings *f, double distance)
{
    if (!a->run->result->public.has_contact) {
        return distance;
    }
    return sc_fmax(distance, f->open && !f->passed ? a->near_by : 2.0 * a->tolerance);
}

/* What a step tells of parts without inside. To lift off, and to come to rest, they may take some
 * steps near each other; what is apart before and after, or stays near, may have passed. */
static void take_step(const sc_advance *a, sc_advance_findings *f, double distance, bool may_meet,
                      double way)
{
    if (distance >= a->near_by) {
        f->passed = f->passed || (f->apart && f->near_way > 0.0);
        f->apart = true;
        f->near_way = 0.0;
    }
    if (may_meet && f->open) {
        f->near_way += way;
        f->passed = f->passed || f->near_way > a->tolerance;
    }
}

/* Once the parts touch, after so many poses in which they do: whether to ask for the time until
 * which no more are needed. Where parts may lie deep in each other each of them takes long, and to
 * touch is likely to be meant; else a clash comes soon or not at all. */
static bool asks_for_shallow(const sc_advance *a, const sc_advance_findings *f, double t,
                             int touching)
{
    const sc_tolerances *own = &a->run->tolerances;
    const bool may_be_deep = own->touch_overlap > 4.0 * own->resolution;
    const int first = may_be_deep ? 1 : 16, worth = may_be_deep ? 4 : 64;
    return a->shallow_until && touching == first && !f->open &&
           (1.0 - t) * sc_advance_speed(a, 0.0) > worth * safe_way(a, f, 0.0);
}

stlclash_code sc_advance_meetings(sc_advance *a, double start, sc_advance_findings *f)
{
    double t = start, distance, shallow = 0.0;
    int touching = 0; /* poses */
    f->sample_count = 0;
    for (;;) {
        stlclash_code code = look(a, f, t, &distance);
        touching += a->run->result->public.has_contact;
        if (code == STLCLASH_OK && !f->settled && asks_for_shallow(a, f, t, touching)) {
            code = a->shallow_until(a, &shallow);
        }
        if (code != STLCLASH_OK || f->settled || t >= 1.0) {
            return code;
        }
        if (shallow > t) {
            t = sc_fmin(shallow, 1.0);
            continue;
        }
        double safe = safe_way(a, f, distance);
        const double speed = sc_advance_speed(a, safe);
        double step = safe / speed * (1.0 - 0x1p-40), next = t + step;
        if (next - t > step * (1.0 + 0x1p-20)) { /* less is within the error of a pose */
            next = sc_next_below(next);
        }
        if (!(next > t)) { /* the way is so long that no number is near enough */
            settle(f, a->run, "motion_steps");
            return STLCLASH_OK;
        }
        next = sc_fmin(next, 1.0);
        take_step(a, f, distance, safe > distance, speed * (next - t));
        t = next;
    }
}

stlclash_code sc_advance_ends(sc_advance *a, sc_advance_findings *f)
{
    double distance;
    f->sample_count = 0;
    stlclash_code code = look(a, f, 0.0, &distance);
    return code == STLCLASH_OK && !f->settled ? look(a, f, 1.0, &distance) : code;
}

/* ---- the least distance --------------------------------------------------- */

/* The least that the distance can be between two poses. */
static double lowest_between(double speed, sample x, sample y)
{
    double low = 0.5 * (x.distance + y.distance - speed * (y.t - x.t));
    return sc_fmax(sc_fmin(low, sc_fmin(x.distance, y.distance)), 0.0);
}

double sc_advance_enough(const sc_advance *a, double least, double share, double error)
{
    const sc_tolerances *t = &a->run->tolerances;
    const double needed = t->clearance - t->clearance_slack;
    double low = (1.0 - share) * least;
    if (t->clearance > 0.0 && least >= needed) { /* it passes only if that is sure */
        low = sc_fmax(low, needed);
    }
    return sc_fmin(low, least - error);
}

/* Samples come in order of time; the distance of a point between two is looked at where it
 * could be least, until what it could be is no longer much below the least seen. */
stlclash_code sc_advance_approach(sc_advance *a, size_t poses, sc_advance_findings *f, bool *found)
{
    size_t count = f->sample_count, looks = 0;
    sample *stack = sc_alloc(count + SC_ANY_POSES + 2, sizeof *stack);
    if (!stack) {
        return sc_error_memory(a->run->error);
    }
    for (size_t i = 0; i < count; i++) { /* the earliest on top */
        stack[count - 1 - i] = f->samples[i];
    }
    stlclash_code code = STLCLASH_OK;
    double certain = INFINITY;
    while (count > 1 && code == STLCLASH_OK && !f->settled && looks < poses) {
        sample x = stack[count - 1], y = stack[count - 2];
        const double speed = sc_advance_speed(a, sc_fmax(x.distance, y.distance));
        double low = lowest_between(speed, x, y);
        double middle = 0.5 * (x.t + y.t) + 0.5 * (x.distance - y.distance) / speed;
        middle = sc_fmin(sc_fmax(middle, x.t + 0.125 * (y.t - x.t)), y.t - 0.125 * (y.t - x.t));
        if (low >= sc_advance_enough(a, f->least, 0.05, a->tolerance) ||
            !(middle > x.t && middle < y.t)) {
            certain = sc_fmin(certain, low);
            count--;
            continue;
        }
        double distance = 0.0;
        code = look(a, f, middle, &distance);
        looks++;
        stack[count] = x;
        stack[count - 1] = (sample){middle, distance};
        count++;
    }
    *found = count <= 1;
    if (*found) {
        f->certain = sc_fmin(f->certain, sc_fmin(certain, f->least));
    }
    sc_free(stack);
    return code;
}

stlclash_code sc_advance_go(sc_advance *a, double start, sc_advance_findings *f)
{
    const stlclash_sweep_result *r = &a->run->result->public;
    bool found;
    stlclash_code code = sc_advance_meetings(a, start, f);
    if (code == STLCLASH_OK && start > 0.0 && !f->settled && !r->has_contact) {
        code = sc_advance_meetings(a, 0.0, f); /* by rounding it was not so near there */
    }
    if (code == STLCLASH_OK && !f->settled && !r->has_contact) {
        code = sc_advance_approach(a, SC_ANY_POSES, f, &found);
    }
    return code;
}

void sc_advance_conclude(sc_motion_run *run, const sc_advance_findings *f)
{
    stlclash_sweep_result *r = &run->result->public;
    const sc_tolerances *t = &run->tolerances;
    if (r->has_contact) {
        r->has_approach = false;
        if (r->contact.conservative) {
            sc_motion_note(run, "possible_contact");
        }
        if (f->doubtful) {
            sc_motion_note(run, "pose_undecided");
        }
        if (f->passed) {
            sc_motion_note(run, "passage_unknown");
        }
        sc_motion_conclude(run, f->doubtful || f->passed ? STLCLASH_UNDECIDED : STLCLASH_CONTACT,
                           0.0);
        return;
    }
    double distance = r->approach.separation.distance;
    r->approach_error = sc_fmax(distance - f->certain, 0.0);
    sc_findings findings = {.complete = true, .distance = distance};
    stlclash_status status = sc_verdict(&findings, t);
    if (status == STLCLASH_CLEAR && f->certain < t->clearance - t->clearance_slack) {
        r->approach.conservative = true; /* within the tolerance of the clearance */
        status = STLCLASH_NEAR;
    }
    sc_motion_conclude(run, status, distance);
    r->pass = r->pass && status == STLCLASH_CLEAR;
}

void sc_advance_free(sc_advance_findings *f)
{
    sc_free(f->samples);
    f->samples = NULL;
}
