/* motion_screw.c - one part goes from placement to placement along screws. */
#include "base/alloc.h"
#include "base/error.h"
#include "check/check.h"
#include "course.h"
#include "leg.h"
#include "motion_shifts.h"

typedef struct screwed {
    sc_motion_run *run;
    int moves; /* which part: 0 A, 1 B */
    sc_course course;
    size_t leg;
    sc_crew *crew;
} screwed;

static stlclash_code pose(void *context, double t, sc_part part[2])
{
    screwed *s = context;
    part[0] = s->run->part[0];
    part[1] = s->run->part[1];
    return sc_course_part(&s->course, s->leg, t, &part[s->moves], s->run->error);
}

/* Of the point of the part that moves, or the one it meets: where they are. */
static double travelled(void *context, double t, const stlclash_separation *at)
{
    const screwed *s = context;
    return s->moves == 0 ? sc_course_way(&s->course, s->leg, t, at->triangle_a, at->point_a)
                         : sc_course_way(&s->course, s->leg, t, at->triangle_b, at->point_b);
}

/* Equal attitudes: straight motions, which are decided exactly. */
static bool is_straight(const screwed *s)
{
    const sc_motion_run *run = s->run;
    for (size_t i = 0; i < s->course.legs; i++) {
        if (!sc_same_attitude(run->options.placement[s->moves], run->motion->placements[i])) {
            return false;
        }
    }
    return true;
}

static stlclash_code make_legs(screwed *s)
{
    sc_motion_run *run = s->run;
    stlclash_sweep_result *r = &run->result->public;
    stlclash_code code =
        sc_course_make(&run->part[s->moves], run->options.placement[s->moves], run->motion,
                       s->moves == 0 ? "A" : "B", &s->course, run->error);
    if (code != STLCLASH_OK) {
        return code;
    }
    run->result->screws = sc_alloc(s->course.legs, sizeof *run->result->screws);
    if (!run->result->screws) {
        return sc_error_memory(run->error);
    }
    for (size_t i = 0; i < s->course.legs; i++) {
        run->result->screws[i] = s->course.screws[i].screw;
    }
    r->screws = run->result->screws;
    r->screw_count = s->course.legs;
    return STLCLASH_OK;
}

/* `part`: the parts as they stand at the beginning of the leg. */
static stlclash_code start_leg(screwed *s, size_t leg, sc_part part[2], sc_advance *advance)
{
    sc_motion_run *run = s->run;
    const sc_screw *screw = &s->course.screws[leg];
    const sc_axis axis = sc_axis_of(screw);
    double size = sc_box_reach(&run->part[s->moves].mesh->blocks.bounds) +
                  sc_box_reach(&run->part[1 - s->moves].bounds);
    s->leg = leg;
    stlclash_code code = pose(s, 0.0, part);
    if (code != STLCLASH_OK) {
        return code;
    }
    for (int i = 0; i < 3; i++) {
        size += fabs(screw->from[i][3]) + fabs(screw->to[i][3]);
    }
    /* Seen from the part that moves it is the other one that does: what lies nearer to the axis
     * bounds how fast they come near each other. */
    const double radius =
        sc_fmin(sc_cylinder_radius(&part[0], &axis), sc_cylinder_radius(&part[1], &axis));
    *advance = (sc_advance){.run = run,
                            .speed = sc_screw_way(screw, radius) * (1.0 + 1e-12),
                            .error = 0x1p-46 * size + sc_course_error(&s->course, leg),
                            .tolerance = run->result->public.tolerance,
                            .near_by = sc_advance_near_by(run),
                            .from = (double)leg / (double)s->course.legs,
                            .to = (double)(leg + 1) / (double)s->course.legs,
                            .pose = pose,
                            .travelled = travelled,
                            .context = s};
    return STLCLASH_OK;
}

static stlclash_code go_on(screwed *s, size_t leg, sc_advance_findings *findings)
{
    sc_part part[2];
    sc_advance advance = {.run = s->run};
    stlclash_code code = start_leg(s, leg, part, &advance);
    sc_leg passed = {
        .passing = {{.part = &part[0]}, {.part = &part[1]}},
        .error = advance.error,
        .crew = s->crew,
    };
    passed.passing[s->moves].screw = &s->course.screws[leg];
    passed.passing[s->moves].share = 1.0;
    return code == STLCLASH_OK ? sc_leg_go(&passed, &advance, findings) : code;
}

static stlclash_code go(screwed *s)
{
    sc_advance_findings findings = {.least = INFINITY, .certain = INFINITY};
    stlclash_code code = STLCLASH_OK;
    s->crew = sc_check_crew(s->run->options.threads, s->run->part);
    for (size_t i = 0; i < s->course.legs && code == STLCLASH_OK && !findings.settled; i++) {
        code = go_on(s, i, &findings);
    }
    if (code == STLCLASH_OK && !findings.settled) {
        sc_advance_conclude(s->run, &findings);
    }
    sc_advance_free(&findings);
    sc_crew_free(s->crew);
    return code;
}

/* The legs, and how near counts as contact unless that is decided exactly. */
static stlclash_code describe(screwed *s)
{
    stlclash_code code = make_legs(s);
    if (code == STLCLASH_OK && !is_straight(s)) {
        s->run->result->public.tolerance = sc_advance_tolerance(s->run);
    }
    return code;
}

stlclash_code sc_motion_screw_describe(sc_motion_run *run)
{
    screwed s = {.run = run, .moves = run->motion->moves == STLCLASH_B};
    stlclash_code code = describe(&s);
    sc_course_free(&s.course);
    return code;
}

stlclash_code sc_motion_screw(sc_motion_run *run)
{
    screwed s = {.run = run, .moves = run->motion->moves == STLCLASH_B};
    stlclash_code code = describe(&s);
    if (code == STLCLASH_OK && is_straight(&s)) {
        code = sc_motion_shifts(run, s.moves, s.course.screws, s.course.legs);
    } else if (code == STLCLASH_OK) {
        code = go(&s);
    }
    sc_course_free(&s.course);
    return code;
}
