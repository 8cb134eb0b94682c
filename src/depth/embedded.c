/* embedded.c - see embedded.h. Pairs of facets that may meet come from the part's octree, facet by
 * facet; and each of them from that of the lower number. */
#include "embedded.h"

#include "base/alloc.h"
#include "base/union_find.h"
#include "geom/orient.h"
#include "geom/tri_intersect.h"
#include "solids/surface.h"

enum { ALL_EDGES = 7, WITHOUT_AREA = 8 };

/* Facets are known by their number in file order. */
typedef struct surface {
    sc_surface of;
    uint8_t *mates;                   /* a bit for each edge; and WITHOUT_AREA */
    uint32_t *by_edges, *by_vertices; /* sets of facets that hang together */
    uint32_t joined[2];               /* times that two sets became one */
} surface;

typedef struct facet {
    uint32_t number;
    const sc_vec3 *v;
} facet;

/* ---- pairs ----------------------------------------------------------------- */

/* Common vertices: k of the first is at[k] of the second, or -1. */
static int common_vertices(facet a, facet b, int at[3])
{
    int common = 0;
    for (int k = 0; k < 3; k++) {
        at[k] = -1;
        for (int j = 0; j < 3; j++) {
            at[k] = sc_same(a.v[k], b.v[j]) ? j : at[k];
        }
        common += at[k] >= 0;
    }
    return common;
}

static bool edge_meets(sc_vec3 p, sc_vec3 q, facet f)
{
    const sc_vec3 edge[3] = {p, q, q};
    return sc_tri_meet(edge, f.v) != SC_APART;
}

/* Two sides of a facet, and between them all of it: from a corner to the other two. */
typedef struct wedge {
    sc_vec3 apex, v[2];
} wedge;

static bool same_side(double a, double of, double b)
{
    return (a > of && b > of) || (a < of && b < of);
}

/* Whether a point of its plane lies across the line along a side of a wedge, or in that line beyond
 * the apex. */
static bool is_across(const wedge *w, int side, sc_vec3 r, int axis)
{
    const sc_vec3 p = w->apex, q = w->v[side];
    const int own = sc_orient2d(p, q, w->v[1 - side], axis), other = sc_orient2d(p, q, r, axis);
    return other == -own || (other == 0 && !same_side(q.x, p.x, r.x) && !same_side(q.y, p.y, r.y) &&
                             !same_side(q.z, p.z, r.z));
}

static bool is_off(const wedge *w, sc_vec3 r, int axis)
{
    return is_across(w, 0, r, axis) || is_across(w, 1, r, axis);
}

/* Whether wedges in one plane about one apex meet nowhere else. */
static bool are_beside(const wedge w[2], int axis)
{
    for (int i = 0; i < 2; i++) {
        for (int side = 0; side < 2; side++) {
            if (is_across(&w[i], side, w[1 - i].v[0], axis) &&
                is_across(&w[i], side, w[1 - i].v[1], axis)) {
                return true;
            }
        }
    }
    return false;
}

/* With vertex k of a in common, and j of b: they meet nowhere else. Mostly one lies beyond the
 * plane of the other, or comes to it along a side at most. */
static bool meet_in_vertex(facet a, int k, facet b, int j)
{
    const wedge w[2] = {{a.v[k], {a.v[(k + 1) % 3], a.v[(k + 2) % 3]}},
                        {b.v[j], {b.v[(j + 1) % 3], b.v[(j + 2) % 3]}}};
    const sc_vec3 *const plane[2] = {b.v, a.v}; /* that of the other one */
    for (int i = 0; i < 2; i++) {
        const sc_vec3 *o = plane[i];
        const int above[2] = {sc_orient3d(o[0], o[1], o[2], w[i].v[0]),
                              sc_orient3d(o[0], o[1], o[2], w[i].v[1])};
        if (above[0] * above[1] > 0) {
            return true;
        }
        const int axis = above[0] == 0 || above[1] == 0 ? sc_projection_axis(o[0], o[1], o[2]) : 0;
        if (above[0] == 0 && above[1] == 0) {
            return are_beside(w, axis);
        }
        if (above[0] == 0 || above[1] == 0) {
            return is_off(&w[1 - i], w[i].v[above[0] == 0 ? 0 : 1], axis);
        }
    }
    return !edge_meets(w[0].v[0], w[0].v[1], b) && !edge_meets(w[1].v[0], w[1].v[1], a);
}

/* With all but vertex k of a in common: they are the two facets of that edge, and not folded onto
 * each other. */
static bool meet_in_edge(surface *s, facet a, int k, facet b, const int at[3])
{
    const int from = at[(k + 1) % 3], to = at[(k + 2) % 3];
    const sc_vec3 *v = a.v, *w = b.v;
    const uint8_t bit_a = (uint8_t)(1 << (k + 1) % 3), bit_b = (uint8_t)(1 << to);
    if ((to + 1) % 3 != from || (s->mates[a.number] & bit_a) || (s->mates[b.number] & bit_b)) {
        return false;
    }
    s->mates[a.number] |= bit_a;
    s->mates[b.number] |= bit_b;
    if (sc_orient3d(v[0], v[1], v[2], w[3 - from - to]) != 0) {
        return true;
    }
    const int axis = sc_projection_axis(v[0], v[1], v[2]);
    return sc_orient2d(v[0], v[1], v[2], axis) == sc_orient2d(w[0], w[1], w[2], axis);
}

static bool meet_properly(surface *s, facet a, facet b)
{
    int at[3], common = common_vertices(a, b, at), k = 0;
    bool properly;

    switch (common) {
    case 0: return sc_tri_meet(a.v, b.v) == SC_APART;
    case 1:
        k = at[0] >= 0 ? 0 : at[1] >= 0 ? 1 : 2;
        properly = meet_in_vertex(a, k, b, at[k]);
        break;
    case 2:
        k = at[0] < 0 ? 0 : at[1] < 0 ? 1 : 2;
        properly = meet_in_edge(s, a, k, b, at);
        s->joined[0] += sc_union_join(s->by_edges, a.number, b.number);
        break;
    default: return false;
    }
    s->joined[1] += sc_union_join(s->by_vertices, a.number, b.number);
    return properly;
}

/* ---- all of them ------------------------------------------------------------ */

/* A facet, and those of higher numbers that it may meet. */
typedef struct look {
    surface *surface;
    facet facet;
    sc_box box;
    bool found; /* the facet itself */
} look;

static bool has_area(const surface *s, uint32_t number)
{
    return (s->mates[number] & WITHOUT_AREA) == 0;
}

static bool meets_properly(void *context, uint32_t number, const sc_vec3 v[3])
{
    look *l = context;
    if (number <= l->facet.number) {
        l->found = l->found || number == l->facet.number;
        return true;
    }
    const sc_box box = sc_box_of_points(v, 3);
    return !sc_boxes_meet(&l->box, &box) || !has_area(l->surface, number) ||
           meet_properly(l->surface, l->facet, (facet){number, v});
}

/* Leaves out those without area; whether there are others. */
static bool find_areas(surface *s)
{
    const sc_solid *solid = s->of.solid;
    const uint32_t count = solid->part->mesh->file.facets.count;
    uint32_t with_area = 0;
    for (uint32_t i = 0; i < count; i++) {
        sc_vec3 v[3];
        sc_solid_facet(solid, i, v);
        const bool is_one = sc_projection_axis(v[0], v[1], v[2]) >= 0;
        s->mates[i] = is_one ? 0 : ALL_EDGES | WITHOUT_AREA;
        with_area += is_one;
    }
    return with_area > 0;
}

/* All pairs; and every edge has its two facets, and shells have no vertex in common. */
static bool is_surface(surface *s)
{
    const sc_solid *solid = s->of.solid;
    const uint32_t count = solid->part->mesh->file.facets.count;

    for (uint32_t i = 0; i < count; i++) {
        sc_vec3 v[3];
        if (!has_area(s, i)) {
            continue;
        }
        sc_solid_facet(solid, i, v);
        look l = {.surface = s, .facet = {i, v}, .box = sc_box_of_points(v, 3)};
        const sc_walk walk = {.within = l.box, .facet = meets_properly, .context = &l};
        if (sc_watch_ends(solid->watch, i) || !sc_surface_walk(&s->of, &walk) || !l.found) {
            return false;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        if ((s->mates[i] & ALL_EDGES) != ALL_EDGES) {
            return false;
        }
    }
    return s->joined[0] == s->joined[1];
}

/* ---- sides ----------------------------------------------------------------- */

enum { TRIES = 96 };

/* About vertices of a shell: which winding numbers were seen, and how many tries are left. */
typedef struct sides {
    bool seen[2];
    uint8_t tries;
} sides;

/* Whether winding numbers of 0 and 1 alone are seen about the vertices of a facet, as far as
 * that is not known of its shell. */
static bool bounds_simply(const sc_solid *solid, uint32_t number, sides *shell, bool *failed)
{
    sc_vec3 v[3];
    sc_solid_facet(solid, number, v);
    for (int k = 0; k < 3 && shell->tries > 0 && !(shell->seen[0] && shell->seen[1]); k++) {
        int winding[2];
        shell->tries--;
        if (!sc_solid_winding_either_way(solid, &solid->shift, v[k], winding)) {
            *failed = true;
            return false;
        }
        for (int way = 0; way < 2; way++) {
            if (winding[way] != 0 && winding[way] != 1) {
                return false;
            }
            shell->seen[winding[way]] = true;
        }
    }
    return true;
}

/* Whether about each shell 0 and 1 are seen, and nothing else. */
static bool all_bound_simply(surface *s, bool *failed)
{
    const sc_solid *solid = s->of.solid;
    const uint32_t count = solid->part->mesh->file.facets.count;
    sides *of_root = sc_alloc(count, sizeof *of_root);
    bool simple = of_root != NULL;

    *failed = *failed || !of_root;
    for (uint32_t i = 0; i < count && simple; i++) {
        of_root[i] = (sides){.tries = TRIES};
    }
    for (uint32_t i = 0; i < count && simple; i++) {
        simple = !has_area(s, i) ||
                 bounds_simply(solid, i, &of_root[sc_union_root(s->by_edges, i)], failed);
    }
    for (uint32_t i = 0; i < count && simple; i++) {
        const sides *shell = &of_root[sc_union_root(s->by_edges, i)];
        simple = !has_area(s, i) || (shell->seen[0] && shell->seen[1]);
    }
    sc_free(of_root);
    return simple;
}

static bool find(sc_solid *solid, bool *failed)
{
    const uint32_t count = solid->part->mesh->file.facets.count;
    surface s = {.of = {.solid = solid},
                 .mates = sc_calloc(count, sizeof *s.mates),
                 .by_edges = sc_union_make(count),
                 .by_vertices = sc_union_make(count)};
    const bool made = s.mates && s.by_edges && s.by_vertices;
    const bool embedded = made && find_areas(&s) && is_surface(&s) && all_bound_simply(&s, failed);

    *failed = *failed || !made || s.of.failed;
    sc_free(s.mates);
    sc_free(s.by_edges);
    sc_free(s.by_vertices);
    return embedded && !s.of.failed;
}

bool sc_solid_is_embedded(sc_solid *solid, bool *failed)
{
    if (atomic_load(&solid->embedded) == 0) {
        atomic_store(&solid->embedded, find(solid, failed) ? 1 : -1);
    }
    return sc_solid_is_known_embedded(solid);
}
