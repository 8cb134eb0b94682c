/* depth_region_ray.c - see depth_region_ray.h: the sum of the sides from which a ray comes through
 * facets that bound the region, where it comes through. */
#include "depth_region_ray.h"

#include "geom/orient.h"
#include "overlap/overlap_regions.h"
#include "overlap/region_times.h"

typedef struct ray {
    const sc_depth_request *request;
    sc_vec3 from, to; /* outside the region's bounds */
    double close;     /* more than rounding leaves places off */
    int part;         /* whose facets it passes */
    int winding;      /* what they add up to */
} ray;

/* Of an edge and a facet that may meet: in a plane, if they both lie in one, or not. */
static sc_vec3 meeting_place(const ray *r, const sc_vec3 v[3])
{
    const sc_vec3 n = sc_area_twice(v), way = sc_sub(r->to, r->from);
    const double start = sc_dot(n, sc_sub(r->from, v[0])), along = sc_dot(n, way);
    const double part = along != 0.0 ? -start / along : 0.0;
    return sc_mul_add(r->from, sc_max(0.0, sc_min(1.0, part)), way);
}

/* False where it is not clear what that adds. */
static bool pass_facet(void *context, uint32_t facet, const sc_vec3 v[3])
{
    ray *r = context;
    const int behind = sc_orient3d(v[0], v[1], v[2], r->from);
    const int ahead = sc_orient3d(v[0], v[1], v[2], r->to);
    bool left = false, right = false, touches = behind == 0 || ahead == 0;

    if (behind * ahead > 0 || !sc_facet_has_area(v)) {
        return true;
    }
    for (int k = 0; k < 3; k++) {
        const int side = sc_orient3d(r->from, r->to, v[k], v[(k + 1) % 3]);
        left |= side > 0;
        right |= side < 0;
        touches |= side == 0;
    }
    const sc_vec3 at = meeting_place(r, v);
    int times;
    if (left && right) {
        return true;
    }
    if (!sc_region_times_at(&r->request->regions->times[r->part], facet, at, r->close,
                            r->request->region, &times)) {
        return false;
    }
    r->winding += behind * times;
    return times == 0 || !touches;
}

/* To where the ray has left the box. */
static sc_vec3 end_of(sc_vec3 from, sc_vec3 way, const sc_box *box)
{
    double length = INFINITY;
    for (int k = 0; k < 3; k++) {
        const double along = sc_component(way, k);
        const double room = (along > 0.0 ? box->high[k] : box->low[k]) - sc_component(from, k);
        length = sc_min(length, sc_max(0.0, room / along));
    }
    return sc_mul_add(from, length + 0x1p-10 * sc_box_extent(box), way);
}

/* Whether the ray tells. */
static bool follow(ray *r, sc_surface surface[2])
{
    const sc_vec3 ends[2] = {r->from, r->to}, way = sc_sub(r->to, r->from);
    const sc_box box = sc_box_of_points(ends, 2);
    const sc_vec3 side = sc_unit(sc_cross(way, (sc_vec3){way.y, way.z, way.x})); /* not along it */
    const sc_walk walk = {.within = sc_box_grown(&box, r->close),
                          .arm = {sc_scale(way, 0.5 + 0x1p-20), sc_scale(side, r->close),
                                  sc_scale(sc_cross(sc_unit(way), side), r->close)},
                          .facet = pass_facet,
                          .context = r};
    r->winding = 0;
    for (r->part = 0; r->part < 2; r->part++) {
        if (!sc_surface_walk(&surface[r->part], &walk)) {
            return false;
        }
    }
    return true;
}

/* Whether a facet does not bound the region where the ray begins, if it comes there. */
static bool is_elsewhere(void *context, uint32_t facet, const sc_vec3 v[3])
{
    const ray *r = context;
    sc_vec3 on;
    int times;
    return !sc_facet_has_area(v) || sc_facet_distance(r->from, v, &on) > r->close ||
           (sc_region_times_at(&r->request->regions->times[r->part], facet, on, r->close,
                               r->request->region, &times) &&
            times == 0);
}

static bool begins_on_boundary(ray *r, sc_surface surface[2])
{
    bool on = false;
    for (r->part = 0; r->part < 2; r->part++) {
        const sc_walk walk = {
            .within = sc_box_around(r->from, r->close), .facet = is_elsewhere, .context = r};
        on = on || !sc_surface_walk(&surface[r->part], &walk);
    }
    return on;
}

sc_ray_side sc_depth_region_ray(const sc_depth_request *request, sc_surface surface[2], sc_vec3 p)
{
    static const sc_vec3 ways[] = {{0.571, 0.623, 0.534},   {-0.457, 0.661, -0.595},
                                   {0.683, -0.517, 0.516},  {-0.602, -0.489, 0.631},
                                   {0.497, -0.593, -0.633}, {-0.649, 0.553, 0.522}};
    ray r = {.request = request,
             .from = sc_surface_tidy(&surface[0], p),
             .close = 64.0 * surface[0].margin};
    if (begins_on_boundary(&r, surface)) {
        return SC_RAY_INSIDE;
    }
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        r.to = sc_surface_tidy(&surface[0], end_of(r.from, ways[i], &request->within));
        if (follow(&r, surface)) {
            return r.winding > 0 ? SC_RAY_INSIDE : SC_RAY_OUTSIDE;
        }
    }
    return SC_RAY_UNKNOWN;
}
