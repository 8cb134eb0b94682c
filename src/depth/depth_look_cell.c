/* depth_look_cell.c - looks at cells of space: whether the distance from a surface has a deep peak
 * in them. */
#include "depth_look_at.h"

#include "depth_proof.h"
#include "depth_region.h"

/* Whether no peak of the distance from part x in the cell is deeper than the limit: the proof that
 * costs least first. */
static bool cell_is_shallow(sc_looker *l, const sc_brick *brick, int x, const sc_nearest *n,
                            const sc_vec3 corner[8], double most)
{
    const double limit = sc_deepest_limit(&l->found);
    sc_surface *surface = &l->found.surface[x];

    return sc_depth_is_surrounded(surface, corner, 8, brick->centre, n, limit) ||
           (n->distance <= limit &&
            sc_depth_column_bound(surface, brick, sc_look_normal(l, x, n->facet), limit,
                                  SC_DEPTH_FACETS) <= limit) ||
           sc_depth_no_peak(surface, brick, n, most);
}

/* Between walls of both parts nothing else shows it before cells are smaller than what is common is
 * thick. */
enum { FACETS_OF_BOTH = 4 * SC_DEPTH_FACETS };

/* Whether walls of both parts, side by side, leave no deep point in the cell to what is common. */
static bool is_common_shallow(sc_looker *l, const sc_suspect *it, const sc_brick *brick,
                              double radius, const sc_nearest n[2])
{
    sc_vec3 across;
    for (int x = 0; x < 2; x++) {
        if (it->near[x] == UINT32_MAX || it->inside[x] || !(n[x].distance <= radius)) {
            return false;
        }
    }
    return sc_look_across(sc_look_normal(l, 0, it->near[0]), sc_look_normal(l, 1, it->near[1]),
                          &across) &&
           sc_depth_common_column(l->found.surface, brick, across, sc_deepest_limit(&l->found),
                                  FACETS_OF_BOTH);
}

/* Whether the region that is asked for may be deep in the cell; sorts out in which part. */
static bool is_region_deep(sc_looker *l, sc_suspect *it, const sc_brick *brick)
{
    for (int x = 0; x < 2; x++) {
        it->depth_of[x] =
            it->depth_of[x] && !sc_depth_region_is_shallow(l->found.request, l->found.surface, x,
                                                           brick, sc_deepest_limit(&l->found));
    }
    return it->depth_of[0] || it->depth_of[1];
}

static void try_cell_centre(sc_looker *l, const sc_suspect *it, sc_vec3 c, const sc_nearest n[2])
{
    for (int x = 0; x < 2 && sc_deepest_within(&l->found, c); x++) {
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

/* Whether all of a cell that is long lies outside part x, though its surface is not far. */
static bool is_long_outside(sc_looker *l, sc_suspect *it, int x, const sc_brick *brick)
{
    if (it->inside[x] || !sc_brick_is_long(brick) ||
        !sc_depth_is_clear(&l->found.surface[x], brick)) {
        return false;
    }
    it->inside[x] = sc_surface_contains(&l->found.surface[x],
                                        sc_surface_tidy(&l->found.surface[x], brick->centre));
    return !it->inside[x];
}

/* Whether all of the cell is outside part x, whose distance does not matter. */
static bool is_clear_outside(sc_looker *l, sc_suspect *it, int x, const sc_brick *brick, sc_vec3 c,
                             double radius)
{
    double clear = radius + 2.0 * l->found.surface[x].margin;
    if (it->inside[x]) {
        return false;
    }
    sc_nearest n = sc_surface_any(&l->found.surface[x], c, clear, (sc_seek){.hint = it->near[x]});
    it->near[x] = n.facet;
    return n.distance > clear ? sc_look_is_outside(l, it, x, c, radius, clear)
                              : is_long_outside(l, it, x, brick);
}

/* Whether all of the cell is outside part x, whose surface is that far from the centre. */
static bool is_outside(sc_looker *l, sc_suspect *it, int x, const sc_brick *brick, sc_vec3 c,
                       double radius, double distance, double least)
{
    if (sc_look_is_outside(l, it, x, c, radius, least)) {
        return true;
    }
    return distance > radius ? is_clear_outside(l, it, x, brick, c, radius) /* `least` is rough */
                             : is_long_outside(l, it, x, brick);
}

void sc_look_at_cell(sc_looker *l, sc_suspect *it)
{
    const sc_brick brick = sc_depth_axes_brick(&l->axes, &it->box);
    const sc_box around = sc_brick_box(&brick);
    sc_vec3 c = sc_surface_tidy(&l->found.surface[0], brick.centre), corner[8];
    double radius = sc_brick_radius(&brick), wide = sc_brick_least_radius(&brick);
    double most[2] = {0.0, 0.0};
    sc_nearest n[2] = {{.distance = 0.0}, {.distance = 0.0}};

    if (!sc_look_may(l) || !sc_boxes_meet(&around, &l->found.request->within)) {
        return;
    }
    for (int k = 0; k < 8; k++) {
        corner[k] = sc_brick_corner(&brick, k);
    }
    for (int x = 0; x < 2; x++) {
        if (!it->depth_of[x]) {
            continue;
        }
        double least;
        n[x] = sc_look_near(l, it, x, c, radius, wide, &least);
        most[x] = sc_min(n[x].distance + radius + l->found.surface[x].margin,
                         sc_depth_facet_bound(&l->found.surface[x], n[x].facet, corner, 8));
        it->depth_of[x] = most[x] > sc_deepest_limit(&l->found);
        if (it->depth_of[x] && is_outside(l, it, x, &brick, c, radius, n[x].distance, least)) {
            return;
        }
    }
    if (!it->depth_of[0] && !it->depth_of[1]) {
        return;
    }
    for (int x = 0; x < 2; x++) {
        if (!it->depth_of[x] && is_clear_outside(l, it, x, &brick, c, radius)) {
            return;
        }
    }
    try_cell_centre(l, it, c, n);
    double bound = 0.0;
    for (int x = 0; x < 2; x++) {
        it->depth_of[x] = it->depth_of[x] && most[x] > sc_deepest_limit(&l->found) &&
                          !cell_is_shallow(l, &brick, x, &n[x], corner, most[x]);
        bound = it->depth_of[x] ? sc_max(bound, most[x]) : bound;
    }
    it->bound = sc_min(it->bound, bound);
    if (bound > 0.0 && !is_common_shallow(l, it, &brick, radius, n) &&
        !sc_depth_region_lacks_cell(l->found.request, l->found.surface, it->near, c, radius) &&
        is_region_deep(l, it, &brick)) {
        sc_look_keep(l, it);
    }
}

/* How many times longer than wide a cell may become: as much as the facet near it is, since wide
 * walls may face fine ones. As long as an eighth of what that facet is wide, too, where dividing
 * across drops parts: beside an edge, say, what is common may be thin and as long as that. */
static double most_slender(const sc_looker *l, const sc_suspect *it)
{
    static const double least = 4.0, most = 1024.0, share = 0.125;
    double slender = most, thin = INFINITY;
    for (int k = 0; k < 3; k++) {
        thin = sc_min(thin, it->box.high[k] - it->box.low[k]);
    }
    for (int x = 0; x < 2; x++) {
        sc_vec3 v[3];
        double longest = 0.0;
        if (!it->depth_of[x] || it->near[x] == UINT32_MAX) {
            continue;
        }
        sc_solid_facet(l->found.surface[x].solid, it->near[x], v);
        for (int k = 0; k < 3; k++) {
            const sc_vec3 edge = sc_sub(v[(k + 1) % 3], v[k]);
            longest = sc_max(longest, sc_dot(edge, edge));
        }
        const double area = sc_length(sc_area_twice(v));
        const double along = it->stubborn ? 0.0 : share * area / (sqrt(longest) * thin);
        slender = sc_min(slender, sc_max(longest / area, along));
    }
    return sc_max(slender, least);
}

/* Which sides are to be halved: those where that lessens the distance from a near facet most. Along
 * a wall that is longer than the cell it does not change, and a cell may be long there; but not
 * without end. */
static int sides_to_halve(const sc_looker *l, const sc_suspect *it)
{
    const double least = 1.0 / most_slender(l, it);
    const sc_brick brick = sc_depth_axes_brick(&l->axes, &it->box);
    double gain[3], most = 0.0;
    int sides = 0;
    for (int k = 0; k < 3; k++) {
        gain[k] = least * (it->box.high[k] - it->box.low[k]);
    }
    for (int x = 0; x < 2; x++) {
        for (int i = 0; i < 8 && it->depth_of[x] && it->near[x] != UINT32_MAX; i++) {
            const sc_vec3 corner = sc_brick_corner(&brick, i);
            const sc_surface *surface = &l->found.surface[x];
            const double distance = sc_depth_facet_bound(surface, it->near[x], &corner, 1);
            for (int k = 0; k < 3; k++) {
                const sc_vec3 half = sc_mul_add(corner, i >> k & 1 ? -1.0 : 1.0, brick.arm[k]);
                gain[k] = sc_max(gain[k],
                                 distance - sc_depth_facet_bound(surface, it->near[x], &half, 1));
            }
        }
    }
    for (int k = 0; k < 3; k++) {
        most = sc_max(most, gain[k]);
    }
    for (int k = 0; k < 3; k++) {
        sides |= (gain[k] > 0.5 * most) << k;
    }
    return sides;
}

/* In two along each of those. */
void sc_look_split_cell(sc_looker *l, const sc_suspect *it)
{
    const int sides = sides_to_halve(l, it), before = l->count;
    int parts = 0;
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
        sc_look_at_cell(l, &cell);
        parts++;
    }
    for (int i = before; i < l->count; i++) {
        l->parts[i].stubborn = l->count - before == parts;
    }
}
