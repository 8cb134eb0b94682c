/* region_times.c - see region_times.h: from a corner of the facet, where all regions are known, on
 * a straight way to the point, with what crossings of the region on that way change. */
#include "region_times.h"

#include "base/alloc.h"
#include "geom/facet_area.h"

#include <stdlib.h>

typedef struct sc_region_corners {
    uint32_t facet;
    int32_t times[3]; /* of a corner, and of which region: no other is bounded there */
    uint32_t region[3];
} sc_region_corners;

/* ---- making --------------------------------------------------------------------- */

static void fill_facets(const sc_windings *w, int32_t *of)
{
    for (size_t i = 0; i < w->count; i++) {
        of[w->facets[i].facet] = w->winding[w->facets[i].vertex[0]];
    }
    for (size_t i = 0; i < w->patch_count; i++) {
        const sc_patch *p = &w->patches[i];
        for (size_t k = 0; k < p->facets; k++) {
            of[w->patch_facets[p->facet + k]] = p->winding;
        }
    }
}

static void fill_corners(const sc_crossings *x, const sc_pieces *pieces, const uint32_t *region_of,
                         int part, sc_region_corners *corners)
{
    const sc_windings *w = &x->windings[part];
    for (size_t i = 0; i < w->crossed; i++) {
        corners[i].facet = w->facets[i].facet;
        for (int k = 0; k < 3; k++) {
            const uint32_t vertex = w->facets[i].vertex[k];
            corners[i].times[k] = w->winding[vertex];
            corners[i].region[k] = region_of[pieces->of[sc_pieces_vertex(x, part, vertex)]];
        }
    }
}

bool sc_region_times_make(const sc_crossings *x, const sc_pieces *pieces, const uint32_t *region_of,
                          int part, const sc_region_segments *on, sc_region_times *times)
{
    const sc_windings *w = &x->windings[part];
    const uint32_t facets = w->own->part->mesh->file.facets.count;
    *times = (sc_region_times){.part = part,
                               .on = on,
                               .of_facet = sc_calloc(facets, sizeof *times->of_facet),
                               .corners = sc_alloc(w->crossed + 1, sizeof *times->corners),
                               .corner_count = w->crossed};
    if (!times->of_facet || !times->corners) {
        return false;
    }
    fill_facets(w, times->of_facet);
    fill_corners(x, pieces, region_of, part, times->corners);
    return true;
}

void sc_region_times_free(sc_region_times *times)
{
    sc_free(times->of_facet);
    sc_free(times->corners);
    *times = (sc_region_times){.of_facet = NULL};
}

/* ---- asking --------------------------------------------------------------------- */

static int by_facet(const void *x, const void *y)
{
    const sc_region_corners *a = x, *b = y;
    return (a->facet > b->facet) - (a->facet < b->facet);
}

/* Of a length: what may be rounding. */
static const double unclear = 0x1p-36;

/* A straight way in the plane of a facet. */
typedef struct path {
    sc_vec3 from, way;
    sc_vec3 normal; /* of the plane, unit */
} path;

/* Of a point, as parts of its length: how far along a path, and how far to the left of it, seen
 * from where the normal points to. */
typedef struct position {
    double along, left;
} position;

static position position_on(const path *w, sc_vec3 p)
{
    const sc_vec3 to = sc_sub(p, w->from);
    const double size = sc_dot(w->way, w->way);
    return (position){sc_dot(w->way, to) / size, sc_dot(w->normal, sc_cross(w->way, to)) / size};
}

/* -1, 0, 1: before the path, on it, beyond it. */
static int place_along(double along)
{
    return along < -unclear ? -1 : along > 1.0 + unclear;
}

/* 1: the path crosses the segment from its right to its left; -1: the other way; 0: it does not.
 * False if it is not clear, as where it passes an end of the segment. */
static bool cross_segment(const path *w, const sc_region_segment *s, int *sense)
{
    const position a = position_on(w, s->start), b = position_on(w, s->end);
    const bool a_in_line = fabs(a.left) <= unclear, b_in_line = fabs(b.left) <= unclear;
    *sense = 0;
    if (a_in_line || b_in_line) {
        const int at_a = place_along(a.along), at_b = place_along(b.along);
        return a_in_line && b_in_line ? at_a == at_b && at_a != 0 : (a_in_line ? at_a : at_b) != 0;
    }
    if ((a.left > 0.0) == (b.left > 0.0)) {
        return true;
    }
    const double at = a.along + (b.along - a.along) * (a.left / (a.left - b.left));
    if (at > unclear && at < 1.0 - unclear) {
        *sense = a.left > 0.0 ? 1 : -1;
        return true;
    }
    return place_along(at) != 0;
}

/* What the crossings of a region add up to on a path to a point of a facet. */
static bool add_crossings(const sc_region_times *times, uint32_t facet, uint32_t region,
                          const path *w, int *sum)
{
    const sc_region_segment *s = times->on->segment;
    *sum = 0;
    for (size_t i = sc_region_segments_first(times->on, facet);
         i < times->on->count && s[i].facet == facet; i++) {
        int sense;
        if (s[i].region != region) {
            continue;
        }
        if (!cross_segment(w, &s[i], &sense)) {
            return false;
        }
        /* inside is to the left on facets of A, to the right on those of B (crossings.h) */
        *sum += times->part == 0 ? sense : -sense;
    }
    return true;
}

/* Whether some crossing of the region is within `radius` of a point of a facet. */
static bool is_close_to_crossing(const sc_region_segments *on, uint32_t facet, uint32_t region,
                                 sc_vec3 point, double radius)
{
    const sc_region_segment *s = on->segment;
    for (size_t i = sc_region_segments_first(on, facet); i < on->count && s[i].facet == facet;
         i++) {
        if (s[i].region == region &&
            sc_region_segment_distance_sq(&s[i], point) <= radius * radius) {
            return true;
        }
    }
    return false;
}

bool sc_region_times_at(const sc_region_times *times, uint32_t facet, sc_vec3 point, double radius,
                        uint32_t region, int *found)
{
    const sc_region_segments *on = times->on;
    const uint32_t only = on->of_facet[facet];
    if (only != SC_CROSSED) {
        *found = only == region ? times->of_facet[facet] : 0;
        return true;
    }
    const sc_region_corners key = {.facet = facet};
    const sc_region_corners *corners =
        bsearch(&key, times->corners, times->corner_count, sizeof key, by_facet);
    if (!corners || is_close_to_crossing(on, facet, region, point, radius)) {
        return false;
    }
    sc_vec3 v[3];
    double error;
    sc_solid_facet(on->solid, facet, v);
    const sc_vec3 normal = sc_facet_normal(v, &error);
    for (int k = 0; k < 3 && sc_length(normal) > 0x1p20 * error; k++) {
        const path way = {v[k], sc_sub(point, v[k]), sc_unit(normal)};
        const double close = unclear * sc_length(way.way);
        int sum;
        if (!is_close_to_crossing(on, facet, region, v[k], close) &&
            add_crossings(times, facet, region, &way, &sum)) {
            *found = sum + (corners->region[k] == region ? corners->times[k] : 0);
            return *found >= 0;
        }
    }
    return false;
}
