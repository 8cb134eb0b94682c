/* overlap_curves.c - the curves in which two surfaces cross, as polylines. */
#include "overlap.h"

#include "base/alloc.h"
#include "crossings.h"

/* Adds a point to the last curve unless it is there already. */
static void add_curve_point(const sc_crossings *w, sc_overlap *overlap, size_t first, size_t number)
{
    sc_vec3 p = sc_add(w->crossings[number].point, w->origin);
    if (overlap->curve_point_count > first) {
        sc_vec3 last = overlap->curve_points[overlap->curve_point_count - 1];
        if (sc_same(last, p)) {
            return;
        }
    }
    overlap->curve_points[overlap->curve_point_count++] = p;
}

/* A loop that ends where it began says so once. */
static void close_curve(sc_overlap *overlap, sc_overlap_curve *curve)
{
    sc_vec3 first = overlap->curve_points[curve->first];
    sc_vec3 last = overlap->curve_points[overlap->curve_point_count - 1];
    if (overlap->curve_point_count - curve->first > 1 && sc_same(first, last)) {
        overlap->curve_point_count--;
    }
    curve->closed = true;
}

/* The segments that start in each crossing and are not in a curve yet: two at most, unless more
 * than two facets meet at an edge. */
typedef struct starts {
    size_t *first; /* [crossings] a segment, or SIZE_MAX */
    size_t *other; /* [segments] the next one that starts in the same crossing, or SIZE_MAX */
    int32_t *more; /* [crossings] by how many more start than end there */
} starts;

static bool find_starts(const sc_crossings *w, starts *s)
{
    s->first = sc_alloc(w->crossing_count, sizeof *s->first);
    s->other = sc_alloc(w->segment_count, sizeof *s->other);
    s->more = sc_calloc(w->crossing_count, sizeof *s->more);
    if (!s->first || !s->other || !s->more) {
        return false;
    }
    for (size_t i = 0; i < w->crossing_count; i++) {
        s->first[i] = SIZE_MAX;
    }
    for (size_t i = w->segment_count; i-- > 0;) {
        const size_t start = sc_crossings_place(w, w->segments[i].start);
        s->other[i] = s->first[start];
        s->first[start] = i;
        s->more[start]++;
        s->more[sc_crossings_place(w, w->segments[i].end)]--;
    }
    return true;
}

/* One curve from a crossing on, until it comes back or nothing goes on. */
static void follow(const sc_crossings *w, starts *s, size_t start, sc_overlap *overlap)
{
    sc_overlap_curve curve = {overlap->curve_point_count, 0, false};
    size_t at = start;

    add_curve_point(w, overlap, curve.first, start);
    while (s->first[at] != SIZE_MAX && !curve.closed) {
        const size_t segment = s->first[at];
        s->first[at] = s->other[segment];
        s->more[at]--;
        at = sc_crossings_place(w, w->segments[segment].end);
        s->more[at]++;
        if (at == start) {
            close_curve(overlap, &curve);
        } else {
            add_curve_point(w, overlap, curve.first, at);
        }
    }
    curve.count = overlap->curve_point_count - curve.first;
    overlap->curves[overlap->curve_count++] = curve;
}

/* Chains the segments: as many start in each crossing as end there, but for the ends of curves on
 * open parts. */
bool sc_overlap_chain_curves(const sc_crossings *w, sc_overlap *overlap)
{
    starts s;
    overlap->curves = sc_alloc(w->segment_count, sizeof *overlap->curves);
    overlap->curve_points = sc_alloc(2 * w->segment_count, sizeof *overlap->curve_points);
    bool good = find_starts(w, &s) && overlap->curves && overlap->curve_points;

    for (int loops = 0; good && loops < 2; loops++) {
        for (size_t i = 0; i < w->segment_count; i++) {
            const size_t start = sc_crossings_place(w, w->segments[i].start);
            while (s.first[start] != SIZE_MAX && (loops || s.more[start] > 0)) {
                follow(w, &s, start, overlap);
            }
        }
    }
    sc_free(s.first);
    sc_free(s.other);
    sc_free(s.more);
    return good;
}
