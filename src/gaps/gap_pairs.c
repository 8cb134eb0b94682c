/* gap_pairs.c - see gap_pairs.h. */
#include "gap_pairs.h"

#include "base/alloc.h"
#include "base/error.h"
#include "geom/tri_distance.h"
#include "geom/tri_intersect.h"
#include "near.h"
#include "prepared.h"

#include <string.h>

/* One thread's. */
typedef struct lister {
    sc_leaves leaves;
    sc_gap_list list;      /* leaves in pairs by their first facets */
    atomic_bool *named[2]; /* [facets] whether the leaf whose first one it is is in some list */
    sc_vec3 way; /* along which the last pair lies apart: those beside it mostly do, too */
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

/* Those of the leaves that are asked for and within the reach. */
static uint64_t pairs_within(lister *l, const sc_leaf_pair *pair, float limit, double reach)
{
    if (leaves_are_within(l, pair, reach)) {
        return sc_leaf_pair_set(pair);
    }
    const sc_prepared a = sc_prepared_leaf(&l->leaves, 0, pair->a);
    const sc_prepared b = sc_prepared_leaf(&l->leaves, 1, pair->b);
    sc_near_pairs near;
    uint64_t within = 0;

    for (uint64_t left = sc_prepared_near(&l->leaves, pair, &a, &b, limit, &near); left != 0;
         left &= left - 1) {
        const int next = __builtin_ctzll(left), i = next / 8, j = next % 8;
        if (vertices_are_within(sc_prepared_vertices(&l->leaves, &a, i),
                                sc_prepared_vertices(&l->leaves, &b, j), reach) ||
            triangles_are_within(l, sc_prepared_triangle(&l->leaves, &a, i),
                                 sc_prepared_triangle(&l->leaves, &b, j),
                                 near.distance_sq[i][j] == 0.0f, reach)) {
            within |= UINT64_C(1) << next;
        }
    }
    return within;
}

/* Names a leaf by its first facet; the first thread that comes to it lists it. False if memory ran
 * out. */
static bool name_leaf(lister *l, int part, const sc_leaf *leaf, uint32_t *name)
{
    sc_gap_list *list = &l->list;
    *name = sc_leaf_facet(leaf, 0);
    if (atomic_load_explicit(&l->named[part][*name], memory_order_relaxed) ||
        atomic_exchange_explicit(&l->named[part][*name], true, memory_order_relaxed)) {
        return true;
    }
    if (!sc_make_room(&list->leaves[part], &list->leaf_capacity[part], list->leaf_count[part] + 1,
                      sizeof *list->leaves[part])) {
        return false;
    }
    sc_gap_leaf *listed = &list->leaves[part][list->leaf_count[part]++];
    listed->count = sc_leaf_list(leaf, listed->facet);
    return true;
}

static bool add_pairs(lister *l, const sc_leaf_pair *pair, uint64_t set)
{
    sc_gap_list *list = &l->list;
    sc_gap_pairs pairs = {.set = set};
    if (!sc_make_room(&list->pairs, &list->capacity, list->count + 1, sizeof *list->pairs) ||
        !name_leaf(l, 0, pair->a, &pairs.leaf[0]) || !name_leaf(l, 1, pair->b, &pairs.leaf[1])) {
        return false;
    }
    list->pairs[list->count++] = pairs;
    return true;
}

/* The callback of sc_traverse: lists pairs of the leaves that are within the reach. */
static double list_near(void *worker, const sc_leaf_pair *pair, float limit, double reach)
{
    lister *l = worker;
    bool good = sc_leaves_make_room(&l->leaves);
    if (good) {
        const uint64_t set = pairs_within(l, pair, limit, reach);
        good = set == 0 || add_pairs(l, pair, set);
    }
    l->out_of_memory = l->out_of_memory || !good;
    return l->out_of_memory || l->list.count > SC_MOST_GAP_PAIRS ? SC_STOP : reach;
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

/* Adds items of one size to others. False if memory ran out. */
static bool add_all(void *to, size_t *count, size_t *capacity, const void *more, size_t more_count,
                    size_t size)
{
    if (more_count == 0) {
        return true;
    }
    if (!sc_make_room(to, capacity, *count + more_count, size)) {
        return false;
    }
    char *items;
    memcpy(&items, to, sizeof items);
    memcpy(items + *count * size, more, more_count * size);
    *count += more_count;
    return true;
}

/* Leaves in pairs by their numbers in place of their first facets. False if memory ran out. */
static bool number_leaves(const sc_part *part, sc_gap_list *list)
{
    bool good = true;
    for (int p = 0; p < 2 && good; p++) {
        uint32_t *number = sc_alloc(part[p].mesh->file.facets.count, sizeof *number);
        good = number;
        for (size_t i = 0; i < list->leaf_count[p] && good; i++) {
            number[list->leaves[p][i].facet[0]] = (uint32_t)i;
        }
        for (size_t i = 0; i < list->count && good; i++) {
            list->pairs[i].leaf[p] = number[list->pairs[i].leaf[p]];
        }
        sc_free(number);
    }
    return good;
}

/* What all threads listed. False if memory ran out. */
static bool put_together(const sc_part *part, lister *listers, int threads, sc_gap_list *list)
{
    bool good = true;
    *list = listers[0].list;
    listers[0].list = (sc_gap_list){.pairs = NULL};
    for (int i = 1; i < threads && good; i++) {
        sc_gap_list *more = &listers[i].list;
        good = add_all(&list->pairs, &list->count, &list->capacity, more->pairs, more->count,
                       sizeof *list->pairs);
        for (int p = 0; p < 2 && good; p++) {
            good = add_all(&list->leaves[p], &list->leaf_count[p], &list->leaf_capacity[p],
                           more->leaves[p], more->leaf_count[p], sizeof *list->leaves[p]);
        }
        sc_gap_list_free(more);
    }
    return good && number_leaves(part, list);
}

/* Of trees that are not empty. */
static stlclash_code list_pairs(const sc_gap_request *r, sc_octree tree[2], lister *listers,
                                sc_gap_list *list, bool *complete, stlclash_error *error)
{
    const int threads = sc_crew_threads(r->crew);
    void *workers[SC_MAX_THREADS];
    sc_poll poll = r->poll;
    atomic_bool *named[2];

    for (int p = 0; p < 2; p++) {
        named[p] = sc_calloc(r->part[p].mesh->file.facets.count, sizeof *named[p]);
    }
    for (int i = 0; i < threads; i++) {
        listers[i].leaves = sc_leaves_of(r->frame, &r->part[0], &r->part[1]);
        listers[i].named[0] = named[0];
        listers[i].named[1] = named[1];
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
    bool failed = !named[0] || !named[1];
    if (!failed) {
        sc_traverse(&t);
        failed = t.out_of_memory;
    }
    sc_free(named[0]);
    sc_free(named[1]);
    size_t count = 0;
    for (int i = 0; i < threads; i++) {
        failed = failed || listers[i].out_of_memory;
        count += listers[i].list.count;
    }
    *complete = !t.stopped && count <= SC_MOST_GAP_PAIRS;
    failed = failed || (*complete && !put_together(r->part, listers, threads, list));
    *complete = *complete && !sc_watch_was_over(r->watch);
    return failed ? sc_error_memory(error) : STLCLASH_OK;
}

stlclash_code sc_gap_list_make(const sc_gap_request *r, sc_gap_list *list, bool *complete,
                               stlclash_error *error)
{
    const int threads = sc_crew_threads(r->crew);
    sc_octree tree[2] = {{.levels = 0}, {.levels = 0}};
    lister *listers = sc_calloc((size_t)threads, sizeof *listers);

    *list = (sc_gap_list){.pairs = NULL};
    *complete = true;
    stlclash_code code = listers ? build_trees(r, tree, error) : sc_error_memory(error);
    if (code == STLCLASH_OK && tree[0].levels > 0 && tree[1].levels > 0) {
        code = list_pairs(r, tree, listers, list, complete, error);
    }
    if (code != STLCLASH_OK && sc_watch_was_over(r->watch)) { /* a tree may be missing for that */
        *complete = false;
        code = STLCLASH_OK;
    }
    for (int i = 0; i < threads && listers; i++) {
        sc_leaves_free(&listers[i].leaves);
        sc_gap_list_free(&listers[i].list);
    }
    sc_free(listers);
    sc_octree_free(&tree[0]);
    sc_octree_free(&tree[1]);
    return code;
}

void sc_gap_list_free(sc_gap_list *list)
{
    sc_free(list->pairs);
    sc_free(list->leaves[0]);
    sc_free(list->leaves[1]);
    *list = (sc_gap_list){.pairs = NULL};
}
