/* depth_look_surface.c - looks at pieces of the surface of the other part, and at nodes of its
 * octree: whether they lie deep in part x. */
#include "depth_look_at.h"

#include "depth_proof.h"
#include "depth_region.h"

/* How far a way out may lead, with the rounding of its end. */
static double way_length(const sc_looker *l)
{
    return sc_deepest_limit(&l->found) - 2.0 * l->found.surface[0].margin;
}

static bool same_way(sc_vec3 a, sc_vec3 b)
{
    return sc_dot(a, b) > 1.0 - 0x1p-40;
}

static bool matters(const sc_looker *l, const sc_suspect *it)
{
    return it->bound > sc_deepest_limit(&l->found);
}

void sc_look_at_node(sc_looker *l, sc_suspect *it, int x)
{
    it->box = sc_surface_node_box(&l->found.surface[1 - x], it->level, it->index);
    if (!sc_look_may(l) || sc_box_is_empty(&it->box) ||
        !sc_boxes_meet(&it->box, &l->found.request->within)) {
        return;
    }
    sc_vec3 c = sc_box_centre(&it->box);
    double radius = sc_box_radius(&it->box);
    double margin = l->found.surface[x].margin,
           enough = sc_deepest_limit(&l->found) - radius - margin;
    double clear = sc_max(enough, radius + 2.0 * margin),
           slack = l->found.error * sc_deepest_limit(&l->found) * SC_LOOK_ROUGH;
    sc_nearest n = sc_surface_any(&l->found.surface[x], c, clear,
                                  (sc_seek){enough, slack, 0.0, 0.0, it->near[x]});
    it->near[x] = n.facet;
    it->bound = sc_min(it->bound, n.distance + radius + margin);
    if (!matters(l, it) || (n.distance > clear && sc_look_is_outside(l, it, x, c, radius, clear))) {
        return;
    }
    double length = way_length(l);
    if (!(length > 0.0) || !(n.distance <= radius)) {
        sc_look_keep(l, it);
        return;
    }
    sc_vec3 way[2] = {l->way[x], sc_look_normal(l, x, n.facet)};
    for (int i = 0; i < 2; i++) {
        if ((i == 0 || !same_way(way[0], way[1])) &&
            sc_depth_box_leaves(&l->found.surface[x], &it->box, sc_scale(way[i], length))) {
            l->way[x] = way[i];
            return;
        }
    }
    sc_look_keep(l, it);
}

/* A point of the surface of the other part that may be deeper than the best. */
static void try_surface_point(sc_looker *l, const sc_suspect *it, int x, sc_vec3 p, uint32_t hint)
{
    double depth = sc_deepest_within(&l->found, p)
                       ? sc_deepest_at(&l->found, x, p, hint, l->found.fine, l->found.best)
                       : 0.0;
    if (depth > l->found.best &&
        (it->inside[x] ||
         sc_surface_contains(&l->found.surface[x], sc_surface_tidy(&l->found.surface[x], p)))) {
        sc_deepest_improve(&l->found, p, x, depth);
    }
}

static double piece_radius(const sc_suspect *it, sc_vec3 c)
{
    double most = 0.0;
    for (int k = 0; k < 3; k++) {
        sc_vec3 to = sc_sub(it->corner[k], c);
        most = sc_max(most, sc_dot(to, to));
    }
    return sqrt(most) * (1.0 + 0x1p-48);
}

/* Whether the piece leaves the part: along the way that the last one took, along the
 * normals of the facets nearest to its centre and corners, or along their mean. */
static bool piece_leaves(sc_looker *l, sc_suspect *it, int x, const sc_nearest *n, double radius)
{
    double length = way_length(l);
    sc_surface *surface = &l->found.surface[x];
    sc_vec3 way[6] = {l->way[x], sc_look_normal(l, x, n->facet)}, sum = way[1];

    if (!(length > 0.0) || !(n->distance <= length + radius)) {
        return false;
    }
    for (int i = 0; i < 6; i++) {
        if (i >= 2 && i < 5) {
            sc_nearest at = sc_surface_nearest(
                surface, it->corner[i - 2],
                (sc_seek){0.0, radius * SC_LOOK_ROUGH, SC_LOOK_ROUGH, 0.0, n->facet});
            way[i] = sc_look_normal(l, x, at.facet);
            sum = sc_add(sum, way[i]);
        } else if (i == 5) {
            double size = sc_length(sum);
            way[i] = sc_scale(sum, size > 0.25 ? 1.0 / size : 0.0);
        }
        bool tried = sc_dot(way[i], way[i]) == 0.0;
        for (int j = 0; j < i; j++) {
            tried = tried || same_way(way[i], way[j]);
        }
        if (!tried && sc_depth_triangle_leaves(surface, it->corner, sc_scale(way[i], length))) {
            l->way[x] = way[i];
            return true;
        }
    }
    return false;
}

/* The corner that the nearest facet lets lie deepest is looked at itself: where the
 * surfaces are flat it is the deepest point. */
static void try_corner(sc_looker *l, const sc_suspect *it, int x, uint32_t facet)
{
    int deepest = 0;
    double most = -1.0;
    for (int k = 0; k < 3; k++) {
        double d = sc_depth_facet_bound(&l->found.surface[x], facet, &it->corner[k], 1);
        if (d > most) {
            most = d;
            deepest = k;
        }
    }
    if (most > l->found.best) {
        try_surface_point(l, it, x, it->corner[deepest], facet);
    }
}

/* As flat as a piece. */
static sc_brick brick_about(const sc_suspect *it)
{
    const sc_vec3 side[2] = {sc_sub(it->corner[1], it->corner[0]),
                             sc_sub(it->corner[2], it->corner[0])};
    sc_brick brick = {.centre = it->corner[0]};
    sc_vec3 axis[3] = {sc_unit(side[0])};
    axis[2] = sc_unit(sc_cross(side[0], side[1]));
    axis[1] = sc_cross(axis[2], axis[0]);
    for (int k = 0; k < 3; k++) {
        const double a = sc_dot(side[0], axis[k]), b = sc_dot(side[1], axis[k]);
        const double low = sc_min(0.0, sc_min(a, b)), high = sc_max(0.0, sc_max(a, b));
        brick.centre = sc_mul_add(brick.centre, 0.5 * (low + high), axis[k]);
        brick.arm[k] = sc_scale(axis[k], 0.5 * (high - low));
    }
    return brick;
}

/* Whether what bounds the region that is asked for keeps what is near a piece from being deep. */
static bool region_is_shallow(sc_looker *l, const sc_suspect *it, int x)
{
    if (!l->found.request->regions) {
        return false;
    }
    const sc_brick brick = brick_about(it);
    return sc_depth_region_is_shallow(l->found.request, l->found.surface, x, &brick,
                                      sc_deepest_limit(&l->found));
}

static void look_at_piece(sc_looker *l, sc_suspect *it, int x)
{
    sc_box box = sc_box_empty();
    for (int k = 0; k < 3; k++) {
        sc_box_add_point(&box, it->corner[k]);
    }
    if (!sc_look_may(l) || !sc_boxes_meet(&box, &l->found.request->within)) {
        return;
    }
    sc_vec3 c = sc_triangle_middle(it->corner);
    double radius = piece_radius(it, c);
    double least;
    sc_nearest n = sc_look_near(l, it, x, c, radius, radius, &least);
    it->bound = sc_min(it->bound, n.distance + radius + l->found.surface[x].margin);
    if (!matters(l, it) || sc_look_is_outside(l, it, x, c, radius, least) ||
        sc_depth_region_lacks_facet(l->found.request, 1 - x, it->index, c,
                                    least > radius ? 0.0 : radius)) {
        return;
    }
    it->bound =
        sc_min(it->bound, sc_depth_facet_bound(&l->found.surface[x], n.facet, it->corner, 3));
    if (n.distance > l->found.best) {
        try_surface_point(l, it, x, c, n.facet);
    }
    if (!matters(l, it)) {
        return;
    }
    try_corner(l, it, x, n.facet);
    if (matters(l, it) && !piece_leaves(l, it, x, &n, radius) &&
        !sc_depth_is_surrounded(&l->found.surface[x], it->corner, 3, c, &n,
                                sc_deepest_limit(&l->found)) &&
        !region_is_shallow(l, it, x)) {
        sc_look_keep(l, it);
    }
}

/* In two across the longest edge. */
void sc_look_split_piece(sc_looker *l, const sc_suspect *it, int x)
{
    int longest = 0;
    double most = -1.0;
    for (int k = 0; k < 3; k++) {
        sc_vec3 edge = sc_sub(it->corner[(k + 1) % 3], it->corner[k]);
        if (sc_dot(edge, edge) > most) {
            most = sc_dot(edge, edge);
            longest = k;
        }
    }
    int next = (longest + 1) % 3;
    sc_vec3 middle = sc_scale(sc_add(it->corner[longest], it->corner[next]), 0.5);
    middle = sc_surface_tidy(&l->found.surface[x], middle);
    for (int half = 0; half < 2; half++) {
        sc_suspect part = *it;
        part.corner[half ? longest : next] = middle;
        look_at_piece(l, &part, x);
    }
}

void sc_look_split_leaf(sc_looker *l, const sc_suspect *it, int x)
{
    sc_solid *solid = l->found.surface[1 - x].solid;
    const sc_leaf *leaf = sc_octree_leaf(solid->tree, it->index);
    for (int i = 0; i < (int)leaf->slab.count; i++) {
        sc_suspect piece = *it;
        piece.kind = SC_SUSPECT_PIECE;
        piece.index = sc_leaf_facet(leaf, i);
        sc_solid_facet(solid, piece.index, piece.corner);
        if (sc_facet_has_area(piece.corner)) {
            look_at_piece(l, &piece, x);
        }
    }
}

void sc_look_split_node(sc_looker *l, const sc_suspect *it, int x)
{
    for (uint32_t i = 0; i < 8; i++) {
        sc_suspect child = *it;
        child.level--;
        child.index = 8 * it->index + i;
        sc_look_at_node(l, &child, x); /* which an absent one may be */
    }
}
