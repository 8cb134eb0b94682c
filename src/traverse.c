/* traverse.c - see traverse.h. */
#include "traverse.h"

#include "base/alloc.h"
#include "descend.h"
#include "turns.h"

#include <stdlib.h>
#include <time.h>

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Takes so many pieces; false if there are no more. */
static bool walk_pieces(sc_walker *w, size_t count)
{
    sc_search *search = w->search;
    const size_t first = atomic_fetch_add(&search->next, count);
    for (w->piece = first; w->piece < first + count; w->piece++) {
        if (w->piece >= search->queue_count || sc_walker_is_over(w)) {
            return false;
        }
        sc_walker_descend(w, search->queue[w->piece]);
    }
    return true;
}

/* Pieces that follow each other have nodes in common, which two threads would open at the same time
 * and either would load: so each takes some, but no more than leaves enough for the others. */
static size_t how_many(const sc_search *search)
{
    enum { MOST = 32, SHARES = 8 }; /* of what is left, for each thread */
    const size_t next = search->next, count = search->queue_count;
    const size_t shares = SHARES * (size_t)sc_crew_threads(search->traversal->crew);
    const size_t share = next < count ? (count - next) / shares : 0;
    return share < 1 ? 1 : share < MOST ? share : MOST;
}

static void end_walk(sc_walker *w)
{
    atomic_fetch_add(&w->search->box_tests, w->box_tests);
    sc_walker_free(w);
}

static void walk(void *context, int thread)
{
    sc_walker w;
    sc_walker_init(&w, context, thread);
    while (walk_pieces(&w, how_many(w.search))) {
    }
    end_walk(&w);
}

/* How long what is left of the queue will take where `done` pieces have taken `spent`: the nearest
 * pairs, which are first, mostly take longest. */
static uint64_t time_left(const sc_search *search, uint64_t done, uint64_t spent)
{
    const uint64_t left = search->queue_count - search->next;
    return (uint64_t)((double)spent / (double)(done > 0 ? done : 1) * (double)left);
}

static bool is_over(const sc_search *search)
{
    return search->next >= search->queue_count || search->halt || search->settled != UINT64_MAX;
}

/* As long as what is left does not seem to be worth calling upon others. */
static void walk_alone(sc_search *search)
{
    enum { SHORT_NS = 300000 };
    const uint64_t start = now_ns(), first = search->next;
    uint64_t spent = 0;
    sc_walker w;

    sc_walker_init(&w, search, 0);
    do {
        const uint64_t until = start + spent + SHORT_NS;
        while (now_ns() < until && walk_pieces(&w, 1)) {
        }
        spent = now_ns() - start;
    } while (!is_over(search) &&
             !sc_crew_for(search->traversal->crew, time_left(search, search->next - first, spent)));
    end_walk(&w);
}

static void walk_all(sc_search *search)
{
    enum { LARGE = 2500 };
    const sc_traversal *t = search->traversal;
    if (t->crew && t->a->blocks_kept + t->b->blocks_kept <= LARGE) {
        walk_alone(search);
    }
    if (!is_over(search)) {
        sc_crew_items(t->crew, sc_crew_threads(t->crew), walk, search);
    }
}

/* Pieces of work: enough of them that no thread waits long for the last. */
enum { PIECES = 512, MOST_PIECES = 8 * PIECES };

/* Whether the pair that was pushed first is to be divided. Few that are larger than the others may
 * hold a good part of all work: then a level is divided to its end. */
static bool is_coarse(const sc_walker *w, size_t first)
{
    const sc_node_pair *old = &w->waiting[first], *young = &w->waiting[w->count - 1];
    size_t pieces = w->count - first;
    bool larger = old->level[0] + old->level[1] > young->level[0] + young->level[1];
    return pieces < PIECES || (larger && pieces < MOST_PIECES);
}

static bool make_queue(sc_search *search)
{
    sc_traversal *t = search->traversal;
    sc_walker w;
    size_t front = 0; /* what waits is a queue here: the first is divided first */

    sc_walker_init(&w, search, 0);
    sc_walker_push(
        &w, (sc_node_pair){0.0f, {(int8_t)(t->a->levels - 1), (int8_t)(t->b->levels - 1)}, {0, 0}});
    while (front < w.count && is_coarse(&w, front)) {
        sc_node_pair pair = w.waiting[front];
        if (pair.level[0] <= 1 && pair.level[1] <= 1) {
            break; /* opening families is the threads' work */
        }
        front++;
        sc_walker_divide(&w, pair);
    }
    search->box_tests = w.box_tests;
    if (search->out_of_memory) {
        sc_walker_free(&w);
        return false;
    }
    search->queue_count = w.count - front;
    memmove(w.waiting, w.waiting + front, search->queue_count * sizeof w.waiting[0]);
    search->queue = w.waiting;
    return true;
}

/* An order of all: which piece comes first decides which crossing is told. */
static int nearest_first(const void *x, const void *y)
{
    const sc_node_pair *a = x, *b = y;
    if (a->key != b->key) {
        return a->key < b->key ? -1 : 1;
    }
    if (a->level[0] != b->level[0] || a->level[1] != b->level[1]) {
        return a->level[0] != b->level[0] ? a->level[0] - b->level[0] : a->level[1] - b->level[1];
    }
    if (a->index[0] != b->index[0]) {
        return a->index[0] < b->index[0] ? -1 : 1;
    }
    return (a->index[1] > b->index[1]) - (a->index[1] < b->index[1]);
}

/* ---- ties ---------------------------------------------------------------- */

/* Between the closest points of two facets. */
static bool way_between(const sc_traversal *t, uint32_t a, uint32_t b, sc_support_way way[2])
{
    sc_vec3 v[2][3];
    sc_triangle_vertices(t->a->facets, t->a->placement, a, v[0]);
    sc_triangle_vertices(t->b->facets, t->b->placement, b, v[1]);
    const sc_triangle in_a = sc_triangle_make(v[0]), in_b = sc_triangle_make(v[1]);
    if (!sc_support_way_make(&in_a, &in_b, &way[0])) {
        return false;
    }
    way[1] = sc_support_way_back(&way[0]);
    return true;
}

/* How far all facets of a leaf reach. */
static double height_of(const sc_octree *tree, const sc_support_way *way, const sc_leaf *leaf)
{
    double height = -INFINITY;
    for (int i = 0; i < (int)leaf->slab.count; i++) {
        sc_vec3 v[3];
        sc_triangle_vertices(tree->facets, tree->placement, sc_leaf_facet(leaf, i), v);
        height = sc_max(height, sc_support_height(way, v));
    }
    return height;
}

/* Whether most of the last pairs of leaves need not have been looked at, as what they reach along
 * the way shows. */
static bool many_are_tied(const sc_traversal *t, const sc_recent_pairs *recent,
                          const sc_support_way way[2], double bound)
{
    int tied = 0;
    for (int i = 0; i < SC_RECENT_PAIRS; i++) {
        double a = height_of(t->a, &way[0], recent->pair[i][0]);
        double b = height_of(t->b, &way[1], recent->pair[i][1]);
        tied += sc_support_gap(a, b) >= bound * (1.0 - 0x1p-30);
    }
    return tied > SC_RECENT_PAIRS / 2;
}

/* After a look at the nearest pairs: whether many are as near, and then what nodes reach along the
 * way between the closest points. Those are sought from the nearest pair on: all that is known so
 * far may lie to one side, where boxes tell nothing. */
static bool look_for_ties(sc_search *search, const sc_walker *w, sc_supports supports[2])
{
    sc_traversal *t = search->traversal;
    sc_octree *const tree[2] = {t->a, t->b};
    const sc_leaf *const *last = w->recent->pair[0];
    sc_ties ties = w->ties;
    const sc_leaf_pair none = {last[0], last[1], 0, &ties};
    sc_turns turns = {.facet = {ties.a, ties.b}};

    if (!isfinite(ties.distance) || !(search->bound > 0.0)) {
        return true;
    }
    if (!sc_turns_take(tree, &turns)) {
        return false;
    }
    search->bound = t->leaves(w->worker, &none, 0.0f, sc_min(search->bound, turns.distance));
    if (!way_between(t, turns.facet[0], turns.facet[1], ties.way) ||
        !many_are_tied(t, w->recent, ties.way, search->bound)) {
        return true;
    }
    if (!sc_supports_make(t->a, &ties.way[0], &supports[0]) ||
        !sc_supports_make(t->b, &ties.way[1], &supports[1])) {
        return false;
    }
    search->supports = supports;
    ties.compared = true;
    search->bound = t->leaves(w->worker, &none, 0.0f, search->bound);
    return true;
}

/* What is left of the queue once a walker has paused. */
static bool queue_again(sc_search *search, const sc_walker *w)
{
    const size_t first = search->next, left = search->queue_count - first;
    sc_node_pair *queue = sc_alloc(w->count + left, sizeof *queue);

    if (!queue) {
        return false;
    }
    memcpy(queue, w->waiting, w->count * sizeof *queue);
    memcpy(queue + w->count, search->queue + first, left * sizeof *queue);
    sc_free(search->queue);
    search->queue = queue;
    search->queue_count = w->count + left;
    search->next = 0;
    qsort(queue, search->queue_count, sizeof *queue, nearest_first);
    return true;
}

/* Of a search for the distance one thread looks at the first pairs, whatever the others would do:
 * what is seen there must not depend on them. */
static void look_ahead(sc_search *search, sc_supports supports[2])
{
    enum { LEAF_PAIRS = 512 };
    sc_recent_pairs recent;
    sc_walker w;

    sc_walker_init(&w, search, 0);
    w.pause_after = LEAF_PAIRS;
    w.recent = &recent;
    while (w.leaf_pairs < LEAF_PAIRS && search->next < search->queue_count &&
           !sc_walker_is_over(&w)) {
        w.piece = search->next++;
        sc_walker_descend(&w, search->queue[w.piece]);
    }
    const bool over = sc_walker_is_over(&w);
    search->box_tests += w.box_tests;
    if (over) {
        search->next = search->queue_count;
    } else if (w.leaf_pairs >= LEAF_PAIRS) {
        if (!look_for_ties(search, &w, supports) || !queue_again(search, &w)) {
            search->out_of_memory = search->halt = true;
        }
    }
    sc_walker_free(&w);
}

void sc_traverse(sc_traversal *traversal)
{
    sc_search search = {.traversal = traversal};
    sc_supports supports[2] = {{.tree = NULL}, {.tree = NULL}};

    traversal->stopped = traversal->out_of_memory = false;
    traversal->settled_by = -1;
    atomic_init(&search.bound, traversal->bound);
    atomic_init(&search.settled, UINT64_MAX);
    if (!make_queue(&search)) {
        traversal->out_of_memory = true;
        return;
    }
    qsort(search.queue, search.queue_count, sizeof search.queue[0], nearest_first);
    if (traversal->measures) {
        look_ahead(&search, supports);
    }
    walk_all(&search);
    sc_free(search.queue);
    sc_supports_free(&supports[0]);
    sc_supports_free(&supports[1]);
    if (search.settled != UINT64_MAX) {
        traversal->settled_by = (int)(search.settled & 0xff);
        search.stopped = true;
    }
    traversal->stopped = search.stopped;
    traversal->out_of_memory = search.out_of_memory;
    traversal->box_tests = search.box_tests;
}
