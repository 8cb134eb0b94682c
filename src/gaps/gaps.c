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
    uint32_t item;     /* one of its items */
    uint32_t facet[2]; /* by their places in joins.of[]; of equally near ones the first */
} place;

typedef struct search {
    const sc_gap_request *r;
    sc_gap_joins joins;
    uint32_t *number; /* [items] of the place of an item */
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
            s->places[s->count] = (place){.distance = INFINITY, .item = i};
            s->number[i] = (uint32_t)s->count++;
        } else {
            s->number[i] = s->number[root];
        }
    }
    return true;
}

/* Of two that do not meet; never 0, however much of it rounding has lost. */
static double distance_of(const sc_closest *closest)
{
    return sc_fmax(sqrt(closest->distance_sq), DBL_MIN);
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

/* The facets of a leaf, made as they are asked for. */
typedef struct made {
    const sc_gap_facets *of;
    const sc_gap_leaf *leaf;
    unsigned there; /* bits */
    sc_triangle triangle[8];
} made;

static const sc_triangle *triangle_of(made *m, int i)
{
    if ((m->there >> i & 1) == 0) {
        m->triangle[i] = sc_gap_triangle(m->of, m->leaf->facet[i]);
        m->there |= 1u << i;
    }
    return &m->triangle[i];
}

/* Looks at two facets of the gap, which do not meet. */
static void narrow_down(place *p, made *a, int i, made *b, int k, sc_vec3 *way)
{
    const uint32_t facet[2] = {a->leaf->facet[i], b->leaf->facet[k]};
    if (are_farther(&a->of->sphere[facet[0]], &b->of->sphere[facet[1]], p->distance)) {
        return;
    }
    const sc_triangle *one = triangle_of(a, i), *other = triangle_of(b, k);
    if (!isfinite(p->distance) || !sc_tri_farther(one, other, p->distance, way)) {
        const sc_closest closest = sc_tri_closest(one, other);
        const double distance = distance_of(&closest);
        *way = sc_sub(closest.on_b, closest.on_a);
        if (distance < p->distance || (distance == p->distance && is_before(facet, p->facet))) {
            p->distance = distance;
            memcpy(p->facet, facet, sizeof facet);
        }
    }
}

/* At all pairs of an item. */
static void narrow_down_item(const search *s, place *p, const sc_gap_pairs *item, sc_vec3 *way)
{
    const sc_gap_facets *a = &s->joins.of[0], *b = &s->joins.of[1];
    if (are_farther(&a->around[item->leaf[0]], &b->around[item->leaf[1]], p->distance)) {
        return;
    }
    made of_a = {.of = a, .leaf = &a->leaves[item->leaf[0]]};
    made of_b = {.of = b, .leaf = &b->leaves[item->leaf[1]]};
    for (uint64_t left = item->set; left != 0; left &= left - 1) {
        const int bit = __builtin_ctzll(left);
        narrow_down(p, &of_a, bit / 8, &of_b, bit % 8, way);
    }
}

/* The item of two facets, by their numbers, if they are in one; then also their places. */
static bool find_item(const search *s, uint64_t pair, uint32_t facet[2], uint32_t *item)
{
    for (int part = 0; part < 2; part++) {
        facet[part] = sc_gap_place(&s->joins.of[part], sc_pair_facet(pair, part));
        if (facet[part] == s->joins.of[part].count) {
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

    for (uint32_t i = 0; i < j->count; i++) {
        place *p = &s->places[s->number[i]];
        if (p->distance > 0.0) {
            narrow_down_item(s, p, &j->items[i], &way);
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
    const sc_triangle a = sc_gap_triangle(&s->joins.of[0], p->facet[0]);
    const sc_triangle b = sc_gap_triangle(&s->joins.of[1], p->facet[1]);
    if (p->distance == 0.0) {
        const sc_common common = sc_tri_common(a.v, b.v);
        return (sc_closest){0.0, common.first, common.first, common.feature_a, common.feature_b};
    }
    return sc_tri_closest(&a, &b);
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
            s->places[i].distance = sc_fmax(s->places[i].distance, p->distance);
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
    if (!may_come_by(s, way, &own->sphere[facet])) {
        return false;
    }
    const sc_triangle triangle = sc_gap_triangle(own, facet);
    return sc_gap_segment_within(way->from, way->to, &triangle, s->r->resolution);
}

/* Whether it comes by a facet of the part that is paired with that of the other one in an item. */
static bool comes_by_some(const search *s, const way_out *way, uint32_t facet,
                          const sc_gap_pairs *item)
{
    const int other = 1 - way->part;
    const sc_gap_facets *own = &s->joins.of[way->part];
    const uint32_t leaf = item->leaf[way->part];
    unsigned left = sc_gap_others(item->set, other, s->joins.of[other].index[facet]);
    bool comes = false;

    if (left != 0 && !may_come_by(s, way, &own->around[leaf])) {
        return false;
    }
    for (; left != 0 && !comes; left &= left - 1) {
        comes = comes_by(s, way, own->leaves[leaf].facet[__builtin_ctz(left)]);
    }
    return comes;
}

/* Joins a place to the items with its facet of the other part where the way from its facet of this
 * one comes by the part once more. Facets next to its own that only touch that count, too. */
static void join_by_way(search *s, const place *p, const way_out *way)
{
    sc_gap_joins *j = &s->joins;
    const int other = 1 - way->part;
    const uint32_t facet = p->facet[other];
    const uint32_t *range = &j->items_of[other].from[j->of[other].leaf[facet]];

    for (uint32_t i = range[0]; i < range[1]; i++) {
        const uint32_t item = j->items_of[other].items[i];
        if (comes_by_some(s, way, facet, &j->items[item])) {
            sc_union_join(j->joined, item, p->item);
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

/* False once time is over. */
static bool join_hidden(search *s)
{
    if (s->count < 2) {
        return true;
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

    memset(taken, 0, s->joins.count * sizeof *taken);
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
    if (code == STLCLASH_OK && list.count > 0) {
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
