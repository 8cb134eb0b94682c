/* test_motion_seams.c - parts whose vertices move each by itself: those that are closed at
 * T-junctions, which the rounding of a pose must not open, and open ones, whose facets it must not
 * make cross. */
#include "ask.h"
#include "base/alloc.h"
#include "sweeps.h"
#include "test.h"

#include <math.h>
#include <string.h>

enum { MOST_FACETS = 16 };

typedef struct facets {
    int count;
    float corner[MOST_FACETS][3][3];
} facets;

static stlclash_mesh *mesh_of(const facets *f, const double way[3], stl_image *image)
{
    facets moved = *f;
    for (int i = 0; i < 9 * f->count; i++) {
        (&moved.corner[0][0][0])[i] += (float)way[i % 3];
    }
    *image = make_facets(&moved.corner[0][0][0], (size_t)f->count);
    return ask_mesh(image);
}

/* Each vertex of B goes to where it is in `end`, moved by `way` besides. */
static stlclash_sweep_result *sweep_paths(const facets *a, const facets *b, const facets *end,
                                          const double way[3], double tolerance)
{
    static const double rests[3] = {0, 0, 0};
    stl_image image[3];
    stlclash_mesh *mesh[3] = {mesh_of(a, rests, &image[0]), mesh_of(b, rests, &image[1]),
                              mesh_of(end, way, &image[2])};
    stlclash_options options = stlclash_options_default();
    stlclash_motion motion = {
        .kind = STLCLASH_VERTEX_PATHS, .moves = STLCLASH_B, .end = mesh[2], .tolerance = tolerance};
    stlclash_sweep_result *r = sweep(mesh[0], mesh[1], &options, &motion);
    for (int i = 0; i < 3; i++) {
        stlclash_mesh_free(mesh[i]);
        image_free(&image[i]);
    }
    return r;
}

static stlclash_status status_of(const facets *a, const facets *b, const facets *end,
                                 const double way[3], double tolerance)
{
    stlclash_sweep_result *r = sweep_paths(a, b, end, way, tolerance);
    stlclash_status status = r->status;
    stlclash_sweep_result_free(r);
    return status;
}

/* ---- T-junctions -------------------------------------------------------------- */

static const facets blunt = {4,
                             {{{2, 1.5f, 1.5f}, {2, 1, 2}, {1, 2, 1}},
                              {{2, 2, 1.5f}, {1, 2, 1}, {2, 1, 2}},
                              {{2, 1.5f, 1.5f}, {1, 2, 1}, {2, 2, 1.5f}},
                              {{2, 2, 1.5f}, {2, 1, 2}, {2, 1.5f, 1.5f}}}};
/* A tetrahedron with T-junctions at (2, 4, 5) and (2, 4.5, 5.5). */
static const facets seamed = {6,
                              {{{3, 4, 7}, {3, 5, 6}, {1, 4, 5}},
                               {{3, 5, 6}, {3, 4, 7}, {3, 4, 5}},
                               {{1, 4, 5}, {2, 4, 5}, {3, 4, 7}},
                               {{2, 4, 5}, {3, 4, 5}, {3, 4, 7}},
                               {{1, 4, 5}, {2, 4.5f, 5.5f}, {3, 4, 5}},
                               {{2, 4.5f, 5.5f}, {3, 5, 6}, {3, 4, 5}}}};
static const double past[3] = {-2, -8, -8};

/* It slides past a corner, which it touches with an edge that is divided there. */
TEST(parts_with_t_junctions_touch_on_the_way)
{
    stlclash_sweep_result *r = sweep_paths(&blunt, &seamed, &seamed, past, 0.001);
    CHECK_STRING(stlclash_status_text(r->status), "contact");
    CHECK(fabs(r->contact.time - 0.375) < 1e-3, "contact at %g", r->contact.time);
    stlclash_sweep_result_free(r);
}

/* One that leaves its edge opens the part: then nothing is told of an inside. */
TEST(t_junctions_that_leave_their_edges_open_a_part)
{
    facets end = seamed;
    for (int i = 4; i < 6; i++) {
        end.corner[i][i == 4 ? 1 : 0][0] += 0.0625f;
    }
    stlclash_status status = status_of(&blunt, &seamed, &end, past, 0.001);
    CHECK_STRING(stlclash_status_text(status), "undecided");
}

/* Each allocation fails once: there is no memory, or it does without. */
TEST(t_junctions_on_the_way_need_memory)
{
    const facets *const part[3] = {&blunt, &seamed, &seamed};
    stl_image image[3];
    stlclash_mesh *mesh[2];
    stlclash_code code = STLCLASH_OK;
    unsigned long n = 0;
    for (int i = 0; i < 2; i++) {
        mesh[i] = mesh_of(part[i], (double[]){0, 0, 0}, &image[i]);
    }
    stlclash_mesh *end = mesh_of(part[2], past, &image[2]);
    do {
        stlclash_motion motion = {
            .kind = STLCLASH_VERTEX_PATHS, .moves = STLCLASH_B, .end = end, .tolerance = 1.0};
        stlclash_sweep_result *result = NULL;
        stlclash_error error;
        stlclash_mesh_free(mesh[1]); /* what is known of its health */
        image_free(&image[1]);
        mesh[1] = mesh_of(part[1], (double[]){0, 0, 0}, &image[1]);
        sc_alloc_fail_at(++n);
        code = stlclash_sweep(mesh[0], mesh[1], NULL, &motion, &result, &error);
        sc_alloc_fail_at(0);
        CHECK(code == STLCLASH_OK || code == STLCLASH_E_MEMORY, "allocation %lu gives %s", n,
              stlclash_code_text(code));
        CHECK((code == STLCLASH_OK) == (result != NULL), "allocation %lu: result", n);
        CHECK(!result || result->status == STLCLASH_CONTACT, "allocation %lu: %s", n,
              stlclash_status_text(result->status));
        stlclash_sweep_result_free(result);
    } while (code != STLCLASH_OK && n < 10000);
    CHECK(n > 20, "only %lu allocations", n);
    for (int i = 0; i < 2; i++) {
        stlclash_mesh_free(mesh[i]);
    }
    stlclash_mesh_free(end);
    for (int i = 0; i < 3; i++) {
        image_free(&image[i]);
    }
}

/* ---- random solids --------------------------------------------------------------- */

static facets random_tetra(void)
{
    double v[4][3];
    facets f = {.count = 4};
    double volume = 0.0;
    while (!(volume > 0.0)) {
        double e[3][3];
        for (int i = 0; i < 12; i++) {
            v[i / 3][i % 3] = test_below(4);
        }
        for (int i = 0; i < 9; i++) {
            e[i / 3][i % 3] = v[1 + i / 3][i % 3] - v[0][i % 3];
        }
        volume = e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) +
                 e[0][1] * (e[1][2] * e[2][0] - e[1][0] * e[2][2]) +
                 e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
    }
    stl_image image = make_tetra(v);
    for (int i = 0; i < 4; i++) {
        shape_facet facet = image_get(&image, (size_t)i);
        memcpy(f.corner[i], facet.corner, sizeof f.corner[i]);
    }
    image_free(&image);
    return f;
}

/* Divides a facet at a point of one of its sides, and not what lies beyond that. */
static void divide(facets *f)
{
    const int i = test_below(f->count), k = test_below(3), next = (k + 1) % 3;
    const float share = 0.25f * (float)(1 + test_below(3));
    float(*half)[3] = f->corner[f->count++];
    memcpy(half, f->corner[i], sizeof f->corner[i]);
    for (int j = 0; j < 3; j++) {
        const float from = f->corner[i][k][j], to = f->corner[i][next][j];
        f->corner[i][next][j] = half[k][j] = from + share * (to - from);
    }
}

/* How far the point of B lies from the plane of its facet at that time. */
static double height(const facets *b, const double way[3], const stlclash_moment *m)
{
    double v[3][3], e[2][3], w[3], n[3];
    for (int i = 0; i < 9; i++) {
        v[i / 3][i % 3] =
            (double)b->corner[m->separation.triangle_b][i / 3][i % 3] + m->time * way[i % 3];
    }
    for (int j = 0; j < 3; j++) {
        e[0][j] = v[1][j] - v[0][j];
        e[1][j] = v[2][j] - v[0][j];
        w[j] = m->separation.point_b[j] - v[0][j];
    }
    for (int j = 0; j < 3; j++) {
        const int k = (j + 1) % 3, l = (j + 2) % 3;
        n[j] = e[0][k] * e[1][l] - e[0][l] * e[1][k];
    }
    return fabs(n[0] * w[0] + n[1] * w[1] + n[2] * w[2]) /
           sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
}

/* Against the same way as a straight one, which is decided exactly. */
TEST(parts_with_t_junctions_move_as_they_would_straight)
{
    for (int round = 0, rounds = test_rounds(120); round < rounds; round++) {
        const facets a = random_tetra();
        facets b = random_tetra();
        const int steps = 1 + test_below(7), meets = 1 + test_below(steps);
        const int on_a = test_below(4), on_b = test_below(4);
        double step[3], way[3], shift[3];
        for (int j = 0; j < 3; j++) { /* so that corners meet on the way */
            step[j] = test_below(7) - 3;
            way[j] = steps * step[j];
            shift[j] = (double)(a.corner[on_a][0][j] - b.corner[on_b][0][j]) - meets * step[j];
        }
        for (int i = 0; i < 9 * b.count; i++) {
            (&b.corner[0][0][0])[i] += (float)shift[i % 3];
        }
        for (int i = 1 + test_below(4); i > 0; i--) {
            divide(&b);
        }
        stl_image image[2] = {make_facets(&a.corner[0][0][0], (size_t)a.count),
                              make_facets(&b.corner[0][0][0], (size_t)b.count)};
        stlclash_options options = stlclash_options_default();
        const stlclash_status exactly = sweep_images(&image[0], &image[1], &options, way);
        stlclash_sweep_result *r = sweep_paths(&a, &b, &b, way, 0.02);
        CHECK(r->status == exactly, "round %d: %s, and straight %s", round,
              stlclash_status_text(r->status), stlclash_status_text(exactly));
        if (r->has_clash) {
            CHECK(r->clash.separation.triangle_b < (uint32_t)b.count &&
                      height(&b, way, &r->clash) < 1e-5,
                  "round %d: not on triangle %u", round, (unsigned)r->clash.separation.triangle_b);
        }
        stlclash_sweep_result_free(r);
        image_free(&image[0]);
        image_free(&image[1]);
    }
}

/* ---- open parts ---------------------------------------------------------------- */

/* Three facets of a tetrahedron that touch another one on the way, where rounding makes them cross
 * it; and three that do. */
TEST(open_parts_clash_where_more_than_rounding_makes_them_cross)
{
    static const facets solid = {4,
                                 {{{1, 3, 1}, {1, 1, 3}, {3, 0, 0}},
                                  {{0, 2, 0}, {3, 0, 0}, {1, 1, 3}},
                                  {{0, 2, 0}, {1, 3, 1}, {3, 0, 0}},
                                  {{0, 2, 0}, {1, 1, 3}, {1, 3, 1}}}};
    static const facets open = {3,
                                {{{-6, -2, -8}, {-7, -5, -9}, {-9, -3, -6}},
                                 {{-6, -4, -6}, {-6, -2, -8}, {-9, -3, -6}},
                                 {{-6, -4, -6}, {-7, -5, -9}, {-6, -2, -8}}}};
    static const double touches[3] = {7, 7, 7}, enters[3] = {8, 5.5, 8.5};
    stlclash_status status = status_of(&solid, &open, &open, touches, 0.02);
    CHECK_STRING(stlclash_status_text(status), "undecided");
    status = status_of(&solid, &open, &open, enters, 0.02);
    CHECK_STRING(stlclash_status_text(status), "clash");
}
