/* erosion.c - see erosion.h. */
#include "erosion.h"

#include "base/alloc.h"
#include "base/groups.h"
#include "base/lower_bound.h"
#include "corners.h"
#include "fans.h"

#include <math.h>

/* ---- pieces of facets ------------------------------------------------------------ */

uint32_t sc_erosion_facet(const sc_erosion *erosion, uint32_t piece)
{
    return erosion->seams.divided ? erosion->seams.given[piece] : piece;
}

int sc_erosion_sign(const sc_erosion *erosion, uint32_t piece)
{
    return erosion->orientation ? erosion->orientation[sc_erosion_facet(erosion, piece)] : 1;
}

/* The vertices of pieces, before they are told apart as fans. */
typedef struct vertices {
    uint32_t *of;   /* [3 * pieces] each corner */
    sc_vec3 *place; /* [count] where each is */
    uint32_t count;
} vertices;

static bool find_vertices(const sc_erosion *e, vertices *v)
{
    const sc_facets *facets = &e->part->mesh->file.facets;
    sc_corners corners;
    bool good = sc_corners_number(facets, &corners);
    v->count = corners.vertices;
    v->place = sc_alloc(v->count, sizeof v->place[0]);
    good = good && v->place;
    for (uint32_t i = 0; i < facets->count && good; i++) {
        sc_vec3 corner[3];
        sc_triangle_vertices(facets, &e->part->used, i, corner);
        for (size_t k = 0; k < 3; k++) {
            v->place[corners.vertex[3 * (size_t)i + k]] = corner[k];
        }
    }
    if (!e->seams.divided) {
        v->of = corners.vertex;
        return good;
    }
    v->of = sc_alloc(e->pieces, 3 * sizeof v->of[0]);
    good = good && v->of;
    for (size_t i = 0; i < 3 * (size_t)e->pieces && good; i++) {
        v->of[i] = corners.vertex[e->seams.corner[i]];
    }
    sc_corners_free(&corners);
    return good;
}

/* Reads pieces as it does their facets. */
static bool tell_fans(sc_erosion *e, const vertices *v, sc_watch *watch)
{
    int8_t *turned = sc_alloc(e->pieces, sizeof *turned);
    e->fan = sc_alloc(e->pieces, 3 * sizeof e->fan[0]);
    bool good = turned && e->fan;
    for (uint32_t i = 0; i < e->pieces && good; i++) {
        turned[i] = (int8_t)sc_erosion_sign(e, i);
    }
    const sc_fan_facets all = {e->pieces, v->of, v->place, v->count, turned};
    good = good && sc_fans_find(&all, watch, e->fan, &e->fans);
    sc_free(turned);
    return good;
}

static bool find_fans(sc_erosion *e, sc_watch *watch)
{
    vertices v = {.of = NULL};
    bool good = find_vertices(e, &v) && tell_fans(e, &v, watch);
    e->place = good ? sc_alloc(e->fans, sizeof e->place[0]) : NULL;
    for (size_t i = 0; i < 3 * (size_t)e->pieces && e->place; i++) {
        e->place[e->fan[i]] = v.place[v.of[i]];
    }
    sc_free(v.of);
    sc_free(v.place);
    return e->place != NULL;
}

/* ---- where fans go ------------------------------------------------------------------ */

static uint32_t fan_of(const void *fan, uint32_t corner)
{
    return ((const uint32_t *)fan)[corner];
}

/* Whether a unit vector leads along a direction, which may be zero, or back, more than across. */
static bool faces_along(sc_vec3 normal, sc_vec3 along)
{
    return fabs(sc_dot(normal, along)) > 0.5 * sc_length(along);
}

/* Out of the part, of all that a facet is divided into that of the facet; unit, or zero, as where
 * it is not to go back. [pieces], or NULL if memory ran out. */
static sc_vec3 *outward_normals(const sc_erosion *e, sc_vec3 along)
{
    sc_vec3 *normals = sc_calloc(e->pieces, sizeof *normals);
    for (uint32_t i = 0; i < e->pieces && normals; i++) {
        const uint32_t facet = sc_erosion_facet(e, i);
        sc_vec3 v[3];
        if (!e->near || e->near[facet]) {
            sc_triangle_vertices(&e->part->mesh->file.facets, &e->part->used, facet, v);
            const sc_vec3 normal = sc_unit_or_zero(sc_area_twice(v));
            normals[i] = sc_scale(normal, faces_along(normal, along) ? 0 : sc_erosion_sign(e, i));
        }
    }
    return normals;
}

/* Back from all of the planes by 1, or nearly, on a short way: each in turn has its way (Kaczmarz's
 * method). Where there is none, or it takes too long, anything. */
static sc_vec3 way_back(const sc_vec3 *normals, const uint32_t *corner, size_t count)
{
    enum { ROUNDS = 256, EFFORT = 4096, LEAST_ROUNDS = 4 };
    const double nearly = 0x1p-6;
    const size_t effort = EFFORT / count, most = effort < LEAST_ROUNDS ? LEAST_ROUNDS : effort;
    sc_vec3 way = {0.0, 0.0, 0.0};
    bool all = false;
    for (size_t round = 0; round < most && round < ROUNDS && !all; round++) {
        all = true;
        for (size_t i = 0; i < count; i++) {
            const sc_vec3 normal = normals[corner[i] / 3];
            const double missing = 1.0 + sc_dot(normal, way);
            if (missing > nearly && sc_dot(normal, normal) > 0.0) {
                way = sc_mul_add(way, -missing, normal);
                all = false;
            }
        }
    }
    return way;
}

bool sc_erosion_ways_across(const sc_erosion *e, sc_vec3 along, sc_watch *watch, sc_vec3 *way)
{
    sc_groups corners;
    sc_vec3 *normals = outward_normals(e, along);
    bool good = sc_groups_make(3 * e->pieces, e->fans, fan_of, e->fan, &corners) && normals;
    for (uint32_t i = 0; i < e->fans && good; i++) {
        const uint32_t first = corners.from[i], count = corners.from[i + 1] - first;
        way[i] = way_back(normals, corners.items + first, count);
        good = !sc_watch_ends(watch, i);
    }
    sc_groups_free(&corners);
    sc_free(normals);
    return good;
}

static bool find_ways(sc_erosion *e, sc_watch *watch)
{
    const sc_vec3 none = {0.0, 0.0, 0.0};
    e->way = sc_alloc(e->fans, sizeof e->way[0]);
    return e->way && sc_erosion_ways_across(e, none, watch, e->way);
}

/* ---- the part ------------------------------------------------------------------------ */

bool sc_erosion_make(const sc_part *part, const int8_t *orientation, const bool *near,
                     sc_watch *watch, sc_erosion *erosion, bool *possible)
{
    const sc_facets *facets = &part->mesh->file.facets;
    const double reach = sc_box_reach(&part->used_bounds), rounding = 0x1p-40 * reach;
    *erosion = (sc_erosion){
        .part = part, .orientation = orientation, .near = near, .least_size = 0x1p-80 * reach};
    *possible = false;
    if (!sc_seams_find(facets, facets, rounding, &erosion->seams)) {
        return false;
    }
    if (!erosion->seams.match) {
        return true;
    }
    erosion->pieces = erosion->seams.divided ? erosion->seams.count : facets->count;
    bool good = find_fans(erosion, watch) && find_ways(erosion, watch);
    erosion->gone = good ? sc_alloc(erosion->fans, sizeof erosion->gone[0]) : NULL;
    *possible = erosion->gone != NULL;
    if (*possible) {
        sc_erosion_go(erosion, 0.0, 0.0);
    }
    return *possible || sc_watch_was_over(watch);
}

void sc_erosion_free(sc_erosion *erosion)
{
    sc_seams_free(&erosion->seams);
    sc_free(erosion->fan);
    sc_free(erosion->place);
    sc_free(erosion->way);
    sc_free(erosion->gone);
    sc_free(erosion->share);
    *erosion = (sc_erosion){.part = NULL};
}

static bool is_below(const void *given, const void *facet)
{
    return *(const uint32_t *)given < *(const uint32_t *)facet;
}

uint32_t sc_erosion_pieces(const sc_erosion *erosion, uint32_t facet, uint32_t *first)
{
    const sc_seams *seams = &erosion->seams;
    if (!seams->divided) {
        *first = facet;
        return 1;
    }
    size_t at = sc_lower_bound(seams->given, seams->count, sizeof facet, is_below, &facet);
    *first = (uint32_t)at;
    while (at < seams->count && seams->given[at] == facet) {
        at++;
    }
    return (uint32_t)at - *first;
}

static double tidy(const sc_erosion *e, double coordinate)
{
    return fabs(coordinate) < e->least_size ? 0.0 : coordinate;
}

void sc_erosion_go(sc_erosion *erosion, double by, double most)
{
    sc_erosion *e = erosion;
    e->by = by;
    e->most = most;
    for (uint32_t i = 0; i < e->fans; i++) {
        const double times = sc_fmin(by, sc_erosion_most(e, i) / sc_length(e->way[i]));
        const sc_vec3 p = sc_mul_add(e->place[i], times, e->way[i]);
        e->gone[i] = (sc_vec3){tidy(e, p.x), tidy(e, p.y), tidy(e, p.z)};
    }
}
