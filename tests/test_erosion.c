/* test_erosion.c - parts drawn back by little: into how many fans their corners fall, how far
 * facets go back, and what follows for parts that touch, or lie deep in each other. */
#include "ask.h"
#include "couple.h"
#include "erosion/corners.h"
#include "erosion/demands.h"
#include "erosion/erosion_proof.h"
#include "geom/tri_intersect.h"
#include "geom/tri_sweep.h"
#include "oracle_solid.h"
#include "shapes.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>

/* ---- fans ------------------------------------------------------------------------ */

/* Of the octants in `all`, those that hang together with the lowest one: over faces, or over edges
 * as well. An octant is a bit, its number has one bit for each axis. */
static unsigned together(unsigned all, bool over_edges)
{
    unsigned set = all & -all;
    for (int round = 0; round < 8; round++) {
        for (int i = 0; i < 64; i++) {
            const int from = i / 8, to = i % 8, apart = __builtin_popcount((unsigned)(from ^ to));
            if ((set >> from & 1) && (all >> to & 1) && apart <= (over_edges ? 2 : 1)) {
                set |= 1u << to;
            }
        }
    }
    return set;
}

static int count_together(unsigned all, bool over_edges)
{
    int count = 0;
    for (; all != 0; count++) {
        all &= ~together(all, over_edges);
    }
    return count;
}

/* Around a point of which the cells in the mask are full: each body there has as many closed rims,
 * on a little sphere, as what surrounds it has pieces, which hang together over edges, too. */
static int fans_around(unsigned full)
{
    int count = 0;
    while (full != 0) {
        const unsigned body = together(full, false);
        count += count_together(0xFF & ~body, true);
        full &= ~body;
    }
    return count;
}

static int fans_of_cells(const oracle_voxels *v)
{
    int count = 0;
    for (int i = 0; i < (v->n + 1) * (v->n + 1) * (v->n + 1); i++) {
        const int x = i / (v->n + 1) / (v->n + 1), y = i / (v->n + 1) % (v->n + 1);
        const int z = i % (v->n + 1);
        unsigned full = 0;
        for (int k = 0; k < 8; k++) {
            const bool set = oracle_voxels_at(v, x - (k & 1), y - (k >> 1 & 1), z - (k >> 2));
            full |= (unsigned)set << k;
        }
        count += fans_around(full);
    }
    return count;
}

TEST(corners_fall_into_the_fans_that_cells_make)
{
    int more = 0;
    for (int i = 0; i < test_rounds(300); i++) {
        const int none[3] = {0, 0, 0};
        const oracle_frame f = i % 2 ? oracle_frame_random() : oracle_frame_plain();
        const oracle_voxels v = oracle_voxels_random(2 + i % 3, 0.5);
        stl_image image = oracle_voxels_mesh(&v, none, &f);
        stlclash_mesh *mesh = ask_mesh(&image);
        stlclash_error error;
        sc_part part;
        sc_erosion e;
        bool possible;
        CHECK_INT(sc_part_place(mesh, ask_identity, "part", &part, &error), STLCLASH_OK);
        CHECK(sc_erosion_make(&part, NULL, NULL, NULL, &e, &possible) && possible, "round %d", i);
        CHECK(possible && (int)e.fans == fans_of_cells(&v), "round %d: %u fans, not %d", i, e.fans,
              fans_of_cells(&v));
        sc_corners corners;
        CHECK(sc_corners_number(&mesh->file.facets, &corners), "memory");
        more += e.fans > corners.vertices;
        sc_corners_free(&corners);
        sc_erosion_free(&e);
        stlclash_mesh_free(mesh);
        image_free(&image);
    }
    CHECK(TEST_DIVISOR > 1 || more * 4 > test_rounds(300), "more than one fan at a corner in %d",
          more);
}

/* ---- how far ------------------------------------------------------------------------- */

static bool is_same(const sc_vec3 a[2], const sc_vec3 b[2])
{
    return sc_same(a[0], b[0]) && sc_same(a[1], b[1]);
}

/* Whether each side of a piece has one of another that runs back. */
static bool matches(const sc_erosion *e)
{
    sc_vec3(*v)[3] = malloc(e->pieces * sizeof *v);
    int net = 0, sides = 0;
    for (uint32_t i = 0; i < e->pieces; i++) {
        sc_erosion_vertices(e, i, v[i]);
    }
    for (uint32_t i = 0; i < 3 * e->pieces; i++) {
        const sc_vec3 side[2] = {v[i / 3][i % 3], v[i / 3][(i + 1) % 3]};
        int balance = 0;
        for (uint32_t k = 0; k < 3 * e->pieces; k++) {
            const sc_vec3 on[2] = {v[k / 3][k % 3], v[k / 3][(k + 1) % 3]},
                          back[2] = {on[1], on[0]};
            balance += is_same(side, on) - is_same(side, back);
        }
        net += balance != 0;
        sides++;
    }
    free(v);
    return sides > 0 && net == 0;
}

/* Boxes with T-junctions, hubs of many facets, and what bends both ways, placed: every plane goes
 * back as far as asked, no vertex farther than allowed, and the surface stays closed. */
TEST(all_facets_go_back)
{
    for (int i = 0; i < test_rounds(60); i++) {
        const bool held_back = i % 4 == 3; /* corners go no farther than planes would */
        const oracle_frame f = oracle_frame_plain();
        stl_image image =
            i % 7 == 6   ? make_cylinder(2, 3, 40 + (uint32_t)i % 9)
            : i % 3 == 0 ? oracle_split_box((double[]){0, 0, 0}, (double[]){4, 3, 2}, 0.5, &f)
            : i % 3 == 1 ? make_l_prism(4)
                         : make_hollow_box((double[]){-1, -1, -1}, (double[]){1, 2, 3}, 0.25);
        const double by = ldexp(1, -4 - i % 16);
        double placement[16];
        stlclash_mesh *mesh = ask_mesh(&image);
        stlclash_error error;
        sc_part part;
        sc_erosion e;
        bool possible;
        ask_placement(placement, 5);
        CHECK_INT(sc_part_place(mesh, placement, "part", &part, &error), STLCLASH_OK);
        CHECK(sc_erosion_make(&part, NULL, NULL, NULL, &e, &possible) && possible, "round %d", i);
        sc_erosion_go(&e, by, held_back ? by : 1.75 * by);
        for (uint32_t facet = 0; facet < mesh->file.facets.count; facet++) {
            uint32_t first;
            sc_vec3 v[3], gone[3];
            sc_triangle_vertices(&mesh->file.facets, &part.used, facet, v);
            const sc_vec3 normal = sc_unit(sc_area_twice(v));
            for (uint32_t k = sc_erosion_pieces(&e, facet, &first); k > 0; k--) {
                sc_erosion_vertices(&e, first + k - 1, gone);
                for (int m = 0; m < 3; m++) {
                    const double back = -sc_dot(normal, sc_sub(gone[m], v[0]));
                    CHECK(held_back || (back > 0.96 * by && back < 1.1 * by),
                          "round %d: facet %u by %g, not %g", i, facet, back, by);
                }
            }
        }
        for (uint32_t k = 0; k < 3 * e.pieces; k++) {
            sc_vec3 v[3];
            sc_erosion_vertices(&e, k / 3, v);
            const double way = sc_length(sc_sub(v[k % 3], e.place[e.fan[k]]));
            CHECK(way <= e.most * (1 + 1e-9), "round %d: a vertex by %g", i, way);
        }
        CHECK(matches(&e), "round %d: it opens", i);
        sc_erosion_free(&e);
        stlclash_mesh_free(mesh);
        image_free(&image);
    }
}

TEST(what_is_open_is_not_eroded)
{
    stl_image image = make_l_prism(4);
    const shape_facet last = image_get(&image, image_facets(&image) - 1);
    image_set(&image, 0, &last);
    stlclash_mesh *mesh = ask_mesh(&image);
    stlclash_error error;
    sc_part part;
    sc_erosion e;
    bool possible = true;
    CHECK_INT(sc_part_place(mesh, ask_identity, "part", &part, &error), STLCLASH_OK);
    CHECK(sc_erosion_make(&part, NULL, NULL, NULL, &e, &possible) && !possible, "it is eroded");
    sc_erosion_free(&e);
    stlclash_mesh_free(mesh);
    image_free(&image);
}

/* ---- demands ----------------------------------------------------------------------------- */

static sc_vec3 triangle_of(sc_vec3 v[3], double size)
{
    const sc_vec3 at = {test_uniform(-1, 1), test_uniform(-1, 1), test_uniform(-1, 1)};
    for (int k = 0; k < 3; k++) {
        v[k] = sc_add(at, (sc_vec3){test_uniform(-size, size), test_uniform(-size, size),
                                    test_uniform(-size, size)});
    }
    return sc_unit(sc_area_twice(v));
}

/* As facets face, and by no more than is allowed: gone so far, a triangle meets the other no
 * more. */
static void check_faced(sc_vec3 v[2][3], const sc_vec3 out[2], double allowed, int round)
{
    sc_demand demand;
    sc_vec3 gone[3];
    double most = -INFINITY;
    CHECK(sc_demand_face(v[0], v[1], out, allowed, &demand), "round %d: no plane", round);
    for (int k = 0; k < 3; k++) {
        most = fmax(most, demand.least[k]);
        gone[k] = sc_mul_add(v[1][k], demand.least[k] + 1e-9, demand.way);
    }
    CHECK(most <= allowed, "round %d: by %g of %g", round, most, allowed);
    CHECK(sc_tri_meet(v[0], gone) == SC_APART, "round %d: they meet still", round);
    CHECK(sc_dot(demand.way, out[0]) - sc_dot(demand.way, out[1]) > 0.5, "round %d: aslant", round);
}

/* Gone as far as that, a triangle meets the other nowhere on its way; and not much less far. It
 * goes out of the other part, and back into its own. */
TEST(triangles_keep_clear_once_they_gave_way)
{
    int met = 0, found = 0, shorter = 0, faced = 0;
    for (int i = 0; i < test_rounds(20000); i++) {
        sc_vec3 v[2][3], out[2], gone[3], d = {0, 0, 0};
        sc_demand demand;
        for (int k = 0; k < 2; k++) {
            out[k] = triangle_of(v[k], test_uniform(0.1, 2));
        }
        if (i % 2) {
            d = (sc_vec3){test_uniform(-1, 1), test_uniform(-1, 1), test_uniform(-1, 1)};
        }
        const bool meet =
            i % 2 ? sc_tri_sweep(v[0], v[1], d).touches : sc_tri_meet(v[0], v[1]) != SC_APART;
        const double told = sc_demand_find(v[0], v[1], d, out, &demand);
        if (!(told < INFINITY)) {
            continue;
        }
        const double most = fmax(demand.least[0], fmax(demand.least[1], demand.least[2]));
        CHECK(told == most, "round %d: %g told of %g", i, told, most);
        CHECK(!meet || most > 0, "round %d: they meet, and need not go", i);
        CHECK(sc_dot(demand.way, out[0]) > -1e-2 && sc_dot(demand.way, out[1]) < 1e-2,
              "round %d: the wrong way", i);
        for (int part = 0; part < 2; part++) {
            for (int k = 0; k < 3; k++) {
                gone[k] = sc_mul_add(v[1][k], part ? most - 1e-9 : most + 1e-9, demand.way);
            }
            const bool meets =
                i % 2 ? sc_tri_sweep(v[0], gone, d).touches : sc_tri_meet(v[0], gone) != SC_APART;
            CHECK(part || !meets, "round %d: they meet still", i);
            shorter += part && meets;
        }
        met += meet;
        found++;
        if (i % 2 == 0) {
            const double allowed = test_uniform(0, 2) * told;
            if (sc_demand_face(v[0], v[1], out, allowed, &demand)) {
                check_faced(v, out, allowed, i);
                faced++;
            }
        }
    }
    CHECK(TEST_DIVISOR > 1 || (met > 1000 && found > 5000 && shorter > 1000 && faced > 500),
          "%d met, %d found, %d not if less far, %d as they face", met, found, shorter, faced);
}

/* ---- proofs ---------------------------------------------------------------------------- */

static bool shows(couple *pair, double limit, bool (*tries)(const sc_erosion_proof *, bool *))
{
    bool shallow;
    const sc_erosion_proof proof = {.solid = {&pair->solid[0], &pair->solid[1]}, .limit = limit};
    CHECK(tries(&proof, &shallow), "no memory");
    return shallow;
}

static bool proves(const stl_image *a, const stl_image *b, double limit)
{
    couple pair;
    couple_make(&pair, a, b);
    const bool shallow = shows(&pair, limit, sc_erosion_proves);
    couple_free(&pair);
    return shallow;
}

/* Cells and those between them, pushed into each other along the axes. */
TEST(what_lies_no_deeper_than_erosion_is_proven_to_be_shallow)
{
    int proven = 0, asked = 0, deeper = 0;
    for (int i = 0; i < test_rounds(150); i++) {
        const int none[3] = {0, 0, 0}, n = 2 + i % 2;
        const oracle_frame f = oracle_frame_plain();
        const double depth = ldexp(1, -5 - i % 16);
        oracle_voxels v = oracle_voxels_random(n, 0.5), rest = {.n = n};
        int way[3], cells = 0;
        bool comes = false;
        for (int k = 0; k < n * n * n; k++) {
            const int x = k / n / n, y = k / n % n, z = k % n;
            rest.set[x][y][z] = !v.set[x][y][z];
            cells += rest.set[x][y][z];
        }
        for (int k = 0; k < 3; k++) {
            way[k] = test_below(2) ? 1 : -1;
        }
        for (int k = 0; k < 3 * n * n * n; k++) { /* of full size into a face */
            const int x = k / 3 / n / n, y = k / 3 / n % n, z = k / 3 % n, axis = k % 3;
            comes |= rest.set[x][y][z] &&
                     oracle_voxels_at(&v, x + (axis == 0 ? way[0] : 0),
                                      y + (axis == 1 ? way[1] : 0), z + (axis == 2 ? way[2] : 0));
        }
        if (cells == 0) {
            continue;
        }
        stl_image a = oracle_voxels_mesh(&v, none, &f), b = oracle_voxels_mesh(&rest, none, &f);
        image_move(&b, way[0] * depth, way[1] * depth, way[2] * depth);
        proven += n == 2 && proves(&a, &b, 2 * depth);
        asked += n == 2;
        CHECK(!comes || !proves(&a, &b, 0.98 * depth), "round %d: less than %g deep", i, depth);
        deeper += comes;
        image_free(&a);
        image_free(&b);
    }
    CHECK(TEST_DIVISOR > 1 || 5 * proven > 4 * asked, "%d proven of %d", proven, asked);
    CHECK(TEST_DIVISOR > 1 || deeper > test_rounds(150) / 2, "only %d overlap", deeper);
}

/* Limits that rounding may exceed are left to others. */
TEST(erosion_by_no_more_than_rounding_proves_nothing)
{
    stl_image a = make_box((double[]){0, 0, 0}, (double[]){4, 4, 4}, 2);
    stl_image b = make_box((double[]){1, 1, 4}, (double[]){2, 2, 5}, 1);
    CHECK(proves(&a, &b, 5 * 0x1p-29) && !proves(&a, &b, 5 * 0x1p-31), "limits");
    image_free(&a);
    image_free(&b);
}

/* A foil that lies in a block, or crosses it; and a box in a box, of which no surface meets the
 * other, or one lies in the wall of a hollow one. */
TEST(what_lies_deep_is_not_proven_to_be_shallow)
{
    for (int i = 0; i < test_rounds(200); i++) {
        const double limit = test_uniform(1e-6, 0.01), at = test_uniform(0.5, 2.5);
        const double thick = limit * test_uniform(0.1, 3), sinks = limit * test_uniform(1.01, 3);
        stl_image a = i % 5 == 4
                          ? make_hollow_box((double[]){0, 0, 0}, (double[]){3, 3, 3}, 0.25)
                          : make_box((double[]){0, 0, 0}, (double[]){3, 3, 3}, 1 + (uint32_t)i % 3);
        stl_image b = i % 5 == 0   ? simple_box(at, at + thick, 0.5, 2.5, 1, 2)
                      : i % 5 == 1 ? simple_box(at, at + thick, 0.5, 2.5, -1, 2)
                      : i % 5 == 2 ? simple_box(at, at + 0.25, 1, 1.25, 1, 1.25)
                      : i % 5 == 3 ? simple_box(1, 2, 1, 2, 3 - sinks, 4)
                                   : simple_box(0.0625, 0.1875, 1, 2, 1, 2);
        CHECK(!proves(&a, &b, limit), "round %d: within %g", i, limit);
        CHECK(!proves(&b, &a, limit), "round %d: within %g, exchanged", i, limit);
        image_free(&a);
        image_free(&b);
    }
}

/* Along its axis a cylinder keeps its ends, and their middles; along another it does not, and keeps
 * what faces that. */
TEST(ways_across_a_direction_lead_across_it)
{
    enum { SIDES = 24 };
    const sc_vec3 axis = {3, 0, 0}, other = {0, 0.5, 0};
    stl_image a = make_cylinder(1, 2, SIDES), b = cube(0, 1);
    couple pair;
    couple_make(&pair, &a, &b);
    sc_erosion e;
    bool possible;
    CHECK(sc_erosion_make(&pair.part[0], NULL, NULL, NULL, &e, &possible) && possible, "made");
    sc_vec3 *along = malloc(e.fans * sizeof *along), *aside = malloc(e.fans * sizeof *aside);
    CHECK(sc_erosion_ways_across(&e, axis, NULL, along) &&
              sc_erosion_ways_across(&e, other, NULL, aside),
          "memory");
    for (uint32_t i = 0; i < e.fans; i++) {
        const sc_vec3 p = e.place[i];
        const sc_vec3 out = {0, p.y, p.z};
        const double in = -sc_dot(along[i], out), length = sc_length(along[i]);
        CHECK(fabs(along[i].x) < 1e-6 && in >= 0.97 * sc_length(out) && length < 1.1,
              "at %g from the axis: %g %g %g", sc_length(out), along[i].x, along[i].y, along[i].z);
        CHECK(fabs(p.x + aside[i].x) < 0.02, "end at %g goes by %g", p.x, aside[i].x);
        CHECK(fabs(p.y) < 0.9 || fabs(aside[i].y) < 1e-6, "%g aside goes by %g", p.y, aside[i].y);
    }
    free(along);
    free(aside);
    sc_erosion_free(&e);
    couple_free(&pair);
    image_free(&a);
    image_free(&b);
}

/* A pin in a hole that is too small for it, in any pose; or in a square hole, where no vertex of
 * either part is near the other; or a ring, half of which is in the outer wall of the bush. Whether
 * it is one of these two: there erosion must show how deep they lie in each other, while elsewhere
 * corners may keep it from that. */
static bool press(int round, stl_image *bush, stl_image *pin)
{
    const bool is_square = round % 6 == 5, is_ring = round % 6 == 3;
    const uint32_t sides = is_ring ? 48 : 12 + (uint32_t)test_below(60);
    const double more = ldexp(1, -3 - round % 12);
    const double x = round % 2 ? test_uniform(0, 3) : 0.0, y = test_uniform(0, 3), z = round % 4;
    stl_image *both[2] = {bush, pin};
    *bush =
        is_square ? make_bush(sqrt(2), 3, 1.5, 4, 1) : make_bush(1, 2, 1.5, sides, 1 + round % 3);
    if (is_square) {
        *pin = make_cylinder(1 + more, 3, 48);
        image_turn(pin, acos(-1.0) / 4, 0, 0); /* about its axis, as below */
    } else if (is_ring) {
        *pin = make_torus(2, 0.25, 48, 12);
        image_turn(pin, 0, acos(0.0), 0);
    } else {
        *pin = make_cylinder(1 + more, round % 3 ? 3 : 1, round % 5 ? sides : sides + 5);
        image_turn(pin, test_uniform(0, 0.5), 0, 0);
    }
    for (int k = 0; k < 2; k++) {
        image_turn(both[k], x, y, z);
        image_move(both[k], y, -z, 0.5);
    }
    return is_square || is_ring;
}

/* What a search finds is shown to be the most, or nearly, and less is not. */
TEST(what_is_pressed_into_a_hole_is_shown_to_lie_no_deeper)
{
    int shown = 0, asked = 0;
    for (int i = 0; i < test_rounds(60); i++) {
        stl_image bush, pin;
        couple pair;
        const bool must = press(i, &bush, &pin);
        couple_make(&pair, &bush, &pin);
        const sc_depth depth = find(&pair, 0.001, -1.0);
        CHECK(depth.depth > 0.0 && depth.complete, "round %d: %g deep", i, depth.depth);
        const bool is_shown = shows(&pair, 1.01 * depth.depth, sc_erosion_bounds);
        shown += is_shown;
        asked++;
        CHECK(!must || is_shown, "round %d: %g deep, not shown", i, depth.depth);
        CHECK(!shows(&pair, 0.995 * depth.depth, sc_erosion_bounds) &&
                  !shows(&pair, 0.995 * depth.depth, sc_erosion_proves),
              "round %d: less than %g deep", i, depth.depth);
        couple_free(&pair);
        image_free(&bush);
        image_free(&pin);
    }
    CHECK(TEST_DIVISOR > 1 || 20 * shown >= 19 * asked, "%d shown of %d", shown, asked);
}

/* A bush in another one, of facets not much larger than it is too thick, that ends where that one
 * does or stands out: corners next to where either ends have several ways out, of which one is that
 * of all others. */
TEST(what_ends_beside_what_it_is_pressed_into_is_shown_to_lie_no_deeper)
{
    for (int i = 0; i < test_rounds(6); i++) {
        const double more = ldexp(1, -5 - i % 2), length = i % 3 == 0 ? 1.5 : i % 3 == 1 ? 2 : 1;
        const uint32_t sides = 160U << i % 2;
        const int rows = 6 << i % 2;
        stl_image bush = make_bush(1, 2, 1.5, sides, rows);
        stl_image pin = make_bush(0.5, 1 + more, length, sides - 9, rows + 1);
        const double turn[3] = {test_uniform(0, 3), test_uniform(0, 3), i % 4};
        couple pair;
        image_turn(&bush, turn[0], turn[1], turn[2]);
        image_turn(&pin, turn[0], turn[1], turn[2]);
        couple_make(&pair, &bush, &pin);
        CHECK(shows(&pair, 1.01 * more, sc_erosion_bounds), "round %d: not shown", i);
        CHECK(!shows(&pair, 0.98 * more, sc_erosion_bounds), "round %d: less deep", i);
        couple_free(&pair);
        image_free(&bush);
        image_free(&pin);
    }
}

/* A thread about the axis z, of turns that are 1 high each: a tube that is a screw of four, or its
 * nut about the middle two. Edges run along its ridges and grooves, which are blunt. One vertex
 * amid it stands out by `bump`. */
static stl_image make_thread(double radius, bool is_nut, uint32_t sides, double bump)
{
    const uint32_t rows = (is_nut ? 2 : 4) * sides;
    const uint32_t facets = 4 * sides * (rows + 1);
    double(*place)[3] = malloc((size_t)2 * sides * (rows + 1) * sizeof *place);
    float *corners = malloc((size_t)facets * 9 * sizeof *corners), *at = corners;

    for (uint32_t wall = 0; wall < 2; wall++) { /* the thread, and the other one */
        for (uint32_t r = 0; r <= rows; r++) {
            for (uint32_t s = 0; s < sides; s++) {
                const double angle = 2.0 * acos(-1.0) * s / sides;
                const double turn = (r + s + 0.5) / sides;
                const double flank = fabs(2.0 * (turn - floor(turn)) - 1.0);
                const double other = is_nut ? 3.0 * radius : 0.25 * radius;
                const double out = r == rows / 2 + 1 && s == sides / 3 ? bump : 0.0;
                const double from_axis = wall == 0 ? radius + 0.5 * flank + out : other;
                double *p = place[(wall * (rows + 1) + r) * sides + s];
                p[0] = from_axis * cos(angle);
                p[1] = from_axis * sin(angle);
                p[2] = is_nut + (double)r / sides;
            }
        }
    }
    for (uint32_t s = 0; s < sides; s++) {
        const uint32_t next = (s + 1) % sides;
        for (uint32_t wall = 0; wall < 2; wall++) {
            for (uint32_t r = 0; r < rows; r++) {
                double(*const low)[3] = place + (wall * (rows + 1) + r) * sides;
                double(*const high)[3] = low + sides;
                double(*const q[4])[3] = {low + s, low + next, high + s, high + next};
                at = add_quadrilateral(at, q, (wall == 0) == is_nut);
            }
        }
        for (uint32_t end = 0; end < 2; end++) {
            double(*const thread)[3] = place + end * rows * sides;
            double(*const other)[3] = thread + (rows + 1) * sides;
            double(*const q[4])[3] = {thread + s, thread + next, other + s, other + next};
            at = add_quadrilateral(at, q, (end == 0) != is_nut);
        }
    }
    stl_image thread = make_facets(corners, facets);
    free(corners);
    free(place);
    return thread;
}

/* A screw in a nut that is too tight: its ridges stand in grooves, whose corners must go the way
 * that is right for the flanks as well as for what is between them. Less than the depth is not
 * shown, and a corner told that lies deeper. */
TEST(what_is_screwed_in_is_shown_to_lie_no_deeper)
{
    int shown = 0, asked = 0;
    for (int i = 0; i < test_rounds(8); i++) {
        const double more = ldexp(1.0, -5 - i % 8);
        const uint32_t sides = 16 + 2 * (uint32_t)test_below(6);
        stl_image screw = make_thread(2.0, false, sides, 0.0);
        stl_image nut = make_thread(2.0 - more, true, sides, 0.0);
        couple pair;
        couple_make(&pair, &screw, &nut);
        const sc_depth depth = find(&pair, 0.001, -1.0);
        CHECK(depth.complete && depth.depth > 0.7 * more && depth.depth < 1.1 * more,
              "round %d: %g deep, of %g", i, depth.depth, more);
        shown += shows(&pair, 1.01 * depth.depth, sc_erosion_bounds);
        asked++;
        sc_erosion_rest rest = {.depth = 0.0};
        const sc_erosion_proof proof = {
            .solid = {&pair.solid[0], &pair.solid[1]}, .limit = 0.9 * depth.depth, .rest = &rest};
        bool shallow;
        CHECK(sc_erosion_bounds(&proof, &shallow) && !shallow, "round %d: less than %g deep", i,
              depth.depth);
        CHECK(rest.depth > proof.limit && rest.depth < 1.001 * depth.depth,
              "round %d: %g told of %g", i, rest.depth, depth.depth);
        couple_free(&pair);
        image_free(&screw);
        image_free(&nut);
    }
    CHECK(TEST_DIVISOR > 1 || 3 * shown > asked, "%d shown of %d", shown, asked);
}

/* Whether it is allowed to, the depth not being told: by erosion where that is by far. Deep is all
 * of it, or, as is seen last, one vertex. */
TEST(what_is_screwed_in_keeps_its_limit_or_not)
{
    for (int i = 0; i < test_rounds(8); i++) {
        const double more = ldexp(1.0, -5 - i % 8), share[] = {0.3, 0.9, 1.3, 4.0, 20.0};
        const double bump = i % 4 < 2 ? 0.0 : 2.0 * more;
        const uint32_t sides = 16 + 2 * (uint32_t)test_below(6);
        stl_image screw = make_thread(2.0, false, sides, bump);
        stl_image nut = make_thread(2.0 - more, true, sides, 0.0);
        for (int k = 0; k < 5; k++) { /* it is about that deep where it is blunt */
            const bool deep = share[k] < (bump > 0.0 ? 2.0 : 1.0);
            stlclash_options options = ask_usual();
            options.touch_overlap = share[k] * more;
            options.no_overlap = i % 2 == 0;
            options.no_depth = true;
            stlclash_result *result = ask_images(&screw, &nut, &options);
            CHECK(result->status == (deep ? STLCLASH_CLASH : STLCLASH_CONTACT),
                  "round %d: %d, %g of the depth are allowed", i, (int)result->status, share[k]);
            stlclash_result_free(result);
        }
        image_free(&screw);
        image_free(&nut);
    }
}

/* Bodies of many kinds, that overlap as they come: nothing is shown to lie less deep than a search
 * finds. */
TEST(what_overlaps_anyhow_is_not_shown_to_be_shallow)
{
    int overlap = 0, shown = 0;
    for (int i = 0; i < test_rounds(120); i++) {
        stl_image body[2];
        for (int k = 0; k < 2; k++) {
            const int kind = test_below(5);
            body[k] = kind == 0   ? make_bumpy(1.0, 2 + (uint32_t)test_below(6))
                      : kind == 1 ? make_torus(1.0, test_uniform(0.1, 0.6), 16, 8)
                      : kind == 2
                          ? make_hollow_box((double[]){-1, -1, -1}, (double[]){1, 1, 1}, 0.125)
                      : kind == 3 ? make_l_prism(2)
                                  : make_bush(0.5, 1.0, test_uniform(0.2, 2), 16, 2);
            image_scale(&body[k], test_uniform(0.4, 1.0));
            image_turn(&body[k], test_uniform(0, 3), test_uniform(0, 3), test_uniform(0, 3));
            image_move(&body[k], test_uniform(-0.6, 0.6), test_uniform(-0.6, 0.6), 0);
        }
        couple pair;
        couple_make(&pair, &body[0], &body[1]);
        pair.budget = 20000;
        const sc_depth depth = find(&pair, 0.01, -1.0);
        if (depth.depth > 0.0) {
            const double share[] = {0.999, 0.9, test_uniform(0.01, 1.0)};
            for (int k = 0; k < 3; k++) {
                CHECK(!shows(&pair, share[k] * depth.depth, sc_erosion_bounds) &&
                          !shows(&pair, share[k] * depth.depth, sc_erosion_proves),
                      "round %d: no deeper than %g of %g", i, share[k], depth.depth);
            }
            overlap++;
            shown += depth.complete && shows(&pair, 1.05 * depth.bound, sc_erosion_bounds);
        }
        couple_free(&pair);
        image_free(&body[0]);
        image_free(&body[1]);
    }
    CHECK(TEST_DIVISOR > 1 || (2 * overlap > test_rounds(120) && shown > 0),
          "%d overlap, of %d it is shown how deep", overlap, shown);
}

/* A cavity of one part, or what fills one of the other: a box, larger by `more` on all sides. */
static void add_box(stl_image *image, const double at[3], double size, double more, bool is_cavity)
{
    double low[3], high[3];
    for (int k = 0; k < 3; k++) {
        low[k] = at[k] - more;
        high[k] = at[k] + size + more;
    }
    stl_image box = make_box(low, high, 1 + (uint32_t)test_below(2));
    if (is_cavity) {
        image_invert(&box);
    }
    *image = image_joined(*image, box);
}

enum cavity_fault { NO_FAULT, NO_CAVITY, NO_HOLE_FOR_PLUG, CAVITY_FAULTS };

/* A block with cavities, each filled by a box a little too large, some of them hollow and filled in
 * turn: nothing of either is in sight from outside. With a fault in one of them. */
static void make_filled(int count, enum cavity_fault fault, double sinks, stl_image *a,
                        stl_image *b)
{
    *a = make_box((double[]){0, 0, 0}, (double[]){4.0 * count, 3, 3}, 2);
    *b = make_facets(NULL, 0);
    for (int i = 0; i < count; i++) {
        const double at[3] = {4 * i + 1, 0.75, 1}, within[3] = {4 * i + 1.5, 1.25, 1.5};
        const bool is_hollow = i % 2 == 0;
        add_box(b, at, 1.5, sinks, false);
        if (i > 0 || fault != NO_CAVITY) {
            add_box(a, at, 1.5, 0, true);
        }
        if (is_hollow) {
            add_box(a, within, 0.5, sinks, false);
        }
        if (is_hollow && (i > 0 || fault != NO_HOLE_FOR_PLUG)) {
            add_box(b, within, 0.5, 0, true);
        }
    }
    const double turn[3] = {test_uniform(-3, 3), test_uniform(-3, 3), test_uniform(-3, 3)};
    image_turn(a, turn[0], turn[1], turn[2]);
    image_turn(b, turn[0], turn[1], turn[2]);
}

TEST(what_fills_cavities_is_proven_to_be_shallow)
{
    for (int i = 0; i < test_rounds(60); i++) {
        const enum cavity_fault fault = (enum cavity_fault)(i % CAVITY_FAULTS);
        const double limit = ldexp(1, -4 - i % 10);
        stl_image a, b;
        make_filled(1 + (int)test_below(4), fault, 0.5 * limit, &a, &b);
        const bool proven[2] = {proves(&a, &b, limit), proves(&b, &a, limit)};
        CHECK(proven[0] == (fault == NO_FAULT) && proven[1] == proven[0],
              "round %d, fault %d: %d, exchanged %d", i, fault, proven[0], proven[1]);
        image_free(&a);
        image_free(&b);
    }
}

/* Two boxes that cross, of which one is stored inside out: what lies in both of them does so twice,
 * and not once forth and once back. */
TEST(what_lies_in_shells_either_way_round_lies_inside)
{
    enum { FACETS = 12 };
    stl_image one = cube(0, 4), other = cube(1, 5), within = cube(2, 3);
    int8_t orientation[2 * FACETS];
    couple pair;
    bool shallow = true;
    image_invert(&other);
    one = image_joined(one, other);
    for (int i = 0; i < 2 * FACETS; i++) {
        orientation[i] = i < FACETS ? 1 : -1;
    }
    couple_make(&pair, &within, &one);
    pair.solid[1].orientation = orientation;
    const sc_erosion_proof proof = {.solid = {&pair.solid[0], &pair.solid[1]}, .limit = 0.01};
    CHECK(sc_erosion_proves(&proof, &shallow) && !shallow, "outside, or no memory");
    couple_free(&pair);
    image_free(&within);
    image_free(&one);
}
