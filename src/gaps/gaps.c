/* gaps.c - see gaps.h. */
#include "gaps.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/sort.h"
#include "base/union_find.h"
#include "gap_seams.h"
#include "geom/facet_distance.h"
#include "geom/segment_triangle.h"
#include "geom/tri_intersect.h"

#include <float.h>

/* Where a gap is narrowest, as far as it hangs together by its facets. */
typedef struct place {
    uint32_t pair;   /* of equally near ones the first */
    double distance; /* 0: they meet */
} place;

typedef struct search {
    const sc_gap_request *r;
    const uint64_t *pairs; /* [count] */
    uint32_t count;
    sc_gap_facets of[2];   /* the facets in them */
    sc_gap_seams seams[2]; /* of these */
    uint32_t *joined;      /* [count] pairs that are one gap: union-find */
    uint32_t *last[3];     /* see last_with: of vertices, of edges, of facets */
    place *places;         /* [place_count] */
    size_t place_count;
    bool over; /* time has run out */
} search;

/* ---- pairs that hang together ----------------------------------------------- */

/* A segment as sc_segment_closest wants it. */
static sc_triangle segment_of(sc_vec3 p, sc_vec3 q)
{
    const sc_vec3 v[3] = {p, q, sc_scale(sc_add(p, q), 0.5)};
    return sc_triangle_make(v);
}

/* Whether a segment comes as near to a triangle. */
static bool segment_within(sc_vec3 p, sc_vec3 q, const sc_triangle *t, double distance)
{
    const sc_segment segment = {p, q};
    const sc_triangle s = segment_of(p, q);
    return sc_segment_meets(&segment, t->v) ||
           sqrt(sc_segment_closest(&s, t).distance_sq) <= distance;
}

/* A facet that all pairs of a group have, and which part's it is. */
typedef struct group {
    int fixed;
    sc_triangle facet;
    uint32_t first; /* of its pairs, in their order */
} group;

static bool vertex_is_near(const search *s, const group *g, uint32_t vertex)
{
    sc_vec3 on;
    return sc_facet_distance(s->of[1 - g->fixed].points[vertex], g->facet.v, &on) <= s->r->reach;
}

static bool edge_is_near(const search *s, const group *g, uint32_t facet, int k)
{
    const sc_gap_facets *moving = &s->of[1 - g->fixed];
    const uint32_t *vertex = moving->vertex[facet];
    return segment_within(moving->points[vertex[k]], moving->points[vertex[(k + 1) % 3]], &g->facet,
                          s->r->reach);
}

/* The last pair of the group with a vertex, edge or facet, of which `last` is where it stands, + 1,
 * if it is not known to be of the same gap as `pair`; else UINT32_MAX. */
static uint32_t last_with(search *s, const group *g, uint32_t last, uint32_t pair)
{
    if (last <= g->first) {
        return UINT32_MAX;
    }
    const uint32_t before = s->of[g->fixed].order[last - 1];
    return sc_union_root(s->joined, before) == sc_union_root(s->joined, pair) ? UINT32_MAX : before;
}

/* Joins the pair that stands at `at` to those in front of it in the group whose facets share a
 * vertex or an edge with its own, or lie side by side with it, where that is near. */
static void join_to_former(search *s, const group *g, uint32_t at)
{
    const sc_gap_facets *moving = &s->of[1 - g->fixed];
    const sc_gap_seams *seams = &s->seams[1 - g->fixed];
    const uint32_t pair = s->of[g->fixed].order[at];
    const uint32_t facet = sc_gap_side(s->pairs[pair], 1 - g->fixed);

    for (int k = 0; k < 3; k++) {
        const uint32_t vertex = moving->vertex[facet][k];
        const uint32_t before = last_with(s, g, s->last[0][vertex], pair);
        if (before != UINT32_MAX && vertex_is_near(s, g, vertex)) {
            sc_union_join(s->joined, before, pair);
        }
        s->last[0][vertex] = at + 1;
    }
    for (int k = 0; k < 3; k++) {
        const uint32_t edge = moving->edge[facet][k];
        const uint32_t before = last_with(s, g, s->last[1][edge], pair);
        if (before != UINT32_MAX && edge_is_near(s, g, facet, k)) {
            sc_union_join(s->joined, before, pair);
        }
        s->last[1][edge] = at + 1;
    }
    for (uint32_t i = seams->from[facet]; i < seams->from[facet + 1]; i++) {
        const sc_gap_seam *seam = &seams->seam[seams->list[i]];
        const uint32_t beside = seam->facet[seam->facet[0] == facet];
        const uint32_t before = last_with(s, g, s->last[2][beside], pair);
        if (before != UINT32_MAX && segment_within(seam->from, seam->to, &g->facet, s->r->reach)) {
            sc_union_join(s->joined, before, pair);
        }
    }
    s->last[2][facet] = at + 1;
}

/* Joins the pairs of one facet with facets of the other part that hang together near it: whose
 * common vertices, or edges, come as near. */
static void join_about(search *s, int fixed, uint32_t facet)
{
    const sc_gap_facets *own = &s->of[fixed];
    group g = {.fixed = fixed, .first = own->from[facet]};
    sc_vec3 v[3];

    sc_gap_corners(own, facet, v);
    sc_triangle_set(&g.facet, v);
    for (uint32_t at = g.first; at < own->from[facet + 1]; at++) {
        join_to_former(s, &g, at);
    }
}

/* Those of all facets of a part. False if memory ran out. */
static bool join_pairs(search *s, int fixed)
{
    const sc_gap_facets *own = &s->of[fixed], *moving = &s->of[1 - fixed];
    s->last[0] = sc_calloc(moving->vertices, sizeof *s->last[0]);
    s->last[1] = sc_calloc(moving->edges, sizeof *s->last[1]);
    s->last[2] = sc_calloc(moving->count, sizeof *s->last[2]);
    const bool good = s->last[0] && s->last[1] && s->last[2];

    for (uint32_t i = 0; i < own->count && good && !s->over; i++) {
        join_about(s, fixed, i);
        s->over = sc_watch_ends(s->r->watch, i);
    }
    sc_free(s->last[0]);
    sc_free(s->last[1]);
    sc_free(s->last[2]);
    return good;
}

/* ---- the narrowest of each gap ---------------------------------------------- */

static bool list_places(search *s, uint32_t **number)
{
    for (uint32_t i = 0; i < s->count; i++) {
        s->place_count += s->joined[i] == i;
    }
    s->places = sc_alloc(s->place_count, sizeof *s->places);
    *number = sc_alloc(s->count, sizeof **number);
    if (!s->places || !*number) {
        return false;
    }
    s->place_count = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        const uint32_t root = sc_union_root(s->joined, i);
        if (root == i) {
            s->places[s->place_count] = (place){i, INFINITY};
            (*number)[i] = (uint32_t)s->place_count++;
        } else {
            (*number)[i] = (*number)[root]; /* the least of them */
        }
    }
    return true;
}

/* The numbers in file order of the facets of a pair, as in the lists of pairs. */
static uint64_t facets_of(const search *s, uint32_t pair)
{
    const uint32_t a = sc_gap_side(s->pairs[pair], 0), b = sc_gap_side(s->pairs[pair], 1);
    return (uint64_t)s->of[0].facet[a] << 32 | s->of[1].facet[b];
}

/* The triangles of a pair. */
static void triangles_of(const search *s, uint32_t pair, sc_triangle triangle[2])
{
    for (int part = 0; part < 2; part++) {
        sc_vec3 v[3];
        sc_gap_corners(&s->of[part], sc_gap_side(s->pairs[pair], part), v);
        sc_triangle_set(&triangle[part], v);
    }
}

/* Of two that do not meet; never 0, however much of it rounding has lost. */
static double distance_of(const sc_closest *closest)
{
    return fmax(sqrt(closest->distance_sq), DBL_MIN);
}

/* Whether the spheres around its facets show that a pair is farther apart, by more than rounding. */
static bool spheres_are_farther(const search *s, uint32_t pair, double distance)
{
    const sc_gap_sphere *a = &s->of[0].sphere[sc_gap_side(s->pairs[pair], 0)];
    const sc_gap_sphere *b = &s->of[1].sphere[sc_gap_side(s->pairs[pair], 1)];
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

/* Both lists, pairs and hits, are in the same order. number: of the place of a pair. */
static void find_narrowest(search *s, const uint32_t *number, const sc_pair_list *hits)
{
    sc_vec3 way = {0.0, 0.0, 0.0};
    size_t hit = 0;

    for (uint32_t i = 0; i < s->count && !s->over; i++) {
        place *p = &s->places[number[i]];
        const uint64_t facets = facets_of(s, i);
        while (hit < hits->count && hits->pairs[hit] < facets) {
            hit++;
        }
        if (p->distance > 0.0 && hit < hits->count && hits->pairs[hit] == facets) {
            *p = (place){i, 0.0};
        } else if (p->distance > 0.0) {
            narrow_down(s, p, i, &way);
        }
        s->over = sc_watch_ends(s->r->watch, i);
    }
}

/* ---- behind the surface ----------------------------------------------------- */

/* A constructed point as exact signs need it: no coordinate much smaller than the parts is left but
 * 0. */
static sc_vec3 tidy(const search *s, sc_vec3 p)
{
    const double least = s->r->resolution * 0x1p-40;
    return (sc_vec3){fabs(p.x) < least ? 0.0 : p.x, fabs(p.y) < least ? 0.0 : p.y,
                     fabs(p.z) < least ? 0.0 : p.z};
}

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

/* Joins a place to the gaps in front of it: those where the way between its points comes by other
 * facets of the part at whose end, `on`, it begins; but for the other end, where that part may
 * touch. Facets next to it that have no vertex in common with its own count, too. */
static void join_on_way(search *s, const place *p, int part, sc_vec3 on, sc_vec3 to)
{
    const double near = s->r->resolution;
    const sc_gap_facets *own = &s->of[part], *other = &s->of[1 - part];
    const uint32_t fixed = sc_gap_side(s->pairs[p->pair], 1 - part);
    const double share = fmax(0.0, 1.0 - 4.0 * near / p->distance);
    const sc_vec3 end =
        p->distance > 0.0 ? tidy(s, sc_mul_add(on, share, sc_sub(to, on))) : tidy(s, on);

    for (uint32_t at = other->from[fixed]; at < other->from[fixed + 1]; at++) {
        const uint32_t pair = other->order[at];
        if (sc_union_root(s->joined, pair) != sc_union_root(s->joined, p->pair)) {
            sc_vec3 v[3];
            sc_gap_corners(own, sc_gap_side(s->pairs[pair], part), v);
            const sc_triangle facet = sc_triangle_make(v);
            if (segment_within(tidy(s, on), end, &facet, near)) {
                sc_union_join(s->joined, pair, p->pair);
            }
        }
    }
}

static void join_places(search *s)
{
    for (size_t i = 0; i < s->place_count && s->place_count > 1 && !s->over; i++) {
        const sc_closest closest = closest_of(s, &s->places[i]);
        join_on_way(s, &s->places[i], 0, closest.on_a, closest.on_b);
        join_on_way(s, &s->places[i], 1, closest.on_b, closest.on_a);
        s->over = sc_watch_ends(s->r->watch, i);
    }
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

/* Of places that are one gap the first by that order. `number` is free for use. */
static void keep_first(search *s, uint32_t *number)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->place_count; i++) {
        number[sc_union_root(s->joined, s->places[i].pair)] = UINT32_MAX;
    }
    for (size_t i = 0; i < s->place_count; i++) {
        const uint32_t root = sc_union_root(s->joined, s->places[i].pair);
        if (number[root] == UINT32_MAX) {
            number[root] = (uint32_t)kept;
            s->places[kept++] = s->places[i];
        }
    }
    s->place_count = kept;
}

/* The pair of triangles by which the distance of the parts was told shows its gap, too. Of equally
 * narrow ones it may be another one, and none is narrower but by rounding. */
static void show_nearest(search *s, const uint32_t *number, const uint32_t nearest[2])
{
    const uint64_t facets = (uint64_t)nearest[0] << 32 | nearest[1];
    for (uint32_t i = 0; i < s->count; i++) {
        if (facets_of(s, i) == facets) {
            place *p = &s->places[number[i]];
            p->pair = i;
            const sc_closest closest = closest_of(s, p);
            p->distance = distance_of(&closest);
            for (size_t k = 0; k < s->place_count; k++) {
                s->places[k].distance = fmax(s->places[k].distance, p->distance);
            }
            return;
        }
    }
}

/* False if memory ran out. */
static bool find_places(search *s, const sc_pair_list *hits, const uint32_t *nearest)
{
    uint32_t *number = NULL;
    s->joined = sc_union_make(s->count);
    const bool good = s->joined && join_pairs(s, 0) && join_pairs(s, 1) && list_places(s, &number);
    if (good) {
        find_narrowest(s, number, hits);
        if (nearest) {
            show_nearest(s, number, nearest);
        }
        join_places(s);
    }
    const bool sorted = good && sc_sort_items(s->places, s->place_count, sizeof *s->places,
                                              by_distance, s->r->watch);
    if (sorted) {
        keep_first(s, number);
    }
    sc_free(number);
    return sorted;
}

static bool store_gaps(const search *s, sc_gaps *gaps)
{
    gaps->gaps = sc_alloc(s->place_count, sizeof *gaps->gaps);
    gaps->count = gaps->gaps ? s->place_count : 0;
    for (size_t i = 0; i < gaps->count; i++) {
        const place *p = &s->places[i];
        const uint64_t facets = facets_of(s, p->pair);
        gaps->gaps[i] = (sc_gap){.triangle = {(uint32_t)(facets >> 32), (uint32_t)facets},
                                 .distance = p->distance,
                                 .closest = closest_of(s, p)};
    }
    return gaps->gaps != NULL;
}

/* False if memory ran out. */
static bool find_gaps(search *s, const sc_pair_list *pairs, const sc_pair_list *hits,
                      const uint32_t *nearest, sc_gaps *gaps)
{
    bool good = true;
    s->pairs = pairs->pairs;
    s->count = (uint32_t)pairs->count;
    for (int part = 0; part < 2 && good; part++) {
        good =
            sc_gap_facets_make(&s->r->part[part], part, pairs, s->r->watch, &s->of[part]) &&
            sc_gap_seams_find(&s->of[part], 2.0 * s->r->resolution, s->r->watch, &s->seams[part]);
    }
    good = good && find_places(s, hits, nearest);
    gaps->complete = !s->over && !sc_watch_was_over(s->r->watch);
    good = good && (!gaps->complete || store_gaps(s, gaps));
    for (int part = 0; part < 2; part++) {
        sc_gap_facets_free(&s->of[part]);
        sc_gap_seams_free(&s->seams[part]);
    }
    sc_free(s->joined);
    sc_free(s->places);
    return good || !gaps->complete;
}

stlclash_code sc_gaps_find(const sc_gap_request *r, const sc_pair_list *hits,
                           const uint32_t *nearest, sc_gaps *gaps, stlclash_error *error)
{
    search s = {.r = r};
    sc_pair_list pairs;

    *gaps = (sc_gaps){.gaps = NULL};
    stlclash_code code = sc_gap_pairs_find(r, &pairs, &gaps->complete, error);
    if (code == STLCLASH_OK && pairs.count > 0 && !find_gaps(&s, &pairs, hits, nearest, gaps)) {
        code = sc_error_memory(error);
    }
    sc_free(pairs.pairs);
    return code;
}

void sc_gaps_free(sc_gaps *gaps)
{
    sc_free(gaps->gaps);
    *gaps = (sc_gaps){.gaps = NULL};
}
