/* test_sweep.c - a triangle that moves straight: kernel against rationals, in every class of
 * trouble, with ways that are generic, along axes, along edges and in planes of the pair. */
#include "geom/tri_sweep.h"

#include "cases.h"
#include "geom/orient.h"
#include "oracle_exact.h"
#include "oracle_sweep.h"
#include "test.h"

#include <math.h>
#include <stdio.h>

/* ---- pairs of triangles ---------------------------------------------------- */

enum { WAYS = 8 };

/* A way for the pair: generic, or such that something is parallel to it, or such that
 * something just arrives. */
static sc_vec3 way_for(int kind, const sc_vec3 a[3], const sc_vec3 b[3], double extent)
{
    sc_vec3 d = {0, 0, 0};
    double size = extent > 0 ? extent : 1;
    int i = test_below(3), j = test_below(3);
    float s[1];
    switch (kind) {
    case 0:
        d = (sc_vec3){test_uniform(-size, size), test_uniform(-size, size),
                      test_uniform(-size, size)};
        break;
    case 1: { /* along an axis, a whole number */
        double way[3] = {0, 0, 0};
        way[test_below(3)] = (double)(test_below(9) - 4);
        d = (sc_vec3){way[0], way[1], way[2]};
        break;
    }
    case 2: d = sc_sub(a[(i + 1) % 3], a[i]); break; /* along an edge */
    case 3: d = sc_sub(b[(i + 1) % 3], b[i]); break;
    case 4: d = sc_sub(a[i], b[j]); break;                /* vertex onto vertex, at the end */
    case 5: d = sc_scale(sc_sub(a[i], b[j]), 2.0); break; /* half-way */
    case 6: d = (sc_vec3){test_below(5) - 2, test_below(5) - 2, test_below(5) - 2}; break;
    default: /* in the plane of a, about */
        s[0] = (float)test_uniform(-2, 2);
        d = sc_mul_add(sc_sub(a[1], a[0]), (double)s[0], sc_sub(a[2], a[0]));
        break;
    }
    double longest = fmax(fabs(d.x), fmax(fabs(d.y), fabs(d.z)));
    if (longest == 0) {
        return (sc_vec3){size, 0, 0};
    }
    double least = 0x1p-80 * fmax(longest, case_magnitude(a, b));
    d.x = fabs(d.x) < least ? 0 : d.x;
    d.y = fabs(d.y) < least ? 0 : d.y;
    d.z = fabs(d.z) < least ? 0 : d.z;
    return d.x == 0 && d.y == 0 && d.z == 0 ? (sc_vec3){size, 0, 0} : d;
}

static const char *pair_text(const sc_vec3 a[3], const sc_vec3 b[3], sc_vec3 d)
{
    static char text[2000];
    snprintf(text, sizeof text, "%s by %a,%a,%a", case_text(a, b), d.x, d.y, d.z);
    return text;
}

static void check_times(const sc_swept *got, oracle_sweep *truth, const char *text)
{
    bool touches = truth->ever && mpq_sgn(truth->last) >= 0 && mpq_cmp_ui(truth->first, 1, 1) <= 0;
    CHECK(got->touches == touches, "touches %d, not %d: %s", got->touches, touches, text);
    if (!got->touches || !touches) {
        return;
    }
    bool at_start = mpq_sgn(truth->first) <= 0;
    CHECK(got->first.at_start == at_start, "at start %d: %s", got->first.at_start, text);
    double right = at_start ? 0.0 : mpq_get_d(truth->first);
    CHECK(fabs(got->first.time - right) <= 0x1p-46 * right, "time %a, not %a: %s", got->first.time,
          right, text);
}

/* The point lies on a, and on b as it stands then, as far as rounding allows. */
static void check_point(const sc_swept *got, const sc_vec3 a[3], const sc_vec3 b[3], sc_vec3 d,
                        const char *text)
{
    sc_vec3 p = got->first.point, moved[3];
    mpq_t square;
    mpq_init(square);
    double size = case_magnitude(a, b) + sc_length(d);
    for (int i = 0; i < 3; i++) {
        moved[i] = sc_mul_add(b[i], got->first.time, d);
    }
    oracle_distance_sq(square, (sc_vec3[3]){p, p, p}, a);
    CHECK(oracle_sqrt(square) <= 0x1p-40 * size, "point off a by %g: %s", oracle_sqrt(square),
          text);
    oracle_distance_sq(square, (sc_vec3[3]){p, p, p}, moved);
    CHECK(oracle_sqrt(square) <= 0x1p-40 * size, "point off b by %g: %s", oracle_sqrt(square),
          text);
    mpq_clear(square);
}

static bool known_crossing(const sc_vec3 a[3], const sc_vec3 b[3], sc_vec3 d)
{
    return oracle_sweep_enters(b, a, d) || oracle_sweep_enters(a, b, sc_scale(d, -1.0));
}

static void check_pair(int kind, int way)
{
    sc_vec3 a[3], b[3];
    case_make(kind, a, b);
    sc_vec3 d = way_for(way, a, b, case_extent(a, b));
    const char *text = pair_text(a, b, d);
    oracle_sweep truth;
    oracle_sweep_init(&truth);
    oracle_sweep_find(&truth, a, b, d);
    sc_swept got = sc_tri_sweep(a, b, d);
    check_times(&got, &truth, text);

    bool edge_on = oracle_degenerate(a) || oracle_degenerate(b);
    bool entered = known_crossing(a, b, d);
    CHECK(got.crosses || !entered, "no crossing: %s", text);
    if (got.crosses && !entered) { /* both edge on: then two edges pass through each other */
        sc_vec3 na = sc_cross(sc_sub(a[1], a[0]), sc_sub(a[2], a[0]));
        CHECK(edge_on || fabs(sc_dot(na, d)) <= 1e-6 * sc_length(na) * sc_length(d),
              "a crossing that is none: %s", text);
    }
    if (got.touches && test_below(8) == 0) {
        check_point(&got, a, b, d, text);
    }

    /* Backwards and with the roles exchanged it is the same meeting. */
    sc_swept other = sc_tri_sweep(b, a, sc_scale(d, -1.0));
    CHECK(other.touches == got.touches && other.crosses == got.crosses &&
              other.first.at_start == got.first.at_start,
          "roles exchanged: %s", text);
    CHECK(!got.touches || fabs(other.first.time - got.first.time) <= 0x1p-45 * got.first.time,
          "time with roles exchanged: %s", text);
    oracle_sweep_clear(&truth);
}

static void check_class(int kind)
{
    for (int i = 0; i < test_rounds(800); i++) { /* in a long run 8000 of each class */
        check_pair(kind, i % WAYS);
    }
}

#define CLASS_TEST(name, kind)                                                                     \
    TEST(name)                                                                                     \
    {                                                                                              \
        check_class(kind);                                                                         \
    }
CLASS_TEST(sweeps_of_random_triangles, CASE_RANDOM)
CLASS_TEST(sweeps_on_a_small_grid, CASE_GRID_3)
CLASS_TEST(sweeps_on_a_grid, CASE_GRID_8)
CLASS_TEST(sweeps_of_coplanar_triangles, CASE_COPLANAR)
CLASS_TEST(sweeps_of_nearly_coplanar_triangles, CASE_COPLANAR_ULP)
CLASS_TEST(sweeps_of_degenerate_triangles, CASE_DEGENERATE)
CLASS_TEST(sweeps_with_shared_vertices, CASE_SHARED)
CLASS_TEST(sweeps_of_rotated_triangles, CASE_ROTATED)
CLASS_TEST(sweeps_of_mixed_sizes, CASE_EXPONENTS)
CLASS_TEST(sweeps_of_slivers, CASE_SLIVERS)
CLASS_TEST(sweeps_over_a_small_gap, CASE_SMALL_GAP)
CLASS_TEST(sweeps_far_from_the_origin, CASE_FAR_OFFSET)
CLASS_TEST(sweeps_of_needles, CASE_NEEDLES)

/* The order of events against that of the exact times, equal ones included. */
TEST(sweep_events_come_in_exact_order)
{
    oracle_sweep tx, ty;
    oracle_sweep_init(&tx);
    oracle_sweep_init(&ty);
    int equal = 0;
    for (int i = 0; i < test_rounds(400); i++) {
        sc_vec3 a[3], b[3], c[3], e[3];
        int kind = test_below(3) == 0 ? CASE_RANDOM : CASE_GRID_3;
        case_make(kind, a, b);
        case_make(kind, c, e);
        sc_vec3 d = {test_below(7) - 3, test_below(7) - 3, 1};
        sc_swept x = sc_tri_sweep(a, b, d), y = sc_tri_sweep(c, e, d);
        if (!x.touches || !y.touches) {
            continue;
        }
        oracle_sweep_find(&tx, a, b, d);
        oracle_sweep_find(&ty, c, e, d);
        if (mpq_sgn(tx.first) < 0) {
            mpq_set_ui(tx.first, 0, 1);
        }
        if (mpq_sgn(ty.first) < 0) {
            mpq_set_ui(ty.first, 0, 1);
        }
        int order = mpq_cmp(tx.first, ty.first);
        order = (order > 0) - (order < 0);
        equal += order == 0;
        CHECK_INT(sc_sweep_compare(&x.first, &y.first, d), order);
        CHECK_INT(sc_sweep_compare(&y.first, &x.first, d), -order);
    }
    CHECK(equal > 0, "no two events came at the same time");
    oracle_sweep_clear(&tx);
    oracle_sweep_clear(&ty);
}

TEST(sweeps_without_the_filter_are_the_same)
{
    for (int i = 0; i < test_rounds(2000); i++) {
        sc_vec3 a[3], b[3];
        case_make(i % CASE_MEET_CLASSES, a, b);
        sc_vec3 d = way_for(test_below(WAYS), a, b, case_extent(a, b));
        sc_swept with = sc_tri_sweep(a, b, d);
        sc_orient_filter_off(1);
        sc_swept without = sc_tri_sweep(a, b, d);
        sc_orient_filter_off(0);
        CHECK(with.touches == without.touches && with.crosses == without.crosses &&
                  with.leaves_along_normal == without.leaves_along_normal &&
                  with.first.time == without.first.time,
              "%s", pair_text(a, b, d));
    }
}
