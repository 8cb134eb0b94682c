/* tri_flush.c - see tri_flush.h. */
#include "tri_flush.h"

#include "orient.h"

#include <stddef.h>

/* Cosine of the angle of two normals up to which facets may be flush. */
static const double least_cosine = 0.995;

/* A place in the projection along an axis, and how far off the other's plane it is. */
typedef struct corner {
    double x, y, gap;
} corner;

/* Each cut of a triangle, by a side of the other or at a limit, adds one; or doubles them, where
 * the corners of a sliver are to either side as rounding has it. */
enum { MAX_CORNERS = SC_FLUSH_CORNERS };

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

/* Two facets seen along the mean of their normals. */
typedef struct view {
    polygon room[2]; /* to work in */
    polygon *seen;   /* one of them: what lies flush */
    sc_vec3 mean;
} view;

static double aslant_to(sc_vec3 mean)
{
    return fabs(sc_component(mean, sc_largest_axis(mean)));
}

/* Both facets as they are seen, relative to a[0]: small numbers, small errors. Corners of a with
 * their gaps from the plane of b, along whose normal is `nb`. */
static void see_both(const sc_vec3 a[3], const sc_vec3 b[3], sc_vec3 nb, bool opposed, view *w,
                     corner clip[3])
{
    const int axis = sc_largest_axis(w->mean), i = (axis + 1) % 3, j = (axis + 2) % 3;
    const double gap_scale = 1.0 / sc_length(nb);
    w->seen->count = 3;
    for (int k = 0; k < 3; k++) {
        const sc_vec3 in_a = flattened(sc_sub(a[k], a[0]), w->mean);
        const sc_vec3 in_b = flattened(sc_sub(b[opposed ? 2 - k : k], a[0]), w->mean);
        const double gap = sc_dot(nb, sc_sub(a[k], b[0])) * gap_scale;
        w->seen->corners[k] = (corner){sc_component(in_a, i), sc_component(in_a, j), gap};
        clip[k] = (corner){sc_component(in_b, i), sc_component(in_b, j), 0.0};
    }
}

static polygon *spare_room(view *w)
{
    return w->seen == &w->room[0] ? &w->room[1] : &w->room[0];
}

/* Cuts what is seen to a triangle. */
static void cut_to(view *w, const corner clip[3], bool clockwise)
{
    for (int k = 0; k < 3 && w->seen->count > 2; k++) { /* of fewer there is no area */
        const corner *from = &clip[k], *to = &clip[k < 2 ? k + 1 : 0];
        polygon *spare = spare_room(w);
        cut_along(w->seen, clockwise ? to : from, clockwise ? from : to, spare);
        w->seen = spare;
    }
}

/* As sc_tri_flush_area. */
static double look_at(const sc_vec3 a[3], const sc_vec3 b[3], const sc_flush *flush, bool *opposed,
                      view *w)
{
    const sc_vec3 na = sc_area_twice(a), nb = sc_area_twice(b);
    /* Not the root of a product: that of the largest or least floats is out of range. */
    const double lengths = sc_length(na) * sc_length(nb), cosine = sc_dot(na, nb);
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
    corner clip[3];

    w->mean = sc_scale(sum, 1.0 / sc_length(sum));
    w->seen = &w->room[0];
    see_both(a, b, nb, *opposed, w, clip);
    if (!coplanar && !comes_near(w->seen->corners, flush)) {
        return 0.0;
    }
    cut_to(w, clip, sc_component(na, sc_largest_axis(w->mean)) < 0.0); /* both are clockwise then */
    if (!coplanar && widest_gap(w->seen) > flush->all_over) {
        if (!in_part) {
            return 0.0;
        }
        polygon *spare = spare_room(w);
        cut_at(w->seen, 1.0, flush->gap, spare);
        cut_at(spare, -1.0, flush->overlap, w->seen);
    }
    return area_of(w->seen) / aslant_to(w->mean);
}

double sc_tri_flush_area(const sc_vec3 a[3], const sc_vec3 b[3], const sc_flush *flush,
                         bool *opposed)
{
    view w;
    return look_at(a, b, flush, opposed, &w);
}

double sc_tri_flush_part(const sc_vec3 a[3], const sc_vec3 b[3], const sc_flush *flush,
                         bool *opposed, sc_flush_part *part)
{
    view w; /* not all of it is to be cleared */
    w.seen = NULL;
    w.mean = (sc_vec3){0.0, 0.0, 0.0};
    const double area = look_at(a, b, flush, opposed, &w);

    part->origin = a[0];
    part->along = w.mean;
    part->count = area > 0.0 ? w.seen->count : 0;
    for (int i = 0; i < part->count; i++) {
        part->corner[i][0] = w.seen->corners[i].x;
        part->corner[i][1] = w.seen->corners[i].y;
    }
    return area;
}

void sc_flush_part_see(const sc_flush_part *part, sc_vec3 p, double at[2])
{
    const sc_vec3 in = flattened(sc_sub(p, part->origin), part->along);
    const int axis = sc_largest_axis(part->along);
    at[0] = sc_component(in, (axis + 1) % 3);
    at[1] = sc_component(in, (axis + 2) % 3);
}

double sc_flush_part_aslant(const sc_flush_part *part)
{
    return aslant_to(part->along);
}
