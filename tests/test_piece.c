/* test_piece.c - what is told to miss a piece does: pieces cut through their own corners, or next
 * to them, whose sides may be no longer than rounding and lead anywhere. */
#include "depth/piece.h"
#include "test.h"

#include <math.h>

static sc_vec3 somewhere(void)
{
    return (sc_vec3){test_uniform(-1.0, 1.0), test_uniform(-1.0, 1.0), test_uniform(-1.0, 1.0)};
}

/* Of its corners, at random; at times one of them. */
static sc_vec3 point_of(const sc_piece *p)
{
    sc_vec3 sum = {0.0, 0.0, 0.0};
    double all = 0.0;
    for (int i = 0; i < p->count; i++) {
        const double part = pow(test_uniform(0.0, 1.0), 8.0);
        sum = sc_mul_add(sum, part, p->corner[i]);
        all += part;
    }
    return test_below(4) ? sc_scale(sum, 1.0 / all) : p->corner[test_below(p->count)];
}

/* Of a triangle, cut by planes, most of them through a corner or next to it. */
static sc_piece piece_at_random(void)
{
    sc_piece p = {.corner = {somewhere(), somewhere(), somewhere()}, .count = 3};
    p.normal = sc_unit(sc_area_twice(p.corner));
    for (int i = 0; i < 12; i++) {
        sc_piece above, below;
        const double off = test_uniform(-3e-16, 3e-16);
        if (sc_piece_cut(&p, sc_unit(somewhere()), point_of(&p), off, &above, &below)) {
            p = above.count > below.count ? above : below;
        }
    }
    return p;
}

static bool has_hair(const sc_piece *p)
{
    bool has = false;
    for (int i = 0; i < p->count; i++) {
        const double side = sc_length(sc_sub(p->corner[i], p->corner[i ? i - 1 : p->count - 1]));
        has = has || (side > 0.0 && side < 1e-14);
    }
    return has;
}

TEST(facets_through_a_piece_do_not_miss_it)
{
    const double in_plane = 1e-12;
    int hair = 0, missed = 0;
    for (int i = 0; i < test_rounds(20000); i++) {
        const sc_piece p = piece_at_random();
        const sc_outline outline = sc_piece_outline(&p, in_plane);
        const sc_vec3 through[3] = {somewhere(), somewhere(), point_of(&p)};
        const sc_vec3 beside[3] = {somewhere(), somewhere(), somewhere()};
        sc_wall wall;
        CHECK(!sc_piece_misses_facet(&p, &outline, through, 2.0 * in_plane),
              "round %d: a facet through a piece of %d corners", i, p.count);
        CHECK(!sc_wall_make(through, in_plane, &wall) ||
                  !sc_piece_misses(&p, &outline, &wall, 2.0 * in_plane),
              "round %d: a wall through a piece of %d corners", i, p.count);
        missed += sc_piece_misses_facet(&p, &outline, beside, 2.0 * in_plane);
        hair += has_hair(&p);
    }
    CHECK(hair > test_rounds(20000) / 100, "only %d with hair", hair);
    CHECK(missed > test_rounds(20000) / 4, "only %d missed", missed);
}
