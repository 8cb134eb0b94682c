/* gap_pairs.c - see gap_pairs.h. */
#include "gap_pairs.h"

#include "base/alloc.h"
#include "base/error.h"
#include "geom/tri_distance.h"
#include "geom/tri_intersect.h"
#include "near.h"
#include "pair.h"
#include "prepared.h"

/* One thread's. */
typedef struct lister {
    sc_leaves leaves;
    sc_gap_list list; /* its leaf[] are those of all threads */
    sc_vec3 way;      /* along which the last pair lies apart: those beside it mostly do, too */
    bool out_of_memory;
} lister;

/* ---- pairs of leaves -------------------------------------------------------- */

/* Whether all of one leaf is so near to all of the other, as their boxes tell. */
static bool leaves_are_within(const lister *l, const sc_leaf_pair *pair, double reach)
{
    const sc_fbox a = sc_octet_box(&sc_leaf_cluster(pair->a)->boxes, pair->a->slab.number);
    const sc_fbox b = sc_octet_box(&sc_leaf_cluster(pair->b)->boxes, pair->b->slab.number);
    const double within = reach * l->leaves.frame->scale * (1.0 - 0x1p-18);
    double square = 0.0;
    for (int k = 0; k < 3; k++) {
        const double above = (double)a.high[k] - (double)b.low[k];
        const double below = (double)b.high[k] - (double)a.low[k];
        square += sc_max(above * above, below * below);
    }
    return square <= within * within;
}

static bool vertices_are_within(const sc_vec3 a[3], const sc_vec3 b[3], double reach)
{
    bool within = false;
    for (int i = 0; i < 9 && !within; i++) {
        within = sc_length(sc_sub(a[i / 3], b[i % 3])) <= reach;
    }
    return within;
}

static bool triangles_are_within(lister *l, const sc_triangle *a, const sc_triangle *b,
                                 bool may_meet, double reach)
{
    if (sc_tri_farther(a, b, reach, &l->way)) {
        return false;
    }
    if (may_meet && sc_tri_meet(a->v, b->v) != SC_APART) {
        return true;
    }
    const sc_closest closest = sc_tri_closest(a, b);
    l->way = sc_sub(closest.on_b, closest.on_a);
    return sqrt(closest.distance_sq) <= reach;
}

/* Tells the facets of a leaf which one stands for it, which is returned. Several threads may do it,
 * all the same. */
static uint32_t name_leaf(const sc_leaf *leaf, sc_gap_leaf *names)
{
    const uint32_t first = sc_leaf_facet(leaf, 0);
    if (atomic_load_explicit(&names[first], memory_order_relaxed) == 0) {
        uint32_t facet[8];
        const uint32_t count = sc_leaf_list(leaf, facet);
        for (uint32_t i = 0; i < count; i++) {
            atomic_store_explicit(&names[facet[i]], first + 1, memory_order_relaxed);
        }
    }
    return first;
}

static bool list_leaves(lister *l, const sc_leaf_pair *pair)
{
    const uint32_t a = name_leaf(pair->a, l->list.leaf[0]);
    return sc_pairs_add(&l->list.leaves, sc_pair(a, name_leaf(pair->b, l->list.leaf[1])));
}

/* Pairs of the leaves that are within the reach; `all`: those that are asked for are. */
static bool list_facets(lister *l, const sc_leaf_pair *pair, bool all, float limit, double reach)
{
    if (!sc_leaves_make_room(&l->leaves)) {
        return false;
    }
    const sc_prepared a = sc_prepared_leaf(&l->leaves, 0, pair->a);
    const sc_prepared b = sc_prepared_leaf(&l->leaves, 1, pair->b);
    sc_near_pairs near;
    uint64_t left =
        all ? sc_leaf_pair_set(pair) : sc_prepared_near(&l->leaves, pair, &a, &b, limit, &near);
    bool good = true;

    for (; left != 0 && good; left &= left - 1) {
        const int next = __builtin_ctzll(left), i = next / 8, j = next % 8;
        if (all ||
            vertices_are_within(sc_prepared_vertices(&l->leaves, &a, i),
                                sc_prepared_vertices(&l->leaves, &b, j), reach) ||
            triangles_are_within(l, sc_prepared_triangle(&l->leaves, &a, i),
                                 sc_prepared_triangle(&l->leaves, &b, j),
                                 near.distance_sq[i][j] == 0.0f, reach)) {
            good = sc_pairs_add(&l->list.pairs,
                                sc_pair(sc_prepared_number(&a, i), sc_prepared_number(&b, j)));
        }
    }
    return good;
}

/* The callback of sc_traverse. */
static double list_near(void *worker, const sc_leaf_pair *pair, float limit, double reach)
{
    lister *l = worker;
    const sc_leaf_pair any = {pair->a, pair->b, UINT64_MAX, NULL};
    const bool all = leaves_are_within(l, pair, reach);
    l->out_of_memory = all && sc_leaf_pair_set(pair) == sc_leaf_pair_set(&any)
                           ? !list_leaves(l, pair)
                           : !list_facets(l, pair, all, limit, reach);
    return l->out_of_memory || l->list.pairs.count + l->list.leaves.count > SC_MOST_GAP_PAIRS
               ? SC_STOP
               : reach;
}

/* ---- all of them ------------------------------------------------------------ */

/* What of either part lies that near to the other; empty trees where nothing does. */
static stlclash_code build_trees(const sc_gap_request *r, sc_octree tree[2], stlclash_error *error)
{
    stlclash_code code = STLCLASH_OK;
    sc_near *near = sc_alloc(1, sizeof *near); /* too large for a small stack */
    if (!near) {
        return sc_error_memory(error);
    }
    sc_near_init(near, r->part);
    if (!sc_near_find(r->part, r->frame, r->reach, r->crew, near)) {
        code = sc_error_memory(error);
    }
    for (int i = 0; i < 2 && code == STLCLASH_OK && !near->none; i++) {
        const sc_octree_request request = {.mesh = r->part[i].mesh,
                                           .placement = &r->part[i].used,
                                           .frame = r->frame,
                                           .region = &near->region[i],
                                           .near = sc_near_vicinity(near, i),
                                           .watch = r->watch};
        code = sc_octree_build(&request, &tree[i], error);
    }
    sc_near_free(near);
    sc_free(near);
    return code;
}

static bool goes_on(void *context, double done)
{
    (void)done; /* of what was found out before */
    return sc_poll_goes_on(context);
}

/* What all threads listed, in order. False if memory ran out. */
static bool put_together(lister *listers, int threads, sc_watch *watch, sc_gap_list *list)
{
    bool good = true;
    for (int i = 0; i < threads && good; i++) {
        good = sc_pairs_take(&list->pairs, &listers[i].list.pairs) &&
               sc_pairs_take(&list->leaves, &listers[i].list.leaves);
    }
    return good && sc_pairs_sort(&list->pairs, watch) && sc_pairs_sort(&list->leaves, watch);
}

/* Of trees that are not empty. */
static stlclash_code list_pairs(const sc_gap_request *r, sc_octree tree[2], lister *listers,
                                sc_gap_list *list, bool *complete, stlclash_error *error)
{
    const int threads = sc_crew_threads(r->crew);
    void *workers[SC_MAX_THREADS];
    sc_poll poll = r->poll;

    for (int i = 0; i < threads; i++) {
        listers[i].leaves = sc_leaves_of(r->frame, &r->part[0], &r->part[1]);
        listers[i].list = (sc_gap_list){.leaf = {list->leaf[0], list->leaf[1]}};
        workers[i] = &listers[i];
    }
    sc_traversal t = {.a = &tree[0],
                      .b = &tree[1],
                      .bound = r->reach,
                      .crew = r->crew,
                      .leaves = list_near,
                      .workers = workers,
                      .poll = goes_on,
                      .poll_context = &poll,
                      .watch = r->watch};
    sc_traverse(&t);
    bool failed = t.out_of_memory;
    size_t count = 0;
    for (int i = 0; i < threads; i++) {
        failed = failed || listers[i].out_of_memory;
        count += listers[i].list.pairs.count + listers[i].list.leaves.count;
    }
    *complete = !t.stopped && count <= SC_MOST_GAP_PAIRS;
    failed = failed || (*complete && !put_together(listers, threads, r->watch, list));
    *complete = *complete && !sc_watch_was_over(r->watch);
    return failed ? sc_error_memory(error) : STLCLASH_OK;
}

/* False if memory ran out. */
static bool make_room_for_names(const sc_part *part, sc_gap_list *list)
{
    for (int i = 0; i < 2; i++) {
        list->leaf[i] = sc_calloc(part[i].mesh->file.facets.count, sizeof *list->leaf[i]);
    }
    return list->leaf[0] && list->leaf[1];
}

stlclash_code sc_gap_list_make(const sc_gap_request *r, sc_gap_list *list, bool *complete,
                               stlclash_error *error)
{
    const int threads = sc_crew_threads(r->crew);
    sc_octree tree[2] = {{.levels = 0}, {.levels = 0}};
    lister *listers = sc_calloc((size_t)threads, sizeof *listers);

    *list = (sc_gap_list){.leaf = {NULL, NULL}};
    *complete = true;
    stlclash_code code = listers ? build_trees(r, tree, error) : sc_error_memory(error);
    if (code == STLCLASH_OK && tree[0].levels > 0 && tree[1].levels > 0) {
        code = make_room_for_names(r->part, list)
                   ? list_pairs(r, tree, listers, list, complete, error)
                   : sc_error_memory(error);
    }
    if (code != STLCLASH_OK && sc_watch_was_over(r->watch)) { /* a tree may be missing for that */
        *complete = false;
        code = STLCLASH_OK;
    }
    for (int i = 0; i < threads && listers; i++) {
        sc_leaves_free(&listers[i].leaves);
        sc_free(listers[i].list.pairs.pairs);
        sc_free(listers[i].list.leaves.pairs);
    }
    sc_free(listers);
    sc_octree_free(&tree[0]);
    sc_octree_free(&tree[1]);
    return code;
}

void sc_gap_list_free(sc_gap_list *list)
{
    sc_free(list->pairs.pairs);
    sc_free(list->leaves.pairs);
    sc_free(list->leaf[0]);
    sc_free(list->leaf[1]);
    *list = (sc_gap_list){.leaf = {NULL, NULL}};
}
