/* test_triangles.c - what is worked out about a triangle, and its placement. */
#include "triangles.h"

#include "ask.h"
#include "cases.h"
#include "oracle_exact.h"
#include "shapes.h"
#include "test.h"

#include <math.h>
#include <string.h>

static bool equal(sc_vec3 a, sc_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* The exact distance of two points. */
static void distance_sq(mpq_t square, sc_vec3 p, sc_vec3 q)
{
    const sc_vec3 a[3] = {p, p, p}, b[3] = {q, q, q};
    oracle_distance_sq(square, a, b);
}

/* ---- fields --------------------------------------------------------------- */

/* How much rounding errors grow in e1 x e2: 1 for a right angle. */
static double condition(const sc_triangle *t, double area)
{
    return sc_length(t->edge[0]) * sc_length(t->edge[2]) / area;
}

/* The normal against the exact components of e1 x e2. */
static void check_normal(const sc_triangle *t, double cross[3], double area)
{
    double tolerance = 0x1p-50 * condition(t, area);

    CHECK(fabs(sc_length(t->normal) - 1) <= 0x1p-50, "the normal is %.17g long: %s",
          sc_length(t->normal), case_text(t->v, t->v));
    for (int axis = 0; axis < 3; axis++) {
        double off = sc_component(t->normal, axis) - cross[axis] / area;
        CHECK(fabs(off) <= tolerance, "component %d of the normal is off by %g, allowed %g: %s",
              axis, off, tolerance, case_text(t->v, t->v));
    }
}

/* The coordinates of the foot of a random point, in or near the triangle. */
static void check_foot(const sc_triangle *t, double area)
{
    double s = test_uniform(-1, 2), r = test_uniform(-1, 2), height = test_uniform(-1, 1);
    sc_vec3 p = sc_mul_add(sc_mul_add(t->v[0], s, t->edge[0]), -r, t->edge[2]);

    if (test_below(2)) {
        p = sc_mul_add(p, height * sc_length(t->edge[0]), t->normal);
    }
    oracle_foot(p, t->v, &s, &r);
    sc_vec3 w = sc_sub(p, t->v[0]);
    double got_s = sc_dot(t->f[0], w) * t->inverse_det;
    double got_r = sc_dot(t->f[1], w) * t->inverse_det;
    double tolerance = 0x1p-49 * condition(t, area) * sc_length(w) / area *
                       fmax(sc_length(t->edge[0]), sc_length(t->edge[2]));
    CHECK(fabs(got_s - s) <= tolerance && fabs(got_r - r) <= tolerance,
          "foot at (%.17g, %.17g), expected (%.17g, %.17g) to %g: %s", got_s, got_r, s, r,
          tolerance, case_text(t->v, t->v));
}

/* The sphere holds the vertices and is not larger than it must be. */
static void check_sphere(const sc_triangle *t)
{
    double slack = INFINITY, rounding = case_magnitude(t->v, t->v) * 0x1p-48;
    mpq_t square;

    mpq_init(square);
    for (int i = 0; i < 3; i++) {
        distance_sq(square, t->centre, t->v[i]);
        slack = fmin(slack, oracle_sqrt_error(square, t->radius));
    }
    mpq_clear(square);
    CHECK(slack >= 0, "a vertex is %g outside the sphere: %s", -slack, case_text(t->v, t->v));
    CHECK(slack <= rounding + t->radius * 0x1p-40, "the sphere is %g too large: %s", slack,
          case_text(t->v, t->v));
    for (int axis = 0; axis < 3; axis++) {
        double sum =
            sc_component(t->v[0], axis) + sc_component(t->v[1], axis) + sc_component(t->v[2], axis);
        CHECK(fabs(3 * sc_component(t->centre, axis) - sum) <= rounding,
              "the centre is not the centroid: %s", case_text(t->v, t->v));
    }
}

static void check_fields(const sc_vec3 v[3])
{
    sc_triangle t = sc_triangle_make(v);
    double cross[3];

    for (int i = 0; i < 3; i++) {
        CHECK(equal(t.v[i], v[i]), "vertex %d changed: %s", i, case_text(v, v));
        CHECK(equal(t.edge[i], sc_sub(v[(i + 1) % 3], v[i])), "edge %d is wrong: %s", i,
              case_text(v, v));
        cross[i] = oracle_orient2d_value(v[0], v[1], v[2], i);
    }
    check_sphere(&t);
    double area = hypot(cross[0], hypot(cross[1], cross[2]));
    if (area == 0) { /* or as much as rounding makes of none */
        const double rounded = t.inverse_det > 0 ? 1 / sqrt(t.inverse_det) : 0;
        CHECK(rounded <= 0x1p-50 * sc_length(t.edge[0]) * sc_length(t.edge[2]),
              "a degenerate triangle has an area of %g: %s", rounded, case_text(v, v));
        CHECK(rounded > 0 || equal(t.normal, (sc_vec3){0, 0, 0}),
              "a degenerate triangle has a normal: %s", case_text(v, v));
    } else if (condition(&t, area) < 0x1p40) { /* else rounding may flatten it */
        check_normal(&t, cross, area);
        check_foot(&t, area);
        double det = area * area * t.inverse_det;
        CHECK(fabs(det - 1) <= 0x1p-49 * condition(&t, area), "inverse_det off by %g: %s", det - 1,
              case_text(v, v));
    }
}

TEST(fields_of_random_triangles_are_right)
{
    for (int i = 0; i < test_rounds(30000); i++) {
        sc_vec3 a[3], b[3];
        case_make(i % CASE_CLASSES, a, b);
        check_fields(a);
        check_fields(b);
    }
}

TEST(a_right_triangle_has_the_expected_fields)
{
    const sc_vec3 v[3] = {{1, 1, 1}, {4, 1, 1}, {1, 5, 1}};
    sc_triangle t = sc_triangle_make(v);

    CHECK(equal(t.normal, (sc_vec3){0, 0, 1}), "the normal points the wrong way");
    CHECK(equal(t.edge[2], (sc_vec3){0, -4, 0}), "the last edge does not lead back");
    CHECK(t.inverse_det == 1.0 / 144, "inverse_det is %g", t.inverse_det);
    CHECK(equal(t.centre, (sc_vec3){2, 7.0 / 3, 1}), "the centre is not the centroid");
}

TEST(the_smallest_and_largest_floats_have_fields)
{
    static const double scales[] = {0x1p-149, 0x1p-130, 0x1p120};

    for (int i = 0; i < 3000; i++) {
        sc_vec3 a[3], b[3];
        case_make(CASE_GRID_8, a, b);
        for (int k = 0; k < 3; k++) {
            a[k] = sc_scale(a[k], scales[i % 3]);
        }
        check_fields(a);
    }
}

/* ---- placement ------------------------------------------------------------ */

static const double quarter_turn[16] = {
    6.123233995736766e-17, -1, 0, 0, 1, 6.123233995736766e-17, 0, 20, 0, 0, 1, 30, 0, 0, 0, 1};

TEST(no_placement_keeps_the_stored_coordinates)
{
    const float xyz[3] = {1.1f, -0.0f, -0x1p-149f};
    sc_placement placement;
    stlclash_error error;

    CHECK_INT(sc_placement_make(NULL, "A", 10, &placement, &error), STLCLASH_OK);
    CHECK(placement.is_identity, "no placement is not the identity");
    sc_vec3 p = sc_place(&placement, xyz);
    CHECK(equal(p, (sc_vec3){1.1f, 0, -0x1p-149}), "coordinates changed");
    CHECK(!signbit(p.y), "-0 stayed -0");
}

TEST(a_quarter_turn_is_exact)
{
    const float xyz[3] = {1.1f, -0.3f, 7.7f};
    sc_placement placement;
    stlclash_error error;

    CHECK_INT(sc_placement_make(quarter_turn, "A", 10, &placement, &error), STLCLASH_OK);
    sc_vec3 p = sc_place(&placement, xyz);
    CHECK(equal(p, (sc_vec3){0.3f, 1.1f + 20.0, 7.7f + 30.0}), "%.17g %.17g %.17g", p.x, p.y, p.z);
}

TEST(placing_never_makes_a_negative_zero)
{
    const double half_turn[16] = {-1,   -0.0, -0.0, -0.0, -0.0, -1, -0.0, -0.0,
                                  -0.0, -0.0, 1,    -0.0, 0,    0,  0,    1};
    const float xyz[3] = {0, 0, -0.0f};
    sc_placement placement;
    stlclash_error error;

    CHECK_INT(sc_placement_make(half_turn, "A", 10, &placement, &error), STLCLASH_OK);
    sc_vec3 p = sc_place(&placement, xyz);
    CHECK(equal(p, (sc_vec3){0, 0, 0}), "the origin moved");
    CHECK(!signbit(p.x) && !signbit(p.y) && !signbit(p.z), "a zero is negative");
}

TEST(a_placement_that_is_not_rigid_is_refused)
{
    static const struct {
        int entry;
        double value;
    } broken[] = {{0, 0.1},  {10, 2},  {10, -1},      {12, 1},  {15, 0},     {15, 2},
                  {2, 1e-3}, {5, NAN}, {3, INFINITY}, {3, NAN}, {7, 0x1p201}};
    sc_placement placement;
    stlclash_error error;

    for (int i = 0; i < (int)(sizeof broken / sizeof broken[0]); i++) {
        double m[16];
        memcpy(m, quarter_turn, sizeof m);
        m[broken[i].entry] = broken[i].value;
        CHECK(sc_placement_make(m, "A", 10, &placement, &error) != STLCLASH_OK,
              "entry %d may be %g", broken[i].entry, broken[i].value);
    }
}

TEST(a_placement_that_is_not_a_number_is_told_as_such)
{
    sc_placement placement;
    stlclash_error error;
    for (int i = 0; i < 16; i++) {
        double m[16];
        memcpy(m, quarter_turn, sizeof m);
        m[i] = NAN;
        CHECK_INT(sc_placement_make(m, "B", 10, &placement, &error), STLCLASH_E_ARGUMENT);
        CHECK(strstr(error.text, "placement of B") && strstr(error.text, "NaN"), "%s", error.text);
    }
}

/* What is infinite times 0 is no number, and could hide among the errors of others. */
TEST(an_infinite_placement_is_refused)
{
    for (int i = 0; i < 16; i++) {
        double m[16] = {1, 0, 0, 0, 0, 0.8, -0.6, 0, 0, 0.6, 0.8, 0, 0, 0, 0, 1};
        sc_placement placement;
        stlclash_error error;
        m[i] = i % 2 ? -INFINITY : INFINITY;
        CHECK_INT(sc_placement_make(m, "B", 10, &placement, &error), STLCLASH_E_ARGUMENT);
        CHECK(strstr(error.text, "infinite"), "%s", error.text);
    }
}

/* Placed vertices are where they belong, each coordinate to a few roundings, and
 * what is too small for the exact core is flushed. */
TEST(a_random_placement_moves_points_rigidly)
{
    for (int i = 0; i < 20000; i++) {
        double angle = test_uniform(-4, 4), c = cos(angle), s = sin(angle);
        double x = test_uniform(-100, 100), y = test_uniform(-100, 100);
        const double m[16] = {c, -s, 0, x, 0, 0, -1, y, s, c, 0, 0, 0, 0, 0, 1};
        float xyz[3];
        sc_placement placement;
        stlclash_error error;

        for (int k = 0; k < 3; k++) {
            xyz[k] = (float)test_uniform(-10, 10);
        }
        if (i % 4 == 0) {
            xyz[0] = xyz[1] = 0x1p-149f;
        }
        CHECK_INT(sc_placement_make(m, "A", 10, &placement, &error), STLCLASH_OK);
        sc_vec3 p = sc_place(&placement, xyz);
        sc_vec3 expected = {c * xyz[0] - s * xyz[1] + x, -xyz[2] + y, s * xyz[0] + c * xyz[1]};
        CHECK(sc_length(sc_sub(p, expected)) <= 0x1p-44, "placed %g off",
              sc_length(sc_sub(p, expected)));
        CHECK(p.z == 0 || fabs(p.z) > 0x1p-80, "%a was not flushed", p.z);
    }
}

/* Several coordinates at a time, but each bit for bit as by itself. */
TEST(facets_are_placed_like_their_vertices)
{
    int flushed = 0;
    for (int i = 0; i < test_rounds(100000); i++) {
        const double far = ldexp(1.0, test_below(40) - 20), reach = 8.0 * far;
        double m[16];
        float xyz[9];
        sc_placement placement;
        stlclash_error error;
        sc_vec3 v[3];

        ask_placement(m, test_below(3) ? far : 0.0);
        for (int k = 0; k < 9; k++) {
            const float tiny[] = {0.0f, -0.0f, 0x1p-149f, -0x1p-126f};
            xyz[k] = test_below(4) ? (float)test_uniform(-reach, reach) : tiny[test_below(4)];
        }
        stl_image image = make_facets(xyz, 1);
        const sc_facets facets = {image.bytes + STL_HEADER_SIZE + 12, STL_RECORD_SIZE, 1};
        CHECK_INT(sc_placement_make(test_below(8) ? m : NULL, "A", reach, &placement, &error),
                  STLCLASH_OK);
        sc_triangle_vertices(&facets, &placement, 0, v);
        for (int k = 0; k < 3; k++) {
            const sc_vec3 one = sc_place(&placement, &xyz[3 * k]);
            CHECK(memcmp(&one, &v[k], sizeof one) == 0, "vertex %d: %a %a %a, not %a %a %a", k,
                  v[k].x, v[k].y, v[k].z, one.x, one.y, one.z);
            flushed += one.x == 0.0 && one.y == 0.0 && one.z == 0.0 && !placement.is_identity;
        }
        image_free(&image);
    }
    CHECK(TEST_DIVISOR > 1 || flushed > 100, "only %d at the origin", flushed);
}
