/* motion_shifts.c - see motion_shifts.h. Each leg is a straight motion, decided exactly, from where
 * the one before it ended. */
#include "motion_shifts.h"

#include "base/alloc.h"
#include "base/error.h"

typedef struct chain {
    sc_motion_run *run;
    int moves;
    const sc_screw *legs; /* [count] */
    size_t count, leg;
    double travelled; /* before that leg */
    double certain;   /* no distance so far is smaller */
} chain;

/* ---- what is found on one leg, as part of the whole -------------------------- */

static stlclash_moment in_chain(const chain *c, stlclash_moment moment)
{
    moment.time = ((double)c->leg + moment.time) / (double)c->count;
    moment.travelled += c->travelled;
    return moment;
}

static stlclash_status worse_of(stlclash_status a, stlclash_status b)
{
    static const int how_bad[] = {[STLCLASH_CLASH] = 4,
                                  [STLCLASH_UNDECIDED] = 3,
                                  [STLCLASH_CONTACT] = 2,
                                  [STLCLASH_NEAR] = 1,
                                  [STLCLASH_CLEAR] = 0};
    return how_bad[a] > how_bad[b] ? a : b;
}

static void take_approach(chain *c, const stlclash_sweep_result *leg)
{
    stlclash_sweep_result *r = &c->run->result->public;
    double distance = leg->approach.separation.distance;

    if (!r->has_approach || distance < r->approach.separation.distance) {
        r->has_approach = true;
        r->approach = in_chain(c, leg->approach);
    }
    c->certain = sc_fmin(c->certain, distance - leg->approach_error);
    r->approach_error = r->approach.separation.distance - c->certain;
}

static void take(chain *c, const stlclash_sweep_result *leg)
{
    stlclash_sweep_result *r = &c->run->result->public;

    r->steps += leg->steps;
    r->status = worse_of(leg->status, r->status);
    r->pass = r->pass && leg->pass;
    for (size_t i = 0; i < leg->note_count; i++) {
        sc_motion_note(c->run, leg->notes[i]);
    }
    if (leg->has_contact && !r->has_contact) {
        r->has_contact = true;
        r->contact = in_chain(c, leg->contact);
    }
    if (leg->has_clash) {
        r->has_clash = true;
        r->clash = in_chain(c, leg->clash);
    }
    if (leg->has_approach) {
        take_approach(c, leg);
    }
}

/* ---- one leg ------------------------------------------------------------------ */

/* What touches the other part at a placement may leave it on the other side: what is closed passes
 * through its inside then, and what is not may have none. */
static stlclash_code look_for_passage(chain *c, const sc_motion_run *leg)
{
    const stlclash_result *start = leg->result->public.start;
    bool moves = c->travelled > 0.0 && c->legs[c->leg].screw.shift > 0.0, open[2];
    bool touches =
        start->status == STLCLASH_CONTACT ||
        (start->has_separation && start->separation.distance <= c->run->tolerances.resolution);

    if (!moves || !touches) {
        return STLCLASH_OK;
    }
    stlclash_code code = sc_motion_find_open(leg, leg->part, open);
    if (code == STLCLASH_OK && (open[0] || open[1])) {
        stlclash_sweep_result *r = &c->run->result->public;
        sc_motion_note(c->run, "passage_unknown");
        r->status = worse_of(STLCLASH_UNDECIDED, r->status);
        r->pass = false;
    }
    return code;
}

/* As the parts stand at its start: that of the first leg is known. */
static stlclash_code start_leg(chain *c, sc_motion_run *leg)
{
    stlclash_sweep_result *r = &leg->result->public;
    double placement[16];

    if (c->leg == 0) {
        r->start = c->run->result->public.start;
        return STLCLASH_OK;
    }
    sc_screw_at(&c->legs[c->leg], 0.0, placement);
    stlclash_code code = sc_part_place(leg->part[c->moves].mesh, placement,
                                       c->moves == 0 ? "A" : "B", &leg->part[c->moves], leg->error);
    code = code == STLCLASH_OK ? sc_motion_pose(leg, leg->part, &r->start) : code;
    return code == STLCLASH_OK ? look_for_passage(c, leg) : code;
}

static stlclash_code go_along(chain *c, sc_motion_run *leg)
{
    const sc_screw *shift = &c->legs[c->leg];
    stlclash_motion straight = {.kind = STLCLASH_STRAIGHT};

    for (int k = 0; k < 3; k++) {
        straight.way[c->moves][k] = shift->to[k][3] - shift->from[k][3];
    }
    leg->motion = &straight;
    stlclash_code code = start_leg(c, leg);
    if (code == STLCLASH_OK && leg->result->public.start->status == STLCLASH_UNDECIDED) {
        sc_motion_note(leg, "pose_undecided");
    } else if (code == STLCLASH_OK) {
        code = sc_motion_from_start(leg);
    }
    if (code == STLCLASH_OK) {
        take(c, &leg->result->public);
        c->travelled += shift->screw.shift;
    }
    return code;
}

static stlclash_code look_at_leg(chain *c)
{
    sc_motion_run leg = *c->run;
    leg.result = sc_calloc(1, sizeof *leg.result);
    if (!leg.result) {
        return sc_error_memory(c->run->error);
    }
    leg.result->public.notes = leg.result->notes;
    stlclash_code code = go_along(c, &leg);
    c->run->watch = leg.watch;
    c->run->given_up = leg.given_up;
    if (c->leg == 0) {
        leg.result->public.start = NULL; /* the whole motion's */
    }
    stlclash_sweep_result_free(&leg.result->public);
    return code;
}

/* ---- all of them ---------------------------------------------------------------- */

stlclash_code sc_motion_shifts(sc_motion_run *run, int moves, const sc_screw *legs, size_t count)
{
    stlclash_sweep_result *r = &run->result->public;
    chain c = {.run = run, .moves = moves, .legs = legs, .count = count, .certain = INFINITY};
    stlclash_code code = STLCLASH_OK;

    r->status = STLCLASH_CLEAR;
    r->pass = true;
    for (; c.leg < count && code == STLCLASH_OK && r->status != STLCLASH_CLASH && !run->given_up;
         c.leg++) {
        code = look_at_leg(&c);
    }
    return code;
}
