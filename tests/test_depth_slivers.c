/* test_depth_slivers.c - the depth among slivers, of which thousands lie about one place: it is
 * found soon, and nothing of them is passed by. */
#include "ask.h"
#include "couple.h"
#include "mesh.h"
#include "solids/surface.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A solid of revolution about z: of the profile, corners (r, z) from the axis up to the axis. */
static stl_image make_lathe(const double (*profile)[2], int corners, int sides, double turn)
{
    static const int order[2][3] = {{0, 1, 3}, {0, 3, 2}};
    stl_image image = make_facets(NULL, 0);
    for (int k = 0; k + 1 < corners; k++) {
        for (int i = 0; i < sides; i++) {
            float p[4][3]; /* below and above, this way round and on */
            for (int j = 0; j < 4; j++) {
                const double *at = profile[k + j / 2];
                const double angle = turn + 2 * M_PI * ((i + j % 2) % sides) / sides;
                p[j][0] = (float)(at[0] * cos(angle));
                p[j][1] = (float)(at[0] * sin(angle));
                p[j][2] = (float)at[1];
            }
            for (int half = 0; half < 2; half++) {
                float corner[9];
                for (int c = 0; c < 9; c++) {
                    corner[c] = p[order[half][c / 3]][c % 3];
                }
                if (profile[k + half][0] > 0) {
                    stl_image facet = make_facets(corner, 1);
                    image_join(&image, &facet);
                    image_free(&facet);
                }
            }
        }
    }
    return image;
}

/* Complete, within a hundredth, after no more looks than that. */
static void check_soon(stl_image a, stl_image b, double expected, uint64_t looks, const char *what)
{
    couple c;
    couple_make(&c, &a, &b);
    c.budget = looks;
    sc_depth d = find(&c, 0.01, -1);
    CHECK(d.complete && d.bound <= 1.0101 * d.depth, "%s: %g .. %g deep", what, d.depth, d.bound);
    CHECK(d.depth <= expected * 1.002 && d.bound >= expected * 0.998, "%s: %g .. %g deep, not %g",
          what, d.depth, d.bound, expected);
    couple_free(&c);
    image_free(&a);
    image_free(&b);
}

/* The ends of two shafts, of thousands of slivers about the axis. */
TEST(ends_of_slivers_that_are_pushed_into_each_other)
{
    enum { SIDES = 3000 };
    static const double push[3] = {1e-3, 1e-2, 0.1};
    for (int i = 0; i < 6; i++) {
        const double h = push[i / 2], r = i % 3 ? 4 : 5;
        const double lower[4][2] = {{0, 0}, {5, 0}, {5, 10}, {0, 10}};
        const double upper[4][2] = {{0, 10 - h}, {r, 10 - h}, {r, 20}, {0, 20}};
        stl_image a = make_lathe(lower, 4, SIDES, 0), b = make_lathe(upper, 4, SIDES, 0.002);
        if (i % 2) {
            image_turn(&a, 0.3, 0.7, 1.1);
            image_turn(&b, 0.3, 0.7, 1.1);
        }
        check_soon(a, b, h, 25000, "ends");
    }
}

/* A cone in a pit, of as many slivers: cells as small as what they have in common is thick have
 * hundreds of them about the tip. */
TEST(a_cone_in_a_pit_of_slivers)
{
    enum { SIDES = 2000 };
    const double h = 0.02;
    const double pit[5][2] = {{0, -2}, {1.5, -2}, {1.5, 0}, {1, 0}, {0, -1}};
    const double cone[4][2] = {{0, -1 - h}, {1, -h}, {1, 1}, {0, 1}};
    check_soon(make_lathe(pit, 5, SIDES, 0), make_lathe(cone, 4, SIDES, 0.001), h, 450000, "cone");
}

/* A thin pipe on itself, a little aside, and a shaft in a hole that is too narrow: what they have
 * in common is as long as they are, askew in space, and much thinner than wide. */
TEST(long_walls_of_slivers_that_lie_askew)
{
    enum { SIDES = 600 };
    const double h = 0.02;
    const double pipe[5][2] = {{2.3, 0}, {2.54, 0}, {2.54, 60}, {2.3, 60}, {2.3, 0}};
    const double hole[5][2] = {{5, 0}, {8, 0}, {8, 20}, {5, 20}, {5, 0}};
    const double shaft[4][2] = {{0, -2}, {5 + h, -2}, {5 + h, 22}, {0, 22}};
    for (int i = 0; i < 2; i++) {
        stl_image a = make_lathe(i ? hole : pipe, 5, SIDES, 0);
        stl_image b = make_lathe(i ? shaft : pipe, i ? 4 : 5, SIDES, i ? 7e-4 : 0);
        image_turn(&a, 0.3, 0.7, 1.1);
        image_turn(&b, 0.3, 0.7, 1.1);
        image_move(&b, i ? 0 : 1e-3, i ? 0 : 2e-3, 0);
        check_soon(a, b, i ? h : 0.12, 300000, i ? "press fit" : "pipe");
    }
}

typedef struct seen {
    bool *facet;
    int count;
} seen;

static bool see(void *context, uint32_t facet, const sc_vec3 v[3])
{
    seen *s = context;
    (void)v;
    s->facet[facet] = true;
    s->count++;
    return true;
}

/* Whether a box with these arms holds a point, well within. */
static bool holds_well(const sc_walk *walk, sc_vec3 p)
{
    const sc_vec3 to = sc_sub(p, sc_box_centre(&walk->within));
    bool holds = sc_box_holds(&walk->within, p);
    for (int k = 0; k < 3; k++) {
        const double square = sc_dot(walk->arm[k], walk->arm[k]);
        holds = holds && fabs(sc_dot(to, walk->arm[k])) <= square * (1 - 1e-9);
    }
    return holds;
}

/* Of slivers that lie askew boxes are no guide: a walk comes to all that is in its own, and hardly
 * to anything else. */
TEST(walks_come_to_slivers_in_their_box)
{
    enum { SIDES = 2000 };
    const double cone[4][2] = {{0, -1}, {1, 0}, {0.9, 1}, {0, 1}};
    stl_image image = make_lathe(cone, 4, SIDES, 0);
    image_turn(&image, 0.3, 0.7, 1.1);
    couple c;
    couple_make(&c, &image, &image);
    const uint32_t facets = c.mesh[0]->file.facets.count;
    sc_surface surface = couple_surface(&c, 0);
    seen s = {.facet = malloc(facets)};
    int walks = 0, all = 0;
    for (; walks < test_rounds(200); walks++) {
        sc_vec3 v[3];
        sc_solid_facet(&c.solid[0], (uint32_t)test_below((int)facets), v);
        const double size = pow(10.0, test_uniform(-3, -0.5));
        const sc_vec3 on = sc_mul_add(v[0], test_uniform(0, 1), sc_sub(v[2], v[0]));
        const sc_vec3 at = some_step(on, size), axis = sc_unit(some_step((sc_vec3){0, 0, 0}, 1));
        sc_walk walk = {.within =
                            sc_box_grown(&(sc_box){{at.x, at.y, at.z}, {at.x, at.y, at.z}}, size),
                        .facet = see,
                        .context = &s};
        if (walks % 2) {
            const sc_vec3 side = sc_unit(sc_cross(axis, at)), third = sc_cross(axis, side);
            walk.arm[0] = sc_scale(axis, 0.5 * size);
            walk.arm[1] = sc_scale(side, 0.1 * size);
            walk.arm[2] = sc_scale(third, 0.4 * size);
        }
        memset(s.facet, 0, facets);
        s.count = 0;
        CHECK(sc_surface_walk(&surface, &walk), "no walk");
        all += s.count;
        for (uint32_t f = 0; f < facets; f++) {
            sc_solid_facet(&c.solid[0], f, v);
            for (int i = 0; i < 8 && !s.facet[f]; i++) {
                const sc_vec3 p =
                    sc_mul_add(sc_mul_add(v[0], test_uniform(0, 0.5), sc_sub(v[1], v[0])),
                               test_uniform(0, 0.5), sc_sub(v[2], v[0]));
                CHECK(!holds_well(&walk, p), "walk %d: facet %u is left out", walks, f);
            }
        }
    }
    CHECK(all > walks && (TEST_DIVISOR > 1 || all < 200 * walks), "%d facets in %d walks", all,
          walks);
    free(s.facet);
    couple_free(&c);
    image_free(&image);
}

static bool count_calls(void *context, double done)
{
    ++*(int *)context;
    return done >= 0;
}

/* The same of the whole check: each search begins where the last one was left. */
TEST(searches_go_on_where_they_were_left)
{
    enum { SIDES = 2000, MOST_CALLS = 300 };
    const double h = 0.02;
    const double pit[5][2] = {{0, -2}, {1.5, -2}, {1.5, 0}, {1, 0}, {0, -1}};
    const double cone[4][2] = {{0, -1 - h}, {1, -h}, {1, 1}, {0, 1}};
    stl_image a = make_lathe(pit, 5, SIDES, 0), b = make_lathe(cone, 4, SIDES, 0.001);
    stlclash_mesh *mesh[2] = {ask_mesh(&a), ask_mesh(&b)};
    stlclash_options options = stlclash_options_default();
    int calls = 0;
    options.progress = count_calls;
    options.progress_context = &calls;
    stlclash_result *r = ask_pair(mesh[0], mesh[1], &options);
    const stlclash_overlap *o = &r->overlap;
    CHECK(o->has_depth && o->depth_error <= 0.0101 * o->depth && o->depth <= h * 1.001 &&
              o->depth + o->depth_error >= h,
          "%g deep, by %g", o->depth, o->depth_error);
    CHECK(calls <= MOST_CALLS, "%d calls", calls);
    stlclash_result_free(r);
    for (int k = 0; k < 2; k++) {
        stlclash_mesh_free(mesh[k]);
    }
    image_free(&a);
    image_free(&b);
}
