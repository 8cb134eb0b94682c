/* health_shells.c - see health_shells.h. */
#include "health_shells.h"

#include "base/alloc.h"
#include "base/union_find.h"
#include "health_volume.h"

#include <stdlib.h>

/* ---- what is known of each shell ------------------------------------------------ */

/* Roots become numbers, in the order of first facets: a parent is smaller than its
 * child and so has its number already. */
static uint32_t number_sets(uint32_t *of, uint32_t facets)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < facets; i++) {
        if (of[i] != SC_NO_INDEX) {
            of[i] = of[i] == i ? count++ : of[of[i]];
        }
    }
    return count;
}

/* The signs that rounding left open (sign is 2): one look at all facets for them all. */
static bool settle_signs(const sc_facets *facets, sc_health_shells *shells)
{
    uint32_t open = 0;
    uint32_t *place = sc_alloc(shells->count, sizeof place[0]);
    for (uint32_t s = 0; s < shells->count && place; s++) {
        place[s] = shells->shell[s].sign == 2 ? open++ : SC_NO_INDEX;
    }
    sc_volume_exact *sum = place ? sc_calloc(open, sizeof sum[0]) : NULL;
    for (uint32_t i = 0; i < facets->count && sum && open > 0; i++) {
        if (shells->of[i] != SC_NO_INDEX && place[shells->of[i]] != SC_NO_INDEX) {
            float xyz[9];
            sc_health_facet(facets, i, xyz);
            sc_volume_exact_add(&sum[place[shells->of[i]]], xyz);
        }
    }
    for (uint32_t s = 0; s < shells->count && sum; s++) {
        if (place[s] != SC_NO_INDEX) {
            shells->shell[s].sign = sc_volume_exact_sign(&sum[place[s]]);
        }
    }
    bool ok = sum != NULL;
    sc_free(sum);
    sc_free(place);
    return ok;
}

static bool measure(const sc_facets *facets, sc_health_shells *shells)
{
    sc_volume_sum *sum = sc_calloc(shells->count, sizeof sum[0]);
    double(*origin)[3] = sc_alloc(shells->count, sizeof origin[0]);
    shells->shell = sc_calloc(shells->count, sizeof shells->shell[0]);
    bool ok = sum && origin && shells->shell;

    for (uint32_t i = 0; i < facets->count && ok; i++) {
        uint32_t s = shells->of[i];
        sc_health_shell *shell = s != SC_NO_INDEX ? &shells->shell[s] : NULL;
        float xyz[9];
        if (!shell) {
            continue;
        }
        sc_health_facet(facets, i, xyz);
        if (shell->facets++ == 0) {
            shell->first = i;
            shell->flip = 1;
            shell->box = sc_box_empty();
            for (int k = 0; k < 3; k++) {
                origin[s][k] = (double)xyz[k];
            }
        }
        for (int k = 0; k < 3; k++) {
            sc_box_add_point(&shell->box, sc_health_vertex(xyz + 3 * k));
        }
        sc_volume_add(&sum[s], xyz, origin[s]);
    }
    bool open = false;
    for (uint32_t s = 0; s < shells->count && ok; s++) {
        sc_health_shell *shell = &shells->shell[s];
        double reach = sc_box_extent(&shell->box);
        shell->volume = (sum[s].sum + sum[s].error) / 6;
        shell->sign = sc_volume_sign(&sum[s], shell->facets, reach);
        open = open || shell->sign == 2;
    }
    sc_free(sum);
    sc_free(origin);
    return ok && (!open || settle_signs(facets, shells));
}

void sc_shells_free(sc_health_shells *shells)
{
    sc_free(shells->of);
    sc_free(shells->shell);
    *shells = (sc_health_shells){.count = 0};
}

/* ---- as the scan joined them ------------------------------------------------------ */

sc_shells_code sc_shells_scan(const sc_facets *facets, sc_scan *scan, sc_health_shells *shells)
{
    sc_matcher *matcher = &scan->matcher;

    *shells = (sc_health_shells){.count = 0};
    if (matcher->twisted) {
        return SC_SHELLS_TWISTED;
    }
    if (scan->facets - matcher->joins == 1) {
        return SC_SHELLS_ONE;
    }
    shells->of = matcher->parent;
    matcher->parent = NULL;
    for (uint32_t i = 0; i < facets->count && scan->facets < facets->count; i++) {
        float xyz[9];
        sc_health_facet(facets, i, xyz);
        if (!sc_health_has_area(xyz)) {
            shells->of[i] = SC_NO_INDEX;
        }
    }
    shells->count = number_sets(shells->of, facets->count);
    if (!measure(facets, shells)) {
        sc_shells_free(shells);
        return SC_SHELLS_MEMORY;
    }
    return SC_SHELLS_FOUND;
}

/* ---- by edges ------------------------------------------------------------------- */

/* A set of facets, its net use of an edge, and one of its uses. */
typedef struct share {
    uint32_t root, use;
    int32_t net;
} share;

static int by_root(const void *a, const void *b)
{
    const share *s = a, *t = b;
    return (s->root > t->root) - (s->root < t->root);
}

/* A place where facets meet: an edge, or a piece of a line with the edges along it. */
typedef struct place {
    const sc_line_member *member;
    size_t members;
    bool whole; /* not to be told apart: all its facets belong together */
} place;

/* What is joined, and the places that tell so. */
typedef struct joining {
    const sc_edges *edges;
    uint32_t facets;
    uint32_t *parent; /* [facets] sets of them */
    place *places;    /* [count] */
    size_t count;
    share *shares; /* those of one place; room for all of any */
} joining;

/* The sets that are not balanced in the place by themselves, to the front of the shares; how many
 * there are. */
static size_t unbalanced_shares(const joining *j, const place *p)
{
    const sc_edges *edges = j->edges;
    share *shares = j->shares;
    size_t uses = 0, count = 0;
    for (size_t i = 0; i < p->members; i++) {
        const sc_edge *edge = &edges->edge[p->member[i].edge];
        for (uint32_t use = edge->last; use != SC_NO_INDEX; use = edges->next[use]) {
            int net = p->whole ? 1 : p->member[i].way * sc_edge_use_sign(edges, edge, use);
            shares[uses++] = (share){sc_union_root(j->parent, use / 3), use, net};
        }
    }
    if (uses > 1) {
        qsort(shares, uses, sizeof shares[0], by_root);
    }
    for (size_t i = 0; i < uses;) {
        share sum = {shares[i].root, shares[i].use, 0};
        for (; i < uses && shares[i].root == sum.root; i++) {
            sum.net += shares[i].net;
        }
        if (sum.net != 0) {
            shares[count++] = sum;
        }
    }
    return count;
}

/* The first of the shares. */
static void join_shares(const joining *j, size_t count)
{
    for (size_t k = 1; k < count; k++) {
        sc_union_join(j->parent, j->shares[0].root, j->shares[k].root);
    }
}

/* ---- walls that two shells have in common ------------------------------------------ */

/*        |           Two shells with a wall in common, the same way round as where one of them is
 *    s1  |r,l  s2    inside out: r and l lie on each other, so it makes no difference which of
 *   -----+-----      them belongs to s1 and which to s2, only that not both do. */
typedef struct telling {
    const joining *in;
    unsigned char *told; /* [facets] 1: the root of a set that was told from one that lies on it */
} telling;

/* The end of the facet that is not on the edge. */
static sc_vec3 apex_of(const sc_edges *edges, uint32_t use)
{
    const uint32_t corner = edges->corner[use - use % 3 + (use + 2) % 3];
    return sc_health_vertex(edges->vertex[corner]);
}

/* Whether facets that use an edge the same way lie on each other there. */
static bool are_coincident(const sc_edges *edges, const sc_edge *edge, const share pair[2])
{
    sc_vec3 u = sc_health_vertex(edges->vertex[edge->low]);
    sc_vec3 v = sc_health_vertex(edges->vertex[edge->high]);
    sc_vec3 p = apex_of(edges, pair[0].use), q = apex_of(edges, pair[1].use);
    int axis = sc_projection_axis(u, v, p);
    return sc_orient3d(u, v, p, q) == 0 && sc_orient2d(u, v, p, axis) == sc_orient2d(u, v, q, axis);
}

static bool are_told(const telling *t, const share pair[2])
{
    return t->told[pair[0].root] && t->told[pair[1].root];
}

/* At an edge of four facets: true if sets were joined. Where both those that use it one way and
 * those that use it the other way lie on each other, as within the wall, and in a mesh that is
 * there twice, they are only told apart if the sets that come up to them are. */
static bool tell_at(telling *t, const place *p)
{
    const sc_edges *edges = t->in->edges;
    const sc_edge *edge = &edges->edge[p->member->edge];
    const share *shares = t->in->shares;
    uint32_t *parent = t->in->parent;
    share pair[2][2];
    int count[2] = {0, 0};

    if (p->members != 1 || edge->uses != 4 || unbalanced_shares(t->in, p) != 4) {
        return false;
    }
    for (int i = 0; i < 4; i++) { /* a use each, and in balance: two of either way */
        int way = shares[i].net > 0;
        pair[way][count[way]++] = shares[i];
    }
    bool lie[2] = {are_coincident(edges, edge, pair[0]), are_coincident(edges, edge, pair[1])};
    if (lie[0] && lie[1] ? !are_told(t, pair[0]) && !are_told(t, pair[1]) : !lie[0] && !lie[1]) {
        return false;
    }
    for (int i = 0; i < 2; i++) {
        sc_union_join(parent, pair[0][i].root, pair[1][i].root);
        t->told[sc_union_root(parent, pair[0][i].root)] = 1;
    }
    return true;
}

/* From the rims of walls inwards. *some: sets were joined. False if memory ran out. */
static bool tell_walls(const joining *j, bool *some)
{
    enum { SWEEPS = 32 };
    telling t = {j, sc_calloc(j->facets, 1)};
    bool more = t.told != NULL;

    *some = false;
    for (int sweep = 0; sweep < SWEEPS && more; sweep++) {
        more = false;
        for (size_t i = 0; i < j->count; i++) {
            more = tell_at(&t, &j->places[sweep % 2 ? j->count - 1 - i : i]) || more;
        }
        *some = *some || more;
    }
    bool good = t.told != NULL;
    sc_free(t.told);
    return good;
}

/* ---- all of them ------------------------------------------------------------------ */

/* Joins sets until each is balanced in every place. Where two sets only are not they
 * belong together; that settles most of the other places. What it leaves is told apart at walls
 * that shells have in common, or else joined one place after the other. */
static bool join_places(joining *j)
{
    bool by_force = false;

    for (int round = 1; j->count > 0; round++) {
        size_t left = 0;
        for (size_t i = 0; i < j->count; i++) {
            size_t n = unbalanced_shares(j, &j->places[i]);
            if (n == 2 || j->places[i].whole || by_force) {
                join_shares(j, n);
            } else if (n > 2) {
                j->places[left++] = j->places[i];
            }
        }
        bool stuck = left == j->count, told = false;
        j->count = left;
        if (stuck && j->count > 0 && !tell_walls(j, &told)) {
            return false;
        }
        by_force = (stuck && !told) || round == 16;
    }
    return true;
}

/* The places with more than two facets, or more than one edge. */
static bool join_crowded(const sc_edges *edges, const sc_lines *lines, uint32_t facets,
                         uint32_t *parent)
{
    size_t most = 0, crowded = 0;
    for (uint32_t e = 0; e < edges->count; e++) {
        crowded += edges->edge[e].net == 0 && edges->edge[e].uses > 2;
        most = edges->edge[e].uses > most ? edges->edge[e].uses : most;
    }
    for (size_t i = 0; i < lines->pieces; i++) {
        size_t uses = 0;
        for (size_t k = lines->piece[i].first; k < lines->piece[i + 1].first; k++) {
            uses += edges->edge[lines->member[k].edge].uses;
        }
        most = uses > most ? uses : most;
    }
    joining j = {.edges = edges,
                 .facets = facets,
                 .parent = parent,
                 .places = sc_alloc(crowded + lines->pieces, sizeof *j.places),
                 .shares = sc_alloc(most, sizeof *j.shares)};
    sc_line_member *single = sc_alloc(crowded, sizeof single[0]);
    bool ok = j.places && single && j.shares;

    for (uint32_t e = 0; e < edges->count && ok; e++) {
        if (edges->edge[e].net == 0 && edges->edge[e].uses > 2) {
            single[j.count] = (sc_line_member){e, 1};
            j.places[j.count] = (place){&single[j.count], 1, false};
            j.count++;
        }
    }
    for (size_t i = 0; i < lines->pieces && ok; i++) {
        const sc_line_piece *piece = &lines->piece[i];
        j.places[j.count++] =
            (place){lines->member + piece->first, piece[1].first - piece->first, piece->whole};
    }
    ok = ok && join_places(&j);
    sc_free(j.places);
    sc_free(single);
    sc_free(j.shares);
    return ok;
}

bool sc_shells_find(const sc_facets *facets, const sc_edges *edges, const sc_lines *lines,
                    sc_health_shells *shells)
{
    uint32_t *parent = sc_union_make(facets->count);

    *shells = (sc_health_shells){.of = parent};
    if (!parent) {
        return false;
    }
    for (uint32_t e = 0; e < edges->count; e++) {
        const sc_edge *edge = &edges->edge[e];
        if (edge->net == 0 && edge->uses == 2) {
            sc_union_join(parent, edge->last / 3, edges->next[edge->last] / 3);
        }
    }
    if (!join_crowded(edges, lines, facets->count, parent)) {
        sc_shells_free(shells);
        return false;
    }
    for (uint32_t i = 0; i < facets->count; i++) {
        if (edges->corner[3 * (size_t)i] == SC_NO_INDEX) {
            parent[i] = SC_NO_INDEX;
        }
    }
    shells->count = number_sets(parent, facets->count);
    if (!measure(facets, shells)) {
        sc_shells_free(shells);
        return false;
    }
    return true;
}
