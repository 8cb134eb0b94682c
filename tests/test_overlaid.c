/* test_overlaid.c - which facets lie over each other in one plane: of fans by the angles at their
 * hubs, of others pair by pair. */
#include "contact/overlaid.h"

#include "test.h"

#include <stdlib.h>

typedef struct set {
    sc_vec3 (*v)[3];
    bool *marked;
    uint32_t count, room;
} set;

static set set_of(uint32_t room)
{
    return (set){calloc(room, sizeof(sc_vec3[3])), calloc(room, sizeof(bool)), 0, room};
}

static void set_free(set *s)
{
    free(s->v);
    free(s->marked);
}

static void add(set *s, sc_vec3 a, sc_vec3 b, sc_vec3 c)
{
    const sc_vec3 v[3] = {a, b, c};
    for (int k = 0; k < 3; k++) {
        s->v[s->count][k] = v[k];
    }
    s->count++;
}

/* Some parts, from `number` on, of so many of a disc about a hub; its corners begin anywhere. */
static void add_wedge(set *s, double x, double y, double radius, uint32_t sides, double number,
                      int parts)
{
    sc_vec3 at[3] = {{x, y, 0}};
    for (int k = 0; k < 2; k++) {
        const double turn = 6.283185307179586 * fmod(number + k * parts, sides) / sides;
        at[1 + k] = (sc_vec3){x + radius * cos(turn), y + radius * sin(turn), 0};
    }
    const int first = (int)(s->count % 3);
    add(s, at[first], at[(first + 1) % 3], at[(first + 2) % 3]);
}

static void add_spoke(set *s, double x, double y, double radius, uint32_t sides, double number)
{
    add_wedge(s, x, y, radius, sides, number, 1);
}

static void add_disc(set *s, double x, double y, double radius, uint32_t sides)
{
    for (uint32_t i = 0; i < sides; i++) {
        add_spoke(s, x, y, radius, sides, i);
    }
}

/* Marks them, and counts the marks. */
static uint32_t mark(set *s)
{
    const sc_vec3 within[3] = {{-9, -9, 0}, {9, -9, 0}, {0, 9, 0}};
    uint32_t marks = 0;
    CHECK(sc_overlaid_mark(&(sc_overlaid){within, s->v, s->count, s->marked}), "no memory");
    for (uint32_t i = 0; i < s->count; i++) {
        marks += s->marked[i];
    }
    return marks;
}

TEST(overlaid_fan)
{
    for (uint32_t sides = 3; sides <= 3000; sides *= 10) {
        set s = set_of(sides);
        add_disc(&s, 0.3, 0.2, 1, sides);
        CHECK(mark(&s) == 0, "%u sides: some are marked", sides);
        set_free(&s);
    }
}

TEST(overlaid_fans_side_by_side)
{
    set s = set_of(8000);
    for (int i = 0; i < 4; i++) {
        add_disc(&s, 3 * (i % 2), 3 * (i / 2), 1, 2000);
    }
    CHECK(mark(&s) == 0, "some are marked");
    set_free(&s);
}

/* Of a fan: one that is there twice, ones over their neighbours, of which one lies across where
 * turns begin anew, and one where angles do. */
TEST(overlaid_in_a_fan)
{
    enum { SIDES = 1000 };
    static const double over[4] = {70, 400.5, SIDES - 0.5, 0.5 * SIDES + 0.5};
    for (int i = 0; i < 4; i++) {
        set s = set_of(SIDES + 1);
        add_disc(&s, 0, 0, 1, SIDES);
        add_spoke(&s, 0, 0, 0.5, SIDES, over[i]);
        const uint32_t wanted = i == 0 ? 2 : 3, first = (uint32_t)over[i];
        CHECK(mark(&s) == wanted && s.marked[SIDES] && s.marked[first] &&
                  (i == 0 || s.marked[(first + 1) % SIDES]),
              "over %g: not %u of them", over[i], wanted);
        set_free(&s);
    }
}

/* One that is wider than its neighbours lies over several of them. */
TEST(overlaid_by_a_wide_facet)
{
    enum { SIDES = 1000, FIRST = 100, LAST = 103 };
    set s = set_of(SIDES + 1);
    add_disc(&s, 0, 0, 1, SIDES);
    add_wedge(&s, 0, 0, 0.5, SIDES, FIRST + 0.5, LAST - FIRST);
    CHECK(mark(&s) == 2 + LAST - FIRST && s.marked[SIDES], "not all are marked");
    for (int i = FIRST; i <= LAST; i++) {
        CHECK(s.marked[i], "%d is not marked", i);
    }
    set_free(&s);
}

/* Discs that overlap: few of either lie over none of the other. */
TEST(overlaid_fans)
{
    enum { SIDES = 40 };
    set s = set_of(2 * SIDES);
    add_disc(&s, 0, 0, 1, SIDES);
    add_disc(&s, 0.01, 0.02, 1, SIDES);
    CHECK(mark(&s) == 2 * SIDES, "not all are marked");
    set_free(&s);
}

/* Anything at random, against a look at all pairs: no mark is missing. */
TEST(overlaid_at_random)
{
    enum { MOST = 60 };
    for (int round = 0; round < 300; round++) {
        set s = set_of(MOST);
        const uint32_t grid = 2 + (uint32_t)(round % 7);
        while (s.count < MOST) {
            sc_vec3 at[3];
            for (int k = 0; k < 3; k++) {
                at[k] =
                    (sc_vec3){(double)(test_random() % grid), (double)(test_random() % grid), 0};
            }
            if (sc_cross(sc_sub(at[1], at[0]), sc_sub(at[2], at[0])).z != 0) {
                add(&s, at[0], at[1], at[2]);
            }
        }
        mark(&s);
        for (uint32_t i = 0; i < MOST; i++) {
            for (uint32_t k = 0; k < i; k++) {
                set two = set_of(2);
                add(&two, s.v[i][0], s.v[i][1], s.v[i][2]);
                add(&two, s.v[k][0], s.v[k][1], s.v[k][2]);
                CHECK(mark(&two) == 0 || (s.marked[i] && s.marked[k]),
                      "round %d: %u and %u are not marked", round, i, k);
                set_free(&two);
            }
        }
        set_free(&s);
    }
}

/* ---- slivers, whose boxes all overlap ------------------------------------ */

/* Where a point is, turned about the origin. */
static sc_vec3 turned(double x, double y, double turn)
{
    return (sc_vec3){x * cos(turn) - y * sin(turn), x * sin(turn) + y * cos(turn), 0};
}

/* A square cut into strips, each in two. */
static void add_strips(set *s, int strips, double turn)
{
    for (int i = 0; i < strips; i++) {
        const double low = (double)i / strips, high = (double)(i + 1) / strips;
        const sc_vec3 corner[4] = {turned(0, low, turn), turned(1, low, turn),
                                   turned(1, high, turn), turned(0, high, turn)};
        add(s, corner[0], corner[1], corner[2]);
        add(s, corner[0], corner[2], corner[3]);
    }
}

/* Cuts one of them in two, across any of its edges anywhere: others may have no corner there. */
static void cut(set *s, uint32_t i)
{
    const uint32_t k = (uint32_t)(test_random() % 3);
    const double part = (double)(1 + test_random() % 15) / 16.0;
    sc_vec3 *v = s->v[i];
    const sc_vec3 at = sc_mul_add(v[k], part, sc_sub(v[(k + 1) % 3], v[k]));
    add(s, at, v[(k + 1) % 3], v[(k + 2) % 3]);
    v[(k + 1) % 3] = at;
}

static double any(void)
{
    return (double)(test_random() % 1024) / 1024.0;
}

static void add_any(set *s, double size)
{
    const sc_vec3 at = {2 * any() - 1, 2 * any() - 1, 0};
    const sc_vec3 ways[2] = {{size * any(), size * any(), 0}, {-size * any(), size * any(), 0}};
    add(s, at, sc_add(at, ways[0]), sc_add(at, ways[1]));
}

/* However many, and whichever way: none is marked, so each is measured without a look at others. */
TEST(overlaid_slivers)
{
    enum { STRIPS = 2000 };
    for (int i = 0; i <= 16; i++) {
        set s = set_of(2 * STRIPS);
        add_strips(&s, STRIPS, 0.39269908169872414 * i);
        const uint32_t marks = mark(&s);
        CHECK(marks == 0, "turned by %d of 16: %u are marked", i, marks);
        set_free(&s);
    }
}

/* The same cut into pieces that lie side by side. */
TEST(overlaid_cut_slivers)
{
    enum { STRIPS = 200, MOST = 1000 };
    for (int i = 0; i < 50; i++) {
        set s = set_of(MOST);
        add_strips(&s, STRIPS, i < 9 ? 0.39269908169872414 * i : 7 * any());
        while (s.count < MOST) {
            cut(&s, (uint32_t)(test_random() % s.count));
        }
        const uint32_t marks = mark(&s);
        CHECK(marks == 0, "round %d: %u are marked", i, marks);
        set_free(&s);
    }
}

/* Some more lie over them, small and large, or one of them is there twice: only what lies over
 * another is marked, and no mark is missing. */
TEST(overlaid_over_slivers)
{
    enum { STRIPS = 100, MOST = 400, EXTRA = 12 };
    for (int i = 0; i < 30; i++) {
        set s = set_of(MOST + EXTRA);
        add_strips(&s, STRIPS, i < 9 ? 0.39269908169872414 * i : 7 * any());
        while (s.count < MOST) {
            cut(&s, (uint32_t)(test_random() % s.count));
        }
        for (int k = 0; k < i % EXTRA; k++) {
            const sc_vec3 *same = s.v[test_random() % s.count];
            if (k % 4 == 3) {
                add(&s, same[1], same[2], same[0]);
            } else {
                add_any(&s, k % 4 ? 0.02 : 1);
            }
        }
        mark(&s);
        for (uint32_t a = 0; a < s.count; a++) {
            bool over = false;
            for (uint32_t b = 0; b < s.count && !over; b++) {
                set two = set_of(2);
                add(&two, s.v[a][0], s.v[a][1], s.v[a][2]);
                add(&two, s.v[b][0], s.v[b][1], s.v[b][2]);
                over = a != b && mark(&two) > 0;
                set_free(&two);
            }
            CHECK(s.marked[a] == over, "round %d: %u is %smarked", i, a, over ? "not " : "");
        }
        set_free(&s);
    }
}

/* Two that have all of them between them, and lie over each other where there are none any more. */
TEST(overlaid_beyond_slivers)
{
    enum { STRIPS = 1000, ALL = 2 * STRIPS + 2 };
    set s = set_of(ALL);
    add_strips(&s, STRIPS, 0);
    add(&s, (sc_vec3){0, -0.4, 0}, (sc_vec3){3, -0.4, 0}, (sc_vec3){3, 0.6, 0});
    add(&s, (sc_vec3){0, 1.4, 0}, (sc_vec3){3, 0.4, 0}, (sc_vec3){3, 1.4, 0});
    CHECK(mark(&s) == 2 && s.marked[ALL - 2] && s.marked[ALL - 1], "not these two are marked");
    set_free(&s);
}

/* Where most lie over others, each is to be looked at. */
TEST(overlaid_crowd)
{
    enum { STRIPS = 500 };
    set s = set_of(4 * STRIPS);
    add_strips(&s, STRIPS, 0.7);
    add_strips(&s, STRIPS, 0.7);
    CHECK(mark(&s) == 4 * STRIPS, "not all are marked");
    set_free(&s);
}
