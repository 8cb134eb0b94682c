/* test_intersect.c - whether triangles meet, and in which points. */
#include "geom/tri_intersect.h"

#include "cases.h"
#include "geom/orient.h"
#include "oracle_exact.h"
#include "test.h"

#include <math.h>
#include <string.h>

static const char *name_of(sc_meeting meeting)
{
    return meeting == SC_APART ? "apart" : meeting == SC_TOUCH ? "touch" : "cross";
}

/* ---- known cases ---------------------------------------------------------- */

#define E 0x1p-149 /* the smallest float */
#define M 3e38f    /* nearly the largest */

/* clang-format off */
static const struct known {
    const char *what;
    sc_vec3 a[3], b[3];
    sc_meeting meeting;
    int count; /* corners of the common points */
} known[] = {
    {"identical", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
     SC_TOUCH, 3},
    {"shared edge, coplanar", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
     {{0, 0, 0}, {1, 0, 0}, {0, -1, 0}}, SC_TOUCH, 2},
    {"shared vertex, coplanar", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
     {{0, 0, 0}, {-1, 0, 0}, {0, -1, 0}}, SC_TOUCH, 1},
    {"nested, coplanar", {{0, 0, 0}, {9, 0, 0}, {0, 9, 0}}, {{1, 1, 0}, {2, 1, 0}, {1, 2, 0}},
     SC_TOUCH, 3},
    {"star of David, coplanar", {{0, 0, 0}, {6, 0, 0}, {3, 6, 0}},
     {{0, 4, 0}, {6, 4, 0}, {3, -2, 0}}, SC_TOUCH, 6},
    {"four common corners", {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{1, -1, 0}, {1, 5, 0}, {-9, 2, 0}},
     SC_TOUCH, 4},
    {"far apart, coplanar", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{2, 2, 0}, {3, 2, 0}, {2, 3, 0}},
     SC_APART, 0},
    {"one float apart, coplanar", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
     {{0x1.000002p0, 0, 0}, {2, 0, 0}, {2, 1, 0}}, SC_APART, 0},
    {"one float apart, parallel", {{0, 0, 1}, {1, 0, 1}, {0, 1, 1}},
     {{0, 0, 0x1.000002p0}, {1, 0, 0x1.000002p0}, {0, 1, 0x1.000002p0}}, SC_APART, 0},
    {"vertex on face", {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{1, 1, 0}, {1, 1, 5}, {2, 1, 5}},
     SC_TOUCH, 1},
    {"vertex a denormal above the face", {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}},
     {{1, 1, E}, {1, 1, 5}, {2, 1, 5}}, SC_APART, 0},
    {"vertex on edge", {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{2, 2, 0}, {3, 3, 5}, {4, 3, 5}},
     SC_TOUCH, 1},
    {"vertex on vertex, planes cross", {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}},
     {{0, 0, 0}, {-1, -1, 5}, {-2, -1, -5}}, SC_TOUCH, 1},
    {"edge on edge", {{-1, 0, 0}, {1, 0, 0}, {0, -1, -5}}, {{0, -1, 0}, {0, 1, 0}, {1, 0, 5}},
     SC_TOUCH, 1},
    {"edge in plane", {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{1, 1, 0}, {2, 1, 0}, {1, 1, 3}},
     SC_TOUCH, 2},
    {"shared edge, folded", {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{0, 0, 0}, {4, 0, 0}, {0, 1, 3}},
     SC_TOUCH, 2},
    {"edge pierces", {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{1, 1, -1}, {1, 1, 1}, {9, 9, 1}},
     SC_CROSS, 2},
    {"both edges pierce", {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{1, 1, -1}, {2, 1, 1}, {1, 2, 1}},
     SC_CROSS, 2},
    {"through a shared vertex", {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}},
     {{0, 0, 0}, {2, 2, -1}, {2, 2, 1}}, SC_CROSS, 2},
    {"planes cross, intervals miss", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
     {{5, 5, -1}, {6, 5, 1}, {5, 6, 1}}, SC_APART, 0},
    {"intervals share an end", {{0, 0, 0}, {4, -4, 0}, {4, 4, 0}},
     {{-4, 0, -4}, {-4, 0, 4}, {0, 0, 0}}, SC_TOUCH, 1},
    {"denormals", {{0, 0, 0}, {E, 0, 0}, {0, E, 0}}, {{0, 0, -E}, {0, 0, E}, {E, E, E}},
     SC_CROSS, 2},
    {"as large as floats are", {{-M, -M, 0}, {M, -M, 0}, {0, M, 0}},
     {{0, 0, -M}, {0, 0, M}, {M, M, 1}}, SC_CROSS, 2},
    {"point in face", {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{1, 1, 0}, {1, 1, 0}, {1, 1, 0}},
     SC_TOUCH, 1},
    {"point off the plane", {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}},
     SC_APART, 0},
    {"point in the plane, outside", {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}},
     {{3, 3, 0}, {3, 3, 0}, {3, 3, 0}}, SC_APART, 0},
    {"segment pierces", {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{1, 1, -1}, {1, 1, 1}, {1, 1, 0}},
     SC_TOUCH, 1},
    {"segment across a face", {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}},
     {{-1, 1, 0}, {9, 1, 0}, {0, 1, 0}}, SC_TOUCH, 2},
    {"segments overlap", {{0, 0, 0}, {2, 0, 0}, {1, 0, 0}}, {{1, 0, 0}, {3, 0, 0}, {2, 0, 0}},
     SC_TOUCH, 2},
    {"segments end to end", {{0, 0, 0}, {2, 0, 0}, {1, 0, 0}}, {{2, 0, 0}, {3, 0, 0}, {3, 0, 0}},
     SC_TOUCH, 1},
    {"segments on a line, apart", {{0, 0, 0}, {2, 0, 0}, {1, 0, 0}},
     {{3, 0, 0}, {5, 0, 0}, {4, 0, 0}}, SC_APART, 0},
    {"segments cross", {{-1, 0, 0}, {1, 0, 0}, {0, 0, 0}}, {{0, -1, 0}, {0, 1, 0}, {0, 0, 0}},
     SC_TOUCH, 1},
    {"segments skew", {{-1, 0, 0}, {1, 0, 0}, {0, 0, 0}}, {{0, -1, 1}, {0, 1, 1}, {0, 0, 1}},
     SC_APART, 0},
    {"the same point", {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}, {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}},
     SC_TOUCH, 1},
    {"two points", {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}, {{1, 2, 4}, {1, 2, 4}, {1, 2, 4}},
     SC_APART, 0},
    {"zeros of both signs", {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}},
     {{-0.0, -0.0, -0.0}, {1, 0, -0.0}, {0, 1, -0.0}}, SC_TOUCH, 1},
};
/* clang-format on */

enum { KNOWN = sizeof known / sizeof known[0] };

static sc_vec3 mirrored_and_scaled(sc_vec3 v, int axes, int mirror, double scale)
{
    static const int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                     {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    const int *order = orders[axes];
    return (sc_vec3){sc_component(v, order[0]) * (mirror & 1 ? -scale : scale),
                     sc_component(v, order[1]) * (mirror & 2 ? -scale : scale),
                     sc_component(v, order[2]) * (mirror & 4 ? -scale : scale)};
}

/* Down only where no coordinate leaves the range of the exact core. */
static double allowed_scale(const struct known *k, int i)
{
    static const double scales[] = {1, 0x1p20, 0x1p100, 0x1p-7, 0x1p-100};

    for (int c = 0; c < 18; c++) {
        double x = fabs(sc_component(c < 9 ? k->a[c / 3] : k->b[c / 3 - 3], c % 3));
        if (x != 0 && x * scales[i] < 0x1p-149) {
            return 1;
        }
    }
    return scales[i];
}

TEST(known_pairs_meet_as_they_should)
{
    for (int i = 0; i < KNOWN; i++) {
        const struct known *k = &known[i];
        CHECK_INT(oracle_meet(k->a, k->b), k->meeting != SC_APART);
        CHECK_INT(oracle_cross(k->a, k->b), k->meeting == SC_CROSS);
        CHECK_INT(oracle_common_points(k->a, k->b).count, k->count);
        for (int j = 0; j < CASE_WAYS * 6 * 8 * 5; j++) {
            int way = j % CASE_WAYS, axes = j / CASE_WAYS % 6, mirror = j / CASE_WAYS / 6 % 8;
            double scale = allowed_scale(k, j / CASE_WAYS / 48);
            sc_vec3 a[3], b[3];
            case_present(way, k->a, k->b, a, b);
            for (int v = 0; v < 3; v++) {
                a[v] = mirrored_and_scaled(a[v], axes, mirror, scale);
                b[v] = mirrored_and_scaled(b[v], axes, mirror, scale);
            }
            sc_meeting meeting = sc_tri_meet(a, b);
            CHECK(meeting == k->meeting, "%s: %s, expected %s: %s", k->what, name_of(meeting),
                  name_of(k->meeting), case_text(a, b));
            int count = sc_tri_common(a, b).count;
            CHECK(count == k->count, "%s: %d common corners, expected %d: %s", k->what, count,
                  k->count, case_text(a, b));
        }
    }
}

/* ---- random pairs --------------------------------------------------------- */

/* Two ways to the truth that have nothing in common but the conversion. */
TEST(oracles_agree_with_each_other)
{
    for (int i = 0; i < test_rounds(400 * CASE_CLASSES); i++) {
        sc_vec3 a[3], b[3];
        case_make(i % CASE_CLASSES, a, b);
        oracle_common common = oracle_common_points(a, b), exchanged = oracle_common_points(b, a);
        CHECK(oracle_meet(a, b) == (common.count > 0), "meeting differs: %s", case_text(a, b));
        CHECK(common.count == exchanged.count, "count differs: %s", case_text(a, b));
        CHECK(!oracle_cross(a, b) || common.count == 2, "crosses in %d points: %s", common.count,
              case_text(a, b));
        CHECK(oracle_cross(a, b) == oracle_cross(b, a), "crossing differs: %s", case_text(a, b));
    }
}

/* Checks `count` pairs of a class, each also in two of its other presentations;
 * returns how many of them met. */
static int check_meetings(int kind, int count)
{
    int hits = 0;

    for (int i = 0; i < count; i++) {
        sc_vec3 a[3], b[3];
        case_make(kind, a, b);
        sc_meeting expected = !oracle_meet(a, b)   ? SC_APART
                              : oracle_cross(a, b) ? SC_CROSS
                                                   : SC_TOUCH;
        hits += expected != SC_APART;
        for (int turn = 0; turn < 3; turn++) {
            sc_vec3 c[3], d[3];
            case_present(turn == 0 ? 0 : test_below(CASE_WAYS), a, b, c, d);
            sc_meeting got = sc_tri_meet(c, d);
            CHECK(got == expected, "%s: %s, expected %s: %s", case_name(kind), name_of(got),
                  name_of(expected), case_text(c, d));
        }
    }
    return hits;
}

TEST(random_pairs_meet_where_integers_say_so)
{
    for (int kind = 0; kind < CASE_CLASSES; kind++) {
        int count = test_rounds(kind < CASE_MEET_CLASSES ? 110000 : 10000);
        int hits = check_meetings(kind, count);
        CHECK(kind >= CASE_MEET_CLASSES || hits > count / 50, "%s: only %d hits", case_name(kind),
              hits);
    }
}

/* Whether the corners are the expected ones in order, starting anywhere and going
 * either way round. */
static bool same_corners(const sc_common *got, const oracle_common *expected, double tolerance)
{
    int n = got->count;

    for (int start = 0; start < n; start++) {
        for (int way = -1; way <= 1; way += 2) {
            int k = 0;
            while (k < n) {
                sc_vec3 off = sc_sub(got->points[k], expected->points[(start + n + way * k) % n]);
                if (!(sc_length(off) <= tolerance)) {
                    break;
                }
                k++;
            }
            if (k == n) {
                return true;
            }
        }
    }
    return false;
}

/* Whether the first corner found is an exact one, on these very features. */
static bool first_is_right(const sc_common *got, const oracle_common *expected, double tolerance)
{
    for (int i = 0; i < expected->count; i++) {
        if (sc_length(sc_sub(got->first, expected->points[i])) <= tolerance &&
            got->feature_a == expected->on_a[i] && got->feature_b == expected->on_b[i]) {
            return true;
        }
    }
    return false;
}

TEST(common_points_have_the_exact_corners)
{
    int wanted = test_rounds(2000);

    for (int kind = 0; kind < CASE_CLASSES; kind++) {
        for (int hits = 0, tries = 0; hits < wanted && tries < 10 * wanted; tries++) {
            sc_vec3 a[3], b[3];
            case_make(kind, a, b);
            if (!oracle_meet(a, b)) {
                CHECK(sc_tri_common(a, b).count == 0, "%s: common points of pair apart: %s",
                      case_name(kind), case_text(a, b));
                continue;
            }
            hits++;
            oracle_common expected = oracle_common_points(a, b);
            sc_common got = sc_tri_common(a, b);
            CHECK(got.count == expected.count, "%s: %d corners, expected %d: %s", case_name(kind),
                  got.count, expected.count, case_text(a, b));
            if (got.count != expected.count) {
                continue;
            }
            double tolerance = 1e-12 * case_magnitude(a, b);
            CHECK(same_corners(&got, &expected, tolerance), "%s: %d corners are misplaced: %s",
                  case_name(kind), got.count, case_text(a, b));
            CHECK(first_is_right(&got, &expected, tolerance),
                  "%s: the first corner is not on feature %d of A and %d of B: %s", case_name(kind),
                  (int)got.feature_a, (int)got.feature_b, case_text(a, b));
        }
    }
}

TEST(nothing_changes_without_the_filter)
{
    int count = test_rounds(5000);

    for (int i = 0; i < count * CASE_CLASSES; i++) {
        sc_vec3 a[3], b[3];
        case_make(i % CASE_CLASSES, a, b);
        sc_meeting meeting = sc_tri_meet(a, b);
        sc_common common = sc_tri_common(a, b);
        sc_orient_filter_off(1);
        sc_meeting exact_meeting = sc_tri_meet(a, b);
        sc_common exact = sc_tri_common(a, b);
        sc_orient_filter_off(0);
        CHECK(meeting == exact_meeting, "%s without filter, %s with: %s", name_of(exact_meeting),
              name_of(meeting), case_text(a, b));
        CHECK(common.count == exact.count &&
                  memcmp(common.points, exact.points,
                         (size_t)common.count * sizeof common.points[0]) == 0,
              "common points differ: %s", case_text(a, b));
    }
}
