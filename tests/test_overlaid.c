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
