/* gaps.c - see gaps.h. */
#include "gaps.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/sort.h"
#include "base/union_find.h"
#include "gap_joins.h"
#include "geom/tri_intersect.h"
#include "pair.h"

#include <float.h>
#include <string.h>

/* Where a gap is narrowest, as far as it hangs together by its facets. */
typedef struct place {
    uint32_t pair;   /* of equally near ones the first */
    double distance; /* 0: they meet */
} place;

typedef struct search {
    const sc_gap_request *r;
    sc_gap_joins joins;
    uint32_t *number; /* [joins.count] of the place of a pair */
    place *places;    /* [count] */
    size_t count;
} search;

/* ---- the narrowest of each gap ---------------------------------------------- */

/* False if memory ran out. */
static bool list_places(search *s)
{
    sc_gap_joins *j = &s->joins;
    for (uint32_t i = 0; i < j->count; i++) {
        s->count += j->joined[i] == i;
    }
    s->places = sc_alloc(s->count, sizeof *s->places);
    s->number = sc_alloc(j->count, sizeof *s->number);
    if (!s->places || !s->number) {
        return false;
    }
    s->count = 0;
    for (uint32_t i = 0; i < j->count; i++) {
        const uint32_t root = sc_union_root(j->joined, i); /* the least of them */
        if (root == i) {
            s->places[s->count] = (place){i, INFINITY};
            s->number[i] = (uint32_t)s->count++;
        } else {
            s->number[i] = s->number[root];
        }
    }
    return true;
}

/* The place in of[part] of a pair's facet of that part. */
static uint32_t side_of(const search *s, uint32_t pair, int part)
{
    return sc_pair_facet(s->joins.pairs[pair], part);
}

/* The numbers in file order of the facets of a pair, as in lists of pairs. */
static uint64_t facets_of(const search *s, uint32_t pair)
{
    return sc_pair(s->joins.of[0].facet[side_of(s, pair, 0)],
                   s->joins.of[1].facet[side_of(s, pair, 1)]);
}

/* The triangles of a pair. */
static void triangles_of(const search *s, uint32_t pair, sc_triangle triangle[2])
{
    for (int part = 0; part < 2; part++) {
        sc_vec3 v[3];
        sc_gap_corners(&s->joins.of[part], side_of(s, pair, part), v);
        sc_triangle_set(&triangle[part], v);
    }
}

/* Of two that do not meet; never 0, however much of it rounding has lost. */
static double distance_of(const sc_closest *closest)
{
    return fmax(sqrt(closest->distance_sq), DBL_MIN);
}

/* Whether the spheres around its facets show that a pair is farther apart, rounding included. */
static bool spheres_are_farther(const search *s, uint32_t pair, double distance)
{
    const sc_gap_sphere *a = &s->joins.of[0].sphere[side_of(s, pair, 0)];
    const sc_gap_sphere *b = &s->joins.of[1].sphere[side_of(s, pair, 1)];
    const double apart = sc_length(sc_sub(a->centre, b->centre)), least = a->radius + b->radius;
    return apart - least > distance + 0x1p-40 * (apart + least);
}

/* Looks at one more pair of the gap, of triangles that do not meet. */
static void narrow_down(const search *s, place *p, uint32_t pair, sc_vec3 *way)
{
    sc_triangle triangle[2];
    if (spheres_are_farther(s, pair, p->distance)) {
        return;
    }
    triangles_of(s, pair, triangle);
    if (!isfinite(p->distance) || !sc_tri_farther(&triangle[0], &triangle[1], p->distance, way)) {
        const sc_closest closest = sc_tri_closest(&triangle[0], &triangle[1]);
        const double distance = distance_of(&closest);
        *way = sc_sub(closest.on_b, closest.on_a);
        if (distance < p->distance) {
            *p = (place){pair, distance};
        }
    }
}

/* Both lists, pairs and hits, are in the same order. False once time is over. */
static bool find_narrowest(search *s, const sc_pair_list *hits)
{
    sc_vec3 way = {0.0, 0.0, 0.0};
    size_t hit = 0;

    for (uint32_t i = 0; i < s->joins.count; i++) {
        place *p = &s->places[s->number[i]];
        const uint64_t facets = facets_of(s, i);
        while (hit < hits->count && hits->pairs[hit] < facets) {
            hit++;
        }
        if (p->distance > 0.0 && hit < hits->count && hits->pairs[hit] == facets) {
            *p = (place){i, 0.0};
        } else if (p->distance > 0.0) {
            narrow_down(s, p, i, &way);
        }
        if (sc_watch_ends(s->r->watch, i)) {
            return false;
        }
    }
    return true;
}

/* A common point of two that meet. */
static sc_closest closest_of(const search *s, const place *p)
{
    sc_triangle triangle[2];
    triangles_of(s, p->pair, triangle);
    if (p->distance == 0.0) {
        const sc_common common = sc_tri_common(triangle[0].v, triangle[1].v);
        return (sc_closest){0.0, common.first, common.first, common.feature_a, common.feature_b};
    }
    return sc_tri_closest(&triangle[0], &triangle[1]);
}

/* The pair of triangles by which the distance of the parts was told shows its gap, too. Of equally
 * narrow ones it may be another one, and none is narrower but by rounding. */
static void show_nearest(search *s, const uint32_t nearest[2])
{
    const uint64_t facets = sc_pair(nearest[0], nearest[1]);
    uint32_t pair = 0;
    while (pair < s->joins.count && facets_of(s, pair) != facets) {
        pair++;
    }
    if (pair < s->joins.count) {
        place *p = &s->places[s->number[pair]];
        p->pair = pair;
        const sc_closest closest = closest_of(s, p);
        p->distance = distance_of(&closest);
        for (size_t i = 0; i < s->count; i++) {
            s->places[i].distance = fmax(s->places[i].distance, p->distance);
        }
    }
}

/* ---- behind the surface ----------------------------------------------------- */

/* A constructed point as exact signs need it: no coordinate much smaller than the parts is left but
 * 0. */
static sc_vec3 tidy(const search *s, sc_vec3 p)
{
    return sc_flushed(p, s->r->resolution * 0x1p-40);
}

/* The way from a point on the surface of a part towards the other one, but for its other end, where
 * the part may touch. */
typedef struct way_out {
    int part;
    sc_vec3 from, to;
} way_out;

static way_out way_from(const search *s, int part, double distance, sc_vec3 from, sc_vec3 to)
{
    const double end = 4.0 * s->r->resolution, share = distance > end ? 1.0 - end / distance : 0.0;
    return (way_out){part, tidy(s, from), tidy(s, sc_mul_add(from, share, sc_sub(to, from)))};
}

/* Whether it comes by a facet of the part. */
static bool comes_by(const search *s, const way_out *way, uint32_t facet)
{
    const sc_gap_facets *own = &s->joins.of[way->part];
    const sc_gap_sphere *sphere = &own->sphere[facet];
    const double length = sc_length(sc_sub(way->to, way->from)), near = s->r->resolution;
    sc_vec3 v[3];

    if (sc_length(sc_sub(sphere->centre, way->from)) > sphere->radius + length + 2.0 * near) {
        return false;
    }
    sc_gap_corners(own, facet, v);
    const sc_triangle triangle = sc_triangle_make(v);
    return sc_gap_segment_within(way->from, way->to, &triangle, near);
}

/* Joins a place to the gaps in front of it: those where the way between its points comes by other
 * facets of either part. Facets next to it that only touch its own count, too. */
static void join_in_front(search *s, const place *p)
{
    sc_gap_joins *j = &s->joins;
    const sc_closest closest = closest_of(s, p);
    const uint32_t a = side_of(s, p->pair, 0), b = side_of(s, p->pair, 1);
    const way_out from_a = way_from(s, 0, p->distance, closest.on_a, closest.on_b);
    const way_out from_b = way_from(s, 1, p->distance, closest.on_b, closest.on_a);

    for (uint32_t i = j->from_b[b]; i < j->from_b[b + 1]; i++) {
        if (comes_by(s, &from_a, side_of(s, j->by_b[i], 0))) {
            sc_union_join(j->joined, j->by_b[i], p->pair);
        }
    }
    for (uint32_t pair = j->from[a]; pair < j->from[a + 1]; pair++) {
        if (comes_by(s, &from_b, side_of(s, pair, 1))) {
            sc_union_join(j->joined, pair, p->pair);
        }
    }
}

/* False if memory or time ran out. */
static bool join_hidden(search *s)
{
    if (s->count < 2) {
        return true;
    }
    if (!sc_gap_joins_index(&s->joins)) {
        return false;
    }
    for (size_t i = 0; i < s->count; i++) {
        join_in_front(s, &s->places[i]);
        if (sc_watch_ends(s->r->watch, i)) {
            return false;
        }
    }
    return true;
}

/* ---- all of it -------------------------------------------------------------- */

static int by_distance(const void *x, const void *y)
{
    const place *a = x, *b = y;
    if (a->distance != b->distance) {
        return a->distance < b->distance ? -1 : 1;
    }
    return (a->pair > b->pair) - (a->pair < b->pair);
}

/* Of places that are one gap the first in their order. */
static void keep_first(search *s)
{
    uint32_t *taken = s->number; /* of no more use */
    size_t kept = 0;

    memset(taken, 0, s->joins.count * sizeof *taken);
    for (size_t i = 0; i < s->count; i++) {
        uint32_t *one = &taken[sc_union_root(s->joins.joined, s->places[i].pair)];
        if (*one == 0) {
            s->places[kept++] = s->places[i];
            *one = 1;
        }
    }
    s->count = kept;
}

/* False if memory or time ran out. */
static bool find_places(search *s, const sc_pair_list *hits, const uint32_t *nearest)
{
    if (!list_places(s) || !find_narrowest(s, hits)) {
        return false;
    }
    if (nearest) {
        show_nearest(s, nearest);
    }
    if (!join_hidden(s) ||
        !sc_sort_items(s->places, s->count, sizeof *s->places, by_distance, s->r->watch)) {
        return false;
    }
    keep_first(s);
    return true;
}

/* False if memory ran out. */
static bool store_gaps(const search *s, sc_gaps *gaps)
{
    gaps->gaps = sc_alloc(s->count, sizeof *gaps->gaps);
    gaps->count = gaps->gaps ? s->count : 0;
    for (size_t i = 0; i < gaps->count; i++) {
        const place *p = &s->places[i];
        const uint64_t facets = facets_of(s, p->pair);
        gaps->gaps[i] = (sc_gap){.triangle = {sc_pair_facet(facets, 0), sc_pair_facet(facets, 1)},
                                 .distance = p->distance};
        if (p->distance > 0.0) {
            gaps->gaps[i].closest = closest_of(s, p);
        }
    }
    return gaps->gaps != NULL;
}

stlclash_code sc_gaps_find(const sc_gap_request *r, const sc_pair_list *hits,
                           const uint32_t *nearest, sc_gaps *gaps, stlclash_error *error)
{
    search s = {.r = r};
    sc_pair_list pairs;

    *gaps = (sc_gaps){.gaps = NULL};
    stlclash_code code = sc_gap_pairs_find(r, &pairs, &gaps->complete, error);
    if (code == STLCLASH_OK && pairs.count > 0) {
        const bool good = sc_gap_joins_make(r, &pairs, &s.joins) &&
                          find_places(&s, hits, nearest) && store_gaps(&s, gaps);
        gaps->complete = !sc_watch_was_over(r->watch);
        code = good || !gaps->complete ? STLCLASH_OK : sc_error_memory(error);
    }
    sc_gap_joins_free(&s.joins);
    sc_free(s.number);
    sc_free(s.places);
    sc_free(pairs.pairs);
    return code;
}

void sc_gaps_free(sc_gaps *gaps)
{
    sc_free(gaps->gaps);
    *gaps = (sc_gaps){.gaps = NULL};
}
