/* overlap.c - see overlap.h.
 *
 * The divergence theorem, piece by piece of the overlap's boundary: with c a point in
 * the plane of a facet and a -> b the stretches of the border of its part inside the
 * other solid, all relative to a local origin,
 *
 *   6 V = sum over facets, over stretches a -> b of det(c, a, b)
 *
 * Stretches are pieces of the facet's edges between crossings with the other surface,
 * and the segments S -> E in which facets f and g cross: forwards for f, backwards for
 * g. No order of the segments and no topology is needed. c is a crossing point where
 * there is one: then all numbers are as small as the overlap, and so are their errors.
 * An ill-conditioned crossing moves along its edge, which changes V in second order. */
#include "overlap.h"

#include "base/alloc.h"
#include "overlap_bounds.h"
#include "overlap_holes.h"
#include "overlap_sums.h"
#include "overlap_twice.h"

#include <stdlib.h>
#include <string.h>

/* ---- regions ------------------------------------------------------------- */

static int by_volume(const void *x, const void *y)
{
    const sc_overlap_region *a = x, *b = y;
    if (a->volume != b->volume) {
        return a->volume > b->volume ? -1 : 1;
    }
    for (int i = 0; i < 6; i++) { /* piece numbers depend on the order of the facets */
        double at = i < 3 ? a->bounds.low[i] : a->bounds.high[i - 3];
        double other = i < 3 ? b->bounds.low[i] : b->bounds.high[i - 3];
        if (at != other) {
            return at < other ? -1 : 1;
        }
    }
    return (a->piece > b->piece) - (a->piece < b->piece);
}

/* A surface that encloses less than nothing bounds a hole or a cavity of a region. */
static bool fill_holes(const sc_crossings *x, const sc_pieces *pieces, size_t count,
                       sc_overlap *overlap)
{
    sc_overlap_region *regions = overlap->regions;
    size_t *holder = sc_alloc(count + 1, sizeof *holder);
    const bool good = holder && sc_overlap_find_holders(x, pieces, regions, count, holder);

    for (size_t i = count; i-- > 0 && good;) {
        if (holder[i] != SIZE_MAX) {
            regions[holder[i]].volume += regions[i].volume;
            overlap->region_of[regions[i].piece] = (uint32_t)regions[holder[i]].piece;
        }
    }
    sc_free(holder);
    return good;
}

/* From the largest piece of its region, if it has one, to the region. */
static void number_regions(const sc_overlap *overlap, size_t pieces, uint32_t *number)
{
    for (size_t i = 0; i < pieces; i++) {
        number[i] = SC_NO_REGION;
    }
    for (size_t i = 0; i < overlap->region_count; i++) {
        number[overlap->regions[i].piece] = (uint32_t)i;
    }
    for (size_t i = 0; i < pieces; i++) {
        uint32_t main = overlap->region_of[i];
        overlap->region_of[i] = main == SC_NO_REGION ? SC_NO_REGION : number[main];
    }
}

/* What a volume is off by at most. */
static double error_of(const sc_crossings *x, const sc_sum *volume6)
{
    return 16.0 * 0x1p-53 * volume6->magnitude / 6.0 + x->slack;
}

/* By the error of its own: that of the whole may be more than a small piece holds. */
static bool has_volume(const sc_crossings *x, const sc_sum *volume6)
{
    return fabs(sc_sum_total(volume6)) / 6.0 > error_of(x, volume6);
}

static bool list_regions(const sc_crossings *x, const sc_sums *s, const sc_pieces *p,
                         sc_overlap *overlap)
{
    const size_t pieces = p->count;
    uint32_t *number = sc_alloc(pieces + 1, sizeof *number);
    size_t count = 0;
    for (size_t i = 0; i < pieces; i++) {
        count += has_volume(x, &s->of[i].volume6);
    }
    overlap->regions = sc_alloc(count + 1, sizeof *overlap->regions);
    overlap->region_of = sc_alloc(pieces + 1, sizeof *overlap->region_of);
    if (!overlap->regions || !overlap->region_of || !number) {
        sc_free(number);
        return false;
    }
    count = 0;
    for (size_t i = 0; i < pieces; i++) {
        const sc_sum *volume6 = &s->of[i].volume6;
        overlap->region_of[i] = SC_NO_REGION;
        if (has_volume(x, volume6)) {
            const double volume = sc_sum_total(volume6) / 6.0;
            overlap->region_of[i] = (uint32_t)i;
            overlap->regions[count++] = (sc_overlap_region){volume, s->of[i].bounds, i};
        }
    }
    qsort(overlap->regions, count, sizeof *overlap->regions, by_volume);
    const bool good = fill_holes(x, p, count, overlap);
    for (; count > 0; count--) { /* holes, and regions of which they leave nothing */
        const sc_overlap_region *last = &overlap->regions[count - 1];
        if (last->volume > error_of(x, &s->of[last->piece].volume6)) {
            break;
        }
    }
    qsort(overlap->regions, count, sizeof *overlap->regions, by_volume);
    if (count == 0 || overlap->volume <= overlap->volume_error) { /* less than can be told apart */
        overlap->regions[0] = (sc_overlap_region){overlap->volume, overlap->common, 0};
        count = 1;
        memset(overlap->region_of, 0, pieces * sizeof *overlap->region_of);
    }
    overlap->region_count = count;
    number_regions(overlap, pieces, number);
    sc_free(number);
    /* Pieces without volume, where parts only touch, are none of the overlap. */
    overlap->bounds = sc_box_empty();
    for (size_t i = 0; i < count; i++) {
        sc_box_add_box(&overlap->bounds, &overlap->regions[i].bounds);
    }
    return good;
}

/* ---- all of it ----------------------------------------------------------- */

/* Less of the area than this left over is rounding, not a direction. */
static const double direction_threshold = 1e-6;

/* And less than this along an axis. */
static const double component_threshold = 0x1p-44;

static double unless_rounding(double component, double area)
{
    return fabs(component) > component_threshold * area ? component : 0.0;
}

void sc_overlap_add_area(sc_overlap *overlap, sc_vec3 area_vector, double area)
{
    const sc_vec3 sum = sc_add(overlap->area_vector, area_vector);
    overlap->area_terms += area;
    overlap->area_vector = (sc_vec3){unless_rounding(sum.x, overlap->area_terms),
                                     unless_rounding(sum.y, overlap->area_terms),
                                     unless_rounding(sum.z, overlap->area_terms)};
    overlap->has_direction =
        sc_length(overlap->area_vector) > direction_threshold * overlap->area_terms;
}

/* As near to the sum as what is known otherwise allows. */
static void keep_within(double most, sc_overlap *overlap)
{
    overlap->volume = sc_max(sc_min(overlap->volume, most), 0.0);
    overlap->volume_error = sc_max(most - overlap->volume, overlap->volume);
}

/* From the sums to the result. */
static bool conclude(const sc_crossings *x, const sc_sums *s, const sc_pieces *pieces,
                     sc_crew *crew, sc_overlap *overlap)
{
    overlap->volume = sc_sum_total(&s->all.volume6) / 6.0;
    overlap->volume_error = error_of(x, &s->all.volume6);
    if (x->most > 0.0) {
        keep_within(x->most, overlap);
    }
    overlap->bounds = overlap->common = s->all.bounds;
    sc_overlap_add_area(overlap,
                        (sc_vec3){0.5 * sc_sum_total(&s->area[0]), 0.5 * sc_sum_total(&s->area[1]),
                                  0.5 * sc_sum_total(&s->area[2])},
                        0.5 * s->area_terms);
    if (overlap->volume <= overlap->volume_error && !x->displaced &&
        !sc_overlap_is_zero(x, crew, &overlap->volume_is_zero)) {
        return false;
    }
    if (sc_watch_is_over(x->solid[0]->watch)) {
        return false; /* what it says may be that of half the sum */
    }
    if (overlap->volume_is_zero) {
        overlap->volume = overlap->volume_error = 0.0;
    } else if (overlap->volume <= overlap->volume_error) { /* too little to weigh */
        overlap->volume = sc_fmax(overlap->volume, 0.0);
        overlap->centroid = sc_box_centre(&overlap->common);
    } else {
        double scale = 24.0 * overlap->volume;
        sc_vec3 centroid = sc_add(x->origin, (sc_vec3){sc_sum_total(&s->moment[0]) / scale,
                                                       sc_sum_total(&s->moment[1]) / scale,
                                                       sc_sum_total(&s->moment[2]) / scale});
        overlap->centroid = sc_box_nearest(&overlap->bounds, centroid); /* but for rounding */
    }
    return overlap->volume_is_zero || list_regions(x, s, pieces, overlap);
}

static bool vertices_count_twice(const sc_crossings *x)
{
    const sc_winding_range a = sc_windings_range(&x->windings[0]);
    const sc_winding_range b = sc_windings_range(&x->windings[1]);
    return a.least < 0 || a.greatest > 1 || b.least < 0 || b.greatest > 1;
}

static bool measure(sc_crossings *x, sc_crew *crew, sc_pieces *pieces, sc_overlap *overlap)
{
    sc_sums sums = {.of = NULL};
    bool good = sc_pieces_find(x, crew, pieces) && sc_sums_make(x, pieces, crew, &sums) &&
                conclude(x, &sums, pieces, crew, overlap);
    if (good && !overlap->volume_is_zero) {
        good = sc_overlap_narrow_bounds(x, pieces, &sums, overlap);
    }
    if (good && !overlap->volume_is_zero) {
        const bool perhaps = vertices_count_twice(x) || pieces->multiplicity;
        good = sc_overlap_look_twice(x, overlap, perhaps, &overlap->multiplicity);
    }
    sc_sums_free(&sums);
    return good;
}

static void note_windings(const sc_crossings *x, sc_overlap *overlap)
{
    bool all_inside[2], none_inside[2];
    for (int part = 0; part < 2; part++) {
        const sc_windings *in = &x->windings[part];
        sc_winding_range range = sc_windings_range(in);
        all_inside[part] =
            range.some_not_0 && !range.some_0 && in->crossed == 0 && !in->some_outside;
        none_inside[part] = !range.some_not_0;
    }
    for (int part = 0; part < 2; part++) { /* else a cavity of the other is inside it */
        overlap->inside[part] = all_inside[part] && none_inside[1 - part];
    }
}

bool sc_overlap_measure(sc_crossings *x, sc_crew *crew, sc_pieces *pieces, sc_overlap *overlap)
{
    *overlap = (sc_overlap){.none = true, .bounds = sc_box_empty(), .common = sc_box_empty()};
    note_windings(x, overlap);
    overlap->none = sc_crossings_none(x);
    overlap->volume_is_zero = overlap->none;
    return overlap->none || measure(x, crew, pieces, overlap);
}

bool sc_overlap_find_curves(sc_solid *solid[2], const uint64_t *hits, size_t hit_count,
                            sc_crew *crew, sc_overlap *overlap)
{
    sc_crossings x;
    bool good = sc_crossings_find(solid, hits, hit_count, crew, &x) &&
                sc_crossings_find_places(&x) && sc_overlap_chain_curves(&x, overlap);
    sc_crossings_free(&x);
    return good;
}

void sc_overlap_free(sc_overlap *overlap)
{
    sc_free(overlap->regions);
    sc_free(overlap->region_of);
    sc_free(overlap->curves);
    sc_free(overlap->curve_points);
    sc_free(overlap->mesh.vertices);
    sc_free(overlap->mesh.facets);
    sc_free(overlap->mesh.of_region);
    *overlap = (sc_overlap){.none = true};
}
