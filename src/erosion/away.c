/* away.c - see away.h. */
#include "away.h"

#include "stretches.h"

/* What a way is along another at least that leads the same way: less may be rounding, as beside a
 * facet in whose plane it begins. */
static const double clearly = 0.25;

/* A distance up to here is that of a point in the surface. */
static double clear_of(double limit)
{
    return 0x1p-20 * limit;
}

/* From the point nearest to p; unit, or zero. Where p is in the surface, how that faces. */
static sc_vec3 outwards(const sc_surface *other, sc_vec3 p, const sc_nearest *nearest, bool inside,
                        double limit)
{
    if (nearest->distance > clear_of(limit)) {
        const sc_vec3 way = sc_unit_or_zero(sc_sub(p, nearest->point));
        return inside ? sc_scale(way, -1.0) : way;
    }
    sc_vec3 v[3];
    sc_solid_facet(other->solid, nearest->facet, v);
    return sc_unit_or_zero(sc_area_twice(v));
}

/* The shortest way out of the other part from a point in it that is one back from the part's own
 * facets there, too. */
typedef struct way_out {
    sc_vec3 p, back;
    double clear; /* from here on a distance has a direction */
    double length;
    sc_vec3 way; /* unit */
} way_out;

static bool take_shorter(void *context, uint32_t facet, const sc_vec3 v[3])
{
    way_out *w = context;
    sc_vec3 on;
    const double distance = sc_facet_distance(w->p, v, &on);
    const sc_vec3 normal = sc_unit_or_zero(sc_area_twice(v));
    const sc_vec3 way = distance > w->clear ? sc_unit_or_zero(sc_sub(on, w->p)) : normal;
    (void)facet;
    if (distance < w->length && sc_dot(way, normal) > clearly && sc_dot(way, w->back) > clearly) {
        w->length = distance;
        w->way = way;
    }
    return true;
}

/* Else as it is given. */
static sc_vec3 way_out_back(sc_surface *other, sc_vec3 p, sc_vec3 back, sc_vec3 way, double limit)
{
    way_out w = {.p = p, .back = back, .clear = clear_of(limit), .length = limit, .way = way};
    const sc_box point = sc_box_of_points(&p, 1);
    const sc_walk walk = {
        .within = sc_box_grown(&point, limit), .facet = take_shorter, .context = &w};
    sc_surface_walk(other, &walk);
    return w.way;
}

/* `back`: from the part's own facets, or NULL. Where the nearest way out of the other part leads
 * out of those, as beside an edge at which both end, the part would grow, and what lies next to it
 * would be left behind. */
static sc_vec3 way_from(sc_surface *other, sc_vec3 p, const sc_vec3 *back, double limit)
{
    const double rough = 0x1p-10 * limit;
    const sc_vec3 none = {0.0, 0.0, 0.0};
    const sc_seek any = {.enough = limit, .hint = UINT32_MAX};
    const sc_nearest about = sc_surface_any(other, p, limit, any);
    if (!(about.distance <= limit)) {
        return none;
    }
    const sc_seek closely = {.slack = rough, .hint = about.facet};
    const sc_nearest nearest = sc_surface_nearest(other, p, closely);
    const bool inside = sc_surface_contains(other, p);
    const sc_vec3 way = outwards(other, p, &nearest, inside, limit);
    if (back && sc_dot(way, *back) <= clearly) {
        return sc_scale(way_out_back(other, p, *back, inside ? way : none, limit), limit);
    }
    return sc_scale(way, inside ? limit : sc_max(limit - nearest.distance, 0.0));
}

typedef struct finding {
    const sc_erosion *erosion;
    sc_manner manner;
    sc_box near; /* about the other part */
    sc_vec3 *way;
} finding;

/* As of vertices whose facets are not to go back. */
static bool is_zero(sc_vec3 way)
{
    return way.x == 0.0 && way.y == 0.0 && way.z == 0.0;
}

static void find(void *context, sc_stretch *stretch)
{
    const finding *f = context;
    for (uint32_t i = stretch->first; i < stretch->end; i++) {
        const sc_vec3 p = f->erosion->place[i];
        const sc_vec3 *back = f->manner == SC_AS_FACING ? &f->erosion->way[i] : NULL;
        const double limit = sc_erosion_share(f->erosion, i) * stretch->proof->limit;
        const bool is_near = !is_zero(f->erosion->way[i]) && sc_box_holds(&f->near, p) &&
                             sc_stretch_goes_on(stretch);
        f->way[i] = is_near ? way_from(&stretch->other, p, back, limit) : (sc_vec3){0.0, 0.0, 0.0};
    }
}

bool sc_away_find(const sc_erosion_proof *proof, int i, const sc_erosion *erosion, sc_manner manner,
                  sc_vec3 *way, bool *all)
{
    finding f = {erosion, manner, sc_erosion_box(proof, 1 - i), way};
    return sc_stretches_look(proof, 1 - i, erosion->fans, find, &f, all);
}
