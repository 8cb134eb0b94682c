/* probe_divide.c - see probe_divide.h. */
#include "probe_divide.h"

enum { BINS = 16, FEW = SC_PROBE_WIDTH * SC_PROBE_LANES, DEEP = 64 };

/* ---- boxes ------------------------------------------------------------------------ */

static inline void add(sc_fbox *to, const float low[3], const float high[3])
{
    for (int k = 0; k < 3; k++) {
        to->low[k] = low[k] < to->low[k] ? low[k] : to->low[k];
        to->high[k] = high[k] > to->high[k] ? high[k] : to->high[k];
    }
}

/* Half the surface; 0 for an empty box. */
static inline float area(const sc_fbox *b)
{
    float x = b->high[0] - b->low[0], y = b->high[1] - b->low[1], z = b->high[2] - b->low[2];
    return x < 0.0f ? 0.0f : x * y + y * z + z * x;
}

/* Twice the middle. */
static inline float middle(const sc_probe_item *i, int axis)
{
    return i->low[axis] + i->high[axis];
}

sc_fbox sc_probe_box_of(const sc_probe_item *items, uint32_t count)
{
    sc_fbox b = sc_fbox_empty();
    for (uint32_t i = 0; i < count; i++) {
        add(&b, items[i].low, items[i].high);
    }
    return b;
}

static sc_fbox middles_of(const sc_probe_item *items, uint32_t count)
{
    sc_fbox b = sc_fbox_empty();
    for (uint32_t i = 0; i < count; i++) {
        float at[3] = {middle(&items[i], 0), middle(&items[i], 1), middle(&items[i], 2)};
        add(&b, at, at);
    }
    return b;
}

/* ---- dividing --------------------------------------------------------------------- */

/* Bundles that so many triangles take. */
static inline float bundles(uint32_t count)
{
    return (float)((count + SC_PROBE_LANES - 1) / SC_PROBE_LANES);
}

typedef struct bin {
    sc_fbox bounds;
    uint32_t count;
} bin;

static inline int bin_of(float at, float low, float per_length)
{
    int i = (int)((at - low) * per_length);
    return i < BINS - 1 ? i : BINS - 1;
}

/* The bin after which to divide, and its cost. */
static int best_division(const bin *bins, float *cost)
{
    float right[BINS];
    sc_fbox b = sc_fbox_empty();
    uint32_t count = 0;
    int best = 0;

    for (int i = BINS - 1; i > 0; i--) {
        add(&b, bins[i].bounds.low, bins[i].bounds.high);
        count += bins[i].count;
        right[i] = count > 0 ? area(&b) * bundles(count) : INFINITY;
    }
    b = sc_fbox_empty();
    count = 0;
    *cost = INFINITY;
    for (int i = 0; i < BINS - 1; i++) {
        add(&b, bins[i].bounds.low, bins[i].bounds.high);
        count += bins[i].count;
        float sum = count > 0 ? area(&b) * bundles(count) + right[i + 1] : INFINITY;
        if (sum < *cost) {
            *cost = sum;
            best = i;
        }
    }
    return best;
}

static uint32_t partition(sc_probe_item *items, uint32_t count, int axis, float low,
                          float per_length, int last_left)
{
    uint32_t i = 0, j = count;
    for (;;) {
        while (i < j && bin_of(middle(&items[i], axis), low, per_length) <= last_left) {
            i++;
        }
        while (i < j && bin_of(middle(&items[j - 1], axis), low, per_length) > last_left) {
            j--;
        }
        if (i == j) {
            return i;
        }
        sc_probe_item swap = items[i];
        items[i++] = items[--j];
        items[j] = swap;
    }
}

/* Divides many items; returns how many come first, 0 where they all lie in one place. */
static uint32_t divide_by_bins(sc_probe_item *items, uint32_t count)
{
    sc_fbox middles = middles_of(items, count);
    bin bins[3][BINS];
    float per_length[3], least = INFINITY;
    int axis = -1, last_left = 0;

    for (int k = 0; k < 3; k++) {
        float extent = middles.high[k] - middles.low[k];
        per_length[k] = extent > 0x1p-100f ? (float)BINS * 0.9999f / extent : 0.0f;
        for (int i = 0; i < BINS; i++) {
            bins[k][i] = (bin){sc_fbox_empty(), 0};
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        const sc_probe_item *it = &items[i];
        for (int k = 0; k < 3; k++) {
            bin *b = &bins[k][bin_of(middle(it, k), middles.low[k], per_length[k])];
            add(&b->bounds, it->low, it->high);
            b->count++;
        }
    }
    for (int k = 0; k < 3; k++) {
        float cost;
        int division = best_division(bins[k], &cost);
        if (cost < least) {
            least = cost;
            axis = k;
            last_left = division;
        }
    }
    return axis < 0 ? 0
                    : partition(items, count, axis, middles.low[axis], per_length[axis], last_left);
}

/* Divides a few items along their longest side, such that bundles stay full. */
static uint32_t divide_few(sc_probe_item *items, uint32_t count)
{
    sc_fbox middles = middles_of(items, count), b = sc_fbox_empty();
    float right[FEW / SC_PROBE_LANES + 1], least = INFINITY;
    uint32_t best = SC_PROBE_LANES;
    int axis = 0;

    for (int k = 1; k < 3; k++) {
        if (middles.high[k] - middles.low[k] > middles.high[axis] - middles.low[axis]) {
            axis = k;
        }
    }
    for (uint32_t i = 1; i < count; i++) {
        sc_probe_item moved = items[i];
        uint32_t j = i;
        for (; j > 0 && middle(&items[j - 1], axis) > middle(&moved, axis); j--) {
            items[j] = items[j - 1];
        }
        items[j] = moved;
    }
    for (uint32_t i = count; i > 0; i--) {
        add(&b, items[i - 1].low, items[i - 1].high);
        if ((i - 1) % SC_PROBE_LANES == 0) {
            right[(i - 1) / SC_PROBE_LANES] = area(&b) * bundles(count - i + 1);
        }
    }
    b = sc_fbox_empty();
    for (uint32_t i = 0; i + SC_PROBE_LANES < count; i += SC_PROBE_LANES) {
        for (uint32_t j = i; j < i + SC_PROBE_LANES; j++) {
            add(&b, items[j].low, items[j].high);
        }
        uint32_t left = i + SC_PROBE_LANES;
        float cost = area(&b) * bundles(left) + right[left / SC_PROBE_LANES];
        if (cost < least) {
            least = cost;
            best = left;
        }
    }
    return best;
}

static void divide(sc_probe_set *whole, sc_probe_set *rest, int depth)
{
    uint32_t left = 0;
    if (whole->count <= FEW) {
        left = divide_few(whole->items, whole->count);
    } else if (depth < DEEP) {
        left = divide_by_bins(whole->items, whole->count);
    }
    left = left > 0 && left < whole->count ? left : whole->count / 2; /* all in one place */
    *rest = (sc_probe_set){.items = whole->items + left, .count = whole->count - left};
    whole->count = left;
    whole->bounds = sc_probe_box_of(whole->items, whole->count);
    rest->bounds = sc_probe_box_of(rest->items, rest->count);
}

/* What fits into the eight bundles of one node stays together for it. */
int sc_probe_divide(const sc_probe_set *whole, sc_probe_set parts[SC_PROBE_WIDTH], int depth)
{
    uint32_t together = whole->count > FEW ? FEW : SC_PROBE_LANES;
    int count = 1;

    parts[0] = *whole;
    while (count < SC_PROBE_WIDTH) {
        int largest = -1;
        float most = -1.0f;
        for (int i = 0; i < count; i++) {
            if (parts[i].count > together && area(&parts[i].bounds) > most) {
                most = area(&parts[i].bounds);
                largest = i;
            }
        }
        if (largest < 0) {
            break;
        }
        divide(&parts[largest], &parts[count++], depth);
    }
    return count;
}
