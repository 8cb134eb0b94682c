/* least_overlap.c - see least_overlap.h. */
#include "least_overlap.h"

#include "pair.h"
#include "triangles.h"

enum { MAX_AXES = 2 + 9 + 6 };

/* After so many looks at an axis, or at a pair along one, no further pair gives axes: about a
 * tenth of a second. */
enum { MAX_LOOKS = 2000000 };

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

/* Two facets that meet, of part 0 and of part 1, as they lie in space. */
typedef struct facet_pair {
    sc_vec3 v[2][3];
} facet_pair;

/* Ways from the lowest corner to the highest of pairs that ruled out an axis: few of them rule out
 * most others. */
enum { MAX_TELLING = 256 };

/* The pairs that are looked at for every axis. */
typedef struct search {
    const sc_part *const *part;
    const uint64_t *hits; /* [count] */
    size_t count;
    sc_vec3 telling[MAX_TELLING]; /* [telling_count] the one that told last is first */
    int telling_count;
    size_t looks;
    sc_watch *watch;
} search;

/* How far the facet of part 1 reaches above the lowest of the other, along d, and the way between
 * these corners. */
static double overlap_along(sc_vec3 d, const facet_pair *pair, sc_vec3 *way)
{
    const sc_vec3 *a = pair->v[0], *b = pair->v[1];
    double low = INFINITY, high = -INFINITY; /* relative to a[0] */
    int lowest = 0, highest = 0;

    for (int i = 0; i < 3; i++) {
        const double of_a = sc_dot(d, sc_sub(a[i], a[0])), of_b = sc_dot(d, sc_sub(b[i], a[0]));
        lowest = of_a < low ? i : lowest;
        highest = of_b > high ? i : highest;
        low = sc_min(low, of_a);
        high = sc_max(high, of_b);
    }
    *way = sc_sub(b[highest], a[lowest]);
    return high - low;
}

/* The longest way between any two of their corners, or somewhat more. */
static double extent_of(const facet_pair *pair)
{
    const sc_vec3 *a = pair->v[0], *b = pair->v[1];
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

static void place_pair(const search *s, size_t hit, facet_pair *pair)
{
    for (int part = 0; part < 2; part++) {
        facet_of(s, part, sc_pair_facet(s->hits[hit], part), pair->v[part]);
    }
}

/* Of all pairs. */
static double greatest_extent(const search *s)
{
    double extent = 0.0;
    for (size_t h = 0; h < s->count && !sc_watch_ends(s->watch, h); h++) {
        facet_pair pair;
        place_pair(s, h, &pair);
        extent = sc_max(extent, extent_of(&pair));
    }
    return extent;
}

/* Whether some pair that is remembered reaches farther along d. */
static bool is_ruled_out(search *s, sc_vec3 d, double enough)
{
    for (int i = 0; i < s->telling_count; i++) {
        const sc_vec3 way = s->telling[i];
        if (sc_dot(d, way) > enough) {
            s->telling[i] = s->telling[0];
            s->telling[0] = way;
            return true;
        }
    }
    return false;
}

/* In place of the last one, if there is no room. */
static void remember(search *s, sc_vec3 way)
{
    s->telling_count += s->telling_count < MAX_TELLING;
    s->telling[s->telling_count - 1] = s->telling[0];
    s->telling[0] = way;
}

/* The most of all pairs; infinite, or that of some, if it is more than `enough`. Pairs with the
 * same facet of A stand together. */
static double most_along(search *s, sc_vec3 d, double enough)
{
    enum { FURTHER = 1024 }; /* looks for one that tells more */
    double most = 0.0;
    uint32_t known = 0;
    size_t end = s->count;
    facet_pair pair;
    sc_vec3 farthest = {0.0, 0.0, 0.0};

    s->looks++;
    if (is_ruled_out(s, d, enough)) {
        return INFINITY;
    }
    for (size_t h = 0; h < end && !sc_watch_ends(s->watch, h); h++) {
        const uint32_t first = sc_pair_facet(s->hits[h], 0);
        sc_vec3 way;
        s->looks++;
        if (h == 0 || first != known) {
            facet_of(s, 0, first, pair.v[0]);
            known = first;
        }
        facet_of(s, 1, sc_pair_facet(s->hits[h], 1), pair.v[1]);
        const double here = overlap_along(d, &pair, &way);
        if (here > most) {
            end = most <= enough && here > enough && end - h > FURTHER ? h + FURTHER : end;
            most = here;
            farthest = way;
        }
    }
    if (most > 0.0 && most > enough) {
        remember(s, farthest);
    }
    return most;
}

/* Looks for a better direction among the axes of one pair. */
static void try_axes(search *s, size_t hit, double slack, double *least, sc_vec3 *direction)
{
    facet_pair pair;

    place_pair(s, hit, &pair);
    const axes list = axes_of(pair.v[0], pair.v[1]);
    for (int i = 0; i < 2 * list.count; i++) {
        sc_vec3 d = sc_scale(list.axis[i / 2], i % 2 ? -1.0 : 1.0);
        double most = most_along(s, d, *least - slack);
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
