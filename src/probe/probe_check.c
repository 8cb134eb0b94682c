/* probe_check.c - the verdict on a probe.
 *
 *     places on its line -> inside or not between them -> how deep; else how near -> verdict
 *
 * What lies between two places is inside or outside as a whole, exactly: one winding
 * number at the start, and the crossings at each place, of the line moved by less than
 * anything. */
#include "base/alloc.h"
#include "base/error.h"
#include "base/float_mode.h"
#include "base/notes.h"
#include "base/parallel.h"
#include "check/check.h"
#include "part.h"
#include "prober.h"
#include "solids/solid.h"
#include "verdict.h"

/* The first member is what users see; it points into the others. */
typedef struct whole_result {
    stlclash_probe_result public;
    const char *notes[SC_MAX_NOTES];
    stlclash_probe_hit *hits;
} whole_result;

typedef struct judging {
    const stlclash_prober *prober;
    const stlclash_probe *probe;
    sc_segment segment;
    double unit, length;
    sc_tolerances tolerances;
    sc_places places;
    bool closed, too_wide;
    whole_result *result;
} judging;

static void note(judging *j, const char *text)
{
    sc_notes_add(j->result->notes, &j->result->public.note_count, text);
}

/* ---- depth of the line ----------------------------------------------------------------- */

/* Places to look at before it is given up to tell how deep a line lies in a part. */
enum { MOST_LOOKS = 2000 };

/* Whether some point between two parameters lies deeper than the touch overlap. Depth
 * changes along the line no faster than the way: a piece whose middle is shallow enough
 * holds nothing deeper. */
static sc_deep deep_between(const judging *j, double from, double to, int *looks)
{
    double middle = 0.5 * (from + to), half = 0.5 * (to - from) * j->length;
    sc_vec3 p = sc_segment_point(&j->segment, middle);
    sc_segment point = {p, p};
    sc_probe_nearest nearest;

    if (++*looks > MOST_LOOKS) {
        return SC_DEEP_UNKNOWN;
    }
    if (!sc_prober_closest(j->prober, &point, INFINITY, &nearest)) {
        return SC_DEEP;
    }
    double most = j->tolerances.touch_overlap, reach = fabs(p.x) + fabs(p.y) + fabs(p.z);
    double margin = 0x1p-48 * (nearest.distance + j->length + reach);
    if (nearest.distance > most + margin) {
        return SC_DEEP;
    }
    if (nearest.distance + half <= most) {
        return SC_NOT_DEEP;
    }
    if (half <= margin) {
        return SC_DEEP_UNKNOWN; /* as deep as the bound but for rounding; pieces have an end, too */
    }
    sc_deep first = deep_between(j, from, middle, looks);
    return first == SC_NOT_DEEP ? deep_between(j, middle, to, looks) : first;
}

/* A stretch of the line inside the part; at its ends it meets the surface, or ends. */
static sc_deep deep_inside(const judging *j, double from, double to, bool starts, bool ends)
{
    double most = j->tolerances.touch_overlap, way = (to - from) * j->length;
    int looks = 0;

    if (most == 0.0) {
        return SC_DEEP; /* inside, exactly */
    }
    if ((starts || ends) && way * (starts && ends ? 0.5 : 1.0) * (1.0 + 0x1p-30) <= most) {
        return SC_NOT_DEEP; /* the surface is as near as its ends */
    }
    return deep_between(j, from, to, &looks);
}

static sc_deep worse(sc_deep a, sc_deep b)
{
    return a == SC_DEEP || b == SC_NOT_DEEP ? a : b;
}

/* Whether the line passes a surface where nothing of it was found, or the way out of its start or
 * end does: T-junctions close a part as it is stored, and leave cracks as narrow as rounding where
 * it is placed. */
static bool slips_through(const judging *j, int winding)
{
    const sc_places *places = &j->places;
    if (j->prober->part->is_balanced ||
        (places->count > 0 && places->items[places->count - 1].to.kind == SC_STOP_END)) {
        return false;
    }
    for (size_t i = 0; i < places->count; i++) {
        winding += places->items[i].crossings;
    }
    return winding != sc_prober_winding(j->prober, j->segment.q);
}

/* Whether the line is a point of the surface, which has nothing on either side of it. */
static bool is_point_met(const judging *j)
{
    const sc_vec3 p = j->segment.p, q = j->segment.q;
    return j->places.count > 0 && p.x == q.x && p.y == q.y && p.z == q.z;
}

/* Of a closed part: goes along the line from place to place. Also tells whether the start
 * is inside. */
static sc_deep deep_along(judging *j, bool *meets_interior)
{
    stlclash_probe_result *r = &j->result->public;
    const sc_places *places = &j->places;
    int winding = sc_prober_winding(j->prober, j->segment.p);
    sc_deep deep = SC_NOT_DEEP;
    double from = 0.0;

    if (slips_through(j, winding)) {
        note(j, "within_rounding");
        *meets_interior = true;
        return SC_DEEP_UNKNOWN;
    }
    if (places->count == 0 || places->items[0].from.kind != SC_STOP_START) {
        r->has_inside = true;
        r->inside = winding != 0;
    }
    if (is_point_met(j)) {
        return SC_NOT_DEEP;
    }
    for (size_t i = 0; i <= places->count && deep != SC_DEEP; i++) {
        const sc_place_met *place = i < places->count ? &places->items[i] : NULL;
        bool starts = i > 0, nothing = starts && places->items[i - 1].to.kind == SC_STOP_END;
        nothing = nothing || (place && place->from.kind == SC_STOP_START);
        if (winding != 0 && !nothing) {
            *meets_interior = true;
            deep = worse(deep,
                         deep_inside(j, from, place ? place->from.t : 1.0, starts, place != NULL));
        }
        if (place) {
            winding += place->crossings;
            from = place->to.t;
        }
    }
    return deep;
}

/* Of a part that is not closed: whether its surface is crossed. */
static sc_deep deep_across(judging *j, bool *meets_interior)
{
    note(j, "open_part");
    for (size_t i = 0; i < j->places.count; i++) {
        if (sc_place_passing(&j->places.items[i]) != STLCLASH_TOUCHES) {
            *meets_interior = true;
            return SC_DEEP;
        }
    }
    return SC_NOT_DEEP;
}

/* Whether the winding number stays below 0.5 on a way from where it is: without the cracks of the
 * border if they do not matter there. */
static bool stays_below(const stlclash_prober *prober, sc_vec3 from, sc_vec3 to, uint64_t *looks)
{
    enum { FILLING_LOOKS = 1000000 };
    sc_filling_search s = {
        .fillings = &prober->cracks.fillings, .most = prober->rest.slack, .looks = FILLING_LOOKS};
    const sc_vec3 way[3] = {from, to, to};
    bool small = prober->cracks.count > 0 && sc_fillings_stay_small(&s, way);
    return sc_rim_stays_below(small ? &prober->rest : &prober->rim, from, to, looks);
}

/* Whether the winding number about p is below 0.5: in the box of the part by all facets; outside
 * it by the border, on a straight way from so far off that it vanishes. */
static bool starts_below(const stlclash_prober *prober, sc_vec3 p, uint64_t *looks)
{
    const sc_box *box = &prober->bounds;
    double far = 1e4 * (sc_box_extent(box) + sc_box_point_distance(box, p));

    if (sc_box_holds(box, p)) {
        sc_part part = {.mesh = prober->part->mesh, .used = prober->pose.placement};
        sc_solid solid = {.part = &part, .orientation = prober->part->health.orientation};
        return fabs(sc_solid_generalized_winding(&solid, p)) < 0.5;
    }
    double from[3];
    sc_vec3_store(p, from);
    for (int k = 0; k < 3; k++) {
        from[k] += from[k] > box->high[k] ? far : from[k] < box->low[k] ? -far : 0.0;
    }
    return stays_below(prober, sc_vec3_of(from), p, looks);
}

/* Nothing of an open part is met, but it may surround the probe for all that can be told:
 * anywhere on its line. */
static bool may_surround(const judging *j)
{
    enum { BORDER_LOOKS = 10000 };
    const sc_segment *s = &j->segment;
    uint64_t looks = BORDER_LOOKS;
    sc_box line = sc_box_empty();

    sc_box_add_point(&line, s->p);
    sc_box_add_point(&line, s->q);
    if (!sc_boxes_meet(&j->prober->bounds, &line)) {
        return false;
    }
    bool turn = sc_box_holds(&j->prober->bounds, s->p); /* outside it is sooner known */
    sc_vec3 from = turn ? s->q : s->p, to = turn ? s->p : s->q;
    return !starts_below(j->prober, from, &looks) || !stays_below(j->prober, from, to, &looks);
}

/* ---- the capsule ----------------------------------------------------------------------- */

static void set_contact(judging *j, double t)
{
    stlclash_probe_result *r = &j->result->public;
    r->has_contact = true;
    r->contact_t = t * j->unit;
    sc_vec3_store(sc_segment_point(&j->segment, t), r->contact_centre);
}

/* Moves a ball along the line until it is about to touch, which it will: by its distance
 * each time, so never too far. One that grazes takes many steps. */
static void find_contact(judging *j)
{
    enum { MOST_STEPS = 3000 };
    double radius = j->probe->radius, t = 0.0, within = INFINITY;
    double enough = 0x1p-32 * (j->length + j->prober->pose.reach + radius);

    for (int step = 0; step < MOST_STEPS; step++) {
        sc_vec3 p = sc_segment_point(&j->segment, t);
        sc_segment point = {p, p};
        sc_probe_nearest nearest;
        if (!sc_prober_closest(j->prober, &point, within, &nearest)) {
            return;
        }
        double gap = nearest.distance * (1.0 - 0x1p-46) - radius;
        if (gap <= enough) {
            if (step > 0) {
                set_contact(j, t);
            }
            return; /* at the first step: it does not begin clear */
        }
        double next = t + gap / j->length * (1.0 - 0x1p-46);
        if (!(next < 1.0)) {
            return;
        }
        t = next;
        within = (nearest.distance + gap) * (1.0 + 0x1p-30) + enough; /* it cannot get farther */
    }
    note(j, "contact_early");
    set_contact(j, t);
}

/* The capsule reaches the surface that its line is `distance` from: how deep? Within the
 * rounding of the distance that is not known. */
static sc_deep capsule_depth(judging *j, double distance)
{
    double depth = j->probe->radius - distance, most = j->tolerances.touch_overlap;
    double error = 0x1p-50 * (j->length + distance + 2.0 * j->prober->pose.reach);

    if (depth <= 0.0 && distance - j->probe->radius >= error) {
        return SC_NOT_DEEP;
    }
    if (fabs(depth - most) <= error) {
        note(j, "within_rounding");
        return SC_DEEP_UNKNOWN;
    }
    return depth > most ? SC_DEEP : SC_NOT_DEEP;
}

/* ---- the whole ------------------------------------------------------------------------- */

static stlclash_code list_hits(judging *j, uint64_t most, stlclash_error *error)
{
    stlclash_probe_result *r = &j->result->public;

    r->hit_count = j->places.count;
    r->hits_listed = r->hit_count < most ? r->hit_count : most;
    if (r->hits_listed > 0) {
        j->result->hits = sc_alloc((size_t)r->hits_listed, sizeof *j->result->hits);
        if (!j->result->hits) {
            return sc_error_memory(error);
        }
    }
    for (size_t i = 0; i < r->hits_listed; i++) {
        j->result->hits[i] = sc_place_hit(&j->segment, j->unit, &j->places.items[i]);
    }
    r->hits = j->result->hits;
    return STLCLASH_OK;
}

static void judge(judging *j)
{
    stlclash_probe_result *r = &j->result->public;
    bool meets_interior = false, hit = j->places.count > 0;
    double radius = j->probe->radius, distance = 0.0;
    sc_probe_nearest nearest = {.distance = 0.0};

    if (j->prober->part->mesh->file.facets.count == 0) {
        note(j, "no_triangles");
        return;
    }
    if (j->too_wide) {
        note(j, "probe_too_wide");
        return;
    }
    sc_deep deep = j->closed ? deep_along(j, &meets_interior) : deep_across(j, &meets_interior);
    if (!hit && sc_prober_closest(j->prober, &j->segment, INFINITY, &nearest)) {
        distance = nearest.distance;
        r->has_gap = true;
        r->gap = sc_probe_gap_of(&j->segment, j->unit, &nearest);
        r->clearance = distance > radius ? distance - radius : 0.0;
    }
    if (deep == SC_DEEP_UNKNOWN) {
        note(j, "depth_undecided");
    }
    if (!hit && !meets_interior && !j->closed && may_surround(j)) {
        note(j, "containment_unknown");
        deep = SC_DEEP_UNKNOWN;
    }
    if (radius > 0.0 && deep != SC_DEEP) {
        deep = worse(capsule_depth(j, distance), deep);
    }
    if (distance <= radius && radius > 0.0 && j->length > 0.0 && !(r->has_inside && r->inside)) {
        find_contact(j);
    }
    sc_findings findings = {.complete = true,
                            .meeting =
                                hit || meets_interior || (radius > 0.0 && distance <= radius),
                            .deep = deep,
                            .distance = distance - radius};
    r->status = sc_verdict(&findings, &j->tolerances);
    r->pass = sc_passes(r->status, hit ? 0.0 : r->clearance, &j->tolerances);
}

stlclash_code stlclash_prober_check(const stlclash_prober *prober, const stlclash_probe *probe,
                                    const stlclash_options *options, stlclash_probe_result **result,
                                    stlclash_error *error)
{
    SC_STANDARD_FLOATS;
    stlclash_options how = options ? *options : stlclash_options_default();
    judging j = {.prober = prober, .probe = probe};

    *result = NULL;
    stlclash_code code = sc_prober_segment(prober, probe, &j.segment, &j.unit, &j.too_wide, error);
    code = code == STLCLASH_OK ? sc_check_options(&how, error) : code;
    if (code != STLCLASH_OK) {
        return code;
    }
    if (!prober->part->has_health) {
        return sc_error(error, STLCLASH_E_ARGUMENT, "the prober was not made with `solid`");
    }
    j.result = sc_calloc(1, sizeof *j.result);
    if (!j.result || (!j.too_wide && !sc_places_find(prober, &j.segment, &j.places))) {
        sc_free(j.result);
        return sc_error_memory(error);
    }
    j.result->public.notes = j.result->notes;
    j.closed = prober->part->health.closed;
    j.length = sc_length(sc_sub(j.segment.q, j.segment.p));

    /* Coordinates of probes are doubles: those of the part tell how well places are known, unless
     * the probe comes from, or goes, so far that rounding on the way matters. */
    static const double rounding = 0x1p-26;
    double reach = prober->pose.reach;
    for (int k = 0; k < 3; k++) { /* of a ray's far end nothing depends */
        reach = sc_fmax(reach, rounding * fabs(probe->from[k]));
        reach = sc_fmax(reach, probe->ray ? 0.0 : rounding * fabs(probe->to[k]));
    }
    j.tolerances = sc_tolerances_make(&how, reach);
    j.result->public.resolution = j.tolerances.resolution;
    code = list_hits(&j, how.max_hits, error);
    if (code == STLCLASH_OK) {
        judge(&j);
        *result = &j.result->public;
    } else {
        stlclash_probe_result_free(&j.result->public);
    }
    sc_free(j.places.items);
    return code;
}

/* Threads take the next few probes each time. */
typedef struct many {
    const stlclash_prober *prober;
    const stlclash_probe *probes;
    size_t count;
    const stlclash_options *options;
    stlclash_probe_result **results;
    atomic_size_t next;
    atomic_size_t failed; /* the first probe that failed, or `count` */
} many;

static void work(void *context, int thread)
{
    enum { FEW = 4 };
    many *m = context;
    stlclash_error error;
    (void)thread;

    for (;;) {
        size_t first = atomic_fetch_add(&m->next, FEW);
        size_t end = first < m->count && m->count - first > FEW ? first + FEW : m->count;
        if (first >= m->count) {
            return;
        }
        for (size_t i = first; i < end; i++) {
            if (stlclash_prober_check(m->prober, &m->probes[i], m->options, &m->results[i],
                                      &error) != STLCLASH_OK) {
                size_t failed = atomic_load(&m->failed);
                while (i < failed && !atomic_compare_exchange_weak(&m->failed, &failed, i)) {
                }
            }
        }
    }
}

stlclash_code stlclash_prober_check_many(const stlclash_prober *prober,
                                         const stlclash_probe *probes, size_t count,
                                         const stlclash_options *options,
                                         stlclash_probe_result **results, stlclash_error *error)
{
    many m = {
        .prober = prober, .probes = probes, .count = count, .options = options, .results = results};
    int threads = sc_threads(options ? options->threads : 0);

    atomic_init(&m.next, 0);
    atomic_init(&m.failed, count);
    for (size_t i = 0; i < count; i++) {
        results[i] = NULL;
    }
    threads = count / 16 < (size_t)threads ? (int)(count / 16) : threads;
    sc_parallel(threads > 1 ? threads : 1, work, &m);
    size_t failed = atomic_load(&m.failed);
    if (failed == count) {
        return STLCLASH_OK;
    }
    for (size_t i = 0; i < count; i++) {
        stlclash_probe_result_free(results[i]);
        results[i] = NULL;
    }
    /* Once more for its message; what was short of memory may now do. */
    stlclash_probe_result *again;
    stlclash_code code = stlclash_prober_check(prober, &probes[failed], options, &again, error);
    if (code == STLCLASH_OK) {
        stlclash_probe_result_free(again);
        code = sc_error_memory(error);
    }
    return code;
}

void stlclash_probe_result_free(stlclash_probe_result *result)
{
    if (result) {
        whole_result *whole = (whole_result *)result; /* its first member */
        sc_free(whole->hits);
        sc_free(whole);
    }
}

const char *stlclash_passing_text(stlclash_passing passing)
{
    switch (passing) {
    case STLCLASH_TOUCHES: return "touch";
    case STLCLASH_ENTERS: return "enter";
    case STLCLASH_LEAVES: return "leave";
    }
    return "unknown passing";
}
