/* test_health_shells.c - shells: how many, which way round they are read, and which share
 * walls. */
#include "judged.h"
#include "model.h"
#include "test.h"

#include <math.h>
#include <string.h>

/* Winding number around the middle of a unit cell, facets turned as h says: a ray along
 * x, a little off the middle so that it meets no edge of a rectangle's diagonal. */
static int brute_winding(const stl_image *image, const sc_health *h, const int cell[3])
{
    double y = cell[1] + 0.61803, z = cell[2] + 0.41421;
    int winding = 0;

    for (size_t i = 0; i < image_facets(image); i++) {
        shape_facet f = image_get(image, i);
        double area = 0, side[3];
        int inside = 0;
        for (int k = 0; k < 3; k++) {
            const float *u = f.corner[k], *w = f.corner[(k + 1) % 3];
            side[k] = ((double)w[1] - (double)u[1]) * (z - (double)u[2]) -
                      ((double)w[2] - (double)u[2]) * (y - (double)u[1]);
            area += side[k];
        }
        for (int k = 0; k < 3; k++) {
            inside += side[k] * area > 0;
        }
        if (inside == 3 && (double)f.corner[0][0] > cell[0] + 0.5) { /* facets across x */
            winding += (area > 0 ? 1 : -1) * turned(h, i);
        }
    }
    return winding;
}

static model scratch_model;

TEST(health_of_voxels)
{
    model *m = &scratch_model;
    int rounds = test_rounds(300), cavities = 0;

    for (int round = 0; round < rounds; round++) {
        bool cells[MODEL_GRID][MODEL_GRID][MODEL_GRID];
        m->count = 0;
        int count = add_voxels(m, cells, test_uniform(0.3, 0.95));
        bool inverted = round % 2;
        for (int i = 0; i < m->count && inverted; i++) {
            flip_triangle(m, i);
        }
        shuffle_model(m);
        stl_image image = image_of_model(m);
        judged j;
        judge(&j, &image, round % 3 == 0);
        CHECK(j.health.closed == (count > 0), "round %d: %d cells, open", round, count);
        CHECK(count == 0 || ((j.health.orientation != NULL) == inverted &&
                             (warned(&j.health, "inverted_shells", NULL) > 0) == inverted),
              "round %d: turned %d", round, j.health.orientation != NULL);
        CHECK(fabs(j.health.volume - count) <= 1e-12 * count, "round %d: volume %.17g of %d", round,
              j.health.volume, count);
        CHECK(j.health.simple_windings, "round %d: windings", round);
        for (int i = 0; i < MODEL_GRID * MODEL_GRID * MODEL_GRID && round < 300; i++) {
            int cell[3] = {i / (MODEL_GRID * MODEL_GRID), i / MODEL_GRID % MODEL_GRID,
                           i % MODEL_GRID};
            int winding = brute_winding(&image, &j.health, cell);
            CHECK(winding == cells[cell[0]][cell[1]][cell[2]], "round %d, cell %d: %d", round, i,
                  winding);
        }
        cavities += !cells[2][2][2] && cells[1][2][2] && cells[3][2][2] && cells[2][1][2] &&
                    cells[2][3][2] && cells[2][2][1] && cells[2][2][3];
        judged_free(&j);
        image_free(&image);
    }
    CHECK(cavities > 0 || TEST_DIVISOR > 1, "no cavities in %d rounds", rounds);
}

/* What the rules make of boxes, each given by its corners and whether it is reversed. */
typedef struct shell_case {
    const char *name;
    struct {
        int low[3], high[3];
        bool reversed;
    } box[4];
    int boxes;
    int turned[4]; /* 1 where facets are to be read the other way round */
    double volume;
    int inverted, outward;
    uint64_t components;
    bool not_simple;
} shell_case;

TEST(health_of_shells)
{
    static const shell_case cases[] = {
        {"inverted", {{{0, 0, 0}, {8, 8, 8}, 1}}, 1, {1}, 512, 1, 0, 1, 0},
        {"small inverted outside",
         {{{0, 0, 0}, {8, 8, 8}, 0}, {{20, 0, 0}, {22, 2, 2}, 1}},
         2,
         {0, 1},
         520,
         1,
         0,
         2,
         0},
        {"cavity",
         {{{0, 0, 0}, {8, 8, 8}, 0}, {{2, 2, 2}, {4, 4, 4}, 1}},
         2,
         {0, 0},
         504,
         0,
         0,
         2,
         0},
        {"cavity inverted with its body",
         {{{0, 0, 0}, {8, 8, 8}, 1}, {{2, 2, 2}, {4, 4, 4}, 0}},
         2,
         {1, 1},
         504,
         1,
         0,
         2,
         0},
        {"nested outward",
         {{{0, 0, 0}, {8, 8, 8}, 0}, {{2, 2, 2}, {4, 4, 4}, 0}},
         2,
         {0, 0},
         520,
         0,
         1,
         2,
         0},
        {"all inverted, nested outward",
         {{{0, 0, 0}, {8, 8, 8}, 1}, {{2, 2, 2}, {4, 4, 4}, 1}},
         2,
         {1, 1},
         520,
         1,
         1,
         2,
         0},
        {"loose part in a cavity",
         {{{0, 0, 0}, {8, 8, 8}, 0}, {{1, 1, 1}, {7, 7, 7}, 1}, {{3, 3, 3}, {5, 5, 5}, 0}},
         3,
         {0, 0, 0},
         512 - 216 + 8,
         0,
         0,
         3,
         0},
        {"inverted part in a cavity",
         {{{0, 0, 0}, {8, 8, 8}, 0}, {{1, 1, 1}, {7, 7, 7}, 1}, {{3, 3, 3}, {5, 5, 5}, 1}},
         3,
         {0, 0, 1},
         512 - 216 + 8,
         1,
         0,
         3,
         0},
        {"hollow inverted part in a cavity",
         {{{0, 0, 0}, {20, 20, 20}, 0},
          {{1, 1, 1}, {19, 19, 19}, 1},
          {{3, 3, 3}, {9, 9, 9}, 1},
          {{4, 4, 4}, {6, 6, 6}, 0}},
         4,
         {0, 0, 1, 1},
         8000 - 5832 + 216 - 8,
         1,
         0,
         4,
         0},
        {"two inverted",
         {{{0, 0, 0}, {8, 8, 8}, 1}, {{20, 0, 0}, {28, 8, 8}, 1}},
         2,
         {1, 1},
         1024,
         2,
         0,
         2,
         0},
        {"touching in a corner, one inverted",
         {{{0, 0, 0}, {8, 8, 8}, 0}, {{8, 8, 8}, {10, 10, 10}, 1}},
         2,
         {0, 1},
         520,
         1,
         0,
         1,
         0},
        {"touching in an edge, one inverted",
         {{{0, 0, 0}, {8, 8, 8}, 0}, {{8, 8, 0}, {10, 10, 8}, 1}},
         2,
         {0, 1},
         544,
         1,
         0,
         1,
         0},
        {"cavity that touches a wall",
         {{{0, 0, 0}, {8, 8, 8}, 0}, {{0, 2, 2}, {4, 4, 4}, 1}},
         2,
         {0, 0},
         496,
         0,
         0,
         2,
         0},
        {"body on a body, one inverted",
         {{{0, 0, 0}, {8, 8, 8}, 0}, {{8, 2, 2}, {9, 4, 4}, 1}},
         2,
         {0, 1},
         516,
         1,
         0,
         2,
         0},
        {"overlapping",
         {{{0, 0, 0}, {8, 8, 8}, 0}, {{6, 6, 6}, {10, 10, 10}, 0}},
         2,
         {0, 0},
         576,
         0,
         0,
         2,
         0},
        {"overlapping, one inverted",
         {{{0, 0, 0}, {8, 8, 8}, 0}, {{7, 7, 7}, {13, 13, 13}, 1}},
         2,
         {0, 1},
         512 + 216,
         1,
         0,
         2,
         0},
        {"cavity through a wall",
         {{{0, 0, 0}, {8, 8, 8}, 0}, {{-1, 2, 2}, {7, 4, 4}, 1}},
         2,
         {0, 0},
         512 - 32,
         0,
         0,
         2,
         1},
    };
    model *m = &scratch_model;

    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        const shell_case *k = &cases[c];
        for (int round = 0; round < 12; round++) {
            bool full = round % 2;
            int cuts = round % 4 < 2 ? 0 : 3; /* those of 3 have T-junctions */
            int owner[MODEL_MOST], from = 0;
            m->count = 0;
            for (int b = 0; b < k->boxes; b++) {
                add_box(m, k->box[b].low, k->box[b].high, cuts, k->box[b].reversed);
                for (; from < m->count; from++) {
                    owner[from] = b;
                }
            }
            /* facets in another order, but owners known */
            for (int i = m->count - 1; i > 0 && round > 3; i--) {
                int j = test_below(i + 1), keep[3][3], o = owner[i];
                memcpy(keep, m->v[i], sizeof keep);
                memcpy(m->v[i], m->v[j], sizeof keep);
                memcpy(m->v[j], keep, sizeof keep);
                owner[i] = owner[j];
                owner[j] = o;
            }
            if (cuts > 0 && (strstr(k->name, "in an edge") || strstr(k->name, "one inverted"))) {
                continue; /* T-junctions on common lines may make them one shell */
            }
            stl_image image = image_of_model(m);
            judged j;
            judge(&j, &image, full);
            const sc_health *h = &j.health;
            CHECK(h->closed && h->simple_windings == !k->not_simple, "%s: closed %d, simple %d",
                  k->name, h->closed, h->simple_windings);
            CHECK(fabs(h->volume - k->volume) <= 1e-12 * k->volume, "%s: volume %.17g", k->name,
                  h->volume);
            for (int i = 0; i < m->count; i++) {
                CHECK(turned(h, (size_t)i) == (k->turned[owner[i]] ? -1 : 1), "%s: facet %d %d",
                      k->name, i, turned(h, (size_t)i));
            }
            uint64_t first = 0, lowest = UINT64_MAX;
            CHECK(warned(h, "inverted_shells", &first) == (uint64_t)k->inverted, "%s: inverted",
                  k->name);
            for (int i = m->count - 1; i >= 0; i--) {
                lowest = k->turned[owner[i]] ? (uint64_t)i : lowest;
            }
            CHECK(k->inverted == 0 || first >= lowest, "%s: first %llu", k->name,
                  (unsigned long long)first);
            CHECK(!full || warned(h, "nested_outward_shells", NULL) == (uint64_t)k->outward,
                  "%s: outward", k->name);
            CHECK(!full || cuts > 0 || h->components == k->components, "%s: %llu components",
                  k->name, (unsigned long long)h->components);
            judged_free(&j);
            image_free(&image);
        }
    }
}

TEST(health_of_many_shells)
{
    /* Little boxes in cavities of boxes; every third one inside out. */
    stl_image image = make_facets(NULL, 0);
    double volume = 0;
    int inverted = 0;
    for (int i = 0; i < 60; i++) {
        int row = i / 10;
        double x = 10 * (i % 10), y = 10 * row;
        stl_image part = make_hollow_box((double[]){x, y, 0}, (double[]){x + 8, y + 8, 8}, 1);
        stl_image loose = make_box((double[]){x + 3, y + 3, 3}, (double[]){x + 5, y + 5, 5}, 1);
        image_join(&part, &loose);
        if (i % 3 == 0) {
            image_invert(&part); /* all of it, but only the outer shell is to blame */
            inverted++;
        }
        image_join(&image, &part);
        image_free(&part), image_free(&loose);
        volume += 512 - 216 + 8;
    }
    image_shuffle(&image);
    judged j;
    judge(&j, &image, true);
    CHECK(j.health.closed && j.health.simple_windings, "closed %d", j.health.closed);
    CHECK(fabs(j.health.volume - volume) < 1e-12 * volume, "volume %.17g", j.health.volume);
    CHECK_INT(j.health.components, 180);
    uint64_t found = warned(&j.health, "inverted_shells", NULL);
    CHECK(found == (uint64_t)inverted, "%llu inverted", (unsigned long long)found);
    judged_free(&j);
    image_free(&image);
}

/* Boxes in a row, each with a whole face in common with the next and every other one inside out: so
 * the wall between them is there twice, the same way round. */
TEST(health_of_boxes_with_walls_in_common)
{
    for (int i = 0; i < test_rounds(120); i++) {
        const uint32_t cells = 1 + (uint32_t)i % 5;
        const int count = 2 + i / 5 % 3, first = i / 15 % 2, axis = i % 3;
        stl_image row = make_facets(NULL, 0);
        uint64_t inverted = 0;
        for (int k = 0; k < count; k++) {
            double low[3] = {0, 0, 0}, high[3] = {1, 1, 1};
            low[axis] = k * (k + 1) / 2;
            high[axis] = (k + 1) * (k + 2) / 2;
            stl_image box = make_box(low, high, cells);
            if (k % 2 == first) {
                image_invert(&box);
                inverted++;
            }
            row = image_joined(row, box);
        }
        if (i % 2) {
            image_shuffle(&row);
            image_rotate_corners(&row);
        }
        for (int full = 0; full < 2; full++) {
            judged j;
            judge(&j, &row, full);
            CHECK(j.health.closed && fabs(j.health.volume - count * (count + 1) / 2) < 1e-9,
                  "round %d: volume %g", i, j.health.volume);
            CHECK_INT(warned(&j.health, "inverted_shells", NULL), inverted);
            judged_free(&j);
        }
        image_free(&row);
    }
}

/* A box with each facet both ways round, alone and beside a solid one. */
TEST(health_of_faces_seen_from_both_sides)
{
    for (int with_solid = 0; with_solid < 2; with_solid++) {
        for (int full = 0; full < 2; full++) {
            stl_image image = make_box((double[]){0, 0, 0}, (double[]){4, 4, 4}, 2);
            stl_image back = make_box((double[]){0, 0, 0}, (double[]){4, 4, 4}, 2);
            image_invert(&back);
            image_join(&image, &back);
            image_free(&back);
            if (with_solid) {
                stl_image solid = make_box((double[]){6, 0, 0}, (double[]){7, 1, 1}, 1);
                image_join(&image, &solid);
                image_free(&solid);
            }
            image_shuffle(&image);
            judged j;
            judge(&j, &image, full);
            CHECK(j.health.closed && j.health.volume == with_solid, "volume %.17g",
                  j.health.volume);
            CHECK_INT(warned(&j.health, "no_volume", NULL), with_solid ? 0 : 96);
            judged_free(&j);
            image_free(&image);
        }
    }
}

TEST(health_of_nothing_between_sheets)
{
    /* Two sheets back to back, and tetrahedra as high as one step of their floats. */
    const float sheet[2][9] = {{0, 0, 0, 1, 0, 0, 0, 1, 0}, {0, 0, 0, 0, 1, 0, 1, 0, 0}};
    stl_image image = make_facets(sheet[0], 2);
    judged j;
    judge(&j, &image, true);
    CHECK(j.health.closed && j.health.volume == 0 && !j.health.orientation, "sheets: volume %g",
          j.health.volume);
    CHECK_INT(warned(&j.health, "opposite_triangles", NULL), 1);
    CHECK_INT(warned(&j.health, "no_volume", NULL), 2);
    judged_free(&j);
    image_free(&image);
    for (int reversed = 0; reversed < 2; reversed++) {
        const float p[4][3] = {{4096.5f, 0.1f, 1000.3f},
                               {-5000.1f, 7000.7f, 1000.3f},
                               {-5100.3f, -6000.9f, 1000.3f},
                               {100.1f, 3, nextafterf(1000.3f, reversed ? 0 : 2000)}};
        static const int corners[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
        float flat[36];
        for (int k = 0; k < 36; k++) {
            flat[k] = p[corners[k / 9][k / 3 % 3]][k % 3];
        }
        image = make_facets(flat, 4);
        judge(&j, &image, reversed);
        CHECK(j.health.closed && j.health.volume > 0 && (j.health.orientation != NULL) == reversed,
              "flat tetrahedron: volume %g", j.health.volume);
        judged_free(&j);
        image_free(&image);
    }
}

/* Two boxes, down to the least floats. */
TEST(shells_of_any_size_are_read_the_right_way_round)
{
    static const double sizes[] = {0x1p-149, 0x1p-145, 0x1p-126, 0x1p-100, 1, 0x1p125};
    for (int i = 0; i < 12; i++) {
        const double size = sizes[i / 2];
        const bool inverted = i % 2;
        stl_image image = image_joined(make_box((double[]){-1, -1, -1}, (double[]){2, 1, 1}, 1),
                                       make_box((double[]){3, -1, -1}, (double[]){4, 1, 2}, 1));
        image_scale(&image, size);
        if (inverted) {
            image_invert(&image);
        }
        judged j;
        judge(&j, &image, false);
        CHECK((j.health.orientation != NULL) == inverted &&
                  (warned(&j.health, "inverted_shells", NULL) > 0) == inverted,
              "size %g: turned %d of %d", size, j.health.orientation != NULL, inverted);
        CHECK(fabs(j.health.volume / size / size / size - 18) <= 1e-12, "size %g: volume %g", size,
              j.health.volume);
        judged_free(&j);
        image_free(&image);
    }
}
