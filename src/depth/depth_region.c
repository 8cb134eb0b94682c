/* depth_region.c - see depth_region.h. */
#include "depth_region.h"

#include "depth_proof.h"
#include "depth_region_ray.h"
#include "overlap/overlap_regions.h"

/* ---- points ---------------------------------------------------------------- */

/* A search for the region at a point, among the facets that are about as near as any. */
typedef struct asking {
    const sc_depth_request *request;
    int part;
    sc_vec3 p;
    double near;   /* no farther than this */
    double margin; /* no farther in front of a facet it lies on that */
    bool here, elsewhere;
} asking;

/* A facet that turns its outer side to p, beside another that turns its inner one, bounds
 * what lies beyond: walls may lie on walls. */
static bool tell_region(void *context, uint32_t facet, const sc_vec3 v[3])
{
    asking *a = context;
    double error;
    sc_vec3 on, normal = sc_facet_normal(v, &error);
    double height = sc_dot(normal, sc_sub(a->p, v[0]));
    if (sc_facet_distance(a->p, v, &on) <= a->near &&
        height <= (a->margin + 1e-6 * a->near) * sc_length(normal)) {
        uint32_t region = sc_regions_at(a->request->regions, a->part, facet, on);
        a->here |= region == a->request->region;
        a->elsewhere |= region != a->request->region && region != SC_NO_REGION;
    }
    return !a->here;
}

/* On the way to the nearest point of both surfaces nothing is crossed: it is on the boundary
 * of the region that p lies in. */
static asking ask(const sc_depth_request *request, sc_surface surface[2], sc_vec3 p)
{
    asking a = {.request = request, .p = p, .margin = surface[0].margin};
    sc_nearest n[2];

    for (int x = 0; x < 2; x++) {
        n[x] = sc_surface_nearest(&surface[x], p, (sc_seek){.hint = UINT32_MAX});
    }
    double least = sc_fmin(n[0].distance, n[1].distance);
    a.near = least * (1.0 + 0x1p-30) + 4.0 * surface[0].margin;
    for (a.part = 0; a.part < 2 && !a.here; a.part++) {
        sc_walk walk = {.within = sc_box_around(n[a.part].point, a.near - least),
                        .facet = tell_region,
                        .context = &a};
        if (n[a.part].distance <= a.near) {
            sc_surface_walk(&surface[a.part], &walk);
        }
    }
    return a;
}

bool sc_depth_region_holds(const sc_depth_request *request, sc_surface surface[2], sc_vec3 p)
{
    if (!request->regions) {
        return true;
    }
    const sc_ray_side side =
        request->regions->times ? sc_depth_region_ray(request, surface, p) : SC_RAY_UNKNOWN;
    if (side != SC_RAY_UNKNOWN) {
        return side == SC_RAY_INSIDE;
    }
    const asking a = ask(request, surface, p);
    return a.here || !a.elsewhere;
}

bool sc_depth_region_surely_holds(const sc_depth_request *request, sc_surface surface[2], sc_vec3 p)
{
    if (request->regions && request->regions->times) {
        return sc_depth_region_ray(request, surface, p) == SC_RAY_INSIDE;
    }
    return !request->regions || ask(request, surface, p).here;
}

/* ---- facets and cells ------------------------------------------------------ */

bool sc_depth_region_lacks_facet(const sc_depth_request *request, int part, uint32_t facet,
                                 sc_vec3 p, double radius)
{
    return request->regions &&
           sc_regions_exclude(request->regions, part, facet, p, radius, request->region);
}

/* What lies within `radius` of a point, of the surface of one part. */
typedef struct surroundings {
    const sc_depth_request *request;
    int part;
    sc_vec3 centre;
    double radius;
    bool clear; /* of the other part: each facet is on the boundary of one region there */
    int facets;
} surroundings;

static bool is_elsewhere(void *context, uint32_t facet, const sc_vec3 v[3])
{
    surroundings *w = context;
    sc_vec3 on;
    if (sc_facet_distance(w->centre, v, &on) > w->radius) {
        return true; /* which its box alone came near to */
    }
    return sc_depth_region_lacks_facet(w->request, w->part, facet, on,
                                       w->clear ? 0.0 : 2.0 * w->radius) &&
           ++w->facets <= SC_REGION_FACETS;
}

static bool are_elsewhere(sc_surface surface[2], surroundings *w)
{
    sc_walk walk = {.centre = w->centre, .reach = w->radius, .facet = is_elsewhere, .context = w};
    w->facets = 0;
    return sc_surface_walk(&surface[w->part], &walk);
}

/* Where the cell is clear of one surface, each connected set of its common points is bounded
 * by facets of the other one, or there are none. Else the nearest surface point of any of
 * them, which is on the boundary of its region, lies within three radii of the centre. */
bool sc_depth_region_lacks_cell(const sc_depth_request *request, sc_surface surface[2],
                                const uint32_t hint[2], sc_vec3 c, double radius)
{
    bool clear[2];
    if (!request->regions) {
        return false;
    }
    for (int x = 0; x < 2; x++) {
        double enough = radius + 2.0 * surface[x].margin;
        clear[x] =
            sc_surface_any(&surface[x], c, enough, (sc_seek){.hint = hint[x]}).distance > enough;
    }
    /* Else a cell with facets of other regions alone holds only these. */
    const bool may_overlap = request->regions->times != NULL;
    surroundings w = {.request = request, .centre = c, .radius = radius + surface[0].margin};
    if (clear[0] || clear[1]) {
        w.part = clear[0];
        w.clear = true;
        return are_elsewhere(surface, &w) &&
               ((w.facets > 0 && !may_overlap) || !sc_depth_region_holds(request, surface, c));
    }
    w.radius *= 3.0;
    for (w.part = 0; w.part < 2; w.part++) {
        if (!are_elsewhere(surface, &w)) {
            return false;
        }
    }
    return !may_overlap || !sc_depth_region_holds(request, surface, c);
}
