/* check.c - stlclash_check: two meshes to a result, stage by stage.
 *
 *     place -> first bound -> octrees -> traversal with narrow phase -> verdict
 *
 * Inside, the parts stand in an order of their own (sc_part_compare), so that
 * exchanging the arguments exchanges the roles in the result and nothing else.
 * Parts with the same placement are compared as stored, which keeps their relation
 * exact; points are placed afterwards. */
#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "first_bound.h"
#include "geom/orient.h"
#include "geom/tri_intersect.h"
#include "narrow.h"
#include "part.h"
#include "result.h"
#include "traverse.h"
#include "verdict.h"

#include <stdlib.h>
#include <time.h>

/* Fewer triangles than this are done before a second thread has started. */
enum { MIN_TRIANGLES_FOR_THREADS = 40000 };

typedef struct check {
    stlclash_options options;
    sc_part part[2];   /* in the order of sc_part_compare */
    bool swapped;      /* part[0] is B */
    bool identical;    /* the same triangles in the same place */
    bool placed_later; /* compared as stored, points get part[0]'s placement */
    sc_tolerances tolerances;
    double bound; /* pairs of triangles farther apart are not looked for */
    sc_octree tree[2];
    sc_narrow *narrow; /* [threads] */
    int threads;
    bool complete; /* the traversal looked at everything within the bound */
    struct timespec start;
    const char *given_up; /* the note that says why, or NULL */
    sc_result *result;
    stlclash_error *error;
} check;

/* ---- options ------------------------------------------------------------- */

stlclash_options stlclash_options_default(void)
{
    return (stlclash_options){.touch_gap = STLCLASH_AUTO, .max_hits = 100};
}

static stlclash_code check_options(const stlclash_options *o, stlclash_error *error)
{
    if (!(o->clearance >= 0.0 && isfinite(o->clearance))) {
        return sc_error(error, STLCLASH_E_ARGUMENT, "clearance must be finite and not negative");
    }
    if (o->touch_gap != STLCLASH_AUTO && !(o->touch_gap >= 0.0 && isfinite(o->touch_gap))) {
        return sc_error(error, STLCLASH_E_ARGUMENT, "touch gap must be finite and not negative");
    }
    if (!(o->max_seconds >= 0.0)) {
        return sc_error(error, STLCLASH_E_ARGUMENT, "time limit must not be negative");
    }
    if (o->threads < 0) {
        return sc_error(error, STLCLASH_E_ARGUMENT, "number of threads must not be negative");
    }
    return STLCLASH_OK;
}

/* ---- the stages ---------------------------------------------------------- */

static stlclash_code place_parts(check *c, const stlclash_mesh *a, const stlclash_mesh *b)
{
    const stlclash_mesh *mesh[2] = {a, b};

    for (int i = 0; i < 2; i++) {
        sc_part *p = &c->part[i];
        double reach = mesh[i]->file.facets.count ? sc_box_reach(&mesh[i]->blocks.bounds) : 0.0;
        p->mesh = mesh[i];
        stlclash_code code = sc_placement_make(c->options.placement[i], i == 0 ? "A" : "B", reach,
                                               &p->placement, c->error);
        if (code != STLCLASH_OK) {
            return code;
        }
        p->bounds = sc_blocks_placed_bounds(&p->mesh->blocks, &p->mesh->file.facets, &p->placement);
        p->used = p->placement;
        p->used_bounds = p->bounds;
    }
    if (!c->part[0].placement.is_identity &&
        sc_placement_equal(&c->part[0].placement, &c->part[1].placement)) {
        c->placed_later = true;
        for (int i = 0; i < 2; i++) {
            c->part[i].used = (sc_placement){.is_identity = 1};
            c->part[i].used_bounds = c->part[i].mesh->blocks.bounds;
        }
    }
    int order = sc_part_compare(&c->part[0], &c->part[1]);
    c->swapped = order > 0;
    c->identical = order == 0;
    if (c->swapped) {
        sc_part t = c->part[0];
        c->part[0] = c->part[1];
        c->part[1] = t;
    }
    return STLCLASH_OK;
}

static bool start_narrow(check *c)
{
    uint64_t triangles = 0;
    for (int i = 0; i < 2; i++) {
        triangles += c->part[i].mesh->file.facets.count;
    }
    c->threads = c->options.threads ? c->options.threads : sc_processors();
    c->threads = c->threads > SC_MAX_THREADS ? SC_MAX_THREADS : c->threads;
    c->threads = triangles < MIN_TRIANGLES_FOR_THREADS ? 1 : c->threads;
    c->narrow = sc_calloc((size_t)c->threads, sizeof *c->narrow);
    if (!c->narrow) {
        return false;
    }
    for (int i = 0; i < c->threads; i++) {
        sc_narrow *n = &c->narrow[i];
        for (int k = 0; k < 2; k++) {
            n->facets[k] = &c->part[k].mesh->file.facets;
            n->placement[k] = &c->part[k].used;
        }
        n->stop_at_crossing = c->options.quick;
        n->keep = c->options.max_hits > 1 ? (size_t)c->options.max_hits : 1;
        if (!sc_narrow_init(n)) {
            return false;
        }
    }
    return true;
}

/* Quick: as far as the status depends on it. Else: as far as a nearby pair lies. */
static void choose_bound(check *c)
{
    if (c->options.quick) {
        c->bound = sc_deciding_distance(&c->tolerances);
        return;
    }
    uint32_t a, b;
    sc_nearest_samples(&c->part[0], &c->part[1], &a, &b);
    sc_narrow_probe(&c->narrow[0], a, b);
    c->bound = sqrt(c->narrow[0].distance_sq);
}

/* What of either part lies within the bound of the other, in a few rounds: each
 * narrows the region in which the other's blocks matter. */
static stlclash_code build_trees(check *c)
{
    enum { ROUNDS = 3 };
    sc_box region[2];
    const sc_part *p = c->part;
    sc_frame frame = sc_frame_make(&p[0].used_bounds, &p[1].used_bounds);

    region[0] = sc_box_grown(&p[1].used_bounds, c->bound);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < 2; i++) {
            sc_box within = sc_part_within(&p[i], &region[i]);
            if (sc_box_is_empty(&within)) {
                return STLCLASH_OK; /* trees stay empty: nothing within the bound */
            }
            region[1 - i] = sc_box_grown(&within, c->bound);
        }
    }
    for (int i = 0; i < 2; i++) {
        const stlclash_mesh *mesh = p[i].mesh;
        stlclash_code code = sc_octree_build(&mesh->blocks, &mesh->file.facets, &p[i].used, &frame,
                                             &region[i], &c->tree[i], c->error);
        if (code != STLCLASH_OK) {
            return code;
        }
    }
    return STLCLASH_OK;
}

static bool go_on(void *context, double done)
{
    check *c = context;
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    double seconds =
        (double)(now.tv_sec - c->start.tv_sec) + 1e-9 * (double)(now.tv_nsec - c->start.tv_nsec);
    if (c->options.max_seconds > 0.0 && seconds > c->options.max_seconds) {
        c->given_up = "time_limit";
    } else if (c->options.progress && !c->options.progress(c->options.progress_context, done)) {
        c->given_up = "cancelled";
    }
    return c->given_up == NULL;
}

static stlclash_code search(check *c)
{
    if (!go_on(c, 0.0)) {
        return STLCLASH_OK;
    }
    if (c->tree[0].levels == 0 || c->tree[1].levels == 0) {
        c->complete = true;
        return STLCLASH_OK;
    }
    void *workers[SC_MAX_THREADS];
    for (int i = 0; i < c->threads; i++) {
        workers[i] = &c->narrow[i];
    }
    sc_traversal t = {.a = &c->tree[0],
                      .b = &c->tree[1],
                      .bound = c->bound,
                      .threads = c->threads,
                      .pair = sc_narrow_pair,
                      .workers = workers,
                      .poll = go_on,
                      .poll_context = c};
    sc_traverse(&t);
    c->complete = !t.stopped;
    bool failed = t.out_of_memory;
    for (int i = 0; i < c->threads; i++) {
        failed |= c->narrow[i].out_of_memory;
        failed |= i > 0 && !failed && !sc_narrow_join(&c->narrow[0], &c->narrow[i]);
    }
    c->result->public.stats.box_tests = t.box_tests;
    return failed ? sc_error_memory(c->error) : STLCLASH_OK;
}

/* ---- the result ---------------------------------------------------------- */

static void store(double out[3], sc_vec3 p)
{
    out[0] = p.x;
    out[1] = p.y;
    out[2] = p.z;
}

static sc_vec3 placed(const check *c, sc_vec3 p)
{
    return c->placed_later ? sc_place_point(&c->part[0].placement, p) : p;
}

static void vertices(const check *c, int part, uint32_t triangle, sc_vec3 v[3])
{
    const sc_part *p = &c->part[part];
    sc_triangle_vertices(&p->mesh->file.facets, &p->used, triangle, v);
}

/* Identical parts have no order: the lower triangle number stands in for one, so
 * that (i, j) and (j, i) give the same points. */
static sc_common common_of(const check *c, uint64_t hit)
{
    uint32_t first = (uint32_t)(hit >> 32), second = (uint32_t)hit;
    bool turned = c->identical && second < first;
    sc_vec3 a[3], b[3];
    vertices(c, 0, turned ? second : first, a);
    vertices(c, 1, turned ? first : second, b);
    return sc_tri_common(a, b);
}

/* One end of a separation is of part[0], the other of part[1]. */
static void fill_ends(const check *c, stlclash_separation *s, uint32_t triangle0,
                      sc_feature feature0, sc_vec3 point0, uint32_t triangle1, sc_feature feature1,
                      sc_vec3 point1)
{
    point0 = placed(c, point0);
    point1 = placed(c, point1);
    store(c->swapped ? s->point_b : s->point_a, point0);
    store(c->swapped ? s->point_a : s->point_b, point1);
    s->triangle_a = c->swapped ? triangle1 : triangle0;
    s->triangle_b = c->swapped ? triangle0 : triangle1;
    s->feature_a = (stlclash_feature)(c->swapped ? feature1 : feature0);
    s->feature_b = (stlclash_feature)(c->swapped ? feature0 : feature1);
    for (int k = 0; k < 3; k++) {
        s->vector[k] = s->point_a[k] - s->point_b[k];
    }
}

static int by_number(const void *x, const void *y)
{
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return (a > b) - (a < b);
}

static int by_triangles(const void *x, const void *y)
{
    const stlclash_hit *a = x, *b = y;
    if (a->triangle_a != b->triangle_a) {
        return a->triangle_a < b->triangle_a ? -1 : 1;
    }
    return (a->triangle_b > b->triangle_b) - (a->triangle_b < b->triangle_b);
}

static stlclash_code fill_hits(check *c)
{
    const sc_narrow *n = &c->narrow[0];
    stlclash_result *r = &c->result->public;
    size_t listed = n->kept < c->options.max_hits ? n->kept : (size_t)c->options.max_hits;

    qsort(n->hits, n->kept, sizeof n->hits[0], by_number);
    c->result->hits = sc_alloc(listed, sizeof c->result->hits[0]);
    if (!c->result->hits) {
        return sc_error_memory(c->error);
    }
    for (size_t i = 0; i < listed; i++) {
        sc_common common = common_of(c, n->hits[i]);
        stlclash_hit *hit = &c->result->hits[i];
        uint32_t first = (uint32_t)(n->hits[i] >> 32), second = (uint32_t)n->hits[i];
        *hit = (stlclash_hit){.triangle_a = c->swapped ? second : first,
                              .triangle_b = c->swapped ? first : second,
                              .point_count = (uint32_t)common.count};
        for (int k = 0; k < common.count; k++) {
            store(hit->points[k], placed(c, common.points[k]));
        }
    }
    if (c->swapped) {
        qsort(c->result->hits, listed, sizeof c->result->hits[0], by_triangles);
    }
    r->hits = c->result->hits;
    r->hits_listed = listed;
    return STLCLASH_OK;
}

/* Where the surfaces meet: the first common point of the lowest hit. */
static void fill_meeting_point(check *c)
{
    uint64_t hit = c->narrow[0].hits[0];
    sc_common common = common_of(c, hit);

    c->result->public.has_separation = true;
    fill_ends(c, &c->result->public.separation, (uint32_t)(hit >> 32), common.feature_a,
              common.first, (uint32_t)hit, common.feature_b, common.first);
}

static void fill_separation(check *c)
{
    const sc_narrow *n = &c->narrow[0];
    stlclash_separation *s = &c->result->public.separation;
    sc_vec3 a[3], b[3];

    vertices(c, 0, n->nearest_a, a);
    vertices(c, 1, n->nearest_b, b);
    c->result->public.has_separation = true;
    fill_ends(c, s, n->nearest_a, n->nearest.feature_a, n->nearest.on_a, n->nearest_b,
              n->nearest.feature_b, n->nearest.on_b);
    s->distance = sqrt(n->distance_sq);
}

static stlclash_code fill_result(check *c)
{
    const sc_narrow *n = &c->narrow[0];
    stlclash_result *r = &c->result->public;
    stlclash_code code = STLCLASH_OK;
    double distance = sqrt(n->distance_sq);
    sc_findings found = {.complete = c->complete,
                         .crossing = n->crossing_count > 0,
                         .meeting = n->hit_count > 0,
                         .distance = INFINITY};

    r->has_hit_count = c->complete;
    r->hit_count = c->complete ? n->hit_count : 0;
    if (n->hit_count > 0) {
        found.distance = 0.0;
        if (c->complete) {
            code = fill_hits(c);
        }
        if (code == STLCLASH_OK) {
            qsort(n->hits, n->kept, sizeof n->hits[0], by_number);
            fill_meeting_point(c);
        }
    } else if (c->complete && distance <= c->bound) {
        found.distance = distance;
        fill_separation(c);
    } else if (c->complete) {
        sc_result_note(c->result, "distance_not_needed");
    }
    found.box_inside = sc_box_inside(&c->part[0].used_bounds, &c->part[1].used_bounds) ||
                       sc_box_inside(&c->part[1].used_bounds, &c->part[0].used_bounds);
    r->status = sc_verdict(&found, &c->tolerances);
    r->pass = sc_passes(r->status, found.distance, &c->tolerances);
    if (c->given_up) {
        sc_result_note(c->result, c->given_up);
    } else if (!c->complete) {
        sc_result_note(c->result, "stopped_at_proof");
    } else if (r->status == STLCLASH_UNDECIDED) {
        sc_result_note(c->result, "containment_unknown");
    }
    if (found.meeting) {
        sc_result_note(c->result, "overlap_not_computed");
    }
    return code;
}

static void fill_facts(check *c)
{
    stlclash_result *r = &c->result->public;
    for (int i = 0; i < 2; i++) {
        const sc_part *p = &c->part[c->swapped ? 1 - i : i];
        for (int k = 0; k < 3 && !sc_box_is_empty(&p->bounds); k++) {
            r->bounds[i][0][k] = p->bounds.low[k];
            r->bounds[i][1][k] = p->bounds.high[k];
        }
        r->stats.blocks[i] = p->mesh->blocks.count;
        r->stats.blocks_kept[i] = c->tree[c->swapped ? 1 - i : i].blocks_kept;
        r->stats.blocks_opened[i] = sc_octree_opened(&c->tree[c->swapped ? 1 - i : i]);
    }
    if (c->narrow) {
        r->stats.triangle_pairs = c->narrow[0].pair_count;
        r->stats.exact_calls = c->narrow[0].exact_calls;
    }
    r->resolution = c->tolerances.resolution;
    r->touch_gap = c->tolerances.touch_gap;
    r->clearance_slack = c->tolerances.clearance_slack;
}

/* ---- all of it ----------------------------------------------------------- */

static stlclash_code run(check *c, const stlclash_mesh *a, const stlclash_mesh *b)
{
    stlclash_code code = place_parts(c, a, b);
    if (code != STLCLASH_OK) {
        return code;
    }
    if (a->file.facets.count == 0 || b->file.facets.count == 0) {
        sc_result_note(c->result, "no_triangles");
        return STLCLASH_OK;
    }
    c->tolerances = sc_tolerances_make(
        &c->options, fmax(sc_box_reach(&c->part[0].bounds), sc_box_reach(&c->part[1].bounds)));
    if (!start_narrow(c)) {
        return sc_error_memory(c->error);
    }
    choose_bound(c);
    code = build_trees(c);
    if (code == STLCLASH_OK) {
        code = search(c);
    }
    return code == STLCLASH_OK ? fill_result(c) : code;
}

stlclash_code stlclash_check(const stlclash_mesh *a, const stlclash_mesh *b,
                             const stlclash_options *options, stlclash_result **result,
                             stlclash_error *error)
{
    check c = {.options = options ? *options : stlclash_options_default(), .error = error};

    *result = NULL;
    clock_gettime(CLOCK_MONOTONIC, &c.start);
    stlclash_code code = check_options(&c.options, error);
    if (code != STLCLASH_OK) {
        return code;
    }
    c.result = sc_result_make();
    code = c.result ? run(&c, a, b) : sc_error_memory(error);
    if (code == STLCLASH_OK) {
        fill_facts(&c);
        *result = &c.result->public;
    } else {
        stlclash_result_free(c.result ? &c.result->public : NULL);
    }
    for (int i = 0; c.narrow && i < c.threads; i++) {
        sc_narrow_free(&c.narrow[i]);
    }
    sc_free(c.narrow);
    sc_octree_free(&c.tree[0]);
    sc_octree_free(&c.tree[1]);
    return code;
}
