/* overlaid.c - see overlaid.h. */
#include "overlaid.h"

#include "base/alloc.h"
#include "plane_figures.h"

#include <string.h>

/* Facets as they are seen along an axis, and the cells that they are sorted into. */
typedef struct sheet {
    sc_seen_facet *seen; /* [count] */
    uint32_t count;
    bool *marked;    /* [count] */
    uint32_t *first; /* [cells x cells + 1] */
    uint32_t *items; /* in cells */
    uint32_t cells;
    double low[2], size[2]; /* of a cell */
} sheet;

/* Whether an edge of a has b beyond it. */
static bool beyond_edge(const sc_seen_facet *a, const sc_seen_facet *b)
{
    const double reach = sc_plane_reach(b->low, b->high);
    for (int k = 0; k < 3; k++) {
        const sc_plane_line e = sc_seen_facet_edge(a, k, reach);
        if (sc_plane_beside(&e, b->corner[0]) <= e.on &&
            sc_plane_beside(&e, b->corner[1]) <= e.on &&
            sc_plane_beside(&e, b->corner[2]) <= e.on) {
            return true;
        }
    }
    return false;
}

static bool overlie(const sc_seen_facet *a, const sc_seen_facet *b)
{
    return a->low[0] < b->high[0] && b->low[0] < a->high[0] && a->low[1] < b->high[1] &&
           b->low[1] < a->high[1] && !beyond_edge(a, b) && !beyond_edge(b, a);
}

/* items: NULL: the first ones. */
static void mark_among(const sheet *s, const uint32_t *items, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < i; k++) {
            const uint32_t a = items ? items[i] : i, b = items ? items[k] : k;
            if (!(s->marked[a] && s->marked[b]) && overlie(&s->seen[a], &s->seen[b])) {
                s->marked[a] = s->marked[b] = true;
            }
        }
    }
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
    const uint64_t few = 64, most = few * s->count;
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

/* All of them where a look at all pairs takes long: then a look at each tells. */
static bool mark_by_cells(sheet *s)
{
    lay_cells(s);
    s->first = sc_calloc((size_t)s->cells * s->cells + 1, sizeof *s->first);
    if (!s->first) {
        return false;
    }
    if (!count_in_cells(s)) {
        memset(s->marked, true, s->count * sizeof *s->marked);
        return true;
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

bool sc_overlaid_mark(const sc_overlaid *facets)
{
    enum { ALL_PAIRS = 24 };
    const uint32_t count = facets->count;
    const int axis = sc_largest_axis(sc_area_twice(facets->within));
    sc_seen_facet few[ALL_PAIRS];
    sheet s = {.seen = few, .count = count, .marked = facets->marked};

    if (count > ALL_PAIRS) {
        s.seen = sc_alloc(count, sizeof *s.seen);
        if (!s.seen) {
            return false;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        s.marked[i] = false;
        for (int k = 0; k < 3; k++) {
            const sc_vec3 at = sc_sub(facets->v[i][k], facets->within[0]);
            s.seen[i].corner[k][0] = sc_component(at, (axis + 1) % 3);
            s.seen[i].corner[k][1] = sc_component(at, (axis + 2) % 3);
        }
        sc_seen_facet_finish(&s.seen[i]);
    }
    bool good = true;
    if (count > ALL_PAIRS) {
        good = mark_by_cells(&s);
        sc_free(s.first);
        sc_free(s.items);
        sc_free(s.seen);
    } else {
        mark_among(&s, NULL, count);
    }
    return good;
}
