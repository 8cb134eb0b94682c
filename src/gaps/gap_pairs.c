/* gap_pairs.c - see gap_pairs.h. */
#include "gap_pairs.h"

#include "base/alloc.h"
#include "base/error.h"
#include "near.h"
#include "traverse.h"

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
        code = sc_octree_of_part(&r->part[i], r->frame, &near->region[i], sc_near_vicinity(near, i),
                                 &tree[i], error);
    }
    sc_near_free(near);
    sc_free(near);
    return code;
}

static sc_narrow lister(const sc_gap_request *r)
{
    sc_narrow n = {.frame = r->frame, .lists = SC_MOST_GAP_PAIRS};
    for (int k = 0; k < 2; k++) {
        n.facets[k] = &r->part[k].mesh->file.facets;
        n.placement[k] = &r->part[k].used;
    }
    sc_narrow_init(&n);
    return n;
}

static bool goes_on(void *context, double done)
{
    const sc_gap_request *r = context;
    (void)done; /* of what was found out before */
    return sc_poll_goes_on(&r->poll);
}

/* What all threads listed, in order, in the first one's. False if memory ran out. */
static bool put_together(sc_narrow *narrow, int threads, sc_watch *watch)
{
    sc_pair_list *all = &narrow[0].within;
    for (int i = 1; i < threads; i++) {
        if (!sc_narrow_join(&narrow[0], &narrow[i])) {
            return false;
        }
    }
    return sc_pairs_sort(all, watch);
}

/* Of trees that are not empty. */
static stlclash_code list_pairs(const sc_gap_request *r, sc_octree tree[2], sc_narrow *narrow,
                                bool *complete, stlclash_error *error)
{
    const int threads = sc_crew_threads(r->crew);
    void *workers[SC_MAX_THREADS];
    sc_gap_request context = *r;

    for (int i = 0; i < threads; i++) {
        narrow[i] = lister(r);
        workers[i] = &narrow[i];
    }
    sc_traversal t = {.a = &tree[0],
                      .b = &tree[1],
                      .bound = r->reach,
                      .crew = r->crew,
                      .leaves = sc_narrow_leaves,
                      .workers = workers,
                      .poll = goes_on,
                      .poll_context = &context,
                      .watch = r->watch};
    sc_traverse(&t);
    bool failed = t.out_of_memory;
    size_t count = 0;
    for (int i = 0; i < threads; i++) {
        failed = failed || narrow[i].out_of_memory;
        count += narrow[i].within.count;
    }
    *complete = !t.stopped && count <= SC_MOST_GAP_PAIRS;
    failed = failed || (*complete && !put_together(narrow, threads, r->watch));
    *complete = *complete && !sc_watch_was_over(r->watch);
    return failed ? sc_error_memory(error) : STLCLASH_OK;
}

stlclash_code sc_gap_pairs_find(const sc_gap_request *r, sc_pair_list *pairs, bool *complete,
                                stlclash_error *error)
{
    const int threads = sc_crew_threads(r->crew);
    sc_octree tree[2] = {{.levels = 0}, {.levels = 0}};
    sc_narrow *narrow = sc_calloc((size_t)threads, sizeof *narrow);

    *pairs = (sc_pair_list){.pairs = NULL};
    *complete = true;
    stlclash_code code = narrow ? build_trees(r, tree, error) : sc_error_memory(error);
    if (code == STLCLASH_OK && tree[0].levels > 0 && tree[1].levels > 0) {
        code = list_pairs(r, tree, narrow, complete, error);
    }
    if (code == STLCLASH_OK && *complete) {
        *pairs = narrow[0].within;
        narrow[0].within = (sc_pair_list){.pairs = NULL};
    }
    for (int i = 0; i < threads && narrow; i++) {
        sc_narrow_free(&narrow[i]);
    }
    sc_free(narrow);
    sc_octree_free(&tree[0]);
    sc_octree_free(&tree[1]);
    return code;
}
