/* test_time_limit.c - a check ends soon after its time is over, whatever it is at; and the sorting
 * that asks for the time. */
#include "ask.h"
#include "base/alloc.h"
#include "base/sort.h"
#include "check/first_crossing.h"
#include "geom/tri_intersect.h"
#include "overlap/members.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Of this process: whatever else the machine does. */
static double seconds_used(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The same tetrahedron, many times over: each facet meets all of the other part. */
static stl_image many_in_one_place(int count)
{
    static const float corner[4][3] = {{0, 0, 0}, {10, 0, 0}, {0, 10, 0}, {0, 0, 10}};
    static const int facet[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    float *corners = malloc((size_t)count * 36 * sizeof *corners);
    for (int i = 0; i < 4 * count * 3; i++) {
        memcpy(corners + (size_t)3 * (size_t)i, corner[facet[i / 3 % 4][i % 3]], 3 * sizeof(float));
    }
    stl_image image = make_facets(corners, (size_t)count * 4);
    free(corners);
    return image;
}

/* Double pyramids around an axis, whose apex is the same for all facets. */
static stl_image spindle(double turned, int sides)
{
    float *corners = malloc((size_t)sides * 18 * sizeof *corners);
    for (int i = 0; i < sides; i++) {
        const double one = 6.283185307179586 * ((double)i + turned) / sides;
        const double two = 6.283185307179586 * ((double)((i + 1) % sides) + turned) / sides;
        const float from[3] = {(float)(10.0 * cos(one)), (float)(10.0 * sin(one)), 0.0f};
        const float to[3] = {(float)(10.0 * cos(two)), (float)(10.0 * sin(two)), 0.0f};
        const float top[3] = {0, 0, 5}, bottom[3] = {0, 0, -5};
        const float *all[6] = {top, from, to, bottom, to, from};
        for (int k = 0; k < 6; k++) {
            memcpy(corners + 18 * (size_t)i + 3 * (size_t)k, all[k], 3 * sizeof(float));
        }
    }
    stl_image image = make_facets(corners, (size_t)sides * 2);
    free(corners);
    return image;
}

/* How long it takes is no matter but in a long run, on a machine that has nothing else to do. */
static void check_limits(const stl_image *a, const stl_image *b)
{
    static const double limits[] = {0.01, 0.05, 0.2, 0.5, 1.0};
    const double late = 0.5;

    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        stlclash_options options = ask_usual();
        options.max_seconds = limits[i];
        options.threads = 1;
        options.curves = options.overlap_mesh = true;
        const double start = seconds_used();
        stlclash_result *result = ask_images(a, b, &options);
        const double used = seconds_used() - start;
        CHECK(!test_long() || used <= limits[i] + late, "%g seconds of %g", used, limits[i]);
        if (ask_has_note(result, "time_limit")) {
            CHECK_INT(result->status, STLCLASH_UNDECIDED);
            CHECK(!result->has_normal, "of what was found by then");
        }
        stlclash_result_free(result);
    }
}

TEST(time_is_kept_where_all_facets_lie_in_one_place)
{
    stl_image a = many_in_one_place(400), b = many_in_one_place(401);
    check_limits(&a, &b);
    image_free(&a), image_free(&b);
}

TEST(time_is_kept_where_all_facets_share_an_apex)
{
    stl_image a = spindle(0.0, 3000), b = spindle(0.5, 3001);
    check_limits(&a, &b);
    image_free(&a), image_free(&b);
}

/* Facets around a hub, and a plate above or below that is so large that they are little of it. */
static stl_image hub(int sides, float height)
{
    const size_t count = (size_t)sides + 2;
    float *corners = malloc(count * 9 * sizeof *corners);
    for (int i = 0; i < sides; i++) {
        const double one = 6.283185307179586 * i / sides, two = 6.283185307179586 * (i + 1) / sides;
        const float facet[9] = {
            0, 0, 0, (float)cos(one), (float)sin(one), 0, (float)cos(two), (float)sin(two), 0};
        memcpy(corners + (size_t)9 * (size_t)i, facet, sizeof facet);
    }
    const float plate[18] = {-50, -50, height, 50, -50, height, 50,  50, height,
                             -50, -50, height, 50, 50,  height, -50, 50, height};
    memcpy(corners + (size_t)9 * (size_t)sides, plate, sizeof plate);
    stl_image image = make_facets(corners, count);
    free(corners);
    return image;
}

TEST(time_is_kept_at_the_first_look)
{
    stl_image a = hub(6000, 20), b = hub(6001, -20);
    check_limits(&a, &b);
    image_free(&a), image_free(&b);
}

TEST(the_first_look_gives_up_when_time_is_over)
{
    stl_image image[2] = {hub(500, 20), hub(501, -20)};
    stlclash_mesh *mesh[2] = {ask_mesh(&image[0]), ask_mesh(&image[1])};
    const uint32_t hubs[2] = {0, 0};
    stlclash_error error;
    sc_part part[2];
    for (int i = 0; i < 2; i++) {
        CHECK(sc_part_place(mesh[i], NULL, "hub", &part[i], &error) == STLCLASH_OK, "placed");
    }
    const sc_frame frame = sc_frame_make(&part[0].bounds, &part[1].bounds);
    for (int over = 0; over < 2; over++) {
        sc_watch watch = {.over = over != 0};
        sc_narrow n = {.leaves = sc_leaves_of(&frame, &part[0], &part[1])};
        sc_narrow_init(&n);
        CHECK_INT(sc_first_crossing(part, &frame, hubs, 0.0, &watch, &n, NULL, &error),
                  STLCLASH_OK);
        CHECK(over ? n.pair_count < 64 * 64 : n.pair_count >= 500 * 501,
              "%llu pairs, time over: %d", (unsigned long long)n.pair_count, over);
        CHECK_INT((int)n.hits.count, 0);
        sc_narrow_free(&n);
    }
    for (int i = 0; i < 2; i++) {
        stlclash_mesh_free(mesh[i]);
        image_free(&image[i]);
    }
}

/* Tetrahedra that stand in one plane, side by side: along the axis across it they all overlap. */
static stl_image beads(int side)
{
    double corner[4][3] = {{0, 0, 0}, {.5, 0, 0}, {0, .5, 0}, {0, 0, .5}};
    stl_image all = make_tetra(corner);
    for (int i = 1; i < side * side; i++) {
        stl_image one = make_tetra(corner);
        image_move(&one, 0, i / side, i % side);
        image_join(&all, &one);
        image_free(&one);
    }
    return all;
}

TEST(pieces_are_held_against_each_other_while_there_is_time)
{
    enum { SIDE = 8, FACETS = 4 * SIDE * SIDE };
    stl_image image = beads(SIDE);
    stlclash_mesh *mesh = ask_mesh(&image);
    sc_part part;
    stlclash_error error;
    CHECK(sc_part_place(mesh, NULL, "beads", &part, &error) == STLCLASH_OK, "placed");
    for (int over = 0; over < 2; over++) {
        sc_watch watch = {.over = over != 0};
        sc_solid solid = {.part = &part, .watch = &watch};
        const sc_windings windings = {.own = &solid};
        uint32_t facet[FACETS], root[FACETS];
        sc_members m = {.facet = facet, .root = root, .count = FACETS};
        for (uint32_t i = 0; i < FACETS; i++) {
            facet[i] = i;
            root[i] = i - i % 4;
        }
        const bool good = sc_members_number(&windings, &m);
        CHECK(good == !over, "time over: %d", over);
        CHECK(over || (m.pieces == SIDE * SIDE && m.apart), "%u pieces", m.pieces);
        sc_free(m.box);
        sc_free(m.common);
    }
    stlclash_mesh_free(mesh);
    image_free(&image);
}

TEST(patches_are_taken_apart_while_there_is_time)
{
    enum { SIDE = 32, FACETS = 4 * SIDE * SIDE };
    stl_image image = beads(SIDE);
    stlclash_mesh *mesh = ask_mesh(&image);
    sc_part part;
    stlclash_error error;
    CHECK(sc_part_place(mesh, NULL, "beads", &part, &error) == STLCLASH_OK, "placed");
    for (int over = 0; over < 2; over++) {
        sc_watch watch = {.over = over != 0};
        sc_solid solid = {.part = &part, .watch = &watch};
        sc_windings w;
        CHECK(sc_windings_init(&w, &solid, &solid), "no memory");
        CHECK(sc_windings_room_for_patch(&w, FACETS), "no memory");
        for (uint32_t i = 0; i < FACETS; i++) {
            w.patch_facets[i] = i;
        }
        sc_windings_add_patch(&w, FACETS, 1);
        const bool good = sc_windings_split(&w);
        CHECK(good == !over, "time over: %d", over);
        CHECK(over || w.patch_count == SIDE * SIDE, "%zu patches", w.patch_count);
        sc_windings_free(&w);
    }
    stlclash_mesh_free(mesh);
    image_free(&image);
}

/* Two fans that stand tip to tip: in each pair of facets the way up overlaps by nothing. */
TEST(fans_that_touch_in_their_apex_have_a_normal)
{
    stl_image a = spindle(0.0, 40), b = spindle(0.25, 40);
    image_move(&b, 0, 0, 10);
    stlclash_result *result = ask_images(&a, &b, NULL);
    CHECK_INT(result->status, STLCLASH_CONTACT);
    CHECK_INT((int)result->hit_count, 1600);
    CHECK(result->has_normal && fabs(result->normal[2] + 1.0) < 1e-12, "the normal is not along z");
    stlclash_result_free(result);
    image_free(&a), image_free(&b);
}

/* ---- facets that share a vertex --------------------------------------------- */

/* They meet, and whether they cross does not depend on which vertex is called the first. */
TEST(facets_that_share_a_vertex_meet_whatever_their_order)
{
    for (int round = 0; round < 2000; round++) {
        sc_vec3 v[2][3];
        for (int i = 0; i < 6; i++) {
            v[i / 3][i % 3] = (sc_vec3){test_below(7) - 3, test_below(7) - 3, test_below(7) - 3};
        }
        v[1][test_below(3)] = v[0][test_below(3)];
        const sc_meeting first = sc_tri_meet(v[0], v[1]);
        CHECK(first != SC_APART, "round %d", round);
        CHECK(sc_tri_common(v[0], v[1]).count > 0, "round %d: no common point", round);
        for (int turn = 1; turn < 3; turn++) {
            const sc_vec3 b[3] = {v[1][turn], v[1][(turn + 1) % 3], v[1][(turn + 2) % 3]};
            CHECK_INT(sc_tri_meet(b, v[0]), first);
        }
    }
}

/* ---- sorting ---------------------------------------------------------------- */

typedef struct thing {
    uint32_t key, number;
    double more[5];
} thing;

static int by_key(const void *x, const void *y)
{
    const thing *a = x, *b = y;
    return (a->key > b->key) - (a->key < b->key);
}

TEST(items_are_sorted_however_many)
{
    static const size_t counts[] = {0, 1, 2, 100, 65536, 65537, 200000, 262144, 300001};
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        const size_t count = counts[c];
        thing *list = calloc(count + 1, sizeof *list);
        uint8_t *seen = calloc(count + 1, 1);
        for (size_t i = 0; i < count; i++) {
            list[i] = (thing){.key = (uint32_t)test_below(5000), .number = (uint32_t)i};
            list[i].more[4] = list[i].key;
        }
        CHECK(sc_sort_items(list, count, sizeof *list, by_key, NULL), "memory");
        for (size_t i = 0; i < count; i++) {
            CHECK(i == 0 || list[i - 1].key <= list[i].key, "%zu of %zu", i, count);
            CHECK(list[i].more[4] == list[i].key, "%zu of %zu is torn", i, count);
            CHECK(!seen[list[i].number]++, "%zu of %zu is there twice", i, count);
        }
        free(seen);
        free(list);
    }
}

TEST(sorting_ends_when_time_is_over)
{
    sc_watch watch = {.seconds = 1e-9};
    thing *list = calloc(100000, sizeof *list);
    CHECK(!sc_sort_items(list, 100000, sizeof *list, by_key, &watch), "it went on");
    free(list);
}

/* Digits that are the same in all keys are passed over. */
TEST(keys_are_sorted_by_the_bits_asked_for)
{
    for (int round = 0; round < 200; round++) {
        const size_t count = (size_t)test_below(500) + 1;
        const int low = test_below(40), bits = 1 + test_below(24);
        uint64_t keys[500], scratch[500];
        const uint64_t mask = ((UINT64_C(1) << bits) - 1) << low;
        const uint64_t kept = (uint64_t)test_below(1 << 20) << test_below(44);
        for (size_t i = 0; i < count; i++) {
            keys[i] = ((uint64_t)test_below(1 << 20) << test_below(44) & kept & mask);
            keys[i] |= low >= 10 ? i & 1023 : 0; /* where it came from */
        }
        sc_sort_keys(keys, scratch, count, low, bits);
        for (size_t i = 1; i < count; i++) {
            const uint64_t a = keys[i - 1] & mask, b = keys[i] & mask;
            CHECK(a < b || (a == b && (low < 10 || (keys[i - 1] & 1023) < (keys[i] & 1023))),
                  "%zu of %zu", i, count);
        }
    }
}

/* ---- the watch -------------------------------------------------------------- */

TEST(a_watch_that_is_over_stays_so)
{
    sc_watch never = {.seconds = 0.0}, over = {.seconds = 1e-9}, later = {.seconds = 1e9};
    clock_gettime(CLOCK_MONOTONIC, &later.start);
    CHECK(!sc_watch_is_over(NULL) && !sc_watch_was_over(NULL), "without one");
    CHECK(!sc_watch_is_over(&never) && !sc_watch_is_over(&later), "before the end");
    CHECK(!sc_watch_was_over(&over), "nobody has looked");
    CHECK(sc_watch_ends(&over, 64) && sc_watch_was_over(&over), "after the end");
    over.seconds = 1e18;
    CHECK(sc_watch_is_over(&over), "it went back");
}
