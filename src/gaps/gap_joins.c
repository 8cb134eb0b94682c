/* gap_joins.c - see gap_joins.h. */
#include "gap_joins.h"

#include "base/alloc.h"
#include "base/union_find.h"
#include "geom/facet_distance.h"
#include "geom/segment_triangle.h"
#include "geom/tri_distance.h"
#include "pair.h"

/* About how long a pair takes. */
enum { NS_JOIN = 30 };

/* What hangs together with a facet of A, as it is made. */
typedef struct group {
    sc_gap_joins *j;
    sc_triangle facet;
    uint32_t first;    /* of its pairs */
    uint32_t *last[3]; /* see is_of_another: of vertices, of edges, of facets of B */
} group;

/* ---- what is near a facet ----------------------------------------------------- */

bool sc_gap_segment_within(sc_vec3 p, sc_vec3 q, const sc_triangle *t, double distance)
{
    const sc_segment segment = {p, q};
    const sc_vec3 v[3] = {p, q, q};
    const sc_triangle s = sc_triangle_make(v);
    return sc_segment_meets(&segment, t->v) ||
           sqrt(sc_segment_closest(&s, t).distance_sq) <= distance;
}

/* What two facets share: an edge, what lies along edges of both, or, its ends being the same, a
 * vertex. */
typedef struct border {
    sc_vec3 end[2];
} border;

/* Whether that comes as near as the reach. Most of what does shows it by the first of these, for
 * which any corner would do (of the first, gcc 12 says with sanitizers that it is not three). */
static bool border_is_near(const sc_gap_joins *j, border b, const sc_triangle *t)
{
    sc_vec3 on;
    return sc_length(sc_sub(b.end[0], t->v[1])) <= j->reach ||
           sc_facet_distance(b.end[0], t->v, &on) <= j->reach ||
           (!sc_same(b.end[0], b.end[1]) && sc_gap_segment_within(b.end[0], b.end[1], t, j->reach));
}

/* Corner k of a facet, and side k, to the next one. */
static border corner_of(const sc_gap_facets *f, uint32_t facet, int k)
{
    const sc_vec3 v = f->points[f->vertex[facet][k]];
    return (border){{v, v}};
}

static border side_of(const sc_gap_facets *f, uint32_t facet, int k)
{
    const uint32_t *vertex = f->vertex[facet];
    return (border){{f->points[vertex[k]], f->points[vertex[(k + 1) % 3]]}};
}

static border seam_of(const sc_gap_seam *seam)
{
    return (border){{seam->from, seam->to}};
}

/* ---- pairs of one facet of A ------------------------------------------------------ */

/* Whether the last pair with a vertex, edge or facet of B, of which `last` is the number + 1, is of
 * the group, and not known to be of the same gap. */
static bool is_of_another(const group *g, uint32_t last, uint32_t pair)
{
    uint32_t *joined = g->j->joined;
    return last > g->first && sc_union_root(joined, last - 1) != sc_union_root(joined, pair);
}

/* Joins a pair to those in front of it in the group whose facets of B share a border with its own,
 * where that is near. */
static void join_to_former(const group *g, uint32_t pair)
{
    sc_gap_joins *j = g->j;
    const sc_gap_facets *b = &j->of[1];
    const sc_gap_seams *seams = &j->seams[1];
    const uint32_t facet = sc_pair_facet(j->pairs[pair], 1);

    for (int k = 0; k < 3; k++) {
        uint32_t *last = &g->last[0][b->vertex[facet][k]];
        if (is_of_another(g, *last, pair) && border_is_near(j, corner_of(b, facet, k), &g->facet)) {
            sc_union_join(j->joined, *last - 1, pair);
        }
        *last = pair + 1;
    }
    for (int k = 0; k < 3; k++) {
        uint32_t *last = &g->last[1][b->edge[facet][k]];
        if (is_of_another(g, *last, pair) && border_is_near(j, side_of(b, facet, k), &g->facet)) {
            sc_union_join(j->joined, *last - 1, pair);
        }
        *last = pair + 1;
    }
    for (uint32_t i = seams->from[facet]; i < seams->from[facet + 1]; i++) {
        const sc_gap_seam *seam = &seams->seam[seams->list[i]];
        const uint32_t last = g->last[2][seam->facet[seam->facet[0] == facet]];
        if (is_of_another(g, last, pair) && border_is_near(j, seam_of(seam), &g->facet)) {
            sc_union_join(j->joined, last - 1, pair);
        }
    }
    g->last[2][facet] = pair + 1;
}

static void join_about(group *g, uint32_t facet)
{
    sc_vec3 v[3];
    sc_gap_corners(&g->j->of[0], facet, v);
    sc_triangle_set(&g->facet, v);
    g->first = g->j->from[facet];
    for (uint32_t pair = g->first; pair < g->j->from[facet + 1]; pair++) {
        join_to_former(g, pair);
    }
}

/* The facets of A in stints, of which any thread does some: no two facets have a pair in common. */
typedef struct stints {
    sc_gap_joins *j;
    sc_watch *watch;
    atomic_bool failed; /* memory or time ran out */
} stints;

enum { STINT = 4096 };

static void join_stint(void *context, int stint)
{
    stints *s = context;
    sc_gap_joins *j = s->j;
    const uint32_t first = STINT * (uint32_t)stint, left = j->of[0].count - first;
    const uint32_t count[3] = {j->of[1].vertices, j->of[1].edges, j->of[1].count};
    group g = {.j = j};
    bool good = true;

    for (int k = 0; k < 3; k++) {
        g.last[k] = sc_calloc(count[k], sizeof *g.last[k]);
        good = good && g.last[k];
    }
    for (uint32_t i = 0; i < STINT && i < left && good; i++) {
        join_about(&g, first + i);
        good = !sc_watch_ends(s->watch, i);
    }
    for (int k = 0; k < 3; k++) {
        sc_free(g.last[k]);
    }
    if (!good) {
        s->failed = true;
    }
}

/* False if memory or time ran out. */
static bool join_by_facets(sc_gap_joins *j, sc_crew *crew, sc_watch *watch)
{
    stints s = {.j = j, .watch = watch};
    sc_crew_items(sc_crew_for(crew, NS_JOIN * (uint64_t)j->count),
                  (int)((j->of[0].count + STINT - 1) / STINT), join_stint, &s);
    return !s.failed;
}

/* ---- pairs of facets of A that hang together --------------------------------------- */

/* Of the facets of A those all pairs of which hang together, as most do. NULL if memory ran out. */
static bool *find_whole(const sc_gap_joins *j)
{
    bool *whole = sc_alloc(j->of[0].count, sizeof *whole);
    for (uint32_t i = 0; i < j->of[0].count && whole; i++) {
        uint32_t roots = 0;
        for (uint32_t pair = j->from[i]; pair < j->from[i + 1] && roots < 2; pair++) {
            roots += j->joined[pair] == pair;
        }
        whole[i] = roots == 1;
    }
    return whole;
}

/* Whether a border of facets of A comes near a facet of B. */
static bool comes_near(const sc_gap_joins *j, border b, uint32_t facet)
{
    sc_vec3 v[3];
    sc_gap_corners(&j->of[1], facet, v);
    const sc_triangle t = sc_triangle_make(v);
    return border_is_near(j, b, &t);
}

/* Joins the pairs of two facets of A with each facet of B that comes near what they share. */
static void join_across(sc_gap_joins *j, const bool *whole, uint32_t first, uint32_t second,
                        border b)
{
    const bool once = whole[first] && whole[second]; /* one will do */
    const uint32_t *end[2] = {&j->from[first + 1], &j->from[second + 1]};
    uint32_t at[2] = {end[0][-1], end[1][-1]};

    if (once && sc_union_root(j->joined, at[0]) == sc_union_root(j->joined, at[1])) {
        return;
    }
    while (at[0] < *end[0] && at[1] < *end[1]) {
        const uint32_t facet[2] = {sc_pair_facet(j->pairs[at[0]], 1),
                                   sc_pair_facet(j->pairs[at[1]], 1)};
        if (facet[0] == facet[1] &&
            sc_union_root(j->joined, at[0]) != sc_union_root(j->joined, at[1]) &&
            comes_near(j, b, facet[0])) {
            sc_union_join(j->joined, at[0], at[1]);
            if (once) {
                return;
            }
        }
        at[0] += facet[0] <= facet[1];
        at[1] += facet[1] <= facet[0];
    }
}

/* Each facet and the last one before it with the same edge, or vertex. */
static bool join_by_features(sc_gap_joins *j, const bool *whole, bool edges, sc_watch *watch)
{
    const sc_gap_facets *a = &j->of[0];
    uint32_t *last = sc_calloc(edges ? a->edges : a->vertices, sizeof *last); /* + 1 */
    bool good = last != NULL;

    for (uint32_t i = 0; i < a->count && good; i++) {
        for (int k = 0; k < 3; k++) {
            uint32_t *before = &last[edges ? a->edge[i][k] : a->vertex[i][k]];
            if (*before != 0 && *before != i + 1) {
                join_across(j, whole, *before - 1, i,
                            edges ? side_of(a, i, k) : corner_of(a, i, k));
            }
            *before = i + 1;
        }
        good = !sc_watch_ends(watch, i);
    }
    sc_free(last);
    return good;
}

static bool join_by_seams(sc_gap_joins *j, const bool *whole, sc_watch *watch)
{
    const sc_gap_seams *seams = &j->seams[0];
    bool good = true;
    for (size_t i = 0; i < seams->count && good; i++) {
        const sc_gap_seam *seam = &seams->seam[i];
        join_across(j, whole, seam->facet[0], seam->facet[1], seam_of(seam));
        good = !sc_watch_ends(watch, i);
    }
    return good;
}

/* False if memory or time ran out. */
static bool join_by_borders(sc_gap_joins *j, sc_watch *watch)
{
    bool *whole = find_whole(j);
    const bool good = whole && join_by_features(j, whole, true, watch) &&
                      join_by_seams(j, whole, watch) && join_by_features(j, whole, false, watch);
    sc_free(whole);
    return good;
}

/* ---- all of them -------------------------------------------------------------------- */

/* Where the pairs of each facet of A begin. */
static bool index_pairs(sc_gap_joins *j)
{
    uint32_t next = 0;
    j->from = sc_alloc((size_t)j->of[0].count + 1, sizeof *j->from);
    for (uint32_t i = 0; i < j->count && j->from; i++) {
        if (sc_pair_facet(j->pairs[i], 0) == next) {
            j->from[next++] = i;
        }
    }
    if (j->from) {
        j->from[next] = j->count;
    }
    return j->from != NULL;
}

bool sc_gap_joins_make(const sc_gap_request *r, sc_pair_list *pairs, sc_gap_joins *j)
{
    bool good = true;

    *j = (sc_gap_joins){.reach = r->reach, .pairs = pairs->pairs, .count = (uint32_t)pairs->count};
    for (int part = 0; part < 2 && good; part++) {
        good = sc_gap_facets_make(&r->part[part], part, pairs, r->watch, &j->of[part]) &&
               sc_gap_seams_find(&j->of[part], 2.0 * r->resolution, r->watch, &j->seams[part]);
    }
    j->joined = good && index_pairs(j) ? sc_union_make(j->count) : NULL;
    return j->joined && join_by_facets(j, r->crew, r->watch) && join_by_borders(j, r->watch);
}

bool sc_gap_joins_index(sc_gap_joins *j)
{
    const uint32_t facets = j->of[1].count;
    uint32_t *from = j->from_b = sc_calloc((size_t)facets + 2, sizeof *from);
    j->by_b = sc_alloc(j->count, sizeof *j->by_b);
    if (!from || !j->by_b) {
        return false;
    }
    for (uint32_t i = 0; i < j->count; i++) {
        from[sc_pair_facet(j->pairs[i], 1) + 2]++;
    }
    for (uint32_t i = 2; i < facets + 2; i++) {
        from[i] += from[i - 1];
    }
    for (uint32_t i = 0; i < j->count; i++) { /* from[b + 1] runs to where b + 1 begins */
        j->by_b[from[sc_pair_facet(j->pairs[i], 1) + 1]++] = i;
    }
    return true;
}

void sc_gap_joins_free(sc_gap_joins *j)
{
    for (int part = 0; part < 2; part++) {
        sc_gap_facets_free(&j->of[part]);
        sc_gap_seams_free(&j->seams[part]);
    }
    sc_free(j->from);
    sc_free(j->from_b);
    sc_free(j->by_b);
    sc_free(j->joined);
    *j = (sc_gap_joins){.pairs = NULL};
}
