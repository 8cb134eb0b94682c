/* welds.c - see welds.h.
 *
 * Between an edge and where it is moved to lies a strip; all strips together have as border what
 * the part's has and the moved one's has not, for what joins their ends runs there and back: the
 * border is closed. So they tell what it amounts to, as the fillings of cracks do (fillings.h). */
#include "welds.h"

#include "base/alloc.h"
#include "base/union_find.h"
#include "fillings.h"
#include "geom/box.h"

#include <math.h>
#include <stdlib.h>

/* How close together ends are that are made one, of the largest coordinate: what surfaces that were
 * divided one by one are off; and, where that matters, what is left of rounding to floats. */
static const double close_together[] = {0x1p-13, 0x1p-20};

/* Looks at others, for each end. */
enum { MOST_CLOSE = 256 };

static const uint64_t most_looks = 20000000;

/* An end of an edge, and how far along some direction it is. */
typedef struct end {
    sc_vec3 at;
    double along;
    size_t use; /* twice the number of the edge, and 1 where it ends */
} end;

typedef struct welding {
    const sc_rim *rim;
    size_t most; /* edges that may be left */
    end *ends;   /* [2 x edges] in order */
    size_t *set; /* [2 x edges] of them, those that are made one */
    sc_vec3 *to; /* [2 x edges] where each use moves to */
    sc_rim rest; /* the border, moved */
} welding;

/* ---- ends ----------------------------------------------------------------- */

static int in_order(const void *a, const void *b)
{
    const end *x = a, *y = b;
    if (x->along != y->along) {
        return x->along < y->along ? -1 : 1;
    }
    if (!sc_same(x->at, y->at)) {
        return sc_vec3_before(x->at, y->at) ? -1 : 1;
    }
    return (x->use > y->use) - (x->use < y->use);
}

/* Along a direction to which few faces are square. */
static void list_ends(welding *w)
{
    static const sc_vec3 direction = {0.4871, 0.6029, 0.6319};
    for (size_t i = 0; i < 2 * w->rim->count; i++) {
        const sc_rim_edge *e = &w->rim->edges[i / 2];
        const sc_vec3 at = i % 2 ? e->to : e->from;
        w->ends[i] = (end){at, sc_dot(at, direction), i};
    }
    qsort(w->ends, 2 * w->rim->count, sizeof *w->ends, in_order);
}

/* False where too many are close to each other along the direction. */
static bool join_close(welding *w, double close)
{
    const size_t count = 2 * w->rim->count;
    uint64_t looks = (uint64_t)MOST_CLOSE * count;

    for (size_t i = 0; i < count; i++) {
        for (size_t k = i + 1; k < count && w->ends[k].along - w->ends[i].along <= close; k++) {
            if (looks-- == 0) {
                return false;
            }
            if (sc_length(sc_sub(w->ends[k].at, w->ends[i].at)) <= close) {
                sc_union_join_wide(w->set, i, k);
            }
        }
    }
    for (size_t i = 0; i < count; i++) {
        w->to[w->ends[i].use] = w->ends[sc_union_root_wide(w->set, i)].at;
    }
    return true;
}

/* ---- the border that is left ------------------------------------------------ */

static int by_ends(const void *a, const void *b)
{
    const sc_rim_edge *s = a, *t = b;
    if (!sc_same(s->from, t->from)) {
        return sc_vec3_before(s->from, t->from) ? -1 : 1;
    }
    return sc_same(s->to, t->to) ? 0 : sc_vec3_before(s->to, t->to) ? -1 : 1;
}

/* All edges, moved: those between the same ends are one, or none. */
static void move_edges(welding *w)
{
    sc_rim_edge *edges = w->rest.edges;
    size_t count = 0, left = 0;

    for (size_t i = 0; i < w->rim->count; i++) {
        sc_rim_edge e = {w->to[2 * i], w->to[2 * i + 1], w->rim->edges[i].times};
        if (sc_vec3_before(e.to, e.from)) {
            e = (sc_rim_edge){e.to, e.from, -e.times};
        }
        if (!sc_same(e.from, e.to)) {
            edges[count++] = e;
        }
    }
    qsort(edges, count, sizeof *edges, by_ends);
    for (size_t i = 0; i < count; i++) {
        if (left > 0 && by_ends(&edges[left - 1], &edges[i]) == 0) {
            edges[left - 1].times += edges[i].times;
        } else if (left > 0 && edges[left - 1].times == 0) {
            edges[left - 1] = edges[i];
        } else {
            edges[left++] = edges[i];
        }
    }
    w->rest.count = left > 0 && edges[left - 1].times == 0 ? left - 1 : left;
}

/* A strip is as wide as its ends move at most, and no longer than the edge by twice that. *count
 * of them; NULL if memory ran out. */
static sc_crack_side *list_strips(const welding *w, size_t *count)
{
    sc_crack_side *strips = sc_alloc(w->rim->count + 1, sizeof *strips);

    *count = 0;
    for (size_t i = 0; i < w->rim->count && strips; i++) {
        const sc_rim_edge *e = &w->rim->edges[i];
        const double moved = sc_fmax(sc_length(sc_sub(w->to[2 * i], e->from)),
                                     sc_length(sc_sub(w->to[2 * i + 1], e->to)));
        const double length = sc_length(sc_sub(e->to, e->from));
        if (moved > 0.0 && length > 0.0) { /* one without length runs nowhere */
            const double off = 1.001 * abs(e->times) * moved * (1.0 + 2.0 * moved / length);
            strips[(*count)++] = (sc_crack_side){e->from, e->to, length, off, 0};
        }
    }
    return strips;
}

/* ---- what the strips amount to ------------------------------------------------ */

static bool stay_small(const sc_tiles *tiles, const sc_fillings *fillings, double most)
{
    sc_filling_search s = {.fillings = fillings, .most = most, .looks = most_looks};
    sc_vec3 v[3];

    for (size_t i = 0; i < tiles->count; i++) {
        if (i % 256 == 0 && !sc_poll_goes_on(&tiles->poll)) {
            return false;
        }
        if (tiles->tile(tiles->context, i, v) && !sc_fillings_stay_small(&s, v)) {
            return false;
        }
    }
    return true;
}

/* *good: the border that is left tells as much. False if memory ran out. */
static bool try_welds(welding *w, const sc_tiles *tiles, double close, bool *good)
{
    const size_t count = 2 * w->rim->count;

    *good = false;
    for (size_t i = 0; i < count; i++) {
        w->set[i] = i;
    }
    if (!join_close(w, close)) {
        return true;
    }
    move_edges(w);
    if (w->rest.count > w->most) {
        return true;
    }
    /* As of cracks: without a border the winding number is an integer but for them. */
    w->rest.slack = w->rest.count == 0 ? 7.0 / 16.0 : 1.0 / 16.0;
    size_t strips;
    sc_crack_side *sides = list_strips(w, &strips);
    sc_fillings fillings;
    const bool made = sides && sc_fillings_make(sides, strips, &fillings);
    *good = made && stay_small(tiles, &fillings, w->rest.slack);
    if (sides) {
        sc_fillings_free(&fillings);
    }
    return made;
}

static double reach_of(const sc_rim *rim)
{
    sc_box box = sc_box_empty();
    for (size_t i = 0; i < rim->count; i++) {
        sc_box_add_point(&box, rim->edges[i].from);
        sc_box_add_point(&box, rim->edges[i].to);
    }
    return sc_box_reach(&box);
}

bool sc_welds_close(const sc_tiles *tiles, size_t most, sc_rim *rim)
{
    const size_t edges = rim->count;
    bool closed = false;

    welding w = {.rim = rim,
                 .most = most,
                 .ends = sc_alloc(2 * edges + 1, sizeof *w.ends),
                 .set = sc_alloc(2 * edges + 1, sizeof *w.set),
                 .to = sc_alloc(2 * edges + 1, sizeof *w.to),
                 .rest = {.edges = sc_alloc(edges + 1, sizeof *w.rest.edges)}};
    bool good = w.ends && w.set && w.to && w.rest.edges;
    if (good) {
        const double reach = reach_of(rim);
        list_ends(&w);
        for (size_t i = 0; i < sizeof close_together / sizeof *close_together && good && !closed;
             i++) {
            good = try_welds(&w, tiles, close_together[i] * reach, &closed);
        }
    }
    if (closed) {
        sc_rim_free(rim);
        *rim = w.rest;
    } else {
        sc_rim_free(&w.rest);
    }
    sc_free(w.ends);
    sc_free(w.set);
    sc_free(w.to);
    return good;
}
