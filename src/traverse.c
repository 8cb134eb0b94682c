/* traverse.c - see traverse.h. */
#include "traverse.h"

#include "base/alloc.h"
#include "descend.h"

#include <stdlib.h>
#include <time.h>

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Takes pieces until none is left, or until some time. */
static void walk_pieces(sc_search *search, int thread, uint64_t until)
{
    sc_walker w;

    sc_walker_init(&w, search, thread);
    while (until == UINT64_MAX || now_ns() < until) {
        w.piece = atomic_fetch_add(&search->next, 1);
        if (w.piece >= search->queue_count || sc_walker_is_over(&w)) {
            break;
        }
        sc_walker_descend(&w, search->queue[w.piece]);
    }
    atomic_fetch_add(&search->box_tests, w.box_tests);
    sc_walker_free(&w);
}

static void walk(void *context, int thread)
{
    walk_pieces(context, thread, UINT64_MAX);
}

/* Of small trees when the work is seen to be long, other threads are called upon. */
static void walk_all(sc_search *search)
{
    enum { SHORT_NS = 400000, LARGE = 2500 };
    const sc_traversal *t = search->traversal;
    if (!t->crew || t->a->blocks_kept + t->b->blocks_kept <= LARGE) {
        walk_pieces(search, 0, t->crew ? now_ns() + SHORT_NS : UINT64_MAX);
    }
    if (search->next < search->queue_count && !search->halt && search->settled == UINT64_MAX) {
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

void sc_traverse(sc_traversal *traversal)
{
    sc_search search = {.traversal = traversal};

    traversal->stopped = traversal->out_of_memory = false;
    traversal->settled_by = -1;
    atomic_init(&search.bound, traversal->bound);
    atomic_init(&search.settled, UINT64_MAX);
    if (!make_queue(&search)) {
        traversal->out_of_memory = true;
        return;
    }
    qsort(search.queue, search.queue_count, sizeof search.queue[0], nearest_first);
    walk_all(&search);
    sc_free(search.queue);
    if (search.settled != UINT64_MAX) {
        traversal->settled_by = (int)(search.settled & 0xff);
        search.stopped = true;
    }
    traversal->stopped = search.stopped;
    traversal->out_of_memory = search.out_of_memory;
    traversal->box_tests = search.box_tests;
}
