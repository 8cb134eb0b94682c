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
        if (last.x == p.x && last.y == p.y && last.z == p.z) {
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
    if (overlap->curve_point_count - curve->first > 1 && first.x == last.x && first.y == last.y &&
        first.z == last.z) {
        overlap->curve_point_count--;
    }
    curve->closed = true;
}

/* Chains the segments: each crossing ends one of them and begins another, since the
 * facets at an edge come in pairs. */
bool sc_overlap_chain_curves(const sc_crossings *w, sc_overlap *overlap)
{
    size_t *next = sc_alloc(w->crossing_count, sizeof *next); /* segment that starts there */
    bool *entered = sc_calloc(w->crossing_count, sizeof *entered), *done = NULL;
    overlap->curves = sc_alloc(w->segment_count, sizeof *overlap->curves);
    overlap->curve_points = sc_alloc(2 * w->segment_count, sizeof *overlap->curve_points);
    done = sc_calloc(w->segment_count, sizeof *done);
    bool good = next && entered && done && overlap->curves && overlap->curve_points;

    for (size_t i = 0; good && i < w->crossing_count; i++) {
        next[i] = SIZE_MAX;
    }
    for (size_t i = w->segment_count; good && i-- > 0;) {
        next[w->segments[i].start] = i;
        entered[w->segments[i].end] = true;
    }
    /* Open ends first (there are none on closed parts), then loops. */
    for (int loops = 0; good && loops < 2; loops++) {
        for (size_t i = 0; i < w->segment_count; i++) {
            size_t start = w->segments[i].start, at = start;
            if (done[i] || (!loops && entered[start])) {
                continue;
            }
            sc_overlap_curve curve = {overlap->curve_point_count, 0, false};
            add_curve_point(w, overlap, curve.first, start);
            for (size_t k = i; k != SIZE_MAX && !done[k]; k = next[at]) {
                done[k] = true;
                at = w->segments[k].end;
                if (at == start) {
                    close_curve(overlap, &curve);
                    break;
                }
                add_curve_point(w, overlap, curve.first, at);
            }
            curve.count = overlap->curve_point_count - curve.first;
            overlap->curves[overlap->curve_count++] = curve;
        }
    }
    sc_free(next);
    sc_free(entered);
    sc_free(done);
    return good;
}
