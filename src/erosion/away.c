/* away.c - see away.h. */
#include "away.h"

#include "stretches.h"

/* From the point nearest to p; unit, or zero. Where p is in the surface, how that faces. */
static sc_vec3 outwards(const sc_surface *other, sc_vec3 p, const sc_nearest *nearest, bool inside,
                        double limit)
{
    const double clear = 0x1p-20 * limit;
    if (nearest->distance > clear) {
        const sc_vec3 way = sc_unit_or_zero(sc_sub(p, nearest->point));
        return inside ? sc_scale(way, -1.0) : way;
    }
    sc_vec3 v[3];
    sc_solid_facet(other->solid, nearest->facet, v);
    return sc_unit_or_zero(sc_area_twice(v));
}

static sc_vec3 way_from(sc_surface *other, sc_vec3 p, double limit)
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
    const double length = inside ? limit : sc_max(limit - nearest.distance, 0.0);
    return sc_scale(outwards(other, p, &nearest, inside, limit), length);
}

typedef struct finding {
    const sc_erosion *erosion;
    sc_box near; /* about the other part */
    sc_vec3 *way;
} finding;

static void find(void *context, sc_stretch *stretch)
{
    const finding *f = context;
    for (uint32_t i = stretch->first; i < stretch->end; i++) {
        const sc_vec3 p = f->erosion->place[i];
        const bool is_near = sc_box_holds(&f->near, p) && sc_stretch_goes_on(stretch);
        f->way[i] = is_near ? way_from(&stretch->other, p, stretch->proof->limit)
                            : (sc_vec3){0.0, 0.0, 0.0};
    }
}

bool sc_away_find(const sc_erosion_proof *proof, int i, const sc_erosion *erosion, sc_vec3 *way)
{
    finding f = {erosion, sc_erosion_box(proof, 1 - i), way};
    return sc_stretches_look(proof, 1 - i, erosion->fans, find, &f);
}
