/* overlap_regions.c - see overlap_regions.h. */
#include "overlap_regions.h"

#include "base/alloc.h"
#include "base/sort.h"
#include "region_times.h"

/* An order of all: of two that are equally near the first counts, on every system. */
static int by_facet(const void *x, const void *y)
{
    const sc_region_segment *a = x, *b = y;
    if (a->facet != b->facet) {
        return a->facet < b->facet ? -1 : 1;
    }
    return (a->other > b->other) - (a->other < b->other);
}

static void mark_facets(const sc_windings *w, const sc_crossings *x, const sc_pieces *pieces,
                        const uint32_t *region_of, int part, uint32_t *of)
{
    uint32_t facets = w->own->part->mesh->file.facets.count;
    for (uint32_t i = 0; i < facets; i++) {
        of[i] = SC_NO_REGION;
    }
    for (size_t i = 0; i < w->count; i++) {
        uint32_t vertex = w->facets[i].vertex[0];
        if (w->winding[vertex] != 0) {
            of[w->facets[i].facet] = region_of[pieces->of[sc_pieces_vertex(x, part, vertex)]];
        }
    }
    for (size_t i = 0; i < w->patch_count; i++) {
        const sc_patch *p = &w->patches[i];
        for (size_t k = 0; k < p->facets; k++) {
            of[w->patch_facets[p->facet + k]] = region_of[pieces->of[sc_pieces_patch(x, part, i)]];
        }
    }
    for (size_t i = 0; i < x->segment_count; i++) {
        of[x->segments[i].facet[part]] = SC_CROSSED;
    }
}

/* The same of all crossings at one place. */
static sc_vec3 place_of(const sc_crossings *x, size_t crossing)
{
    return sc_add(x->origin, x->crossings[sc_crossings_place(x, crossing)].point);
}

static bool list_segments(const sc_crossings *x, const sc_pieces *pieces, const uint32_t *region_of,
                          int part, sc_region_segment *segments)
{
    for (size_t i = 0; i < x->segment_count; i++) {
        const sc_segment *s = &x->segments[i];
        segments[i] =
            (sc_region_segment){.facet = s->facet[part],
                                .other = s->facet[1 - part],
                                .region = region_of[pieces->of[sc_pieces_crossing(x, s->start)]],
                                .start = place_of(x, s->start),
                                .end = place_of(x, s->end)};
    }
    return sc_sort_items(segments, x->segment_count, sizeof *segments, by_facet,
                         x->solid[0]->watch);
}

/* The segments of A of each region together, in the order in which they stand. */
static bool sort_by_region(sc_regions *regions, size_t region_count)
{
    const sc_region_segments *on_a = &regions->on[0];
    size_t *next = regions->of_region = sc_calloc(region_count + 1, sizeof *next);
    regions->by_region = sc_alloc(on_a->count, sizeof *regions->by_region);
    if (!next || !regions->by_region) {
        return false;
    }
    for (size_t i = 0; i < on_a->count; i++) {
        const uint32_t region = on_a->segment[i].region;
        if (region != SC_NO_REGION) {
            next[region]++;
        }
    }
    for (size_t i = 0, sum = 0; i <= region_count; i++) {
        sum += next[i];
        next[i] = sum; /* behind the last, and the first once all are placed */
    }
    for (size_t i = on_a->count; i-- > 0;) {
        const uint32_t region = on_a->segment[i].region;
        if (region != SC_NO_REGION) {
            regions->by_region[--next[region]] = i;
        }
    }
    return true;
}

static bool make_times(const sc_crossings *x, const sc_pieces *pieces, const sc_overlap *overlap,
                       sc_regions *regions)
{
    bool good = (regions->times = sc_calloc(2, sizeof *regions->times)) != NULL;
    for (int part = 0; part < 2 && good; part++) {
        good = sc_region_times_make(x, pieces, overlap->region_of, part, &regions->on[part],
                                    &regions->times[part]);
    }
    return good;
}

bool sc_regions_make(const sc_crossings *x, const sc_pieces *pieces, const sc_overlap *overlap,
                     sc_regions *regions)
{
    *regions = (sc_regions){.times = NULL};
    for (int part = 0; part < 2; part++) {
        const sc_windings *w = &x->windings[part];
        sc_region_segments *on = &regions->on[part];
        *on = (sc_region_segments){
            .solid = x->solid[part],
            .of_facet = sc_alloc(w->own->part->mesh->file.facets.count, sizeof *on->of_facet),
            .segment = sc_alloc(x->segment_count, sizeof *on->segment),
            .count = x->segment_count};
        if (!on->of_facet || !on->segment) {
            return false;
        }
        mark_facets(w, x, pieces, overlap->region_of, part, on->of_facet);
        if (!list_segments(x, pieces, overlap->region_of, part, on->segment)) {
            return false;
        }
    }
    const bool covers_twice = overlap->multiplicity || pieces->multiplicity;
    return sort_by_region(regions, overlap->region_count) &&
           (!covers_twice || make_times(x, pieces, overlap, regions));
}

void sc_regions_free(sc_regions *regions)
{
    for (int part = 0; part < 2; part++) {
        if (regions->times) {
            sc_region_times_free(&regions->times[part]);
        }
        sc_free(regions->on[part].of_facet);
        sc_free(regions->on[part].segment);
    }
    sc_free(regions->by_region);
    sc_free(regions->of_region);
    sc_free(regions->times);
    *regions = (sc_regions){.times = NULL};
}

size_t sc_regions_segments(const sc_regions *regions, uint32_t region)
{
    return regions->of_region[region + 1] - regions->of_region[region];
}

void sc_regions_segment(const sc_regions *regions, uint32_t region, size_t number,
                        uint32_t facet[2])
{
    size_t segment = regions->by_region[regions->of_region[region] + number];
    facet[0] = regions->on[0].segment[segment].facet;
    facet[1] = regions->on[0].segment[segment].other;
}

size_t sc_regions_about(const sc_regions *regions, int part, uint32_t facet, uint32_t *list,
                        size_t most)
{
    const sc_region_segments *on = &regions->on[part];
    const uint32_t only = on->of_facet[facet];
    size_t count = 0;
    if (regions->times) {
        return most + 1; /* it may bound several, and cross nothing */
    }
    if (only != SC_CROSSED) {
        list[0] = only;
        return only != SC_NO_REGION;
    }
    for (size_t i = sc_region_segments_first(on, facet);
         i < on->count && on->segment[i].facet == facet && count <= most; i++) {
        const uint32_t region = on->segment[i].region;
        if (region != SC_NO_REGION && (count == 0 || region != list[count - 1])) {
            count++;
            if (count <= most) {
                list[count - 1] = region;
            }
        }
    }
    return count;
}

/* How far the point is on the outer side of the other part's facet; less than 0: the inner one. */
static double height_over(const sc_regions *regions, int part, const sc_region_segment *s,
                          sc_vec3 point)
{
    sc_vec3 v[3];
    sc_solid_facet(regions->on[1 - part].solid, s->other, v);
    return sc_dot(sc_unit(sc_area_twice(v)), sc_sub(point, v[0]));
}

static bool is_behind(const sc_regions *regions, int part, const sc_region_segment *s,
                      sc_vec3 point)
{
    return height_over(regions, part, s, point) < 0.0;
}

uint32_t sc_regions_at(const sc_regions *regions, int part, uint32_t facet, sc_vec3 point)
{
    const sc_region_segments *on = &regions->on[part];
    const sc_region_segment *s = on->segment;
    uint32_t region = on->of_facet[facet];
    double least = INFINITY;
    bool behind = false; /* the wall of the nearest */

    if (region != SC_CROSSED) {
        return region;
    }
    region = SC_NO_REGION;
    for (size_t i = sc_region_segments_first(on, facet); i < on->count && s[i].facet == facet;
         i++) {
        const double same = 0x1p-40;
        double d = sc_region_segment_distance_sq(&s[i], point);
        bool nearer = d < least * (1.0 - same);
        bool as_near = !behind && d <= least * (1.0 + same) && s[i].region != region;
        bool here = (nearer || as_near) && is_behind(regions, part, &s[i], point);
        if (nearer || here) {
            behind = here;
            least = d;
            region = s[i].region;
        }
    }
    return region;
}

/* Where walls stand on each other, crossings with them are equally near wherever one is: whether
 * all that lies within `radius` of the point is on the outer side of those walls of the region that
 * may be nearest, and on the inner side of another one at `others`. */
static bool is_before_walls(const sc_regions *regions, int part, uint32_t facet, sc_vec3 point,
                            double radius, uint32_t region, double others)
{
    const sc_region_segments *on = &regions->on[part];
    const sc_region_segment *s = on->segment;
    const double same = 0x1p-40, clear = radius + same * others;
    bool behind_other = false;

    for (size_t i = sc_region_segments_first(on, facet); i < on->count && s[i].facet == facet;
         i++) {
        const double d = sqrt(sc_region_segment_distance_sq(&s[i], point));
        if (s[i].region == region) {
            if (d <= others + 2.0 * clear && height_over(regions, part, &s[i], point) <= clear) {
                return false;
            }
        } else if (d <= others * (1.0 + same)) {
            behind_other |= height_over(regions, part, &s[i], point) < -clear;
        }
    }
    return behind_other;
}

bool sc_regions_exclude(const sc_regions *regions, int part, uint32_t facet, sc_vec3 point,
                        double radius, uint32_t region)
{
    const sc_region_segments *on = &regions->on[part];
    const sc_region_segment *s = on->segment;
    uint32_t only = on->of_facet[facet];
    double own = INFINITY, others = INFINITY;
    int times;

    if (regions->times) {
        return sc_region_times_at(&regions->times[part], facet, point, radius, region, &times) &&
               times == 0 && only != SC_NO_REGION;
    }
    if (only != SC_CROSSED) {
        return only != region && only != SC_NO_REGION;
    }
    for (size_t i = sc_region_segments_first(on, facet); i < on->count && s[i].facet == facet;
         i++) {
        double *least = s[i].region == region ? &own : &others;
        *least = sc_fmin(*least, sc_region_segment_distance_sq(&s[i], point));
    }
    return sqrt(own) * (1.0 - 0x1p-20) > sqrt(others) + 2.0 * radius ||
           is_before_walls(regions, part, facet, point, radius, region, sqrt(others));
}
