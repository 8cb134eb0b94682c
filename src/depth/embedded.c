/* embedded.c - see embedded.h. Pairs of facets that may meet come from a sweep along x. */
#include "embedded.h"

#include "base/alloc.h"
#include "base/union_find.h"
#include "geom/orient.h"
#include "geom/tri_intersect.h"

#include <stdlib.h>

enum { MOST_FACETS = 4096 };

typedef struct facet {
    sc_vec3 v[3];
    sc_box box;
    int mates; /* a bit for each edge */
} facet;

typedef struct surface {
    facet *facets; /* [count], by the lower end of their boxes along x */
    uint32_t count;
    uint32_t *by_edges, *by_vertices; /* sets of facets that hang together */
    uint32_t joined[2];               /* times that two sets became one */
} surface;

/* ---- facets ---------------------------------------------------------------- */

static int by_low(const void *a, const void *b)
{
    double p = ((const facet *)a)->box.low[0], q = ((const facet *)b)->box.low[0];
    return (p > q) - (p < q);
}

static bool take_facets(surface *s, const sc_solid *solid)
{
    uint32_t all = solid->part->mesh->file.facets.count;
    s->facets = sc_alloc(all, sizeof *s->facets);
    for (uint32_t i = 0; i < all && s->facets; i++) {
        facet *f = &s->facets[s->count];
        f->mates = 0;
        sc_solid_facet(solid, i, f->v);
        f->box = sc_box_of_points(f->v, 3);
        s->count += sc_projection_axis(f->v[0], f->v[1], f->v[2]) >= 0;
    }
    if (s->facets) {
        qsort(s->facets, s->count, sizeof *s->facets, by_low);
    }
    s->by_edges = sc_union_make(s->count);
    s->by_vertices = sc_union_make(s->count);
    return s->facets && s->by_edges && s->by_vertices;
}

/* ---- pairs ----------------------------------------------------------------- */

/* Common vertices: k of the first is at[k] of the second, or -1. */
static int common_vertices(const facet *a, const facet *b, int at[3])
{
    int common = 0;
    for (int k = 0; k < 3; k++) {
        at[k] = -1;
        for (int j = 0; j < 3; j++) {
            at[k] = sc_same(a->v[k], b->v[j]) ? j : at[k];
        }
        common += at[k] >= 0;
    }
    return common;
}

static bool edge_meets(sc_vec3 p, sc_vec3 q, const facet *f)
{
    const sc_vec3 edge[3] = {p, q, q};
    return sc_tri_meet(edge, f->v) != SC_APART;
}

/* With vertex k of a in common, and j of b: they meet nowhere else. */
static bool meet_in_vertex(const facet *a, int k, const facet *b, int j)
{
    return !edge_meets(a->v[(k + 1) % 3], a->v[(k + 2) % 3], b) &&
           !edge_meets(b->v[(j + 1) % 3], b->v[(j + 2) % 3], a);
}

/* With all but vertex k of a in common: they are the two facets of that edge, and not folded onto
 * each other. */
static bool meet_in_edge(facet *a, int k, facet *b, const int at[3])
{
    const int from = at[(k + 1) % 3], to = at[(k + 2) % 3];
    const sc_vec3 *v = a->v, *w = b->v;
    const int bit_a = 1 << (k + 1) % 3, bit_b = 1 << to;
    if ((to + 1) % 3 != from || (a->mates & bit_a) || (b->mates & bit_b)) {
        return false;
    }
    a->mates |= bit_a;
    b->mates |= bit_b;
    if (sc_orient3d(v[0], v[1], v[2], w[3 - from - to]) != 0) {
        return true;
    }
    const int axis = sc_projection_axis(v[0], v[1], v[2]);
    return sc_orient2d(v[0], v[1], v[2], axis) == sc_orient2d(w[0], w[1], w[2], axis);
}

static bool meet_properly(surface *s, uint32_t i, uint32_t j)
{
    facet *a = &s->facets[i], *b = &s->facets[j];
    int at[3], common = common_vertices(a, b, at), k = 0;
    bool properly;

    switch (common) {
    case 0: return sc_tri_meet(a->v, b->v) == SC_APART;
    case 1:
        k = at[0] >= 0 ? 0 : at[1] >= 0 ? 1 : 2;
        properly = meet_in_vertex(a, k, b, at[k]);
        break;
    case 2:
        k = at[0] < 0 ? 0 : at[1] < 0 ? 1 : 2;
        properly = meet_in_edge(a, k, b, at);
        s->joined[0] += sc_union_join(s->by_edges, i, j);
        break;
    default: return false;
    }
    s->joined[1] += sc_union_join(s->by_vertices, i, j);
    return properly;
}

/* All pairs; and every edge has its two facets, and shells have no vertex in common. */
static bool is_surface(surface *s)
{
    for (uint32_t i = 0; i < s->count; i++) {
        const sc_box *box = &s->facets[i].box;
        for (uint32_t j = i + 1; j < s->count && s->facets[j].box.low[0] <= box->high[0]; j++) {
            if (sc_boxes_meet(box, &s->facets[j].box) && !meet_properly(s, i, j)) {
                return false;
            }
        }
    }
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->facets[i].mates != 7) {
            return false;
        }
    }
    return s->joined[0] == s->joined[1];
}

/* ---- sides ----------------------------------------------------------------- */

/* Whether about a shell winding numbers of 0 and of 1 are seen, and no others. */
static bool bounds_simply(const surface *s, const sc_solid *solid, uint32_t shell, bool *failed)
{
    enum { TRIES = 96 };
    bool seen[2] = {false, false};
    int tries = 0;
    const size_t end = 3 * (size_t)s->count;
    for (size_t i = 3 * (size_t)shell; i < end && tries < TRIES && !(seen[0] && seen[1]); i++) {
        int winding[2];
        if (sc_union_root(s->by_edges, (uint32_t)(i / 3)) != shell) {
            continue;
        }
        tries++;
        const sc_vec3 p = s->facets[i / 3].v[i % 3];
        if (!sc_solid_winding_either_way(solid, &solid->shift, p, winding)) {
            *failed = true;
            return false;
        }
        for (int way = 0; way < 2; way++) {
            if (winding[way] != 0 && winding[way] != 1) {
                return false;
            }
            seen[winding[way]] = true;
        }
    }
    return seen[0] && seen[1];
}

static bool find(const sc_solid *solid, bool *failed)
{
    surface s = {.count = 0};
    bool made = take_facets(&s, solid);
    bool embedded = made && s.count > 0 && is_surface(&s);
    *failed = *failed || !made;
    for (uint32_t i = 0; i < s.count && embedded; i++) {
        embedded = sc_union_root(s.by_edges, i) != i || bounds_simply(&s, solid, i, failed);
    }
    sc_free(s.facets);
    sc_free(s.by_edges);
    sc_free(s.by_vertices);
    return embedded;
}

bool sc_solid_is_embedded(sc_solid *solid, bool *failed)
{
    int known = atomic_load(&solid->embedded);
    if (known == 0) { /* several threads may find out the same at once */
        bool small = solid->part->mesh->file.facets.count <= MOST_FACETS;
        known = small && find(solid, failed) ? 1 : -1;
        atomic_store(&solid->embedded, known);
    }
    return known > 0;
}
