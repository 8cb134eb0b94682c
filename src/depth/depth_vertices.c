/* depth_vertices.c - see depth_vertices.h. Down the octree of one part, past what the surface of
 * the other one keeps from lying deeper than the best so far. */
#include "depth_vertices.h"

#include "deepest.h"
#include "depth_proof.h"

typedef struct looking {
    sc_deepest found;
    int x;                /* vertices of part 1 - x, in part x */
    uint64_t looks, most; /* as many nodes were looked at, and may be */
} looking;

/* Distances that are alike but for rounding are no reason to go on. */
static double least_gain(const looking *l)
{
    return l->found.best * (1.0 + 0x1p-40);
}

/* Whether nothing of a box lies in part x deeper than the best. *near: a facet near it, or
 * UINT32_MAX; then another one. */
static bool is_shallow(looking *l, const sc_box *box, uint32_t *near)
{
    static const double rough = 0.125;
    sc_surface *surface = &l->found.surface[l->x];
    const double best = least_gain(l), margin = surface->margin;
    const sc_vec3 c = sc_box_centre(box);
    const double radius = sc_box_radius(box);
    const sc_nearest n =
        sc_surface_nearest(surface, c, (sc_seek){best - radius - margin, 0.0, rough, 0.0, *near});
    sc_vec3 corner[8];

    *near = n.facet;
    if (n.distance + radius + margin <= best) {
        return true;
    }
    for (int k = 0; k < 8; k++) {
        corner[k] = sc_box_corner(box, k);
    }
    return sc_depth_facet_bound(surface, n.facet, corner, 8) <= best ||
           (n.distance * (1.0 - rough) > radius + margin && !sc_surface_contains(surface, c));
}

/* *near: as above. */
static void look_at_vertex(looking *l, sc_vec3 v, uint32_t *near)
{
    sc_deepest *d = &l->found;
    sc_surface *surface = &d->surface[l->x];
    if (!sc_deepest_within(d, v)) {
        return;
    }
    const sc_nearest n =
        sc_surface_nearest(surface, v, (sc_seek){.enough = least_gain(l), .hint = *near});
    *near = n.facet;
    if (n.distance > least_gain(l) && n.distance - surface->margin > d->best) {
        sc_deepest_improve(d, v, l->x, n.distance - surface->margin);
    }
}

/* Each of its vertices once. */
static void look_at_leaf(looking *l, uint32_t index, uint32_t near)
{
    sc_solid *solid = l->found.surface[1 - l->x].solid;
    const sc_leaf *leaf = sc_octree_leaf(solid->tree, index);
    sc_vec3 seen[3 * 8];
    int count = 0;

    for (int i = 0; i < (int)leaf->slab.count; i++) {
        sc_vec3 v[3];
        sc_solid_facet(solid, sc_leaf_facet(leaf, i), v);
        const int corners = sc_facet_has_area(v) ? 3 : 0;
        for (int k = 0; k < corners; k++) {
            int at = 0;
            while (at < count && !sc_same(seen[at], v[k])) {
                at++;
            }
            if (at == count) {
                seen[count++] = v[k];
                look_at_vertex(l, v[k], &near);
            }
        }
    }
}

static bool is_spent(const looking *l)
{
    const sc_surface *surface = l->found.surface;
    return l->looks + (surface[0].visited + surface[1].visited) / SC_FACETS_A_LOOK >= l->most ||
           sc_watch_is_over(surface[0].solid->watch);
}

/* A node, which may be absent, and what is below it. */
static void look_at_node(looking *l, int level, uint32_t index, uint32_t near)
{
    const sc_deepest *d = &l->found;
    const sc_box own = sc_surface_node_box(&l->found.surface[1 - l->x], level, index);
    const sc_box box = sc_boxes_common(&own, &d->request->within);

    if (is_spent(l) || sc_box_is_empty(&own) || sc_box_is_empty(&box)) {
        return;
    }
    l->looks++;
    if (is_shallow(l, &box, &near) || d->surface[0].failed || d->surface[1].failed) {
        return;
    }
    if (level < 0) {
        look_at_leaf(l, index, near);
        return;
    }
    for (uint32_t i = 0; i < 8; i++) {
        look_at_node(l, level - 1, 8 * index + i, near);
    }
}

bool sc_depth_try_vertices(const sc_depth_request *request, uint64_t looks, sc_depth *depth)
{
    looking l = {.found = sc_deepest_make(request), .most = looks};
    sc_deepest *d = &l.found;
    d->best = depth->depth;
    if (depth->bound <= least_gain(&l)) {
        return true;
    }
    for (l.x = 0; l.x < 2; l.x++) {
        const sc_octree *tree = request->solid[1 - l.x]->tree;
        if (tree->levels > 0) {
            look_at_node(&l, tree->levels - 1, 0, UINT32_MAX);
        }
    }
    if (d->best > depth->depth) {
        sc_deepest_climb_up(d);
    }
    return sc_deepest_tell(d, depth);
}
