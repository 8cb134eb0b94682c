/* motion_both.c - both parts move, each by itself: between the times at which either begins a leg
 * of its own. */
#include "check/check.h"
#include "leg.h"
#include "nearing.h"

typedef struct both {
    sc_motion_run *run;
    sc_course course[2];
    size_t leg[2];             /* of A and B */
    double begins[2], ends[2]; /* the times of those that are 0 and 1 here */
    sc_nearing nearing;
    sc_crew *crew;
} both;

/* A time of the leg of a part: exactly that at which it begins or ends there. */
static double time_of(const both *m, int part, double t)
{
    const double begins = m->begins[part], ends = m->ends[part];
    return t <= 0.0 ? begins : t >= 1.0 ? ends : begins + t * (ends - begins);
}

static stlclash_code pose(void *context, double t, sc_part part[2])
{
    both *m = context;
    stlclash_code code = STLCLASH_OK;
    for (int i = 0; i < 2 && code == STLCLASH_OK; i++) {
        code = sc_course_part(&m->course[i], m->leg[i], time_of(m, i, t), &part[i], m->run->error);
    }
    return code;
}

/* The longer one of what both points have come in space: as seen from each other they take no
 * simple way. */
static double travelled(void *context, double t, const stlclash_separation *at)
{
    const both *m = context;
    return sc_fmax(
        sc_course_way(&m->course[0], m->leg[0], time_of(m, 0, t), at->triangle_a, at->point_a),
        sc_course_way(&m->course[1], m->leg[1], time_of(m, 1, t), at->triangle_b, at->point_b));
}

static void as_given(void *context, double t, stlclash_separation *at)
{
    const both *m = context;
    if (!m->course[0].screws) {
        sc_deformed_as_given(&m->course[0].deformed, time_of(m, 0, t), at->point_a, &at->triangle_a,
                             &at->feature_a);
    }
    if (!m->course[1].screws) {
        sc_deformed_as_given(&m->course[1].deformed, time_of(m, 1, t), at->point_b, &at->triangle_b,
                             &at->feature_b);
    }
}

static double speed_within(void *context, double distance)
{
    both *m = context;
    return sc_nearing_speed(&m->nearing, distance);
}

/* What poses of A and B may be off together. */
static double error_of(const both *m)
{
    double size = 0.0, error = 0.0;
    for (int i = 0; i < 2; i++) {
        size += sc_box_reach(&m->course[i].start->mesh->blocks.bounds) +
                sc_box_reach(&m->nearing.swept[i].box);
        error += sc_course_error(&m->course[i], m->leg[i]);
    }
    return error + 0x1p-46 * size;
}

/* Both on screws. */
static stlclash_code go_along_screws(both *m, sc_advance *advance, sc_advance_findings *findings)
{
    sc_part part[2];
    stlclash_code code = pose(m, 0.0, part);
    sc_leg leg = {.error = advance->error, .crew = m->crew};
    for (int i = 0; i < 2; i++) {
        leg.passing[i] = (sc_passing){.part = &part[i],
                                      .screw = &m->course[i].screws[m->leg[i]],
                                      .share = m->ends[i] - m->begins[i]};
    }
    return code == STLCLASH_OK ? sc_leg_go(&leg, advance, findings) : code;
}

/* Between two times of the motion at which either part begins a leg, and none does in between. */
static stlclash_code go_on(both *m, double from, double to, sc_advance_findings *findings)
{
    sc_motion_run *run = m->run;
    stlclash_code code = STLCLASH_OK;
    m->nearing.known = 0;
    for (int i = 0; i < 2 && code == STLCLASH_OK; i++) {
        code = sc_swept_make(&m->course[i], m->leg[i], m->begins[i], m->ends[i],
                             &m->nearing.swept[i], run->error);
    }
    if (code != STLCLASH_OK) {
        return code;
    }
    sc_advance advance = {.run = run,
                          .speed_within = speed_within,
                          .error = error_of(m),
                          .tolerance = run->result->public.tolerance,
                          .near_by = sc_advance_near_by(run),
                          .from = from,
                          .to = to,
                          .pose = pose,
                          .travelled = travelled,
                          .as_given = as_given,
                          .context = m};
    return m->course[0].screws && m->course[1].screws ? go_along_screws(m, &advance, findings)
                                                      : sc_advance_go(&advance, 0.0, findings);
}

static stlclash_code go(both *m)
{
    sc_advance_findings findings = {.least = INFINITY, .certain = INFINITY};
    const size_t legs[2] = {m->course[0].legs, m->course[1].legs};
    stlclash_code code = STLCLASH_OK;
    double from = 0.0;
    while (m->leg[0] < legs[0] && m->leg[1] < legs[1] && code == STLCLASH_OK && !findings.settled) {
        const size_t next[2] = {(m->leg[0] + 1) * legs[1], (m->leg[1] + 1) * legs[0]};
        const size_t first = next[0] < next[1] ? next[0] : next[1];
        const double to = (double)first / (double)(legs[0] * legs[1]);
        for (int i = 0; i < 2; i++) {
            m->ends[i] = next[i] == first ? 1.0 : to * (double)legs[i] - (double)m->leg[i];
        }
        code = go_on(m, from, to, &findings);
        for (int i = 0; i < 2; i++) {
            m->begins[i] = next[i] == first ? 0.0 : m->ends[i];
            m->leg[i] += next[i] == first;
        }
        from = to;
    }
    if (code == STLCLASH_OK && !findings.settled) {
        sc_advance_conclude(m->run, &findings);
    }
    sc_advance_free(&findings);
    return code;
}

stlclash_code sc_motion_both(sc_motion_run *run)
{
    both m = {.run = run};
    stlclash_code code = STLCLASH_OK;
    run->result->public.tolerance = sc_advance_tolerance(run);
    for (int i = 0; i < 2 && code == STLCLASH_OK; i++) {
        code = sc_course_make(&run->part[i], run->options.placement[i], run->motion->each[i],
                              i == 0 ? "A" : "B", &m.course[i], run->error);
    }
    if (code == STLCLASH_OK) {
        m.crew = sc_check_crew(run->options.threads, run->part);
        code = go(&m);
        sc_crew_free(m.crew);
    }
    sc_course_free(&m.course[0]);
    sc_course_free(&m.course[1]);
    return code;
}
