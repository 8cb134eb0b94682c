/* test_screw.c - the screw between two placements, against one that they were made from. */
#include "ask.h"
#include "motion/screw.h"
#include "test.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* By an angle about the line through c along k, a unit vector, and on along that (Rodrigues). */
static void screwed(sc_vec3 k, double angle, sc_vec3 c, double shift, double m[16])
{
    const double axis[3] = {k.x, k.y, k.z}, at[3] = {c.x, c.y, c.z};
    const double cross[3][3] = {{0, -k.z, k.y}, {k.z, 0, -k.x}, {-k.y, k.x, 0}};
    for (int i = 0; i < 4; i++) {
        m[12 + i] = i == 3;
    }
    for (int i = 0; i < 3; i++) {
        m[4 * i + 3] = at[i] + shift * axis[i];
        for (int j = 0; j < 3; j++) {
            m[4 * i + j] = (1 - cos(angle)) * axis[i] * axis[j] + cos(angle) * (i == j) +
                           sin(angle) * cross[i][j];
            m[4 * i + 3] -= m[4 * i + j] * at[j];
        }
    }
}

/* Half a turn may go either way round. */
TEST(screws_are_found_from_their_ends)
{
    const double angles[] = {pi, pi, pi - 1e-9, pi - 1e-4, 3, 2.7, 2, 0.5 * pi, 1, 0.1, 1e-5};
    for (int i = 0; i < 110; i++) {
        const double angle = angles[i % 11], shift = test_uniform(-2, 2);
        sc_vec3 k = {0, 0, 0}, c = {test_uniform(-3, 3), test_uniform(-3, 3), test_uniform(-3, 3)};
        while (!(sc_length(k) > 0.1)) {
            k = (sc_vec3){test_uniform(-1, 1), test_uniform(-1, 1), test_uniform(-1, 1)};
        }
        k = i < 33 ? (sc_vec3){i % 3 == 0, i % 3 == 1, i % 3 == 2} : sc_unit(k);
        double end[16], half[16], expected[16];
        screwed(k, angle, c, shift, end);
        const sc_screw s = sc_screw_between(ask_identity, end);
        const double way = sc_dot(sc_vec3_of(s.screw.direction), k), sign = way < 0 ? -1 : 1;
        CHECK(fabs(s.screw.angle - angle) < 1e-9, "%d: by %.17g, not %.17g", i, s.screw.angle,
              angle);
        CHECK(sign * way > 1 - 1e-9 && (sign > 0 || angle == pi), "%d: along another axis, by %g",
              i, way);
        CHECK(fabs(sign * s.screw.shift - shift) < 1e-9, "%d: shifts by %g, not %g", i,
              s.screw.shift, shift);
        sc_screw_at(&s, 0.5, half);
        screwed(k, 0.5 * sign * angle, c, 0.5 * shift, expected);
        for (int j = 0; j < 16; j++) {
            CHECK(fabs(half[j] - expected[j]) < 1e-8, "%d: %.17g in the middle, not %.17g", i,
                  half[j], expected[j]);
        }
        CHECK(sc_screw_deviation(&s, 10) < 1e-12, "%d: off by %g", i, sc_screw_deviation(&s, 10));
    }
}

/* Of parts with attitudes of their own, which half a turn takes along. */
TEST(half_a_turn_goes_the_same_way_round_for_all_parts)
{
    static const double axes[][3] = {{0, 0, 1},  {0, -1, 0}, {0.6, 0.8, 0}, {-0.28, 0, 0.96},
                                     {1, -1, 1}, {-1, 1, 0}, {-1, -2, 2},   {0.3, 0.2, -0.1}};
    for (size_t i = 0; i < sizeof axes / sizeof axes[0]; i++) {
        const sc_vec3 k = sc_unit(sc_vec3_of(axes[i])), c = {1, 2, 3};
        double turn[16];
        screwed(k, pi, c, 0.5, turn);
        const sc_screw of_none = sc_screw_between(ask_identity, turn);
        for (int n = 0; n < 50; n++) {
            double start[16], end[16];
            ask_placement(start, 5);
            for (int j = 0; j < 16; j++) {
                end[j] = j % 4 == 3 ? turn[j] : 0;
                for (int l = 0; l < 3; l++) {
                    end[j] += turn[j / 4 * 4 + l] * start[4 * l + j % 4];
                }
            }
            const sc_screw s = sc_screw_between(start, end);
            const double way =
                sc_dot(sc_vec3_of(s.screw.direction), sc_vec3_of(of_none.screw.direction));
            CHECK(way > 1 - 1e-9, "axis %zu, part %d: along another axis, by %g", i, n, way);
            CHECK(s.screw.angle == pi && sc_screw_deviation(&s, 10) < 1e-12,
                  "axis %zu, part %d: by %.17g, off by %g", i, n, s.screw.angle,
                  sc_screw_deviation(&s, 10));
        }
    }
}

/* So that what lies on a plate slides on it, and nothing of it comes to lie below. */
TEST(turns_about_a_coordinate_axis_leave_that_as_it_is)
{
    for (int n = 0; n < 300; n++) {
        const int axis = n % 3, x = (axis + 1) % 3, y = (axis + 2) % 3;
        double place[2][16];
        for (int i = 0; i < 2; i++) {
            const double angle = test_uniform(-pi, pi);
            memcpy(place[i], ask_identity, sizeof ask_identity);
            place[i][4 * x + x] = place[i][4 * y + y] = cos(angle);
            place[i][4 * y + x] = sin(angle);
            place[i][4 * x + y] = -sin(angle);
            place[i][4 * x + 3] = test_uniform(-5, 5);
        }
        const sc_screw s = sc_screw_between(place[0], place[1]);
        for (int k = 0; k <= 8; k++) {
            double at[16];
            sc_screw_at(&s, k / 8.0, at);
            for (int j = 0; j < 4; j++) {
                CHECK(at[4 * axis + j] == (j == axis) &&
                          (j == 3 || at[4 * j + axis] == (j == axis)),
                      "%d: %.17g and %.17g at %d/8", n, at[4 * axis + j], at[4 * j + axis], k);
            }
        }
    }
}

static sc_vec3 placed(const double m[16], sc_vec3 p)
{
    return (sc_vec3){m[0] * p.x + m[1] * p.y + m[2] * p.z + m[3],
                     m[4] * p.x + m[5] * p.y + m[6] * p.z + m[7],
                     m[8] * p.x + m[9] * p.y + m[10] * p.z + m[11]};
}

/* Placements that are turns but for some digits: just after the start, and before the end. */
TEST(screws_deviate_from_their_ends_by_no_more_than_is_told)
{
    const double reach = 10;
    const sc_box box = {{-reach, -reach, -reach}, {reach, reach, reach}};
    for (int i = 0; i < 100; i++) {
        double end[2][16];
        for (int k = 0; k < 2; k++) {
            ask_placement(end[k], 5);
            for (int j = 0; j < 12 && i % 3 > 0; j++) {
                end[k][j] += j % 4 < 3 ? test_uniform(-1e-7, 1e-7) : 0;
            }
        }
        const sc_screw s = sc_screw_between(end[0], end[1]);
        for (int k = 0; k < 20; k++) {
            const sc_vec3 p = ask_point(&box);
            double at[16];
            sc_screw_at(&s, k % 2 ? 1 - 0x1p-53 : 0x1p-1000, at);
            const double off = sc_length(sc_sub(placed(at, p), placed(end[k % 2], p)));
            CHECK(off <= sc_screw_deviation(&s, reach) + 1e-13, "%d: off by %g, not %g", i, off,
                  sc_screw_deviation(&s, reach));
        }
    }
}
