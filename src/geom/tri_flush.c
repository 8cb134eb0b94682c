/* tri_flush.c - see tri_flush.h. */
#include "tri_flush.h"

#include "orient.h"

/* Cosine of the angle of two normals up to which facets may be flush. */
static const double least_cosine = 0.995;

/* A place in the projection along an axis, and how far off the other's plane it is. */
typedef struct corner {
    double x, y, gap;
} corner;

/* Each cut of a triangle, by a side of the other or at a limit, adds one; or doubles them, where
 * the corners of a sliver are to either side as rounding has it. */
enum { MAX_CORNERS = 3 * 2 * 2 * 2 * 2 * 2 };

typedef struct polygon {
    corner corners[MAX_CORNERS];
    int count;
} polygon;

/* Of a convex polygon, what lies on the side of a straight line where `side` of the corners is not
 * negative (Sutherland, Hodgman 1974). */
static void cut(const polygon *p, const double side[MAX_CORNERS], polygon *out)
{
    out->count = 0;
    for (int i = 0; i < p->count; i++) {
        int next = i + 1 < p->count ? i + 1 : 0;
        const corner *a = &p->corners[i], *b = &p->corners[next];
        double sa = side[i], sb = side[next];
        if (sa >= 0.0) {
            out->corners[out->count++] = *a;
        }
        if ((sa > 0.0 && sb < 0.0) || (sa < 0.0 && sb > 0.0)) {
            double t = sa / (sa - sb);
            out->corners[out->count++] = (corner){
                a->x + t * (b->x - a->x), a->y + t * (b->y - a->y), a->gap + t * (b->gap - a->gap)};
        }
    }
}

/* To the left of the line from a to b. */
static void cut_along(const polygon *p, const corner *a, const corner *b, polygon *out)
{
    double side[MAX_CORNERS];
    for (int i = 0; i < p->count; i++) {
        side[i] =
            (b->x - a->x) * (p->corners[i].y - a->y) - (b->y - a->y) * (p->corners[i].x - a->x);
    }
    cut(p, side, out);
}

/* Where the gap, `way` times it, is at most the limit. */
static void cut_at(const polygon *p, double way, double limit, polygon *out)
{
    double side[MAX_CORNERS];
    for (int i = 0; i < p->count; i++) {
        side[i] = limit - way * p->corners[i].gap;
    }
    cut(p, side, out);
}

static double widest_gap(const polygon *p)
{
    double widest = 0.0;
    for (int i = 0; i < p->count; i++) {
        widest = sc_max(widest, fabs(p->corners[i].gap));
    }
    return widest;
}

static double area_of(const polygon *p)
{
    double twice = 0.0;
    for (int i = 0; i < p->count; i++) {
        const corner *a = &p->corners[i], *b = &p->corners[i + 1 < p->count ? i + 1 : 0];
        twice += a->x * b->y - b->x * a->y;
    }
    return 0.5 * fabs(twice);
}

/* What v has across a unit vector. */
static sc_vec3 flattened(sc_vec3 v, sc_vec3 unit)
{
    return sc_mul_add(v, -sc_dot(v, unit), unit);
}

bool sc_tri_coplanar(const sc_vec3 a[3], const sc_vec3 b[3])
{
    for (int i = 0; i < 3; i++) {
        if (sc_orient3d(b[0], b[1], b[2], a[i]) != 0) {
            return false;
        }
    }
    return sc_projection_axis(a[0], a[1], a[2]) >= 0 && sc_projection_axis(b[0], b[1], b[2]) >= 0;
}

/* Whether some of a may lie within the limits from the plane of b. */
static bool comes_near(const corner gap_at[3], const sc_flush *flush)
{
    double least = INFINITY, most = -INFINITY;
    for (int k = 0; k < 3; k++) {
        least = sc_min(least, gap_at[k].gap);
        most = sc_max(most, gap_at[k].gap);
    }
    return least <= flush->gap && most >= -flush->overlap;
}

/* What of a polygon lies within the limits. */
static double area_within(polygon *p, polygon *spare, const sc_flush *flush)
{
    cut_at(p, 1.0, flush->gap, spare);
    cut_at(spare, -1.0, flush->overlap, p);
    return area_of(p);
}

double sc_tri_flush_area(const sc_vec3 a[3], const sc_vec3 b[3], const sc_flush *flush,
                         bool *opposed)
{
    const sc_vec3 na = sc_area_twice(a), nb = sc_area_twice(b);
    const double lengths = sqrt(sc_dot(na, na) * sc_dot(nb, nb)), cosine = sc_dot(na, nb);
    const bool in_part = sc_flush_reach(flush) > flush->all_over;
    *opposed = cosine < 0.0;
    if (!(lengths > 0.0 && fabs(cosine) >= least_cosine * lengths)) {
        return 0.0;
    }
    const bool coplanar = flush->all_over == 0.0 && sc_tri_coplanar(a, b);
    if (flush->all_over == 0.0 && !coplanar && !in_part) {
        return 0.0;
    }
    const sc_vec3 sum = sc_mul_add(na, *opposed ? -1.0 : 1.0, nb);
    const sc_vec3 mean = sc_scale(sum, 1.0 / sc_length(sum));
    const int axis = sc_largest_axis(mean), i = (axis + 1) % 3, j = (axis + 2) % 3;
    const double gap_scale = 1.0 / sc_length(nb);
    polygon first, second;
    polygon *p = &first, *spare = &second;
    corner clip[3];

    first.count = 3;
    for (int k = 0; k < 3; k++) { /* relative to a[0]: small numbers, small errors */
        sc_vec3 in_a = flattened(sc_sub(a[k], a[0]), mean);
        sc_vec3 in_b = flattened(sc_sub(b[*opposed ? 2 - k : k], a[0]), mean);
        double gap = sc_dot(nb, sc_sub(a[k], b[0])) * gap_scale;
        p->corners[k] = (corner){sc_component(in_a, i), sc_component(in_a, j), gap};
        clip[k] = (corner){sc_component(in_b, i), sc_component(in_b, j), 0.0};
    }
    if (!coplanar && !comes_near(p->corners, flush)) {
        return 0.0;
    }
    const bool clockwise = sc_component(na, axis) < 0.0; /* and so is the clip */
    for (int k = 0; k < 3 && p->count > 0; k++) {
        const corner *from = &clip[k], *to = &clip[k < 2 ? k + 1 : 0];
        cut_along(p, clockwise ? to : from, clockwise ? from : to, spare);
        polygon *cut_off = p;
        p = spare;
        spare = cut_off;
    }
    const double aslant = fabs(sc_component(mean, axis));
    if (coplanar || widest_gap(p) <= flush->all_over) {
        return area_of(p) / aslant;
    }
    return in_part ? area_within(p, spare, flush) / aslant : 0.0;
}
