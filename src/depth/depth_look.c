/* depth_look.c - see depth_look.h. */
#include "depth_look_at.h"

#include "depth_proof.h"

/* ---- what looks at surface and at cells share ---------------------------------- */

sc_nearest sc_look_near(sc_looker *l, sc_suspect *it, int x, sc_vec3 p, double radius, double wide,
                        double *least)
{
    double margin = l->found.surface[x].margin,
           enough = sc_deepest_limit(&l->found) - radius - margin;
    double floor = l->found.error * sc_deepest_limit(&l->found) * SC_LOOK_ROUGH;
    sc_nearest n = sc_surface_nearest(
        &l->found.surface[x], p,
        (sc_seek){enough, wide * SC_LOOK_ROUGH, SC_LOOK_ROUGH, floor, it->near[x]});
    *least = n.distance - sc_max(sc_min(wide, n.distance) * SC_LOOK_ROUGH, floor) - margin;
    it->near[x] = n.facet;
    return n;
}

void sc_look_keep(sc_looker *l, const sc_suspect *it)
{
    l->parts[l->count++] = *it;
}

bool sc_look_may(sc_looker *l)
{
    l->looked_at++;
    return !l->found.surface[0].failed && !l->found.surface[1].failed;
}

bool sc_look_is_outside(sc_looker *l, sc_suspect *it, int x, sc_vec3 p, double radius,
                        double distance)
{
    if (it->inside[x] || !(distance > radius + l->found.surface[x].margin)) {
        return false;
    }
    it->inside[x] =
        sc_surface_contains(&l->found.surface[x], sc_surface_tidy(&l->found.surface[x], p));
    return !it->inside[x];
}

sc_vec3 sc_look_normal(const sc_looker *l, int x, uint32_t facet)
{
    double error;
    sc_vec3 v[3];
    sc_solid_facet(l->found.surface[x].solid, facet, v);
    sc_vec3 n = sc_facet_normal(v, &error);
    return sc_length(n) > 0.0 ? sc_unit(n) : (sc_vec3){0.0, 0.0, 0.0};
}

bool sc_look_across(sc_vec3 a, sc_vec3 b, sc_vec3 *across)
{
    static const double least_cosine = 0.5;
    const double cosine = sc_dot(a, b);
    const sc_vec3 sum = cosine < 0.0 ? sc_sub(a, b) : sc_add(a, b);
    *across = sc_unit(sum);
    return fabs(cosine) >= least_cosine;
}

/* ---- all of it, and one of its parts --------------------------------------- */

/* Of a facet about nearest to p; zero: not known. */
static sc_vec3 normal_near(sc_looker *l, int x, sc_vec3 p)
{
    const sc_seek about = {0.0, INFINITY, SC_LOOK_ROUGH, 0.0, UINT32_MAX};
    const uint32_t near = sc_surface_nearest(&l->found.surface[x], p, about).facet;
    return near == UINT32_MAX ? (sc_vec3){0.0, 0.0, 0.0} : sc_look_normal(l, x, near);
}

/* The sum of the areas of what faces about the same way. */
typedef struct facing {
    sc_vec3 way, sum;
    int facets;
} facing;

static bool add_area(void *context, uint32_t facet, const sc_vec3 v[3])
{
    enum { ENOUGH = 1 << 16 };
    static const double least_cosine = 0.95;
    facing *f = context;
    const sc_vec3 area = sc_area_twice(v);
    (void)facet;
    if (sc_dot(area, f->way) >= least_cosine * sc_length(area)) {
        f->sum = sc_add(f->sum, area);
    }
    return ++f->facets < ENOUGH;
}

/* How the wall near p faces in all that matters: of slivers, which rounding turns, none tells as
 * well. Zero: not known. */
static sc_vec3 way_of_wall(sc_looker *l, int x, sc_vec3 p)
{
    facing f = {.way = normal_near(l, x, p)};
    const sc_walk walk = {.within = l->found.request->within, .facet = add_area, .context = &f};
    sc_surface_walk(&l->found.surface[x], &walk);
    return sc_length(f.sum) > 0.0 ? sc_unit(f.sum) : f.way;
}

/* Whether part x as a whole is no thicker that way than the limit allows: bars and plates. */
static bool is_thin(sc_looker *l, int x, sc_vec3 way)
{
    const sc_brick all = sc_brick_of_box(&l->found.request->within);
    return sc_dot(way, way) > 0.0 &&
           sc_depth_column_bound(&l->found.surface[x], &all, way, sc_deepest_limit(&l->found), 0) <=
               sc_deepest_limit(&l->found);
}

/* Whether all that is common is no thicker than that: ends that are pushed into each other. */
static bool is_common_thin(sc_looker *l, const sc_vec3 way[2])
{
    const sc_brick all = sc_brick_of_box(&l->found.request->within);
    sc_vec3 across;
    return sc_look_across(way[0], way[1], &across) &&
           sc_depth_common_column(l->found.surface, &all, across, sc_deepest_limit(&l->found), 0);
}

void sc_look_at_whole(sc_looker *l, bool depth_of[2])
{
    const sc_vec3 place[2] = {sc_box_centre(&l->found.request->within), l->found.point};
    depth_of[0] = depth_of[1] = true;
    for (int i = 0; i < (l->found.best > 0.0 ? 2 : 1) && (depth_of[0] || depth_of[1]); i++) {
        const sc_vec3 way[2] = {way_of_wall(l, 0, place[i]), way_of_wall(l, 1, place[i])};
        const bool is_shallow = is_common_thin(l, way);
        for (int x = 0; x < 2; x++) {
            depth_of[x] = depth_of[x] && !is_shallow && !is_thin(l, x, way[x]);
        }
    }
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
    l->axes = sc_depth_axes_find(l->found.surface, &l->found.request->within);
    sc_suspect cell = {.bound = bound,
                       .kind = SC_SUSPECT_CELL,
                       .near = {UINT32_MAX, UINT32_MAX},
                       .box = sc_depth_axes_box(&l->axes, &l->found.request->within)};
    bool depth_of[2];
    for (int x = 0; x < 2; x++) {
        depth_of[x] = !is_thin(l, x, normal_near(l, x, sc_box_centre(&l->found.request->within)));
        cell.depth_of[x] = depth_of[x];
    }
    sc_look_at_cell(l, &cell);
    for (int x = 0; x < 2; x++) {
        sc_suspect root = {.bound = bound,
                           .kind = SC_SUSPECT_NODE,
                           .near = {UINT32_MAX, UINT32_MAX},
                           .level = l->found.surface[1 - x].solid->tree->levels - 1};
        root.depth_of[x] = true;
        if (depth_of[x] && root.level >= 0) {
            sc_look_at_node(l, &root, x);
        }
    }
}

void sc_look_closer(sc_looker *l)
{
    const sc_suspect *it = &l->suspect;
    int x = it->depth_of[1];

    if (it->kind == SC_SUSPECT_CELL) {
        sc_look_split_cell(l, it);
    } else if (it->kind == SC_SUSPECT_PIECE) {
        sc_look_split_piece(l, it, x);
    } else if (it->level < 0) {
        sc_look_split_leaf(l, it, x);
    } else {
        sc_look_split_node(l, it, x);
    }
}
