/* depth_crossing.c - see depth_crossing.h. */
#include "depth_crossing.h"

#include "pair.h"
#include "solids/surface.h"

/* Of long edges neither end need be near, and other surfaces be in between: so pieces of
 * them about the crossing are tried, the whole first. */
enum { HALVINGS = 6, HITS = 64 };

static bool is_beyond(sc_surface *surface, sc_vec3 p, uint32_t hint, double limit)
{
    sc_nearest n = sc_surface_nearest(surface, p, (sc_seek){.enough = limit, .hint = hint});
    return n.distance - surface->margin > limit;
}

/* Whether a way beside that from one point to the other, both farther than `limit` from the
 * surface, leads as deep inwards: it does unless one of them slips through, where T-junctions close
 * the part but for rounding. */
static bool leads_alike(sc_surface *surface, sc_vec3 from, sc_vec3 to, double limit, int entered)
{
    const sc_vec3 aside = sc_scale((sc_vec3){0.131, -0.207, 0.173}, limit);
    int again, crossed;
    bool good = sc_solid_crossings(surface->solid, sc_surface_tidy(surface, sc_add(from, aside)),
                                   sc_surface_tidy(surface, sc_add(to, aside)), &again, &crossed);
    surface->failed |= !good;
    return good && again == entered;
}

static bool edge_is_deep(sc_surface *surface, sc_vec3 from, sc_vec3 to, uint32_t facet,
                         double limit)
{
    sc_vec3 through;
    if (!sc_surface_through(surface, from, to, facet, &through)) {
        return false;
    }
    for (int k = 0; k < HALVINGS && !surface->failed; k++) {
        int entered, crossed;
        if (!is_beyond(surface, from, facet, limit) || !is_beyond(surface, to, facet, limit)) {
            return false;
        }
        surface->failed |= !sc_solid_crossings(surface->solid, from, to, &entered, &crossed);
        if (crossed == 1) {
            return !surface->failed && leads_alike(surface, from, to, limit, entered);
        }
        from = sc_surface_tidy(surface, sc_scale(sc_add(from, through), 0.5));
        to = sc_surface_tidy(surface, sc_scale(sc_add(to, through), 0.5));
    }
    return false;
}

bool sc_depth_crossing(sc_solid near[2], const uint64_t *hits, size_t hit_count, double limit)
{
    size_t step = hit_count / HITS + 1;

    for (size_t h = 0; h < hit_count; h += step) {
        uint32_t facet[2] = {sc_pair_facet(hits[h], 0), sc_pair_facet(hits[h], 1)};
        for (int x = 0; x < 2; x++) {
            sc_surface surface = sc_surface_of(&near[x], near[1 - x].part);
            sc_vec3 v[3];
            sc_solid_facet(&near[1 - x], facet[1 - x], v);
            for (int k = 0; k < 3 && sc_facet_has_area(v); k++) {
                if (edge_is_deep(&surface, v[k], v[(k + 1) % 3], facet[x], limit)) {
                    return true;
                }
            }
        }
    }
    return false;
}
