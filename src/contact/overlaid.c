/* overlaid.c - see overlaid.h.
 *
 * Facets that have a corner in common crowd about it, as those of a fan about its hub: of these the
 * angles at it tell which lie over each other. All others are looked at pair by pair, in cells; or,
 * where these are crowded with slivers, as a line sweeps over all of them. */
#include "overlaid.h"

#include "base/alloc.h"
#include "geom/angle.h"
#include "line_sweep.h"

#include <stdlib.h>
#include <string.h>

/* Facets as they are seen along an axis, and the cells that they are sorted into. */
typedef struct sheet {
    sc_seen_facet *seen; /* [count] */
    uint32_t count;
    bool *marked;    /* [count] */
    uint32_t *fan;   /* [count] the first of its fan, those of which are in a row; or NULL */
    uint32_t *first; /* [cells x cells + 1] */
    uint32_t *items; /* in cells */
    uint32_t cells;
    double low[2], size[2]; /* of a cell */
} sheet;

/* ---- fans ------------------------------------------------------------------------------- */

/* A corner, and whose. */
typedef struct spoke {
    double at[2];
    uint32_t item;
    uint32_t sharing; /* how many have it, in all */
} spoke;

/* A facet about a corner of its, from one angle to another. */
typedef struct wedge {
    double from, to;
    uint32_t item;
} wedge;

static int by_place(const void *a, const void *b)
{
    const spoke *x = a, *y = b;
    for (int k = 0; k < 2; k++) {
        if (x->at[k] != y->at[k]) {
            return x->at[k] < y->at[k] ? -1 : 1;
        }
    }
    return (x->item > y->item) - (x->item < y->item);
}

static int by_angle(const void *a, const void *b)
{
    const wedge *x = a, *y = b;
    if (x->from != y->from) {
        return x->from < y->from ? -1 : 1;
    }
    return (x->item > y->item) - (x->item < y->item);
}

static wedge wedge_of(const sc_seen_facet *facet, const double hub[2], uint32_t item)
{
    int k = 0;
    while (k < 2 && !(facet->corner[k][0] == hub[0] && facet->corner[k][1] == hub[1])) {
        k++;
    }
    const double *next = facet->corner[(k + 1) % 3], *last = facet->corner[(k + 2) % 3];
    wedge w = {sc_atan2(next[1] - hub[1], next[0] - hub[0]),
               sc_atan2(last[1] - hub[1], last[0] - hub[0]), item};
    w.to += w.to < w.from ? 2.0 * SC_PI : 0.0;
    return w;
}

/* Marks those of a fan that lie over others of it: wedges that follow each other, once around and
 * once more, as long as each begins within the one that reaches farthest. */
static void mark_fan(const sheet *s, wedge *wedges, uint32_t count)
{
    const double rounding = 0x1p-40;
    uint32_t farthest = 0;
    double to = -INFINITY;

    qsort(wedges, count, sizeof *wedges, by_angle);
    for (uint32_t i = 0; i < 2 * count; i++) {
        const wedge *w = &wedges[i % count];
        const double turns = i < count ? 0.0 : 2.0 * SC_PI, from = w->from + turns;
        if (i > 0 && from < to + rounding && w->item != wedges[farthest].item &&
            (from < to - rounding ||
             sc_seen_facets_overlie(&s->seen[w->item], &s->seen[wedges[farthest].item]))) {
            s->marked[w->item] = s->marked[wedges[farthest].item] = true;
        }
        if (w->to + turns > to) {
            to = w->to + turns;
            farthest = i % count;
        }
    }
}

/* The corners of all facets, those at one place in a row. */
static void lay_spokes(const sheet *s, spoke *spokes)
{
    const uint32_t count = 3 * s->count;
    for (uint32_t i = 0; i < count; i++) {
        const double *at = s->seen[i / 3].corner[i % 3];
        spokes[i] = (spoke){{at[0] + 0.0, at[1] + 0.0}, i / 3, 0};
    }
    qsort(spokes, count, sizeof *spokes, by_place);
    for (uint32_t first = 0, next; first < count; first = next) {
        const double *at = spokes[first].at;
        for (next = first + 1;
             next < count && spokes[next].at[0] == at[0] && spokes[next].at[1] == at[1];) {
            next++;
        }
        for (uint32_t i = first; i < next; i++) {
            spokes[i].sharing = next - first;
        }
    }
}

/* Of each of so many facets its spoke at the corner that most share; of several the first. */
static void choose_spokes(const spoke *spokes, uint32_t count, uint32_t *chosen)
{
    for (uint32_t i = 0; i < count; i++) {
        chosen[i] = UINT32_MAX;
    }
    for (uint32_t i = 0; i < 3 * count; i++) {
        uint32_t *best = &chosen[spokes[i].item];
        if (*best == UINT32_MAX || spokes[*best].sharing < spokes[i].sharing) {
            *best = i;
        }
    }
}

/* The facets in order, those that chose one corner as a fan, where they are many; and a look at
 * each of these fans. */
static void take_spokes(sheet *s, const spoke *spokes, const uint32_t *chosen, wedge *wedges,
                        uint32_t *order)
{
    enum { MANY = 24 };
    uint32_t put = 0;
    for (uint32_t i = 0; i < 3 * s->count;) {
        const uint32_t end = i + spokes[i].sharing, began = put;
        const bool many = spokes[i].sharing >= MANY;
        for (; i < end; i++) {
            const uint32_t item = spokes[i].item;
            if (chosen[item] == i) {
                wedges[put - began] = wedge_of(&s->seen[item], spokes[i].at, item);
                s->fan[put] = many ? began : put;
                order[put++] = item;
            }
        }
        if (many && put - began > 1) {
            mark_fan(s, wedges, put - began);
        }
    }
}

/* Gives each facet to the corner of its that most share, where they are many; and looks at these
 * fans. Facets are in another order then, fan by fan: order[i] is which was the i-th. */
static bool take_fans(sheet *s, uint32_t *order)
{
    const uint32_t count = s->count;
    spoke *spokes = sc_alloc(3 * (size_t)count, sizeof *spokes);
    uint32_t *chosen = sc_alloc(count, sizeof *chosen);
    wedge *wedges = sc_alloc(count, sizeof *wedges);
    sc_seen_facet *sorted = sc_alloc(count, sizeof *sorted);
    const bool good = spokes && chosen && wedges && sorted;

    if (good) {
        lay_spokes(s, spokes);
        choose_spokes(spokes, count, chosen);
        take_spokes(s, spokes, chosen, wedges, order);
        for (uint32_t i = 0; i < count; i++) {
            sorted[i] = s->seen[order[i]];
        }
        memcpy(s->seen, sorted, count * sizeof *sorted);
    }
    sc_free(spokes);
    sc_free(chosen);
    sc_free(wedges);
    sc_free(sorted);
    return good;
}

/* ---- all others ------------------------------------------------------------------------- */

/* Those of two fans. */
static void mark_between(const sheet *s, uint32_t a, uint32_t end_a, uint32_t b, uint32_t end_b)
{
    for (uint32_t i = a; i < end_a; i++) {
        for (uint32_t k = b; k < end_b; k++) {
            if (!(s->marked[i] && s->marked[k]) &&
                sc_seen_facets_overlie(&s->seen[i], &s->seen[k])) {
                s->marked[i] = s->marked[k] = true;
            }
        }
    }
}

/* items: NULL: the first ones. */
static void mark_among(const sheet *s, const uint32_t *items, uint32_t count)
{
    uint32_t others = 0; /* so many are of other fans than the i-th */
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t a = items ? items[i] : i;
        others = i > 0 && s->fan && s->fan[a] == s->fan[items ? items[i - 1] : i - 1] ? others : i;
        for (uint32_t k = 0; k < others; k++) {
            const uint32_t b = items ? items[k] : k;
            if (!(s->marked[a] && s->marked[b]) &&
                sc_seen_facets_overlie(&s->seen[a], &s->seen[b])) {
                s->marked[a] = s->marked[b] = true;
            }
        }
    }
}

/* So many looks at pairs, for each facet, are few. */
enum { FEW_PAIRS = 64 };

/* Where the fans begin, and the end of the last; and their boxes. Returns how many there are. */
static uint32_t box_fans(const sheet *s, uint32_t *first, sc_seen_facet *box)
{
    uint32_t fans = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        if (i == 0 || s->fan[i] != s->fan[i - 1]) {
            first[fans] = i;
            box[fans++] = s->seen[i];
        }
        for (int k = 0; k < 2; k++) {
            double *low = &box[fans - 1].low[k], *high = &box[fans - 1].high[k];
            *low = sc_min(*low, s->seen[i].low[k]);
            *high = sc_max(*high, s->seen[i].high[k]);
        }
    }
    first[fans] = s->count;
    return fans;
}

/* How many pairs those of fans have whose boxes overlap; and looks at them, if asked to. */
static uint64_t pair_fans(const sheet *s, const uint32_t *first, const sc_seen_facet *box,
                          uint32_t fans, bool mark)
{
    uint64_t pairs = 0;
    for (uint32_t i = 0; i < fans; i++) {
        for (uint32_t k = 0; k < i; k++) {
            if (!sc_seen_boxes_meet(&box[i], &box[k])) {
                continue;
            }
            pairs += (uint64_t)(first[i + 1] - first[i]) * (first[k + 1] - first[k]);
            if (mark) {
                mark_between(s, first[i], first[i + 1], first[k], first[k + 1]);
            }
        }
    }
    return pairs;
}

/* Where there are few fans: whether those whose boxes overlap have few pairs. Then these are looked
 * at. */
static bool mark_by_fans(const sheet *s, uint32_t *first, sc_seen_facet *box)
{
    const uint64_t most = (uint64_t)FEW_PAIRS * s->count;
    const uint32_t fans = box_fans(s, first, box);

    if ((uint64_t)fans * fans > most || pair_fans(s, first, box, fans, false) > most) {
        return false;
    }
    pair_fans(s, first, box, fans, true);
    return true;
}

typedef struct cells {
    uint32_t low[2], high[2];
} cells;

static uint32_t cell_of(const sheet *s, int axis, double at)
{
    const double cell = s->size[axis] > 0.0 ? (at - s->low[axis]) / s->size[axis] : 0.0;
    return cell < s->cells ? (uint32_t)sc_max(cell, 0.0) : s->cells - 1;
}

static cells cells_of(const sheet *s, uint32_t item)
{
    cells c;
    for (int k = 0; k < 2; k++) {
        c.low[k] = cell_of(s, k, s->seen[item].low[k]);
        c.high[k] = cell_of(s, k, s->seen[item].high[k]);
    }
    return c;
}

/* Where those of each cell end; false if there are many, or many pairs, for so many facets. */
static bool count_in_cells(sheet *s)
{
    const uint64_t most = (uint64_t)FEW_PAIRS * s->count;
    uint64_t items = 0, pairs = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        const cells c = cells_of(s, i);
        items += (uint64_t)(c.high[0] - c.low[0] + 1) * (c.high[1] - c.low[1] + 1);
        if (items > most || items > UINT32_MAX || pairs > most) {
            return false;
        }
        for (uint32_t y = c.low[1]; y <= c.high[1]; y++) {
            for (uint32_t x = c.low[0]; x <= c.high[0]; x++) {
                pairs += s->first[y * s->cells + x]++;
            }
        }
    }
    for (uint32_t i = 1; i <= s->cells * s->cells; i++) {
        s->first[i] += s->first[i - 1];
    }
    return pairs <= most;
}

static void put_into_cells(sheet *s)
{
    for (uint32_t i = s->count; i-- > 0;) {
        const cells c = cells_of(s, i);
        for (uint32_t y = c.low[1]; y <= c.high[1]; y++) {
            for (uint32_t x = c.low[0]; x <= c.high[0]; x++) {
                s->items[--s->first[y * s->cells + x]] = i;
            }
        }
    }
}

static void lay_cells(sheet *s)
{
    double high[2] = {-INFINITY, -INFINITY};
    s->low[0] = s->low[1] = INFINITY;
    for (uint32_t i = 0; i < s->count; i++) {
        for (int k = 0; k < 2; k++) {
            s->low[k] = sc_min(s->low[k], s->seen[i].low[k]);
            high[k] = sc_max(high[k], s->seen[i].high[k]);
        }
    }
    s->cells = (uint32_t)sqrt((double)s->count);
    for (int k = 0; k < 2; k++) {
        s->size[k] = (high[k] - s->low[k]) / s->cells;
    }
}

/* All of them where too many lie over others: then a look at each tells. */
static bool mark_crowd(sheet *s)
{
    bool told;
    if (!sc_line_sweep(s->seen, s->count, s->marked, &told)) {
        return false;
    }
    if (!told) {
        memset(s->marked, true, s->count * sizeof *s->marked);
    }
    return true;
}

static bool mark_by_cells(sheet *s)
{
    lay_cells(s);
    s->first = sc_calloc((size_t)s->cells * s->cells + 1, sizeof *s->first);
    if (!s->first) {
        return false;
    }
    if (!count_in_cells(s)) {
        return mark_crowd(s);
    }
    s->items = sc_alloc((size_t)s->first[s->cells * s->cells] + 1, sizeof *s->items);
    if (!s->items) {
        return false;
    }
    put_into_cells(s);
    for (uint32_t i = 0; i < s->cells * s->cells; i++) {
        mark_among(s, s->items + s->first[i], s->first[i + 1] - s->first[i]);
    }
    return true;
}

static bool mark_many(sheet *s, uint32_t *order, bool *marked)
{
    const uint32_t count = s->count;
    uint32_t *first = sc_alloc((size_t)count + 1, sizeof *first);
    sc_seen_facet *box = sc_alloc(count, sizeof *box);
    bool good = first && box && take_fans(s, order);

    if (good) { /* in the order of fans */
        bool *told = s->marked;
        s->marked = marked;
        for (uint32_t i = 0; i < count; i++) {
            marked[i] = told[order[i]];
        }
        good = mark_by_fans(s, first, box) || mark_by_cells(s);
        for (uint32_t i = 0; i < count; i++) {
            told[order[i]] = marked[i];
        }
        s->marked = told;
    }
    sc_free(first);
    sc_free(box);
    return good;
}

bool sc_overlaid_mark(const sc_overlaid *facets)
{
    enum { ALL_PAIRS = 24 };
    const uint32_t count = facets->count;
    const bool many = count > ALL_PAIRS;
    const int axis = sc_largest_axis(sc_area_twice(facets->within));
    sc_seen_facet few[ALL_PAIRS];
    sheet s = {.seen = few, .count = count, .marked = facets->marked};
    uint32_t *order = NULL;
    bool *marked = NULL;

    if (many) {
        s.seen = sc_alloc(count, sizeof *s.seen);
        s.fan = sc_alloc(count, sizeof *s.fan);
        order = sc_alloc(count, sizeof *order);
        marked = sc_alloc(count, sizeof *marked);
    }
    bool good = s.seen && (!many || (s.fan && order && marked));
    for (uint32_t i = 0; i < count && good; i++) {
        s.marked[i] = false;
        for (int k = 0; k < 3; k++) {
            const sc_vec3 at = sc_sub(facets->v[i][k], facets->within[0]);
            s.seen[i].corner[k][0] = sc_component(at, (axis + 1) % 3);
            s.seen[i].corner[k][1] = sc_component(at, (axis + 2) % 3);
        }
        sc_seen_facet_finish(&s.seen[i]);
    }
    if (!many) {
        mark_among(&s, NULL, count);
        return good;
    }
    good = good && mark_many(&s, order, marked);
    sc_free(s.first);
    sc_free(s.items);
    sc_free(s.seen);
    sc_free(s.fan);
    sc_free(order);
    sc_free(marked);
    return good;
}
