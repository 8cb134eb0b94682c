/* oracle_joins.c - see oracle_joins.h. */
#include "oracle_joins.h"

#include "geom/facet_distance.h"
#include "geom/segment_triangle.h"
#include "geom/tri_intersect.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct search {
    const sc_triangle *const *facets; /* [2] */
    const size_t *count;              /* [2] */
    double reach, resolution;
    double *distance; /* [count[0] * count[1]] of pairs */
    size_t *set;      /* of a pair: another one of its gap, in the end itself */
} search;

static void *room(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory) {
        fputs("oracle_joins: no memory\n", stderr);
        exit(2);
    }
    return memory;
}

/* ---- pairs ---------------------------------------------------------------------- */

/* The pair of facet i of one part and facet j of the other. */
static size_t pair_of(const search *s, int part, size_t i, size_t j)
{
    return part == 0 ? i * s->count[1] + j : j * s->count[1] + i;
}

static bool is_near(const search *s, size_t pair)
{
    return s->distance[pair] <= s->reach;
}

static void measure(search *s)
{
    for (size_t i = 0; i < s->count[0]; i++) {
        for (size_t j = 0; j < s->count[1]; j++) {
            const sc_triangle *a = &s->facets[0][i], *b = &s->facets[1][j];
            s->distance[pair_of(s, 0, i, j)] =
                sc_tri_meet(a->v, b->v) != SC_APART ? 0.0 : sqrt(sc_tri_closest(a, b).distance_sq);
        }
    }
}

static size_t root_of(const search *s, size_t pair)
{
    while (s->set[pair] != pair) {
        pair = s->set[pair];
    }
    return pair;
}

static void join(search *s, size_t one, size_t other)
{
    one = root_of(s, one);
    other = root_of(s, other);
    s->set[one > other ? one : other] = one > other ? other : one;
}

/* ---- what two facets share -------------------------------------------------------- */

static int shared_of(const sc_triangle *f, const sc_triangle *g, sc_vec3 shared[3])
{
    int count = 0;
    for (int k = 0; k < 3; k++) {
        bool is = false;
        for (int m = 0; m < 3; m++) {
            is = is || sc_same(f->v[k], g->v[m]);
        }
        if (is) {
            shared[count++] = f->v[k];
        }
    }
    return count;
}

static double segment_distance(sc_vec3 p, sc_vec3 q, const sc_triangle *t)
{
    const sc_segment segment = {p, q};
    const sc_vec3 v[3] = {p, q, q};
    const sc_triangle s = sc_triangle_make(v);
    return sc_segment_meets(&segment, t->v) ? 0.0 : sqrt(sc_segment_closest(&s, t).distance_sq);
}

static double shared_distance(const sc_vec3 *shared, int count, const sc_triangle *t)
{
    sc_vec3 on;
    double least = INFINITY;
    for (int k = 0; k < count; k++) {
        least = fmin(least, sc_facet_distance(shared[k], t->v, &on));
    }
    for (int k = 1; k < count; k++) {
        least = fmin(least, segment_distance(shared[0], shared[k], t));
    }
    return least;
}

/* Pairs of each facet of the other part with two of this one. */
static void join_by_part(search *s, int part)
{
    for (size_t i = 0; i < s->count[part]; i++) {
        for (size_t k = 0; k < i; k++) {
            sc_vec3 shared[3];
            const int count = shared_of(&s->facets[part][i], &s->facets[part][k], shared);
            for (size_t j = 0; j < s->count[1 - part] && count > 0; j++) {
                const size_t one = pair_of(s, part, i, j), other = pair_of(s, part, k, j);
                if (is_near(s, one) && is_near(s, other) && root_of(s, one) != root_of(s, other) &&
                    shared_distance(shared, count, &s->facets[1 - part][j]) <= s->reach) {
                    join(s, one, other);
                }
            }
        }
    }
}

/* ---- places ----------------------------------------------------------------------- */

static int by_distance(const void *x, const void *y)
{
    const oracle_place *a = x, *b = y;
    if (a->distance != b->distance) {
        return a->distance < b->distance ? -1 : 1;
    }
    for (int part = 0; part < 2; part++) {
        if (a->facet[part] != b->facet[part]) {
            return a->facet[part] < b->facet[part] ? -1 : 1;
        }
    }
    return 0;
}

static oracle_place place_of(const search *s, size_t pair)
{
    return (oracle_place){s->distance[pair], {pair / s->count[1], pair % s->count[1]}};
}

static size_t pair_of_place(const search *s, const oracle_place *p)
{
    return pair_of(s, 0, p->facet[0], p->facet[1]);
}

/* The narrowest of each gap, in order; returns how many. */
static size_t find_places(const search *s, oracle_place *places)
{
    const size_t pairs = s->count[0] * s->count[1];
    oracle_place *of_root = room(pairs, sizeof *of_root);
    size_t count = 0;
    for (size_t i = 0; i < pairs; i++) {
        of_root[i].distance = INFINITY;
    }
    for (size_t i = 0; i < pairs; i++) {
        const oracle_place p = place_of(s, i);
        oracle_place *least = &of_root[root_of(s, i)];
        if (is_near(s, i) && by_distance(&p, least) < 0) {
            *least = p;
        }
    }
    for (size_t i = 0; i < pairs; i++) {
        if (of_root[i].distance < INFINITY) {
            places[count++] = of_root[i];
        }
    }
    free(of_root);
    qsort(places, count, sizeof *places, by_distance);
    return count;
}

/* Joins the pairs of facets of a part with the other one of the place that stand in its way. */
static void join_in_front(search *s, const oracle_place *p, int part)
{
    const sc_triangle *a = &s->facets[0][p->facet[0]], *b = &s->facets[1][p->facet[1]];
    sc_vec3 from, to;
    if (p->distance == 0.0) {
        from = to = sc_tri_common(a->v, b->v).first;
    } else {
        const sc_closest closest = sc_tri_closest(a, b);
        from = part == 0 ? closest.on_a : closest.on_b;
        to = part == 0 ? closest.on_b : closest.on_a;
    }
    const double end = 4.0 * s->resolution;
    const double share = p->distance > end ? 1.0 - end / p->distance : 0.0;
    to = sc_flushed(sc_mul_add(from, share, sc_sub(to, from)), 1e-40);
    from = sc_flushed(from, 1e-40);
    for (size_t i = 0; i < s->count[part]; i++) {
        const size_t pair = pair_of(s, part, i, p->facet[1 - part]);
        if (is_near(s, pair) && segment_distance(from, to, &s->facets[part][i]) <= s->resolution) {
            join(s, pair, pair_of_place(s, p));
        }
    }
}

oracle_joins oracle_joins_of(const sc_triangle *const facets[2], const size_t count[2],
                             double reach, double resolution)
{
    const size_t pairs = count[0] * count[1];
    search s = {.facets = facets,
                .count = count,
                .reach = reach,
                .resolution = resolution,
                .distance = room(pairs, sizeof *s.distance),
                .set = room(pairs, sizeof *s.set)};
    oracle_joins found = {.places = room(pairs, sizeof *found.places)};

    measure(&s);
    for (size_t i = 0; i < pairs; i++) {
        s.set[i] = i;
        found.near += is_near(&s, i);
    }
    join_by_part(&s, 0);
    join_by_part(&s, 1);
    found.apart = find_places(&s, found.places);
    for (size_t i = 0; i < found.apart; i++) {
        join_in_front(&s, &found.places[i], 0);
        join_in_front(&s, &found.places[i], 1);
    }
    found.count = find_places(&s, found.places);
    free(s.distance);
    free(s.set);
    return found;
}

void oracle_joins_free(oracle_joins *joins)
{
    free(joins->places);
    *joins = (oracle_joins){.places = NULL};
}
