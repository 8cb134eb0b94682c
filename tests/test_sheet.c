/* test_sheet.c - that parts which hold each other overlap along their surfaces only: cells and
 * those between them, pushed into each other by a known depth. */
#include "ask.h"
#include "base/alloc.h"
#include "both.h"
#include "depth/casing.h"
#include "depth/sheet.h"
#include "geom/facet_distance.h"
#include "oracle_solid.h"
#include "shapes.h"
#include "test.h"

#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

/* Whether the cells of `moved` come into those of `still` when they are pushed that way. */
static bool comes_into(const oracle_voxels *still, const oracle_voxels *moved, const int way[3])
{
    bool comes = false;
    for (int i = 0; i < moved->n * moved->n * moved->n; i++) {
        int x = i / moved->n / moved->n, y = i / moved->n % moved->n, z = i % moved->n;
        comes |= moved->set[x][y][z] && (oracle_voxels_at(still, x + way[0], y, z) ||
                                         oracle_voxels_at(still, x, y + way[1], z) ||
                                         oracle_voxels_at(still, x, y, z + way[2]));
    }
    return comes;
}

/* Of what lies within the box, if it is not NULL. */
static bool is_sheet_within(const stl_image *a, const stl_image *b, const sc_box *within,
                            double limit)
{
    both pair;
    bool shallow;
    both_make(&pair, a, b);
    const sc_depth_request region = {.within = within ? *within : sc_box_empty()};
    const sc_sheet_request request = {.solid = {&pair.solid[0], &pair.solid[1]},
                                      .limit = limit,
                                      .region = within ? &region : NULL};
    if (!sc_sheet_overlap(&request, &shallow)) {
        shallow = false;
        CHECK(false, "no memory");
    }
    both_free(&pair);
    return shallow;
}

static bool is_sheet(const stl_image *a, const stl_image *b, double limit)
{
    return is_sheet_within(a, b, NULL, limit);
}

/* Casings show no such thing of a few among very many random cells: of one pair in a hundred, and
 * of three where only a region is asked for. */
static int misses_allowed(int rounds, int of_a_hundred)
{
    return test_long() ? rounds * of_a_hundred / 100 : 0;
}

TEST(parts_pushed_into_each_other_overlap_in_sheets)
{
    int count[2] = {0}, missed = 0;
    for (int i = 0; i < test_rounds(48); i++) {
        const int none[3] = {0, 0, 0};
        const oracle_frame f = oracle_frame_plain();
        const double depth = ldexp(1, -4 - i % 12);
        oracle_voxels v = oracle_voxels_random(2 + i % 3, 0.5), rest = {.n = v.n};
        int way[3], cells = 0;
        for (int k = 0; k < v.n * v.n * v.n; k++) {
            int x = k / v.n / v.n, y = k / v.n % v.n, z = k % v.n;
            rest.set[x][y][z] = !v.set[x][y][z];
            cells += rest.set[x][y][z];
        }
        if (cells == 0) {
            continue;
        }
        for (int k = 0; k < 3; k++) {
            way[k] = test_below(2) ? 1 : -1;
        }
        stl_image a = oracle_voxels_mesh(&v, none, &f), b = oracle_voxels_mesh(&rest, none, &f);
        image_move(&b, way[0] * depth, way[1] * depth, way[2] * depth);
        bool comes = comes_into(&v, &rest, way);
        missed += !is_sheet(&a, &b, 2 * depth);
        CHECK(!comes || !is_sheet(&a, &b, 0.9 * depth), "round %d: less than %g deep", i, depth);
        count[comes]++;
        image_free(&a);
        image_free(&b);
    }
    CHECK(missed <= misses_allowed(test_rounds(48), 2), "%d are no sheets", missed);
    CHECK(count[1] > test_rounds(48) / 2, "only %d overlap", count[1]);
}

/* By themselves they do so beside what lies deep, where a body reaches past them. */
TEST(a_region_overlaps_in_a_sheet)
{
    int missed = 0;
    for (int i = 0; i < test_rounds(18); i++) {
        const int none[3] = {0, 0, 0}, way[3] = {1, -1, 1};
        const oracle_frame f = oracle_frame_plain();
        const double depth = ldexp(1, -4 - i % 12);
        oracle_voxels v = oracle_voxels_random(2, 0.5), rest = {.n = v.n};
        for (int k = 0; k < v.n * v.n * v.n; k++) {
            int x = k / v.n / v.n, y = k / v.n % v.n, z = k % v.n;
            rest.set[x][y][z] = !v.set[x][y][z];
        }
        stl_image a = oracle_voxels_mesh(&v, none, &f), b = oracle_voxels_mesh(&rest, none, &f);
        image_move(&b, way[0] * depth, way[1] * depth, way[2] * depth);
        a = image_joined(a, make_box((double[]){20, 0, 0}, (double[]){22, 2, 2}, 1));
        /* No surface of either is far from the other's; or one comes deep into it; or lies deep in
         * it and holds nothing that is as deep in itself. */
        const double low[3][3] = {{20, depth, 0}, {21, 0.25, 0.5}, {21, 0.5, 0.5}};
        const double high[3][3] = {{22, 2, 2}, {24, 1.5, 1.5}, {21 + depth, 1.5, 1.5}};
        b = image_joined(b, make_box(low[i / 2 % 3], high[i / 2 % 3], 1));
        b = image_joined(b, make_box((double[]){-10, -10, 20}, (double[]){30, 30, 21}, 1));
        const sc_box here = {{-1, -1, -1}, {3, 3, 3}}, there = {{19, -1, -1}, {30, 3, 30}};
        const bool comes = comes_into(&v, &rest, way);
        CHECK(!is_sheet_within(&a, &b, NULL, 2 * depth), "round %d: all of it", i);
        CHECK(!is_sheet_within(&a, &b, &there, 2 * depth), "round %d: there", i);
        missed += !is_sheet_within(&a, &b, &here, 2 * depth);
        CHECK(!comes || !is_sheet_within(&a, &b, &here, 0.9 * depth),
              "round %d: here less than %g deep", i, depth);
        image_free(&a);
        image_free(&b);
    }
    CHECK(missed <= misses_allowed(test_rounds(18), 5), "%d are no sheets here", missed);
}

/* A cell that both parts have lies deep, with no surface of either far from the other's: all of it,
 * or but for an end. */
TEST(what_lies_deep_is_no_sheet)
{
    for (int i = 0; i < test_rounds(200); i++) {
        const double thick = test_uniform(0.01, 1), limit = test_uniform(1e-6, 0.004);
        stl_image a = make_box((double[]){0, 0, 0}, (double[]){3, thick, 2}, 1 + (uint32_t)(i % 2));
        double end = i % 3 ? 3 : test_uniform(0.5, 2.9);
        stl_image b = make_box((double[]){0, 0, 0}, (double[]){end, thick, 2}, 1);
        image_move(&b, test_uniform(-0.5, 0.5) * limit, test_uniform(-0.5, 0.5) * limit, 0);
        CHECK(!is_sheet(&a, &b, limit), "round %d: a slab %g thick is a sheet of %g", i, thick,
              limit);
        CHECK(is_sheet(&a, &b, 2 * thick), "round %d: a slab %g thick is none of %g", i, thick,
              2 * thick);
        image_free(&a);
        image_free(&b);
    }
}

/* Feet of a rack that stand in the ground by little, and one by too much, wherever that is in the
 * file. */
TEST(one_foot_too_deep_is_no_sheet)
{
    for (int i = 0; i < test_rounds(16); i++) {
        const int feet = 10 + test_below(60), deep = test_below(feet);
        stl_image rack[2], ground = make_box((double[]){-1, -1, -1}, (double[]){100, 2, 0}, 3);
        for (int k = 0; k < 2; k++) {
            rack[k] = make_facets(NULL, 0);
            for (int n = 0; n < feet; n++) {
                const double low[3] = {n, 0, k == 1 && n == deep ? -0.01 : -0.001};
                rack[k] = image_joined(
                    rack[k], make_box(low, (double[]){n + 0.75, 1, 1}, 1 + (uint32_t)(i % 2)));
            }
            CHECK(is_sheet(&rack[k], &ground, 0.002) == (k == 0), "round %d: foot %d of %d", i,
                  deep, feet);
            CHECK(is_sheet(&ground, &rack[k], 0.002) == (k == 0), "round %d: foot %d of %d", i,
                  deep, feet);
            image_free(&rack[k]);
        }
        image_free(&ground);
    }
}

/* A facet without area is no surface to be near to. */
TEST(facets_without_area_make_no_sheet)
{
    static const float line[] = {1.5f, 1.5f, 1, 1.5f, 1.5f, 2, 1.5f, 1.5f, 1.5f};
    stl_image a =
        image_joined(make_box((double[]){0, 0, 0}, (double[]){3, 3, 3}, 1), make_facets(line, 1));
    stl_image b = make_box((double[]){1.45, 1.45, 1.1}, (double[]){1.55, 1.55, 1.9}, 1);
    CHECK(!is_sheet(&a, &b, 0.15), "a rod along it is a sheet");
    image_free(&a);
    image_free(&b);
}

/* Along an edge of each facet two facets back to back that have no area as they are stored, but
 * do, as much as rounding, where they are placed. */
static stl_image with_hair(const stl_image *image)
{
    stl_image with = make_facets(NULL, 0);
    image_join(&with, image);
    for (size_t i = 0; i < image_facets(image); i++) {
        const shape_facet f = image_get(image, i);
        const float *from = f.corner[i % 3], *to = f.corner[(i + 1) % 3];
        float hair[2][3][3];
        for (int k = 0; k < 3; k++) {
            hair[0][0][k] = hair[1][0][k] = from[k];
            hair[0][1][k] = hair[1][2][k] = 0.5f * (from[k] + to[k]);
            hair[0][2][k] = hair[1][1][k] = to[k];
        }
        with = image_joined(with, make_facets(hair[0][0], 2));
    }
    return with;
}

/* Which it mostly does not keep from being told, and never makes shallower. */
TEST(hair_on_sheets)
{
    int missed = 0;
    for (int i = 0; i < test_rounds(12); i++) {
        const double depth = ldexp(1, -4 - i % 8);
        double placement[16];
        both pair;
        bool shallow[2] = {false, false};
        ask_placement(placement, 4.0);
        stl_image box = make_box((double[]){0, 0, 0}, (double[]){2, 1, 1}, 1 + (uint32_t)i % 2);
        stl_image beside = make_box((double[]){2 - depth, -1, -1}, (double[]){3, 2, 2}, 1);
        stl_image a = with_hair(&box), b = with_hair(&beside);
        both_place(&pair, &a, &b, placement);
        for (int k = 0; k < 2; k++) {
            const sc_sheet_request request = {.solid = {&pair.solid[0], &pair.solid[1]},
                                              .limit = (k ? 0.9 : 2.0) * depth};
            CHECK(sc_sheet_overlap(&request, &shallow[k]), "no memory");
        }
        missed += !shallow[0];
        CHECK(!shallow[1], "round %d: less than %g deep", i, 0.9 * depth);
        both_free(&pair);
        image_free(&a);
        image_free(&b);
        image_free(&box);
        image_free(&beside);
    }
    CHECK(missed <= test_rounds(12) / 2, "%d of %d are no sheets", missed, test_rounds(12));
}

/* It is told where something deeper may lie; from there a way leads to it. */
TEST(what_keeps_a_sheet_from_being_told_lies_deep)
{
    for (int i = 0; i < test_rounds(100); i++) {
        const double depth = ldexp(1, -4 - i % 8), turn = test_uniform(-1.0, 1.0);
        stl_image a = make_box((double[]){0, 0, 0}, (double[]){2, 1, 1}, 1 + (uint32_t)i % 3);
        stl_image b = make_box((double[]){2 - depth, -2, -2}, (double[]){3, 3, 3}, 1);
        both pair;
        bool shallow;
        sc_sheet_rest rest;
        image_turn(&a, turn, 0, turn);
        image_turn(&b, turn, 0, turn);
        both_make(&pair, &a, &b);
        const sc_sheet_request request = {.solid = {&pair.solid[0], &pair.solid[1]},
                                          .limit = test_uniform(0.2, 0.9) * depth,
                                          .rest = &rest};
        CHECK(sc_sheet_overlap(&request, &shallow) && !shallow && !rest.spent, "round %d", i);
        const sc_depth_request search = {.solid = {&pair.solid[0], &pair.solid[1]},
                                         .within = pair.part[0].used_bounds,
                                         .relative_error = 0.01,
                                         .threshold = -1};
        sc_depth found = {.depth = 0.0};
        CHECK(!isnan(rest.place.x) && sc_depth_try(&search, rest.place, &found), "round %d", i);
        CHECK(found.depth > 0.99 * request.limit && found.depth <= depth + 1e-6,
              "round %d: %g deep, of %g, not less than %g", i, found.depth, depth, request.limit);
        both_free(&pair);
        image_free(&a);
        image_free(&b);
    }
}

/* Its own surface is near everywhere; that of the other part is not. */
TEST(a_foil_deep_inside_is_no_sheet)
{
    for (int i = 0; i < test_rounds(200); i++) {
        const double limit = test_uniform(1e-4, 0.01), at = test_uniform(0.5, 2.5);
        stl_image a = make_box((double[]){0, 0, 0}, (double[]){3, 3, 3}, 2);
        stl_image b = make_box((double[]){at, 0.5, i % 2 ? -1 : 1},
                               (double[]){at + 0.5 * limit, 2.5, 2}, 1 + (uint32_t)(i % 3));
        CHECK(!is_sheet(&a, &b, limit), "round %d: a foil is a sheet", i);
        image_free(&a);
        image_free(&b);
    }
}

/* A part flush in another, both turned, rounded and freed: a sheet; and none once it is moved,
 * along what was x. */
static void try_turned(stl_image *part, stl_image *other, int round, int count, const char *what)
{
    const double turn[3] = {test_uniform(-3, 3), test_uniform(-3, 3), test_uniform(-3, 3)};
    double turned[3][3];
    shape_rotation(turned, turn[0], turn[1], turn[2]);
    image_turn(part, turn[0], turn[1], turn[2]);
    image_turn(other, turn[0], turn[1], turn[2]);
    CHECK(is_sheet(part, other, 0x1p-18), "round %d: no sheet, %d %s", round, count, what);
    image_move(part, 0x1p-14 * turned[0][0], 0x1p-14 * turned[1][0], 0x1p-14 * turned[2][0]);
    CHECK(!is_sheet(part, other, 0x1p-18), "round %d: a sheet, %d %s", round, count, what);
    image_free(part);
    image_free(other);
}

enum { MOST_SIDES = 500 };

/* A pin of many sides, and a block with the hole that it fills; the ends divided from different
 * corners: hundreds of facets meet in a corner, and where that is turned and rounded each has a
 * plane of its own, a little off. */
static void make_round_pin(int sides, stl_image *pin, stl_image *block)
{
    double outline[2][MOST_SIDES][2];
    for (int k = 0; k < sides; k++) {
        double *at = outline[0][k], *other = outline[1][(k + sides / 2) % sides];
        at[0] = other[0] = 5 * cos(2 * M_PI * k / sides);
        at[1] = other[1] = 5 * sin(2 * M_PI * k / sides);
    }
    stl_image hole = make_prism((const double(*)[2])outline[1], sides, -4, 4);
    *pin = make_prism((const double(*)[2])outline[0], sides, -4, 4);
    *block = make_box((double[]){-8, -8, -7}, (double[]){8, 8, 7}, 1);
    image_invert(&hole);
    *block = image_joined(*block, hole);
}

TEST(a_round_pin_in_its_hole_is_a_sheet)
{
    for (int i = 0; i < test_rounds(10); i++) {
        const int sides = 20 + (int)test_below(281);
        stl_image pin, block;
        make_round_pin(sides, &pin, &block);
        try_turned(&pin, &block, i, sides, "sides");
    }
}

#ifdef NDEBUG /* what is not optimised, or checked, takes more */
static void *try_pair(void *context)
{
    both *pair = context;
    bool shallow = false;
    const sc_sheet_request request = {.solid = {&pair->solid[0], &pair->solid[1]},
                                      .limit = 0x1p-18};
    CHECK(sc_sheet_overlap(&request, &shallow) && shallow, "no sheet, or no memory");
    return NULL;
}

/* Pieces of pieces of pieces, many times over. */
TEST(a_sheet_is_told_on_a_small_stack)
{
    const long least = sysconf(_SC_THREAD_STACK_MIN), enough = 96 << 10;
    stl_image pin, block;
    both pair;
    pthread_attr_t small;
    pthread_t thread;
    make_round_pin(MOST_SIDES, &pin, &block);
    image_turn(&pin, 1, 2, 0.5);
    image_turn(&block, 1, 2, 0.5);
    both_make(&pair, &pin, &block);
    pthread_attr_init(&small);
    CHECK_INT(pthread_attr_setstacksize(&small, (size_t)(least > enough ? least : enough)), 0);
    if (pthread_create(&thread, &small, try_pair, &pair) == 0) {
        pthread_join(thread, NULL);
    } else {
        CHECK(false, "no thread");
    }
    pthread_attr_destroy(&small);
    both_free(&pair);
    image_free(&pin);
    image_free(&block);
}
#endif

/* Polls as often as that, then refuses. */
typedef struct patience {
    int polls, most;
} patience;

static bool has_patience(void *context)
{
    patience *p = context;
    return p->polls++ < p->most;
}

/* With --exact that is a clash, but its depth is rounding all the same: no long search for it. */
TEST(the_depth_of_a_sheet_that_clashes_is_told)
{
    stlclash_options options = stlclash_options_default();
    stl_image pin, block;
    options.exact = true;
    make_round_pin(MOST_SIDES, &pin, &block);
    image_turn(&pin, 1, 2, 0.5);
    image_turn(&block, 1, 2, 0.5);
    stlclash_mesh *mesh[2] = {ask_mesh(&pin), ask_mesh(&block)};
    stlclash_result *r = ask_pair(mesh[0], mesh[1], &options);
    CHECK_INT(r->status, STLCLASH_CLASH);
    CHECK(r->overlap.has_depth && r->overlap.depth > 0.0 &&
              r->overlap.depth + r->overlap.depth_error <= 2.0 * r->resolution,
          "%g deep, by %g more at most", r->overlap.depth, r->overlap.depth_error);
    stlclash_result_free(r);
    for (int k = 0; k < 2; k++) {
        stlclash_mesh_free(mesh[k]);
    }
    image_free(&pin);
    image_free(&block);
}

/* The walls over an outline, from z = low to high. */
static void add_walls(stl_image *image, const double outline[][2], int corners, float low,
                      float high)
{
    shape_sink sink = stl_image_sink(image);
    for (int i = 0; i < corners; i++) {
        const double *at = outline[i], *next = outline[(i + 1) % corners];
        float x0 = (float)at[0], y0 = (float)at[1], x1 = (float)next[0], y1 = (float)next[1];
        shape_facet walls[2] = {{{{x0, y0, low}, {x1, y1, low}, {x1, y1, high}}},
                                {{{x0, y0, low}, {x1, y1, high}, {x0, y0, high}}}};
        sink.take(sink.context, &walls[0]);
        sink.take(sink.context, &walls[1]);
    }
}

/* A facet in the plane z = low, and one in the plane z = high the other way round. */
static void add_ends(stl_image *image, const double a[2], const double b[2], const double c[2],
                     float low, float high)
{
    shape_sink sink = stl_image_sink(image);
    float x[3] = {(float)a[0], (float)b[0], (float)c[0]};
    float y[3] = {(float)a[1], (float)b[1], (float)c[1]};
    shape_facet ends[2] = {{{{x[0], y[0], low}, {x[2], y[2], low}, {x[1], y[1], low}}},
                           {{{x[0], y[0], high}, {x[1], y[1], high}, {x[2], y[2], high}}}};
    sink.take(sink.context, &ends[0]);
    sink.take(sink.context, &ends[1]);
}

/* A disc that comes a little into each side of a box: of a facet of the box many slivers take
 * strips off, and it asks for the time in between. */
TEST(sheets_ask_for_the_time_within_a_facet)
{
    enum { SIDES = 600 };
    patience p = {0, INT_MAX};
    stl_image disc = make_facets(NULL, 0),
              lid = make_box((double[]){-6, -6, 0.99}, (double[]){6, 6, 4}, 1);
    double rim[SIDES][2];
    sc_sheet_rest rest;
    both pair;
    bool shallow;
    for (int k = 0; k < SIDES; k++) {
        rim[k][0] = 5 * cos(2 * M_PI * k / SIDES);
        rim[k][1] = 5 * sin(2 * M_PI * k / SIDES);
    }
    add_walls(&disc, (const double(*)[2])rim, SIDES, -1, 1);
    for (int k = 0; k < SIDES; k++) {
        add_ends(&disc, (double[]){0, 0}, rim[k], rim[(k + 1) % SIDES], -1, 1);
    }
    image_turn(&disc, 1, 2, 0.5);
    image_turn(&lid, 1, 2, 0.5);
    both_make(&pair, &disc, &lid);
    const size_t facets = image_facets(&disc) + image_facets(&lid);
    const sc_sheet_request request = {.solid = {&pair.solid[0], &pair.solid[1]},
                                      .limit = 0.015,
                                      .rest = &rest,
                                      .poll = {has_patience, &p}};
    CHECK(sc_sheet_overlap(&request, &shallow) && shallow && !rest.spent, "no sheet: %g %g %g %d",
          rest.place.x, rest.place.y, rest.place.z, rest.spent);
    const int all = p.polls;
    CHECK(all > (int)(facets / 64 * 2 + 4) + 8, "%d polls of %zu facets", all, facets);
    for (int most = 0; most < all; most += 1 + all / 20) {
        p = (patience){0, most};
        CHECK(sc_sheet_overlap(&request, &shallow) && !shallow && rest.spent,
              "a sheet after %d polls", most);
        CHECK_INT(p.polls, most + 1);
    }
    both_free(&pair);
    image_free(&disc);
    image_free(&lid);
}

/* A shaft with many teeth in its hub, flush on all sides and turned: corners face both ways, and
 * the long thin facets of the ends of the hub meet by dozens. */
TEST(a_splined_shaft_in_its_hub_is_a_sheet)
{
    enum { MOST = 20, POINTS = 10, OUTER = 12 };
    for (int i = 0; i < test_rounds(6); i++) {
        const int teeth = 6 + (int)test_below(MOST - 5), corners = teeth * POINTS;
        double inner[MOST * POINTS][2], outer[OUTER][2];
        stl_image shaft = make_facets(NULL, 0), hub = make_facets(NULL, 0);
        stl_image hole = make_facets(NULL, 0);
        for (int k = 0; k < corners; k++) {
            double angle = 2 * M_PI * k / corners, wave = cos(angle * teeth);
            double radius = 12 + 0.8 * (wave > 0.6 ? 0.6 : wave < -0.6 ? -0.6 : wave);
            inner[k][0] = radius * cos(angle);
            inner[k][1] = radius * sin(angle);
        }
        for (int k = 0; k < OUTER; k++) {
            outer[k][0] = 20 * cos(2 * M_PI * (k + 0.5) / OUTER);
            outer[k][1] = 20 * sin(2 * M_PI * (k + 0.5) / OUTER);
        }
        add_walls(&shaft, (const double(*)[2])inner, corners, 0, 20);
        add_walls(&hole, (const double(*)[2])inner, corners, 2, 12);
        add_walls(&hub, (const double(*)[2])outer, OUTER, 2, 12);
        image_invert(&hole);
        hub = image_joined(hub, hole);
        for (int k = 0; k < corners; k++) {
            const double *at = inner[k], *next = inner[(k + 1) % corners];
            int sector = k * OUTER / corners, then = (k + 1) * OUTER / corners % OUTER;
            add_ends(&shaft, (double[]){0, 0}, at, next, 0, 20);
            add_ends(&hub, outer[sector], next, at, 2, 12);
            if (then != sector) {
                add_ends(&hub, outer[sector], outer[then], next, 2, 12);
            }
        }
        try_turned(&shaft, &hub, i, teeth, "teeth");
    }
}

/* ---- parts of any thickness ------------------------------------------------- */

/* How far p is from the cells that are not set (or are), in frame units. Of cells alone: no
 * mesh. */
static double distance_to_cells(const oracle_voxels *v, const double p[3], bool set)
{
    double least = INFINITY;
    for (int x = -1; x <= v->n; x++) {
        for (int y = -1; y <= v->n; y++) {
            for (int z = -1; z <= v->n; z++) {
                const double cell[3] = {x, y, z};
                double sum = 0.0;
                for (int k = 0; k < 3; k++) {
                    const double off = fmax(cell[k] - p[k], fmax(p[k] - cell[k] - 1.0, 0.0));
                    sum += off * off;
                }
                if (oracle_voxels_at(v, x, y, z) == set) {
                    least = fmin(least, sqrt(sum));
                }
            }
        }
    }
    return least;
}

/* The deepest of many common points, cells of `b` moved by `by`. */
static double sampled_depth(const oracle_voxels *a, const oracle_voxels *b, const double by[3])
{
    enum { STEPS = 8 };
    double most = 0.0;
    const int count = STEPS * a->n;
    for (int i = 0; i < count * count * count; i++) {
        const int at[3] = {i / count / count, i / count % count, i % count};
        double p[3], q[3];
        for (int k = 0; k < 3; k++) {
            p[k] = (at[k] + 0.5) / STEPS;
            q[k] = p[k] - by[k];
        }
        const double in_a = distance_to_cells(a, p, false), in_b = distance_to_cells(b, q, false);
        if (in_a > 0.0 && in_b > 0.0) {
            most = fmax(most, fmax(in_a, in_b));
        }
    }
    return most;
}

/* Cells of both at random, moved so far that walls are as thin as the limit: whatever they look
 * like, no sample lies deeper than what they are told to keep. */
TEST(no_sample_is_deeper_than_sheets)
{
    int shallow = 0, deep = 0;
    for (int i = 0; i < test_rounds(24); i++) {
        const int none[3] = {0, 0, 0};
        const oracle_frame f = oracle_frame_plain();
        oracle_voxels v = oracle_voxels_random(2 + i % 2, 0.5), w = {.n = v.n};
        double by[3];
        for (int k = 0; k < v.n * v.n * v.n; k++) {
            const int x = k / v.n / v.n, y = k / v.n % v.n, z = k % v.n;
            w.set[x][y][z] = i % 3 == 0 ? test_below(2) : !v.set[x][y][z];
        }
        for (int k = 0; k < 3; k++) {
            by[k] = (double)test_below(65) / 128.0 - 0.25;
        }
        const double depth = sampled_depth(&v, &w, by);
        stl_image a = oracle_voxels_mesh(&v, none, &f), b = oracle_voxels_mesh(&w, none, &f);
        image_move(&b, by[0], by[1], by[2]);
        if (image_facets(&a) > 0 && image_facets(&b) > 0) {
            for (int k = 1; k <= 12; k++) {
                const double limit = 0.1 * k;
                const bool told = is_sheet(&a, &b, limit);
                CHECK(!told || depth <= limit, "round %d: %g deep, told to keep %g", i, depth,
                      limit);
                shallow += told;
                deep += !told;
            }
        }
        image_free(&a);
        image_free(&b);
    }
    CHECK(shallow > test_rounds(24) && deep > test_rounds(24), "%d shallow, %d not", shallow, deep);
}

/* A slab that both have, and thinner than twice the limit: its own surface is near everywhere. */
TEST(thin_slabs_are_no_sheets)
{
    for (int i = 0; i < test_rounds(100); i++) {
        const double limit = test_uniform(0.01, 0.1), thick = 2.0 * limit * test_uniform(1.02, 1.5);
        const double turn[3] = {test_uniform(-3, 3), test_uniform(-3, 3), test_uniform(-3, 3)};
        stl_image a = make_box((double[]){0, 0, 0}, (double[]){3, thick, 2}, 1 + (uint32_t)(i % 2));
        stl_image b = make_box((double[]){0, 0, 0}, (double[]){i % 3 ? 3 : 2, thick, 2}, 1);
        image_turn(&a, turn[0], turn[1], turn[2]);
        image_turn(&b, turn[0], turn[1], turn[2]);
        CHECK(!is_sheet(&a, &b, limit), "round %d: %g thick is a sheet of %g", i, thick, limit);
        CHECK(is_sheet(&a, &b, 0.51 * thick), "round %d: %g thick is none of %g", i, thick,
              0.51 * thick);
        image_free(&a);
        image_free(&b);
    }
}

/* Faces of a casing. */
typedef struct faces {
    sc_piece *face;
    size_t count, capacity;
} faces;

static bool keep_face(void *context, const sc_piece *face)
{
    faces *f = context;
    const bool room = sc_make_room(&f->face, &f->capacity, f->count + 1, sizeof *f->face);
    if (room) {
        f->face[f->count++] = *face;
    }
    return room;
}

/* How far along a unit vector a face is from a point; infinite if it is beside it. */
static double face_along(const sc_piece *p, sc_vec3 from, sc_vec3 way)
{
    const double at = sc_dot(p->normal, sc_sub(p->corner[0], from)) / sc_dot(p->normal, way);
    const sc_vec3 on = sc_mul_add(from, at, way);
    for (int k = 0; k < p->count; k++) {
        const sc_vec3 a = p->corner[k], side = sc_sub(p->corner[k + 1 < p->count ? k + 1 : 0], a);
        if (!(sc_dot(sc_cross(p->normal, side), sc_sub(on, a)) >= -1e-12)) {
            return INFINITY;
        }
    }
    return at;
}

/* Whether the way out from the nearest point passes a face as far from it as faces are. */
static bool passes_face(const faces *f, sc_vec3 from, sc_vec3 to, double distance)
{
    const sc_vec3 way = sc_unit(sc_sub(to, from));
    bool passes = false;
    for (size_t i = 0; i < f->count && !passes; i++) {
        const double at = face_along(&f->face[i], from, way);
        passes = at >= distance * (1.0 - 1e-6) && at <= distance * SC_CASING_FARTHEST * 1.000001;
    }
    return passes;
}

/* Cells at random, turned: who comes to their surface from anywhere, straight to the nearest point,
 * comes through a face of a casing. */
TEST(casings_enclose_surfaces)
{
    for (int i = 0; i < test_rounds(40); i++) {
        const int none[3] = {0, 0, 0};
        const oracle_frame f = oracle_frame_plain();
        oracle_voxels v = oracle_voxels_random(2 + i % 2, 0.5);
        v.set[0][0][0] = true;
        stl_image a = oracle_voxels_mesh(&v, none, &f);
        const double distance = test_uniform(0.001, 0.4);
        faces all = {.count = 0};
        both pair;
        if (i % 4) {
            image_turn(&a, test_uniform(-3, 3), test_uniform(-3, 3), test_uniform(-3, 3));
        }
        both_make(&pair, &a, &a);
        sc_surface surface = {.solid = &pair.solid[0], .margin = 1e-14};
        sc_casing casing = {
            .surface = &surface, .distance = distance, .take = keep_face, .context = &all};
        for (uint32_t k = 0; k < image_facets(&a); k++) {
            sc_vec3 corner[3];
            sc_wall wall;
            sc_solid_facet(&pair.solid[0], k, corner);
            CHECK(sc_wall_make(corner, 1e-9, &wall) && sc_casing_of_facet(&casing, k, &wall),
                  "round %d: facet %u has no casing", i, (unsigned)k);
        }
        for (int k = 0; k < 300; k++) {
            const sc_vec3 p = {test_uniform(-5, 5), test_uniform(-5, 5), test_uniform(-5, 5)};
            const sc_nearest n = sc_surface_nearest(&surface, p, (sc_seek){.hint = UINT32_MAX});
            CHECK(n.distance <= 1e-3 || passes_face(&all, n.point, p, distance),
                  "round %d: a way from %g away", i, n.distance);
        }
        free(casing.ways);
        sc_free(all.face);
        both_free(&pair);
        image_free(&a);
    }
}

/* Facets back to back, all as wide as rounding, have none beside them that could tell for them: so
 * what encloses one is whole, and nowhere nearer or farther than it should be. */
TEST(casings_of_hair_enclose_it)
{
    for (int i = 0; i < test_rounds(20); i++) {
        const double distance = test_uniform(0.01, 10.0), part = test_uniform(0.0, 1.0);
        double x[2][3];
        sc_vec3 v[3];
        faces all = {.count = 0};
        sc_casing casing = {.distance = distance, .take = keep_face, .context = &all};
        for (int k = 0; k < 6; k++) {
            x[k / 3][k % 3] = test_below(4) ? test_uniform(-5.0, 5.0) : 1.0;
        }
        v[i % 3] = (sc_vec3){x[0][0], x[0][1], x[0][2] - 1.0};
        v[(i + 1) % 3] = (sc_vec3){x[1][0], x[1][1], x[1][2] + 6.0};
        v[(i + 2) % 3] = sc_mul_add(v[i % 3], part, sc_sub(v[(i + 1) % 3], v[i % 3]));
        CHECK(sc_casing_of_hair(&casing, v), "round %d: no casing", i);
        for (int k = 0; k < 100; k++) {
            const sc_vec3 p = {test_uniform(-20, 20), test_uniform(-20, 20), test_uniform(-20, 20)};
            sc_vec3 on;
            CHECK(sc_facet_distance(p, v, &on) <= 1e-3 || passes_face(&all, on, p, distance),
                  "round %d: a way from there", i);
        }
        for (size_t k = 0; k < all.count; k++) {
            sc_vec3 on;
            for (int c = 0; c < all.face[k].count; c++) {
                const double far = sc_facet_distance(all.face[k].corner[c], v, &on) / distance;
                CHECK(far <= SC_CASING_FARTHEST * (1.0 + 1e-9), "round %d: at %g", i, far);
            }
            const double near = sc_facet_distance(sc_piece_middle(&all.face[k]), v, &on) / distance;
            CHECK(near >= 1.0 - 1e-6, "round %d: at %g", i, near);
        }
        free(casing.ways);
        sc_free(all.face);
    }
}

/* Discs of many slivers about their middles, crossing askew: no cell about those is small enough to
 * have few of them. */
TEST(thin_discs_are_as_deep_as_half_their_thickness)
{
    enum { SIDES = 300 };
    static const float half = 0x1p-7f;
    stlclash_options options = stlclash_options_default();
    stl_image disc[2] = {make_facets(NULL, 0), make_facets(NULL, 0)};
    double rim[SIDES][2];
    for (int k = 0; k < SIDES; k++) {
        rim[k][0] = 5 * cos(2 * M_PI * k / SIDES);
        rim[k][1] = 5 * sin(2 * M_PI * k / SIDES);
    }
    for (int i = 0; i < 2; i++) {
        add_walls(&disc[i], (const double(*)[2])rim, SIDES, -half, half);
        for (int k = 0; k < SIDES; k++) {
            add_ends(&disc[i], (double[]){0, 0}, rim[k], rim[(k + 1) % SIDES], -half, half);
        }
    }
    image_turn(&disc[1], 0.004, 0.003, 0.01);
    image_move(&disc[1], 0.3, 0.2, 0);
    stlclash_mesh *mesh[2] = {ask_mesh(&disc[0]), ask_mesh(&disc[1])};
    stlclash_result *r = ask_pair(mesh[0], mesh[1], &options);
    CHECK_INT(r->status, STLCLASH_CLASH);
    const stlclash_overlap *o = &r->overlap;
    CHECK(o->has_depth && o->depth <= half * 1.000001 && o->depth + o->depth_error >= half,
          "%g deep, by %g", o->depth, o->depth_error);
    CHECK(o->depth_error <= 0.0101 * o->depth, "%g deep, by %g", o->depth, o->depth_error);
    stlclash_result_free(r);
    for (int k = 0; k < 2; k++) {
        stlclash_mesh_free(mesh[k]);
        image_free(&disc[k]);
    }
}

/* A pin of flat sides in a ring that is a little too narrow, turned. Where casings come near to the
 * other surface without coming through it, small pieces of them show that. */
TEST(press_fits_are_sheets_by_small_pieces)
{
    enum { MOST = 11 };
    int shown = 0, all = 0;
    for (int sides = 5; sides<MOST; sides += TEST_DIVISOR> 1 ? 2 : 1, all++) {
        const double depth = 0.002 * (1 + sides % 5), r = (5.0 - depth / cos(M_PI / sides)) / 5.0;
        stl_image pin = make_facets(NULL, 0), ring = make_facets(NULL, 0);
        double inner[MOST][2], hole[MOST][2], outer[MOST][2];
        for (int k = 0; k < sides; k++) {
            inner[k][0] = 5 * cos(2 * M_PI * k / sides);
            inner[k][1] = 5 * sin(2 * M_PI * k / sides);
            for (int c = 0; c < 2; c++) {
                hole[k][c] = r * inner[k][c];
                outer[k][c] = 2 * inner[k][c];
            }
        }
        add_walls(&pin, (const double(*)[2])inner, sides, -5, 5);
        add_walls(&ring, (const double(*)[2])hole, sides, -4, 4);
        image_invert(&ring);
        add_walls(&ring, (const double(*)[2])outer, sides, -4, 4);
        for (int k = 0; k < sides; k++) {
            const int next = (k + 1) % sides;
            add_ends(&pin, (double[]){0, 0}, inner[k], inner[next], -5, 5);
            add_ends(&ring, outer[k], outer[next], hole[next], -4, 4);
            add_ends(&ring, outer[k], hole[next], hole[k], -4, 4);
        }
        image_turn(&pin, 1, 2, sides);
        image_turn(&ring, 1, 2, sides);
        shown += is_sheet(&pin, &ring, 1.0087 * depth / cos(M_PI / sides));
        image_free(&pin);
        image_free(&ring);
    }
    CHECK(2 * shown > all, "%d sheets of %d", shown, all);
}

/* A pin of flat sides in a block whose ends were divided badly: facets between their corners and
 * those of the hole reach over it, and others back, so that they are folded onto themselves. */
TEST(folded_ends_keep_no_pin_from_touching)
{
    enum { SIDES = 12, CORNERS = 4 };
    for (int round = 0; round < test_rounds(4); round++) {
        stl_image pin = make_facets(NULL, 0), block = make_facets(NULL, 0);
        double hole[SIDES][2], outer[CORNERS][2];
        for (int k = 0; k < SIDES; k++) {
            hole[k][0] = 3.2 * cos(2 * M_PI * k / SIDES);
            hole[k][1] = 3.2 * sin(2 * M_PI * k / SIDES);
        }
        for (int k = 0; k < CORNERS; k++) {
            outer[k][0] = 9 * cos(2 * M_PI * k / CORNERS);
            outer[k][1] = 9 * sin(2 * M_PI * k / CORNERS);
        }
        add_walls(&pin, (const double(*)[2])hole, SIDES, 0, 0.75f);
        add_walls(&pin, (const double(*)[2])hole, SIDES, 0.75f, 2);
        add_walls(&block, (const double(*)[2])hole, SIDES, 0, 2);
        image_invert(&block);
        add_walls(&block, (const double(*)[2])outer, CORNERS, 0, 2);
        for (int k = 0; k < SIDES; k++) {
            const int next = (k + 1) % SIDES, corner = k * CORNERS / SIDES;
            const double *after = outer[(corner + 1) % CORNERS];
            add_ends(&pin, (double[]){0, 0}, hole[k], hole[next], 0, 2);
            if (k * CORNERS % SIDES == 0) {
                add_ends(&block, hole[k], outer[corner], after, 0, 2);
            }
            add_ends(&block, hole[k], after, hole[next], 0, 2);
        }
        image_turn(&pin, 1, 2, round);
        image_turn(&block, 1, 2, round);
        stlclash_result *r = ask_images(&pin, &block, NULL);
        CHECK(r->status == STLCLASH_CONTACT, "round %d: %s", round,
              stlclash_status_text(r->status));
        stlclash_result_free(r);
        image_free(&pin);
        image_free(&block);
    }
}

/* A pin of so many sides, twisted by half a side in its own hole: each edge comes a little into a
 * facet, by the height of its arc. */
static void make_twisted(int sides, float length, stl_image *pin, stl_image *ring)
{
    double(*inner)[2] = malloc((size_t)sides * sizeof *inner);
    double(*outer)[2] = malloc((size_t)sides * sizeof *outer);
    *pin = make_facets(NULL, 0);
    *ring = make_facets(NULL, 0);
    for (int k = 0; k < sides; k++) {
        inner[k][0] = 5 * cos(2 * M_PI * k / sides);
        inner[k][1] = 5 * sin(2 * M_PI * k / sides);
        outer[k][0] = 2 * inner[k][0];
        outer[k][1] = 2 * inner[k][1];
    }
    add_walls(pin, (const double(*)[2])inner, sides, -length, length);
    add_walls(ring, (const double(*)[2])inner, sides, -0.8f * length, 0.8f * length);
    image_invert(ring);
    add_walls(ring, (const double(*)[2])outer, sides, -0.8f * length, 0.8f * length);
    for (int k = 0; k < sides; k++) {
        const int next = (k + 1) % sides;
        add_ends(pin, (double[]){0, 0}, inner[k], inner[next], -length, length);
        add_ends(ring, outer[k], outer[next], inner[next], -0.8f * length, 0.8f * length);
        add_ends(ring, outer[k], inner[next], inner[k], -0.8f * length, 0.8f * length);
    }
    image_turn(pin, 0, 0, M_PI / sides);
    free(inner);
    free(outer);
}

/* Cells as small as the arcs are high would be many millions. */
TEST(a_pin_twisted_in_its_hole_touches_by_more_than_its_arcs)
{
    enum { SIDES = 4000 };
    stlclash_options options = stlclash_options_default();
    stl_image pin, ring;
    options.touch_overlap = 3.0 * 5.0 * (1.0 - cos(M_PI / SIDES));
    options.quick = true; /* else the depth is searched for as well */
    make_twisted(SIDES, 5, &pin, &ring);
    stlclash_result *r = ask_images(&pin, &ring, &options);
    CHECK_INT(r->status, STLCLASH_CONTACT);
    stlclash_result_free(r);
    image_free(&pin);
    image_free(&ring);
}

/* Where the whole is too much to search at once, it is done region by region. */
TEST(edges_of_a_twisted_pin_are_regions_as_deep_as_its_arcs)
{
    enum { SIDES = 200 };
    const double depth = 5.0 * (1.0 - cos(M_PI / SIDES)), rounding = 2e-6;
    for (int i = 0; i < 2; i++) {
        stl_image pin, ring;
        make_twisted(SIDES, 0.03f, &pin, &ring);
        if (i > 0) {
            image_turn(&pin, 1, 2, 3);
            image_turn(&ring, 1, 2, 3);
        }
        stlclash_result *r = ask_images(&pin, &ring, NULL);
        const stlclash_overlap *o = &r->overlap;
        CHECK_INT(o->region_count, SIDES);
        CHECK(o->has_depth && !ask_has_note(r, "depth_undecided"), "how deep is not known");
        CHECK(o->depth <= depth + rounding && o->depth + o->depth_error >= depth - rounding &&
                  o->depth_error <= 0.0101 * depth && o->depth_error >= 0,
              "%g deep, by %g, not %g", o->depth, o->depth_error, depth);
        for (size_t k = 0; k < o->region_count; k++) {
            const double own = o->regions[k].depth;
            CHECK(isnan(own) || fabs(own - depth) <= 0.01 * depth + rounding, "%zu: %g, not %g", k,
                  own, depth);
        }
        stlclash_result_free(r);
        image_free(&pin);
        image_free(&ring);
    }
}
