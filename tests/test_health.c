/* test_health.c - closed or not, volume and warnings: of sound meshes, of one facet at fault,
 * of files from elsewhere; and without memory. */
#include "ask.h"
#include "base/alloc.h"
#include "health/health_boundary.h"
#include "health/health_volume.h"
#include "judged.h"
#include "model.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- sound meshes --------------------------------------------------------------- */

/* Both judgements agree in what they share; a sound mesh has no warnings at all. */
static void check_sound(const stl_image *image, double volume, uint64_t components,
                        const char *what)
{
    for (int full = 0; full < 2; full++) {
        judged j;
        judge(&j, image, full);
        const sc_health *h = &j.health;
        CHECK(h->closed && h->simple_windings && !h->orientation && h->warning_count == 0,
              "%s: closed %d, simple %d, turned %d, %s", what, h->closed, h->simple_windings,
              h->orientation != NULL, h->warning_count ? h->warnings[0].text : "no warnings");
        CHECK(fabs(h->volume - volume) <= 1e-12 * volume, "%s: volume %.17g, expected %.17g", what,
              h->volume, volume);
        CHECK_INT(h->components, full ? components : 0);
        judged_free(&j);
    }
}

TEST(health_of_shapes)
{
    const double zero[3] = {0, 0, 0}, one[3] = {1, 1, 1}, four[3] = {4, 4, 4};
    const double pi = 3.14159265358979323846;

    for (uint32_t cells = 1; cells < 8; cells++) {
        stl_image box = make_box(zero, four, cells);
        check_sound(&box, 64, 1, "box");
        image_move(&box, 1048576, -4194304, 16);
        check_sound(&box, 64, 1, "box far out");
        image_shuffle(&box);
        image_rotate_corners(&box);
        check_sound(&box, 64, 1, "shuffled box");
        image_free(&box);
    }
    stl_image prism = make_l_prism(2), hollow = make_hollow_box(zero, four, 1);
    stl_image unit = make_box(zero, one, 3);
    check_sound(&prism, 6, 1, "prism");
    check_sound(&hollow, 64 - 8, 2, "hollow box");
    image_move(&unit, 10, 0, 0);
    image_join(&hollow, &unit);
    image_shuffle(&hollow);
    check_sound(&hollow, 57, 3, "hollow box and another");
    stl_image turning = make_box(zero, one, 40);
    image_turn(&turning, 0.3, 0.7, 1.1);
    judged j;
    judge(&j, &turning, true);
    CHECK(j.health.closed && fabs(j.health.volume - 1) < 1e-6, "turned: %g", j.health.volume);
    judged_free(&j);
    image_free(&turning), image_free(&prism), image_free(&hollow), image_free(&unit);

    for (int k = 0; k < 4; k++) {
        stl_image image = k == 0   ? make_sphere(2, 20)
                          : k == 1 ? make_bumpy(2, 20)
                          : k == 2 ? make_torus(2, 0.5, 40, 20)
                                   : make_cylinder(1, 5, 100);
        static const double expected[4] = {32.0 / 3, 32.0 / 3, 1, 5};
        for (int turn = 0; turn < 3; turn++) {
            judge(&j, &image, turn == 0);
            double factor = k == 2 ? pi : 1, volume = j.health.volume;
            CHECK(j.health.closed && j.health.warning_count == 0 && j.health.simple_windings &&
                      !j.health.orientation,
                  "shape %d is judged unsound", k);
            CHECK(fabs(volume - expected[k] * pi * factor) < 0.07 * volume, "volume %g", volume);
            judged_free(&j);
            image_turn(&image, 0.1, 0.2, 0.3);
            image_shuffle(&image);
        }
        image_free(&image);
    }
    for (const char *const *name = shape_pair_names; *name; name++) {
        shape pair[2];
        if (shape_pair(*name, 3000, pair)) {
            for (int k = 0; k < 2; k++) {
                stl_image image = image_of(&pair[k]);
                judge(&j, &image, k == 0);
                CHECK(j.health.closed && j.health.warning_count == 0 && j.health.volume > 0,
                      "%s %d", *name, k);
                judged_free(&j);
                image_free(&image);
            }
        }
    }
}

TEST(health_under_scaling)
{
    stl_image image = make_bumpy(1, 12);
    judged j;
    judge(&j, &image, false);
    double volume = j.health.volume;
    judged_free(&j);
    for (int power = -60; power <= 60; power += 20) {
        stl_image scaled = make_bumpy(1, 12);
        image_scale(&scaled, ldexp(1, power));
        if (power % 40 == 0) {
            image_invert(&scaled);
        }
        judge(&j, &scaled, true);
        CHECK(j.health.closed && (j.health.orientation != NULL) == (power % 40 == 0),
              "scaled by 2^%d", power);
        CHECK(j.health.volume == ldexp(volume, 3 * power), "volume %g", j.health.volume);
        judged_free(&j);
        image_free(&scaled);
    }
    image_free(&image);
}

/* ---- facets at fault ------------------------------------------------------------ */

/* On each edge of a box a fin that uses it as one of its two facets does, which is told as well. */
TEST(health_names_the_first_facet_at_fault)
{
    stl_image box = make_box((double[]){0, 0, 0}, (double[]){1, 1, 1}, 1);
    for (int i = 0; i < 36; i++) {
        const shape_facet f = image_get(&box, (size_t)i / 3);
        shape_facet fin = {.corner = {{0}, {0}, {9, 8, 7}}};
        memcpy(fin.corner[0], f.corner[i % 3], sizeof fin.corner[0]);
        memcpy(fin.corner[1], f.corner[(i + 1) % 3], sizeof fin.corner[1]);
        stl_image part = image_joined(make_facets(&fin.corner[0][0], 1), make_facets(NULL, 0));
        stl_image both = {0};
        image_join(&both, &box);
        image_join(&both, &part);
        judged j;
        uint64_t first = 0;
        judge(&j, &both, i % 2);
        CHECK_INT(warned(&j.health, "open_edges", &first), 3);
        CHECK_INT(first, i / 3);
        judged_free(&j);
        image_free(&both);
        image_free(&part);
    }
    image_free(&box);
}

/* What comes first in the file bounds nothing. */
TEST(health_of_facets_without_area)
{
    static const float stray[18] = {5, 5, 5, 6, 6, 6, 7, 7, 7, 8, 8, 8, 8, 8, 8, 8, 8, 8};
    stl_image nothing = make_facets(stray, 2), image = make_facets(stray, 2);
    stl_image box = make_box((double[]){0, 0, 0}, (double[]){1, 1, 1}, 1);
    image_invert(&box);
    image_join(&image, &box);
    for (int full = 0; full < 2; full++) {
        judged j;
        uint64_t first = 0;
        judge(&j, &image, full);
        CHECK_INT(warned(&j.health, "inverted_shells", &first), 1);
        CHECK(first == 2 && !j.health.one_shell, "first %d", (int)first);
        judged_free(&j);
        judge(&j, &nothing, full);
        CHECK(!j.health.closed && !sc_boundary_vanishes(j.mesh), "closed");
        judged_free(&j);
    }
    image_free(&nothing);
    image_free(&image);
    image_free(&box);
}

/* Exact signs find no area in these; products of floats do, below the least normal one. */
TEST(facets_without_area_are_told_where_products_underflow)
{
    static const float stray[2][9] = {
        {0x1.c0a1d8p-68f, 0x1.21834p-72f, -0x1.9b629cp-68f, -0x1.712d3p-67f, 0x1.1d8adp-66f,
         0x1.4b4578p-68f, 0x1.2f5e1cp-65f, -0x1.cfd738p-66f, -0x1.9c495ap-66f},
        {-0x1.a92734p-68f, -0x1.fd144p-70f, 0x1.8fa088p-68f, 0x1.b3ee4ep-66f, 0x1.f7f042p-67f,
         -0x1.0c12a4p-66f, -0x1.af9eaap-66f, -0x1.942dcep-67f, 0x1.40b1ccp-66f}};
    stl_image around = cube(0x1p-60, 0x1p-58);
    for (int i = 0; i < 2; i++) {
        stl_image image = make_facets(stray[i], 1), within = cube(0x1.8p-60, 0x1.cp-60);
        image_join(&image, &within);
        stlclash_mesh *mesh = ask_mesh(&image);
        CHECK_INT(mesh->blocks.degenerate, 1);
        stlclash_mesh_free(mesh);
        stlclash_result *result = ask_images(&image, &around, NULL);
        CHECK_INT(result->status, STLCLASH_CLASH);
        CHECK(result->has_overlap && fabs(result->overlap.volume / 0x1p-186 - 1.0) < 1e-12,
              "overlap %d, volume %g", result->has_overlap, result->overlap.volume);
        stlclash_result_free(result);
        image_free(&image);
        image_free(&within);
    }
    image_free(&around);
}

TEST(health_of_thin_tetrahedra)
{
    /* Too thin for doubles next to their extent. */
    for (int round = 0; round < 100; round++) {
        float p[4][3], flat[36];
        static const int corners[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
        for (int k = 0; k < 12; k++) {
            p[k / 3][k % 3] = (float)test_uniform(-1e6, 1e6);
        }
        for (int k = 0; k < 4; k++) { /* in one plane, but for the smallest of floats */
            p[k][2] = k == 3 ? ldexpf(round % 4 < 2 ? 1 : -1, -149 + round) : 0;
        }
        double turn = ((double)p[1][0] - (double)p[0][0]) * ((double)p[2][1] - (double)p[0][1]) -
                      ((double)p[1][1] - (double)p[0][1]) * ((double)p[2][0] - (double)p[0][0]);
        bool reversed = (turn > 0) != (p[3][2] > 0);
        for (int k = 0; k < 36; k++) {
            flat[k] = p[corners[k / 9][k / 3 % 3]][(k + round) % 3];
        }
        stl_image image = make_facets(flat, 4);
        judged j;
        judge(&j, &image, round % 2);
        CHECK(j.health.closed && (j.health.orientation != NULL) == reversed, "round %d: turned %d",
              round, j.health.orientation != NULL);
        judged_free(&j);
        image_free(&image);
    }
}

TEST(health_of_the_empty_mesh)
{
    const float needle[9] = {0, 0, 0, 1, 1, 1, 3, 3, 3};
    for (size_t facets = 0; facets < 2; facets++) {
        stl_image image = make_facets(needle, facets);
        for (int full = 0; full < 2; full++) {
            judged j;
            judge(&j, &image, full);
            CHECK(!j.health.closed && j.health.warning_count == 0 && j.health.components == 0,
                  "closed %d", j.health.closed);
            judged_free(&j);
        }
        image_free(&image);
    }
}

/* ---- volume --------------------------------------------------------------------- */

TEST(exact_volume_signs)
{
    for (int round = 0; round < 20000; round++) {
        sc_volume_exact sum = {{0}};
        int64_t expected = 0;
        int scale = test_below(130) - 120, bits = 1 + test_below(18);
        for (int facet = test_below(6); facet >= 0; facet--) {
            int64_t v[9];
            float xyz[9];
            for (int k = 0; k < 9; k++) {
                v[k] = test_below(1 << bits) - (1 << bits) / 2;
                xyz[k] = ldexpf((float)v[k], scale);
            }
            expected += v[0] * (v[4] * v[8] - v[5] * v[7]) + v[1] * (v[5] * v[6] - v[3] * v[8]) +
                        v[2] * (v[3] * v[7] - v[4] * v[6]);
            sc_volume_exact_add(&sum, xyz);
        }
        CHECK_INT(sc_volume_exact_sign(&sum), (expected > 0) - (expected < 0));
    }
    /* The largest and the smallest products in one sum. */
    const float huge[9] = {3.4e38f, 0, 1, 0, -3.3e38f, 2, 5, 0, 3.2e38f};
    const float back[9] = {0, -3.3e38f, 2, 3.4e38f, 0, 1, 5, 0, 3.2e38f};
    const float tiny[9] = {0x1p-149f, 0, 0, 0, 0x1p-149f, 0, 0, 0, 0x1p-149f};
    const float gone[9] = {0, 0x1p-149f, 0, 0x1p-149f, 0, 0, 0, 0, 0x1p-149f};
    sc_volume_exact sum = {{0}};
    for (int k = 0; k < 1000; k++) {
        sc_volume_exact_add(&sum, huge);
        CHECK_INT(sc_volume_exact_sign(&sum), -1);
    }
    sc_volume_exact_add(&sum, tiny);
    for (int k = 0; k < 1000; k++) {
        sc_volume_exact_add(&sum, back);
    }
    CHECK_INT(sc_volume_exact_sign(&sum), 1);
    sc_volume_exact_add(&sum, gone);
    CHECK_INT(sc_volume_exact_sign(&sum), 0);
    sc_volume_exact_add(&sum, gone);
    CHECK_INT(sc_volume_exact_sign(&sum), -1);
}

/* ---- memory --------------------------------------------------------------------- */

static model scratch_model;

TEST(health_without_memory)
{
    model *m = &scratch_model;
    unsigned long total = 0;

    for (int kind = 0; kind < 4; kind++) {
        const int low[3] = {0, 0, 0}, high[3] = {8, 8, 8}, high2[3] = {3, 4, 5};
        const int low2[3] = {8, 8, 0}, high3[3] = {10, 10, 8};
        m->count = 0;
        add_box(m, low, high, kind == 1 ? 3 : 0, kind == 0); /* inside out, T-junctions */
        if (kind == 2) {
            add_box(m, low2, high3, 0, true); /* crowded edges */
        } else if (kind == 3) {
            add_box(m, (const int[]){2, 2, 2}, high2, 0, true);
            m->count--;
        }
        stl_image image = image_of_model(m);
        stlclash_mesh *mesh = ask_mesh(&image);
        stlclash_error error;
        for (int full = 0; full < 2; full++) {
            stlclash_code code;
            unsigned long n = 0;
            do {
                sc_health health;
                sc_alloc_fail_at(++n);
                code = sc_health_judge(mesh, full, &health, &error);
                CHECK(code == STLCLASH_OK || code == STLCLASH_E_MEMORY, "code %d", (int)code);
                sc_health_free(&health);
            } while (code != STLCLASH_OK && n < 1000);
            total += n;
        }
        sc_alloc_fail_at(0);
        stlclash_mesh_free(mesh);
        image_free(&image);
    }
    CHECK(total > 60, "only %lu allocations", total);
}

/* ---- files from elsewhere ------------------------------------------------------- */

TEST(health_of_odd_files)
{
    static const struct {
        const char *name;
        bool closed;
        double volume;
        const char *warning; /* of the whole judgement */
        uint64_t count, first;
    } files[] = {
        {"ok_cube", 1, 1, NULL, 0, 0},
        {"ok_wrong_normals", 1, 1, NULL, 0, 0},
        {"ok_inverted", 1, 1, "inverted_shells", 1, 0},
        {"warn_mixed_orientation", 0, 0, "mixed_orientation", 12, 0},
        {"bad_flt_max", 1, 0, NULL, 0, 0},
        {"ok_tiny_1e-30", 1, 1e-90, NULL, 0, 0},
        {"ok_denormal", 1, 0, NULL, 0, 0},
        {"ok_far_1e7", 1, 1, NULL, 0, 0},
        {"ok_far_1e6_small", 1, 0.3125 * 0.3125 * 0.3125, NULL, 0, 0},
        {"ok_minus_zero", 1, 1, NULL, 0, 0},
        {"warn_degenerate_points", 1, 1, NULL, 0, 0},
        {"warn_degenerate_needle", 1, 1, NULL, 0, 0},
        {"warn_degenerate_outside", 1, 1, NULL, 0, 0},
        {"warn_open_missing_tri", 0, 0, "open_edges", 3, 0},
        {"warn_duplicate_tri", 0, 0, "duplicate_triangles", 1, 12},
        {"warn_duplicate_all", 1, 2, "duplicate_triangles", 12, 12},
        {"warn_internal_wall", 0, 0, "open_edges", 4, 12},
        {"warn_two_overlapping_bodies", 1, 2, NULL, 0, 0},
        {"ok_two_bodies_edge", 1, 2, "non_manifold_edges", 1, 2},
        {"ok_hollow", 1, 26, NULL, 0, 0},
        {"ok_big_needles", 0, 0, "open_edges", 52, 0},
        {"ascii_two_solids", 1, 2, NULL, 0, 0},
        {"zero_triangles", 0, 0, NULL, 0, 0},
    };
    const char *folder = getenv("TRUTH");

    folder = folder ? folder : "../shared";
    if (access(folder, R_OK) != 0) {
        test_skip("set TRUTH to the folder of sample data");
        return;
    }
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char path[512];
        stlclash_error error = {STLCLASH_OK, ""};
        snprintf(path, sizeof path, "%s/data/odd-made/%s.stl", folder, files[i].name);
        for (int full = 0; full < 2; full++) {
            judged j;
            uint64_t first = 0;
            if (stlclash_mesh_read(path, &j.mesh, &error) != STLCLASH_OK) {
                CHECK(false, "%s: %s", path, error.text);
                break;
            }
            CHECK_INT(sc_health_judge(j.mesh, full, &j.health, &error), STLCLASH_OK);
            double expected = files[i].volume;
            CHECK_INT(j.health.closed, files[i].closed);
            CHECK(!j.health.closed || (expected == 0 && j.health.volume > 0) ||
                      fabs(j.health.volume - expected) <= 1e-6 * expected,
                  "%s: volume %g", path, j.health.volume);
            if (full && files[i].warning) {
                CHECK(warned(&j.health, files[i].warning, &first) == files[i].count &&
                          first == files[i].first,
                      "%s: %s at %llu", path, files[i].warning, (unsigned long long)first);
            } else if (full) {
                CHECK(j.health.warning_count == 0, "%s: %s", path, j.health.texts[0]);
            }
            judged_free(&j);
        }
    }
}
