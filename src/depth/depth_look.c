/* depth_look.c - see depth_look.h. */
#include "depth_look_at.h"

#include "depth_proof.h"

/* ---- what looks at surface and at cells share ---------------------------------- */

sc_nearest sc_look_near(sc_looker *l, sc_suspect *it, int x, sc_vec3 p, double radius,
                        double *least)
{
    double margin = l->found.surface[x].margin,
           enough = sc_deepest_limit(&l->found) - radius - margin;
    double floor = l->found.error * sc_deepest_limit(&l->found) * SC_LOOK_ROUGH;
    sc_nearest n = sc_surface_nearest(
        &l->found.surface[x], p,
        (sc_seek){enough, radius * SC_LOOK_ROUGH, SC_LOOK_ROUGH, floor, it->near[x]});
    *least = n.distance - sc_max(sc_min(radius, n.distance) * SC_LOOK_ROUGH, floor) - margin;
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

double sc_look_radius(const sc_box *box)
{
    double x = box->high[0] - box->low[0], y = box->high[1] - box->low[1],
           z = box->high[2] - box->low[2];
    return 0.5 * sqrt(x * x + y * y + z * z) * (1.0 + 0x1p-48);
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

/* ---- all of it, and one of its parts --------------------------------------- */

/* Whether part x as a whole is no thicker than the limit allows: bars and plates. */
static bool is_thin(sc_looker *l, int x, uint32_t facet)
{
    return facet != UINT32_MAX &&
           sc_depth_column_bound(&l->found.surface[x], &l->found.request->within,
                                 sc_look_normal(l, x, facet), sc_deepest_limit(&l->found),
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
    sc_look_at_cell(l, &cell);
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
