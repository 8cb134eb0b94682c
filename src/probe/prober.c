/* prober.c - see prober.h: probers of a mesh in its placements, and the exact segment that a
 * probe stands for. */
#include "prober.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/float_mode.h"
#include "health/health_once.h"
#include "part.h"

/* ---- making -------------------------------------------------------------------------- */

static void release_part(sc_probe_part *part)
{
    if (part && atomic_fetch_sub(&part->users, 1) == 1) {
        sc_probe_tree_free(&part->tree);
        if (part->has_health) {
            sc_health_free(&part->health);
        }
        sc_rim_free(&part->rim);
        sc_free(part);
    }
}

static void free_prober(stlclash_prober *prober)
{
    if (prober) {
        sc_rim_free(&prober->rim);
        sc_cracks_free(&prober->cracks);
        sc_rim_free(&prober->rest);
        sc_free(prober);
    }
}

/* A prober of the part, of which it becomes a user. */
static stlclash_code make_prober(sc_probe_part *part, const double *placement,
                                 stlclash_prober **prober, stlclash_error *error)
{
    const sc_blocks *blocks = &part->mesh->blocks;
    const sc_facets *facets = &part->mesh->file.facets;
    double reach = facets->count ? sc_box_reach(&blocks->bounds) : 0.0;
    sc_placement placed;

    *prober = NULL;
    stlclash_code code = sc_placement_make(placement, "the part", reach, &placed, error);
    if (code != STLCLASH_OK) {
        return code;
    }
    stlclash_prober *made = sc_calloc(1, sizeof *made);
    if (!made || !sc_rim_place(&part->rim, &placed, &made->rim) ||
        !sc_cracks_find(&made->rim, &made->cracks) ||
        !sc_cracks_rest(&made->cracks, NULL, &made->rest)) {
        free_prober(made);
        return sc_error_memory(error);
    }
    made->bounds = sc_blocks_placed_bounds(blocks, facets, &placed);
    made->pose = sc_probe_pose_make(&placed, facets->count ? sc_box_reach(&made->bounds) : 0.0);
    made->part = part;
    atomic_fetch_add(&part->users, 1);
    *prober = made;
    return STLCLASH_OK;
}

stlclash_code stlclash_prober_make(const stlclash_mesh *mesh, const double *placement, bool solid,
                                   stlclash_prober **prober, stlclash_error *error)
{
    SC_STANDARD_FLOATS;
    sc_probe_part *part = sc_calloc(1, sizeof *part);

    *prober = NULL;
    if (!part) {
        return sc_error_memory(error);
    }
    atomic_init(&part->users, 1);
    part->mesh = mesh;
    stlclash_code code =
        sc_probe_tree_build(&mesh->file.facets, &mesh->blocks.bounds, &part->tree, error);
    if (code == STLCLASH_OK && solid) {
        code = sc_health_judge(mesh, false, &part->health, error);
        part->has_health = code == STLCLASH_OK;
        part->is_balanced = part->health.closed && sc_health_is_balanced(mesh);
    }
    if (part->has_health && !part->health.closed && !sc_rim_make(mesh, &part->rim)) {
        code = sc_error_memory(error);
    }
    code = code == STLCLASH_OK ? make_prober(part, placement, prober, error) : code;
    release_part(part);
    return code;
}

stlclash_code stlclash_prober_place(const stlclash_prober *prober, const double *placement,
                                    stlclash_prober **placed, stlclash_error *error)
{
    SC_STANDARD_FLOATS;
    return make_prober(prober->part, placement, placed, error);
}

void stlclash_prober_free(stlclash_prober *prober)
{
    if (prober) {
        release_part(prober->part);
        free_prober(prober);
    }
}

stlclash_part_result stlclash_prober_part(const stlclash_prober *prober)
{
    const sc_probe_part *part = prober->part;
    stlclash_part_result result = {.has_health = part->has_health};

    sc_box_store(&prober->bounds, result.bounds);
    if (part->has_health) {
        result.closed = result.has_volume = part->health.closed;
        result.volume = part->health.closed ? part->health.volume : 0.0;
        result.warnings = part->health.warnings;
        result.warning_count = part->health.warning_count;
    }
    return result;
}

bool sc_prober_turned(const stlclash_prober *prober, uint32_t triangle)
{
    const int8_t *orientation = prober->part->has_health ? prober->part->health.orientation : NULL;
    return orientation && orientation[triangle] < 0;
}

void sc_prober_facet(const stlclash_prober *prober, uint32_t triangle, sc_vec3 v[3])
{
    sc_triangle_vertices(&prober->part->mesh->file.facets, &prober->pose.placement, triangle, v);
    if (sc_prober_turned(prober, triangle)) {
        sc_vec3 second = v[1];
        v[1] = v[2];
        v[2] = second;
    }
}

/* ---- probes -------------------------------------------------------------------------- */

static double reach_of(const double x[3])
{
    return sc_max(sc_max(fabs(x[0]), fabs(x[1])), fabs(x[2]));
}

static sc_vec3 flushed(const double x[3], double below)
{
    double y[3];
    for (int k = 0; k < 3; k++) {
        y[k] = fabs(x[k]) < below ? 0.0 : x[k] + 0.0; /* -0 + 0 = +0 */
    }
    return sc_vec3_of(y);
}

/* Whether that drops more than what is nothing beside the part. */
static bool loses_some(const double x[3], double below, double part)
{
    bool some = false;
    for (int k = 0; k < 3; k++) {
        some = some || (fabs(x[k]) < below && fabs(x[k]) >= sc_max(part * 0x1p-80, 0x1p-149));
    }
    return some;
}

/* 0 times a finite number is 0. */
static bool is_finite(const double x[3])
{
    return (x[0] * 0.0 + x[1] * 0.0) + x[2] * 0.0 == 0.0;
}

stlclash_code sc_prober_segment(const stlclash_prober *prober, const stlclash_probe *probe,
                                sc_segment *segment, double *unit, bool *too_wide,
                                stlclash_error *error)
{
    double from = reach_of(probe->from), to = reach_of(probe->to), part = prober->pose.reach;
    double end[3] = {probe->to[0], probe->to[1], probe->to[2]};

    if (!is_finite(probe->from) || !is_finite(probe->to)) {
        return sc_error(error, STLCLASH_E_ARGUMENT, "the coordinates of a probe must be finite");
    }
    if (!(probe->radius >= 0.0 && isfinite(probe->radius))) {
        return sc_error(error, STLCLASH_E_ARGUMENT,
                        "the radius of a probe must be finite and not negative");
    }
    if (sc_max(from, to) > 0x1p199) {
        return sc_error(error, STLCLASH_E_RANGE, "a coordinate of a probe exceeds 8e59");
    }
    *unit = 1.0;
    if (probe->ray) {
        if (to == 0.0) {
            return sc_error(error, STLCLASH_E_ARGUMENT, "the direction of a ray must not be zero");
        }
        /* At least four times what the part, and the way to it, can reach. */
        int of_reach, of_way;
        (void)frexp(sc_max(from + part, 0x1p-149), &of_reach);
        (void)frexp(to, &of_way);
        const int exponent = of_reach - of_way + 3;
        if (exponent > 1000) {
            return sc_error(error, STLCLASH_E_RANGE, "the direction of a ray is too short");
        }
        *unit = ldexp(1.0, exponent);
        for (int k = 0; k < 3; k++) {
            end[k] = probe->from[k] + ldexp(probe->to[k], exponent);
        }
    }
    double below = sc_max(sc_max(sc_max(from, reach_of(end)), part) * 0x1p-80, 0x1p-149);
    bool wide = loses_some(probe->from, below, part) || loses_some(end, below, part);
    if (too_wide) {
        *too_wide = wide;
    } else if (wide) {
        return sc_error(error, STLCLASH_E_RANGE,
                        "a coordinate of a probe exceeds another 2^80 times: end it nearer by, or "
                        "use a ray");
    }
    *segment = (sc_segment){flushed(probe->from, below), flushed(end, below)};
    return STLCLASH_OK;
}
