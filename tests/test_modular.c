/* test_modular.c - arithmetic modulo a prime. */
#include "geom/modular.h"

#include "test.h"

static sc_vec3 random_grid_point(void)
{
    return (sc_vec3){test_below(5) - 2, test_below(5) - 2, test_below(5) - 2};
}

static uint64_t key_of(const sc_field *f, sc_vec3 from, sc_vec3 to)
{
    const sc_residue3 start = sc_field_from3(f, from);
    const sc_residue3 along = sc_field_subtract3(f, sc_field_from3(f, to), start);
    return sc_field_line_key(f, start, along, sc_field_inverse(f, sc_residue_leading(along)));
}

static bool is_zero(sc_vec3 v)
{
    return v.x == 0.0 && v.y == 0.0 && v.z == 0.0;
}

/* Whether both pairs of points of a small grid span the same line: doubles are exact here. */
static bool same_line(const sc_vec3 p[4])
{
    const sc_vec3 along = sc_sub(p[1], p[0]);
    return is_zero(sc_cross(along, sc_sub(p[2], p[0]))) &&
           is_zero(sc_cross(along, sc_sub(p[3], p[0])));
}

/* On so small a grid many lines are the same, parallel, meet or pass through the origin. */
TEST(lines_have_the_same_key_where_they_are_the_same)
{
    const sc_field field[2] = {sc_field_fixed(), sc_field_random()};
    int same = 0;

    for (int round = 0; round < test_rounds(200000); round++) {
        sc_vec3 p[4];
        for (int i = 0; i < 4; i++) {
            p[i] = random_grid_point();
        }
        if (sc_same(p[0], p[1]) || sc_same(p[2], p[3])) {
            continue;
        }
        const bool expected = same_line(p);
        same += expected;
        for (int i = 0; i < 2; i++) {
            const bool got = key_of(&field[i], p[0], p[1]) == key_of(&field[i], p[2], p[3]);
            CHECK(got == expected, "%d, expected %d, in round %d", got, expected, round);
        }
    }
    CHECK(same > 0, "no lines are the same");
}

/* Thirds and sevenths of the way are no doubles, but residues all the same. */
TEST(lines_have_the_same_key_from_points_that_are_no_doubles)
{
    const sc_field f = sc_field_random();

    for (int round = 0; round < test_rounds(2000); round++) {
        const sc_vec3 from = {test_uniform(-1.0, 1.0), test_uniform(-1.0, 1.0), 0.0};
        const sc_vec3 to = {from.x, test_uniform(-1e9, 1e9), test_uniform(0x1p-40, 0x1p-30)};
        const sc_residue3 start = sc_field_from3(&f, from);
        const sc_residue3 along = sc_field_subtract3(&f, sc_field_from3(&f, to), start);
        const uint64_t inverse = sc_field_inverse(&f, sc_residue_leading(along));
        const uint64_t t = sc_field_inverse(&f, sc_field_integer(&f, 3 + test_below(5)));
        const sc_residue3 part = {sc_field_multiply(&f, t, along.x),
                                  sc_field_multiply(&f, t, along.y),
                                  sc_field_multiply(&f, t, along.z)};
        const sc_residue3 between = {sc_field_add(&f, start.x, part.x),
                                     sc_field_add(&f, start.y, part.y),
                                     sc_field_add(&f, start.z, part.z)};
        const uint64_t key =
            sc_field_line_key(&f, between, part, sc_field_inverse(&f, sc_residue_leading(part)));
        CHECK(key == sc_field_line_key(&f, start, along, inverse), "in round %d", round);
    }
}

static uint64_t residue_of(const sc_field *f, double x)
{
    return sc_field_from3(f, (sc_vec3){x, 0.0, 0.0}).x;
}

/* From the least double to the largest, a power of 2 after the other: each is twice the one before;
 * and with other digits as many times as much. */
TEST(doubles_of_every_size_have_their_residues)
{
    const sc_field field[2] = {sc_field_fixed(), sc_field_random()};
    for (int i = 0; i < 2; i++) {
        const sc_field *f = &field[i];
        uint64_t power = residue_of(f, 0x1p-1074);
        CHECK(residue_of(f, 0.0) == 0 && residue_of(f, -0.0) == 0, "zero");
        CHECK(residue_of(f, 1.0) == sc_field_integer(f, 1), "one");
        for (int exponent = -1074; exponent < 971; exponent++) {
            const int64_t digits = (int64_t)(test_random() >> 11) - (INT64_C(1) << 52);
            const double x = ldexp((double)digits, exponent);
            CHECK(residue_of(f, ldexp(1.0, exponent)) == power, "2^%d", exponent);
            CHECK(residue_of(f, x) == sc_field_multiply(f, sc_field_integer(f, digits), power),
                  "%a", x);
            power = sc_field_add(f, power, power);
        }
    }
}

TEST(many_inverses_are_those_of_each)
{
    const sc_field f = sc_field_random();
    enum { MOST = 20 };
    struct {
        int before;
        sc_invertible x;
    } item[MOST];
    for (int round = 0; round < test_rounds(200); round++) {
        uint64_t number[MOST];
        const size_t count = 1 + (size_t)test_below(MOST);
        for (size_t i = 0; i < count; i++) {
            number[i] = test_below(5) ? sc_field_integer(&f, (int64_t)(test_random() >> 4)) : 0;
            item[i].x.number = number[i];
        }
        sc_field_invert(&f, &item[0].x, sizeof item[0], count);
        for (size_t i = 0; i < count; i++) {
            CHECK(item[i].x.number == sc_field_inverse(&f, number[i]), "%zu of %zu", i, count);
        }
    }
}
