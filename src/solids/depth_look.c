/* depth_look.c - see depth_look.h. */
#include "depth_look.h"

#include "depth_proof.h"
#include "depth_region.h"

/* How much above the least the distance of a near facet may be: a part of the size of
 * what is looked at, or if that is more, of the error that the depth may have. Where
 * much of the surface is about as near (around the middle of a ball), more is dear. */
static const double rough = 0.25;

static sc_nearest near_of(sc_looker *l, sc_suspect *it, int x, sc_vec3 p, double radius,
                          double *least)
{
    double margin = l->found.surface[x].margin,
           enough = sc_deepest_limit(&l->found) - radius - margin;
    double floor = l->found.error * sc_deepest_limit(&l->found) * rough;
    sc_nearest n = sc_surface_nearest(&l->found.surface[x], p,
                                      (sc_seek){enough, radius * rough, rough, floor, it->near[x]});
    *least = n.distance - sc_max(sc_min(radius, n.distance) * rough, floor) - margin;
    it->near[x] = n.facet;
    return n;
}

static void keep(sc_looker *l, const sc_suspect *it)
{
    l->parts[l->count++] = *it;
}

/* Counts one look; false when none makes sense any more. */
static bool may_look(sc_looker *l)
{
    l->looked_at++;
    return !l->found.surface[0].failed && !l->found.surface[1].failed;
}

/* ---- pieces of surface, and nodes of them -------------------------------- */

static double box_radius(const sc_box *box)
{
    double x = box->high[0] - box->low[0], y = box->high[1] - box->low[1],
           z = box->high[2] - box->low[2];
    return 0.5 * sqrt(x * x + y * y + z * z) * (1.0 + 0x1p-48);
}

/* Whether what lies within `radius` of p is outside part x, all of it; notes in the
 * item if it is inside. */
static bool is_outside(sc_looker *l, sc_suspect *it, int x, sc_vec3 p, double radius,
                       double distance)
{
    if (it->inside[x] || !(distance > radius + l->found.surface[x].margin)) {
        return false;
    }
    it->inside[x] =
        sc_surface_contains(&l->found.surface[x], sc_surface_tidy(&l->found.surface[x], p));
    return !it->inside[x];
}

static sc_vec3 unit_normal(const sc_looker *l, int x, uint32_t facet)
{
    double error;
    sc_vec3 v[3];
    sc_solid_facet(l->found.surface[x].solid, facet, v);
    sc_vec3 n = sc_facet_normal(v, &error);
    double length = sc_length(n);
    return length > 0.0 ? sc_scale(n, 1.0 / length) : (sc_vec3){0.0, 0.0, 0.0};
}

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

static void look_at_node(sc_looker *l, sc_suspect *it, int x)
{
    it->box = sc_surface_node_box(&l->found.surface[1 - x], it->level, it->index);
    if (!may_look(l) || sc_box_is_empty(&it->box) ||
        !sc_boxes_meet(&it->box, &l->found.request->within)) {
        return;
    }
    sc_vec3 c = sc_box_centre(&it->box);
    double radius = box_radius(&it->box);
    double margin = l->found.surface[x].margin,
           enough = sc_deepest_limit(&l->found) - radius - margin;
    double clear = sc_max(enough, radius + 2.0 * margin),
           slack = l->found.error * sc_deepest_limit(&l->found) * rough;
    sc_nearest n = sc_surface_any(&l->found.surface[x], c, clear,
                                  (sc_seek){enough, slack, 0.0, 0.0, it->near[x]});
    it->near[x] = n.facet;
    it->bound = sc_min(it->bound, n.distance + radius + margin);
    if (!matters(l, it) || (n.distance > clear && is_outside(l, it, x, c, radius, clear))) {
        return;
    }
    double length = way_length(l);
    if (!(length > 0.0) || !(n.distance <= radius)) {
        keep(l, it);
        return;
    }
    sc_vec3 way[2] = {l->way[x], unit_normal(l, x, n.facet)};
    for (int i = 0; i < 2; i++) {
        if ((i == 0 || !same_way(way[0], way[1])) &&
            sc_depth_box_leaves(&l->found.surface[x], &it->box, sc_scale(way[i], length))) {
            l->way[x] = way[i];
            return;
        }
    }
    keep(l, it);
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
    sc_vec3 way[6] = {l->way[x], unit_normal(l, x, n->facet)}, sum = way[1];

    if (!(length > 0.0) || !(n->distance <= length + radius)) {
        return false;
    }
    for (int i = 0; i < 6; i++) {
        if (i >= 2 && i < 5) {
            sc_nearest at = sc_surface_nearest(
                surface, it->corner[i - 2], (sc_seek){0.0, radius * rough, rough, 0.0, n->facet});
            way[i] = unit_normal(l, x, at.facet);
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

static void look_at_piece(sc_looker *l, sc_suspect *it, int x)
{
    sc_box box = sc_box_empty();
    for (int k = 0; k < 3; k++) {
        sc_box_add_point(&box, it->corner[k]);
    }
    if (!may_look(l) || !sc_boxes_meet(&box, &l->found.request->within)) {
        return;
    }
    sc_vec3 c = sc_scale(sc_add(sc_add(it->corner[0], it->corner[1]), it->corner[2]), 1.0 / 3.0);
    double radius = piece_radius(it, c);
    double least;
    sc_nearest n = near_of(l, it, x, c, radius, &least);
    it->bound = sc_min(it->bound, n.distance + radius + l->found.surface[x].margin);
    if (!matters(l, it) || is_outside(l, it, x, c, radius, least) ||
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
                                sc_deepest_limit(&l->found))) {
        keep(l, it);
    }
}

/* In two across the longest edge. */
static void split_piece(sc_looker *l, const sc_suspect *it, int x)
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

static void split_leaf(sc_looker *l, const sc_suspect *it, int x)
{
    sc_solid *solid = l->found.surface[1 - x].solid;
    const sc_leaf *leaf = sc_octree_leaf(solid->tree, it->index);
    for (int i = 0; i < leaf->count; i++) {
        sc_suspect piece = *it;
        piece.kind = SC_SUSPECT_PIECE;
        piece.index = leaf->triangle[i];
        sc_solid_facet(solid, leaf->triangle[i], piece.corner);
        if (sc_facet_has_area(piece.corner)) {
            look_at_piece(l, &piece, x);
        }
    }
}

static void split_node(sc_looker *l, const sc_suspect *it, int x)
{
    for (uint32_t i = 0; i < 8; i++) {
        sc_suspect child = *it;
        child.level--;
        child.index = 8 * it->index + i;
        look_at_node(l, &child, x); /* which an absent one may be */
    }
}

/* ---- cells --------------------------------------------------------------- */

/* Whether no peak of the distance from part x in the cell is deeper than the limit. */
static bool cell_is_shallow(sc_looker *l, const sc_suspect *it, int x, const sc_nearest *n)
{
    sc_vec3 corner[8];
    double limit = sc_deepest_limit(&l->found);

    for (int k = 0; k < 8; k++) {
        corner[k] = (sc_vec3){k & 1 ? it->box.high[0] : it->box.low[0],
                              k & 2 ? it->box.high[1] : it->box.low[1],
                              k & 4 ? it->box.high[2] : it->box.low[2]};
    }
    if (sc_depth_facet_bound(&l->found.surface[x], n->facet, corner, 8) <= limit ||
        sc_depth_no_peak(&l->found.surface[x], &it->box, n)) {
        return true;
    }
    if (n->distance <= limit &&
        sc_depth_column_bound(&l->found.surface[x], &it->box, unit_normal(l, x, n->facet), limit,
                              SC_DEPTH_FACETS) <= limit) {
        return true;
    }
    return sc_depth_is_surrounded(&l->found.surface[x], corner, 8, sc_box_centre(&it->box), n,
                                  limit);
}

/* Whether walls of both parts, side by side, leave no deep point in the cell to what is common. */
static bool is_common_shallow(sc_looker *l, const sc_suspect *it, double radius,
                              const sc_nearest n[2])
{
    static const double least_cosine = 0.5;
    for (int x = 0; x < 2; x++) {
        if (it->near[x] == UINT32_MAX || it->inside[x] || !(n[x].distance <= radius)) {
            return false;
        }
    }
    const sc_vec3 a = unit_normal(l, 0, it->near[0]), b = unit_normal(l, 1, it->near[1]);
    const double cosine = sc_dot(a, b);
    const sc_vec3 sum = cosine < 0.0 ? sc_sub(a, b) : sc_add(a, b);
    return fabs(cosine) >= least_cosine &&
           sc_depth_common_column(l->found.surface, &it->box, sc_scale(sum, 1.0 / sc_length(sum)),
                                  sc_deepest_limit(&l->found));
}

static void try_cell_centre(sc_looker *l, const sc_suspect *it, sc_vec3 c, const sc_nearest n[2])
{
    for (int x = 0; x < 2; x++) {
        if (!it->depth_of[x] || !(n[x].distance > l->found.best)) {
            continue;
        }
        double depth = sc_deepest_at(&l->found, x, c, n[x].facet, l->found.fine, l->found.best);
        bool common = depth > l->found.best;
        for (int i = 0; i < 2 && common; i++) {
            common = it->inside[i] || sc_surface_contains(&l->found.surface[i], c);
        }
        if (common) {
            sc_deepest_improve(&l->found, c, x, depth);
        }
    }
}

/* Whether all of the cell is outside part x, whose distance does not matter. */
static bool is_clear_outside(sc_looker *l, sc_suspect *it, int x, sc_vec3 c, double radius)
{
    double clear = radius + 2.0 * l->found.surface[x].margin;
    if (it->inside[x]) {
        return false;
    }
    sc_nearest n = sc_surface_any(&l->found.surface[x], c, clear, (sc_seek){.hint = it->near[x]});
    it->near[x] = n.facet;
    return n.distance > clear && is_outside(l, it, x, c, radius, clear);
}

static void look_at_cell(sc_looker *l, sc_suspect *it)
{
    sc_vec3 c = sc_surface_tidy(&l->found.surface[0], sc_box_centre(&it->box));
    double radius = box_radius(&it->box), most[2] = {0.0, 0.0};
    sc_nearest n[2] = {{.distance = 0.0}, {.distance = 0.0}};

    if (!may_look(l)) {
        return;
    }
    for (int x = 0; x < 2; x++) {
        if (!it->depth_of[x]) {
            continue;
        }
        double least;
        n[x] = near_of(l, it, x, c, radius, &least);
        most[x] = n[x].distance + radius + l->found.surface[x].margin;
        it->depth_of[x] = most[x] > sc_deepest_limit(&l->found);
        if (it->depth_of[x] &&
            (is_outside(l, it, x, c, radius, least) ||
             (n[x].distance > radius && is_clear_outside(l, it, x, c, radius)))) {
            return; /* `least` is but rough */
        }
    }
    if (!it->depth_of[0] && !it->depth_of[1]) {
        return;
    }
    for (int x = 0; x < 2; x++) {
        if (!it->depth_of[x] && is_clear_outside(l, it, x, c, radius)) {
            return;
        }
    }
    try_cell_centre(l, it, c, n);
    double bound = 0.0;
    for (int x = 0; x < 2; x++) {
        it->depth_of[x] = it->depth_of[x] && most[x] > sc_deepest_limit(&l->found) &&
                          !cell_is_shallow(l, it, x, &n[x]);
        bound = it->depth_of[x] ? sc_max(bound, most[x]) : bound;
    }
    it->bound = sc_min(it->bound, bound);
    if (bound > 0.0 && !is_common_shallow(l, it, radius, n) &&
        !sc_depth_region_lacks_cell(l->found.request, l->found.surface, it->near, c, radius)) {
        keep(l, it);
    }
}

/* In two along each side that is more than half as long as the longest. */
static void split_cell(sc_looker *l, const sc_suspect *it)
{
    double extent[3], longest = 0.0;
    int sides = 0;

    for (int k = 0; k < 3; k++) {
        extent[k] = it->box.high[k] - it->box.low[k];
        longest = sc_max(longest, extent[k]);
    }
    for (int k = 0; k < 3; k++) {
        sides |= (extent[k] > 0.5 * longest) << k;
    }
    for (int part = 0; part < 8; part++) {
        if (part & ~sides) {
            continue;
        }
        sc_suspect cell = *it;
        for (int k = 0; k < 3; k++) {
            double middle = 0.5 * (it->box.low[k] + it->box.high[k]);
            if (sides >> k & 1) {
                *(part >> k & 1 ? &cell.box.low[k] : &cell.box.high[k]) = middle;
            }
        }
        look_at_cell(l, &cell);
    }
}

/* ---- all of it, and one of its parts --------------------------------------- */

/* Whether part x as a whole is no thicker than the limit allows: bars and plates. */
static bool is_thin(sc_looker *l, int x, uint32_t facet)
{
    return facet != UINT32_MAX &&
           sc_depth_column_bound(&l->found.surface[x], &l->found.request->within,
                                 unit_normal(l, x, facet), sc_deepest_limit(&l->found),
                                 0) <= sc_deepest_limit(&l->found);
}

void sc_look_at_all(sc_looker *l, sc_crew *crew)
{
    sc_deepest_start(&l->found, crew);
    if (sc_deepest_beaten(&l->found)) {
        return;
    }
    const sc_depth *all = l->found.request->regions ? l->found.request->all : NULL;
    double bound = all ? all->bound : INFINITY; /* no region is deeper than all of them */
    if (bound <= sc_deepest_limit(&l->found)) {
        return;
    }
    sc_suspect cell = {.bound = bound,
                       .kind = SC_SUSPECT_CELL,
                       .depth_of = {true, true},
                       .near = {UINT32_MAX, UINT32_MAX},
                       .box = l->found.request->within};
    look_at_cell(l, &cell);
    for (int x = 0; x < 2; x++) {
        if (is_thin(l, x, cell.near[x])) {
            continue;
        }
        sc_suspect root = {.bound = bound,
                           .kind = SC_SUSPECT_NODE,
                           .near = {UINT32_MAX, UINT32_MAX},
                           .level = l->found.surface[1 - x].solid->tree->levels - 1};
        root.depth_of[x] = true;
        if (root.level >= 0) {
            look_at_node(l, &root, x);
        }
    }
}

void sc_look_closer(sc_looker *l)
{
    const sc_suspect *it = &l->suspect;
    int x = it->depth_of[1];

    if (it->kind == SC_SUSPECT_CELL) {
        split_cell(l, it);
    } else if (it->kind == SC_SUSPECT_PIECE) {
        split_piece(l, it, x);
    } else if (it->level < 0) {
        split_leaf(l, it, x);
    } else {
        split_node(l, it, x);
    }
}
