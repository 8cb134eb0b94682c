/* descend.c - see descend.h. */
#include "descend.h"

#include "base/alloc.h"

/* ---- the bound ----------------------------------------------------------- */

/* The triangles' own distance is computed with an error of up to 2^-50 of their extent, at most 2
 * in the frame; a bound of 0 is that of a common point, which is found exactly. */
static const double distance_error = 0x1p-46;

static inline void see_bound(sc_walker *w)
{
    double bound = atomic_load_explicit(&w->search->bound, memory_order_relaxed);
    if (bound != w->bound) {
        w->bound = bound;
        w->limit = sc_frame_limit(&w->search->traversal->a->frame, bound,
                                  bound > 0.0 ? distance_error : 0.0);
    }
}

static void lower_bound(sc_walker *w, double bound)
{
    double old = atomic_load_explicit(&w->search->bound, memory_order_relaxed);
    while (bound < old && !atomic_compare_exchange_weak(&w->search->bound, &old, bound)) {
    }
    see_bound(w);
}

/* ---- stopping ------------------------------------------------------------ */

static void fail(sc_walker *w)
{
    atomic_store(&w->search->out_of_memory, true);
    atomic_store(&w->search->halt, true);
}

static void give_up(sc_walker *w)
{
    atomic_store(&w->search->stopped, true);
    atomic_store(&w->search->halt, true);
}

/* What was found in a piece of the queue counts unless an earlier one has something, too. */
static void settle(sc_walker *w)
{
    uint64_t mine = (uint64_t)w->piece << 8 | (uint64_t)w->thread;
    uint64_t old = atomic_load(&w->search->settled);
    while (mine < old && !atomic_compare_exchange_weak(&w->search->settled, &old, mine)) {
    }
}

bool sc_walker_is_over(const sc_walker *w)
{
    return atomic_load_explicit(&w->search->halt, memory_order_relaxed) ||
           w->piece >= atomic_load_explicit(&w->search->settled, memory_order_relaxed) >> 8;
}

/* ---- ties ---------------------------------------------------------------- */

/* Whether no pair of facets below two nodes, or leaves, is nearer than what is known along the way
 * of ties, nor as near with lower numbers. Pairs at the bound count that others have lowered. */
static bool are_tied(sc_walker *w, sc_node a, sc_node b)
{
    const sc_supports *supports = w->search->supports;
    const sc_ties *ties = &w->ties;
    sc_support in_a, in_b;

    if (!sc_support_of(&supports[0], w->clusters[0], a, &in_a) ||
        !sc_support_of(&supports[1], w->clusters[1], b, &in_b)) {
        fail(w);
        return true;
    }
    const double gap = sc_support_gap(in_a.height, in_b.height);
    const bool higher = in_a.lowest > ties->a || (in_a.lowest == ties->a && in_b.lowest >= ties->b);
    return gap > w->bound || (gap == w->bound && ties->distance == gap && higher);
}

/* To know of a large node takes a look at all below it, of which most mostly lies far off. */
static inline bool tied(sc_walker *w, sc_node a, sc_node b)
{
    enum { LARGEST = 3 };
    return w->ties.compared && a.level <= LARGEST && b.level <= LARGEST && are_tied(w, a, b);
}

/* ---- what waits ---------------------------------------------------------- */

static bool reserve(sc_walker *w, size_t more)
{
    bool room = sc_make_room(&w->waiting, &w->capacity, w->count + more, sizeof *w->waiting);
    if (!room) {
        fail(w);
    }
    return room;
}

void sc_walker_push(sc_walker *w, sc_node_pair pair)
{
    if (reserve(w, 1)) {
        w->waiting[w->count++] = pair;
    }
}

/* Pushes the pairs of one node, of A if a_fixed, with the children in the mask of the other one of
 * `base`, which has the level of the children already. */
static void push_row(sc_walker *w, unsigned mask, const float distance_sq[8], sc_node_pair base,
                     bool a_fixed)
{
    const uint32_t first = 8 * base.index[a_fixed];
    for (; mask != 0; mask &= mask - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(mask);
        sc_node_pair pair = base;
        pair.key = distance_sq[i];
        pair.index[a_fixed] = first + i;
        w->waiting[w->count++] = pair;
    }
}

/* ---- leaves -------------------------------------------------------------- */

/* Each may take microseconds, and all of them may lie below one pair of nodes. */
static void hand_over(sc_walker *w, const sc_leaf_pair *pair)
{
    if (sc_watch_ends(w->search->traversal->watch, (size_t)++w->leaf_pairs)) {
        give_up(w);
        return;
    }
    double bound = w->search->traversal->leaves(w->worker, pair, w->limit, w->bound);
    if (bound < 0.0) { /* SC_STOP */
        settle(w);
    } else if (bound < w->bound) {
        lower_bound(w, bound);
    }
    if (w->recent) {
        const sc_leaf **last = w->recent->pair[w->leaf_pairs % SC_RECENT_PAIRS];
        last[0] = pair->a;
        last[1] = pair->b;
    }
}

static void leaf_pair(sc_walker *w, const sc_leaf *a, const sc_leaf *b)
{
    hand_over(w, &(sc_leaf_pair){a, b, UINT64_MAX, &w->ties});
}

/* The pairs of children of two nodes within the limit. All boxes of `b` are in the box all_b. */
static void near_children(sc_walker *w, const sc_octet *a, const sc_octet *b, const sc_fbox *all_b,
                          sc_near_pairs *near)
{
    float unused[8];
    unsigned rows = w->octets->near_boxes(all_b, a, w->limit, unused);
    w->octets->near_pairs(a, b, sc_rows_of(rows), w->limit, near);
    w->box_tests += 64;
}

/* Whether the slabs of two leaves keep them apart. Their facets tell better, but must be loaded: so
 * the planes are asked for as long as that pays, and else for one pair in a few. */
static bool leaves_apart(sc_walker *w, const sc_opened *a, int i, const sc_opened *b, int j)
{
    enum { ONE_IN = 16, MOST = 64, REWARD = 3 };
    const sc_slab *slab_a = &a->leaves[i].slab, *slab_b = &b->leaves[j].slab;

    if (w->slabs_pay < 0 && w->leaf_pairs % ONE_IN != 0) {
        return sc_slabs_pass(slab_a, slab_b, w->limit);
    }
    float centre_a[4], centre_b[4];
    sc_octet_centre(&a->boxes, (size_t)i, centre_a);
    sc_octet_centre(&b->boxes, (size_t)j, centre_b);
    const bool apart = sc_slabs_apart(slab_a, centre_a, slab_b, centre_b, w->limit);
    w->slabs_pay += apart ? REWARD : -1;
    w->slabs_pay = w->slabs_pay > MOST ? MOST : w->slabs_pay < -MOST ? -MOST : w->slabs_pay;
    return apart;
}

/* Two clusters of like size: their leaves one pair after the other, none of which waits. */
static void cluster_pair(sc_walker *w, uint32_t a, uint32_t b, const sc_fbox *box_b)
{
    sc_traversal *t = w->search->traversal;
    const sc_opened *in_a = sc_octree_cluster(t->a, a), *in_b = sc_octree_cluster(t->b, b);
    sc_near_pairs near;

    if (!in_a || !in_b) {
        fail(w);
        return;
    }
    near_children(w, &in_a->boxes, &in_b->boxes, box_b, &near);
    for (uint64_t rest = near.set; rest != 0;) {
        int i = __builtin_ctzll(rest) / 8;
        const sc_leaf *leaf_a = &in_a->leaves[i];
        unsigned row = rest >> 8 * i & 0xff;

        see_bound(w);
        rest ^= (uint64_t)row << 8 * i;
        for (; row != 0; row &= row - 1) {
            int j = __builtin_ctz(row);
            const sc_leaf *leaf_b = &in_b->leaves[j];
            if (near.distance_sq[i][j] <= w->limit && !leaves_apart(w, in_a, i, in_b, j) &&
                !tied(w, (sc_node){8 * a + (uint32_t)i, -1}, (sc_node){8 * b + (uint32_t)j, -1})) {
                leaf_pair(w, leaf_a, leaf_b);
                if (sc_walker_is_over(w)) {
                    return;
                }
            }
        }
    }
}

/* ---- wide leaves ----------------------------------------------------------- */

/* A leaf against nodes that are much smaller: together its facets are thick where the surface
 * bends, and each of them is flat. So each goes down the other tree by its own plane, and those
 * that come to the same node go on together. */

/* How many times as large as the node a leaf is then. */
static const float wider_by = 2.0f;

static sc_octree *other_tree(const sc_walker *w)
{
    const sc_traversal *t = w->search->traversal;
    return w->wide.of_a ? t->b : t->a;
}

/* Of the facets in the mask and eight boxes those that are near. */
static void near_facets(sc_walker *w, unsigned facets, const sc_octet *boxes, sc_near_pairs *near)
{
    const sc_wide_leaf *own = &w->wide;
    w->octets->near_facets(&own->loaded.facets, &own->loaded.boxes, facets, boxes, own->margin,
                           w->limit, near);
    w->box_tests += 8;
}

static void wide_and_leaf(sc_walker *w, unsigned facets, const sc_leaf *leaf)
{
    const sc_wide_leaf *wide = &w->wide;
    hand_over(w, wide->of_a ? &(sc_leaf_pair){wide->leaf, leaf, sc_rows_of(facets), &w->ties}
                            : &(sc_leaf_pair){leaf, wide->leaf, sc_columns_of(facets), &w->ties});
}

/* The children of a node that some facet is near, each with these facets. */
typedef struct nearby {
    unsigned children; /* a mask */
    unsigned facets[8];
    float distance_sq[8]; /* from the nearest one */
} nearby;

static nearby nearby_of(const sc_near_pairs *near)
{
    nearby n = {.children = 0};
    for (uint64_t rest = near->set; rest != 0; rest &= rest - 1) {
        int pair = __builtin_ctzll(rest), i = pair / 8, j = pair % 8;
        float sq = near->distance_sq[i][j];
        n.distance_sq[j] = n.facets[j] == 0 || sq < n.distance_sq[j] ? sq : n.distance_sq[j];
        n.facets[j] |= 1u << i;
        n.children |= 1u << j;
    }
    return n;
}

static int take_nearest(nearby *n)
{
    int nearest = __builtin_ctz(n->children);
    for (unsigned rest = n->children; rest != 0; rest &= rest - 1) {
        int j = __builtin_ctz(rest);
        nearest = n->distance_sq[j] < n->distance_sq[nearest] ? j : nearest;
    }
    n->children ^= 1u << nearest;
    return nearest;
}

static void ball_around(const sc_fbox *box, float centre[4], float *radius)
{
    float sum = 0.0f;
    sc_fbox_centre(box, centre);
    for (int k = 0; k < 3; k++) {
        float above = box->high[k] - centre[k], below = centre[k] - box->low[k];
        float half = above > below ? above : below;
        sum += half * half;
    }
    *radius = sqrtf(sum) * (1.0f + 0x1p-20f);
}

/* Of the facets in the mask those that the node is near: as a ball it tells how far a facet itself
 * is, as a slab how far its plane. */
static unsigned near_node(sc_walker *w, unsigned facets, sc_octree *tree, sc_node node)
{
    const sc_wide_leaf *own = &w->wide;
    const sc_octet_facets *own_facets = &own->loaded.facets;
    const sc_fbox box = sc_octree_box(tree, node);
    float centre[4], radius;
    ball_around(&box, centre, &radius);
    facets = w->octets->near_ball(own_facets, facets, centre, radius, own->margin, w->limit);
    if (facets == 0 || node.level > 0) {
        return facets;
    }
    return w->octets->facing(own_facets, facets, sc_octree_slab(tree, node.level, node.index),
                             centre, own->margin, w->limit);
}

/* The same of the wide leaf and a node. */
static bool wide_tied(sc_walker *w, sc_node node)
{
    const sc_node leaf = {w->wide.index, -1};
    return w->wide.of_a ? tied(w, leaf, node) : tied(w, node, leaf);
}

static void wide_and_node(sc_walker *w, unsigned facets, sc_node node)
{
    sc_octree *tree = other_tree(w);
    const sc_octet *boxes;
    sc_near_pairs near;

    facets = near_node(w, facets, tree, node);
    if (facets == 0 || wide_tied(w, node)) {
        return;
    }
    if (node.level < 0) {
        wide_and_leaf(w, facets, sc_octree_leaf(tree, node.index));
        return;
    }
    if (!(boxes = sc_octree_children(tree, node.level, node.index))) {
        fail(w);
        return;
    }
    near_facets(w, facets, boxes, &near);
    for (nearby n = nearby_of(&near); n.children != 0 && !sc_walker_is_over(w);) {
        int j = take_nearest(&n);
        see_bound(w);
        if (n.distance_sq[j] <= w->limit) {
            wide_and_node(w, n.facets[j], (sc_node){8 * node.index + (uint32_t)j, node.level - 1});
        }
    }
}

/* Of a leaf and a node whose boxes these are; `of_a`: whose leaf it is. */
static void wide_pair(sc_walker *w, uint32_t index, bool of_a, const sc_fbox *leaf_box,
                      sc_node node, const sc_fbox *node_box)
{
    const sc_traversal *t = w->search->traversal;
    sc_octree *tree = of_a ? t->a : t->b;
    const sc_leaf *leaf = sc_octree_leaf(tree, index);
    float reach = 0.0f; /* no two points of theirs are farther apart */

    w->wide.of_a = of_a;
    w->wide.index = index;
    if (w->wide.leaf != leaf) {
        w->wide.leaf = leaf;
        sc_sift_load_leaf(tree, leaf, &w->wide.loaded.facets.corners);
        w->octets->planes(&w->wide.loaded.facets);
        w->octets->boxes(&w->wide.loaded.facets.corners,
                         sc_frame_widen(&tree->frame, tree->placement), &w->wide.loaded.boxes);
    }
    for (int k = 0; k < 3; k++) {
        float above = node_box->high[k] - leaf_box->low[k];
        float below = leaf_box->high[k] - node_box->low[k];
        reach += above > below ? above : below;
    }
    w->wide.margin =
        sc_sift_margin(reach, sc_frame_vertex_error(&t->a->frame, t->a->placement) +
                                  sc_frame_vertex_error(&t->b->frame, t->b->placement));
    wide_and_node(w, (1u << leaf->slab.count) - 1, node);
}

/* ---- nodes --------------------------------------------------------------- */

/* Where slivers lie aslant, boxes of many all meet, but tubes tell them apart. */
static bool families_apart(sc_walker *w, const sc_node_pair *p)
{
    const sc_traversal *t = w->search->traversal;
    const sc_slab *a, *b;
    float centre_a[4], centre_b[4];
    if (!sc_octree_family_slab(t->a, p->index[0], &a, centre_a) ||
        !sc_octree_family_slab(t->b, p->index[1], &b, centre_b)) {
        fail(w);
        return true;
    }
    return a && b && sc_slabs_apart(a, centre_a, b, centre_b, w->limit);
}

/* Of two nodes whose boxes and slabs are there. */
static bool slabs_apart(const sc_walker *w, const sc_node_pair *p)
{
    const sc_traversal *t = w->search->traversal;
    const sc_slab *slab[2];
    float centre[2][4];
    for (int k = 0; k < 2; k++) {
        sc_octree *tree = k == 0 ? t->a : t->b;
        const sc_fbox box = sc_octree_box(tree, (sc_node){p->index[k], p->level[k]});
        sc_fbox_centre(&box, centre[k]);
        slab[k] = sc_octree_slab(tree, p->level[k], p->index[k]);
    }
    return sc_slabs_apart(slab[0], centre[0], slab[1], centre[1], w->limit);
}

/* Whether planes, or tubes, tell more than boxes. */
static bool nodes_apart(sc_walker *w, const sc_node_pair *p)
{
    if (p->level[0] == 1 && p->level[1] == 1) {
        return families_apart(w, p);
    }
    return p->level[0] <= 0 && p->level[1] <= 0 && slabs_apart(w, p);
}

/* The same with all children that are near; `in` has their boxes, and that of the one node is
 * `box`. */
static void push_children(sc_walker *w, sc_node_pair base, bool a_fixed, const sc_fbox *box,
                          const sc_octet *in)
{
    const sc_traversal *t = w->search->traversal;
    sc_octree *tree = a_fixed ? t->a : t->b;
    float distance_sq[8];
    unsigned mask = w->octets->near_boxes(box, in, w->limit, distance_sq);
    if (base.level[!a_fixed] < 0 && mask != 0) {
        mask = w->octets->near_slab(sc_octree_slab(tree, -1, base.index[!a_fixed]), in, w->limit,
                                    mask, distance_sq);
    }
    push_row(w, mask, distance_sq, base, a_fixed);
    w->box_tests += 8;
}

/* Two nodes, not both leaves. */
typedef struct two_nodes {
    sc_node a, b;
    sc_fbox box_a, box_b;
    float size_a, size_b;
    bool split_a, split_b; /* both where they are of like size, else the larger one */
} two_nodes;

/* Puts the children of nodes that are split in their place. */
static void divide(sc_walker *w, const two_nodes *n)
{
    const sc_traversal *t = w->search->traversal;
    const size_t from = w->count;
    const sc_octet *in_a = n->split_a ? sc_octree_children(t->a, n->a.level, n->a.index) : NULL;
    const sc_octet *in_b = n->split_b ? sc_octree_children(t->b, n->b.level, n->b.index) : NULL;

    if ((n->split_a && !in_a) || (n->split_b && !in_b)) {
        fail(w);
        return;
    }
    if (!reserve(w, 64)) {
        return;
    }
    sc_node_pair base = {0.0f,
                         {(int8_t)(n->a.level - n->split_a), (int8_t)(n->b.level - n->split_b)},
                         {n->a.index, n->b.index}};
    if (n->split_a && n->split_b) {
        sc_near_pairs near;
        near_children(w, in_a, in_b, &n->box_b, &near);
        for (uint32_t i = 0; i < 8; i++) {
            base.index[0] = 8 * n->a.index + i;
            push_row(w, near.set >> 8 * i & 0xff, near.distance_sq[i], base, true);
        }
    } else if (n->split_a) {
        push_children(w, base, false, &n->box_b, in_a);
    } else {
        push_children(w, base, true, &n->box_a, in_b);
    }
    if (w->limit > 0.0f) {
        sc_node_pairs_sort(w->waiting + from, w->count - from);
    }
}

/* Looks at two leaves, or at those of two clusters, or at a wide leaf and a node; replaces two
 * other nodes by their children. `only_divide`: never looks at a wide leaf. */
static void expand(sc_walker *w, sc_node_pair pair, bool only_divide)
{
    const sc_traversal *t = w->search->traversal;
    two_nodes n = {.a = {pair.index[0], pair.level[0]}, .b = {pair.index[1], pair.level[1]}};

    if (n.a.level < 0 && n.b.level < 0) {
        leaf_pair(w, sc_octree_leaf(t->a, n.a.index), sc_octree_leaf(t->b, n.b.index));
        return;
    }
    n.box_a = sc_octree_box(t->a, n.a);
    n.box_b = sc_octree_box(t->b, n.b);
    n.size_a = sc_fbox_size(&n.box_a);
    n.size_b = sc_fbox_size(&n.box_b);
    n.split_a = n.a.level >= 0 && (n.b.level < 0 || n.size_a * 2.0f >= n.size_b);
    n.split_b = n.b.level >= 0 && (n.a.level < 0 || n.size_b * 2.0f >= n.size_a);
    if (n.a.level == 0 && n.b.level == 0 && n.split_a && n.split_b) {
        cluster_pair(w, n.a.index, n.b.index, &n.box_b);
    } else if (!only_divide && n.a.level < 0 && n.size_a > wider_by * n.size_b) {
        wide_pair(w, n.a.index, true, &n.box_a, n.b, &n.box_b);
    } else if (!only_divide && n.b.level < 0 && n.size_b > wider_by * n.size_a) {
        wide_pair(w, n.b.index, false, &n.box_b, n.a, &n.box_a);
    } else {
        divide(w, &n);
    }
}

void sc_walker_divide(sc_walker *w, sc_node_pair pair)
{
    expand(w, pair, true);
}

/* ---- walkers --------------------------------------------------------------- */

/* How often (in items) thread 0 asks whether to go on. */
enum { POLL_INTERVAL = 4096 };

static bool may_go_on(const sc_search *search)
{
    const sc_traversal *t = search->traversal;
    double done = (double)atomic_load(&search->next) / (double)search->queue_count;
    return !t->poll || t->poll(t->poll_context, done);
}

void sc_walker_descend(sc_walker *w, sc_node_pair pair)
{
    w->count = 0; /* a piece may have been left in the middle */
    sc_walker_push(w, pair);
    while (w->count > 0) {
        sc_node_pair next = w->waiting[--w->count];
        see_bound(w);
        if (next.key > w->limit || nodes_apart(w, &next) ||
            tied(w, (sc_node){next.index[0], next.level[0]},
                 (sc_node){next.index[1], next.level[1]})) {
            continue;
        }
        expand(w, next, false);
        if (sc_walker_is_over(w) || w->leaf_pairs >= w->pause_after) {
            return;
        }
        if (++w->items % POLL_INTERVAL == 0 && w->thread == 0 && !may_go_on(w->search)) {
            give_up(w);
            return;
        }
    }
}

void sc_walker_init(sc_walker *w, sc_search *search, int thread)
{
    w->search = search;
    w->octets = sc_octets();
    w->worker = search->traversal->workers[thread];
    w->thread = thread;
    w->piece = 0;
    w->bound = -1.0;
    w->waiting = NULL;
    w->count = w->capacity = 0;
    w->wide.leaf = NULL;
    w->box_tests = 0;
    w->pause_after = UINT64_MAX;
    w->recent = NULL;
    w->clusters[0] = w->clusters[1] = NULL;
    w->ties = (sc_ties){.distance = INFINITY};
    if (search->supports) {
        w->ties.compared = true;
        w->ties.way[0] = search->supports[0].way;
        w->ties.way[1] = search->supports[1].way;
        for (int i = 0; i < 2; i++) {
            if (!(w->clusters[i] = sc_cluster_supports_make())) {
                fail(w);
            }
        }
    }
    w->items = w->leaf_pairs = 0;
    w->slabs_pay = 0;
    see_bound(w);
}

void sc_walker_free(sc_walker *w)
{
    sc_free(w->waiting);
    sc_free(w->clusters[0]);
    sc_free(w->clusters[1]);
}
