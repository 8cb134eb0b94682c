/* leg.c - see leg.h. */
#include "leg.h"

#include "base/error.h"
#include "shallow.h"

/* ---- by pairs of facets ------------------------------------------------------------ */

sc_passage_code sc_leg_passage(sc_motion_run *run, const sc_leg *leg, const sc_passing *passing,
                               double within, sc_passage *passage)
{
    const sc_passage_code code = sc_passage_make(passing, within, leg->error, passage);
    passage->crew = leg->crew;
    passage->watch = &run->watch;
    passage->poll = sc_motion_poll(run);
    return code;
}

/* Closer than poses tell it, since here that is cheap. */
static double enough(const void *context, double least)
{
    const sc_advance *advance = context;
    return sc_advance_enough(advance, least, 0.01, 0x1p-6 * advance->tolerance);
}

/* How near facets are that are about to meet. */
static double about_to_meet(const sc_advance *advance)
{
    return 0x1p-6 * advance->near_by;
}

/* When they are; or, where they come so near that they touch by the gap that is allowed, when they
 * have just reached it. That comes first where it is no less than what is not told from contact
 * anyway. */
static sc_passage_code find_touch(const sc_advance *advance, const sc_passage *passage,
                                  double *touch)
{
    const double gap = advance->run->tolerances.touch_gap;
    const double below = sc_fmax(0x1p-20 * gap, 8.0 * passage->glide.margin);
    sc_passage_code found = SC_PASSAGE_OK;
    *touch = INFINITY;
    if (gap <= advance->near_by) {
        found = sc_passage_meets(passage, 0.0, about_to_meet(advance), touch);
    }
    if (found == SC_PASSAGE_OK && *touch > 1.0 && gap > below) {
        found = sc_passage_meets(passage, gap - below, below, touch);
    }
    return found;
}

/* Whether it takes only a few poses to tell how near parts come that move so little. */
static bool takes_few_poses(const sc_advance *advance, double apart)
{
    enum { FEW_LENGTHS = 4 };
    return sc_advance_speed(advance, apart) <= FEW_LENGTHS * apart;
}

/* What is known to touch nowhere: poses, if a few of them tell how near it comes. */
static stlclash_code look_at_few(sc_advance *apart, sc_advance_findings *f, bool *few)
{
    enum { FEW_POSES = 64 };
    *few = false;
    stlclash_code code = sc_advance_ends(apart, f);
    if (code == STLCLASH_OK && !f->settled && takes_few_poses(apart, f->least)) {
        code = sc_advance_approach(apart, FEW_POSES, f, few);
    }
    return code;
}

/* Once both ends were looked at, the pose in which the parts are nearest; of all others it is known
 * that they are not much nearer. */
static stlclash_code look_at_nearest(sc_advance *apart, const sc_passage_least *least,
                                     sc_advance_findings *f)
{
    const stlclash_code code =
        least->time <= 1.0 ? sc_advance_look(apart, least->time, f) : STLCLASH_OK;
    f->certain = sc_fmin(f->certain, sc_fmin(f->least, sc_fmax(least->certain, 0.0)));
    return code;
}

/* How far the parts are apart when the leg begins, or came to be before; infinite if that is not
 * known. */
static double apart_before(const sc_advance *advance, const sc_advance_findings *f)
{
    const stlclash_result *start = advance->run->result->public.start;
    return advance->from > 0.0     ? f->least
           : start->has_separation ? start->separation.distance
                                   : INFINITY;
}

/* The leg by pairs of facets. */
typedef struct passing_by {
    double before;    /* how far they are apart then */
    sc_advance apart; /* as that of the leg, of what does not meet */
    const sc_advance *advance;
    sc_passage passage;
    sc_advance_findings *findings;
    double touch; /* when; infinite: nothing does, and all is found */
    stlclash_code code;
} passing_by;

/* How near they come, before it is asked whether they touch: mostly they do not, and then
 * *apart is true. */
static sc_passage_code find_least_first(passing_by *p, bool *apart)
{
    sc_advance_findings *f = p->findings;
    const double touch_gap = p->advance->run->tolerances.touch_gap;
    const double floor = sc_fmax(about_to_meet(p->advance), touch_gap);
    sc_passage_least least = {.least = p->before,
                              .time = INFINITY,
                              .floor = floor * (1.0 + 0x1p-20) + 8.0 * p->passage.glide.margin};
    const sc_passage_code found = sc_passage_find_least(&p->passage, enough, p->advance, &least);
    *apart = found == SC_PASSAGE_OK && least.certain >= least.floor;
    if (*apart) {
        p->code = sc_advance_ends(&p->apart, f);
    }
    if (*apart && p->code == STLCLASH_OK && !f->settled) {
        p->code = look_at_nearest(&p->apart, &least, f);
    }
    return found;
}

/* The time of contact first, and if there is none how near they come. */
static sc_passage_code find_touch_first(passing_by *p)
{
    sc_advance_findings *f = p->findings;
    bool few;
    sc_passage_code found = find_touch(p->advance, &p->passage, &p->touch);
    if (found != SC_PASSAGE_OK || p->touch <= 1.0) {
        return found;
    }
    p->code = look_at_few(&p->apart, f, &few);
    if (p->code != STLCLASH_OK || f->settled || few) {
        return SC_PASSAGE_OK;
    }
    sc_passage_least least = {.least = f->least, .time = INFINITY};
    found = sc_passage_find_least(&p->passage, enough, p->advance, &least);
    p->code = found == SC_PASSAGE_OK ? look_at_nearest(&p->apart, &least, f) : STLCLASH_OK;
    return found;
}

static sc_passage_code find_all(passing_by *p)
{
    bool apart = false;
    sc_passage_code found = SC_PASSAGE_OK;
    if (isfinite(p->before) && !takes_few_poses(p->advance, p->before)) {
        found = find_least_first(p, &apart);
    }
    return apart || found == SC_PASSAGE_STOPPED || found == SC_PASSAGE_MEMORY ? found
                                                                              : find_touch_first(p);
}

/* Whether pairs of facets tell of the leg what poses would take long for: both parts must be
 * closed, so that the status stays as it is while no surfaces meet, and near each other beside how
 * far they move. */
static stlclash_code may_pass_by(const sc_leg *leg, const sc_advance *advance, double before,
                                 bool *may)
{
    const sc_motion_run *run = advance->run;
    const sc_part part[2] = {*leg->passing[0].part, *leg->passing[1].part};
    bool open[2];
    stlclash_code code = STLCLASH_OK;
    *may = !run->result->public.has_contact && before > run->tolerances.touch_gap &&
           (isinf(before) || sc_advance_speed(advance, before) > before);
    if (*may) {
        code = sc_motion_find_open(run, part, open);
        *may = code == STLCLASH_OK && !open[0] && !open[1];
    }
    return code;
}

/* *start: from when on there must be poses, since facets are about to touch; infinite: nothing
 * does, and all is found. */
static stlclash_code pass_by(const sc_leg *leg, const sc_advance *advance, sc_advance_findings *f,
                             double *start)
{
    sc_motion_run *run = advance->run;
    const double before = apart_before(advance, f);
    bool may;
    *start = 0.0;
    stlclash_code code = may_pass_by(leg, advance, before, &may);
    if (code != STLCLASH_OK || !may) {
        return code;
    }
    passing_by p = {.before = before,
                    .apart = *advance,
                    .advance = advance,
                    .findings = f,
                    .touch = INFINITY,
                    .code = STLCLASH_OK};
    p.apart.near_by = 0.0; /* that nothing meets is known */
    sc_passage_code found = sc_leg_passage(run, leg, leg->passing, before, &p.passage);
    if (found == SC_PASSAGE_OK) {
        found = find_all(&p);
    }
    sc_passage_free(&p.passage);
    f->settled |= found == SC_PASSAGE_STOPPED;
    *start = found == SC_PASSAGE_UNKNOWN ? 0.0 : p.touch;
    return found == SC_PASSAGE_MEMORY ? sc_error_memory(run->error) : p.code;
}

/* ---- pose by pose ------------------------------------------------------------------- */

static stlclash_code shallow_until(const sc_advance *advance, double *until)
{
    return sc_shallow_until(advance->run, advance->leg, until);
}

stlclash_code sc_leg_go(const sc_leg *leg, sc_advance *advance, sc_advance_findings *findings)
{
    double start;
    advance->leg = leg;
    advance->shallow_until = shallow_until;
    stlclash_code code = pass_by(leg, advance, findings, &start);
    if (code == STLCLASH_OK && !findings->settled && start <= 1.0) {
        code = sc_advance_go(advance, start, findings);
    }
    return code;
}
