/* traverse.c - see traverse.h. */
#include "traverse.h"

#include "base/alloc.h"

#include <stdlib.h>

/* A node of a tree: its level, -1 being the leaves, and its number there (leaf l of
 * block b is number 8 b + l). */
typedef struct node {
    uint32_t index;
    int level;
} node;

/* Two nodes to look at and how far apart their boxes are, in the frame. */
typedef struct work {
    float distance_sq;
    int8_t level_a, level_b;
    uint32_t a, b;
} work;

typedef struct stack {
    work *items;
    size_t count, capacity;
} stack;

/* Shared by all threads of one traversal. */
typedef struct shared {
    sc_traversal *traversal;
    double scale;
    _Atomic double bound; /* in length units; only ever lowered */
    atomic_bool halt, stopped, out_of_memory;
    work *queue; /* nearest first */
    size_t queue_count;
    atomic_size_t next;
    _Atomic uint64_t settled; /* piece << 8 | thread: the first piece with a reason to stop */
    _Atomic uint64_t box_tests;
} shared;

/* One thread's. */
typedef struct walker {
    shared *all;
    const sc_octets_isa *octets;
    void *worker;
    int thread;
    size_t piece; /* of the queue, at work */
    double bound; /* the last value seen of all->bound */
    float limit;  /* distance_sq of boxes up to which they are followed */
    stack stack;
    uint64_t box_tests;
} walker;

/* ---- the bound ----------------------------------------------------------- */

/* Boxes are rounded outwards and their distance is computed in floats, which adds
 * less than 2^-20 of it. The triangles' own distance is computed with an error of
 * up to 2^-50 of their extent, at most 2 in the frame. */
static float limit_of(double bound, double scale)
{
    if (bound <= 0.0) {
        return 0.0f;
    }
    double within = bound * scale * (1.0 + 0x1p-18) + 0x1p-46;
    return (float)(within * within * (1.0 + 0x1p-18));
}

static void see_bound(walker *w)
{
    double bound = atomic_load_explicit(&w->all->bound, memory_order_relaxed);
    if (bound != w->bound) {
        w->bound = bound;
        w->limit = limit_of(bound, w->all->scale);
    }
}

static void lower_bound(walker *w, double bound)
{
    double old = atomic_load_explicit(&w->all->bound, memory_order_relaxed);
    while (bound < old && !atomic_compare_exchange_weak(&w->all->bound, &old, bound)) {
    }
    see_bound(w);
}

/* ---- stopping ------------------------------------------------------------ */

static void give_up(walker *w)
{
    atomic_store(&w->all->stopped, true);
    atomic_store(&w->all->halt, true);
}

/* What was found in a piece of the queue counts unless an earlier one has something, too. */
static void settle(walker *w)
{
    uint64_t mine = (uint64_t)w->piece << 8 | (uint64_t)w->thread;
    uint64_t old = atomic_load(&w->all->settled);
    while (mine < old && !atomic_compare_exchange_weak(&w->all->settled, &old, mine)) {
    }
}

static bool is_over(walker *w)
{
    return atomic_load_explicit(&w->all->halt, memory_order_relaxed) ||
           w->piece >= atomic_load_explicit(&w->all->settled, memory_order_relaxed) >> 8;
}

/* ---- slabs ----------------------------------------------------------------- */

/* Whether the planes of `a` keep `b` farther off than the limit. A point of b lies off its
 * centre by something between b's planes along b's normal and by no more than its radius
 * across, of which the sine between the normals counts. */
static bool slab_separates(const sc_slab *a, const sc_slab *b, float limit)
{
    float middle = 0.0f, own = 0.0f, cosine = 0.0f;
    for (int k = 0; k < 3; k++) {
        middle += a->normal[k] * b->centre[k];
        own += b->normal[k] * b->centre[k];
        cosine += a->normal[k] * b->normal[k];
    }
    float sine_sq = 1.0f - cosine * cosine; /* at least 2^-19: normals are that short of 1 */
    float across = sqrtf(sine_sq > 0.0f ? sine_sq : 0.0f) * b->radius;
    float one = cosine * (b->low - own), two = cosine * (b->high - own);
    float low = middle + (one < two ? one : two) - across;
    float high = middle + (one < two ? two : one) + across;
    float gap = (low - a->high > a->low - high ? low - a->high : a->low - high) - 0x1p-18f;
    return gap > 0.0f && gap * gap > limit;
}

/* Whether the tubes pass each other farther off than the limit, along the direction at a
 * right angle to both: long thin facets lie crosswise in boxes that all meet. */
static bool tubes_pass(const sc_slab *a, const sc_slab *b, float limit)
{
    const float *d = a->along, *e = b->along;
    float across[3] = {d[1] * e[2] - d[2] * e[1], d[2] * e[0] - d[0] * e[2],
                       d[0] * e[1] - d[1] * e[0]};
    float apart = 0.0f, length_sq = 0.0f;
    for (int k = 0; k < 3; k++) {
        apart += across[k] * (b->centre[k] - a->centre[k]);
        length_sq += across[k] * across[k];
    }
    float gap = fabsf(apart) - (a->tube + b->tube) * sqrtf(length_sq) - 0x1p-18f;
    return gap > 0.0f && gap * gap > limit * length_sq;
}

/* By any of these, either way round. */
static bool slabs_apart(const sc_slab *a, const sc_slab *b, float limit)
{
    bool slivers = sc_slab_is_long(a) && sc_slab_is_long(b);
    return (slivers && tubes_pass(a, b, limit)) || slab_separates(a, b, limit) ||
           slab_separates(b, a, limit);
}

static bool nodes_apart(walker *w, const work *item)
{
    const sc_traversal *t = w->all->traversal;
    return item->level_a <= 0 && item->level_b <= 0 &&
           slabs_apart(sc_octree_slab(t->a, item->level_a, item->a),
                       sc_octree_slab(t->b, item->level_b, item->b), w->limit);
}

static float size_of(const sc_fbox *b)
{
    return (b->high[0] - b->low[0]) + (b->high[1] - b->low[1]) + (b->high[2] - b->low[2]);
}

/* ---- nodes --------------------------------------------------------------- */

static sc_fbox node_box(sc_octree *tree, node n)
{
    return sc_octet_box(sc_octree_siblings(tree, n.level, n.index), n.index % 8);
}

/* ---- work ---------------------------------------------------------------- */

static void fail(walker *w)
{
    atomic_store(&w->all->out_of_memory, true);
    atomic_store(&w->all->halt, true);
}

static bool reserve(stack *s, size_t more)
{
    if (s->count + more <= s->capacity) {
        return true;
    }
    size_t capacity = 2 * s->capacity + more + 64;
    work *items = sc_realloc(s->items, capacity, sizeof *items);
    if (!items) {
        return false;
    }
    s->items = items;
    s->capacity = capacity;
    return true;
}

/* Pushes the pairs of one node with the children in the mask of another. */
static void push_row(walker *w, unsigned mask, const float distance_sq[8], work base, bool a_fixed,
                     uint32_t first)
{
    for (; mask != 0; mask &= mask - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(mask);
        work item = base;
        item.distance_sq = distance_sq[i];
        if (a_fixed) {
            item.b = first + i;
        } else {
            item.a = first + i;
        }
        w->stack.items[w->stack.count++] = item;
    }
}

/* Farthest first, so that the nearest is popped first. Few items: insertion. */
static void sort_top(stack *s, size_t from)
{
    for (size_t i = from + 1; i < s->count; i++) {
        work item = s->items[i];
        size_t at = i;
        for (; at > from && s->items[at - 1].distance_sq < item.distance_sq; at--) {
            s->items[at] = s->items[at - 1];
        }
        s->items[at] = item;
    }
}

static void leaf_pair(walker *w, const sc_leaf *a, const sc_leaf *b, const sc_fbox *box_b)
{
    sc_traversal *t = w->all->traversal;
    sc_near_pairs near;

    w->octets->near_pairs(&a->boxes, &b->boxes, box_b, w->limit, &near);
    if (near.set != 0) {
        double bound = t->leaves(w->worker, a, b, &near, w->limit, w->bound);
        if (bound < 0.0) { /* SC_STOP */
            settle(w);
        } else if (bound < w->bound) {
            lower_bound(w, bound);
        }
    }
}

/* Two clusters of like size: their leaves one pair after the other, without the stack. */
static void cluster_pair(walker *w, uint32_t a, uint32_t b, const sc_fbox *box_b)
{
    sc_traversal *t = w->all->traversal;
    const sc_opened *in_a = sc_octree_cluster(t->a, a), *in_b = sc_octree_cluster(t->b, b);
    sc_near_pairs near;

    if (!in_a || !in_b) {
        fail(w);
        return;
    }
    w->octets->near_pairs(&in_a->boxes, &in_b->boxes, box_b, w->limit, &near);
    w->box_tests += 64;
    for (uint64_t rest = near.set; rest != 0;) {
        int i = __builtin_ctzll(rest) / 8;
        const sc_leaf *leaf_a = &in_a->leaves[i];
        unsigned row = rest >> 8 * i & 0xff;

        see_bound(w);
        rest ^= (uint64_t)row << 8 * i;
        row = w->octets->near_slab(&leaf_a->slab, &in_b->boxes, w->limit, row, near.distance_sq[i]);
        for (; row != 0; row &= row - 1) {
            int j = __builtin_ctz(row);
            const sc_leaf *leaf_b = &in_b->leaves[j];
            if (near.distance_sq[i][j] <= w->limit &&
                !slabs_apart(&leaf_a->slab, &leaf_b->slab, w->limit)) {
                sc_fbox box = sc_octet_box(&in_b->boxes, (size_t)j);
                leaf_pair(w, leaf_a, leaf_b, &box);
                if (is_over(w)) {
                    return;
                }
            }
        }
    }
}

/* Looks at two leaves, or at those of two clusters; replaces two other nodes by their
 * children: of both where they are of like size, else of the larger one alone. */
static void expand(walker *w, work item)
{
    sc_traversal *t = w->all->traversal;
    node a = {item.a, item.level_a}, b = {item.b, item.level_b};
    sc_fbox box_a = node_box(t->a, a), box_b = node_box(t->b, b);
    float size_a = size_of(&box_a), size_b = size_of(&box_b);
    bool split_a = a.level >= 0 && (b.level < 0 || size_a * 2.0f >= size_b);
    bool split_b = b.level >= 0 && (a.level < 0 || size_b * 2.0f >= size_a);

    if (a.level < 0 && b.level < 0) {
        leaf_pair(w, sc_octree_leaf(t->a, a.index), sc_octree_leaf(t->b, b.index), &box_b);
        return;
    }
    if (a.level == 0 && b.level == 0 && split_a && split_b) {
        cluster_pair(w, a.index, b.index, &box_b);
        return;
    }
    size_t from = w->stack.count;
    uint32_t first_a = 8 * a.index, first_b = 8 * b.index;
    float distance_sq[8];
    const sc_octet *in_a = split_a ? sc_octree_children(t->a, a.level, a.index) : NULL;
    const sc_octet *in_b = split_b ? sc_octree_children(t->b, b.level, b.index) : NULL;

    if ((split_a && !in_a) || (split_b && !in_b) || !reserve(&w->stack, 64)) {
        fail(w);
        return;
    }
    work base = {0.0f, (int8_t)(a.level - split_a), (int8_t)(b.level - split_b), a.index, b.index};
    if (split_a && split_b) {
        sc_near_pairs near;
        w->octets->near_pairs(in_a, in_b, &box_b, w->limit, &near);
        for (uint32_t i = 0; i < 8; i++) {
            base.a = first_a + i;
            push_row(w, near.set >> 8 * i & 0xff, near.distance_sq[i], base, true, first_b);
        }
        w->box_tests += 64;
    } else if (split_a) {
        unsigned mask = w->octets->near_boxes(&box_b, in_a, w->limit, distance_sq);
        if (b.level < 0 && mask != 0) {
            mask = w->octets->near_slab(sc_octree_slab(t->b, -1, b.index), in_a, w->limit, mask,
                                        distance_sq);
        }
        push_row(w, mask, distance_sq, base, false, first_a);
        w->box_tests += 8;
    } else {
        unsigned mask = w->octets->near_boxes(&box_a, in_b, w->limit, distance_sq);
        if (a.level < 0 && mask != 0) {
            mask = w->octets->near_slab(sc_octree_slab(t->a, -1, a.index), in_b, w->limit, mask,
                                        distance_sq);
        }
        push_row(w, mask, distance_sq, base, true, first_b);
        w->box_tests += 8;
    }
    if (w->limit > 0.0f) {
        sort_top(&w->stack, from);
    }
}

/* How often (in items) thread 0 asks whether to go on. */
enum { POLL_INTERVAL = 4096 };

static void walk_down(walker *w, work item)
{
    shared *all = w->all;
    w->stack.count = 0; /* a piece may have been left in the middle */
    if (!reserve(&w->stack, 1)) {
        fail(w);
        return;
    }
    w->stack.items[w->stack.count++] = item;
    for (unsigned steps = 1; w->stack.count > 0; steps++) {
        work next = w->stack.items[--w->stack.count];
        see_bound(w);
        if (next.distance_sq > w->limit || nodes_apart(w, &next)) {
            continue;
        }
        expand(w, next);
        if (is_over(w)) {
            return;
        }
        if (steps % POLL_INTERVAL == 0 && w->thread == 0) {
            double done = (double)atomic_load(&all->next) / (double)all->queue_count;
            sc_traversal *t = all->traversal;
            if (t->poll && !t->poll(t->poll_context, done)) {
                give_up(w);
                return;
            }
        }
    }
}

static void walker_init(walker *w, shared *all, int thread)
{
    *w = (walker){.all = all,
                  .octets = sc_octets(),
                  .worker = all->traversal->workers[thread],
                  .thread = thread,
                  .bound = -1.0};
    see_bound(w);
}

/* Takes pieces until none is left, or so many boxes were tested. */
static void walk_pieces(shared *all, int thread, uint64_t most)
{
    walker w;

    walker_init(&w, all, thread);
    while (w.box_tests < most) {
        w.piece = atomic_fetch_add(&all->next, 1);
        if (w.piece >= all->queue_count || is_over(&w)) {
            break;
        }
        walk_down(&w, all->queue[w.piece]);
    }
    atomic_fetch_add(&all->box_tests, w.box_tests);
    sc_free(w.stack.items);
}

static void walk(void *context, int thread)
{
    walk_pieces(context, thread, UINT64_MAX);
}

/* Of small trees when the work is seen to be long, other threads are called upon. */
static void walk_all(shared *all)
{
    enum { SHORT = 500, LARGE = 2500 };
    sc_crew *crew = all->traversal->crew;
    bool large = all->traversal->a->blocks_kept + all->traversal->b->blocks_kept > LARGE;
    walk_pieces(all, 0, !crew ? UINT64_MAX : large ? 0 : SHORT);
    if (all->next < all->queue_count && !all->halt && all->settled == UINT64_MAX) {
        sc_crew_items(crew, sc_crew_threads(crew), walk, all);
    }
}

/* Divides the whole into pieces of work that threads take one by one: enough of
 * them that none waits long for the last. */
enum { PIECES = 512 };

static bool make_queue(shared *all)
{
    sc_traversal *t = all->traversal;
    walker w;
    work root = {0.0f, (int8_t)(t->a->levels - 1), (int8_t)(t->b->levels - 1), 0, 0};

    walker_init(&w, all, 0);
    if (!reserve(&w.stack, PIECES)) {
        return false;
    }
    /* The stack serves as a queue here: expand the items at its front. */
    size_t front = 0;
    w.stack.items[w.stack.count++] = root;
    while (front < w.stack.count && w.stack.count - front < PIECES) {
        work item = w.stack.items[front];
        if (item.level_a <= 1 && item.level_b <= 1) {
            break; /* opening families is the threads' work */
        }
        front++;
        expand(&w, item);
        if (atomic_load(&all->out_of_memory)) {
            sc_free(w.stack.items);
            return false;
        }
    }
    all->queue_count = w.stack.count - front;
    memmove(w.stack.items, w.stack.items + front, all->queue_count * sizeof w.stack.items[0]);
    all->queue = w.stack.items;
    all->box_tests = w.box_tests;
    return true;
}

/* An order of all: which piece comes first decides which crossing is told. */
static int nearest_first(const void *x, const void *y)
{
    const work *a = x, *b = y;
    if (a->distance_sq != b->distance_sq) {
        return a->distance_sq < b->distance_sq ? -1 : 1;
    }
    if (a->level_a != b->level_a || a->level_b != b->level_b) {
        return a->level_a != b->level_a ? a->level_a - b->level_a : a->level_b - b->level_b;
    }
    if (a->a != b->a) {
        return a->a < b->a ? -1 : 1;
    }
    return (a->b > b->b) - (a->b < b->b);
}

void sc_traverse(sc_traversal *traversal)
{
    shared all = {.traversal = traversal, .scale = traversal->a->frame.scale};

    traversal->stopped = traversal->out_of_memory = false;
    traversal->settled_by = -1;
    atomic_init(&all.bound, traversal->bound);
    atomic_init(&all.settled, UINT64_MAX);
    if (!make_queue(&all)) {
        traversal->out_of_memory = true;
        return;
    }
    qsort(all.queue, all.queue_count, sizeof all.queue[0], nearest_first);
    walk_all(&all);
    sc_free(all.queue);
    if (all.settled != UINT64_MAX) {
        traversal->settled_by = (int)(all.settled & 0xff);
        all.stopped = true;
    }
    traversal->stopped = all.stopped;
    traversal->out_of_memory = all.out_of_memory;
    traversal->box_tests = all.box_tests;
}
