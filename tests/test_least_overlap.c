/* test_least_overlap.c - the direction in which facets that meet overlap least, against all
 * directions of all pairs, one by one. */
#include "contact/least_overlap.h"
#include "couple.h"
#include "pair.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>

typedef struct pairs {
    double (*corner)[2][3][3]; /* [count][part][corner] */
    uint64_t *hits;
    size_t count;
} pairs;

static void minus(const double u[3], const double v[3], double w[3])
{
    for (int k = 0; k < 3; k++) {
        w[k] = u[k] - v[k];
    }
}

static void cross(const double u[3], const double v[3], double w[3])
{
    for (int k = 0; k < 3; k++) {
        w[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
    }
}

static double dot(const double u[3], const double v[3])
{
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
}

/* How far part 1 has to go down along d, a unit vector, for all pairs to come apart. */
static double overlap_along(const pairs *p, const double d[3])
{
    double most = 0.0;
    for (size_t h = 0; h < p->count; h++) {
        double lowest = INFINITY, highest = -INFINITY;
        for (int i = 0; i < 3; i++) {
            lowest = fmin(lowest, dot(d, p->corner[h][0][i]));
            highest = fmax(highest, dot(d, p->corner[h][1][i]));
        }
        most = fmax(most, highest - lowest);
    }
    return most;
}

/* Either way along it. */
static double least_along(const pairs *p, const double axis[3], double least)
{
    const double length = sqrt(dot(axis, axis));
    double d[3];
    if (!(length > 1e-9)) {
        return least;
    }
    for (int way = -1; way <= 1; way += 2) {
        for (int k = 0; k < 3; k++) {
            d[k] = way * axis[k] / length;
        }
        least = fmin(least, overlap_along(p, d));
    }
    return least;
}

/* Along normals, along what is at a right angle to edges of both, and in the plane of either at a
 * right angle to its edges. */
static double least_overlap(const pairs *p)
{
    double least = INFINITY;
    for (size_t h = 0; h < p->count; h++) {
        double edge[2][3][3], axis[3];
        for (int part = 0; part < 2; part++) {
            for (int i = 0; i < 3; i++) {
                minus(p->corner[h][part][(i + 1) % 3], p->corner[h][part][i], edge[part][i]);
            }
        }
        for (int part = 0; part < 2; part++) {
            double normal[3];
            cross(edge[part][0], edge[part][1], normal);
            least = least_along(p, normal, least);
            for (int i = 0; i < 3; i++) {
                cross(normal, edge[part][i], axis);
                least = least_along(p, axis, least);
            }
        }
        for (int i = 0; i < 9; i++) {
            cross(edge[0][i / 3], edge[1][i % 3], axis);
            least = least_along(p, axis, least);
        }
    }
    return least;
}

/* Facets of both in pairs, all that come so near each other: that they meet matters to nobody
 * here. */
static pairs pairs_of(const stl_image *a, const stl_image *b, double near)
{
    const size_t in_a = image_facets(a), in_b = image_facets(b);
    pairs p = {malloc(in_a * in_b * sizeof *p.corner), malloc(in_a * in_b * sizeof *p.hits), 0};
    for (size_t i = 0; i < in_a; i++) {
        for (size_t j = 0; j < in_b; j++) {
            const shape_facet facet[2] = {image_get(a, i), image_get(b, j)};
            double middle[2][3] = {{0}};
            for (int part = 0; part < 2; part++) {
                for (int k = 0; k < 9; k++) {
                    const double x = (double)facet[part].corner[k / 3][k % 3];
                    p.corner[p.count][part][k / 3][k % 3] = x;
                    middle[part][k % 3] += x / 3;
                }
            }
            double between[3];
            minus(middle[0], middle[1], between);
            if (dot(between, between) < near * near) {
                p.hits[p.count++] = sc_pair((uint32_t)i, (uint32_t)j);
            }
        }
    }
    return p;
}

static void check(const stl_image *a, const stl_image *b, double near, int round)
{
    pairs p = pairs_of(a, b, near);
    couple c;
    couple_make(&c, a, b);
    const sc_part *const part[2] = {&c.part[0], &c.part[1]};
    sc_vec3 direction;
    if (p.count > 0 && sc_least_overlap(part, p.hits, p.count, NULL, &direction)) {
        const double d[3] = {direction.x, direction.y, direction.z};
        const double found = overlap_along(&p, d), least = least_overlap(&p);
        CHECK(fabs(sqrt(dot(d, d)) - 1.0) < 1e-12, "round %d: not a unit vector", round);
        CHECK(fabs(found - least) < 1e-9, "round %d: %zu pairs overlap by %.17g, at least %.17g",
              round, p.count, found, least);
    } else if (p.count > 0) {
        CHECK(false, "round %d: %zu pairs, no direction", round, p.count);
    }
    couple_free(&c);
    free(p.corner);
    free(p.hits);
}

/* Of bumpy balls in any pose: few pairs, or very many, where what ruled out one direction mostly
 * rules out the next. */
TEST(direction_of_least_overlap_is_the_best_of_all_pairs)
{
    for (int round = 0; round < test_rounds(40); round++) {
        stl_image a = make_bumpy(1.0, 2), b = make_bumpy(test_uniform(0.3, 1.0), 2);
        image_turn(&b, test_uniform(0, 3), test_uniform(0, 3), test_uniform(0, 3));
        image_move(&b, test_uniform(-1, 1), test_uniform(-1, 1), test_uniform(-1, 1));
        check(&a, &b, round % 20 == 0 ? 1.2 : test_uniform(0.2, 0.7), round);
        image_free(&a);
        image_free(&b);
    }
}
