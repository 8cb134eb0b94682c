/* test_distance.c - the shortest segment between two triangles. */
#include "geom/facet_distance.h"
#include "geom/tri_distance.h"
#include "geom/tri_intersect.h"

#include "cases.h"
#include "oracle_exact.h"
#include "test.h"

#include <math.h>

/* ---- one pair ------------------------------------------------------------- */

static const char *name_of(sc_feature feature)
{
    return feature == SC_VERTEX ? "vertex" : feature == SC_EDGE ? "edge" : "face";
}

/* How far p lies from the hull of three points. */
static double distance_to(sc_vec3 p, sc_vec3 a, sc_vec3 b, sc_vec3 c)
{
    const sc_vec3 point[3] = {p, p, p}, hull[3] = {a, b, c};
    mpq_t square;
    mpq_init(square);
    oracle_distance_sq(square, point, hull);
    double distance = oracle_sqrt(square);
    mpq_clear(square);
    return distance;
}

/* How far p lies from the feature of the triangle that it is said to be on. */
static double distance_to_feature(sc_vec3 p, const sc_vec3 v[3], sc_feature feature)
{
    double nearest = INFINITY;

    if (feature == SC_FACE) {
        return oracle_degenerate(v) ? INFINITY : distance_to(p, v[0], v[1], v[2]);
    }
    for (int i = 0; i < 3; i++) {
        sc_vec3 end = feature == SC_VERTEX ? v[i] : v[(i + 1) % 3];
        nearest = fmin(nearest, distance_to(p, v[i], end, end));
    }
    return nearest;
}

/* The witnesses of a result lie on their features, and as far apart as it says. */
static void check_witnesses(const char *what, const sc_closest *got, const sc_vec3 a[3],
                            const sc_vec3 b[3], double tolerance)
{
    sc_feature fa = got->feature_a, fb = got->feature_b;
    double rounding = tolerance + 0x1p-51 * case_magnitude(a, b);
    double off_a = distance_to_feature(got->on_a, a, fa);
    double off_b = distance_to_feature(got->on_b, b, fb);

    CHECK(off_a <= (fa == SC_VERTEX ? 0 : rounding), "%s: witness %g off the %s of A: %s", what,
          off_a, name_of(fa), case_text(a, b));
    CHECK(off_b <= (fb == SC_VERTEX ? 0 : rounding), "%s: witness %g off the %s of B: %s", what,
          off_b, name_of(fb), case_text(a, b));
    CHECK((fa != SC_FACE || fb == SC_VERTEX) && (fb != SC_FACE || fa == SC_VERTEX),
          "%s: from %s to %s: %s", what, name_of(fa), name_of(fb), case_text(a, b));
    double apart = sc_length(sc_sub(got->on_a, got->on_b)), claimed = sqrt(got->distance_sq);
    CHECK(fabs(apart - claimed) <= 2 * rounding, "%s: witnesses %.17g apart, not %.17g: %s", what,
          apart, claimed, case_text(a, b));
}

/* Checks one pair that does not meet, whose squared distance is `exact`; returns
 * the error as a fraction of what is promised. */
static double check_pair(const char *what, const sc_vec3 a[3], const sc_vec3 b[3],
                         const mpq_t exact, bool witnesses)
{
    sc_triangle ta = sc_triangle_make(a), tb = sc_triangle_make(b);
    sc_closest got = sc_tri_closest(&ta, &tb);
    double tolerance = 0x1p-50 * fmax(case_extent(a, b), oracle_sqrt(exact));
    double error = oracle_sqrt_error(exact, sqrt(got.distance_sq));

    CHECK(fabs(error) <= tolerance, "%s: distance off by %g, allowed %g: %s", what, error,
          tolerance, case_text(a, b));
    const sc_vec3 ways[] = {{0, 0, 0}, sc_sub(got.on_b, got.on_a), sc_sub(tb.v[1], ta.v[2])};
    for (int i = 0; i < 3; i++) {
        sc_vec3 way = ways[i];
        CHECK(!sc_tri_farther(&ta, &tb, sqrt(got.distance_sq), &way),
              "%s: farther apart than they are, way %d: %s", what, i, case_text(a, b));
    }
    if (witnesses) {
        check_witnesses(what, &got, a, b, tolerance);
    }
    return fabs(error) / tolerance;
}

/* ---- known cases ---------------------------------------------------------- */

/* clang-format off */
static const struct known {
    const char *what;
    sc_vec3 a[3], b[3];
    double distance;
    sc_feature feature_a, feature_b;
} known[] = {
    {"vertex to inner edge", {{0, 0, 0}, {1, 0, 0}, {0.5, -1, 0}},
     {{0.5, 1.05, 0}, {10.5, 2.05, 0}, {5, 9, 0}}, 1.05, SC_EDGE, SC_VERTEX},
    {"vertex to inner edge, far", {{0, 0, 0}, {4, 0, 0}, {2, -4, 0}},
     {{2, 1, 0}, {12, 2, 3}, {7, 6, 1}}, 1, SC_EDGE, SC_VERTEX},
    {"parallel edges", {{0, 0, 0}, {10, 0, 0}, {5, -1, 0}}, {{3, 1, 0}, {20, 1, 0}, {9, 4, 0}}, 1,
     SC_EDGE, SC_VERTEX},
    {"nearly parallel segments", /* from a public forum */
     {{0.012711, -0.000688, -0.001097}, {0.012895, -0.000686, -0.001133},
      {0.012895, -0.000686, -0.001133}},
     {{0.012676, -0.000689, -0.000999}, {0.012859, -0.000687, -0.001034},
      {0.012859, -0.000687, -0.001034}}, 8.96815694e-5, SC_VERTEX, SC_EDGE},
    {"edge over edge", /* PQP issue 4: TriDist gave a wrong distance */
     {{8000.0000000000036, 6817.7672478170962, 571.00166381103077},
      {7500.0000000000009, 6817.7672478170962, 571.00166381103077},
      {7500.0000000000009, 6327.6345143037688, 571.00166381103077}},
     {{8000.0000000000009, 6327.6345143037670, 88.336618780016408},
      {7500, 6327.6345143037670, 88.336618780016408},
      {7500, 6327.6345143037670, 1015.9309593449836}}, 1.8189894035458565e-12, SC_VERTEX, SC_FACE},
    {"vertex over face", {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{1, 1, 2}, {1, 1, 5}, {2, 1, 5}}, 2,
     SC_FACE, SC_VERTEX},
    {"vertex to vertex", {{0, 0, 0}, {-1, 0, 0}, {0, -1, 0}}, {{3, 4, 0}, {4, 4, 0}, {3, 5, 1}}, 5,
     SC_VERTEX, SC_VERTEX},
    {"crossed edges", {{-1, 0, 0}, {1, 0, 0}, {0, 0, -3}}, {{0, -1, 2}, {0, 1, 2}, {0, 0, 5}}, 2,
     SC_EDGE, SC_EDGE},
    {"parallel faces", {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{1, 1, 3}, {2, 1, 3}, {1, 2, 3}}, 3,
     SC_FACE, SC_VERTEX},
    {"point over face", {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{1, 1, 7}, {1, 1, 7}, {1, 1, 7}}, 7,
     SC_FACE, SC_VERTEX},
    {"segment over face", {{0, 0, 0}, {9, 0, 0}, {0, 9, 0}}, {{1, 1, 9}, {1, 1, 2}, {1, 1, 4}}, 2,
     SC_FACE, SC_VERTEX},
    {"segment beside segment", {{0, 0, 0}, {2, 0, 0}, {1, 0, 0}},
     {{1, -1, 3}, {1, 5, 3}, {1, 2, 3}}, 3, SC_EDGE, SC_EDGE},
    {"point to segment", {{0, 0, 0}, {4, 0, 0}, {4, 0, 0}}, {{1, 3, 4}, {1, 3, 4}, {1, 3, 4}}, 5,
     SC_EDGE, SC_VERTEX},
    {"point to point", {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}, {{3, 5, 9}, {3, 5, 9}, {3, 5, 9}}, 7,
     SC_VERTEX, SC_VERTEX},
    {"one float apart", {{0, 0, 1}, {1, 0, 1}, {0, 1, 1}},
     {{0, 0, 0x1.000002p0}, {1, 0, 0x1.000002p0}, {0, 1, 0x1.000002p0}}, 0x1p-23, SC_VERTEX,
     SC_VERTEX},
};
/* clang-format on */

enum { KNOWN = sizeof known / sizeof known[0] };

TEST(known_pairs_are_as_far_apart_as_they_should)
{
    mpq_t exact;

    mpq_init(exact);
    for (int i = 0; i < KNOWN; i++) {
        const struct known *k = &known[i];
        oracle_distance_sq(exact, k->a, k->b);
        double distance = oracle_sqrt(exact);
        CHECK(fabs(distance - k->distance) <= 1e-9 * k->distance, "%s: the oracle says %.17g",
              k->what, distance);
        for (int way = 0; way < CASE_WAYS; way++) {
            sc_vec3 a[3], b[3];
            case_present(way, k->a, k->b, a, b);
            check_pair(k->what, a, b, exact, true);
        }
    }
    mpq_clear(exact);
}

/* Where only one segment is the shortest, its features are certain. */
TEST(known_pairs_end_on_the_right_features)
{
    for (int i = 0; i < KNOWN; i++) {
        const struct known *k = &known[i];
        bool unique = k->distance != 3 && k->distance != 0x1p-23 && i != 2 && i != 4;
        for (int way = 0; way < CASE_WAYS && unique; way++) {
            sc_vec3 a[3], b[3];
            case_present(way, k->a, k->b, a, b);
            sc_triangle ta = sc_triangle_make(a), tb = sc_triangle_make(b);
            sc_closest got = sc_tri_closest(&ta, &tb);
            sc_feature first = way % 2 ? got.feature_b : got.feature_a;
            sc_feature second = way % 2 ? got.feature_a : got.feature_b;
            CHECK(first == k->feature_a && second == k->feature_b,
                  "%s: %s to %s, expected %s to %s", k->what, name_of(first), name_of(second),
                  name_of(k->feature_a), name_of(k->feature_b));
        }
    }
}

/* ---- random pairs --------------------------------------------------------- */

TEST(random_pairs_are_as_far_apart_as_rationals_say)
{
    int wanted = test_rounds(10000);
    mpq_t exact;

    mpq_init(exact);
    for (int kind = 0; kind < CASE_CLASSES; kind++) {
        int apart = kind == CASE_SHARED ? wanted : 0; /* those always meet */
        while (apart < wanted) {
            sc_vec3 a[3], b[3], c[3], d[3];
            case_make(kind, a, b);
            oracle_distance_sq(exact, a, b);
            if (mpq_sgn(exact) == 0) {
                continue;
            }
            apart++;
            check_pair(case_name(kind), a, b, exact, apart % 8 == 0);
            case_present(test_below(CASE_WAYS), a, b, c, d);
            check_pair(case_name(kind), c, d, exact, apart % 8 == 4);
        }
    }
    mpq_clear(exact);
}

/* How far b lies in front of a along a way, times its length. */
static double gap_along(sc_vec3 way, const sc_vec3 a[3], const sc_vec3 b[3])
{
    double gap = INFINITY;
    for (int k = 0; k < 9; k++) {
        gap = fmin(gap, sc_dot(way, sc_sub(b[k / 3], a[k % 3])));
    }
    return gap;
}

/* That more than nothing is shown; check_pair sees that it is never too much. And a way that shows
 * it at once, or another one, is left as it shows it. */
TEST(most_pairs_are_shown_to_be_nearly_as_far_apart_as_they_are)
{
    int apart = 0, shown = 0;

    while (apart < test_rounds(20000)) {
        sc_vec3 a[3], b[3];
        case_make(CASE_RANDOM, a, b);
        if (sc_tri_meet(a, b) == SC_APART) {
            sc_triangle ta = sc_triangle_make(a), tb = sc_triangle_make(b);
            const double than = 0.9 * sqrt(sc_tri_closest(&ta, &tb).distance_sq);
            sc_vec3 way = {0, 0, 0};
            if (sc_tri_farther(&ta, &tb, than, &way)) {
                const sc_vec3 found = way;
                CHECK(sc_tri_farther(&ta, &tb, than, &way) && sc_same(way, found) &&
                          gap_along(way, a, b) > than * sc_length(way),
                      "the way does not show it: %s", case_text(a, b));
                shown++;
            }
            apart++;
        }
    }
    CHECK(shown > apart * 0.8, "%d of %d", shown, apart);
}

/* Powers of two change nothing but the exponent, up to where floats end. */
TEST(distances_scale_by_powers_of_two)
{
    static const double scales[] = {0x1p100, 0x1p127, 0x1p-60, 0x1p-120, -0x1p3};

    for (int i = 0; i < 5000; i++) {
        sc_vec3 a[3], b[3];
        double scale = scales[i % 5];
        case_make(i % 2 ? CASE_GRID_8 : CASE_RANDOM, a, b);
        sc_triangle ta = sc_triangle_make(a), tb = sc_triangle_make(b);
        sc_closest plain = sc_tri_closest(&ta, &tb);
        for (int k = 0; k < 3; k++) {
            a[k] = sc_scale(a[k], scale);
            b[k] = sc_scale(b[k], scale);
        }
        ta = sc_triangle_make(a);
        tb = sc_triangle_make(b);
        sc_closest scaled = sc_tri_closest(&ta, &tb);
        CHECK(scaled.distance_sq == plain.distance_sq * scale * scale,
              "%a became %a at scale %a: %s", plain.distance_sq, scaled.distance_sq, scale,
              case_text(a, b));
        CHECK(scaled.feature_a == plain.feature_a && scaled.feature_b == plain.feature_b,
              "features changed: %s", case_text(a, b));
    }
}

TEST(the_smallest_floats_have_a_distance)
{
    const double e = 0x1p-149;
    const sc_vec3 a[3] = {{0, 0, 0}, {4 * e, 0, 0}, {0, 4 * e, 0}};
    const sc_vec3 b[3] = {{e, e, 3 * e}, {e, e, 5 * e}, {2 * e, e, 5 * e}};
    sc_triangle ta = sc_triangle_make(a), tb = sc_triangle_make(b);
    sc_closest got = sc_tri_closest(&ta, &tb);

    CHECK(got.distance_sq == 9 * e * e, "distance is %a", sqrt(got.distance_sq));
    CHECK_INT(got.feature_a, SC_FACE);
    CHECK_INT(got.feature_b, SC_VERTEX);
}

/* ---- from points to facets --------------------------------------------------- */

static sc_vec3 point_nearby(const sc_vec3 *p, double by)
{
    return (sc_vec3){p->x + test_uniform(-by, by), p->y + test_uniform(-by, by),
                     p->z + test_uniform(-by, by)};
}

/* Far from each other or nearly on one line, some of them points. */
TEST(segments_are_as_far_apart_as_rationals_say)
{
    const sc_vec3 origin = {0, 0, 0};
    for (int i = 0; i < test_rounds(3000); i++) {
        double near = pow(10.0, test_uniform(-8, 1));
        sc_vec3 a[2] = {point_nearby(&origin, 1), point_nearby(&origin, 1)}, b[2];
        a[1] = i % 7 == 0 ? a[0] : a[1];
        b[0] = point_nearby(&a[i / 2 % 2], near);
        b[1] = i % 5 == 0 ? b[0] : point_nearby(&a[i % 2], near);
        const sc_vec3 first[3] = {a[0], a[1], a[1]}, second[3] = {b[0], b[1], b[1]};
        mpq_t square;
        mpq_init(square);
        oracle_distance_sq(square, first, second);
        double wrong = sc_segments_distance(a, b) - oracle_sqrt(square);
        mpq_clear(square);
        CHECK(fabs(wrong) <= 0x1p-50 * 16, "pair %d: wrong by %g", i, wrong);
    }
}

static double largest_of(sc_vec3 p)
{
    return fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z)));
}

/* Small facets and thin ones, the corner that is near the long edge first or not; points near them,
 * and in their plane but for rounding. */
TEST(distances_of_points_and_facets)
{
    const sc_vec3 origin = {0, 0, 0};
    for (int i = 0; i < test_rounds(40000); i++) {
        double size = exp2(-test_below(24)), thin = i % 3 ? 1.0 : exp2(-test_below(50));
        sc_vec3 v[3], on, c = point_nearby(&origin, 1);
        int first = test_below(3), second = (first + 1) % 3, third = (first + 2) % 3;
        v[first] = c;
        v[second] = point_nearby(&c, size);
        sc_vec3 beside = i % 2 ? v[test_below(2) ? first : second]
                               : sc_mul_add(c, test_uniform(0, 1), sc_sub(v[second], c));
        v[third] = point_nearby(&beside, size * thin);
        double s = test_uniform(-1, 2), t = test_uniform(-1, 2), off = exp2(-test_below(60));
        sc_vec3 p = sc_mul_add(sc_mul_add(v[0], s, sc_sub(v[1], v[0])), t, sc_sub(v[2], v[0]));
        p = point_nearby(&p, i % 5 ? off : 0);
        double got = sc_facet_distance(p, v, &on), largest = largest_of(p);
        for (int k = 0; k < 3; k++) {
            largest = fmax(largest, largest_of(v[k]));
        }
        double expected = distance_to(p, v[0], v[1], v[2]), to = sc_length(sc_sub(p, on));
        double beyond = distance_to(on, v[0], v[1], v[2]);
        CHECK(fabs(got - expected) <= 0x1p-48 * largest && fabs(to - got) <= 0x1p-48 * largest &&
                  beyond <= 0x1p-48 * largest,
              "round %d: %.17g, not %.17g; its point is %.17g away, and %g off", i, got, expected,
              to, beyond);
    }
}
