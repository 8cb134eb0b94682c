/* least_overlap.c - see least_overlap.h. */
#include "least_overlap.h"

#include "pair.h"
#include "triangles.h"

enum { MAX_AXES = 2 + 9 + 6 };

/* After so many looks at a pair along an axis, no further pair gives axes: about a tenth of a
 * second. */
enum { MAX_LOOKS = 4000000 };

/* Lengths this much shorter than those they come from are rounding. */
static const double rounding = 1e-12;

typedef struct axes {
    sc_vec3 axis[MAX_AXES]; /* unit vectors */
    int count;
} axes;

static void add_cross(axes *list, sc_vec3 u, sc_vec3 v)
{
    sc_vec3 cross = sc_cross(u, v);
    double length = sc_length(cross);
    if (length > rounding * sc_length(u) * sc_length(v)) {
        list->axis[list->count++] = sc_scale(cross, 1.0 / length);
    }
}

static void find_edges(const sc_vec3 v[3], sc_vec3 edge[3])
{
    for (int i = 0; i < 3; i++) {
        edge[i] = sc_sub(v[(i + 1) % 3], v[i]);
    }
}

/* Axes that separate two triangles if any does; normals first, for of equal ones the first
 * is taken. */
static axes axes_of(const sc_vec3 a[3], const sc_vec3 b[3])
{
    axes list = {.count = 0};
    sc_vec3 of_a[3], of_b[3];

    find_edges(a, of_a);
    find_edges(b, of_b);
    add_cross(&list, of_a[0], of_a[1]);
    add_cross(&list, of_b[0], of_b[1]);
    int normals = list.count;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            add_cross(&list, of_a[i], of_b[j]);
        }
    }
    for (int n = 0; n < normals; n++) {
        for (int i = 0; i < 3; i++) {
            add_cross(&list, list.axis[n], n == 0 ? of_a[i] : of_b[i]);
        }
    }
    return list;
}

/* The pairs that are looked at for every axis. */
typedef struct search {
    const sc_part *const *part;
    const uint64_t *hits; /* [count] */
    size_t count;
    size_t telling; /* the pair that ruled out the last axis: it mostly does the next one, too */
    size_t looks;
    sc_watch *watch;
} search;

/* How far b reaches above the lowest of a, along d. */
static double overlap_along(sc_vec3 d, const sc_vec3 a[3], const sc_vec3 b[3])
{
    double low = 0.0, high = -INFINITY; /* relative to a[0] */
    for (int i = 0; i < 3; i++) {
        low = sc_min(low, sc_dot(d, sc_sub(a[i], a[0])));
        high = sc_max(high, sc_dot(d, sc_sub(b[i], a[0])));
    }
    return high - low;
}

/* The longest way between any two of their corners, or somewhat more. */
static double extent_of(const sc_vec3 a[3], const sc_vec3 b[3])
{
    double extent = 0.0;
    for (int i = 0; i < 3; i++) {
        extent = sc_max(extent, sc_length(sc_sub(a[i], a[0])) + sc_length(sc_sub(b[i], a[0])));
    }
    return extent;
}

static void facet_of(const search *s, int part, uint32_t number, sc_vec3 v[3])
{
    sc_triangle_vertices(&s->part[part]->mesh->file.facets, &s->part[part]->used, number, v);
}

static void facets_of(const search *s, size_t pair, sc_vec3 a[3], sc_vec3 b[3])
{
    facet_of(s, 0, sc_pair_facet(s->hits[pair], 0), a);
    facet_of(s, 1, sc_pair_facet(s->hits[pair], 1), b);
}

/* Of all pairs. */
static double greatest_extent(const search *s)
{
    double extent = 0.0;
    for (size_t h = 0; h < s->count && !sc_watch_ends(s->watch, h); h++) {
        sc_vec3 a[3], b[3];
        facets_of(s, h, a, b);
        extent = sc_max(extent, extent_of(a, b));
    }
    return extent;
}

static double overlap_of(const search *s, size_t pair, sc_vec3 d)
{
    sc_vec3 a[3], b[3];
    facets_of(s, pair, a, b);
    return overlap_along(d, a, b);
}

/* The most of all pairs; what exceeds `enough` is not looked at further. Pairs with the same facet
 * of A stand together. */
static double most_along(search *s, sc_vec3 d, double enough)
{
    double most = sc_max(0.0, overlap_of(s, s->telling, d));
    uint32_t known = 0;
    sc_vec3 a[3], b[3];

    s->looks++;
    for (size_t h = 0; h < s->count && most <= enough && !sc_watch_ends(s->watch, h); h++) {
        const uint32_t first = sc_pair_facet(s->hits[h], 0);
        s->looks++;
        if (h == 0 || first != known) {
            facet_of(s, 0, first, a);
            known = first;
        }
        facet_of(s, 1, sc_pair_facet(s->hits[h], 1), b);
        const double here = overlap_along(d, a, b);
        if (here > most) {
            most = here;
            s->telling = h;
        }
    }
    return most;
}

/* Looks for a better direction among the axes of one pair. */
static void try_axes(search *s, size_t pair, double slack, double *least, sc_vec3 *direction)
{
    sc_vec3 a[3], b[3];

    facets_of(s, pair, a, b);
    const axes list = axes_of(a, b);
    for (int i = 0; i < 2 * list.count; i++) {
        sc_vec3 d = sc_scale(list.axis[i / 2], i % 2 ? -1.0 : 1.0);
        double most = most_along(s, d, *least);
        if (most < *least - slack) {
            *least = most;
            *direction = d;
        }
    }
}

bool sc_least_overlap(const sc_part *const part[2], const uint64_t *hits, size_t count,
                      sc_watch *watch, sc_vec3 *direction)
{
    search s = {.part = part, .hits = hits, .count = count, .watch = watch};
    double least = INFINITY;

    const double slack = rounding * greatest_extent(&s);
    /* Where corners meet, what separates all facets there may be an axis of any two of them. */
    for (size_t h = 0;
         h < count && least > slack && s.looks < MAX_LOOKS && !sc_watch_ends(watch, h); h++) {
        try_axes(&s, h, slack, &least, direction);
    }
    return least < INFINITY &&
           most_along(&s, sc_scale(*direction, -1.0), least + slack) > least + slack &&
           !sc_watch_is_over(watch);
}
