/* depth.c - see depth.h: branch and bound, deepest bound first.
 *
 * In rounds: those that may lie deepest are looked at side by side (depth_look.h), each by itself,
 * and what was found is put together in their order. So it is the same for any number of
 * threads. */
#include "depth.h"

#include "base/alloc.h"
#include "depth_look.h"
#include "depth_region.h"
#include "embedded.h"

#include <string.h>

/* More of them would look at what the best of others lets be dropped. */
enum { LOOKERS = 32 };

struct sc_depth_search {
    sc_depth_request request;
    sc_looker looker[LOOKERS]; /* what all have found is with the first between rounds */
    sc_suspect *heap;          /* the largest bound on top */
    size_t count, capacity;
    uint64_t serial, polled_at, pending;
    bool begun, is_long, out_of_memory, given_up;
    double climbed; /* the best from which none better was found uphill */
};

typedef sc_depth_search search;

/* ---- the queue ----------------------------------------------------------- */

static bool before(const sc_suspect *a, const sc_suspect *b)
{
    return a->bound > b->bound || (a->bound == b->bound && a->serial < b->serial);
}

/* Facets below it that may have to be looked at one by one. */
static uint64_t weight(const sc_suspect *it)
{
    return it->kind == SC_SUSPECT_NODE ? UINT64_C(1) << 3 * (it->level + 2) : 1;
}

static void push(search *s, sc_suspect *it)
{
    if (!sc_make_room(&s->heap, &s->capacity, s->count + 1, sizeof *s->heap)) {
        s->out_of_memory = true;
        return;
    }
    it->serial = s->serial++;
    s->pending += weight(it);
    size_t at = s->count++;
    for (; at > 0 && before(it, &s->heap[(at - 1) / 2]); at = (at - 1) / 2) {
        s->heap[at] = s->heap[(at - 1) / 2];
    }
    s->heap[at] = *it;
}

static sc_suspect pop(search *s)
{
    sc_suspect top = s->heap[0], last = s->heap[--s->count];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= s->count) {
            break;
        }
        if (child + 1 < s->count && before(&s->heap[child + 1], &s->heap[child])) {
            child++;
        }
        if (!before(&s->heap[child], &last)) {
            break;
        }
        s->heap[at] = s->heap[child];
        at = child;
    }
    if (s->count > 0) {
        s->heap[at] = last;
    }
    s->pending -= weight(&top);
    return top;
}

/* ---- rounds ---------------------------------------------------------------- */

static bool has_failed(const search *s)
{
    bool failed = s->out_of_memory;
    for (int i = 0; i < LOOKERS; i++) {
        const sc_surface *surface = s->looker[i].found.surface;
        failed = failed || surface[0].failed || surface[1].failed;
    }
    return failed;
}

/* What it has taken so far, in looks. Long thin facets lie near so much that what a look costs is
 * in the facets. */
static uint64_t looks_taken(const search *s)
{
    uint64_t looks = 0, facets = 0;
    for (int i = 0; i < LOOKERS; i++) {
        const sc_looker *l = &s->looker[i];
        looks += l->looked_at;
        facets += l->found.surface[0].visited + l->found.surface[1].visited;
    }
    return looks + facets / SC_FACETS_A_LOOK;
}

/* Whether there is time for more. */
static bool may_go_on(search *s)
{
    enum { POLL_INTERVAL = 256 };
    const sc_depth_request *r = &s->request;
    const uint64_t looks = looks_taken(s);

    if (looks >= s->polled_at + POLL_INTERVAL) {
        s->polled_at = looks;
        s->given_up = !sc_poll_goes_on(&r->poll);
    }
    /* The look at the clock is cheap, where a round may be long. */
    s->given_up = s->given_up || sc_watch_is_over(r->solid[0]->watch);
    s->given_up = s->given_up || looks > r->budget;
    return !s->given_up && !has_failed(s);
}

static void look(void *context, int number)
{
    sc_look_closer(&((search *)context)->looker[number]);
}

/* Puts together what the first `count` found, and tells it to all that look next. */
static void gather(search *s, int count)
{
    sc_looker *first = &s->looker[0];
    for (int i = 0; i < count; i++) {
        sc_looker *l = &s->looker[i];
        for (int k = 0; k < l->count; k++) {
            push(s, &l->parts[k]);
        }
        l->count = 0;
        sc_deepest_join(&first->found, &l->found);
        memcpy(first->way, l->way, sizeof l->way);
    }
}

/* Gives out the deepest that matter; how many. */
static int give_out(search *s)
{
    const sc_looker *first = &s->looker[0];
    double limit = sc_deepest_limit(&first->found);
    int count = 0;

    for (; count < LOOKERS && s->count > 0 && s->heap[0].bound > limit; count++) {
        sc_looker *l = &s->looker[count];
        l->suspect = pop(s);
        sc_deepest_join(&l->found, &first->found);
        memcpy(l->way, first->way, sizeof l->way);
    }
    return count;
}

/* Uphill from a place that is better than the last one: the way there by halving alone is long. */
static void climb_on(search *s)
{
    sc_deepest *d = &s->looker[0].found;
    if (s->request.threshold >= 0.0 || !(d->best > s->climbed * (1.0 + d->error))) {
        return;
    }
    sc_deepest_climb(d, 0.25);
    s->climbed = d->best;
}

/* A region lies nowhere deeper than all of them. */
static double known_bound(const sc_depth_request *r)
{
    return r->regions && r->all ? r->all->bound : INFINITY;
}

/* Drops what the whole shows to be shallow. */
static void look_at_whole(search *s)
{
    bool depth_of[2];
    sc_look_at_whole(&s->looker[0], depth_of);
    const size_t count = s->count;
    s->count = 0;
    s->pending = 0;
    for (size_t i = 0; i < count; i++) { /* those that are kept take no more room */
        sc_suspect it = s->heap[i];
        it.depth_of[0] = it.depth_of[0] && depth_of[0];
        it.depth_of[1] = it.depth_of[1] && depth_of[1];
        if (it.depth_of[0] || it.depth_of[1]) {
            push(s, &it);
        }
    }
}

/* Once, where a search is long: what takes a look at many facets may well save it more. */
static void look_at_much(search *s)
{
    enum { LONG = 8192 };
    if (s->is_long || looks_taken(s) < LONG) {
        return;
    }
    s->is_long = true;
    look_at_whole(s);
    for (int i = 0; i < LOOKERS; i++) {
        s->looker[i].found.surface[0].by_normals = s->looker[i].found.surface[1].by_normals = true;
    }
}

/* Whether a part is embedded, found out once that takes no longer than the doubts so far, some
 * facets each: then there are no more of them. */
static void settle_doubts(search *s, int x)
{
    enum { FACETS_A_DOUBT = 4 };
    sc_solid *solid = s->request.solid[x];
    sc_surface *first = &s->looker[0].found.surface[x];
    uint64_t doubts = 0;

    for (int i = 0; i < LOOKERS; i++) {
        doubts += s->looker[i].found.surface[x].doubts;
    }
    if (first->embedded || FACETS_A_DOUBT * doubts < solid->part->mesh->file.facets.count) {
        return;
    }
    const bool embedded = sc_solid_is_embedded(solid, &first->failed);
    for (int i = 0; i < LOOKERS && embedded; i++) {
        s->looker[i].found.surface[x].embedded = true;
    }
}

static void begin(search *s)
{
    s->begun = true;
    sc_look_at_all(&s->looker[0], s->request.crew);
    for (int i = 1; i < LOOKERS; i++) {
        s->looker[i].axes = s->looker[0].axes;
    }
    gather(s, 1);
    s->climbed = s->looker[0].found.best;
}

static void run(search *s)
{
    enum { NS_LOOK = 20000 };
    sc_crew *crew = s->request.crew;

    if (!s->begun) {
        begin(s);
    }
    const sc_deepest *found = &s->looker[0].found;
    const double bound = known_bound(&s->request);
    while (!sc_deepest_beaten(found) && sc_deepest_limit(found) < bound && may_go_on(s)) {
        int count = give_out(s);
        if (count == 0) {
            return;
        }
        sc_crew_items(sc_crew_for(crew, (uint64_t)count * NS_LOOK), count, look, s);
        gather(s, count);
        climb_on(s);
        look_at_much(s);
        settle_doubts(s, 0);
        settle_doubts(s, 1);
    }
}

bool sc_depth_tell(const sc_depth_request *request, sc_depth *depth)
{
    sc_deepest d = sc_deepest_make(request);
    sc_deepest_measure(&d.surface[depth->in], depth);
    return !d.surface[depth->in].failed;
}

/* Tries are tidy: none is to be lost because it left the box for that. */
static sc_depth_request tidied(const sc_depth_request *request)
{
    sc_depth_request tidy = *request;
    const sc_deepest d = sc_deepest_make(request);
    tidy.within = sc_surface_tidy_box(&d.surface[0], &request->within);
    return tidy;
}

bool sc_depth_try(const sc_depth_request *request, sc_vec3 place, sc_depth *depth)
{
    const sc_depth_request tidy = tidied(request);
    sc_deepest d = sc_deepest_make(&tidy);
    d.best = depth->depth;
    sc_deepest_try(&d, sc_surface_tidy(&d.surface[0], place));
    for (int x = 0; x < 2; x++) {
        sc_deepest_climb_from(&d, x, place, d.fine, d.best);
    }
    return sc_deepest_tell(&d, depth);
}

/* False if memory ran out on the last way up: then no distance from there counts. */
static bool report(search *s, sc_depth *depth)
{
    const sc_deepest *found = &s->looker[0].found;
    bool told = true;
    *depth = (sc_depth){
        .bound = INFINITY, .in = found->in, .point = found->point, .nearest = found->point};
    if (sc_deepest_beaten(found)) {
        depth->depth = found->best;
    } else if (found->best > 0.0) {
        sc_deepest top = *found; /* what was proven of all others stays */
        sc_deepest_climb_up(&top);
        told = sc_deepest_tell(&top, depth);
    }
    depth->complete = !s->given_up;
    if (!sc_deepest_beaten(found)) {
        const double open = s->count > 0 ? s->heap[0].bound : 0.0;
        const double bound =
            sc_fmin(known_bound(&s->request), sc_fmax(sc_deepest_limit(found), open));
        depth->bound = sc_fmax(bound, depth->depth);
    }
    return told;
}

sc_depth_search *sc_depth_begin(const sc_depth_request *request)
{
    search *s = sc_calloc(1, sizeof *s);
    if (!s) {
        return NULL;
    }
    s->request = tidied(request);
    sc_deepest found = sc_deepest_make(&s->request);
    for (int i = 0; i < LOOKERS; i++) {
        s->looker[i].found = found;
    }
    return s;
}

/* What was found otherwise. */
static void take_over(search *s, const sc_depth *depth)
{
    sc_deepest *found = &s->looker[0].found;
    if (depth->depth > found->best && !sc_same(depth->point, found->point)) {
        found->best = depth->depth;
        found->point = depth->point;
        found->in = depth->in;
    }
}

/* Whether a depth does not tell if it exceeds a threshold, if there is one. */
static bool is_left_open(const sc_depth *depth, double threshold)
{
    return threshold >= 0.0 && depth->depth <= threshold && depth->bound > threshold;
}

bool sc_depth_go_on(sc_depth_search *s, uint64_t budget, sc_depth *depth)
{
    const sc_depth_request *r = &s->request;
    bool told = true;
    s->request.budget = budget;
    if (sc_box_is_empty(&r->within)) {
        *depth = (sc_depth){.complete = true};
    } else if (r->regions && r->all && !is_left_open(r->all, r->threshold) &&
               sc_depth_region_surely_holds(r, s->looker[0].found.surface, r->all->point)) {
        *depth = *r->all;
    } else {
        take_over(s, depth);
        s->given_up = false;
        run(s);
        told = report(s, depth);
    }
    return told && !has_failed(s);
}

uint64_t sc_depth_looks(const sc_depth_search *s)
{
    return looks_taken(s);
}

uint64_t sc_depth_pending(const sc_depth_search *s)
{
    return s->pending;
}

void sc_depth_end(sc_depth_search *s)
{
    if (s) {
        sc_free(s->heap);
        sc_free(s);
    }
}

bool sc_depth_find(const sc_depth_request *request, sc_depth *depth)
{
    *depth = (sc_depth){.complete = false};
    sc_depth_search *s = sc_depth_begin(request);
    const bool good = s && sc_depth_go_on(s, request->budget, depth);
    sc_depth_end(s);
    return good;
}
