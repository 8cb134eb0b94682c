/* What is near, what is apart, what crosses and what is deep, judged by boxes, cells or a few
 * facets instead of by all: against a look at every facet. Whatever these proofs say must be
 * so; where they say nothing, nothing is checked but that it does not happen always. */
#include "ask.h"
#include "check/first_bound.h"
#include "check/first_crossing.h"
#include "depth/depth_crossing.h"
#include "geom/tri_distance.h"
#include "geom/tri_intersect.h"
#include "near.h"
#include "solids/apart.h"
#include "solids/flood.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>

typedef struct both {
    stl_image image[2];
    stlclash_mesh *mesh[2];
    sc_part part[2];
    sc_frame frame;
} both;

static void both_make(both *b, stl_image a_image, stl_image b_image, const double *placement)
{
    stlclash_error error;
    *b = (both){.image = {a_image, b_image}};
    for (int i = 0; i < 2; i++) {
        b->mesh[i] = ask_mesh(&b->image[i]);
        CHECK_INT(sc_part_place(b->mesh[i], i ? placement : NULL, "it", &b->part[i], &error),
                  STLCLASH_OK);
    }
    b->frame = sc_frame_make(&b->part[0].used_bounds, &b->part[1].used_bounds);
}

static void both_free(both *b)
{
    for (int i = 0; i < 2; i++) {
        stlclash_mesh_free(b->mesh[i]);
        image_free(&b->image[i]);
    }
}

static uint32_t facets_of(const both *b, int part)
{
    return b->part[part].mesh->file.facets.count;
}

static void corners(const both *b, int part, uint32_t facet, sc_vec3 v[3])
{
    sc_triangle_vertices(&b->part[part].mesh->file.facets, &b->part[part].used, facet, v);
}

/* ---- near ---------------------------------------------------------------- */

static sc_fbox box_of(const both *b, int part, uint32_t facet)
{
    const sc_part *p = &b->part[part];
    const sc_way_in way = sc_frame_way_in(&b->frame, &p->mesh->file.facets, &p->used);
    sc_ffacet f;
    sc_frame_facet(&way, facet, &f);
    return f.box;
}

static bool within(const both *b, int part, uint32_t f, uint32_t g, double distance)
{
    sc_vec3 v[3], w[3];
    sc_box x = sc_box_empty(), y = sc_box_empty();
    corners(b, part, f, v);
    corners(b, 1 - part, g, w);
    for (int k = 0; k < 3; k++) {
        sc_box_add_point(&x, v[k]);
        sc_box_add_point(&y, w[k]);
    }
    x = sc_box_grown(&x, distance);
    if (!sc_boxes_meet(&x, &y)) {
        return false;
    }
    sc_triangle s = sc_triangle_make(v), t = sc_triangle_make(w);
    return sc_tri_meet(v, w) != SC_APART || sqrt(sc_tri_closest(&s, &t).distance_sq) <= distance;
}

TEST(facets_about_a_box_are_found)
{
    uint64_t passed_over = 0, meeting = 0;
    for (int round = test_rounds(200); round > 0; round--) {
        stl_image a = make_bumpy(1.0, 4), far = make_sphere(0.5, 2);
        double scale = pow(10.0, test_uniform(-36.0, 36.0));
        both b;
        image_shuffle(&a);
        image_scale(&a, test_below(2) ? 1.0 : scale);
        both_make(&b, a, far, NULL);
        const sc_facets *facets = &b.part[0].mesh->file.facets;
        sc_fbox region = box_of(&b, 0, (uint32_t)test_below((int)facets->count));
        sc_fbox_grow(&region, test_below(2) ? 0.0f : (float)test_uniform(0.0, 0.3));
        for (uint32_t first = 0, count; first < facets->count; first += count) {
            uint32_t left = facets->count - first, most = 1 + (uint32_t)test_below(64);
            count = left < most ? left : most;
            uint64_t about =
                sc_frame_facets_about(&b.frame, facets, &b.part[0].used, first, count, &region);
            CHECK(count == 64 || about >> count == 0, "facets that are not there");
            for (uint32_t i = 0; i < count; i++) {
                sc_fbox box = box_of(&b, 0, first + i);
                bool told = about >> i & 1, meets = sc_fbox_meet(&box, &region);
                CHECK(told || !meets, "facet %u meets the box", first + i);
                passed_over += !told;
                meeting += meets;
            }
        }
        both_free(&b);
    }
#if defined(__SSE2__)
    CHECK(passed_over > meeting, "%llu of %llu are passed over", (unsigned long long)passed_over,
          (unsigned long long)meeting);
#else
    (void)passed_over;
    CHECK(meeting > 0, "none meets it");
#endif
}

/* Facets of listed blocks that are not told to be near, to `out`: a byte for each facet. */
static uint64_t mark_left_out(const both *b, int part, const sc_vicinity *near, char *out)
{
    uint64_t all = 0;
    for (size_t at = 0; at < near->loose.block_count; at++) {
        uint32_t first, facet[SC_BLOCK], block = near->loose.blocks[at].block;
        uint32_t count = sc_block_facets(&b->part[part].mesh->file.facets, block, &first);
        uint32_t near_ones = sc_loose_meeting(&near->loose, at, near->cells.row, facet);
        memset(out + first, 1, count);
        for (uint32_t i = 0; i < near_ones; i++) {
            CHECK(facet[i] >= first && facet[i] < first + count, "facet %u of block %u", facet[i],
                  block);
            out[facet[i]] = 0;
        }
        all += count - near_ones;
    }
    return all;
}

/* Of every two facets within the distance, neither is left out; returns how many are by lists. */
static uint64_t check_near(both *b, double distance, const char *what, uint64_t *left_out)
{
    static sc_near near;
    uint64_t by_lists = 0;
    sc_crew *crew = sc_crew_new(1 + test_below(2));
    sc_near_init(&near, b->part);
    CHECK(sc_near_find(b->part, &b->frame, distance, crew, &near), "memory");
    sc_crew_free(crew);
    for (int i = 0; i < 2; i++) {
        sc_fbox region = sc_frame_fbox(&b->frame, &near.region[i]);
        char *out = calloc(facets_of(b, i), 1);
        if (!near.none && near.has_cells) {
            by_lists += mark_left_out(b, i, &near.of[i], out);
        }
        for (uint32_t f = 0; f < facets_of(b, i); f += test_long() ? 1 : 7) {
            sc_fbox box = box_of(b, i, f);
            if (!near.none && !out[f] && sc_fbox_meet(&box, &region) &&
                (!near.has_cells || sc_cells_meet(&near.of[i].cells, &box))) {
                continue;
            }
            ++*left_out;
            for (uint32_t g = 0; g < facets_of(b, 1 - i); g++) {
                CHECK(!within(b, i, f, g, distance), "%s: facets %u of %d and %u are within %g",
                      what, f, i, g, distance);
            }
        }
        free(out);
    }
    sc_near_free(&near);
    return by_lists;
}

static const double turn[16] = {0.36, 0.48, -0.8, 0.2, -0.8, 0.6, 0.0, 0.1,
                                0.48, 0.64, 0.6,  0.3, 0,    0,   0,   1};

TEST(nothing_near_is_left_out)
{
    const double distances[] = {0.0, 1e-6, 0.03, 0.4};
    uint64_t left_out = 0, by_lists = 0, facets = 0;

    for (int kind = 0; kind < 8; kind++) {
        for (size_t d = 0; d < sizeof distances / sizeof distances[0]; d++) {
            stl_image a = kind < 4 ? make_bumpy(1.0, kind == 0 ? 40 : 11) /* fine, and shuffled */
                                   : make_torus(1.0, 0.3, 60, 20);
            stl_image b = kind % 4 == 3 ? make_cylinder(0.2, 3.0, 300) : make_sphere(0.7, 11);
            double scale = kind % 4 == 1 ? 1e-30 : 1.0, far = kind % 4 == 2 ? 500.0 : 0.0;
            both pair;
            image_move(&b, 1.2, 0.8, 0.3);
            if (kind % 2 == 0) {
                image_shuffle(&a);
            }
            image_move(&a, far, far, -far);
            image_move(&b, far, far, -far);
            image_scale(&a, scale);
            image_scale(&b, scale);
            both_make(&pair, a, b, kind >= 6 ? turn : NULL);
            by_lists += check_near(&pair, distances[d] * scale, "pair", &left_out);
            facets += (facets_of(&pair, 0) + facets_of(&pair, 1)) / (test_long() ? 1 : 7);
            both_free(&pair);
        }
    }
    CHECK(3 * left_out > facets, "only %llu of %llu facets left out", (unsigned long long)left_out,
          (unsigned long long)facets);
    CHECK(by_lists > 1000, "only %llu loose facets left out", (unsigned long long)by_lists);
}

/* ---- cells --------------------------------------------------------------- */

static bool marked(const sc_cells *c, int z, int y, int x)
{
    return c->row[sc_cell_row(z, y)] >> x & 1;
}

static sc_fbox point_box(const both *b, sc_vec3 p)
{
    sc_box at = sc_box_empty();
    sc_box_add_point(&at, p);
    return sc_frame_fbox(&b->frame, &at);
}

/* A place within the distance of a corner, if what lies half way is in the grid. */
static void check_mark(const both *b, const sc_cells *cells, sc_vec3 corner, sc_vec3 step)
{
    sc_fbox half_way = point_box(b, sc_add(corner, sc_scale(step, 0.5)));
    sc_fbox box = point_box(b, sc_add(corner, step));
    CHECK(!sc_fbox_meet(&half_way, &cells->box) || sc_cells_meet(cells, &box),
          "%g %g %g from %g %g %g meets no marked cell", step.x, step.y, step.z, corner.x, corner.y,
          corner.z);
}

/* Points nearly as far from a corner as the distance, along each axis and some other way. */
static void check_marks(const both *b, double distance, sc_cells *cells)
{
    if (distance > 0.0) {
        sc_cells_mark_within(cells, &b->frame, &b->part[0], distance * b->frame.scale, NULL);
    } else {
        sc_cells_mark(cells, &b->frame, &b->part[0]);
    }
    for (uint32_t f = 0; f < facets_of(b, 0); f++) {
        sc_vec3 v[3], other = {test_uniform(-1, 1), test_uniform(-1, 1), test_uniform(-1, 1)};
        double far = 0.999 * distance;
        corners(b, 0, f, v);
        for (int way = 0; way < 6; way++) {
            double step[3] = {0, 0, 0};
            step[way / 2] = way % 2 ? far : -far;
            sc_vec3 to = {step[0], step[1], step[2]};
            check_mark(b, cells, v[f % 3], to);
        }
        other = sc_scale(other, far / sc_length(other));
        check_mark(b, cells, v[f % 3], other);
    }
}

TEST(cells_near_facets_are_marked)
{
    static sc_cells cells;
    const double distances[] = {0.0, 1e-3, 0.01, 0.02};
    int rounds = test_rounds(60), useful = 0;

    for (int round = 0; round < rounds; round++) {
        both b;
        sc_fbox box = {{0}, {0}};
        uint64_t all = UINT64_MAX;
        stl_image image = round % 3 ? make_sphere(1.0, 30)
                                    : make_box((double[]){-1, -1, -1}, (double[]){.4, .4, .4}, 30);
        image_turn(&image, round % 2 * test_uniform(0, 3), test_uniform(0, 3), 0);
        both_make(&b, image, make_sphere(1.5, 2), round % 5 ? NULL : turn);
        for (int k = 0; k < 3; k++) {
            box.low[k] = (float)test_uniform(-0.5, -0.2);
            box.high[k] = (float)test_uniform(0.2, 0.5);
        }
        const int count = round % 2 ? SC_CELLS : 16 + test_below(SC_CELLS - 16);
        sc_cells_make(&box, count, &cells);
        check_marks(&b, distances[round % 4], &cells);
        for (int i = 0; i < count * count; i++) {
            all &= cells.row[sc_cell_row(i / count, i % count)];
        }
        useful += all != UINT64_MAX >> (SC_CELLS - count);
        both_free(&b);
    }
    CHECK(4 * useful > 3 * rounds, "all cells are marked in %d of %d rounds", rounds - useful,
          rounds);
}

/* One cell after the other, by a queue. */
static void flood_slowly(const sc_cells *walls, bool open[3][2], sc_cells *reached)
{
    static int queue[SC_CELLS * SC_CELLS * SC_CELLS][3];
    const int n = walls->count;
    int count = 0;

    sc_cells_make(&walls->box, n, reached);
    for (int i = 0; i < n * n * n; i++) {
        int at[3] = {i % n, i / n % n, i / n / n};
        bool is_open = false;
        for (int k = 0; k < 3; k++) {
            is_open |= (at[k] == 0 && open[k][0]) || (at[k] == n - 1 && open[k][1]);
        }
        if (is_open && !marked(walls, at[2], at[1], at[0])) {
            reached->row[sc_cell_row(at[2], at[1])] |= UINT64_C(1) << at[0];
            memcpy(queue[count++], at, sizeof at);
        }
    }
    for (int i = 0; i < count; i++) {
        for (int way = 0; way < 6; way++) {
            int to[3] = {queue[i][0], queue[i][1], queue[i][2]};
            to[way / 2] += way % 2 ? 1 : -1;
            if (to[way / 2] >= 0 && to[way / 2] < n && !marked(walls, to[2], to[1], to[0]) &&
                !marked(reached, to[2], to[1], to[0])) {
                reached->row[sc_cell_row(to[2], to[1])] |= UINT64_C(1) << to[0];
                memcpy(queue[count++], to, sizeof to);
            }
        }
    }
}

/* Some cell of a box is marked where not all of them are free. */
TEST(boxes_meet_marked_cells)
{
    static sc_cells cells, free_ones;
    const sc_fbox box = {{-1, -1, -1, 0}, {1, 1, 1, 0}};
    int met = 0;
    for (int round = test_rounds(300); round > 0; round--) {
        const int count = 16 + test_below(SC_CELLS - 16);
        sc_cells_make(&box, count, &cells);
        sc_cells_make(&box, count, &free_ones);
        for (int i = test_below(count * count); i > 0; i--) {
            cells.row[sc_cell_row(test_below(count), test_below(count))] |= UINT64_C(1)
                                                                            << test_below(count);
        }
        for (int i = 0; i < count * count; i++) {
            free_ones.row[sc_cell_row(i / count, i % count)] =
                ~cells.row[sc_cell_row(i / count, i % count)];
        }
        for (int i = 0; i < 300; i++) {
            sc_fbox at = {{0}, {0}};
            double size = test_below(2) ? 1.5 / count : test_uniform(0, 0.3);
            for (int k = 0; k < 3; k++) {
                at.low[k] = (float)test_uniform(-1.1, 1.1);
                at.high[k] = at.low[k] + (float)test_uniform(0, size);
            }
            bool meets = sc_cells_meet(&cells, &at);
            CHECK(meets == !sc_cells_hold(&free_ones, &at), "%d cells", count);
            met += meets;
        }
    }
    CHECK(met > 100, "%d", met);
}

TEST(cells_are_reached_by_ways_around_walls)
{
    static sc_cells walls, reached, expected;
    sc_fbox box = {{0, 0, 0, 0}, {1, 1, 1, 0}};

    for (int round = 0; round < test_rounds(40); round++) {
        bool open[3][2];
        uint64_t missed = 0;
        const int count = round % 3 ? SC_CELLS : 1 + test_below(SC_CELLS);
        sc_cells_make(&box, count, &walls);
        for (int i = 0; i < count * count; i++) {
            uint64_t word = test_random() & test_random();
            word &= round % 4 > 0 ? test_random() : UINT64_MAX;
            word |= round % 4 > 1 ? 0 : test_random() & test_random();
            walls.row[sc_cell_row(i / count, i % count)] = word & UINT64_MAX >> (SC_CELLS - count);
        }
        for (int k = 0; k < 6; k++) {
            open[k / 2][k % 2] = test_random() % 4 == 0;
        }
        sc_cells_flood(&walls, open, &reached);
        flood_slowly(&walls, open, &expected);
        for (int i = 0; i < count * count; i++) {
            uint64_t r = reached.row[sc_cell_row(i / count, i % count)];
            uint64_t e = expected.row[sc_cell_row(i / count, i % count)];
            CHECK((r & ~e) == 0, "round %d: a cell without a way out is reached", round);
            missed += (uint64_t)__builtin_popcountll(e & ~r);
        }
        CHECK(missed == 0 || round % 4 < 2, "round %d: %llu cells missed", round,
              (unsigned long long)missed);
    }
}

/* ---- apart --------------------------------------------------------------- */

static bool is_apart(both *b, int own)
{
    bool apart;
    CHECK(sc_apart_find(&b->part[own], &b->part[1 - own], &b->frame, &apart), "out of memory");
    return apart;
}

/* What lies inside something is never said to be apart; what does not is, where facets stand
 * in the file as they hang together. */
static void check_apart(stl_image a, stl_image b, const double *placement, bool a_outside,
                        bool b_outside, const char *what)
{
    const bool outside[2] = {a_outside, b_outside};
    both pair;
    both_make(&pair, a, b, placement);
    for (int i = 0; i < 2; i++) {
        CHECK(is_apart(&pair, i) == outside[i], "%s: %c is%s apart", what, "AB"[i],
              outside[i] ? " not" : "");
    }
    for (int i = 0; i < 2; i++) {
        stl_image shuffled = {0};
        image_join(&shuffled, &pair.image[i]);
        image_shuffle(&shuffled);
        stl_image other = {0};
        image_join(&other, &pair.image[1 - i]);
        both mixed;
        both_make(&mixed, shuffled, other, NULL);
        if (!placement) {
            CHECK(!is_apart(&mixed, 0) || outside[i], "%s: %c shuffled is apart", what, "AB"[i]);
            CHECK(!is_apart(&mixed, 1) || outside[1 - i], "%s: %c is apart", what, "AB"[1 - i]);
        }
        both_free(&mixed);
    }
    both_free(&pair);
}

static stl_image ball(double radius, double x, double y, double z)
{
    stl_image image = make_sphere(radius, radius > 0.5 ? 60 : 10);
    image_move(&image, x, y, z);
    return image;
}

static stl_image ring(bool upright, double x)
{
    stl_image image = make_torus(1.0, 0.3, 120, 40);
    image_turn(&image, upright ? 1.5707963267948966 : 0.0, 0.0, 0.0);
    image_move(&image, x, 0.0, 0.0);
    return image;
}

/* One block of facets, each of which hangs together with the one before. */
static stl_image pebble(double x, double y, double z)
{
    static const float corner[4][3] = {{0, 0, 0}, {.02f, 0, 0}, {0, .02f, 0}, {0, 0, .02f}};
    static const int side[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    float facets[SC_BLOCK][9];
    for (int i = 0; i < 9 * SC_BLOCK; i++) {
        facets[i / 9][i % 9] = corner[side[i / 9 % 4][i % 9 / 3]][i % 3];
    }
    stl_image image = make_facets(facets[0], SC_BLOCK);
    image_move(&image, x, y, z);
    return image;
}

TEST(parts_are_apart_where_a_way_leads_out)
{
    const double low[3] = {-2, -2, -2}, high[3] = {2, 2, 2}, small[3] = {-1, -1, -1};
    const double large[3] = {1, 1, 1};
    const double upright[16] = {1, 0, 0, 1, 0, 0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1};

    check_apart(ring(false, 0), ring(true, 1), NULL, true, true, "links");
    check_apart(ring(false, 0), ring(true, 0.7), NULL, true, true, "close links");
    check_apart(ring(false, 0), ring(false, 0), upright, true, true, "links by placement");
    check_apart(ball(0.5, 0, 0, 0), ball(1, 0, 0, 0), NULL, false, true, "a ball in a ball");
    check_apart(ball(0.8, 0.1, 0, 0), ball(1, 0, 0, 0), NULL, false, true, "nearly a shell");
    check_apart(make_box(small, large, 20), make_hollow_box(low, high, 0.5), NULL, false, true,
                "loose in a cavity, which has no way out");
    check_apart(image_joined(ring(false, 0), ball(0.1, 1, 0, 0)), ring(true, 1), NULL, true, true,
                "a ball in the ring's hole");
    check_apart(image_joined(ring(false, 0), ball(0.1, 1, 0, 1)), ring(true, 1), NULL, false, true,
                "a ball in the other ring");
    check_apart(image_joined(ring(false, 0), ball(0.02, 1, 0, 1.27)), ring(true, 1), NULL, false,
                true, "a small ball just below the other ring's surface");
    check_apart(image_joined(ball(0.02, 1, 0, 1.27), ring(false, 0)), ring(true, 1), NULL, false,
                true, "the same, first in the file");
    check_apart(image_joined(ring(false, 0), pebble(1, 0, 1)), ring(true, 1), NULL, false, true,
                "a pebble in the other ring");
    check_apart(image_joined(pebble(1, 0, 1), ring(false, 0)), ring(true, 1), NULL, false, true,
                "the same, first in the file");
    for (int k = 0; k < 3; k++) { /* corners of both lie on lines along an axis */
        const double at[3] = {k == 0 ? 5 : 1, k == 1 ? 5 : 0, k == 2 ? 5 : 1};
        check_apart(image_joined(pebble(at[0], at[1], at[2]), pebble(1, 0, 1)), ring(true, 1), NULL,
                    false, true, "a pebble in the other ring, and one beside it");
    }
    check_apart(image_joined(ball(0.3, 0, 0, 3), ball(0.3, 0, 0, 0)),
                image_joined(ball(1, 0, 0, 0), ball(0.2, 0, 0, 6)), NULL, false, true,
                "one of two in one of two");
}

/* A square in the plane z = 0, from both sides: closed, and as flat as the grid over it. */
static stl_image sheet(float x)
{
    const float facets[4][9] = {{0, 0, 0, .1f, 0, 0, .1f, .1f, 0},
                                {0, 0, 0, .1f, .1f, 0, 0, .1f, 0},
                                {0, 0, 0, .1f, .1f, 0, .1f, 0, 0},
                                {0, 0, 0, 0, .1f, 0, .1f, .1f, 0}};
    stl_image image = make_facets(facets[0], 4);
    image_move(&image, (double)x, 0, 0);
    return image;
}

TEST(a_flat_grid_has_no_way_past_walls)
{
    both pair;
    both_make(&pair, image_joined(sheet(0), sheet(3)), ball(1, 0, 0, 0), NULL);
    CHECK(!is_apart(&pair, 0), "a sheet in a ball is apart from it");
    both_free(&pair);
    both_make(&pair, image_joined(sheet(-3), sheet(3)), ball(1, 0, 0, 0), NULL);
    CHECK(is_apart(&pair, 0), "sheets on both sides of a ball are not apart from it");
    both_free(&pair);
}

/* ---- deep ---------------------------------------------------------------- */

static bool is_deep(both *b, double limit)
{
    stlclash_error error;
    sc_solid near[2];
    size_t count = 0, capacity = 4096;
    uint64_t *hits = malloc(capacity * sizeof *hits);

    for (uint32_t f = 0; f < facets_of(b, 0); f++) {
        for (uint32_t g = 0; g < facets_of(b, 1) && count < capacity; g++) {
            if (within(b, 0, f, g, 0.0)) {
                hits[count++] = (uint64_t)f << 32 | g;
            }
        }
    }
    for (int i = 0; i < 2; i++) {
        CHECK_INT(sc_solid_make(&b->part[i], i ? SC_ROLE_B : SC_ROLE_A, &b->frame, NULL, &near[i],
                                &error),
                  STLCLASH_OK);
    }
    bool deep = sc_depth_crossing(near, hits, count, limit);
    for (int i = 0; i < 2; i++) {
        sc_solid_free(&near[i]);
    }
    free(hits);
    return deep;
}

/* Two boxes that overlap by a known depth: said to be deeper than less, never than more. */
TEST(crossings_are_deep_only_where_parts_are)
{
    const double depths[] = {0.5, 0.01, 1e-5};
    for (size_t d = 0; d < sizeof depths / sizeof depths[0]; d++) {
        for (uint32_t cells = 1; cells < 20; cells += 6) {
            for (int turned = 0; turned < 2; turned++) {
                const double low[3] = {-1, -1, -1}, high[3] = {0, 1, 1};
                const double other[3] = {-depths[d], -2.3, -2.1}, far[3] = {2, 2.2, 2.4};
                both pair;
                stl_image a = make_box(low, high, cells), b = make_box(other, far, 7);
                image_turn(&a, turned, turned, 0);
                image_turn(&b, turned, turned, 0);
                both_make(&pair, a, b, NULL);
                CHECK(!is_deep(&pair, 1.01 * depths[d] + 1e-6), "%g deep, said to be more",
                      depths[d]);
                CHECK(is_deep(&pair, 0.3 * depths[d]), "%g deep, not seen to be a third of it",
                      depths[d]);
                both_free(&pair);
            }
        }
    }
}

/* Edges that pass through a plate end outside on both sides, far from it. */
TEST(a_rod_through_a_thin_plate_is_not_deep)
{
    const double low[3] = {-1, 0.9, -0.1}, high[3] = {1, 1.1, 0.1};
    const double plate[3] = {-0.05, -2, -2}, top[3] = {0.05, 2, 2};
    both pair;
    both_make(&pair, make_box(low, high, 1), make_box(plate, top, 1), NULL);
    CHECK(!is_deep(&pair, 0.101), "more than half of the rod's width");
    CHECK(is_deep(&pair, 0.03), "less than half of the plate's thickness");
    both_free(&pair);
}

/* ---- first looks ----------------------------------------------------------- */

enum { FEW = 30 }; /* rounds that tell nothing of how often */

static double distance_of(const both *b, const uint32_t facet[2])
{
    sc_vec3 v[2][3];
    corners(b, 0, facet[0], v[0]);
    corners(b, 1, facet[1], v[1]);
    sc_triangle s = sc_triangle_make(v[0]), t = sc_triangle_make(v[1]);
    return sc_tri_meet(v[0], v[1]) != SC_APART ? 0.0 : sqrt(sc_tri_closest(&s, &t).distance_sq);
}

/* Two parts some way from each other, or into each other. */
static void pair_of(both *b, double gap, uint32_t cells)
{
    stl_image x = test_below(3) ? make_sphere(1.0, cells) : make_bumpy(1.0, cells);
    stl_image y = test_below(3) ? make_sphere(0.6, 17)
                                : make_box((double[]){-.6, -.3, -.3}, (double[]){.3, .3, .3}, 1);
    image_turn(&x, test_uniform(0, 3), test_uniform(0, 3), 0);
    image_turn(&y, test_uniform(0, 3), test_uniform(0, 3), 0);
    image_move(&y, 1.6 + gap, 0.0, 0.0);
    if (test_below(4) == 0) {
        image_shuffle(&x);
    }
    both_make(b, x, y, test_below(2) ? turn : NULL);
}

static void some_pair(both *b, double gap)
{
    pair_of(b, gap, test_below(4) == 0 ? 2 : (uint32_t)test_below(12) + 3);
}

TEST(turns_come_closer)
{
    int rounds = test_rounds(100), found = 0;
    for (int round = 0; round < rounds; round++) {
        both b;
        uint32_t facet[2];
        double least = INFINITY;
        some_pair(&b, 1.0);
        sc_nearest_samples(b.part, facet);
        sc_vec3 v[3], w[3];
        corners(&b, 0, facet[0], v);
        corners(&b, 1, facet[1], w);
        double before = sc_length(sc_sub(v[0], w[0]));
        sc_nearest_by_turns(b.part, facet);
        double after = distance_of(&b, facet);
        CHECK(after <= before, "from %g to %g", before, after);
        for (uint32_t f = 0; f < facets_of(&b, 0); f++) {
            for (uint32_t g = 0; g < facets_of(&b, 1); g += 1 + facets_of(&b, 1) / 61) {
                least = fmin(least, distance_of(&b, (uint32_t[2]){f, g}));
            }
        }
        found += after <= 1.02 * least;
        both_free(&b);
    }
    CHECK(rounds < FEW || 3 * found > 2 * rounds, "the least distance in %d of %d rounds", found,
          rounds);
}

static bool tree_has(const sc_octree *tree, uint32_t facet)
{
    uint32_t list[SC_FAMILY];
    for (uint32_t i = 0; tree->levels > 0 && i < tree->count[1]; i++) {
        uint32_t count = sc_octree_facets(tree, 1, i, list);
        for (uint32_t k = 0; k < count; k++) {
            if (list[k] == facet) {
                return true;
            }
        }
    }
    return false;
}

/* Everything within reach of the facets that cross, for what must be told from it. */
static void check_trees(const both *b, const sc_octree tree[2], uint64_t crossing, double reach)
{
    for (int i = 0; i < 2; i++) {
        uint32_t other = (uint32_t)(i == 0 ? crossing : crossing >> 32);
        for (uint32_t f = 0; f < facets_of(b, i); f++) {
            CHECK(!within(b, i, f, other, reach) || tree_has(&tree[i], f),
                  "facet %u of %d is missing within %g", f, i, reach);
        }
    }
}

TEST(first_crossings_are_crossings)
{
    int rounds = test_rounds(200), found = 0;
    for (int round = 0; round < rounds; round++) {
        both b;
        uint32_t facet[2];
        stlclash_error error;
        bool apart = round % 4 == 0;
        double reach = test_below(2) ? 0.0 : 0.05;
        sc_octree tree[2] = {{.levels = 0}, {.levels = 0}};
        /* fine, so that what is close by is not most of what they have in common */
        pair_of(&b, apart ? 0.3 : -test_uniform(0.1, 0.5), (uint32_t)test_below(20) + 20);
        sc_narrow n = {.leaves = sc_leaves_of(&b.frame, &b.part[0], &b.part[1]),
                       .stop_at_crossing = true};
        sc_narrow_init(&n);
        sc_nearest_samples(b.part, facet);
        sc_nearest_by_turns(b.part, facet);
        CHECK_INT(sc_first_crossing(b.part, &b.frame, facet, reach, NULL, &n, tree, &error),
                  STLCLASH_OK);
        if (n.hits.count > 0) {
            sc_vec3 v[3], w[3];
            corners(&b, 0, (uint32_t)(n.hits.pairs[0] >> 32), v);
            corners(&b, 1, (uint32_t)n.hits.pairs[0], w);
            CHECK(sc_tri_meet(v, w) == SC_CROSS, "round %d: no crossing", round);
            CHECK_INT((int)n.hits.count, 1);
            check_trees(&b, tree, n.hits.pairs[0], reach);
        } else {
            CHECK(tree[0].levels == 0 && tree[1].levels == 0, "trees without a crossing");
        }
        found += n.hits.count > 0;
        sc_narrow_free(&n);
        sc_octree_free(&tree[0]);
        sc_octree_free(&tree[1]);
        both_free(&b);
    }
    CHECK(rounds < FEW || 4 * found > rounds, "found in %d of %d rounds", found, rounds);
}
