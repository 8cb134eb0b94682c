/* crossings.c - see crossings.h. */
#include "crossings.h"

#include "base/alloc.h"
#include "geom/orient.h"
#include "geom/sos.h"

#include <stdlib.h>

bool sc_vertex_before(sc_vec3 a, sc_vec3 b)
{
    if (a.x != b.x) {
        return a.x < b.x;
    }
    return a.y != b.y ? a.y < b.y : a.z < b.z;
}

/* Grows an array of items; the new one, or NULL. */
static void *room(void *items, size_t *capacity, size_t count, size_t size)
{
    if (count < *capacity) {
        return items;
    }
    size_t larger = 2 * *capacity + 64;
    void *grown = sc_realloc(items, larger, size);
    if (grown) {
        *capacity = larger;
    }
    return grown;
}

static bool add_crossing(sc_crossings *w, int part, const sc_active *own, int edge,
                         const sc_vec3 v[3], uint32_t other, const sc_vec3 plane[3], int enters)
{
    int next = (edge + 1) % 3;
    bool turned = sc_vertex_before(v[next], v[edge]);
    sc_vec3 low = v[turned ? next : edge], high = v[turned ? edge : next];
    sc_vec3 near_low = sc_sub(low, w->origin), near_high = sc_sub(high, w->origin);
    double from = sc_orient3d_value(plane[0], plane[1], plane[2], low);
    double to = sc_orient3d_value(plane[0], plane[1], plane[2], high);
    double t = from == to ? 0.0 : from / (from - to);
    t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;

    sc_crossing *grown =
        room(w->crossings, &w->crossing_capacity, w->crossing_count, sizeof *grown);
    if (!grown) {
        return false;
    }
    w->crossings = grown;
    w->crossings[w->crossing_count++] =
        (sc_crossing){.low = own->vertex[turned ? next : edge],
                      .high = own->vertex[turned ? edge : next],
                      .facet = other,
                      .part = (int8_t)part,
                      .enters = (int8_t)(turned ? -enters : enters),
                      .t = t,
                      .point = t <= 0.5 ? sc_mul_add(near_low, t, sc_sub(high, low))
                                        : sc_mul_add(near_high, from == to ? 0.0 : to / (to - from),
                                                     sc_sub(low, high))};
    return true;
}

/* The crossings of one pair of facets that meet: none, or one S and one E. */
static bool cross_pair(sc_crossings *w, uint32_t facet_a, uint32_t facet_b)
{
    sc_vec3 a[3], b[3];
    sc_active *in_a = sc_windings_crossed(&w->windings[0], facet_a);
    sc_active *in_b = sc_windings_crossed(&w->windings[1], facet_b);
    sc_segment s = {{facet_a, facet_b}, SIZE_MAX, SIZE_MAX};

    sc_solid_facet(w->solid[0], facet_a, a);
    sc_solid_facet(w->solid[1], facet_b, b);
    for (int i = 0; i < 3; i++) {
        int enters = sc_sos_edge_of_a(a[i], a[(i + 1) % 3], b);
        if (enters != 0) {
            in_a->change[i] += enters;
            *(enters > 0 ? &s.end : &s.start) = w->crossing_count;
            if (!add_crossing(w, 0, in_a, i, a, facet_b, b, enters)) {
                return false;
            }
        }
        enters = sc_sos_edge_of_b(b[i], b[(i + 1) % 3], a);
        if (enters != 0) {
            in_b->change[i] += enters;
            *(enters > 0 ? &s.start : &s.end) = w->crossing_count;
            if (!add_crossing(w, 1, in_b, i, b, facet_a, a, enters)) {
                return false;
            }
        }
    }
    if (s.start == SIZE_MAX || s.end == SIZE_MAX) {
        return true;
    }
    sc_segment *grown = room(w->segments, &w->segment_capacity, w->segment_count, sizeof *grown);
    if (!grown) {
        return false;
    }
    w->segments = grown;
    w->segments[w->segment_count++] = s;
    return true;
}

static int by_value(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return (a > b) - (a < b);
}

/* The facets of one part that are in the hits, each once. */
static bool add_crossed_facets(sc_windings *windings, const uint64_t *hits, size_t count, int part)
{
    uint32_t *facets = sc_alloc(count, sizeof *facets);
    size_t unique = 0;
    if (!facets) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        facets[i] = (uint32_t)(part == 0 ? hits[i] >> 32 : hits[i]);
    }
    qsort(facets, count, sizeof *facets, by_value);
    for (size_t i = 0; i < count; i++) {
        if (unique == 0 || facets[unique - 1] != facets[i]) {
            facets[unique++] = facets[i];
        }
    }
    bool good = sc_windings_add_crossed(windings, facets, unique);
    sc_free(facets);
    return good;
}

/* By edge; along it; by facet. Equal ones are the same crossing, seen from the two
 * facets at the edge. */
static int by_edge(const void *x, const void *y)
{
    const sc_crossing *a = x, *b = y;
    if (a->part != b->part) {
        return a->part < b->part ? -1 : 1;
    }
    if (a->low != b->low) {
        return a->low < b->low ? -1 : 1;
    }
    if (a->high != b->high) {
        return a->high < b->high ? -1 : 1;
    }
    if (a->t != b->t) {
        return a->t < b->t ? -1 : 1;
    }
    return (a->facet > b->facet) - (a->facet < b->facet);
}

typedef struct numbered {
    sc_crossing c;
    size_t number;
} numbered;

/* Sorts the crossings by edge, drops doubles, and renumbers the segments' ends. */
static bool sort_crossings(sc_crossings *w)
{
    numbered *sorted = sc_alloc(w->crossing_count, sizeof *sorted);
    size_t *place = sc_alloc(w->crossing_count, sizeof *place);
    size_t unique = 0;

    if (!sorted || !place) {
        sc_free(sorted);
        sc_free(place);
        return false;
    }
    for (size_t i = 0; i < w->crossing_count; i++) {
        sorted[i] = (numbered){w->crossings[i], i};
    }
    qsort(sorted, w->crossing_count, sizeof *sorted, by_edge);
    for (size_t i = 0; i < w->crossing_count; i++) {
        if (unique == 0 || by_edge(&w->crossings[unique - 1], &sorted[i].c) != 0) {
            w->crossings[unique++] = sorted[i].c;
        }
        place[sorted[i].number] = unique - 1;
    }
    w->crossing_count = unique;
    for (size_t i = 0; i < w->segment_count; i++) {
        w->segments[i].start = place[w->segments[i].start];
        w->segments[i].end = place[w->segments[i].end];
    }
    sc_free(sorted);
    sc_free(place);
    return true;
}

/* The crossings of the edge between two vertices: *first .. the result. */
size_t sc_crossings_of_edge(const sc_crossings *w, int part, uint32_t low, uint32_t high,
                            size_t *first)
{
    sc_crossing key = {.low = low, .high = high, .part = (int8_t)part, .t = -1.0};
    size_t from = 0, to = w->crossing_count;
    while (from < to) {
        size_t middle = (from + to) / 2;
        if (by_edge(&w->crossings[middle], &key) < 0) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    *first = from;
    while (to < w->crossing_count && w->crossings[to].part == part && w->crossings[to].low == low &&
           w->crossings[to].high == high) {
        to++;
    }
    return to;
}

static bool find_crossings(sc_crossings *w, const uint64_t *hits, size_t hit_count)
{
    for (int part = 0; part < 2; part++) {
        sc_windings *in = &w->windings[part];
        if (!sc_windings_init(in, w->solid[part], w->solid[1 - part]) ||
            !add_crossed_facets(in, hits, hit_count, part)) {
            return false;
        }
    }
    for (size_t i = 0; i < hit_count; i++) {
        if (!cross_pair(w, (uint32_t)(hits[i] >> 32), (uint32_t)hits[i])) {
            return false;
        }
    }
    return sort_crossings(w);
}

bool sc_crossings_find(sc_solid *solid[2], const uint64_t *hits, size_t hit_count,
                       sc_crossings *crossings)
{
    const sc_box *a = &solid[0]->part->used_bounds, *b = &solid[1]->part->used_bounds;

    *crossings = (sc_crossings){.solid = {solid[0], solid[1]}};
    crossings->origin =
        (sc_vec3){0.5 * (fmax(a->low[0], b->low[0]) + fmin(a->high[0], b->high[0])),
                  0.5 * (fmax(a->low[1], b->low[1]) + fmin(a->high[1], b->high[1])),
                  0.5 * (fmax(a->low[2], b->low[2]) + fmin(a->high[2], b->high[2]))};
    return find_crossings(crossings, hits, hit_count);
}

bool sc_crossings_wind(sc_crossings *crossings)
{
    for (int part = 0; part < 2; part++) {
        if (!sc_windings_add_rest(&crossings->windings[part]) ||
            !sc_windings_solve(&crossings->windings[part], true)) {
            return false;
        }
    }
    return true;
}

void sc_crossings_free(sc_crossings *crossings)
{
    for (int part = 0; part < 2; part++) {
        sc_windings_free(&crossings->windings[part]);
    }
    sc_free(crossings->crossings);
    sc_free(crossings->segments);
}
