/* probe_first.c - whether, and where first, the line of a probe meets a part.
 *
 * Several walks down the tree go on in turns: while one waits for memory, the others
 * work. A walk keeps the triangles that may be met first; where that is one alone and
 * floats have shown it to be passed inside, it only remains to say where. */
#include "base/alloc.h"
#include "base/error.h"
#include "base/float_mode.h"
#include "prober.h"

/* ---- any ----------------------------------------------------------------------------- */

typedef struct any_search {
    const stlclash_prober *prober;
    const sc_segment *segment;
    bool found;
} any_search;

static float find_any(void *context, const sc_probe_bundle *bundle, const sc_probe_lanes *lanes)
{
    any_search *search = context;
    search->found = lanes->sure != 0;
    for (unsigned mask = lanes->maybe; mask != 0 && !search->found; mask &= mask - 1) {
        sc_vec3 v[3];
        sc_prober_facet(search->prober, bundle->triangle[__builtin_ctz(mask)], v);
        search->found = sc_segment_meets(search->segment, v);
    }
    return search->found ? -1.0f : 1.0f;
}

/* ---- first --------------------------------------------------------------------------- */

/* A triangle that may be the first, and between which parameters of the ray. */
typedef struct contender {
    uint32_t triangle;
    float low, high;
    bool sure, down;
} contender;

enum { FEW = 32 };

typedef struct first_search {
    const stlclash_prober *prober;
    const sc_segment *segment;
    const sc_probe_ray *ray;
    float limit; /* the first hit is no later */
    contender list[FEW];
    int count;
    bool too_many;
} first_search;

/* Those that the limit leaves. */
static void drop_late(first_search *search)
{
    int kept = 0;
    for (int i = 0; i < search->count; i++) {
        if (search->list[i].low <= search->limit) {
            search->list[kept++] = search->list[i];
        }
    }
    search->count = kept;
}

static void add_contender(first_search *search, contender c)
{
    if (c.low > search->limit) {
        return;
    }
    search->limit = c.high < search->limit ? c.high : search->limit;
    if (search->count == FEW) {
        drop_late(search);
    }
    if (search->count < FEW) {
        search->list[search->count++] = c;
    } else {
        search->too_many = true;
    }
}

/* A triangle that is not sure: where it meets the segment, on the ray. */
static void settle(first_search *search, uint32_t triangle)
{
    sc_vec3 v[3];
    sc_prober_facet(search->prober, triangle, v);
    if (!sc_segment_meets(search->segment, v)) {
        return;
    }
    double t = sc_segment_meet(search->segment, v).from.t;
    double part = search->ray->t1 - search->ray->t0;
    double at = (t - search->ray->t0) / part, error = 0x1p-18 + 0x1p-38 / part; /* of t: 2^-40 */
    contender c = {.triangle = triangle, .low = 0.0f, .high = 1.0f};
    if (error < 1.0) { /* not so where the part is far smaller than the probe */
        c.low = (float)(at - error);
        c.high = (float)sc_fmin(at + error, 1.0);
    }
    add_contender(search, c);
}

static float find_first(void *context, const sc_probe_bundle *bundle, const sc_probe_lanes *lanes)
{
    first_search *search = context;

    for (unsigned mask = lanes->sure; mask != 0; mask &= mask - 1) {
        int i = __builtin_ctz(mask);
        const sc_facets *facets = &search->prober->part->mesh->file.facets;
        const unsigned char *facet = facets->first + (size_t)bundle->triangle[i] * facets->stride;
        __builtin_prefetch(facet);
        __builtin_prefetch(facet + SC_FACET_BYTES - 1);
        add_contender(search, (contender){.triangle = bundle->triangle[i],
                                          .low = lanes->t[i] - lanes->t_error[i],
                                          .high = lanes->t[i] + lanes->t_error[i],
                                          .sure = true,
                                          .down = lanes->down[i] > 0.0f});
    }
    for (unsigned mask = lanes->maybe; mask != 0; mask &= mask - 1) {
        settle(search, bundle->triangle[__builtin_ctz(mask)]);
    }
    return search->too_many ? -1.0f : search->limit;
}

/* The first of the places, which are freed; *count is how many there were. */
static void take_first(sc_places *places, sc_place_met *first, size_t *count)
{
    *count = places->count;
    if (places->count > 0) {
        *first = places->items[0];
    }
    sc_free(places->items);
}

/* The first of all places; *count is 0 where there is none. */
static bool first_of_all(const first_search *search, sc_place_met *first, size_t *count)
{
    sc_places places;
    if (!sc_places_find(search->prober, search->segment, &places)) {
        return false;
    }
    take_first(&places, first, count);
    return true;
}

/* The first place among the contenders that are left; a stretch may go on with triangles
 * that are not among them. */
static bool first_of_list(const first_search *search, sc_place_met *first, size_t *count)
{
    uint32_t triangles[FEW];
    sc_places places;

    for (int i = 0; i < search->count; i++) {
        triangles[i] = search->list[i].triangle;
    }
    if (!sc_places_of(search->prober, search->segment, triangles, (size_t)search->count, &places)) {
        return false;
    }
    take_first(&places, first, count);
    bool stretch = *count > 0 && sc_stop_compare(search->segment, &first->from, &first->to) < 0;
    return stretch ? first_of_all(search, first, count) : true;
}

/* One triangle, passed inside: what sc_place_hit would make of it. */
static void hit_sure(const first_search *search, double unit, stlclash_probe_hit *hit)
{
    const contender *c = &search->list[0];
    sc_vec3 v[3];

    sc_prober_facet(search->prober, c->triangle, v);
    double t = sc_segment_plane(search->segment, v).t;
    sc_vec3 p = sc_segment_point(search->segment, t);
    bool enters = c->down != sc_prober_turned(search->prober, c->triangle);
    *hit = (stlclash_probe_hit){.t = t * unit,
                                .t_end = t * unit,
                                .point = {p.x, p.y, p.z},
                                .point_end = {p.x, p.y, p.z},
                                .triangle = c->triangle,
                                .triangles = 1,
                                .feature = STLCLASH_FACE,
                                .passing = enters ? STLCLASH_ENTERS : STLCLASH_LEAVES};
}

/* False if memory ran out; *hit is left alone where nothing is met. */
static bool conclude(first_search *search, double unit, stlclash_probe_hit *hit)
{
    sc_place_met first;
    size_t count = 0;

    drop_late(search);
    if (search->count == 1 && search->list[0].sure && !search->too_many) {
        hit_sure(search, unit, hit);
        return true;
    }
    if (search->too_many) {
        if (!first_of_all(search, &first, &count)) {
            return false;
        }
    } else if (search->count > 0 && !first_of_list(search, &first, &count)) {
        return false;
    }
    if (count > 0) {
        *hit = sc_place_hit(search->segment, unit, &first);
    }
    return true;
}

/* ---- many in turns --------------------------------------------------------------------- */

/* So many walks hide the time that memory takes; more only fill the cache. */
enum { TURNS = 16 };

typedef struct probing {
    size_t probe; /* its number */
    bool walked;  /* and what it found is on its way into the cache */
    sc_segment segment;
    double unit;
    any_search any;
    first_search first;
    sc_probe_walk walk;
} probing;

/* The probes that are asked for, and what is answered: one of `hits` and `found`. */
typedef struct request {
    const stlclash_prober *prober;
    const stlclash_probe *probes;
    size_t count, next;
    stlclash_probe_hit *hits;
    bool *found;
    stlclash_error *error;
} request;

/* Gives the turn the next probe that comes near the part; *started is false where there is
 * none. */
static stlclash_code start_next(request *asked, probing *turn, bool *started)
{
    const sc_probe_tree *tree = &asked->prober->part->tree;

    *started = false;
    while (asked->next < asked->count && !*started) {
        size_t i = asked->next++;
        stlclash_code code = sc_prober_segment(asked->prober, &asked->probes[i], &turn->segment,
                                               &turn->unit, NULL, asked->error);
        if (code != STLCLASH_OK) {
            return code;
        }
        if (asked->hits) {
            asked->hits[i].triangles = 0; /* the rest is not written in vain */
        } else {
            asked->found[i] = false;
        }
        turn->probe = i;
        *started = tree->node_count > 0 &&
                   sc_probe_ray_make(tree, &asked->prober->pose, &turn->segment, &turn->walk.ray);
    }
    turn->walked = false;
    if (*started) {
        turn->any = (any_search){.prober = asked->prober, .segment = &turn->segment};
        turn->first.prober = asked->prober;
        turn->first.segment = &turn->segment;
        turn->first.ray = &turn->walk.ray;
        turn->first.limit = 1.0f;
        turn->first.count = 0;
        turn->first.too_many = false;
        sc_probe_start(&turn->walk, 1.0f);
    }
    return STLCLASH_OK;
}

static bool step(const request *asked, probing *turn)
{
    const sc_probe_tree *tree = &asked->prober->part->tree;
    return asked->hits ? sc_probe_step(tree, &turn->walk, find_first, &turn->first)
                       : sc_probe_step(tree, &turn->walk, find_any, &turn->any);
}

static stlclash_code answer(const request *asked, probing *turn)
{
    if (!asked->hits) {
        asked->found[turn->probe] = turn->any.found;
        return STLCLASH_OK;
    }
    return conclude(&turn->first, turn->unit, &asked->hits[turn->probe])
               ? STLCLASH_OK
               : sc_error_memory(asked->error);
}

/* Puts another probe in place of one that is done; its turn is over if there is none. */
static stlclash_code take_turns(request *asked, probing *turns, int most)
{
    int count = 0;
    bool started = true;
    stlclash_code code = STLCLASH_OK;

    while (count < most && started && code == STLCLASH_OK) {
        code = start_next(asked, &turns[count], &started);
        count += started;
    }
    int active[TURNS];
    for (int i = 0; i < count; i++) {
        active[i] = i;
    }
    while (count > 0 && code == STLCLASH_OK) {
        for (int i = 0; i < count && code == STLCLASH_OK; i++) {
            probing *turn = &turns[active[i]];
            if (!turn->walked) {
                turn->walked = !step(asked, turn);
                continue;
            }
            code = answer(asked, turn);
            started = false;
            code = code == STLCLASH_OK ? start_next(asked, turn, &started) : code;
            if (!started) {
                active[i--] = active[--count];
            }
        }
    }
    return code;
}

/* One has its turn on the stack; room for many may be too large for a small one. */
static stlclash_code run_one(request *asked)
{
    probing turn;
    return take_turns(asked, &turn, 1);
}

static stlclash_code run(request *asked)
{
    if (asked->count <= 1) {
        return run_one(asked);
    }
    probing *turns = sc_alloc(TURNS, sizeof *turns);
    stlclash_code code = turns ? take_turns(asked, turns, TURNS) : sc_error_memory(asked->error);
    sc_free(turns);
    return code;
}

stlclash_code stlclash_prober_any_many(const stlclash_prober *prober, const stlclash_probe *probes,
                                       size_t count, bool *found, stlclash_error *error)
{
    SC_STANDARD_FLOATS;
    request asked = {
        .prober = prober, .probes = probes, .count = count, .found = found, .error = error};
    return run(&asked);
}

stlclash_code stlclash_prober_first_many(const stlclash_prober *prober,
                                         const stlclash_probe *probes, size_t count,
                                         stlclash_probe_hit *hits, stlclash_error *error)
{
    SC_STANDARD_FLOATS;
    request asked = {
        .prober = prober, .probes = probes, .count = count, .hits = hits, .error = error};
    return run(&asked);
}

stlclash_code stlclash_prober_any(const stlclash_prober *prober, const stlclash_probe *probe,
                                  bool *found, stlclash_error *error)
{
    *found = false;
    return stlclash_prober_any_many(prober, probe, 1, found, error);
}

stlclash_code stlclash_prober_first(const stlclash_prober *prober, const stlclash_probe *probe,
                                    bool *found, stlclash_probe_hit *hit, stlclash_error *error)
{
    hit->triangles = 0;
    stlclash_code code = stlclash_prober_first_many(prober, probe, 1, hit, error);
    *found = code == STLCLASH_OK && hit->triangles > 0;
    return code;
}
