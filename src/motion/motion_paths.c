/* motion_paths.c - each vertex moves straight to its place in another mesh.
 *
 * Whether and when the parts first come within the tolerance of each other the paths of
 * vertices and edges tell (paths.h). From then on poses are looked at for overlaps; where
 * there is no such time, for the least distance. A pose is a mesh of its own (deformed.h). */
#include "advance.h"
#include "check/result.h"
#include "deformed.h"
#include "paths.h"

typedef struct moving {
    sc_motion_run *run;
    int moves; /* which part: 0 A, 1 B */
    sc_paths paths;
    sc_deformed deformed;
} moving;

static stlclash_code pose(void *context, double t, sc_part part[2])
{
    moving *m = context;
    part[0] = m->run->part[0];
    part[1] = m->run->part[1];
    return sc_deformed_at(&m->deformed, t, &part[m->moves], m->run->error);
}

static double travelled(void *context, double t, const stlclash_separation *at)
{
    const moving *m = context;
    return m->moves == 0 ? sc_deformed_way(&m->deformed, t, at->triangle_a, at->point_a)
                         : sc_deformed_way(&m->deformed, t, at->triangle_b, at->point_b);
}

static void as_given(void *context, double t, stlclash_separation *at)
{
    const moving *m = context;
    if (m->moves == 0) {
        sc_deformed_as_given(&m->deformed, t, at->point_a, &at->triangle_a, &at->feature_a);
    } else {
        sc_deformed_as_given(&m->deformed, t, at->point_b, &at->triangle_b, &at->feature_b);
    }
}

static void fill_contact(moving *m)
{
    stlclash_sweep_result *r = &m->run->result->public;
    const sc_path_meeting *first = &m->paths.first;
    const sc_closest closest = {.on_a = first->on_a,
                                .on_b = first->on_b,
                                .feature_a = first->feature_a,
                                .feature_b = first->feature_b};
    const stlclash_separation s = sc_separation_of(&closest, m->paths.triangle, m->moves == 0,
                                                   sc_length(sc_sub(first->on_a, first->on_b)));
    r->has_contact = true;
    r->contact = (stlclash_moment){.time = first->time, .separation = s, .conservative = true};
    r->contact.travelled = travelled(m, first->time, &s);
}

static stlclash_code go(moving *m)
{
    sc_motion_run *run = m->run;
    stlclash_sweep_result *r = &run->result->public;
    stlclash_code code = sc_deformed_make(&m->deformed, run->error);
    if (code != STLCLASH_OK) {
        return code;
    }
    sc_advance advance = {.run = run,
                          .speed = m->deformed.farthest * (1.0 + 1e-12),
                          .error = m->deformed.error + m->deformed.seams.stray,
                          .tolerance = r->tolerance,
                          .near_by = sc_advance_near_by(run),
                          .from = 0.0,
                          .to = 1.0,
                          .pose = pose,
                          .travelled = travelled,
                          .as_given = as_given,
                          .context = m};
    sc_advance_findings findings = {
        .least = INFINITY, .certain = INFINITY, .apart = !r->has_contact};
    double start = r->has_contact ? 0.0 : m->paths.first.time;
    if (m->paths.first.found && !r->has_contact) {
        fill_contact(m);
    }
    code = r->has_contact ? sc_advance_meetings(&advance, start, &findings)
                          : sc_advance_ends(&advance, &findings);
    if (code == STLCLASH_OK && !findings.settled && !r->has_contact) {
        bool found;
        code = sc_advance_approach(&advance, SC_ANY_POSES, &findings, &found);
    }
    if (code == STLCLASH_OK && !findings.settled) {
        sc_advance_conclude(run, &findings);
    }
    sc_advance_free(&findings);
    return code;
}

stlclash_code sc_motion_paths(sc_motion_run *run)
{
    const int moves = run->motion->moves == STLCLASH_B;
    const double *placement = run->options.placement[moves];
    sc_part end;
    run->result->public.tolerance = sc_advance_tolerance(run);
    moving m = {.run = run,
                .moves = moves,
                .paths = {.rests = &run->part[1 - moves],
                          .moves = &run->part[moves],
                          .end = run->motion->end,
                          .tolerance = run->result->public.tolerance,
                          .poll = sc_motion_poll(run)},
                .deformed = {.start = &run->part[moves],
                             .end = run->motion->end,
                             .placement = placement,
                             .whose = moves == 0 ? "A" : "B"}};
    stlclash_code code =
        sc_part_place(run->motion->end, placement, "the end of the motion", &end, run->error);
    code = code == STLCLASH_OK ? sc_paths_meet(&m.paths, run->error) : code;
    if (code == STLCLASH_OK && !m.paths.stopped) {
        code = go(&m);
    }
    sc_deformed_free(&m.deformed);
    return code;
}
