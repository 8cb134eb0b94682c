/* test_depth_bounds.c - what bounds the depth of a cell, and what climbs to where it is
 * deepest: against the plain oracle. */
#include "ask.h"
#include "couple.h"
#include "depth/deepest.h"
#include "depth/depth_axes.h"
#include "depth/depth_chord.h"
#include "depth/depth_look_at.h"
#include "depth/depth_proof.h"
#include "mesh.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>

/* ---- at first sight ------------------------------------------------------------- */

/* Where all vertices lie on the surface of the other part, and the middle between, what is deep is
 * found from one wall to the next, before anything is searched. */
TEST(what_lies_on_itself_is_deep_at_first_sight)
{
    stl_image image = image_joined(box(0, 0, 0, 5, 4, 0.2, 3), box(0, 0, 3, 5, 4, 3.2, 2));
    couple c;

    image_turn(&image, 0.3, 0.5, 0.7);
    couple_make(&c, &image, &image);
    sc_depth_request request = {.solid = {&c.solid[0], &c.solid[1]},
                                .within = c.within,
                                .relative_error = 0.01,
                                .threshold = -1.0,
                                .budget = c.budget};
    sc_deepest found = sc_deepest_make(&request);
    sc_deepest_start(&found, NULL);
    CHECK(found.best > 0.0995 && found.best < 0.1 + 1e-6, "%g", found.best);
    couple_free(&c);
    image_free(&image);
}

/* Whether anything is deeper than a threshold is found from a few walls to the next as well, before
 * all places where facets touch are tried in vain. */
TEST(what_is_there_twice_is_deep_at_a_glance)
{
    enum { GLANCE = 500, FEW = 50 };
    stl_image image = image_joined(box(0, 0, 0, 5, 4, 0.2, 20), box(0, 0, 3, 5, 4, 3.2, 20));
    const uint32_t facets = (uint32_t)image_facets(&image);
    uint64_t *hits = malloc(facets * sizeof *hits);
    couple c;

    image_turn(&image, 0.3, 0.5, 0.7);
    couple_make(&c, &image, &image);
    for (uint32_t i = 0; i < facets; i++) {
        hits[i] = (uint64_t)i << 32 | i;
    }
    sc_depth_request request = {.solid = {&c.solid[0], &c.solid[1]},
                                .within = c.within,
                                .relative_error = 0.01,
                                .threshold = 1e-6,
                                .hits = hits,
                                .hit_count = facets,
                                .budget = GLANCE};
    sc_deepest found = sc_deepest_make(&request);
    sc_deepest_start(&found, NULL);
    const uint64_t visited = found.surface[0].visited + found.surface[1].visited;
    CHECK(sc_deepest_beaten(&found) && found.best > 1e-6, "%g", found.best);
    CHECK(visited < FEW * SC_FACETS_A_LOOK, "after a look at %llu facets",
          (unsigned long long)visited);
    couple_free(&c);
    free(hits);
    image_free(&image);
}

TEST(chords_are_halved_between_surfaces)
{
    stl_image large = box(0, 0, 0, 8, 8, 8, 2), small = box(1, 1, 1, 3, 7, 7, 3);
    couple c;

    couple_make(&c, &large, &small);
    c.within = (sc_box){{0, 0, 0}, {8, 8, 8}};
    sc_surface surface[2] = {{.solid = &c.solid[0]}, {.solid = &c.solid[1]}};
    for (int turn = 0; turn < 2; turn++) { /* from either end: walls at 0, 1, 3, 8 */
        sc_midway m[SC_MIDWAYS];
        sc_vec3 from = {turn ? 8.0 : 0.0, 5.2, 3.3}, way = {turn ? -1.0 : 1.0, 0.0, 0.0};
        int count = sc_depth_chord(surface, from, way, &c.within, m);
        CHECK(count == 2 && m[0].half == 2.5 && m[1].half == 1.0, "%d: %g and %g", count, m[0].half,
              m[1].half);
        CHECK(m[0].point.x == 5.5 && m[1].point.x == 2.0 && m[0].point.y == 5.2 &&
                  m[1].point.z == 3.3,
              "halves at %g and %g", m[0].point.x, m[1].point.x);
    }
    sc_midway m[SC_MIDWAYS];
    sc_vec3 aslant = {0.6, 0.0, 0.8}; /* from the bottom: enters at 1, leaves at 3 by the side */
    int count = sc_depth_chord(surface, (sc_vec3){1.5, 4.1, 0.0}, aslant, &c.within, m);
    CHECK(count == 2 && fabs(m[0].half - 3.75) < 1e-12 && fabs(m[1].half - 0.625) < 1e-12,
          "%d: %g and %g", count, m[0].half, m[1].half);
    couple_free(&c);
    image_free(&large);
    image_free(&small);
}

/* Corners in a box 3 x 2 x height. Tells the radius of the inscribed ball. */
static stl_image some_tetrahedron(double height, double *radius)
{
    static const int side[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    float corner[36];
    sc_vec3 p[4];
    double area = 0;
    for (int i = 0; i < 4; i++) {
        p[i] = (sc_vec3){(float)test_uniform(0, 3), (float)test_uniform(0, 2),
                         (float)test_uniform(0, height)};
    }
    const double volume =
        sc_dot(sc_cross(sc_sub(p[1], p[0]), sc_sub(p[2], p[0])), sc_sub(p[3], p[0]));
    if (volume < 0) {
        const sc_vec3 other = p[1];
        p[1] = p[2];
        p[2] = other;
    }
    for (int i = 0; i < 4; i++) {
        const sc_vec3 v[3] = {p[side[i][0]], p[side[i][1]], p[side[i][2]]};
        area += sc_length(sc_area_twice(v));
        for (int k = 0; k < 3; k++) {
            corner[9 * i + 3 * k] = (float)v[k].x;
            corner[9 * i + 3 * k + 1] = (float)v[k].y;
            corner[9 * i + 3 * k + 2] = (float)v[k].z;
        }
    }
    *radius = fabs(volume) / area;
    return make_facets(corner, 4);
}

/* The search ends once the bound is close enough, but the point that it tells is the deepest of all
 * about it: of a tetrahedron on itself, where its inscribed ball has its centre. */
TEST(what_is_told_is_deepest_where_it_is)
{
    for (int round = 0; round < test_rounds(40); round++) {
        double inside;
        stl_image image = some_tetrahedron(1, &inside);
        couple c;
        couple_make(&c, &image, &image);
        const sc_depth d = find(&c, 0.01, -1);
        CHECK(d.complete && fabs(d.depth - inside) <= 1e-7 * inside && d.bound >= inside &&
                  d.bound <= 1.0101 * inside,
              "round %d: %.12g up to %g, not %.12g", round, d.depth, d.bound, inside);
        couple_free(&c);
        image_free(&image);
    }
}

/* However long and gentle the way up is, and nearly always where the search ends early. */
TEST(what_is_told_of_flat_parts_is_deepest_where_it_is)
{
    const int rounds = test_rounds(60);
    int short_of_it = 0;
    for (int round = 0; round < rounds; round++) {
        double inside, height = pow(10, test_uniform(-4, 0));
        stl_image image = some_tetrahedron(height, &inside);
        couple c;
        couple_make(&c, &image, &image);
        c.budget = 3000;
        const sc_depth d = find(&c, 0.01, -1);
        CHECK(d.depth <= (1 + 1e-7) * inside && d.bound >= inside,
              "round %d, %g high: %.12g up to %g, not %.12g", round, height, d.depth, d.bound,
              inside);
        short_of_it += d.depth < (1 - 1e-7) * inside;
        couple_free(&c);
        image_free(&image);
    }
    CHECK(short_of_it <= rounds / 60, "%d of %d are not the deepest", short_of_it, rounds);
}

/* ---- pressed into each other ----------------------------------------------------- */

/* A ball a little too large for its socket: about as deep all over, so that nothing is dropped
 * before all of it is looked at. That takes few looks at cells, however many facets there are,
 * as of nodes it is known which way they face; and what is pending falls all the way. */
TEST(a_press_fit_takes_few_looks_at_cells)
{
    enum { STEP = 20000, LOOKS = 260000 };
    const uint32_t cells = 50;
    stl_image ball = make_sphere(1.01, cells), socket = make_sphere(1.0, cells);
    couple c;

    image_invert(&socket);
    socket = image_joined(socket, box(-2, -2, -2, 2, 2, 2, 8));
    couple_make(&c, &ball, &socket);
    const sc_depth_request request = {.solid = {&c.solid[0], &c.solid[1]},
                                      .within = c.within,
                                      .relative_error = 0.01,
                                      .threshold = -1.0};
    sc_depth_search *search = sc_depth_begin(&request);
    sc_depth d = {.complete = false};
    for (uint64_t budget = STEP; !d.complete && budget < LOOKS; budget += STEP) {
        const uint64_t before = sc_depth_pending(search);
        CHECK(sc_depth_go_on(search, budget, &d), "out of memory");
        const uint64_t pending = sc_depth_pending(search);
        CHECK(budget == STEP ? 4 * pending < 9 * image_facets(&ball) : pending < before,
              "%llu pending after %llu looks, %llu before", (unsigned long long)pending,
              (unsigned long long)budget, (unsigned long long)before);
    }
    CHECK(d.complete && d.depth > 0.0098 && d.bound < 0.0103, "%.9g up to %.9g", d.depth, d.bound);
    sc_depth_end(search);
    couple_free(&c);
    image_free(&ball);
    image_free(&socket);
}

/* ---- what surrounds ------------------------------------------------------------- */

static sc_vec3 some_way(void)
{
    return (sc_vec3){test_uniform(-1, 1), test_uniform(-1, 1), test_uniform(-1, 1)};
}

/* A cube, or a box askew, no longer than that and up to 30 times as thin. */
static sc_brick some_brick(sc_vec3 at, double size)
{
    const sc_box cube = {{at.x - size, at.y - size, at.z - size},
                         {at.x + size, at.y + size, at.z + size}};
    sc_brick b = sc_brick_of_box(&cube);
    if (test_below(2)) {
        const sc_vec3 a = sc_unit(some_way()), c = sc_unit(sc_cross(a, some_way()));
        const sc_vec3 axis[3] = {a, c, sc_cross(a, c)};
        for (int k = 0; k < 3; k++) {
            b.arm[k] = sc_scale(axis[k], size * pow(10.0, test_uniform(-1.5, 0)));
        }
    }
    return b;
}

static sc_vec3 some_point_in(const sc_brick *b, double part)
{
    sc_vec3 p = b->centre;
    for (int k = 0; k < 3; k++) {
        p = sc_mul_add(p, part * test_uniform(-1, 1), b->arm[k]);
    }
    return p;
}

static sc_vec3 some_point_of(const sc_vec3 *points, int count)
{
    sc_vec3 p = {0, 0, 0};
    double weight[8], total = 0;
    for (int k = 0; k < count; k++) {
        weight[k] = pow(test_uniform(0, 1), 3);
        total += weight[k];
    }
    for (int k = 0; k < count; k++) {
        p = sc_mul_add(p, weight[k] / total, points[k]);
    }
    return p;
}

static void some_hull(sc_vec3 c, double size, sc_vec3 *points, int count)
{
    double half[3];
    for (int k = 0; k < 3; k++) {
        half[k] = size * pow(2.0, test_uniform(-4.0, 0.0));
    }
    for (int k = 0; k < count; k++) {
        sc_vec3 to =
            count == 8 ? (sc_vec3){k & 1 ? half[0] : -half[0], k & 2 ? half[1] : -half[1],
                                   k & 4 ? half[2] : -half[2]}
                       : (sc_vec3){test_uniform(-half[0], half[0]), test_uniform(-half[1], half[1]),
                                   test_uniform(-half[2], half[2])};
        points[k] = sc_add(c, to);
    }
}

/* Against the distances of points within. */
TEST(what_facets_surround_is_no_deeper)
{
    int surrounded = 0, by_many = 0;
    for (int round = 0; round < 12; round++) {
        stl_image images[4] = {
            make_l_prism(2.0),
            make_hollow_box((double[]){0, 0, 0}, (double[]){3, 2, 2}, 0.2),
            make_bumpy(1.0, 5),
            make_torus(1.0, 0.3, 24, 12),
        };
        stl_image *image = &images[round % 4];
        couple c;
        if (round >= 4) {
            image_turn(image, test_uniform(-3, 3), test_uniform(-3, 3), test_uniform(-3, 3));
        }
        couple_make(&c, image, image);
        sc_surface surface = couple_surface(&c, 0);
        for (int i = test_rounds(400); i > 0; i--) {
            const int count = test_below(3) ? 8 : 3;
            sc_vec3 points[8], mean = {0, 0, 0}, at;
            for (int k = 0; k < 3; k++) {
                double x = test_uniform(c.within.low[k], c.within.high[k]);
                *(k == 0 ? &at.x : k == 1 ? &at.y : &at.z) = x;
            }
            some_hull(at, test_below(2) ? 0.4 : 0.05, points, count);
            for (int k = 0; k < count; k++) {
                mean = sc_mul_add(mean, 1.0 / count, points[k]);
            }
            sc_nearest n = sc_surface_nearest(&surface, mean, (sc_seek){.hint = UINT32_MAX});
            double limit = n.distance * test_uniform(1.0, 1.2), winding;
            if (!sc_depth_is_surrounded(&surface, points, count, mean, &n, limit)) {
                continue;
            }
            surrounded++;
            double farthest = 0;
            for (int k = 0; k < 12; k++) {
                sc_vec3 p = k < count ? points[k] : some_point_of(points, count);
                double distance = probe(c.mesh[0], p, &winding);
                CHECK(distance <= limit * (1.0 + 1e-12), "a point is %g off, the limit is %g",
                      distance, limit);
                farthest = fmax(farthest, sc_length(sc_sub(p, mean)));
            }
            by_many += farthest > limit - n.distance; /* no single distance tells */
        }
        couple_free(&c);
        for (int k = 0; k < 4; k++) {
            image_free(&images[k]);
        }
    }
    CHECK(surrounded > 20 && by_many > 4, "%d, %d of them large", surrounded, by_many);
}

/* A wall, and where walls meet, however large the cell is along them, within one facet each. */
TEST(walls_surround_what_lies_in_them)
{
    stl_image hollow = make_hollow_box((double[]){0, 0, 0}, (double[]){8, 8, 8}, 0.5);
    couple c;
    couple_make(&c, &hollow, &hollow);
    sc_surface surface = {.solid = &c.solid[0], .margin = 8 * SC_SURFACE_MARGIN};
    for (int edge = 0; edge < 2; edge++) {
        /* In the wall x = 0 .. 0.5; about the line as far from its sides as from the inner edge:
         * x = y = t with t = (0.5 - t) sqrt 2. */
        const double t = 0.5 * sqrt(2.0) / (1.0 + sqrt(2.0));
        const sc_vec3 mid = edge ? (sc_vec3){t, t, 4} : (sc_vec3){0.25, 2, 4.5};
        const double deepest = edge ? t : 0.25;
        sc_vec3 points[8];
        for (int k = 0; k < 8; k++) {
            const double wide = edge ? 0.05 : 0.4;
            points[k] = (sc_vec3){mid.x + (k & 1 ? 0.05 : -0.05), mid.y + (k & 2 ? wide : -wide),
                                  mid.z + (k & 4 ? 0.4 : -0.4)};
        }
        sc_nearest n = sc_surface_nearest(&surface, mid, (sc_seek){.hint = UINT32_MAX});
        CHECK(sc_depth_is_surrounded(&surface, points, 8, mid, &n, 1.1 * deepest), "not at %d",
              edge);
        CHECK(!sc_depth_is_surrounded(&surface, points, 8, mid, &n, 0.999 * deepest), "at %d",
              edge);
    }
    couple_free(&c);
    image_free(&hollow);
}

/* ---- ways up -------------------------------------------------------------------- */

enum { MOST_NEAREST = 64 };

/* Unit vectors to p from the nearest points of all facets, up to MOST_NEAREST, that are nearest but
 * for `slack`. */
static int ways_from_nearest(const couple *c, sc_vec3 p, double slack, sc_vec3 *from)
{
    double winding, least = probe(c->mesh[0], p, &winding);
    int count = 0;
    for (uint32_t i = 0; i < c->mesh[0]->file.facets.count && count < MOST_NEAREST; i++) {
        sc_vec3 v[3], on;
        sc_solid_facet(&c->solid[0], i, v);
        double distance = sc_facet_distance(p, v, &on);
        if (distance <= least + slack) {
            from[count++] = sc_scale(sc_sub(p, on), 1.0 / distance);
        }
    }
    return count;
}

static double least_along(const sc_vec3 *from, int count, sc_vec3 way)
{
    double least = INFINITY;
    for (int i = 0; i < count; i++) {
        least = fmin(least, sc_dot(from[i], way));
    }
    return least;
}

/* A direction that leads away from all of them; false where none is found. */
static bool way_up(const sc_vec3 *from, int count, sc_vec3 *up)
{
    enum { TURNS = 2000 };
    *up = (sc_vec3){0, 0, 0};
    for (int turn = 0; turn < TURNS; turn++) {
        double least = least_along(from, count, *up), length = sc_length(*up);
        if (least > 1e-3 * length) {
            *up = sc_scale(*up, 1.0 / length);
            return true;
        }
        int worst = 0;
        while (sc_dot(from[worst], *up) > least) {
            worst++;
        }
        *up = sc_add(*up, from[worst]);
    }
    return false;
}

/* From an inner point to where the surface is farther than from all about it; false where that is
 * hardly so in some direction. */
static bool climb(const couple *c, sc_vec3 *p)
{
    enum { WAYS = 300 };
    sc_vec3 from[MOST_NEAREST], up;
    double winding, best = probe(c->mesh[0], *p, &winding);
    int count;

    for (double size = 0.3; size > 1e-8;) {
        count = ways_from_nearest(c, *p, size, from);
        bool leads = way_up(from, count, &up);
        sc_vec3 next = sc_mul_add(*p, size, up);
        double distance = leads ? probe(c->mesh[0], next, &winding) : 0;
        if (distance > best) {
            best = distance;
            *p = next;
        } else {
            size *= 0.7;
        }
    }
    count = ways_from_nearest(c, *p, 1e-6, from);
    bool peak = true;
    for (int i = 0; i < WAYS && peak; i++) {
        sc_vec3 way = some_step((sc_vec3){0, 0, 0}, 1);
        peak = least_along(from, count, way) < -0.02 * sc_length(way);
    }
    return peak;
}

/* Of distances from the surface inside. */
TEST(there_is_no_proof_against_peaks)
{
    int excluded = 0, peaks = 0;
    for (int round = 0; round < 20 + 2 * test_rounds(90); round++) {
        stl_image image = round % 2   ? union_of_boxes(2 + (int)test_below(3))
                          : round % 4 ? make_bumpy(1.0, 3)
                          : round % 8
                              ? make_hollow_box((double[]){0, 0, 0}, (double[]){3, 2, 2}, 0.2)
                              : make_l_prism(2.0);
        double winding = 0;
        sc_vec3 p = {0, 0, 0};
        couple c;
        image_turn(&image, test_uniform(-3, 3), test_uniform(-3, 3), test_uniform(-3, 3));
        couple_make(&c, &image, &image);
        sc_surface surface = couple_surface(&c, 0);
        for (int i = 0; i < 100 && winding < 0.5; i++) {
            p = ask_point(&c.within);
            probe(c.mesh[0], p, &winding);
        }
        sc_vec3 peak = p;
        const bool found = winding > 0.5 && climb(&c, &peak);
        peaks += found;
        for (int i = 0; i < 20 && winding > 0.5; i++) {
            const double size = pow(10.0, test_uniform(-3.0, -0.5));
            const bool with = found && i % 2;
            sc_brick cell = some_brick(with ? peak : p, size);
            cell.centre = some_point_in(&cell, 0.5);
            sc_nearest n = sc_surface_nearest(&surface, cell.centre, (sc_seek){.hint = UINT32_MAX});
            sc_vec3 corner[8];
            for (int k = 0; k < 8; k++) {
                corner[k] = sc_brick_corner(&cell, k);
            }
            const double most = sc_depth_facet_bound(&surface, n.facet, corner, 8);
            bool none = sc_depth_no_peak(&surface, &cell, &n, most);
            excluded += none;
            CHECK(!(with && none), "round %d: not in a cell of %g", round, size);
        }
        couple_free(&c);
        image_free(&image);
    }
    CHECK(excluded > test_rounds(100) && peaks > test_rounds(90) / 4,
          "%d cells without a peak, %d peaks", excluded, peaks);
}

/* ---- columns -------------------------------------------------------------------- */

static double deepest_of(const couple *c, const sc_brick *brick)
{
    double deepest = 0;
    for (int i = 0; i < 6; i++) {
        double winding, distance = probe(c->mesh[0], some_point_in(brick, 1), &winding);
        deepest = winding > 0.5 ? fmax(deepest, distance) : deepest;
    }
    return deepest;
}

/* Bounds by columns, along any axis or that of the nearest facet, and by ways out. */
TEST(columns_and_ways_out_bound_what_is_deep)
{
    int finite = 0, left = 0;
    for (int round = 0; round < test_rounds(48); round++) {
        stl_image image = round % 3 ? union_of_boxes(1 + (int)test_below(3))
                          : round % 2
                              ? make_l_prism(2.0)
                              : make_hollow_box((double[]){0, 0, 0}, (double[]){3, 2, 2}, 0.2);
        couple c;
        image_turn(&image, test_uniform(-3, 3), test_uniform(-3, 3), test_uniform(-3, 3));
        couple_make(&c, &image, &image);
        sc_surface surface = couple_surface(&c, 0);
        for (int i = 0; i < 60; i++) {
            const sc_vec3 at = ask_point(&c.within);
            const double size = pow(10.0, test_uniform(-2.0, 0.0));
            const sc_box cube = {{at.x - size, at.y - size, at.z - size},
                                 {at.x + size, at.y + size, at.z + size}};
            const sc_brick cell = some_brick(at, size);
            sc_nearest n = sc_surface_nearest(&surface, at, (sc_seek){.hint = UINT32_MAX});
            sc_vec3 v[3], axis = some_step((sc_vec3){0, 0, 0}, 1);
            sc_solid_facet(&c.solid[0], n.facet, v);
            axis = i % 2 ? sc_area_twice(v) : axis;
            axis = sc_scale(axis, 1 / sc_length(axis));
            const double reach = n.distance * pow(10.0, test_uniform(-0.3, 0.5)) + size;
            double bound = sc_depth_column_bound(&surface, &cell, axis, reach, SC_DEPTH_FACETS);
            bool leaves = sc_depth_box_leaves(&surface, &cube, sc_scale(axis, reach));
            double deepest = isfinite(bound) ? deepest_of(&c, &cell) : 0;
            CHECK(deepest <= bound + 1e-9, "round %d: %g deep, not %g", round, deepest, bound);
            const sc_brick all = sc_brick_of_box(&cube);
            deepest = leaves ? deepest_of(&c, &all) : 0;
            CHECK(!leaves || deepest <= reach + 1e-9, "round %d: %g deep, %g to leave it", round,
                  deepest, reach);
            finite += isfinite(bound);
            left += leaves;
        }
        couple_free(&c);
        image_free(&image);
    }
    CHECK(finite > test_rounds(48) && left > test_rounds(48), "%d bounds, %d ways", finite, left);
}

/* The deepest of some points in the brick that are inside both, in either. */
static double deepest_common_of(const couple *c, const sc_brick *brick)
{
    double deepest = 0;
    for (int i = 0; i < 40; i++) {
        const sc_vec3 p = some_point_in(brick, 1);
        double winding[2], distance[2];
        for (int k = 0; k < 2; k++) {
            distance[k] = probe(c->mesh[k], p, &winding[k]);
        }
        if (winding[0] > 0.5 && winding[1] > 0.5) {
            deepest = fmax(deepest, fmax(distance[0], distance[1]));
        }
    }
    return deepest;
}

/* Walls that face each other, pushed into each other: of a step, of what is in a hollow. */
TEST(columns_of_both_parts_bound_what_is_common)
{
    int shallow = 0, telling = 0;
    for (int round = 0; round < test_rounds(48); round++) {
        const double push = pow(10.0, test_uniform(-2.0, -0.3));
        stl_image a, b;
        if (round % 3 == 0) {
            a = make_l_prism(2.0);
            b = box(1, 1, 0, 3, 3, 2, 1);
        } else if (round % 3 == 1) {
            a = make_hollow_box((double[]){0, 0, 0}, (double[]){3, 2, 2}, 0.4);
            b = box(0.4, 0.4, 0.4, 2.6, 1.6, 1.6, 2);
        } else { /* a ball in its hole, each with facets of its own */
            stl_image hole = make_sphere(1.0, 2 + (uint32_t)test_below(8));
            image_invert(&hole);
            a = image_joined(box(-2, -2, -2, 2, 2, 2, 1), hole);
            b = make_sphere(1.0, 2 + (uint32_t)test_below(8));
        }
        const double turn[3] = {test_uniform(-3, 3), test_uniform(-3, 3), test_uniform(-3, 3)};
        couple c;
        image_move(&b, -push * (double)test_below(2), -push * (double)test_below(2), -push);
        image_turn(&a, turn[0], turn[1], turn[2]);
        image_turn(&b, turn[0], turn[1], turn[2]);
        couple_make(&c, &a, &b);
        sc_surface shell[2] = {couple_surface(&c, 0), couple_surface(&c, 1)};
        for (int i = 0; i < 100; i++) {
            const double size = push * pow(10.0, test_uniform(-1.0, 0.5));
            const double limit = push * pow(10.0, test_uniform(-1.0, 0.3));
            const sc_vec3 at = ask_point(&c.within);
            const sc_nearest n =
                sc_surface_nearest(&shell[i % 2], at, (sc_seek){.hint = UINT32_MAX});
            const sc_vec3 on = some_step(n.point, size);
            const sc_brick cell = some_brick(on, size);
            sc_vec3 v[3];
            sc_solid_facet(&c.solid[i % 2], n.facet, v);
            sc_vec3 axis = sc_scale(sc_area_twice(v), 1 / sc_length(sc_area_twice(v)));
            axis = i % 4 ? axis : some_step(axis, 3); /* some facets are steep */
            axis = sc_scale(axis, 1 / sc_length(axis));
            const bool is = sc_depth_common_column(shell, &cell, axis, limit, i % 2 ? 256 : 0);
            const double deepest = is ? deepest_common_of(&c, &cell) : 0;
            CHECK(deepest <= limit + 1e-9, "round %d: %g deep, not %g", round, deepest, limit);
            shallow += is;
            telling += deepest > 0.5 * limit;
        }
        couple_free(&c);
        image_free(&a);
        image_free(&b);
    }
    CHECK(shallow > 2 * test_rounds(48) && telling > test_rounds(48) / 8, "%d cells, %d tell",
          shallow, telling);
}

/* ---- cells ---------------------------------------------------------------------- */

/* What the surface keeps out of lies all inside, or all outside. */
TEST(clear_bricks_are_on_one_side)
{
    int clear[2] = {0, 0}, met = 0;
    for (int round = 0; round < test_rounds(48); round++) {
        stl_image image = round % 2 ? union_of_boxes(1 + (int)test_below(3)) : make_bumpy(1.0, 3);
        couple c;
        image_turn(&image, test_uniform(-3, 3), test_uniform(-3, 3), test_uniform(-3, 3));
        couple_make(&c, &image, &image);
        sc_surface surface = couple_surface(&c, 0);
        for (int i = 0; i < 60; i++) {
            const sc_brick cell =
                some_brick(ask_point(&c.within), pow(10.0, test_uniform(-2.0, 0.0)));
            const bool is = sc_depth_is_clear(&surface, &cell);
            double winding, first;
            probe(c.mesh[0], cell.centre, &first);
            for (int k = 0; k < 12 && is; k++) {
                probe(c.mesh[0], some_point_in(&cell, 1), &winding);
                CHECK(fabs(winding - first) < 0.5, "round %d: %g and %g", round, first, winding);
            }
            clear[first > 0.5] += is;
            met += !is;
        }
        couple_free(&c);
        image_free(&image);
    }
    CHECK(clear[0] > test_rounds(48) && clear[1] > test_rounds(48) && met > test_rounds(48),
          "%d and %d clear, %d not", clear[0], clear[1], met);
}

/* Cells along the walls of a part that lies askew; together they hold all of the box. */
TEST(cells_lie_along_walls)
{
    for (int round = 0; round < test_rounds(48); round++) {
        stl_image image = box(0, 0, 0, 7, 2, 1, 1U + (uint32_t)round % 3U);
        couple c;
        sc_depth_axes axes;
        image_turn(&image, test_uniform(-3, 3), test_uniform(-3, 3), test_uniform(-3, 3));
        couple_make(&c, &image, &image);
        sc_surface surface[2] = {couple_surface(&c, 0), couple_surface(&c, 1)};
        axes = sc_depth_axes_find(surface, &c.within);
        for (uint32_t i = 0; i < 12; i++) {
            sc_vec3 v[3];
            double most = 0;
            sc_solid_facet(&c.solid[0], i, v);
            const sc_vec3 n = sc_unit(sc_area_twice(v));
            for (int k = 0; k < 3; k++) {
                most = fmax(most, fabs(sc_dot(n, axes.axis[k])));
            }
            CHECK(most > 0.96, "round %d: facet %u has a cosine of %g", round, i, most);
        }
        const sc_box root = sc_depth_axes_box(&axes, &c.within);
        for (int i = 0; i < 20; i++) {
            const sc_vec3 p = i < 8 ? sc_box_corner(&c.within, i) : ask_point(&c.within);
            sc_box cell = root;
            for (int halving = 0; halving < 90; halving++) { /* one half or the other holds it */
                const int k = (int)test_below(3);
                const double middle = 0.5 * (cell.low[k] + cell.high[k]);
                const bool high = sc_dot(sc_sub(p, axes.origin), axes.axis[k]) > middle;
                *(high ? &cell.low[k] : &cell.high[k]) = middle;
            }
            const sc_brick brick = sc_depth_axes_brick(&axes, &cell);
            for (int k = 0; k < 3; k++) {
                const double along = fabs(sc_dot(sc_sub(p, brick.centre), axes.axis[k]));
                const double size = sc_length(brick.arm[k]);
                CHECK(along <= size + axes.margin, "round %d: %g along %g", round, along, size);
            }
        }
        couple_free(&c);
        image_free(&image);
    }
}

/* ---- what is left out ------------------------------------------------------------- */

/* Suspects that wait, of a search that knows some depth but not where it is. */
typedef struct waiting {
    sc_looker *looker;
    sc_suspect *suspect; /* [count] */
    size_t count, room;
} waiting;

static void take_parts(waiting *w)
{
    for (int i = 0; i < w->looker->count; i++) {
        if (w->count == w->room) {
            w->room = 2 * w->room + 64;
            w->suspect = realloc(w->suspect, w->room * sizeof *w->suspect);
        }
        w->suspect[w->count++] = w->looker->parts[i];
    }
    w->looker->count = 0;
}

/* What is found, looking at the whole without any tries before, if nothing counts that is not
 * deeper than `known`. */
static double look_all_over(couple *c, double known)
{
    sc_depth_request request = {.solid = {&c->solid[0], &c->solid[1]},
                                .within = c->within,
                                .relative_error = 0.001,
                                .threshold = -1.0};
    waiting w = {.looker = calloc(1, sizeof *w.looker)};
    sc_looker *l = w.looker;
    l->found = sc_deepest_make(&request);
    request.within = sc_surface_tidy_box(&l->found.surface[0], &c->within);
    l->found.best = known;
    l->axes = sc_depth_axes_find(l->found.surface, &request.within);
    sc_suspect cell = {.bound = INFINITY,
                       .kind = SC_SUSPECT_CELL,
                       .depth_of = {true, true},
                       .near = {UINT32_MAX, UINT32_MAX},
                       .box = sc_depth_axes_box(&l->axes, &request.within)};
    sc_look_at_cell(l, &cell);
    take_parts(&w);
    for (int x = 0; x < 2; x++) {
        sc_suspect root = {.bound = INFINITY,
                           .kind = SC_SUSPECT_NODE,
                           .depth_of = {x == 0, x == 1},
                           .near = {UINT32_MAX, UINT32_MAX},
                           .level = c->solid[1 - x].tree->levels - 1};
        sc_look_at_node(l, &root, x);
        take_parts(&w);
    }
    while (w.count > 0 && l->found.best == known) {
        l->suspect = w.suspect[--w.count];
        sc_look_closer(l);
        take_parts(&w);
    }
    const double best = l->found.best;
    free(w.suspect);
    free(l);
    return best;
}

/* Nothing that lies deeper than what is known is left out as shallow. */
TEST(looks_leave_out_nothing_that_lies_deeper)
{
    for (int round = 0; round < test_rounds(200); round++) {
        stl_image image[2];
        couple c;
        for (int i = 0; i < 2; i++) {
            image[i] = round % 4 == 0   ? make_sphere(test_uniform(0.5, 2), 4)
                       : round % 4 == 1 ? make_bumpy(test_uniform(0.5, 2), 5)
                       : round % 4 == 2 ? union_of_boxes(2)
                                        : make_l_prism(test_uniform(1, 3));
            image_turn(&image[i], test_uniform(-3, 3), test_uniform(-3, 3), test_uniform(-3, 3));
            if (i == 1 && round % 8 > 3) { /* deepest is what lies on its surface */
                image_scale(&image[i], test_uniform(0.1, 0.4));
            }
            image_move(&image[i], test_uniform(-0.5, 0.5), test_uniform(-0.5, 0.5), 0);
        }
        couple_make(&c, &image[0], &image[1]);
        const sc_depth d = find(&c, 0.001, -1);
        const double known = d.depth * test_uniform(0.9, 0.998);
        const double found = d.depth > 0 ? look_all_over(&c, known) : d.depth;
        CHECK(d.depth == 0 || (found > known && found <= d.bound + 1e-9),
              "round %d: it is %g deep, and nothing is found beyond %g but %g", round, d.depth,
              known, found);
        couple_free(&c);
        image_free(&image[0]);
        image_free(&image[1]);
    }
}
