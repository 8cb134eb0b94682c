/* away.c - see away.h. */
#include "away.h"

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

void sc_away_find(const sc_erosion *erosion, sc_surface *other, double limit, const sc_poll *poll,
                  sc_vec3 *way)
{
    enum { VERTICES_A_POLL = 256 };
    const sc_box near = sc_box_grown(&other->solid->part->used_bounds, limit);
    uint64_t looks = 0;
    bool goes_on = true;

    for (uint32_t i = 0; i < erosion->fans; i++) {
        const sc_vec3 p = erosion->place[i];
        way[i] = (sc_vec3){0.0, 0.0, 0.0};
        if (goes_on && sc_box_holds(&near, p)) {
            way[i] = way_from(other, p, limit);
            goes_on = ++looks % VERTICES_A_POLL != 0 || sc_poll_goes_on(poll);
        }
    }
}
