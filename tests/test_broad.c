/* test_broad.c - the broad phase against all pairs. */
#include "base/alloc.h"
#include "broad.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>

/* ---- boxes --------------------------------------------------------------- */

enum {
    BOXES_RANDOM,
    BOXES_GRID,     /* small integers: they touch, coincide, are flat or points */
    BOXES_IN_A_ROW, /* all alike on two axes */
    BOXES_FAR,      /* far from the origin, where floats are coarse */
    BOXES_SIZES,    /* from 2^-200 to 2^200 */
    BOXES_ENDLESS,  /* some near everything */
    BOXES_CLASSES
};

static double integer(int n)
{
    return test_below(n);
}

static sc_broad_box make_box_of(int kind)
{
    sc_broad_box box = {.margin = test_below(3) ? 0.0 : test_uniform(0, 0.3)};
    for (int k = 0; k < 3; k++) {
        double low = test_uniform(-1, 1), size = test_uniform(0, 0.3);
        switch (kind) {
        case BOXES_GRID:
            low = integer(8);
            size = integer(3);
            box.margin = 0.5 * integer(3);
            break;
        case BOXES_IN_A_ROW:
            low = k == 1 ? integer(100) : 0.0;
            size = 1.0;
            break;
        case BOXES_FAR: low = 1e8 + integer(16); break;
        case BOXES_SIZES:
            low = ldexp(low, test_below(400) - 200);
            size = ldexp(size, test_below(400) - 200);
            box.margin = ldexp(box.margin, test_below(400) - 200);
            break;
        case BOXES_ENDLESS: box.margin = test_below(8) ? box.margin : INFINITY; break;
        default: break;
        }
        box.box.low[k] = low;
        box.box.high[k] = low + size;
    }
    return box;
}

/* ---- the plain answer ---------------------------------------------------- */

static long double gap_on(const sc_box *a, const sc_box *b, int axis)
{
    long double one = (long double)a->low[axis] - (long double)b->high[axis];
    long double other = (long double)b->low[axis] - (long double)a->high[axis];
    return one > other ? one : other;
}

/* 1: near, 0: not, -1: so close to the limit that either will do. */
static int is_near(const sc_broad_box *a, const sc_broad_box *b)
{
    int near = 1;
    for (int k = 0; k < 3; k++) {
        long double margin = (long double)a->margin + (long double)b->margin;
        long double reach =
            fmaxl(fmaxl(fabsl((long double)a->box.low[k]), fabsl((long double)a->box.high[k])),
                  fmaxl(fabsl((long double)b->box.low[k]), fabsl((long double)b->box.high[k])));
        long double slack = gap_on(&a->box, &b->box, k) - margin;
        if (slack > 1e-14L * (reach + margin)) {
            return 0;
        }
        near = slack > 0 ? -1 : near;
    }
    return near;
}

static void compare(const sc_broad_box *boxes, size_t count, int kind)
{
    sc_broad_pair *pairs;
    size_t found, at = 0;

    CHECK(sc_broad_find(boxes, count, &pairs, &found), "out of memory");
    for (uint32_t a = 0; a < count; a++) {
        for (uint32_t b = a + 1; b < count; b++) {
            bool listed = at < found && pairs[at].a == a && pairs[at].b == b;
            int near = is_near(&boxes[a], &boxes[b]);
            CHECK(near < 0 || near == listed, "class %d, %zu boxes: pair %u, %u is %s", kind, count,
                  a, b, listed ? "listed" : "missing");
            at += listed;
        }
    }
    CHECK(at == found, "class %d: %zu pairs are out of order or there twice", kind, found - at);
    sc_free(pairs);
}

TEST(near_boxes_agree_with_all_pairs)
{
    enum { MOST = 60 };
    for (int round = 0; round < test_rounds(200); round++) {
        for (int kind = 0; kind < BOXES_CLASSES; kind++) {
            sc_broad_box boxes[MOST];
            size_t count = (size_t)test_below(MOST + 1);
            for (size_t i = 0; i < count; i++) {
                boxes[i] = make_box_of(kind);
            }
            compare(boxes, count, kind);
        }
    }
}

TEST(many_boxes_agree_with_all_pairs)
{
    size_t count = (size_t)test_rounds(1500);
    sc_broad_box *boxes = calloc(count, sizeof *boxes);
    for (int kind = 0; kind < BOXES_CLASSES; kind++) {
        for (size_t i = 0; i < count; i++) {
            boxes[i] = make_box_of(kind);
        }
        compare(boxes, count, kind);
    }
    free(boxes);
}

TEST(box_distance_is_a_close_lower_bound)
{
    for (int round = 0; round < test_rounds(100000); round++) {
        int kind = test_below(BOXES_CLASSES);
        sc_broad_box a = make_box_of(kind), b = make_box_of(kind);
        long double sum = 0;
        for (int k = 0; k < 3; k++) {
            long double gap = gap_on(&a.box, &b.box, k);
            sum += gap > 0 ? gap * gap : 0;
        }
        long double distance = sqrtl(sum), got = (long double)sc_box_distance(&a.box, &b.box);
        CHECK(got <= distance, "class %d: %Lg exceeds %Lg", kind, got, distance);
        CHECK(got >= distance * (1 - 1e-12L) - 1e-130L, "class %d: %Lg is far below %Lg", kind, got,
              distance);
        CHECK((got == 0) == (distance == 0) || distance < 1e-300L, "class %d: %Lg, not %Lg", kind,
              got, distance);
        CHECK(sc_box_distance(&b.box, &a.box) == (double)got, "the order of the boxes matters");
    }
}

/* ---- without a list -------------------------------------------------------- */

typedef struct told {
    const sc_box *boxes;
    size_t pairs, most;
} told;

static bool count_pair(void *context, uint32_t a, uint32_t b)
{
    told *t = context;
    CHECK(a != b && sc_boxes_meet(&t->boxes[a], &t->boxes[b]), "%u and %u", a, b);
    return ++t->pairs < t->most;
}

TEST(a_sweep_tells_of_each_pair_and_ends_when_it_is_to)
{
    enum { BOXES = 200 };
    sc_box boxes[BOXES];
    size_t pairs = 0;
    for (size_t i = 0; i < BOXES; i++) {
        boxes[i] = make_box_of(BOXES_GRID).box;
        for (size_t k = 0; k < i; k++) {
            pairs += sc_boxes_meet(&boxes[i], &boxes[k]);
        }
    }
    told all = {boxes, 0, SIZE_MAX}, some = {boxes, 0, 3}, none = {boxes, 0, SIZE_MAX};
    sc_watch watch = {.over = true};
    CHECK(sc_broad_sweep(boxes, BOXES, NULL, count_pair, &all), "all");
    CHECK(pairs > 3 && all.pairs == pairs, "%zu of %zu", all.pairs, pairs);
    CHECK(!sc_broad_sweep(boxes, BOXES, NULL, count_pair, &some) && some.pairs == 3, "three");
    CHECK(!sc_broad_sweep(boxes, BOXES, &watch, count_pair, &none) && none.pairs == 0, "no time");
}
