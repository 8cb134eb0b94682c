/* judge.c - see judge.h.
 *
 * A proper crossing that lies deep is proven by one point, without asking whether the
 * parts are closed; parts that are plainly apart, and a point that plainly lies inside,
 * without a look at their shells. All else needs closed parts: where nothing crosses, the
 * volume of the overlap is 0 or not, exactly; where it is not, or something crosses, the
 * depth decides against the touch overlap. Open parts have no inside: their surfaces alone
 * are judged, and where one could hold the other nothing is; or nothing at all, if only closed ones
 * are to be. */
#include "judge.h"

#include "base/alloc.h"
#include "base/error.h"
#include "depth/depth_crossing.h"
#include "judge_depth.h"
#include "judge_held.h"
#include "judge_limit.h"
#include "judge_search.h"
#include "judging.h"
#include "solids/edge_crossing.h"

typedef sc_judging state;

/* Of two parts with fewer facets the shells are known as soon as anything of them. */
static bool are_small(const state *s)
{
    enum { FEW_FACETS = 8000 };
    return sc_parts_facets(s->q->part[0], s->q->part[1]) < FEW_FACETS;
}

/* Whether nothing can lie deeper than the touch overlap, as a shift shows after which the parts'
 * boxes are apart. */
static bool boxes_part_soon(const state *s)
{
    return sc_parts_way_apart(s->q->part[0], s->q->part[1]) <= s->q->tolerances->touch_overlap;
}

/* Whether surfaces of which no facets cross properly pass through each other all the same. */
static stlclash_code judge_along_edges(state *s)
{
    sc_solid *const solid[2] = {&s->solid[0], &s->solid[1]};
    const bool good = sc_crosses_along_edges(solid, s->q->hits, s->q->hit_count, &s->j->deep);
    stlclash_code code = sc_judging_end(s, good);
    if (code == STLCLASH_OK && s->j->deep == SC_DEEP_UNKNOWN) {
        sc_judging_note(s, "depth_undecided");
    }
    return code;
}

/* ---- open parts ---------------------------------------------------------- */

/* What bounds solids on the same side of the same place bounds both of them there, though the rest
 * of them is not known. */
static stlclash_code look_for_faces_alike(state *s)
{
    bool alike;
    const stlclash_code code = sc_find_faces_alike(s, &alike);
    if (code == STLCLASH_OK && alike) {
        sc_judging_note(s, "open_faces_alike");
    }
    return code;
}

static stlclash_code judge_open(state *s)
{
    stlclash_code code = STLCLASH_OK;

    sc_judging_note(s, "open_part");
    if (s->q->crossing) {
        s->j->deep = SC_DEEP;
    } else if (s->q->hit_count > 0) {
        code = judge_along_edges(s);
    }
    if (code == STLCLASH_OK && s->j->deep == SC_NOT_DEEP) {
        bool perhaps;
        code = sc_held_perhaps(s, &perhaps);
        if (perhaps) {
            s->j->deep = SC_DEEP_UNKNOWN;
            sc_judging_note(s, "containment_unknown");
        }
    }
    if (code == STLCLASH_OK && s->j->deep == SC_NOT_DEEP && s->q->hit_count > 0) {
        code = look_for_faces_alike(s);
    }
    return code == STLCLASH_OK ? sc_find_curves(s) : code;
}

/* ---- the judgement ------------------------------------------------------- */

/* With closed parts. */
static stlclash_code judge_closed(state *s)
{
    bool exact = s->q->tolerances->touch_overlap == 0.0;
    stlclash_code code = STLCLASH_OK;

    if (s->q->hit_count == 0) {
        bool contained;
        code = sc_held(s, &contained);
        if (code != STLCLASH_OK || !contained) {
            s->nothing_common = true;
            return code;
        }
        s->j->interiors_meet = true;
    }
    bool sure = s->q->hit_count == 0 || s->q->crossing; /* interiors meet, however little */
    if (exact && sure) {
        s->j->deep = SC_DEEP;
        return STLCLASH_OK;
    }
    if (!sure) {
        code = sc_need_overlap(s);
        if (code != STLCLASH_OK) {
            return code;
        }
        if (s->j->overlap.volume_is_zero) {
            return judge_along_edges(s); /* sheets of facets back to back have no volume */
        }
        if (exact) {
            s->j->deep = SC_DEEP;
            return STLCLASH_OK;
        }
    }
    return s->j->deep == SC_DEEP ? STLCLASH_OK : sc_judge_limit(s);
}

/* Whether a few points of one part lie inside the other, with facets as they are stored. */
static stlclash_code find_held(state *s, bool *held)
{
    stlclash_code code = sc_need_solids(s);
    *held = false;
    return code == STLCLASH_OK ? sc_held_plainly(s, held) : code;
}

/* A deep point is all that is told of the overlap. */
static void tell_deep(state *s)
{
    s->j->deep = SC_DEEP;
    sc_judging_note(s, "overlap_skipped");
}

/* Parts whose surfaces do not meet: whether one lies deep in the other, as far as that is
 * seen without a look at their shells. A point with a winding number that is not 0 is
 * inside whichever way round they are to be read. */
static stlclash_code judge_inside(state *s, bool *deep)
{
    stlclash_code code = find_held(s, deep);
    *deep = code == STLCLASH_OK && *deep && sc_judging_balanced(s);
    if (code == STLCLASH_OK && *deep && s->q->tolerances->touch_overlap > 0.0) {
        code = sc_judge_limit_at_a_glance(s, deep);
    }
    if (code == STLCLASH_OK) {
        s->j->deep = SC_NOT_DEEP;
        s->j->interiors_meet = *deep;
        if (*deep) {
            tell_deep(s);
        }
    }
    return code;
}

/* A deep point needs no closed parts, and what lies near a crossing may show one without
 * whole trees of the parts. */
static stlclash_code judge_crossing(state *s, bool *deep)
{
    const sc_case *q = s->q;
    sc_solid near[2];
    sc_box box = sc_judging_common_box(s);
    stlclash_code code = STLCLASH_OK;

    for (int i = 0; i < 2 && code == STLCLASH_OK; i++) {
        code = sc_solid_make(q->part[i], i == 0 ? SC_ROLE_A : SC_ROLE_B, &q->frame, q->near[i],
                             &near[i], s->error);
        near[i].watch = q->watch;
    }
    if (code == STLCLASH_OK &&
        sc_depth_crossing(near, q->hits, q->hit_count, sc_judge_depth_limit(s, &box))) {
        *deep = true;
    } else {
        code = code == STLCLASH_OK ? sc_need_solids(s) : code;
        code = code == STLCLASH_OK ? sc_judge_limit_at_a_glance(s, deep) : code;
    }
    if (*deep) {
        tell_deep(s);
    }
    return code;
}

/* Whether so many pairs touch that it takes longer to measure what they bound than to take a glance
 * at it in vain. */
static bool touch_in_many_places(const state *s)
{
    enum { MANY_HITS = 2000 };
    return s->q->hit_count >= MANY_HITS && !are_small(s);
}

/* The same of closed parts that touch without a proper crossing. */
static stlclash_code judge_touching(state *s, bool *deep)
{
    stlclash_code code = sc_need_solids(s);
    code = code == STLCLASH_OK ? sc_judge_limit_at_a_glance(s, deep) : code;
    *deep = code == STLCLASH_OK && *deep && sc_judging_balanced(s);
    if (*deep) {
        s->j->interiors_meet = true;
        tell_deep(s);
    }
    return code;
}

static stlclash_code measure_depth(state *s)
{
    if (!sc_judge_measures_depth(s->q->options)) {
        sc_judging_note(s, "depth_skipped");
        return STLCLASH_OK;
    }
    return sc_judge_measure_depth(s);
}

static stlclash_code measure(state *s)
{
    const stlclash_options *o = s->q->options;
    stlclash_code code = STLCLASH_OK;

    if (s->nothing_common) {
        return STLCLASH_OK;
    }
    if (!sc_judge_measures(o)) {
        sc_judging_note(s, "overlap_skipped");
        s->j->has_overlap = false;
        return STLCLASH_OK;
    }
    code = sc_need_overlap(s);
    if (code == STLCLASH_OK && s->j->has_overlap) {
        code = measure_depth(s);
        if (s->j->overlap.multiplicity) {
            sc_judging_note(s, "counted_with_multiplicity");
        }
    } else if (code == STLCLASH_OK && s->j->deep == SC_DEEP) {
        sc_judging_note(s, "overlap_without_volume");
    }
    return code;
}

/* Whether what was found before tells the verdict, and nothing more is asked for. */
static bool judge_at_once(state *s)
{
    const sc_case *q = s->q;
    const bool measured = sc_judge_measures(q->options);
    bool known = false;

    if (q->inside) {
        s->j->deep = SC_DEEP;
        s->j->interiors_meet = s->j->balanced = true;
        known = true;
    } else if (q->crossing && q->tolerances->touch_overlap == 0.0 && !measured) {
        s->j->deep = SC_DEEP; /* closed or open: a crossing is a clash */
        known = true;
    } else if (q->hit_count > 0 && !q->crossing && !measured && boxes_part_soon(s)) {
        /* They touch, and nothing lies deep; open ones may cross along edges. */
        known = sc_parts_are_divided(q->part[0], q->part[1]) || sc_judging_balanced(s);
    }
    if (known) {
        sc_judging_note(s, "overlap_skipped");
    }
    return known;
}

/* Parts whose surfaces do not meet. *known: they have nothing in common, as a grid shows. Where one
 * part is all in the box of the other, a ray may tell sooner that there is no need to look. */
static stlclash_code judge_apart(state *s, bool *known)
{
    const sc_box *a = &s->q->part[0]->used_bounds, *b = &s->q->part[1]->used_bounds;
    stlclash_code code = STLCLASH_OK;
    bool held = false;

    if (sc_box_inside(a, b) || sc_box_inside(b, a)) {
        code = find_held(s, &held);
    }
    return code == STLCLASH_OK && !held ? sc_held_plainly_not(s, known) : code;
}

/* *known: whether a look at some of the parts, not all of them, tells the verdict. */
static stlclash_code judge_in_part(state *s, bool *known)
{
    const sc_case *q = s->q;
    const bool measured = sc_judge_measures(q->options);
    stlclash_code code = STLCLASH_OK;

    *known = false;
    if (q->crossing && q->tolerances->touch_overlap > 0.0 && !measured) {
        code = judge_crossing(s, known);
    } else if (!q->crossing && !measured && !q->options->health && touch_in_many_places(s)) {
        code = judge_touching(s, known);
    }
    if (code != STLCLASH_OK || *known || q->hit_count > 0) {
        return code;
    }
    code = are_small(s) ? STLCLASH_OK : judge_apart(s, known);
    if (code == STLCLASH_OK && !*known && !measured && !q->options->health) {
        code = judge_inside(s, known);
    }
    return code;
}

/* Sound solids of parts whose surfaces do not meet. A part that surrounds the other is spared a
 * look at its shells, if the other is closed as well. */
static stlclash_code need_sound_apart(state *s)
{
    stlclash_code code = sc_need_solids(s);
    for (int i = 0; i < 2 && code == STLCLASH_OK; i++) {
        code = sc_held_all_around(s, i, &s->spared[i]);
    }
    code = code == STLCLASH_OK ? sc_need_sound_solids(s) : code;
    if (code == STLCLASH_OK && !sc_judging_closed(s)) {
        s->spared[0] = s->spared[1] = s->j->has_health = false;
        code = sc_need_sound_solids(s);
    }
    return code;
}

static stlclash_code judge_whole(state *s)
{
    const sc_case *q = s->q;
    /* a look at all shells, of parts that are large enough for it to cost */
    const bool spares_shells =
        sc_judge_measures(q->options) && !q->options->health && !are_small(s);
    stlclash_code code;

    if (spares_shells && q->hit_count > 0 && sc_judging_balanced(s)) {
        code = sc_need_solids(s);
        code = code == STLCLASH_OK ? sc_need_overlap(s) : code;
    } else {
        code = spares_shells && q->hit_count == 0 ? need_sound_apart(s) : sc_need_sound_solids(s);
        if (code == STLCLASH_OK && !sc_judging_closed(s)) {
            return judge_open(s);
        }
    }
    code = code == STLCLASH_OK ? judge_closed(s) : code;
    return code == STLCLASH_OK ? measure(s) : code;
}

static stlclash_code judge(state *s)
{
    const sc_case *q = s->q;
    bool boxes_meet = sc_boxes_meet(&q->part[0]->used_bounds, &q->part[1]->used_bounds), known;
    stlclash_code code = STLCLASH_OK;

    s->j->deep = SC_NOT_DEEP;
    if (q->options->health) {
        code = sc_need_health(s);
    }
    if (code != STLCLASH_OK || (q->hit_count == 0 && !boxes_meet)) {
        return code; /* nothing can lie inside anything */
    }
    if (judge_at_once(s)) {
        return STLCLASH_OK;
    }
    code = judge_in_part(s, &known);
    return code == STLCLASH_OK && !known ? judge_whole(s) : code;
}

/* Parts that touch without meeting: how much of their faces does. */
static stlclash_code judge_gap(state *s)
{
    if (!sc_judge_measures(s->q->options)) {
        sc_judging_note(s, "overlap_skipped");
        return STLCLASH_OK;
    }
    stlclash_code code = sc_need_sound_solids(s);
    if (code == STLCLASH_OK && !sc_judging_closed(s)) {
        sc_judging_note(s, "open_part");
        return STLCLASH_OK;
    }
    return code == STLCLASH_OK ? sc_need_contact(s) : code;
}

/* Parts in contact: their faces touch by the tolerances by which they do. */
static stlclash_code judge_touch(state *s)
{
    const sc_flush *flush = &s->q->tolerances->flush;
    stlclash_code code = s->q->hit_count == 0 ? judge_gap(s) : STLCLASH_OK;
    return code == STLCLASH_OK && s->j->has_contact && sc_flush_reach(flush) > flush->all_over
               ? sc_widen_contact(s)
               : code;
}

/* Whether both are closed; their shells are looked at only where the sum of the boundary does not
 * tell. */
static stlclash_code find_closed(state *s, bool *closed)
{
    stlclash_code code = STLCLASH_OK;
    *closed = s->j->balanced || sc_judging_balanced(s);
    if (!*closed) {
        code = sc_need_health(s);
        *closed = code == STLCLASH_OK && sc_judging_closed(s);
    }
    return code;
}

/* Surfaces alone were judged where a part is open: not enough for who asks for closed ones. */
static stlclash_code refuse_open(state *s)
{
    bool closed;
    stlclash_code code = find_closed(s, &closed);
    if (code == STLCLASH_OK && !closed) {
        s->j->deep = SC_DEEP_UNKNOWN;
        sc_judging_note(s, "open_part_refused");
    }
    return code;
}

stlclash_code sc_judge(const sc_case *question, sc_judgement *judgement, stlclash_error *error)
{
    state s = {.q = question, .j = judgement, .thickness = INFINITY, .error = error};
    *judgement = (sc_judgement){.deep = SC_NOT_DEEP};
    stlclash_code code = judge(&s);
    if (code == STLCLASH_OK && question->touching && judgement->deep == SC_NOT_DEEP) {
        code = judge_touch(&s);
    }
    if (code == STLCLASH_OK && question->options->require_closed && judgement->deep != SC_DEEP) {
        code = refuse_open(&s);
    }
    sc_judging_free(&s);
    if (sc_watch_was_over(question->watch)) {
        return STLCLASH_OK; /* what was found by then holds */
    }
    if (code != STLCLASH_OK) {
        sc_judgement_free(judgement);
    }
    return code;
}

void sc_judgement_free(sc_judgement *judgement)
{
    sc_overlap_free(&judgement->overlap);
    sc_free(judgement->region_depths);
    *judgement = (sc_judgement){.deep = SC_NOT_DEEP};
}
