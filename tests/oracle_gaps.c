/* oracle_gaps.c - see oracle_gaps.h. Shares no code with the library. */
#include "oracle_gaps.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *room(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory) {
        fputs("oracle_gaps: no memory\n", stderr);
        exit(2);
    }
    return memory;
}

/* ---- the grid on a surface -------------------------------------------------- */

enum { MOST_NEIGHBOURS = 64, MOST_STEPS = 16 };
enum { POINTS_OF_FACET = (MOST_STEPS + 1) * (MOST_STEPS + 2) / 2 + 1 };

typedef struct grid {
    double (*point)[3];
    int (*next)[MOST_NEIGHBOURS]; /* neighbours with a larger number, closed by -1 */
    int count;
    shape_facet *facet;
    int (*of)[POINTS_OF_FACET]; /* the points of each, closed by -1 */
    int facets;
    double step;
    double middle[3], radius; /* of a sphere around it */
} grid;

static double distance(const double p[3], const double q[3])
{
    return sqrt((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) +
                (p[2] - q[2]) * (p[2] - q[2]));
}

/* Points of facets next to each other fall together on their edge. */
static int number_of(grid *g, const double p[3], bool on_edge)
{
    for (int i = g->count - 1; i >= 0 && on_edge; i--) {
        if (fabs(g->point[i][0] - p[0]) < 1e-6 && distance(g->point[i], p) < 1e-6) {
            return i;
        }
    }
    memcpy(g->point[g->count], p, 3 * sizeof(double));
    g->next[g->count][0] = -1;
    return g->count++;
}

static void link_points(grid *g, int i, int j)
{
    int *next = g->next[i < j ? i : j], other = i < j ? j : i, k = 0;
    for (; next[k] >= 0; k++) {
        if (next[k] == other) {
            return;
        }
    }
    if (k + 1 == MOST_NEIGHBOURS) {
        fputs("oracle_gaps: too many facets about a point\n", stderr);
        exit(2);
    }
    next[k] = other;
    next[k + 1] = -1;
    g->step = fmax(g->step, distance(g->point[i], g->point[j]));
}

static void add_facet(grid *g, int number, int steps)
{
    const shape_facet *f = &g->facet[number];
    int *of = g->of[number];
    int *row = room(2 * (size_t)(steps + 1), sizeof *row), *before = row + steps + 1;
    for (int i = 0; i <= steps; i++) {
        for (int j = 0; j <= steps - i; j++) {
            double p[3];
            for (int k = 0; k < 3; k++) {
                p[k] = ((double)f->corner[0][k] * (steps - i - j) + (double)f->corner[1][k] * j +
                        (double)f->corner[2][k] * i) /
                       steps;
            }
            row[j] = number_of(g, p, i == 0 || j == 0 || i + j == steps);
            *of++ = row[j];
            if (j > 0) {
                link_points(g, row[j], row[j - 1]);
            }
            if (i > 0) {
                link_points(g, row[j], before[j]);
                link_points(g, row[j], before[j + 1]);
            }
        }
        memcpy(before, row, (size_t)(steps + 1) * sizeof *row);
    }
    *of = -1;
    free(row);
}

static grid grid_of(const stl_image *image, int steps)
{
    const int facets = (int)image_facets(image);
    const size_t most = (size_t)facets * (size_t)((steps + 1) * (steps + 2) / 2);
    grid g = {.point = room(most, sizeof *g.point),
              .next = room(most, sizeof *g.next),
              .facet = room((size_t)facets, sizeof *g.facet),
              .of = room((size_t)facets, sizeof *g.of),
              .facets = facets};
    for (int i = 0; i < facets; i++) {
        g.facet[i] = image_get(image, (size_t)i);
        add_facet(&g, i, steps);
    }
    for (int i = 0; i < g.count; i++) {
        for (int k = 0; k < 3; k++) {
            g.middle[k] += g.point[i][k] / g.count;
        }
    }
    for (int i = 0; i < g.count; i++) {
        g.radius = fmax(g.radius, distance(g.middle, g.point[i]));
    }
    return g;
}

static void grid_free(grid *g)
{
    free(g->point);
    free(g->next);
    free(g->facet);
    free(g->of);
}

/* ---- pairs of points ---------------------------------------------------------- */

typedef struct near_pairs {
    const grid *a, *b;
    int *parent; /* [a->count * b->count]; -1: farther apart */
} near_pairs;

static int pair_at(const near_pairs *n, int p, int q)
{
    return p * n->b->count + q;
}

static int root_of(int *parent, int i)
{
    while (parent[i] != i) {
        i = parent[i] = parent[parent[i]];
    }
    return i;
}

static void join(int *parent, int i, int j)
{
    i = root_of(parent, i);
    j = root_of(parent, j);
    parent[i > j ? i : j] = i < j ? i : j;
}

static double distance_at(const near_pairs *n, int pair)
{
    return distance(n->a->point[pair / n->b->count], n->b->point[pair % n->b->count]);
}

static near_pairs pairs_within(const grid *a, const grid *b, double reach)
{
    near_pairs n = {a, b, room((size_t)a->count * (size_t)b->count, sizeof(int))};
    for (int p = 0; p < a->count; p++) {
        const bool far = distance(a->point[p], b->middle) > reach + b->radius;
        for (int i = pair_at(&n, p, 0); i < pair_at(&n, p + 1, 0); i++) {
            n.parent[i] = !far && distance_at(&n, i) <= reach ? i : -1;
        }
    }
    for (int p = 0; p < a->count; p++) {
        for (int q = 0; q < b->count; q++) {
            const int pair = pair_at(&n, p, q);
            if (n.parent[pair] < 0) {
                continue;
            }
            for (const int *next = a->next[p]; *next >= 0; next++) {
                if (n.parent[pair_at(&n, *next, q)] >= 0) {
                    join(n.parent, pair, pair_at(&n, *next, q));
                }
            }
            for (const int *next = b->next[q]; *next >= 0; next++) {
                if (n.parent[pair_at(&n, p, *next)] >= 0) {
                    join(n.parent, pair, pair_at(&n, p, *next));
                }
            }
        }
    }
    return n;
}

static int sets_of(const near_pairs *n)
{
    int count = 0;
    for (int i = 0; i < n->a->count * n->b->count; i++) {
        count += n->parent[i] == i;
    }
    return count;
}

/* ---- what is hidden ------------------------------------------------------------- */

static double det(const double u[3], const double v[3], const double w[3])
{
    return u[0] * (v[1] * w[2] - v[2] * w[1]) - u[1] * (v[0] * w[2] - v[2] * w[0]) +
           u[2] * (v[0] * w[1] - v[1] * w[0]);
}

/* Where the segment passes the facet: 1, not: 0, or too near the segment's ends to tell: -1. */
static int passes(const double p[3], const double q[3], const shape_facet *f, double at[3])
{
    const double edge = 0.02;
    double u[3], v[3], way[3], from[3], minus[3];
    for (int k = 0; k < 3; k++) {
        u[k] = (double)f->corner[1][k] - (double)f->corner[0][k];
        v[k] = (double)f->corner[2][k] - (double)f->corner[0][k];
        way[k] = q[k] - p[k];
        minus[k] = -way[k];
        from[k] = p[k] - (double)f->corner[0][k];
    }
    const double whole = det(u, v, minus);
    if (fabs(whole) < 1e-9) {
        return 0;
    }
    const double s = det(from, v, minus) / whole, t = det(u, from, minus) / whole,
                 along = det(u, v, from) / whole;
    if (along < 1e-6 || along > 1.0 - 1e-6 || s < 0.0 || t < 0.0 || s + t > 1.0) {
        return 0; /* ends on it, mostly */
    }
    for (int k = 0; k < 3; k++) {
        at[k] = p[k] + along * way[k];
    }
    return along > edge && along < 1.0 - edge ? 1 : -1;
}

/* Of the points of a facet: those of another body may be nearer. */
static int nearest_point(const grid *g, int facet, const double p[3])
{
    int nearest = g->of[facet][0];
    for (const int *i = g->of[facet]; *i >= 0; i++) {
        nearest = distance(g->point[*i], p) < distance(g->point[nearest], p) ? *i : nearest;
    }
    return nearest;
}

/* Joins a set to what its part's own surface hides it from; false where that cannot be told. */
static bool join_hidden(near_pairs *n, int pair, bool of_a)
{
    const int i = pair / n->b->count, j = pair % n->b->count;
    const grid *own = of_a ? n->a : n->b;
    bool sure = true;
    for (int f = 0; f < own->facets; f++) {
        double at[3];
        const int passed = passes(n->a->point[i], n->b->point[j], &own->facet[f], at);
        sure = sure && passed >= 0;
        if (passed == 1) {
            const int x = nearest_point(own, f, at);
            const int front = of_a ? pair_at(n, x, j) : pair_at(n, i, x);
            if (n->parent[front] < 0) {
                return false;
            }
            join(n->parent, pair, front);
        }
    }
    return sure;
}

/* ---- all of it ------------------------------------------------------------------ */

/* The nearest pair of each set: [pairs], -1 where a pair is no root. */
static int *nearest_of(near_pairs *n)
{
    const int pairs = n->a->count * n->b->count;
    int *nearest = room((size_t)pairs, sizeof *nearest);
    memset(nearest, -1, (size_t)pairs * sizeof *nearest);
    for (int i = 0; i < pairs; i++) {
        if (n->parent[i] >= 0) {
            int *best = &nearest[root_of(n->parent, i)];
            *best = *best < 0 || distance_at(n, i) < distance_at(n, *best) ? i : *best;
        }
    }
    return nearest;
}

static int by_number(const void *x, const void *y)
{
    const double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

/* Whether each of the sets within more has one, and just one, of those within the reach. */
static bool sets_are_alike(near_pairs *n, near_pairs *more)
{
    const int pairs = n->a->count * n->b->count;
    bool *has_one = room((size_t)pairs, sizeof *has_one);
    bool alike = sets_of(n) == sets_of(more);
    for (int i = 0; i < pairs; i++) {
        if (n->parent[i] == i) {
            bool *one = &has_one[root_of(more->parent, i)];
            alike = alike && !*one;
            *one = true;
        }
    }
    free(has_one);
    return alike;
}

oracle_gaps oracle_gaps_of(const stl_image *a, const stl_image *b, double reach, int steps)
{
    if (steps > MOST_STEPS) {
        fputs("oracle_gaps: too many steps\n", stderr);
        exit(2);
    }
    grid g[2] = {grid_of(a, steps), grid_of(b, steps)};
    oracle_gaps gaps = {.step = fmax(g[0].step, g[1].step)};
    near_pairs n = pairs_within(&g[0], &g[1], reach);
    near_pairs more = pairs_within(&g[0], &g[1], reach + 2.0 * gaps.step);
    const int pairs = g[0].count * g[1].count;

    gaps.sure = sets_are_alike(&n, &more);
    int *nearest = nearest_of(&n);
    for (int i = 0; i < pairs; i++) {
        if (nearest[i] >= 0 && gaps.sure) {
            gaps.sure = distance_at(&n, nearest[i]) < reach - 2.0 * gaps.step &&
                        join_hidden(&n, nearest[i], true) && join_hidden(&n, nearest[i], false);
        }
    }
    gaps.hidden = sets_of(&more) - sets_of(&n);
    free(nearest);
    nearest = nearest_of(&n);
    gaps.distance = room((size_t)sets_of(&n), sizeof *gaps.distance);
    for (int i = 0; i < pairs; i++) {
        if (nearest[i] >= 0) {
            gaps.distance[gaps.count++] = distance_at(&n, nearest[i]);
        }
    }
    qsort(gaps.distance, (size_t)gaps.count, sizeof *gaps.distance, by_number);
    free(nearest);
    free(n.parent);
    free(more.parent);
    grid_free(&g[0]);
    grid_free(&g[1]);
    return gaps;
}

void oracle_gaps_free(oracle_gaps *gaps)
{
    free(gaps->distance);
    gaps->distance = NULL;
}
