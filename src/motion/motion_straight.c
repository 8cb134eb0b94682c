/* motion_straight.c - parts that keep their attitude: decided exactly.
 *
 * What the surfaces do on the way the sweep tells. Where nothing passes through anything, no
 * interiors overlap. Where something does they do, but a touch overlap above 0 allows for a
 * little of it, as flush parts whose coordinates were rounded have: then a pose on the way
 * that clashes is the proof that they overlap deeper, and a displacement of one part's points by
 * no more than the touch overlap with which nothing passes through anything is the proof that
 * they do not. */
#include "straight.h"

#include "advance.h"
#include "base/error.h"
#include "broad.h"
#include "check/first_bound.h"
#include "check/result.h"
#include "health/health_once.h"
#include "open/surround.h"

/* Components so small that products with them could underflow become 0. */
static sc_vec3 flushed(sc_vec3 d, double reach)
{
    double least = 0x1p-80 * sc_fmax(reach, sc_fmax(fabs(d.x), sc_fmax(fabs(d.y), fabs(d.z))));
    return (sc_vec3){fabs(d.x) < least ? 0.0 : d.x, fabs(d.y) < least ? 0.0 : d.y,
                     fabs(d.z) < least ? 0.0 : d.z};
}

static sc_vec3 turned_back(const sc_placement *p, sc_vec3 d)
{
    double out[3], v[3] = {d.x, d.y, d.z};
    for (int i = 0; i < 3; i++) {
        out[i] = p->m[0][i] * v[0] + p->m[1][i] * v[1] + p->m[2][i] * v[2];
    }
    return sc_vec3_of(out);
}

static void set_up(sc_straight *s)
{
    sc_motion_run *run = s->run;
    s->part[0] = run->part[0];
    s->part[1] = run->part[1];
    s->order = sc_parts_order(s->part);
    sc_vec3 d = sc_sub(sc_vec3_of(s->way[1]), sc_vec3_of(s->way[0]));
    d = s->order.placed_later ? turned_back(&s->part[0].placement, d) : d;
    d = s->order.swapped ? sc_scale(d, -1.0) : d;
    s->sweep = (sc_sweep){.part = {&s->part[0], &s->part[1]},
                          .d = flushed(d, sc_parts_reach(&s->part[0], &s->part[1]))};
}

/* ---- moments as users see them -------------------------------------------- */

/* A point that stands still with the part that rests, at its place in the world. */
static sc_vec3 in_world(const sc_straight *s, sc_vec3 p, double time)
{
    p = s->order.placed_later ? sc_place_point(&s->part[0].placement, p) : p;
    return sc_mul_add(p, time, sc_vec3_of(s->way[s->order.swapped]));
}

static stlclash_moment moment_of(const sc_straight *s, double time, const uint32_t triangle[2],
                                 sc_closest closest)
{
    closest.on_a = in_world(s, closest.on_a, time);
    closest.on_b = in_world(s, closest.on_b, time);
    return (stlclash_moment){.time = time,
                             .travelled = time * sc_length(s->sweep.d),
                             .separation = sc_separation_of(&closest, triangle, s->order.swapped,
                                                            sqrt(closest.distance_sq))};
}

static stlclash_moment meeting_moment(const sc_straight *s, const sc_sweep_meeting *meeting)
{
    const sc_sweep_event *e = &meeting->event;
    sc_closest closest = {
        .on_a = e->point, .on_b = e->point, .feature_a = e->feature_a, .feature_b = e->feature_b};
    return moment_of(s, e->time, meeting->triangle, closest);
}

/* ---- the verdict ---------------------------------------------------------- */

/* Whether no overlap is allowed for: a part without inside has no depth. */
static stlclash_code every_crossing_counts(const sc_straight *s, bool *counts)
{
    bool open[2] = {false, false};
    stlclash_code code = STLCLASH_OK;
    *counts = s->run->tolerances.touch_overlap == 0.0;
    if (!*counts) {
        code = sc_motion_find_open(s->run, s->part, open);
        *counts = open[0] || open[1];
        if (*counts) {
            sc_motion_note(s->run, "open_part");
        }
    }
    return code;
}

/* Whether nothing is known as yet, and there is time. */
static bool is_unsettled(const sc_straight *s, stlclash_code code, bool known)
{
    return code == STLCLASH_OK && !known && !s->run->given_up;
}

/* Away from the part that it touches at the start. */
static stlclash_code try_away_from_start(const sc_straight *s, bool *shallow)
{
    const stlclash_result *start = s->run->result->public.start;
    const sc_vec3 normal = sc_vec3_of(start->normal);
    const sc_vec3 own = s->order.placed_later ? turned_back(&s->part[0].placement, normal) : normal;
    return start->has_normal
               ? sc_straight_try_along(s, sc_scale(own, s->order.swapped ? 1.0 : -1.0), shallow)
               : STLCLASH_OK;
}

/* Whether some pose is deep, or nothing that the parts have in common on the way lies deeper than
 * the touch overlap; or neither is shown. */
static stlclash_code weigh(const sc_straight *s, bool *deep, bool *shallow)
{
    stlclash_code (*const look[])(const sc_straight *s, bool *shallow) = {
        sc_straight_find_erosion, try_away_from_start, sc_straight_try_aside};
    *shallow = false;
    stlclash_code code = sc_straight_find_deep_pose(s, SC_POSES_SOON, deep);
    for (int i = 0; i < 3 && is_unsettled(s, code, *deep || *shallow); i++) {
        code = look[i](s, shallow);
    }
    if (is_unsettled(s, code, *deep || *shallow)) {
        code = sc_straight_find_deep_pose(s, SC_POSES_LATER, deep);
    }
    if (s->sweep.crossing.found && is_unsettled(s, code, *deep || *shallow)) {
        code = sc_straight_look_behind_doubts(s, deep);
    }
    return code;
}

/* Where nothing passes through anything, but one part lies in the other from the start, no deeper
 * than the touch overlap: *held, unless a displacement shows that it lies no deeper all the way. */
static stlclash_code judge_held(sc_straight *s, bool *held)
{
    sc_motion_run *run = s->run;
    bool deep, shallow;
    stlclash_code code = STLCLASH_OK;
    if (run->tolerances.touch_overlap > 0.0) {
        sc_part part[2];
        code = sc_straight_parts(s, 0.0, part);
        code = code == STLCLASH_OK ? sc_straight_may_overlap(s, part, held) : code;
    }
    if (code != STLCLASH_OK || !*held) {
        return code;
    }
    code = weigh(s, &deep, &shallow);
    *held = !shallow;
    if (code != STLCLASH_OK || run->given_up || !*held) {
        return code;
    }
    if (!deep) {
        sc_motion_note(run, "motion_depth_undecided");
    }
    sc_motion_conclude(run, deep ? STLCLASH_CLASH : STLCLASH_UNDECIDED, 0.0);
    return code;
}

static stlclash_code judge_crossing(sc_straight *s)
{
    sc_motion_run *run = s->run;
    stlclash_sweep_result *r = &run->result->public;
    bool deep, shallow = false;
    stlclash_code code = every_crossing_counts(s, &deep);
    if (code == STLCLASH_OK && !deep) {
        code = weigh(s, &deep, &shallow);
    }
    if (code != STLCLASH_OK || run->given_up) {
        return code;
    }
    if (deep) {
        r->has_clash = true;
        r->clash = meeting_moment(s, &s->sweep.crossing);
        sc_motion_conclude(run, STLCLASH_CLASH, 0.0);
    } else if (shallow) {
        sc_motion_conclude(run, STLCLASH_CONTACT, 0.0);
    } else {
        sc_motion_note(run, "motion_depth_undecided");
        sc_motion_conclude(run, STLCLASH_UNDECIDED, 0.0);
    }
    return STLCLASH_OK;
}

/* Whether the parts may come much nearer than the bound at that time. */
static bool may_come_nearer(const sc_straight *s, double time, double bound)
{
    sc_box moved = s->part[1].used_bounds;
    double longest = sc_box_extent(&moved);
    for (int k = 0; k < 3; k++) {
        moved.low[k] += time * sc_component(s->sweep.d, k);
        moved.high[k] += time * sc_component(s->sweep.d, k);
    }
    return sc_box_distance(&s->part[0].used_bounds, &moved) + 0x1p-4 * longest < bound;
}

/* What rounding may have made of a distance: on a way that is long enough it matters (sweep.h). */
static double distance_error(const sc_straight *s, sc_vec3 way, double distance)
{
    double reach = sc_parts_reach(&s->part[0], &s->part[1]);
    return 0x1p-49 * (sc_length(way) + 2.0 * reach + distance);
}

/* Lowers a bound of the least distance by pairs of triangles that come close to each other,
 * where that saves more than it costs. */
static stlclash_code lower_by_samples(const sc_straight *s, double *bound)
{
    for (int half = 1; half <= 2; half++) {
        sc_part part[2];
        uint32_t number[2];
        sc_vec3 v[2][3];
        double time = 0.5 * half;
        if (!may_come_nearer(s, time, *bound)) {
            continue;
        }
        stlclash_code code = sc_straight_parts(s, time, part);
        if (code != STLCLASH_OK) {
            return code;
        }
        sc_nearest_samples(part, number);
        for (int i = 0; i < 2; i++) {
            sc_triangle_vertices(&s->part[i].mesh->file.facets, &s->part[i].used, number[i], v[i]);
        }
        sc_closest closest = sc_tri_approach(v[0], v[1], s->sweep.d, &time);
        double distance = sqrt(closest.distance_sq);
        *bound = sc_fmin(
            *bound, distance + distance_error(s, s->sweep.d, distance)); /* to be found again */
    }
    return STLCLASH_OK;
}

/* The share of the way, a power of 2, behind which the boxes are farther apart than the bound and
 * get no nearer; not so little that products with it could underflow. */
static double share_that_matters(const sc_straight *s, double bound)
{
    const sc_box *rests = &s->part[0].used_bounds, *moves = &s->part[1].used_bounds;
    const double room = bound + sc_box_extent(rests) + sc_box_extent(moves);
    const double little = 0x1p-20 * sc_parts_reach(&s->part[0], &s->part[1]);
    double least = 1.0, share = 1.0;
    for (int k = 0; k < 3; k++) {
        const double d = sc_component(s->sweep.d, k);
        const double way =
            d > 0.0 ? rests->high[k] - moves->low[k] : moves->high[k] - rests->low[k];
        least = d != 0.0 ? sc_fmin(least, sc_fmax(way + room, little) / fabs(d)) : least;
    }
    while (0.5 * share >= least && share > 0x1p-500) {
        share *= 0.5;
    }
    return share;
}

/* The nearest points on the way, as far as that matters: where rounding along all of it exceeds by
 * far that of the parts the rest is left out. *way is what was gone along. */
static stlclash_code find_nearest(sc_straight *s, double bound, sc_sweep_approach *approach,
                                  sc_vec3 *way)
{
    const sc_vec3 whole = s->sweep.d, none = {0.0, 0.0, 0.0};
    double share = 1.0;
    if (distance_error(s, whole, bound) > 16.0 * distance_error(s, none, bound)) {
        share = share_that_matters(s, bound);
        s->sweep.d = sc_scale(whole, share);
    }
    stlclash_code code = lower_by_samples(s, &bound);
    code = code == STLCLASH_OK ? sc_sweep_nearest(&s->sweep, bound, approach, s->run->error) : code;
    *way = s->sweep.d;
    s->sweep.d = whole;
    approach->time *= share;
    return code;
}

/* The closest approach, or that of the start where nothing comes nearer; *distance is infinite
 * where that is beyond all that matters. */
static stlclash_code find_approach(sc_straight *s, double *distance, sc_vec3 *way)
{
    stlclash_sweep_result *r = &s->run->result->public;
    const stlclash_separation *start = &r->start->separation;
    sc_sweep_approach approach = {.time = 0.0};
    bool known = r->start->has_separation && isfinite(start->distance);
    double bound = known ? start->distance : sc_deciding_distance(&s->run->tolerances);
    stlclash_code code = find_nearest(s, bound, &approach, way);
    if (code != STLCLASH_OK || s->sweep.stopped) {
        return code;
    }
    bool found = isfinite(approach.distance_sq);
    r->has_approach = found || known;
    if (found) {
        r->approach = moment_of(s, approach.time, approach.triangle, approach.closest);
    }
    if (known && !(found && r->approach.separation.distance < start->distance)) {
        r->approach = (stlclash_moment){.separation = *start};
    }
    *distance = r->has_approach ? r->approach.separation.distance : INFINITY;
    return code;
}

static stlclash_code judge_distance(sc_straight *s)
{
    sc_motion_run *run = s->run;
    double distance = INFINITY;
    sc_vec3 way;
    stlclash_code code = find_approach(s, &distance, &way);
    if (code != STLCLASH_OK || s->sweep.stopped) {
        return code;
    }
    double error = distance_error(s, way, distance);
    if (!isfinite(distance)) {
        sc_motion_note(run, "distance_not_needed");
    } else if (error > run->tolerances.resolution) {
        sc_advance_conclude(run, &(sc_advance_findings){.certain = sc_fmax(distance - error, 0.0)});
        return code;
    }
    sc_findings findings = {.complete = true, .distance = distance};
    sc_motion_conclude(run, sc_verdict(&findings, &run->tolerances), distance);
    return code;
}

/* ---- open parts -------------------------------------------------------------- */

static void conclude_unknown(sc_straight *s)
{
    sc_motion_note(s->run, "containment_unknown");
    sc_motion_conclude(s->run, STLCLASH_UNDECIDED, 0.0);
}

/* A part without inside may be swallowed without being cut through, or pass through the other along
 * edges: looks at so many poses on the way, of which the last is its end. */
static stlclash_code look_at_poses(sc_straight *s, int count)
{
    bool unknown = false;
    for (int i = 1; i <= count && sc_motion_go_on(s->run, SC_HALF_DONE); i++) {
        sc_part part[2];
        stlclash_status status;
        stlclash_code code = sc_straight_parts(s, (double)i / count, part);
        code = code == STLCLASH_OK ? sc_straight_status(s, part, &status) : code;
        if (code != STLCLASH_OK) {
            return code;
        }
        if (status == STLCLASH_CLASH) {
            sc_motion_conclude(s->run, STLCLASH_CLASH, 0.0);
            return STLCLASH_OK;
        }
        unknown = unknown || status == STLCLASH_UNDECIDED;
    }
    if (unknown) {
        conclude_unknown(s);
    }
    return STLCLASH_OK;
}

/* Whether the box of what moves comes where the other's is. */
static bool boxes_meet_on_way(const sc_straight *s)
{
    sc_box swept = sc_box_moved(&s->part[1].used_bounds, s->sweep.d);
    sc_box_add_box(&swept, &s->part[1].used_bounds);
    return sc_boxes_meet(&swept, &s->part[0].used_bounds);
}

/* Whether an open part may hold a piece of the other on the way; may_touch: at times when that does
 * not touch it. */
static stlclash_code find_held_on_way(const sc_straight *s, const bool open[2], bool may_touch,
                                      bool *held)
{
    *held = false;
    for (int i = 0; i < 2 && !*held; i++) {
        sc_solid solid[2] = {{.part = &s->part[i]}, {.part = &s->part[1 - i]}};
        sc_surround_request request = {.in = &solid[0],
                                       .of = &solid[1],
                                       .may_touch = may_touch,
                                       .poll = sc_motion_poll(s->run)};
        sc_vec3 way = sc_scale(s->sweep.d, i == 0 ? 1.0 : -1.0);
        if (open[i] && !sc_surround_on_way(&request, way, held)) {
            return sc_error_memory(s->run->error);
        }
    }
    return STLCLASH_OK;
}

/* Where nothing meets on the way, one part may have come to lie in the other, or through it, if
 * that is open. */
static stlclash_code look_into_open_parts(sc_straight *s)
{
    bool open[2], held;
    if (!boxes_meet_on_way(s)) {
        return STLCLASH_OK;
    }
    stlclash_code code = sc_motion_find_open(s->run, s->part, open);
    code = code == STLCLASH_OK ? find_held_on_way(s, open, false, &held) : code;
    if (code == STLCLASH_OK && held) {
        conclude_unknown(s);
    } else if (code == STLCLASH_OK && (open[0] || open[1])) {
        code = look_at_poses(s, 1);
    }
    return code;
}

/* Where the surfaces touch on the way, but nothing passes through anything. */
static stlclash_code judge_touch(sc_straight *s)
{
    enum { POSES = 16 };
    const stlclash_sweep_result *r = &s->run->result->public;
    bool open[2], held;
    stlclash_code code = sc_motion_find_open(s->run, s->part, open);
    if (code != STLCLASH_OK) {
        return code;
    }
    sc_motion_conclude(s->run, STLCLASH_CONTACT, 0.0);
    if (!open[0] && !open[1]) {
        return STLCLASH_OK;
    }
    code = look_at_poses(s, POSES);
    if (code != STLCLASH_OK || s->run->given_up || r->status != STLCLASH_CONTACT) {
        return code;
    }
    code = find_held_on_way(s, open, true, &held);
    if (code == STLCLASH_OK && held) {
        conclude_unknown(s);
    }
    return code;
}

/* Parts that do not move remain as they start. */
static void conclude_at_rest(sc_motion_run *run)
{
    stlclash_sweep_result *r = &run->result->public;
    const stlclash_result *start = r->start;

    sc_motion_conclude(run, start->status,
                       start->has_separation ? start->separation.distance : INFINITY);
    r->has_approach = start->has_separation && !r->has_contact;
    r->approach = (stlclash_moment){.separation = start->separation};
}

/* For sweeps of a part that is closed: which way round its facets are. */
static stlclash_code set_up_closed(sc_straight *s)
{
    const sc_health *health;
    stlclash_code code = sc_health_get(s->part[0].mesh, false, &health, s->run->error);
    if (code == STLCLASH_OK) {
        s->sweep.closed_first = true;
        s->sweep.orientation = health->orientation;
    }
    return code;
}

stlclash_code sc_motion_straight(sc_motion_run *run)
{
    sc_straight s = {.run = run, .way = run->motion->way};
    stlclash_sweep_result *r = &run->result->public;
    bool touching = r->start->status == STLCLASH_CONTACT, open[2] = {true, true};

    set_up(&s);
    if (s.sweep.d.x == 0.0 && s.sweep.d.y == 0.0 && s.sweep.d.z == 0.0) {
        conclude_at_rest(run);
        return STLCLASH_OK;
    }
    stlclash_code code = touching ? sc_motion_find_open(run, s.part, open) : STLCLASH_OK;
    if (code == STLCLASH_OK && !open[0]) {
        code = set_up_closed(&s);
    }
    s.sweep.poll = sc_motion_poll(run);
    code = code == STLCLASH_OK ? sc_sweep_meetings(&s.sweep, run->error) : code;
    if (code != STLCLASH_OK || s.sweep.stopped) {
        return code;
    }
    if (s.sweep.contact.found && !r->has_contact) {
        r->has_contact = true;
        r->contact = meeting_moment(&s, &s.sweep.contact);
    }
    if (s.sweep.crossing.found) {
        return judge_crossing(&s);
    }
    bool held = false;
    if (!open[0] && !open[1]) { /* and touching */
        code = judge_held(&s, &held);
    }
    if (code != STLCLASH_OK || run->given_up || held) {
        return code;
    }
    bool by_gap = touching && r->start->has_separation && r->start->separation.distance > 0.0;
    if (s.sweep.contact.found || (touching && !by_gap)) {
        return judge_touch(&s);
    }
    code = judge_distance(&s);
    bool decided =
        code == STLCLASH_OK && !s.sweep.stopped && run->result->public.status != STLCLASH_UNDECIDED;
    return decided ? look_into_open_parts(&s) : code;
}
