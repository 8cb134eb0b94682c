/* gap_joins.c - see gap_joins.h. */
#include "gap_joins.h"

#include "base/alloc.h"
#include "base/union_find.h"
#include "geom/facet_distance.h"
#include "geom/segment_triangle.h"

/* The pairs of one facet, which is that of part `fixed`; the others are of the other part. */
typedef struct group {
    sc_gap_joins *j;
    int fixed;
    sc_triangle facet;
    uint32_t first;    /* of its pairs, in their order */
    uint32_t *last[3]; /* see last_with: of vertices, of edges, of facets of the other part */
} group;

/* ---- what is near a facet ----------------------------------------------------- */

/* A segment as sc_segment_closest wants it. */
static sc_triangle segment_of(sc_vec3 p, sc_vec3 q)
{
    const sc_vec3 v[3] = {p, q, sc_scale(sc_add(p, q), 0.5)};
    return sc_triangle_make(v);
}

bool sc_gap_segment_within(sc_vec3 p, sc_vec3 q, const sc_triangle *t, double distance)
{
    const sc_segment segment = {p, q};
    const sc_triangle s = segment_of(p, q);
    return sc_segment_meets(&segment, t->v) ||
           sqrt(sc_segment_closest(&s, t).distance_sq) <= distance;
}

static bool vertex_is_near(const group *g, uint32_t vertex)
{
    sc_vec3 on;
    return sc_facet_distance(g->j->of[1 - g->fixed].points[vertex], g->facet.v, &on) <= g->j->reach;
}

static bool segment_is_near(const group *g, sc_vec3 p, sc_vec3 q)
{
    return sc_gap_segment_within(p, q, &g->facet, g->j->reach);
}

static bool edge_is_near(const group *g, uint32_t facet, int k)
{
    const sc_gap_facets *moving = &g->j->of[1 - g->fixed];
    const uint32_t *vertex = moving->vertex[facet];
    return segment_is_near(g, moving->points[vertex[k]], moving->points[vertex[(k + 1) % 3]]);
}

/* ---- pairs of one facet ----------------------------------------------------------- */

/* The last pair of the group with a vertex, edge or facet, of which `last` is where it stands, + 1,
 * if it is not known to be of the same gap as `pair`; else UINT32_MAX. */
static uint32_t last_with(const group *g, uint32_t last, uint32_t pair)
{
    uint32_t *joined = g->j->joined;
    if (last <= g->first) {
        return UINT32_MAX;
    }
    const uint32_t before = g->j->of[g->fixed].order[last - 1];
    return sc_union_root(joined, before) == sc_union_root(joined, pair) ? UINT32_MAX : before;
}

/* Joins the pair that stands at `at` to those in front of it in the group whose facets share a
 * vertex or an edge with its own, or lie side by side with it, where that is near. */
static void join_to_former(const group *g, uint32_t at)
{
    sc_gap_joins *j = g->j;
    const sc_gap_facets *moving = &j->of[1 - g->fixed];
    const sc_gap_seams *seams = &j->seams[1 - g->fixed];
    const uint32_t pair = j->of[g->fixed].order[at];
    const uint32_t facet = sc_gap_side(j->pairs[pair], 1 - g->fixed);

    for (int k = 0; k < 3; k++) {
        const uint32_t vertex = moving->vertex[facet][k];
        const uint32_t before = last_with(g, g->last[0][vertex], pair);
        if (before != UINT32_MAX && vertex_is_near(g, vertex)) {
            sc_union_join(j->joined, before, pair);
        }
        g->last[0][vertex] = at + 1;
    }
    for (int k = 0; k < 3; k++) {
        const uint32_t edge = moving->edge[facet][k];
        const uint32_t before = last_with(g, g->last[1][edge], pair);
        if (before != UINT32_MAX && edge_is_near(g, facet, k)) {
            sc_union_join(j->joined, before, pair);
        }
        g->last[1][edge] = at + 1;
    }
    for (uint32_t i = seams->from[facet]; i < seams->from[facet + 1]; i++) {
        const sc_gap_seam *seam = &seams->seam[seams->list[i]];
        const uint32_t beside = seam->facet[seam->facet[0] == facet];
        const uint32_t before = last_with(g, g->last[2][beside], pair);
        if (before != UINT32_MAX && segment_is_near(g, seam->from, seam->to)) {
            sc_union_join(j->joined, before, pair);
        }
    }
    g->last[2][facet] = at + 1;
}

static void join_about(group *g, uint32_t facet)
{
    const sc_gap_facets *own = &g->j->of[g->fixed];
    sc_vec3 v[3];

    sc_gap_corners(own, facet, v);
    sc_triangle_set(&g->facet, v);
    g->first = own->from[facet];
    for (uint32_t at = g->first; at < own->from[facet + 1]; at++) {
        join_to_former(g, at);
    }
}

/* ---- all of them -------------------------------------------------------------------- */

/* Those of each facet of a part, one after the other. */
static bool join_pairs(sc_gap_joins *j, int fixed, sc_watch *watch)
{
    const sc_gap_facets *own = &j->of[fixed], *moving = &j->of[1 - fixed];
    const uint32_t count[3] = {moving->vertices, moving->edges, moving->count};
    group g = {.j = j, .fixed = fixed};
    bool good = true;

    for (int k = 0; k < 3; k++) {
        g.last[k] = sc_calloc(count[k], sizeof *g.last[k]);
        good = good && g.last[k];
    }
    for (uint32_t i = 0; i < own->count && good; i++) {
        join_about(&g, i);
        good = !sc_watch_ends(watch, i);
    }
    for (int k = 0; k < 3; k++) {
        sc_free(g.last[k]);
    }
    return good;
}

bool sc_gap_joins_make(const sc_gap_request *r, sc_pair_list *pairs, sc_gap_joins *j)
{
    bool good = true;

    *j = (sc_gap_joins){.reach = r->reach, .pairs = pairs->pairs, .count = (uint32_t)pairs->count};
    for (int part = 0; part < 2 && good; part++) {
        good = sc_gap_facets_make(&r->part[part], part, pairs, r->watch, &j->of[part]) &&
               sc_gap_seams_find(&j->of[part], 2.0 * r->resolution, r->watch, &j->seams[part]);
    }
    j->joined = good ? sc_union_make(j->count) : NULL;
    return j->joined && join_pairs(j, 0, r->watch) && join_pairs(j, 1, r->watch);
}

void sc_gap_joins_free(sc_gap_joins *j)
{
    for (int part = 0; part < 2; part++) {
        sc_gap_facets_free(&j->of[part]);
        sc_gap_seams_free(&j->seams[part]);
    }
    sc_free(j->joined);
    j->joined = NULL;
}
