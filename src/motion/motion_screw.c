/* motion_screw.c - from placement to placement along screws: by pairs of facets as long as nothing
 * meets, else by conservative advancement. */
#include "advance.h"
#include "base/alloc.h"
#include "base/error.h"
#include "check/check.h"
#include "course.h"
#include "motion_shifts.h"
#include "passage.h"
#include "screw_shallow.h"

typedef struct screwed {
    sc_motion_run *run;
    int moves; /* which part: 0 A, 1 B */
    sc_course course;
    size_t leg;
    double error; /* of a place on the leg */
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

static stlclash_code shallow_until(void *context, double *until)
{
    screwed *s = context;
    sc_part part[2];
    stlclash_code code = pose(s, 0.0, part);
    const sc_screw_leg leg = {part, s->moves, &s->course.screws[s->leg], s->error, s->crew};
    return code == STLCLASH_OK ? sc_screw_shallow(s->run, &leg, until) : code;
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
        fmin(sc_cylinder_radius(&part[0], &axis), sc_cylinder_radius(&part[1], &axis));
    s->error = 0x1p-46 * size + sc_course_error(&s->course, leg);
    *advance = (sc_advance){.run = run,
                            .speed = sc_screw_way(screw, radius) * (1.0 + 1e-12),
                            .error = s->error,
                            .tolerance = run->result->public.tolerance,
                            .near_by = sc_advance_near_by(run),
                            .from = (double)leg / (double)s->course.legs,
                            .to = (double)(leg + 1) / (double)s->course.legs,
                            .pose = pose,
                            .travelled = travelled,
                            .shallow_until = shallow_until,
                            .context = s};
    return STLCLASH_OK;
}

/* Pose by pose, from some time of the leg on. */
static stlclash_code advance_from(screwed *s, sc_advance *advance, double start,
                                  sc_advance_findings *f)
{
    bool found;
    stlclash_code code = sc_advance_meetings(advance, start, f);
    if (code == STLCLASH_OK && start > 0.0 && !f->settled && !s->run->result->public.has_contact) {
        code = sc_advance_meetings(advance, 0.0, f); /* by rounding it was not so near there */
    }
    if (code == STLCLASH_OK && !f->settled && !s->run->result->public.has_contact) {
        code = sc_advance_approach(advance, SC_ANY_POSES, f, &found);
    }
    return code;
}

/* Closer than poses tell it, since here that is cheap. */
static double enough(const void *context, double least)
{
    const sc_advance *advance = context;
    return sc_advance_enough(advance, least, 0.01, 0x1p-6 * advance->tolerance);
}

/* When facets are about to meet; or, where they come so near that they touch by the gap that is
 * allowed, when they have just reached it. That comes first where it is no less than what is not
 * told from contact anyway. */
static sc_passage_code find_touch(const screwed *s, const sc_advance *advance,
                                  const sc_passage *passage, double *touch)
{
    const double near = 0x1p-6 * advance->near_by, gap = s->run->tolerances.touch_gap;
    const double below = fmax(0x1p-20 * gap, 8.0 * passage->glide.margin);
    sc_passage_code found = SC_PASSAGE_OK;
    *touch = INFINITY;
    if (gap <= advance->near_by) {
        found = sc_passage_meets(passage, 0.0, near, touch);
    }
    if (found == SC_PASSAGE_OK && *touch > 1.0 && gap > below) {
        found = sc_passage_meets(passage, gap - below, below, touch);
    }
    return found;
}

/* Where nothing touches: poses, if a few of them tell how near the parts come; else the one in
 * which they are nearest, of all others it being known that they are not much nearer. */
static sc_passage_code look_at_nearest(const sc_advance *advance, const sc_passage *passage,
                                       sc_advance_findings *f, stlclash_code *code)
{
    enum { FEW_LENGTHS = 4, FEW_POSES = 64 };
    sc_advance apart = *advance;
    bool few = false;
    apart.near_by = 0.0; /* that nothing meets is known */
    *code = sc_advance_ends(&apart, f);
    if (*code == STLCLASH_OK && !f->settled && advance->speed <= FEW_LENGTHS * f->least) {
        *code = sc_advance_approach(&apart, FEW_POSES, f, &few);
    }
    if (*code != STLCLASH_OK || f->settled || few) {
        return SC_PASSAGE_OK;
    }
    sc_passage_least least = {.least = f->least, .time = INFINITY};
    const sc_passage_code found = sc_passage_find_least(passage, enough, advance, &least);
    if (found == SC_PASSAGE_OK) {
        *code = least.time <= 1.0 ? sc_advance_look(&apart, least.time, f) : STLCLASH_OK;
        f->certain = fmin(f->certain, fmin(f->least, fmax(least.certain, 0.0)));
    }
    return found;
}

/* Whether pairs of facets tell of the leg what poses would take long for: both parts must be
 * closed, so that the status stays as it is while no surfaces meet, and near each other beside how
 * far they move. `apart`: infinite if it is not known. */
static stlclash_code may_pass_by(const screwed *s, const sc_part part[2], const sc_advance *advance,
                                 double apart, bool *may)
{
    bool open[2];
    stlclash_code code = STLCLASH_OK;
    *may = !s->run->result->public.has_contact && apart > s->run->tolerances.touch_gap &&
           (advance->speed > apart || isinf(apart));
    if (*may) {
        code = sc_motion_find_open(s->run, part, open);
        *may = code == STLCLASH_OK && !open[0] && !open[1];
    }
    return code;
}

/* The leg by pairs of facets. *start: from when on there must be poses, since facets are about to
 * touch; infinite: nothing does, and all is found. */
static stlclash_code pass_by(const screwed *s, const sc_part part[2], const sc_advance *advance,
                             sc_advance_findings *f, double *start)
{
    sc_motion_run *run = s->run;
    const stlclash_result *at_start = run->result->public.start;
    const double apart = s->leg > 0                 ? f->least
                         : at_start->has_separation ? at_start->separation.distance
                                                    : INFINITY;
    bool may;
    *start = 0.0;
    stlclash_code code = may_pass_by(s, part, advance, apart, &may);
    if (code != STLCLASH_OK || !may) {
        return code;
    }
    sc_passage passage;
    double touch = INFINITY;
    sc_passage_code found = sc_passage_make((sc_passing){&part[1 - s->moves], NULL},
                                            (sc_passing){&part[s->moves], NULL},
                                            &s->course.screws[s->leg], apart, s->error, &passage);
    passage.crew = s->crew;
    passage.watch = &run->watch;
    passage.poll = sc_motion_poll(run);
    if (found == SC_PASSAGE_OK) {
        found = find_touch(s, advance, &passage, &touch);
    }
    if (found == SC_PASSAGE_OK && touch > 1.0) {
        found = look_at_nearest(advance, &passage, f, &code);
    }
    sc_passage_free(&passage);
    f->settled |= found == SC_PASSAGE_STOPPED;
    *start = found == SC_PASSAGE_UNKNOWN ? 0.0 : touch;
    return found == SC_PASSAGE_MEMORY ? sc_error_memory(run->error) : code;
}

static stlclash_code go(screwed *s)
{
    sc_advance_findings findings = {.least = INFINITY, .certain = INFINITY};
    const sc_part *part = s->run->part;
    stlclash_code code = STLCLASH_OK;
    s->crew = sc_crew_new(
        sc_check_threads(sc_threads(s->run->options.threads), sc_parts_facets(&part[0], &part[1])));
    for (size_t i = 0; i < s->course.legs && code == STLCLASH_OK && !findings.settled; i++) {
        sc_part at_start[2];
        sc_advance advance;
        double start = 0.0;
        code = start_leg(s, i, at_start, &advance);
        code = code == STLCLASH_OK ? pass_by(s, at_start, &advance, &findings, &start) : code;
        if (code == STLCLASH_OK && !findings.settled && start <= 1.0) {
            code = advance_from(s, &advance, start, &findings);
        }
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
