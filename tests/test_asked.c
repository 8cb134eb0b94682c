/* What several planes ask of a corner: the shortest way that all allow, against every set of up to
 * three of them that may hold it. */
#include "erosion/asked.h"
#include "test.h"

#include <math.h>

enum { MOST = 7 };

static sc_vec3 some_way(void)
{
    sc_vec3 v;
    do {
        v = (sc_vec3){test_uniform(-1, 1), test_uniform(-1, 1), test_uniform(-1, 1)};
    } while (!(sc_length(v) > 0.01 && sc_length(v) < 1.0));
    return sc_unit(v);
}

static double determinant(sc_vec3 a, sc_vec3 b, sc_vec3 c)
{
    return sc_dot(a, sc_cross(b, c));
}

/* The shortest way that is just as far along each of these, up to three; false if they lie so that
 * it means nothing. */
static bool just_as_asked(const sc_asked *const *asked, int count, sc_vec3 *way)
{
    sc_vec3 a[3] = {{0}}, least = {0.0, 0.0, 0.0};
    for (int i = 0; i < count; i++) {
        a[i] = asked[i]->way;
    }
    least.x = count > 0 ? asked[0]->least : 0.0;
    least.y = count > 1 ? asked[1]->least : 0.0;
    least.z = count > 2 ? asked[2]->least : 0.0;
    if (count == 0) {
        *way = least;
        return true;
    }
    if (count == 1) {
        *way = sc_scale(a[0], least.x);
        return true;
    }
    if (count == 2) { /* nor any way across both */
        a[2] = sc_cross(a[0], a[1]);
    }
    const double all = determinant(a[0], a[1], a[2]);
    if (!(fabs(all) > 1e-5)) {
        return false;
    }
    const sc_vec3 sum = sc_add(
        sc_add(sc_scale(sc_cross(a[1], a[2]), least.x), sc_scale(sc_cross(a[2], a[0]), least.y)),
        sc_scale(sc_cross(a[0], a[1]), least.z));
    *way = sc_scale(sum, 1.0 / all);
    return true;
}

static bool keeps(const sc_asked *asked, int count, sc_vec3 way, double but)
{
    bool kept = true;
    for (int i = 0; i < count; i++) {
        kept = kept && sc_dot(asked[i].way, way) >= asked[i].least - but;
    }
    return kept;
}

/* Its length; infinite where there is none, or it is not told apart from none. */
static double shortest_of_all(const sc_asked *asked, int count)
{
    double shortest = INFINITY;
    for (unsigned set = 0; set < 1u << count; set++) {
        const sc_asked *chosen[3];
        int many = 0;
        for (int i = 0; i < count && many <= 3; i++) {
            if (set >> i & 1) {
                if (many < 3) {
                    chosen[many] = &asked[i];
                }
                many++;
            }
        }
        sc_vec3 way;
        if (many <= 3 && just_as_asked(chosen, many, &way) && keeps(asked, count, way, 1e-9)) {
            shortest = fmin(shortest, sc_length(way));
        }
    }
    return shortest;
}

TEST(the_shortest_way_that_all_ask_for_is_found)
{
    int longer = 0;
    for (int i = 0; i < test_rounds(20000); i++) {
        sc_asked asked[MOST];
        const int count = 1 + (int)test_below(MOST);
        const sc_vec3 some = sc_scale(some_way(), test_uniform(0, 1));
        for (int k = 0; k < count; k++) { /* some way is right for all */
            const sc_vec3 way = some_way();
            asked[k] = (sc_asked){0, way,
                                  sc_dot(way, some) - test_uniform(0, 0.3) * (double)test_below(2)};
        }
        const double shortest = shortest_of_all(asked, count);
        const sc_vec3 way = sc_asked_shortest(asked, (size_t)count, 1.0);
        CHECK(keeps(asked, count, way, 1e-6), "round %d: not as all ask", i);
        CHECK(sc_length(way) <= shortest + 1e-6, "round %d: %g long, the shortest is %g", i,
              sc_length(way), shortest);
        longer += shortest > 0.5 && shortest <= 1.0;

        const sc_vec3 far = sc_asked_stretched(asked, (size_t)count, way, 1.0);
        CHECK(sc_length(far) <= 1.0 + 1e-9 || sc_length(far) <= sc_length(way), "round %d: %g long",
              i, sc_length(far));
        CHECK(keeps(asked, count, far, 2e-6), "round %d: too far for some", i);
        CHECK(sc_length(sc_cross(far, way)) < 1e-9, "round %d: another way", i);
        CHECK(sc_asked_is_kept(asked, (size_t)count, far) == keeps(asked, count, far, 0.0),
              "round %d: is it what they ask for?", i);
    }
    CHECK(TEST_DIVISOR > 1 || longer > 1000, "%d are long", longer);
}

/* What nothing can do is seen by its length. */
TEST(what_asks_for_opposite_ways_is_given_up)
{
    for (int i = 0; i < test_rounds(1000); i++) {
        const sc_vec3 way = some_way();
        const sc_asked asked[] = {{0, way, 0.5}, {0, sc_scale(way, -1.0), 0.25}};
        const sc_vec3 found = sc_asked_shortest(asked, 2, 1.0);
        CHECK(!sc_asked_is_kept(asked, 2, found) && isfinite(sc_length(found)), "round %d", i);
    }
}

TEST(what_is_asked_is_sorted_by_fans)
{
    for (int i = 0; i < test_rounds(200); i++) {
        sc_asked some[4];
        sc_asked_list list = {.count = 0};
        const int count = test_below(40);
        int counted[4] = {0}, different = 0;
        for (int k = 0; k < 4; k++) {
            some[k] = (sc_asked){(uint32_t)test_below(3), some_way(), test_uniform(-1, 1)};
        }
        for (int k = 0; k < count; k++) {
            const int which = test_below(4);
            different += counted[which]++ == 0;
            CHECK(sc_asked_add(&list, &some[which]), "no memory");
        }
        sc_asked_sort(&list);
        CHECK_INT(list.count, different);
        for (size_t k = 1; k < list.count; k++) {
            CHECK(list.asked[k - 1].fan <= list.asked[k].fan, "round %d: out of order", i);
        }
        sc_asked_free(&list);
    }
}
