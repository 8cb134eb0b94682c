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
    double distance;   /* 0: they meet */
    uint32_t item;     /* one of its items, UINT32_MAX: none yet */
    uint32_t facet[2]; /* by their places in joins.of[]; of equally near ones the first */
} place;

typedef struct search {
    const sc_gap_request *r;
    sc_gap_joins joins;
    uint32_t items;
    uint32_t *number; /* [items] of the place of an item */
    place *places;    /* [count] */
    size_t count;
} search;

/* ---- the narrowest of each gap ---------------------------------------------- */

/* False if memory ran out. */
static bool list_places(search *s)
{
    sc_gap_joins *j = &s->joins;
    s->items = (uint32_t)(j->pairs.count + j->blocks.count);
    for (uint32_t i = 0; i < s->items; i++) {
        s->count += j->joined[i] == i;
    }
    s->places = sc_alloc(s->count, sizeof *s->places);
    s->number = sc_alloc(s->items, sizeof *s->number);
    if (!s->places || !s->number) {
        return false;
    }
    s->count = 0;
    for (uint32_t i = 0; i < s->items; i++) {
        const uint32_t root = sc_union_root(j->joined, i); /* the least of them */
        if (root == i) {
            s->places[s->count] = (place){.distance = INFINITY, .item = i};
            s->number[i] = (uint32_t)s->count++;
        } else {
            s->number[i] = s->number[root];
        }
    }
    return true;
}

/* A facet of a part, by its place. */
typedef struct side {
    uint32_t at;
    sc_triangle triangle;
} side;

static side side_at(const search *s, int part, uint32_t at)
{
    side f = {.at = at};
    sc_vec3 v[3];
    sc_gap_corners(&s->joins.of[part], at, v);
    sc_triangle_set(&f.triangle, v);
    return f;
}

/* Of two that do not meet; never 0, however much of it rounding has lost. */
static double distance_of(const sc_closest *closest)
{
    return fmax(sqrt(closest->distance_sq), DBL_MIN);
}

/* Whether the spheres around them show that two are farther apart, rounding included. */
static bool are_farther(const sc_gap_sphere *a, const sc_gap_sphere *b, double distance)
{
    const double apart = sc_length(sc_sub(a->centre, b->centre)), least = a->radius + b->radius;
    return apart - least > distance + 0x1p-40 * (apart + least);
}

/* Whether the first place of equally near ones comes before the second. */
static bool is_before(const uint32_t a[2], const uint32_t b[2])
{
    return a[0] < b[0] || (a[0] == b[0] && a[1] < b[1]);
}

/* Looks at two more facets of the gap, which do not meet. */
static void narrow_down(place *p, const side *a, const side *b, sc_vec3 *way)
{
    if (!isfinite(p->distance) || !sc_tri_farther(&a->triangle, &b->triangle, p->distance, way)) {
        const sc_closest closest = sc_tri_closest(&a->triangle, &b->triangle);
        const double distance = distance_of(&closest);
        const uint32_t places[2] = {a->at, b->at};
        *way = sc_sub(closest.on_b, closest.on_a);
        if (distance < p->distance || (distance == p->distance && is_before(places, p->facet))) {
            p->distance = distance;
            memcpy(p->facet, places, sizeof places);
        }
    }
}

static void narrow_down_pair(const search *s, place *p, uint64_t pair, sc_vec3 *way)
{
    const uint32_t a = sc_pair_facet(pair, 0), b = sc_pair_facet(pair, 1);
    if (!are_farther(&s->joins.of[0].sphere[a], &s->joins.of[1].sphere[b], p->distance)) {
        const side one = side_at(s, 0, a), other = side_at(s, 1, b);
        narrow_down(p, &one, &other, way);
    }
}

/* Facets of a patch; returns how many. */
static uint32_t facets_of(const search *s, int part, uint32_t patch, side facets[8])
{
    const sc_groups *of_patch = &s->joins.patches[part].facets;
    const uint32_t first = of_patch->from[patch], count = of_patch->from[patch + 1] - first;
    for (uint32_t i = 0; i < count; i++) {
        facets[i] = side_at(s, part, of_patch->items[first + i]);
    }
    return count;
}

/* All facets of two patches. */
static void narrow_down_block(const search *s, place *p, uint64_t block, sc_vec3 *way)
{
    const sc_gap_patches *patches = s->joins.patches;
    const uint32_t patch[2] = {sc_pair_facet(block, 0), sc_pair_facet(block, 1)};
    side a[8], b[8];

    if (are_farther(&patches[0].sphere[patch[0]], &patches[1].sphere[patch[1]], p->distance)) {
        return;
    }
    const uint32_t of_a = facets_of(s, 0, patch[0], a), of_b = facets_of(s, 1, patch[1], b);
    for (uint32_t i = 0; i < of_a; i++) {
        for (uint32_t k = 0; k < of_b; k++) {
            if (!are_farther(&s->joins.of[0].sphere[a[i].at], &s->joins.of[1].sphere[b[k].at],
                             p->distance)) {
                narrow_down(p, &a[i], &b[k], way);
            }
        }
    }
}

/* The item of two facets, by their numbers, if they are in one; then also their places. */
static bool find_item(const search *s, uint64_t pair, uint32_t facet[2], uint32_t *item)
{
    for (int part = 0; part < 2; part++) {
        const sc_gap_facets *of = &s->joins.of[part];
        facet[part] = sc_gap_place(of, sc_pair_facet(pair, part));
        if (facet[part] == of->count || of->facet[facet[part]] != sc_pair_facet(pair, part)) {
            return false;
        }
    }
    *item = sc_gap_item(&s->joins, facet);
    return *item != UINT32_MAX;
}

/* Gaps of parts that touch are narrowest where they do: at the first of such pairs. False once time
 * is over. */
static bool take_hits(search *s, const sc_pair_list *hits)
{
    for (size_t i = 0; i < hits->count; i++) {
        uint32_t facet[2], item;
        if (find_item(s, hits->pairs[i], facet, &item)) {
            place *p = &s->places[s->number[item]];
            if (p->distance > 0.0) {
                *p = (place){0.0, p->item, {facet[0], facet[1]}};
            }
        }
        if (sc_watch_ends(s->r->watch, i)) {
            return false;
        }
    }
    return true;
}

/* False once time is over. */
static bool find_narrowest(search *s)
{
    const sc_gap_joins *j = &s->joins;
    sc_vec3 way = {0.0, 0.0, 0.0};

    for (uint32_t i = (uint32_t)j->pairs.count; i < s->items; i++) {
        place *p = &s->places[s->number[i]];
        if (p->distance > 0.0) {
            narrow_down_block(s, p, j->blocks.pairs[i - j->pairs.count], &way);
        }
        if (sc_watch_ends(s->r->watch, i)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < j->pairs.count; i++) {
        place *p = &s->places[s->number[i]];
        if (p->distance > 0.0) {
            narrow_down_pair(s, p, j->pairs.pairs[i], &way);
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
    const side a = side_at(s, 0, p->facet[0]), b = side_at(s, 1, p->facet[1]);
    if (p->distance == 0.0) {
        const sc_common common = sc_tri_common(a.triangle.v, b.triangle.v);
        return (sc_closest){0.0, common.first, common.first, common.feature_a, common.feature_b};
    }
    return sc_tri_closest(&a.triangle, &b.triangle);
}

/* The pair of triangles by which the distance of the parts was told shows its gap, too. Of equally
 * narrow ones it may be another one, and none is narrower but by rounding. */
static void show_nearest(search *s, const uint32_t nearest[2])
{
    uint32_t facet[2], item;
    if (find_item(s, sc_pair(nearest[0], nearest[1]), facet, &item)) {
        place *p = &s->places[s->number[item]];
        memcpy(p->facet, facet, sizeof p->facet);
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

/* Whether it may come by what is in a sphere. */
static bool may_come_by(const search *s, const way_out *way, const sc_gap_sphere *sphere)
{
    const double length = sc_length(sc_sub(way->to, way->from));
    return sc_length(sc_sub(sphere->centre, way->from)) <=
           sphere->radius + length + 2.0 * s->r->resolution;
}

/* Whether it comes by a facet of the part. */
static bool comes_by(const search *s, const way_out *way, uint32_t facet)
{
    const sc_gap_facets *own = &s->joins.of[way->part];
    sc_vec3 v[3];

    if (!may_come_by(s, way, &own->sphere[facet])) {
        return false;
    }
    sc_gap_corners(own, facet, v);
    const sc_triangle triangle = sc_triangle_make(v);
    return sc_gap_segment_within(way->from, way->to, &triangle, s->r->resolution);
}

/* Whether it comes by a facet of a patch of the part. */
static bool comes_by_some(const search *s, const way_out *way, uint32_t patch)
{
    const sc_gap_patches *own = &s->joins.patches[way->part];
    bool comes = false;
    if (may_come_by(s, way, &own->sphere[patch])) {
        const uint32_t *from = &own->facets.from[patch];
        for (uint32_t i = from[0]; i < from[1] && !comes; i++) {
            comes = comes_by(s, way, own->facets.items[i]);
        }
    }
    return comes;
}

/* Joins a place to the items with its facet of the other part where the way from its facet of this
 * one comes by the part once more. Facets next to its own that only touch that count, too. */
static void join_by_way(search *s, const place *p, const way_out *way)
{
    sc_gap_joins *j = &s->joins;
    const int other = 1 - way->part;
    const sc_groups *pairs = &j->pairs_of[other], *blocks = &j->blocks_of[other];
    const uint32_t facet = p->facet[other], patch = j->patches[other].of[facet];

    for (uint32_t i = pairs->from[facet]; i < pairs->from[facet + 1]; i++) {
        const uint32_t pair = pairs->items[i];
        if (comes_by(s, way, sc_pair_facet(j->pairs.pairs[pair], way->part))) {
            sc_union_join(j->joined, pair, p->item);
        }
    }
    for (uint32_t i = blocks->from[patch]; i < blocks->from[patch + 1]; i++) {
        const uint32_t block = blocks->items[i];
        if (comes_by_some(s, way, sc_pair_facet(j->blocks.pairs[block], way->part))) {
            sc_union_join(j->joined, sc_gap_block_item(j, block), p->item);
        }
    }
}

/* Joins a place to the gaps in front of it. */
static void join_in_front(search *s, const place *p)
{
    const sc_closest closest = closest_of(s, p);
    const way_out from_a = way_from(s, 0, p->distance, closest.on_a, closest.on_b);
    const way_out from_b = way_from(s, 1, p->distance, closest.on_b, closest.on_a);
    join_by_way(s, p, &from_a);
    join_by_way(s, p, &from_b);
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
    return is_before(b->facet, a->facet) - is_before(a->facet, b->facet);
}

/* Of places that are one gap the first in their order. */
static void keep_first(search *s)
{
    uint32_t *taken = s->number; /* of no more use */
    size_t kept = 0;

    memset(taken, 0, s->items * sizeof *taken);
    for (size_t i = 0; i < s->count; i++) {
        uint32_t *one = &taken[sc_union_root(s->joins.joined, s->places[i].item)];
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
    if (!list_places(s) || !take_hits(s, hits) || !find_narrowest(s)) {
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
        gaps->gaps[i] = (sc_gap){
            .triangle = {s->joins.of[0].facet[p->facet[0]], s->joins.of[1].facet[p->facet[1]]},
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
    sc_gap_list list;

    *gaps = (sc_gaps){.gaps = NULL};
    stlclash_code code = sc_gap_list_make(r, &list, &gaps->complete, error);
    if (code == STLCLASH_OK && list.pairs.count + list.leaves.count > 0) {
        const bool good =
            sc_gap_joins_make(r, &list, &s.joins, &gaps->complete) &&
            (!gaps->complete || (find_places(&s, hits, nearest) && store_gaps(&s, gaps)));
        gaps->complete = gaps->complete && !sc_watch_was_over(r->watch);
        code = good || sc_watch_was_over(r->watch) ? STLCLASH_OK : sc_error_memory(error);
    }
    sc_gap_joins_free(&s.joins);
    sc_free(s.number);
    sc_free(s.places);
    sc_gap_list_free(&list);
    return code;
}

void sc_gaps_free(sc_gaps *gaps)
{
    sc_free(gaps->gaps);
    *gaps = (sc_gaps){.gaps = NULL};
}
