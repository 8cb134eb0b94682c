/* test_flush.c - how much of two triangles lies flush, against the sum of slices: the width that
 * they have in common changes in proportion between the places where their sides begin, end or
 * cross. In small integers in a plane across (-2, 2, 1), so that they are coplanar exactly. */
#include "geom/tri_flush.h"
#include "test.h"

#include <stdlib.h>

enum { PAIRS = 40000, EVERYWHERE = 100 };

/* Of areas below 10^3, of which rounding leaves 10^-13: sides that are nearly parallel cross at
 * places that are known much less well, but there neither width changes much. */
#define TOLERANCE 1e-9

/* A place of the plane in units of a third, along (2, 1, 2) and (1, 2, -2), which are square to
 * each other and 3 long; and how far off the plane, in units of 3. */
typedef struct place {
    double x, y, off;
} place;

static sc_vec3 in_space(place p)
{
    return (sc_vec3){2 * p.x + p.y - 2 * p.off, p.x + 2 * p.y + 2 * p.off,
                     2 * p.x - 2 * p.y + p.off};
}

static double twice_area(const place t[3])
{
    return fabs((t[1].x - t[0].x) * (t[2].y - t[0].y) - (t[1].y - t[0].y) * (t[2].x - t[0].x));
}

static void random_triangle(place t[3])
{
    do {
        for (int k = 0; k < 3; k++) {
            t[k] = (place){test_below(13) - 6, test_below(13) - 6, 0};
        }
    } while (twice_area(t) == 0);
}

/* Where the line x meets a triangle: *low > *high if nowhere. */
static void slice(const place t[3], double x, double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (int k = 0; k < 3; k++) {
        const place *p = &t[k], *q = &t[(k + 1) % 3];
        if (fmin(p->x, q->x) <= x && x <= fmax(p->x, q->x) && p->x != q->x) {
            double y = p->y + (x - p->x) / (q->x - p->x) * (q->y - p->y);
            *low = fmin(*low, y);
            *high = fmax(*high, y);
        }
    }
}

static double common_width(const place a[3], const place b[3], double x)
{
    double low[2], high[2];
    slice(a, x, &low[0], &high[0]);
    slice(b, x, &low[1], &high[1]);
    return fmax(0, fmin(high[0], high[1]) - fmax(low[0], low[1]));
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The area that both have in common between x = -most and x = most. */
static double common_area(const place a[3], const place b[3], double most)
{
    double at[6 + 9 + 2], area = 0;
    int count = 0;

    for (int k = 0; k < 3; k++) {
        at[count++] = a[k].x;
        at[count++] = b[k].x;
    }
    at[count++] = -most;
    at[count++] = most;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            const place *p = &a[i], *q = &a[(i + 1) % 3], *r = &b[k], *s = &b[(k + 1) % 3];
            double slope = (q->y - p->y) / (q->x - p->x), other = (s->y - r->y) / (s->x - r->x);
            double x = (r->y - other * r->x - p->y + slope * p->x) / (slope - other);
            if (isfinite(x)) {
                at[count++] = x;
            }
        }
    }
    qsort(at, (size_t)count, sizeof at[0], by_size);
    for (int k = 0; k + 1 < count; k++) { /* the mean width of each slice is that at its middle */
        double low = at[k], high = at[k + 1];
        if (low >= -most && high <= most) {
            area += (high - low) * common_width(a, b, 0.5 * (low + high));
        }
    }
    return area;
}

/* As far as they are nowhere farther apart. */
static double flush_area(const sc_vec3 a[3], const sc_vec3 b[3], double within, bool *opposed)
{
    const sc_flush all_over = sc_flush_all_over(within);
    return sc_tri_flush_area(a, b, &all_over, opposed);
}

TEST(flush_area_of_coplanar_triangles)
{
    int meeting = 0;
    for (int i = 0; i < test_rounds(PAIRS); i++) {
        place a[3], b[3];
        sc_vec3 v[3], w[3];
        bool opposed;
        random_triangle(a);
        random_triangle(b);
        for (int k = 0; k < 3; k++) {
            v[k] = in_space(a[k]);
            w[k] = in_space(b[k]);
        }
        double expected = 9 * common_area(a, b, EVERYWHERE);
        double within = i % 2 ? 0 : 0x1p-10, area = flush_area(v, w, within, &opposed);
        CHECK(fabs(area - expected) <= TOLERANCE, "round %d: %.12g of %.12g", i, area, expected);
        CHECK(flush_area(w, v, within, &opposed) <= area * (1 + 1e-12) + 1e-12,
              "round %d: more the other way round", i);
        sc_vec3 first = v[0];
        v[0] = v[1];
        v[1] = first;
        bool before = opposed;
        CHECK(fabs(flush_area(v, w, within, &opposed) - area) <= 1e-12 * (1 + area) &&
                  opposed != before,
              "round %d: not the same turned over", i);
        meeting += expected > 0;
    }
    CHECK(meeting > test_rounds(PAIRS) / 10, "only %d meet", meeting);
}

/* Seen along the mean of the normals, by area, of a and of b tilted about y by a slope: (x, y) of
 * what is tilted is seen in the plane of a at (stretch x, y), and all areas there smaller by a
 * factor. */
typedef struct sight {
    double stretch, smaller;
} sight;

static sight sight_of(const place a[3], const place b[3], double slope)
{
    const double mean = slope * twice_area(b) / (twice_area(a) + twice_area(b));
    return (sight){1 + slope * mean, 1 / sqrt(1 + mean * mean)};
}

/* Off the plane by a distance, and tilted about y. */
TEST(flush_area_of_what_lies_off_or_aslant)
{
    int flush = 0, beyond = 0;
    for (int i = 0; i < test_rounds(PAIRS); i++) {
        const double within = 0.003, off = (test_below(9) - 4) * 0.0005,
                     tilt = i % 2 ? 0.002 : 0.0003;
        place a[3], b[3], seen[3];
        sc_vec3 v[3], lifted[3], aslant[3];
        bool opposed;
        random_triangle(a);
        random_triangle(b);
        const sight along = sight_of(a, b, tilt);
        for (int k = 0; k < 3; k++) {
            v[k] = in_space(a[k]);
            lifted[k] = in_space((place){b[k].x, b[k].y, off});
            aslant[k] = in_space((place){b[k].x, b[k].y, tilt * b[k].x});
            seen[k] = (place){along.stretch * b[k].x, b[k].y, 0};
        }
        double area = flush_area(v, lifted, within, &opposed);
        double expected = 3 * fabs(off) < within ? 9 * common_area(a, b, EVERYWHERE) : 0;
        CHECK(3 * fabs(off) == within || fabs(area - expected) <= TOLERANCE,
              "round %d, off by %g: %.12g of %.12g", i, 3 * off, area, expected);

        /* Of a, that far from the plane of b, which is seen so much nearer. */
        const double limit = within * sqrt(1 + tilt * tilt) / (3 * tilt);
        const double all = 9 * along.smaller * common_area(a, seen, EVERYWHERE);
        const double some = 9 * along.smaller * common_area(a, seen, limit);
        area = flush_area(v, aslant, within, &opposed);
        bool outside = all - some > TOLERANCE;
        bool inside = common_area(a, seen, 0.999 * limit) == common_area(a, seen, EVERYWHERE);
        CHECK(outside ? area == 0 : !inside || fabs(area - all) <= TOLERANCE,
              "round %d, aslant: %.12g of %.12g", i, area, all);
        CHECK(flush_area(v, aslant, 0, &opposed) == 0, "round %d: flush exactly", i);
        const sc_flush in_front = {0, within, 0}, behind = {0, 0, within};
        double halves = sc_tri_flush_area(v, aslant, &in_front, &opposed) +
                        sc_tri_flush_area(v, aslant, &behind, &opposed);
        CHECK(fabs(halves - some) <= TOLERANCE, "round %d, in part: %.12g of %.12g", i, halves,
              some);
        flush += area > 0 && some > 0;
        beyond += some > 0 && outside;
    }
    CHECK(flush > test_rounds(PAIRS) / 20 && beyond > test_rounds(PAIRS) / 20,
          "only %d are flush, and %d in part", flush, beyond);
}

TEST(what_is_far_from_parallel_is_not_flush)
{
    const sc_vec3 flat[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const sc_vec3 point[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    bool opposed;
    for (int i = 0; i < 90; i++) {
        double turn = i * 0.017453292519943295;
        sc_vec3 leaf[3] = {{0, 0, 0}, {cos(turn), 0, sin(turn)}, {0, 1, 0}};
        double area = flush_area(flat, leaf, 10, &opposed);
        CHECK(i < 5 ? area > 0.49 : i < 6 || area == 0, "%d degrees: %g", i, area);
    }
    CHECK(flush_area(flat, point, 10, &opposed) == 0 && flush_area(point, flat, 10, &opposed) == 0,
          "a point has area");
}

/* Rounding puts the corners of slivers to either side of each other's sides as it likes. */
TEST(slivers_cut_slivers)
{
    for (int i = 0; i < test_rounds(400000); i++) {
        sc_vec3 v[2][3], along = {test_uniform(-1, 1), test_uniform(-1, 1), test_uniform(-1, 1)};
        double most = INFINITY;
        bool opposed;
        for (int k = 0; k < 6; k++) {
            sc_vec3 noise = {test_uniform(-1, 1), test_uniform(-1, 1), test_uniform(-1, 1)};
            double width = ldexp(1, -40 - (int)test_below(16));
            v[k / 3][k % 3] = sc_mul_add(sc_scale(along, test_uniform(-8, 8)), width, noise);
        }
        for (int k = 0; k < 2; k++) {
            most = fmin(most, 0.5 * sc_length(sc_area_twice(v[k])));
        }
        double area = flush_area(v[0], v[1], 1e-6, &opposed);
        CHECK(area >= 0 && area <= 2 * most + 0x1p-40, "round %d: %g of %g", i, area, most);
    }
}
