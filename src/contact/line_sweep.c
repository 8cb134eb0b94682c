/* line_sweep.c - see line_sweep.h.
 *
 * The line is upright, and goes to the right. Those that it passes through are kept in the order in
 * which it does: of neighbours some edge has one above it and the other below. As long as that is
 * so of all neighbours at any time, none lie over each other (Shamos and Hoey, 1976). What would
 * not find its place is taken out, and held against all others in the end. */
#include "line_sweep.h"

#include "base/alloc.h"
#include "base/hash.h"

#include <stdlib.h>

enum { BELOW = 0, ABOVE = 1 };
#define NONE UINT32_MAX

/* More of them that found no place are too many to be held against all others. */
enum { MANY_ODD = 512 };

/* Where a facet begins or ends. */
typedef struct event {
    double at[2];
    uint32_t item;
    bool begins;
} event;

/* A facet on the line, in a tree by order and in a heap by hash: so it is balanced. */
typedef struct node {
    uint32_t up, child[2];
    uint32_t beside[2]; /* the next on the line; NONE: there is none */
    bool on_line;
    bool struck; /* another one did not find its place for it */
} node;

typedef struct line {
    const sc_seen_facet *seen;
    node *nodes;
    uint32_t root;
    uint32_t odd[MANY_ODD + 1];
    uint32_t odd_count;
} line;

/* ---- the order ------------------------------------------------------------------------------ */

/* Points that are above each other count as if the upright leaned to the right a little. */
static int by_place(const void *a, const void *b)
{
    const event *x = a, *y = b;
    for (int k = 0; k < 2; k++) {
        if (x->at[k] != y->at[k]) {
            return x->at[k] < y->at[k] ? -1 : 1;
        }
    }
    if (x->begins != y->begins) {
        return x->begins ? 1 : -1;
    }
    return (x->item > y->item) - (x->item < y->item);
}

/* On which side of b a is, as an edge of a shows that has b beyond it: 0: none does. */
static int side_by_edge(const sc_seen_facet *a, const sc_seen_facet *b)
{
    const double reach = sc_plane_reach(b->low, b->high);
    for (int k = 0; k < 3; k++) {
        const sc_plane_line e = sc_seen_facet_edge(a, k, reach);
        const bool right = e.way[0] > 0.0 || (e.way[0] == 0.0 && e.way[1] > 0.0);
        if ((e.way[0] != 0.0 || e.way[1] != 0.0) && sc_plane_has_beyond(&e, b)) {
            return right ? 1 : -1;
        }
    }
    return 0;
}

/* 1: a is above b, -1: below; 0: no edge tells. */
static int side_of(const line *l, uint32_t a, uint32_t b)
{
    const int side = side_by_edge(&l->seen[a], &l->seen[b]);
    return side ? side : -side_by_edge(&l->seen[b], &l->seen[a]);
}

/* ---- the tree ------------------------------------------------------------------------------- */

static uint64_t weight(uint32_t item)
{
    return sc_hash_words(item, 1);
}

static int side_in_tree(const line *l, uint32_t item)
{
    return l->nodes[l->nodes[item].up].child[ABOVE] == item;
}

static void put_below(line *l, uint32_t up, int side, uint32_t item)
{
    *(up == NONE ? &l->root : &l->nodes[up].child[side]) = item;
    if (item != NONE) {
        l->nodes[item].up = up;
    }
}

/* Exchanges it with the node above it in the tree. */
static void rise(line *l, uint32_t item)
{
    node *n = l->nodes;
    const uint32_t up = n[item].up, top = n[up].up;
    const int side = side_in_tree(l, item), up_side = top == NONE ? 0 : side_in_tree(l, up);
    put_below(l, up, side, n[item].child[1 - side]);
    put_below(l, item, 1 - side, up);
    put_below(l, top, up_side, item);
}

static void join(line *l, uint32_t below, uint32_t above)
{
    if (below != NONE) {
        l->nodes[below].beside[ABOVE] = above;
    }
    if (above != NONE) {
        l->nodes[above].beside[BELOW] = below;
    }
}

static void put_in(line *l, uint32_t item, uint32_t up, int side, const uint32_t beside[2])
{
    node *n = &l->nodes[item];
    n->child[BELOW] = n->child[ABOVE] = n->beside[BELOW] = n->beside[ABOVE] = NONE;
    n->on_line = true;
    put_below(l, up, side, item);
    join(l, beside[BELOW], item);
    join(l, item, beside[ABOVE]);
    while (n->up != NONE && weight(n->up) < weight(item)) {
        rise(l, item);
    }
}

static void take_off(line *l, uint32_t item)
{
    node *n = &l->nodes[item];
    while (n->child[BELOW] != NONE || n->child[ABOVE] != NONE) {
        const uint32_t *c = n->child;
        const bool above =
            c[BELOW] == NONE || (c[ABOVE] != NONE && weight(c[ABOVE]) > weight(c[BELOW]));
        rise(l, c[above]);
    }
    put_below(l, n->up, n->up == NONE ? 0 : side_in_tree(l, item), NONE);
    join(l, n->beside[BELOW], n->beside[ABOVE]);
    n->on_line = false;
}

/* ---- the sweep ------------------------------------------------------------------------------ */

static void add_odd(line *l, uint32_t item)
{
    if (l->odd_count <= MANY_ODD) {
        l->odd[l->odd_count++] = item;
    }
}

/* It leaves the line; so do some of those that come to lie beside each other for that, and are not
 * in order. */
static void leave(line *l, uint32_t item)
{
    for (;;) {
        const uint32_t below = l->nodes[item].beside[BELOW], above = l->nodes[item].beside[ABOVE];
        take_off(l, item);
        if (below == NONE || above == NONE || side_of(l, above, below) > 0) {
            return;
        }
        item = l->nodes[below].struck ? below : above;
        add_odd(l, item);
    }
}

/* Whether it found its place. *by: the one on the line for which it did not. */
static bool find_place(line *l, uint32_t item, uint32_t *by)
{
    uint32_t beside[2] = {NONE, NONE}, up = NONE;
    int side = 0;

    for (uint32_t at = l->root; at != NONE; at = l->nodes[at].child[side]) {
        const int on = side_of(l, item, at);
        if (on == 0) {
            *by = at;
            return false;
        }
        up = at;
        side = on > 0 ? ABOVE : BELOW;
        beside[1 - side] = at;
    }
    put_in(l, item, up, side, beside);
    return true;
}

/* One for which two others do not find their place is taken out in place of them: as a large one is
 * that lies over many. */
static void enter(line *l, uint32_t item)
{
    uint32_t by;
    while (!find_place(l, item, &by)) {
        if (!l->nodes[by].struck) {
            l->nodes[by].struck = true;
            add_odd(l, item);
            return;
        }
        add_odd(l, by);
        leave(l, by);
    }
}

static void sweep(line *l, const event *events, size_t count)
{
    for (size_t i = 0; i < count && l->odd_count <= MANY_ODD; i++) {
        const uint32_t item = events[i].item;
        if (events[i].begins) {
            enter(l, item);
        } else if (l->nodes[item].on_line) {
            leave(l, item);
        }
    }
}

/* The first and the last of its corners that the line comes to. */
static void find_ends(const sc_seen_facet *facet, uint32_t item, event ends[2])
{
    event corner[3];
    for (int k = 0; k < 3; k++) {
        corner[k] = (event){{facet->corner[k][0], facet->corner[k][1]}, item, true};
    }
    ends[0] = ends[1] = corner[0];
    for (int k = 1; k < 3; k++) {
        ends[0] = by_place(&corner[k], &ends[0]) < 0 ? corner[k] : ends[0];
        ends[1] = by_place(&corner[k], &ends[1]) > 0 ? corner[k] : ends[1];
    }
}

/* Of those that are more than a point. */
static size_t list_events(const sc_seen_facet *seen, uint32_t count, event *events)
{
    size_t listed = 0;
    for (uint32_t i = 0; i < count; i++) {
        event *ends = &events[listed];
        find_ends(&seen[i], i, ends);
        listed += by_place(&ends[0], &ends[1]) < 0 ? 2 : 0;
        ends[1].begins = false;
    }
    qsort(events, listed, sizeof *events, by_place);
    return listed;
}

static void mark_odd(const line *l, uint32_t count, bool *marked)
{
    for (uint32_t i = 0; i < l->odd_count; i++) {
        const uint32_t odd = l->odd[i];
        for (uint32_t k = 0; k < count; k++) {
            if (k != odd && !(marked[odd] && marked[k]) &&
                sc_seen_facets_overlie(&l->seen[odd], &l->seen[k])) {
                marked[odd] = marked[k] = true;
            }
        }
    }
}

bool sc_line_sweep(const sc_seen_facet *seen, uint32_t count, bool *marked, bool *told)
{
    line l = {.seen = seen, .root = NONE};
    l.nodes = sc_calloc(count, sizeof *l.nodes);
    event *events = sc_alloc(2 * (size_t)count, sizeof *events);
    const bool good = l.nodes && events;

    if (good) {
        sweep(&l, events, list_events(seen, count, events));
        *told = l.odd_count <= MANY_ODD;
        mark_odd(&l, *told ? count : 0, marked);
    }
    sc_free(l.nodes);
    sc_free(events);
    return good;
}
