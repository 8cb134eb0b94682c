/* fill.c - see fill.h. */
#include "fill.h"

#include "base/alloc.h"
#include "base/error.h"
#include "contact/least_overlap.h"
#include "geom/tri_intersect.h"
#include "pair.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* ---- frames and roles ---------------------------------------------------- */

static const sc_placement *later(const sc_found *f)
{
    return f->order.placed_later ? &f->part[0]->placement : NULL;
}

static sc_vec3 placed(const sc_found *f, sc_vec3 p)
{
    return later(f) ? sc_place_point(later(f), p) : p;
}

/* A direction: turned, not moved. */
static sc_vec3 turned(const sc_found *f, sc_vec3 d)
{
    const sc_placement *p = later(f);
    if (!p) {
        return d;
    }
    return (sc_vec3){p->m[0][0] * d.x + p->m[0][1] * d.y + p->m[0][2] * d.z,
                     p->m[1][0] * d.x + p->m[1][1] * d.y + p->m[1][2] * d.z,
                     p->m[2][0] * d.x + p->m[2][1] * d.y + p->m[2][2] * d.z};
}

/* The box of a placed box. */
static void store_box(const sc_found *f, double out[2][3], const sc_box *box)
{
    sc_box around = sc_box_empty();
    for (int corner = 0; corner < 8; corner++) {
        sc_box_add_point(&around, placed(f, sc_box_corner(box, corner)));
    }
    sc_box_store(&around, out);
}

/* Which part the user calls A or B. */
static stlclash_side side_of(const sc_found *f, int part)
{
    return (part == 0) != f->order.swapped ? STLCLASH_A : STLCLASH_B;
}

static void vertices(const sc_found *f, int part, uint32_t triangle, sc_vec3 v[3])
{
    const sc_part *p = f->part[part];
    sc_triangle_vertices(&p->mesh->file.facets, &p->used, triangle, v);
}

/* ---- hits ---------------------------------------------------------------- */

/* Identical parts have no order: the lower triangle number stands in for one, so
 * that (i, j) and (j, i) give the same points. */
static sc_common common_of(const sc_found *f, uint64_t hit)
{
    uint32_t first = sc_pair_facet(hit, 0), second = sc_pair_facet(hit, 1);
    bool exchange = f->order.identical && second < first;
    sc_vec3 a[3], b[3];
    vertices(f, 0, exchange ? second : first, a);
    vertices(f, 1, exchange ? first : second, b);
    return sc_tri_common(a, b);
}

static int by_triangles(const void *x, const void *y)
{
    const stlclash_hit *a = x, *b = y;
    if (a->triangle_a != b->triangle_a) {
        return a->triangle_a < b->triangle_a ? -1 : 1;
    }
    return (a->triangle_b > b->triangle_b) - (a->triangle_b < b->triangle_b);
}

static bool fill_hits(const sc_found *f, sc_result *result)
{
    const sc_narrow *n = f->narrow;
    uint64_t wanted = f->options->max_hits;
    size_t listed = n->hits.count < wanted ? n->hits.count : (size_t)wanted;

    result->hits = sc_alloc(listed, sizeof result->hits[0]);
    if (!result->hits) {
        return false;
    }
    for (size_t i = 0; i < listed; i++) {
        if (i > 0 && sc_watch_ends(f->watch, i)) {
            listed = i;
            break;
        }
        sc_common common = common_of(f, n->hits.pairs[i]);
        stlclash_hit *hit = &result->hits[i];
        uint32_t first = sc_pair_facet(n->hits.pairs[i], 0);
        uint32_t second = sc_pair_facet(n->hits.pairs[i], 1);
        *hit = (stlclash_hit){.triangle_a = f->order.swapped ? second : first,
                              .triangle_b = f->order.swapped ? first : second,
                              .point_count = (uint32_t)common.count};
        for (int k = 0; k < common.count; k++) {
            sc_vec3_store(placed(f, common.points[k]), hit->points[k]);
        }
    }
    if (f->order.swapped) {
        qsort(result->hits, listed, sizeof result->hits[0], by_triangles);
    }
    result->public.hits = result->hits;
    result->public.hits_listed = listed;
    return true;
}

/* ---- separation ---------------------------------------------------------- */

double sc_found_distance(const sc_found *f)
{
    if (f->narrow->hits.count > 0) {
        return 0.0;
    }
    /* Of surfaces that do not meet: never 0, however much of it rounding has lost. */
    double distance = sc_fmax(sqrt(f->narrow->distance_sq), DBL_MIN);
    return f->complete && distance <= f->bound ? distance : INFINITY;
}

/* Of two triangles, by their numbers; where the distance is 0 they meet, and their first common
 * point is shown. */
static stlclash_separation separation_of(const sc_found *f, const uint32_t triangle[2],
                                         double distance, sc_closest closest)
{
    if (distance == 0.0) {
        sc_common common = common_of(f, sc_pair(triangle[0], triangle[1]));
        closest = (sc_closest){0.0, common.first, common.first, common.feature_a, common.feature_b};
    }
    closest.on_a = placed(f, closest.on_a);
    closest.on_b = placed(f, closest.on_b);
    return sc_separation_of(&closest, triangle, f->order.swapped, distance);
}

static void fill_separation(const sc_found *f, stlclash_result *r)
{
    const sc_narrow *n = f->narrow;
    const double distance = sc_found_distance(f);
    uint32_t triangle[2] = {n->nearest_a, n->nearest_b};

    if (n->hits.count > 0) { /* the lowest one */
        triangle[0] = sc_pair_facet(n->hits.pairs[0], 0);
        triangle[1] = sc_pair_facet(n->hits.pairs[0], 1);
    }
    r->has_separation = isfinite(distance);
    if (r->has_separation) {
        r->separation = separation_of(f, triangle, distance, n->nearest);
    }
}

static bool fill_gaps(const sc_found *f, sc_result *result)
{
    result->public.has_gaps = f->gaps != NULL;
    if (!f->gaps || f->gaps->count == 0) {
        return true;
    }
    result->gaps = sc_alloc(f->gaps->count, sizeof *result->gaps);
    for (size_t i = 0; i < f->gaps->count && result->gaps; i++) {
        const sc_gap *gap = &f->gaps->gaps[i];
        result->gaps[i] = separation_of(f, gap->triangle, gap->distance, gap->closest);
    }
    result->public.gaps = result->gaps;
    result->public.gap_count = result->gaps ? f->gaps->count : 0;
    return result->gaps != NULL;
}

/* ---- solids -------------------------------------------------------------- */

/* Less than a full run has no normal, rather than another one. */
static bool measures_all(const sc_found *f)
{
    return f->complete && !f->options->quick && !f->options->no_overlap;
}

/* Of parts that touch face to face, which rounding lets overlap by slivers: those face any way. */
static bool touches_but_for_rounding(const sc_found *f)
{
    const sc_judgement *j = f->judgement;
    const sc_tolerances *t = f->tolerances;
    return j->has_contact && j->contact.has_normal && j->deep == SC_NOT_DEEP &&
           t->touch_overlap <= t->flush.all_over;
}

static void set_normal(stlclash_result *r, sc_vec3 normal)
{
    r->has_normal = true;
    sc_vec3_store(normal, r->normal);
    for (int k = 0; k < 3; k++) {
        r->normal[k] += 0.0; /* no -0 */
    }
}

/* Of surfaces that do not meet, and touch all the same: along what is in between. */
static void fill_normal_across_gap(const sc_found *f, stlclash_result *r)
{
    const sc_vec3 way = sc_vec3_of(r->separation.vector);
    if (measures_all(f) && !f->judgement->interiors_meet && r->has_separation &&
        sc_gap_touches(r->separation.distance, f->tolerances) && sc_length(way) > 0.0) {
        set_normal(r, sc_unit(way));
    }
}

static void fill_normal(const sc_found *f, stlclash_result *r)
{
    const sc_judgement *j = f->judgement;
    const bool face_to_face = j->has_contact && j->contact.has_normal;
    sc_vec3 normal;

    if (f->order.identical) {
        return; /* no direction is better than its opposite */
    }
    if (f->narrow->hits.count == 0 && !face_to_face) {
        fill_normal_across_gap(f, r);
        return;
    }
    if (j->has_overlap && j->overlap.has_direction && !touches_but_for_rounding(f)) {
        /* The surface of part 0 inside part 1 faces that way: out of it again. */
        normal = sc_scale(sc_unit(j->overlap.area_vector), -1.0);
    } else if (face_to_face) {
        normal = j->contact.normal;
    } else if (!measures_all(f) || !sc_least_overlap(f->part, f->narrow->hits.pairs,
                                                     f->narrow->hits.count, f->watch, &normal)) {
        return;
    }
    set_normal(r, sc_scale(turned(f, normal), f->order.swapped ? -1.0 : 1.0));
}

static bool fill_regions(const sc_found *f, sc_result *result)
{
    const sc_judgement *j = f->judgement;
    stlclash_overlap *o = &result->public.overlap;

    result->regions = sc_alloc(j->overlap.region_count, sizeof *result->regions);
    if (!result->regions) {
        return false;
    }
    for (size_t i = 0; i < j->overlap.region_count; i++) {
        stlclash_region *region = &result->regions[i];
        *region = (stlclash_region){.volume = j->overlap.regions[i].volume,
                                    .depth = j->region_depths ? j->region_depths[i] : NAN};
        store_box(f, region->bounds, &j->overlap.regions[i].bounds);
    }
    o->regions = result->regions;
    o->region_count = j->overlap.region_count;
    return true;
}

static bool fill_mesh(const sc_found *f, sc_result *result)
{
    const sc_overlap *overlap = &f->judgement->overlap;
    const sc_overlap_mesh *mesh = &overlap->mesh;
    stlclash_overlap *o = &result->public.overlap;

    if (!mesh->facets) {
        return true; /* not asked for */
    }
    const size_t facets = mesh->of_region[overlap->region_count];
    result->vertices = sc_alloc(mesh->vertex_count, sizeof *result->vertices);
    result->facets = sc_alloc(facets, sizeof *result->facets);
    if (!result->vertices || !result->facets) {
        return false;
    }
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        sc_vec3_store(placed(f, mesh->vertices[i]), result->vertices[i]);
    }
    memcpy(result->facets, mesh->facets, facets * sizeof *result->facets);
    for (size_t i = 0; i < overlap->region_count; i++) {
        result->regions[i].first_facet = mesh->of_region[i];
        result->regions[i].facet_count = mesh->of_region[i + 1] - mesh->of_region[i];
    }
    o->vertices = (const double(*)[3])result->vertices;
    o->vertex_count = mesh->vertex_count;
    o->facets = (const uint32_t(*)[3])result->facets;
    o->facet_count = facets;
    return true;
}

static bool fill_overlap(const sc_found *f, sc_result *result)
{
    const sc_judgement *j = f->judgement;
    stlclash_overlap *o = &result->public.overlap;

    result->public.has_contact_area = j->has_contact && !isnan(j->contact.area);
    result->public.contact_area = result->public.has_contact_area ? j->contact.area : 0.0;
    result->public.has_overlap = j->has_overlap;
    if (!j->has_overlap) {
        return true;
    }
    for (int part = 0; part < 2; part++) {
        if (j->overlap.inside[part]) {
            o->contained = side_of(f, part);
        }
    }
    o->volume = j->overlap.volume;
    o->volume_error = j->overlap.volume_error;
    sc_vec3_store(placed(f, j->overlap.centroid), o->centroid);
    store_box(f, o->bounds, &j->overlap.bounds);
    o->has_depth = j->has_depth;
    if (j->has_depth) {
        o->depth = j->depth.depth;
        o->depth_error = sc_fmax(j->depth.bound - j->depth.depth, 0.0);
        sc_vec3_store(placed(f, j->depth.point), o->deepest_point);
        o->deepest_in = side_of(f, j->depth.in);
        sc_vec3_store(turned(f, sc_sub(j->depth.nearest, j->depth.point)), o->deepest_vector);
    }
    return fill_regions(f, result) && fill_mesh(f, result);
}

static bool fill_curves(const sc_found *f, sc_result *result)
{
    const sc_overlap *o = &f->judgement->overlap;

    if (!f->options->curves || o->curve_count == 0) {
        return true;
    }
    result->curves = sc_alloc(o->curve_count, sizeof *result->curves);
    result->curve_points = sc_alloc(o->curve_point_count, sizeof *result->curve_points);
    if (!result->curves || !result->curve_points) {
        return false;
    }
    for (size_t i = 0; i < o->curve_point_count; i++) {
        sc_vec3_store(placed(f, o->curve_points[i]), result->curve_points[i]);
    }
    for (size_t i = 0; i < o->curve_count; i++) {
        result->curves[i] =
            (stlclash_curve){(const double(*)[3])result->curve_points + o->curves[i].first,
                             o->curves[i].count, o->curves[i].closed};
    }
    result->public.curves = result->curves;
    result->public.curve_count = o->curve_count;
    return true;
}

static bool fill_health(const sc_found *f, sc_result *result)
{
    for (int i = 0; i < 2; i++) {
        int part = f->order.swapped ? 1 - i : i;
        const sc_health *health = f->judgement->health[part];
        stlclash_part_result *r = &result->public.part[i];

        sc_box_store(&f->part[part]->bounds, r->bounds);
        if (!health) {
            r->has_health = r->closed = f->judgement->has_health || f->judgement->balanced;
            continue;
        }
        if (!sc_tell_health(health, r, &result->kept[i])) {
            return false;
        }
    }
    return true;
}

stlclash_code sc_fill_result(const sc_found *f, sc_result *result, stlclash_error *error)
{
    stlclash_result *r = &result->public;

    if (!fill_health(f, result)) {
        return sc_error_memory(error);
    }
    if (!f->narrow) {
        return STLCLASH_OK;
    }
    r->has_hit_count = f->complete;
    r->hit_count = f->complete ? f->narrow->hits.count : 0;
    fill_separation(f, r);
    fill_normal(f, r);
    if ((f->complete && !fill_hits(f, result)) || !fill_gaps(f, result) ||
        !fill_overlap(f, result) || !fill_curves(f, result)) {
        return sc_error_memory(error);
    }
    return STLCLASH_OK;
}
