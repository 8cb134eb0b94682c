/* motion.c - stlclash_sweep: the start, then the way, then the verdict. */
#include "motion.h"

#include "advance.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/float_mode.h"
#include "check/check.h"
#include "health/health_once.h"

#include <stdio.h>

void sc_motion_note(sc_motion_run *run, const char *note)
{
    sc_notes_add(run->result->notes, &run->result->public.note_count, note);
}

bool sc_motion_go_on(sc_motion_run *run, double done)
{
    const stlclash_options *o = &run->options;
    if (sc_watch_is_over(&run->watch)) {
        run->given_up = "time_limit";
    } else if (o->progress && !o->progress(o->progress_context, done)) {
        run->given_up = "cancelled";
    }
    return run->given_up == NULL;
}

static bool ask(void *context)
{
    return sc_motion_go_on(context, SC_HALF_DONE);
}

sc_poll sc_motion_poll(sc_motion_run *run)
{
    return (sc_poll){ask, run};
}

static stlclash_code check_pose(sc_motion_run *run, const sc_part part[2], bool quick,
                                uint64_t hits, double touch_overlap, double touch_gap,
                                stlclash_result **result)
{
    stlclash_options options = run->options;
    options.quick = quick;
    options.no_distance = false;
    options.no_overlap = true;
    options.health = options.gaps = options.curves = options.overlap_mesh = false;
    options.max_hits = hits;
    options.progress = NULL;
    options.touch_overlap = touch_overlap;
    options.touch_gap = touch_gap;
    run->result->public.steps++;
    return sc_check(&part[0], &part[1], &options, &run->watch.start, result, run->error);
}

stlclash_code sc_motion_pose(sc_motion_run *run, const sc_part part[2], stlclash_result **result)
{
    const sc_tolerances *start = &run->tolerances; /* those of the start, wherever this is */
    return check_pose(run, part, false, 0, start->touch_overlap, start->touch_gap, result);
}

stlclash_code sc_motion_pose_status(sc_motion_run *run, const sc_part part[2], double touch_overlap,
                                    double touch_gap, stlclash_status *status)
{
    stlclash_result *result = NULL;
    stlclash_code code = check_pose(run, part, true, 0, touch_overlap, touch_gap, &result);
    if (code == STLCLASH_OK) {
        *status = result->status;
        stlclash_result_free(result);
    }
    return code;
}

/* The sign of det[u; v; w], or 0 where it may be another one with each row changed by no more than
 * `change`: a product of lengths that grow by so much grows by more than the determinant changes.
 * Rounding adds less than 2^-46 of that product. */
static int certain_sign(sc_vec3 u, sc_vec3 v, sc_vec3 w, double change)
{
    const double det = sc_dot(u, sc_cross(v, w));
    const double a = sc_length(u), b = sc_length(v), c = sc_length(w);
    const double most =
        change * (a * b + b * c + c * a + change * (a + b + c) + change * change) * (1.0 + 0x1p-40);
    const double bound = most + 0x1p-46 * a * b * c;
    return det > bound ? 1 : det < -bound ? -1 : 0;
}

/* Of five determinants of vertices, each moved by no more than `error`. */
static bool passes_through(sc_vec3 p, sc_vec3 q, const sc_vec3 v[3], double error)
{
    const double change = 2.0 * error; /* of a difference of two */
    const int before = certain_sign(sc_sub(v[0], p), sc_sub(v[1], p), sc_sub(v[2], p), change);
    const int behind = certain_sign(sc_sub(v[0], q), sc_sub(v[1], q), sc_sub(v[2], q), change);
    int beside = 0;
    for (int k = 0; k < 3 && before * behind < 0; k++) {
        beside += certain_sign(sc_sub(q, p), sc_sub(v[k], p), sc_sub(v[(k + 1) % 3], p), change);
    }
    return beside == 3 || beside == -3;
}

static bool facets_cross(const sc_part part[2], const stlclash_hit *hit, double error)
{
    sc_vec3 v[2][3];
    sc_triangle_vertices(&part[0].mesh->file.facets, &part[0].placement, hit->triangle_a, v[0]);
    sc_triangle_vertices(&part[1].mesh->file.facets, &part[1].placement, hit->triangle_b, v[1]);
    for (int k = 0; k < 6; k++) {
        const sc_vec3 *own = v[k / 3];
        if (passes_through(own[k % 3], own[(k + 1) % 3], v[1 - k / 3], error)) {
            return true;
        }
    }
    return false;
}

stlclash_code sc_motion_pose_crosses(sc_motion_run *run, const sc_part part[2], double error,
                                     bool *crosses)
{
    enum { MOST_HITS = 100000 };
    const sc_tolerances *start = &run->tolerances;
    stlclash_result *result = NULL;
    stlclash_code code =
        check_pose(run, part, false, MOST_HITS, start->touch_overlap, start->touch_gap, &result);
    *crosses = false;
    if (code == STLCLASH_OK) {
        for (size_t i = 0; i < result->hits_listed && !*crosses; i++) {
            *crosses = facets_cross(part, &result->hits[i], error);
        }
        stlclash_result_free(result);
    }
    return code;
}

stlclash_code sc_motion_find_open(const sc_motion_run *run, const sc_part part[2], bool open[2])
{
    for (int i = 0; i < 2; i++) {
        const sc_health *health;
        open[i] = !sc_health_is_balanced(part[i].mesh);
        if (open[i]) { /* it may still have T-junctions alone */
            stlclash_code code = sc_health_get(part[i].mesh, false, &health, run->error);
            if (code != STLCLASH_OK) {
                return code;
            }
            open[i] = !health->closed;
        }
    }
    return STLCLASH_OK;
}

stlclash_code sc_motion_make_solids(const sc_motion_run *run, const sc_part *const part[2],
                                    sc_solid solid[2])
{
    const sc_frame frame = sc_frame_make(&part[0]->used_bounds, &part[1]->used_bounds);
    stlclash_code code = STLCLASH_OK;
    int made = 0;
    while (made < 2 && code == STLCLASH_OK) {
        const sc_health *health;
        code = sc_health_get(part[made]->mesh, false, &health, run->error);
        if (code == STLCLASH_OK) {
            code = sc_solid_make(part[made], made == 0 ? SC_ROLE_A : SC_ROLE_B, &frame, NULL,
                                 &solid[made], run->error);
        }
        if (code == STLCLASH_OK) {
            solid[made++].orientation = health->orientation;
        }
    }
    while (code != STLCLASH_OK && made > 0) {
        sc_solid_free(&solid[--made]);
    }
    return code;
}

void sc_motion_free_solids(sc_solid solid[2])
{
    sc_solid_free(&solid[0]);
    sc_solid_free(&solid[1]);
}

void sc_motion_conclude(sc_motion_run *run, stlclash_status status, double distance)
{
    stlclash_sweep_result *r = &run->result->public;
    r->status = status;
    r->pass = sc_passes(status, distance, &run->tolerances);
}

/* ---- what is asked for ---------------------------------------------------- */

static stlclash_code check_way(const double way[3], const char *whose, stlclash_error *error)
{
    for (int k = 0; k < 3; k++) {
        if (!(fabs(way[k]) < 0x1p190)) { /* also if NaN */
            return sc_error(error, STLCLASH_E_RANGE, "the way of %s is beyond 1.6e57", whose);
        }
    }
    return STLCLASH_OK;
}

static stlclash_code check_legs(const stlclash_motion *m, const stlclash_mesh *mesh,
                                const char *whose, stlclash_error *error)
{
    if (!m->placements || m->placement_count == 0) {
        return sc_error(error, STLCLASH_E_ARGUMENT, "a screw motion needs a placement");
    }
    for (size_t i = 0; i < m->placement_count; i++) {
        char leg[128];
        sc_part part;
        snprintf(leg, sizeof leg, "%.60s at the end of leg %zu", whose, i + 1);
        stlclash_code code = sc_part_place(mesh, m->placements[i], leg, &part, error);
        if (code != STLCLASH_OK) {
            return code;
        }
    }
    return STLCLASH_OK;
}

static stlclash_code check_end(const stlclash_mesh *end, const stlclash_mesh *mesh,
                               stlclash_error *error)
{
    uint64_t have = mesh->file.facets.count;
    if (!end) {
        return sc_error(error, STLCLASH_E_ARGUMENT, "a motion of vertices needs a mesh at its end");
    }
    if (end->file.facets.count != have) {
        return sc_error(error, STLCLASH_E_ARGUMENT,
                        "the end has %u triangles and the part %u: facets must be the same, in "
                        "the same order",
                        (unsigned)end->file.facets.count, (unsigned)have);
    }
    return STLCLASH_OK;
}

static stlclash_code check_tolerance(const stlclash_motion *m, stlclash_error *error)
{
    return m->tolerance >= 0.0 && isfinite(m->tolerance)
               ? STLCLASH_OK
               : sc_error(error, STLCLASH_E_ARGUMENT,
                          "the tolerance of a motion must be finite and not negative");
}

stlclash_code sc_motion_check(const stlclash_motion *m, int moves, const stlclash_mesh *mesh,
                              const char *whose, stlclash_error *error)
{
    stlclash_code code = check_tolerance(m, error);
    if (code != STLCLASH_OK) {
        return code;
    }
    switch (m->kind) {
    case STLCLASH_STRAIGHT: return check_way(m->way[moves], whose, error);
    case STLCLASH_SCREW: return check_legs(m, mesh, whose, error);
    case STLCLASH_VERTEX_PATHS: return check_end(m->end, mesh, error);
    case STLCLASH_INDEPENDENT: break; /* that of a pair */
    }
    return sc_error(error, STLCLASH_E_ARGUMENT, "the motion is of no known kind");
}

static stlclash_code check_each(const stlclash_motion *m, const stlclash_mesh *meshes[2],
                                const char *const whose[2], stlclash_error *error)
{
    stlclash_code code = STLCLASH_OK;
    for (int i = 0; i < 2 && code == STLCLASH_OK; i++) {
        code = m->each[i]
                   ? sc_motion_check(m->each[i], 0, meshes[i], whose[i], error)
                   : sc_error(error, STLCLASH_E_ARGUMENT,
                              "where both parts move by themselves, both motions are needed");
    }
    return code;
}

/* Of both parts: who moves is to be said where it is one of them only. */
static stlclash_code check_motion(const stlclash_motion *m, const stlclash_mesh *meshes[2],
                                  stlclash_error *error)
{
    static const char *const whose[] = {"A", "B"};
    if (m->kind == STLCLASH_STRAIGHT) {
        stlclash_code code = sc_motion_check(m, 0, meshes[0], whose[0], error);
        return code == STLCLASH_OK ? sc_motion_check(m, 1, meshes[1], whose[1], error) : code;
    }
    if (m->kind == STLCLASH_INDEPENDENT) {
        stlclash_code code = check_tolerance(m, error);
        return code == STLCLASH_OK ? check_each(m, meshes, whose, error) : code;
    }
    const bool is_known = m->kind == STLCLASH_SCREW || m->kind == STLCLASH_VERTEX_PATHS;
    if (is_known && m->moves != STLCLASH_A && m->moves != STLCLASH_B) {
        return sc_error(error, STLCLASH_E_ARGUMENT, "a motion must say which part moves");
    }
    int moves = m->moves == STLCLASH_B;
    return sc_motion_check(m, moves, meshes[moves], whose[moves], error);
}

/* ---- all of it ------------------------------------------------------------ */

static void start_moment(const stlclash_result *start, stlclash_moment *moment)
{
    *moment = (stlclash_moment){.separation = start->separation};
}

/* The motion, where its start settles everything. */
static stlclash_code describe(sc_motion_run *run)
{
    switch (run->motion->kind) {
    case STLCLASH_STRAIGHT: break;
    case STLCLASH_SCREW: return sc_motion_screw_describe(run);
    case STLCLASH_VERTEX_PATHS:
    case STLCLASH_INDEPENDENT: run->result->public.tolerance = sc_advance_tolerance(run); break;
    }
    return STLCLASH_OK;
}

stlclash_code sc_motion_from_start(sc_motion_run *run)
{
    stlclash_sweep_result *r = &run->result->public;
    const stlclash_result *start = r->start;
    stlclash_code code = STLCLASH_OK;

    if (start->status == STLCLASH_CLASH) {
        r->has_clash = r->has_contact = start->has_separation;
        start_moment(start, &r->clash);
        start_moment(start, &r->contact);
        sc_motion_conclude(run, STLCLASH_CLASH, 0.0);
        return describe(run);
    }
    if (start->status == STLCLASH_CONTACT && start->has_separation) {
        r->has_contact = true;
        start_moment(start, &r->contact);
    }
    switch (run->motion->kind) {
    case STLCLASH_STRAIGHT: code = sc_motion_straight(run); break;
    case STLCLASH_SCREW: code = sc_motion_screw(run); break;
    case STLCLASH_VERTEX_PATHS: code = sc_motion_paths(run); break;
    case STLCLASH_INDEPENDENT: code = sc_motion_both(run); break;
    }
    r->has_approach &= !r->has_contact;
    if (run->given_up && r->status != STLCLASH_CLASH) {
        sc_motion_note(run, run->given_up);
        sc_motion_conclude(run, STLCLASH_UNDECIDED, 0.0);
    }
    return code;
}

static stlclash_code run_motion(sc_motion_run *run)
{
    stlclash_sweep_result *r = &run->result->public;
    r->steps++;
    stlclash_code code = sc_check(&run->part[0], &run->part[1], &run->options, &run->watch.start,
                                  &r->start, run->error);
    if (code != STLCLASH_OK) {
        return code;
    }
    const stlclash_result *start = r->start;
    run->tolerances = (sc_tolerances){.resolution = start->resolution,
                                      .touch_gap = start->touch_gap,
                                      .touch_overlap = start->touch_overlap,
                                      .clearance = run->options.clearance,
                                      .clearance_slack = start->clearance_slack,
                                      .contact_fails = run->options.contact_fails};
    if (start->status == STLCLASH_UNDECIDED) {
        sc_motion_note(run, "start_undecided");
        return describe(run);
    }
    return sc_motion_from_start(run);
}

stlclash_code sc_motion_sweep(const sc_part part[2], const stlclash_options *options,
                              const stlclash_motion *motion, const struct timespec *start,
                              stlclash_sweep_result **result, stlclash_error *error)
{
    sc_motion_run run = {.options = *options,
                         .motion = motion,
                         .part = {part[0], part[1]},
                         .watch = {*start, options->max_seconds, false},
                         .error = error};
    run.options.max_volume = run.options.max_depth = STLCLASH_NO_LIMIT;
    run.result = sc_calloc(1, sizeof *run.result);
    if (!run.result) {
        return sc_error_memory(error);
    }
    run.result->public.kind = motion->kind;
    run.result->public.notes = run.result->notes;
    stlclash_code code = run_motion(&run);
    if (code != STLCLASH_OK) {
        stlclash_sweep_result_free(&run.result->public);
        return code;
    }
    *result = &run.result->public;
    return STLCLASH_OK;
}

stlclash_code stlclash_sweep(const stlclash_mesh *a, const stlclash_mesh *b,
                             const stlclash_options *options, const stlclash_motion *motion,
                             stlclash_sweep_result **result, stlclash_error *error)
{
    SC_STANDARD_FLOATS;
    stlclash_options o = options ? *options : stlclash_options_default();
    const stlclash_mesh *meshes[2] = {a, b};
    struct timespec start;
    sc_part part[2];

    *result = NULL;
    clock_gettime(CLOCK_MONOTONIC, &start);
    stlclash_code code = sc_check_options(&o, error);
    code = code == STLCLASH_OK ? sc_part_place(a, o.placement[0], "A", &part[0], error) : code;
    code = code == STLCLASH_OK ? sc_part_place(b, o.placement[1], "B", &part[1], error) : code;
    code = code == STLCLASH_OK ? check_motion(motion, meshes, error) : code;
    return code == STLCLASH_OK ? sc_motion_sweep(part, &o, motion, &start, result, error) : code;
}

void stlclash_sweep_result_free(stlclash_sweep_result *result)
{
    if (result) {
        sc_motion_result *whole = (sc_motion_result *)result; /* its first member */
        stlclash_result_free(result->start);
        sc_free(whole->screws);
        sc_free(whole);
    }
}

const char *stlclash_motion_kind_text(stlclash_motion_kind kind)
{
    switch (kind) {
    case STLCLASH_STRAIGHT: return "straight";
    case STLCLASH_SCREW: return "screw";
    case STLCLASH_VERTEX_PATHS: return "vertex_paths";
    case STLCLASH_INDEPENDENT: return "independent";
    }
    return "unknown kind";
}
