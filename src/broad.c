/* broad.c - see broad.h.
 *
 * Sweep and prune: Cohen, Lin, Manocha and Ponamgi, I-COLLIDE, 1995, here without
 * coherence between frames: one sweep along the axis on which the fewest boxes overlap. */
#include "broad.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

/* An end of a box on the axis of the sweep. */
typedef struct end {
    double at;
    uint32_t box;
} end;

static int by_place(const void *x, const void *y)
{
    const end *a = x, *b = y;
    if (a->at != b->at) {
        return a->at < b->at ? -1 : 1;
    }
    return (a->box > b->box) - (a->box < b->box);
}

static int by_numbers(const void *x, const void *y)
{
    const sc_broad_pair *a = x, *b = y;
    if (a->a != b->a) {
        return a->a < b->a ? -1 : 1;
    }
    return (a->b > b->b) - (a->b < b->b);
}

static void sort_ends(const sc_box *boxes, size_t count, int axis, bool high, end *ends)
{
    for (size_t i = 0; i < count; i++) {
        ends[i] = (end){high ? boxes[i].high[axis] : boxes[i].low[axis], (uint32_t)i};
    }
    qsort(ends, count, sizeof *ends, by_place);
}

/* How many pairs overlap on an axis: for each box, those that begin before it ends, less
 * those that ended before it began. */
static uint64_t overlaps_on(const sc_box *boxes, size_t count, int axis, end *lows, end *highs)
{
    uint64_t overlaps = 0;
    size_t ended = 0;

    sort_ends(boxes, count, axis, false, lows);
    sort_ends(boxes, count, axis, true, highs);
    for (size_t begun = 0; begun < count; begun++) {
        while (ended < count && highs[ended].at < lows[begun].at) {
            ended++;
        }
        overlaps += begun - ended;
    }
    return overlaps;
}

/* The boxes in the order of their low ends; `active` holds those that may still be
 * overlapped by what comes. */
static bool sweep(const sc_box *boxes, const end *lows, size_t count, int axis, uint32_t *active,
                  sc_watch *watch, sc_broad_meet *meet, void *context)
{
    size_t alive = 0;

    for (size_t i = 0; i < count; i++) {
        uint32_t box = lows[i].box;
        size_t kept = 0;
        for (size_t k = 0; k < alive; k++) {
            uint32_t other = active[k];
            if (boxes[other].high[axis] < boxes[box].low[axis]) {
                continue; /* it has ended */
            }
            active[kept++] = other;
            if (sc_boxes_meet(&boxes[box], &boxes[other]) && !meet(context, box, other)) {
                return false;
            }
        }
        alive = kept;
        active[alive++] = box;
        if (sc_watch_ends(watch, i)) {
            return false;
        }
    }
    return true;
}

bool sc_broad_sweep(const sc_box *boxes, size_t count, sc_watch *watch, sc_broad_meet *meet,
                    void *context)
{
    end *lows = sc_alloc(count, sizeof *lows), *highs = sc_alloc(count, sizeof *highs);
    uint32_t *active = sc_alloc(count, sizeof *active);
    bool good = lows && highs && active;

    if (good) {
        uint64_t fewest = UINT64_MAX;
        int axis = 0;
        for (int k = 0; k < 3; k++) {
            uint64_t overlaps = overlaps_on(boxes, count, k, lows, highs);
            if (overlaps < fewest) {
                fewest = overlaps;
                axis = k;
            }
        }
        sort_ends(boxes, count, axis, false, lows);
        good = sweep(boxes, lows, count, axis, active, watch, meet, context);
    }
    sc_free(lows);
    sc_free(highs);
    sc_free(active);
    return good;
}

/* The pairs found. */
typedef struct list {
    sc_broad_pair *pairs;
    size_t count, capacity;
} list;

static bool list_add(void *context, uint32_t a, uint32_t b)
{
    list *found = context;
    if (!sc_make_room(&found->pairs, &found->capacity, found->count + 1, sizeof *found->pairs)) {
        return false;
    }
    found->pairs[found->count++] = a < b ? (sc_broad_pair){a, b} : (sc_broad_pair){b, a};
    return true;
}

bool sc_broad_find(const sc_broad_box *boxes, size_t count, sc_broad_pair **pairs,
                   size_t *pair_count)
{
    sc_box *grown = sc_alloc(count, sizeof *grown);
    list found = {NULL, 0, 0};

    for (size_t i = 0; i < count && grown; i++) {
        grown[i] = sc_box_grown(&boxes[i].box, boxes[i].margin);
    }
    bool good = grown && sc_broad_sweep(grown, count, NULL, list_add, &found);
    sc_free(grown);
    if (!good) {
        sc_free(found.pairs);
        found = (list){NULL, 0, 0};
    } else if (found.count > 0) {
        qsort(found.pairs, found.count, sizeof *found.pairs, by_numbers);
    }
    *pairs = found.pairs;
    *pair_count = found.count;
    return good;
}

double sc_box_distance(const sc_box *a, const sc_box *b)
{
    double sum = 0.0, largest = 0.0;
    for (int k = 0; k < 3; k++) {
        double gap = sc_fmax(a->low[k] - b->high[k], b->low[k] - a->high[k]);
        largest = sc_fmax(largest, gap);
        sum += gap > 0.0 ? gap * gap : 0.0;
    }
    /* Squares that small have lost their bits; one gap alone is a bound too. */
    return (sum < 0x1p-900 ? largest : sqrt(sum)) * (1.0 - 0x1p-50);
}
