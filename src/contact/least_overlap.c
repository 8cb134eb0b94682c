/* least_overlap.c - see least_overlap.h. */
#include "least_overlap.h"

#include "triangles.h"

enum { MAX_AXES = 2 + 9 + 6 };

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

/* How far b reaches above the lowest of a, along d; and the longest way between any two of
 * their corners. */
static double overlap_along(sc_vec3 d, const sc_vec3 a[3], const sc_vec3 b[3], double *extent)
{
    double low = 0.0, high = -INFINITY; /* relative to a[0] */
    for (int i = 0; i < 3; i++) {
        sc_vec3 to_a = sc_sub(a[i], a[0]), to_b = sc_sub(b[i], a[0]);
        low = fmin(low, sc_dot(d, to_a));
        high = fmax(high, sc_dot(d, to_b));
        *extent = fmax(*extent, sc_length(to_a) + sc_length(to_b));
    }
    return high - low;
}

static void facets_of(const sc_part *const part[2], uint64_t hit, sc_vec3 a[3], sc_vec3 b[3])
{
    sc_triangle_vertices(&part[0]->mesh->file.facets, &part[0]->used, (uint32_t)(hit >> 32), a);
    sc_triangle_vertices(&part[1]->mesh->file.facets, &part[1]->used, (uint32_t)hit, b);
}

/* The most of all pairs; what exceeds `enough` is not looked at further. */
static double most_along(const sc_part *const part[2], const uint64_t *hits, size_t count,
                         sc_vec3 d, double enough, double *extent)
{
    double most = 0.0;
    for (size_t h = 0; h < count && most <= enough; h++) {
        sc_vec3 a[3], b[3];
        facets_of(part, hits[h], a, b);
        most = fmax(most, overlap_along(d, a, b, extent));
    }
    return most;
}

bool sc_least_overlap(const sc_part *const part[2], const uint64_t *hits, size_t count,
                      sc_vec3 *direction)
{
    sc_vec3 a[3], b[3];
    double least = INFINITY, extent = 0.0;

    facets_of(part, hits[0], a, b);
    axes list = axes_of(a, b);
    for (int i = 0; i < 2 * list.count; i++) {
        sc_vec3 d = sc_scale(list.axis[i / 2], i % 2 ? -1.0 : 1.0);
        double most = most_along(part, hits, count, d, least, &extent);
        if (most < least - rounding * extent) {
            least = most;
            *direction = d;
        }
    }
    return list.count > 0 && most_along(part, hits, count, sc_scale(*direction, -1.0), INFINITY,
                                        &extent) > least + rounding * extent;
}
