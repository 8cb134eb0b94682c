/* test_health_truth.c - all that is told of a mesh against the truth by definition: facets on a few
 * places at random, sums of tetrahedra and voxels, whole and damaged. */
#include "ask.h"
#include "health/health_boundary.h"
#include "judged.h"
#include "oracle_health.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static model scratch_model, other_model;
static oracle_health scratch_truth, other_truth;

/* ---- meshes --------------------------------------------------------------------- */

static void random_place(const int grid[3], int v[3])
{
    for (int k = 0; k < 3; k++) {
        v[k] = test_below(grid[k]) - grid[k] / 2;
    }
}

static void random_grid(int grid[3])
{
    for (int k = 0; k < 3; k++) {
        grid[k] = 2 + test_below(3);
    }
}

/* So few places that facets repeat, have no area, and lie in each other's planes all the time. */
static void make_soup_model(model *m)
{
    int grid[3], v[3][3];
    random_grid(grid);
    for (int count = test_below(20); count > 0; count--) {
        for (int k = 0; k < 3; k++) {
            random_place(grid, v[k]);
        }
        add_triangle(m, v[0], v[1], v[2]);
    }
}

/* Closed, as each of them is; some are flat, and inside out. */
static void make_tetrahedra_model(model *m)
{
    static const int corner[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    int grid[3], v[4][3];
    random_grid(grid);
    for (int count = 1 + test_below(5); count > 0; count--) {
        for (int k = 0; k < 4; k++) {
            random_place(grid, v[k]);
        }
        for (int k = 0; k < 4; k++) {
            add_triangle(m, v[corner[k][0]], v[corner[k][1]], v[corner[k][2]]);
        }
    }
}

static void remove_triangle(model *m, int i)
{
    memmove(m->v[i], m->v[--m->count], sizeof m->v[i]);
}

/* Some pairs of facets that are one the other way round: what is closed stays closed. */
static void remove_opposites(model *m)
{
    for (int i = m->count - 1; i > 0; i--) {
        for (int j = i - 1; j >= 0; j--) {
            if (oracle_way_round(m, i, j) < 0 && test_below(2)) {
                remove_triangle(m, i--);
                remove_triangle(m, j);
                break;
            }
        }
    }
}

/* Cells of size 2, so that their edges can be split. */
static void make_voxels_model(model *m, double density)
{
    bool cells[MODEL_GRID][MODEL_GRID][MODEL_GRID];
    add_voxels(m, cells, density);
    for (int i = 0; i < 9 * m->count; i++) {
        m->v[i / 9][i / 3 % 3][i % 3] *= 2;
    }
}

/* Two facets for one, parted at a place on its side, if there is one: what is closed stays so. */
static void split_triangle(model *m, int i)
{
    const int k = test_below(3);
    int corner[3][3], middle[3];
    for (int j = 0; j < 3; j++) {
        memcpy(corner[j], m->v[i][(k + j) % 3], sizeof corner[j]);
    }
    for (int j = 0; j < 3; j++) {
        int sum = corner[0][j] + corner[1][j];
        if (sum % 2 != 0) {
            return;
        }
        middle[j] = sum / 2;
    }
    remove_triangle(m, i);
    add_triangle(m, corner[0], middle, corner[2]);
    add_triangle(m, middle, corner[1], corner[2]);
}

/* From one corner to another and back, through a third place. */
static void add_flat_triangle(model *m)
{
    const int *a = m->v[test_below(m->count)][0], *b = m->v[test_below(m->count)][1];
    int ends[2][3], between[3];
    memcpy(ends[0], a, sizeof ends[0]);
    memcpy(ends[1], b, sizeof ends[1]);
    for (int k = 0; k < 3; k++) {
        between[k] = test_below(2) ? a[k] : 2 * a[k] - b[k];
    }
    add_triangle(m, ends[0], test_below(2) ? ends[0] : between, ends[1]);
}

static void damage(model *m)
{
    const int i = test_below(m->count);
    switch (test_below(5)) {
    case 0: remove_triangle(m, i); break;
    case 1: flip_triangle(m, i); break;
    case 2: memcpy(m->v[m->count++], m->v[i], sizeof m->v[i]); break;
    case 3: add_flat_triangle(m); break;
    default: m->v[i][test_below(3)][test_below(3)] += 1; break;
    }
}

/* ---- what is told ---------------------------------------------------------------- */

/* What came up, so that no case stays untried. */
typedef struct seen {
    int closed, open, mixed, joined, crowded, flat, same, opposite, turned, empty, several, parted;
} seen;

static void note_seen(seen *s, const oracle_health *o)
{
    s->closed += o->closed;
    s->open += o->open.count > 0;
    s->mixed += o->mixed.count > 0;
    s->joined += o->joined.count > 0;
    s->crowded += o->crowded.count > 0;
    s->flat += o->flat.count > 0;
    s->same += o->same.count > 0;
    s->opposite += o->opposite.count > 0;
    s->empty += o->components == 0;
    s->several += o->components > 1;
    s->parted += o->closed && o->joined.count > 0 && o->components > 1;
}

/* Each facet lies back to back with another one. */
static bool cancels_out(const model *m, const oracle_health *o)
{
    for (int i = 0; i < m->count; i++) {
        int sum = 0;
        for (int j = 0; j < m->count; j++) {
            sum += oracle_way_round(m, i, j);
        }
        if (sum != 0 && o->component[i] >= 0) {
            return false;
        }
    }
    return true;
}

static void check_no_volume(const model *m, const oracle_health *o, const sc_health *h,
                            int64_t sixfold, int round)
{
    oracle_count all = {0, 0};
    for (int i = m->count - 1; i >= 0; i--) {
        if (o->component[i] >= 0) {
            all = (oracle_count){all.count + 1, i};
        }
    }
    const bool told = warned(h, "no_volume", NULL) > 0;
    check_warned(h, "no_volume", told ? all.count : 0, all.first, round);
    CHECK(told ? sixfold == 0 : !cancels_out(m, o), "round %d: volume %lld / 6, told %d", round,
          (long long)sixfold, told);
}

/* Of one piece with two facets at each edge no more need be known than its volume. */
static void check_simple(const oracle_health *o, const sc_health *h, int64_t sixfold, int round)
{
    const bool one = o->pieces == 1 && o->crowded.count == 0 && o->balanced;
    CHECK(!one || h->one_shell == (o->flat.count == 0), "round %d: one shell %d", round,
          h->one_shell);
    CHECK(!one || (h->orientation != NULL) == (sixfold < 0), "round %d: turned %d", round,
          h->orientation != NULL);
    CHECK(!h->one_shell || o->joined.count > 0 || (o->pieces == 1 && o->flat.count == 0),
          "round %d: one shell of %d pieces", round, o->pieces);
}

/* Read the way it is told to be, the mesh is closed as it was, and has the volume told, of which
 * `unit` is 1. */
static void check_turned(const model *m, const oracle_health *o, const sc_health *h, double unit,
                         int round)
{
    int64_t stored = 0, sixfold = 0, most = 0;
    for (int i = 0; i < m->count; i++) {
        stored += o->sixfold[i];
        most += llabs(o->sixfold[i]);
        sixfold += turned(h, (size_t)i) * o->sixfold[i];
    }
    CHECK(fabs(6 * h->volume / unit - (double)sixfold) <= 1e-14 * (double)most,
          "round %d: volume %.17g, expected %lld / 6", round, h->volume, (long long)sixfold);
    if (h->orientation) {
        other_model = *m;
        for (int i = 0; i < m->count; i++) {
            if (turned(h, (size_t)i) < 0) {
                flip_triangle(&other_model, i);
            }
        }
        oracle_health_of(&other_model, &other_truth);
        CHECK(other_truth.closed, "round %d: open as it is read", round);
    }
    CHECK((h->orientation != NULL) == (warned(h, "inverted_shells", NULL) > 0),
          "round %d: turned %d", round, h->orientation != NULL);
    check_simple(o, h, stored, round);
    check_no_volume(m, o, h, stored, round);
}

/* Each component of a closed mesh is closed by itself. */
static void check_components(const model *m, const oracle_health *o, int round)
{
    for (int k = 0; k < o->components && o->components > 1; k++) {
        other_model.count = 0;
        for (int i = 0; i < m->count; i++) {
            if (o->component[i] == k) {
                add_triangle(&other_model, m->v[i][0], m->v[i][1], m->v[i][2]);
            }
        }
        oracle_health_of(&other_model, &other_truth);
        CHECK(other_truth.closed && other_truth.components == 1, "round %d: component %d is open",
              round, k);
    }
}

static void check_judged(const model *m, const oracle_health *o, const judged *j, bool full,
                         double unit, int round)
{
    const sc_health *h = &j->health;
    CHECK(h->closed == o->closed, "round %d: closed %d", round, h->closed);
    check_warned(h, "open_edges", o->open.count, o->open.first, round);
    check_warned(h, "mixed_orientation", o->mixed.count, o->mixed.first, round);
    check_warned(h, "t_junctions", full ? o->joined.count : 0, o->joined.first, round);
    check_warned(h, "non_manifold_edges", full ? o->crowded.count : 0, o->crowded.first, round);
    check_warned(h, "duplicate_triangles", full ? o->same.count : 0, o->same.first, round);
    check_warned(h, "opposite_triangles", full ? o->opposite.count : 0, o->opposite.first, round);
    CHECK(h->full == full && h->components == (full ? (uint64_t)o->components : 0),
          "round %d: %llu components, expected %d", round, (unsigned long long)h->components,
          o->components);
    CHECK(sc_boundary_vanishes(j->mesh) == (o->balanced && o->components > 0),
          "round %d: balanced %d", round, o->balanced);
    if (o->closed) {
        check_turned(m, o, h, unit, round);
        check_components(m, o, round);
    } else {
        CHECK(h->volume == 0 && !h->orientation, "round %d: open, volume %g", round, h->volume);
        check_warned(h, "inverted_shells", 0, 0, round);
        check_warned(h, "nested_outward_shells", 0, 0, round);
        check_warned(h, "no_volume", 0, 0, round);
    }
}

/* The same through the library, as a check of a pair tells it. */
static void check_told(const oracle_health *o, const judged *j, int round)
{
    stl_image beside = cube(1000, 1001);
    stlclash_mesh *other = ask_mesh(&beside);
    stlclash_options options = ask_usual();
    options.health = true;
    stlclash_result *result = ask_pair(j->mesh, other, &options);
    const stlclash_part_result *part = &result->part[0];
    const stlclash_mesh_info info = stlclash_mesh_get_info(j->mesh);
    const stlclash_warning *flat = NULL;

    for (size_t i = 0; i < info.warning_count; i++) {
        const stlclash_warning *warning = &info.warnings[i];
        flat = strcmp(warning->code, "degenerate_triangles") == 0 ? warning : flat;
    }
    CHECK(flat ? flat->count == (uint64_t)o->flat.count && flat->first == (uint64_t)o->flat.first
               : o->flat.count == 0,
          "round %d: %d facets are flat", round, o->flat.count);
    if (info.triangles > 0) {
        CHECK(part->has_health && part->closed == o->closed && part->has_volume == o->closed &&
                  part->volume == j->health.volume && part->has_components &&
                  part->components == (uint64_t)o->components &&
                  part->warning_count == j->health.warning_count,
              "round %d: closed %d, volume %g, %llu components", round, part->closed, part->volume,
              (unsigned long long)part->components);
    }
    stlclash_result_free(result);
    stlclash_mesh_free(other);
    image_free(&beside);
}

/* Now and then far out, or of another size; what is told stays as it is, but for the volume. */
static double place_image(stl_image *image)
{
    double size = 1;
    if (test_below(2)) {
        double shift[3];
        for (int k = 0; k < 3; k++) {
            shift[k] = 500000 * (test_below(5) - 2);
        }
        image_move(image, shift[0], shift[1], shift[2]);
    }
    if (test_below(2)) {
        size = ldexp(1, test_below(61) - 30);
        image_scale(image, size);
    }
    return size * size * size;
}

static void check_model(const model *m, seen *s, int round)
{
    oracle_health *o = &scratch_truth;
    stl_image image = image_of_model(m);
    const double unit = place_image(&image);

    oracle_health_of(m, o);
    note_seen(s, o);
    for (int full = 0; full < 2; full++) {
        judged j;
        judge(&j, &image, full);
        check_judged(m, o, &j, full, unit, round);
        s->turned += full && j.health.orientation != NULL;
        if (full) {
            check_told(o, &j, round);
        }
        judged_free(&j);
    }
    image_free(&image);
}

/* ---- soups and sums -------------------------------------------------------------- */

static void change(model *m, int round)
{
    if (round % 3 > 0 && m->count > 0) {
        for (int k = test_below(4); k > 0; k--) {
            split_triangle(m, test_below(m->count));
        }
    }
    if (round % 3 > 1) {
        for (int k = test_below(3); k > 0 && m->count > 0; k--) {
            damage(m);
        }
    }
    shuffle_model(m);
}

TEST(health_of_soups_is_the_truth)
{
    model *m = &scratch_model;
    seen s = {0};
    const int rounds = test_rounds(1000);

    for (int round = 0; round < rounds; round++) {
        m->count = 0;
        make_soup_model(m);
        change(m, round);
        check_model(m, &s, round);
    }
    CHECK((s.open > 0 && s.mixed > 0 && s.joined > 0 && s.crowded > 0 && s.flat > 0 && s.same > 0 &&
           s.opposite > 0 && s.empty > 0 && s.several > 0) ||
              TEST_DIVISOR > 1,
          "some kind never came up in %d rounds", rounds);
}

TEST(health_of_sums_of_tetrahedra_is_the_truth)
{
    model *m = &scratch_model;
    seen s = {0};
    const int rounds = test_rounds(1000);

    for (int round = 0; round < rounds; round++) {
        m->count = 0;
        make_tetrahedra_model(m);
        remove_opposites(m);
        change(m, round);
        check_model(m, &s, round);
    }
    CHECK((s.closed > rounds / 2 && s.open > 0 && s.mixed > 0 && s.joined > 0 && s.crowded > 0 &&
           s.flat > 0 && s.same > 0 && s.opposite > 0 && s.turned > 0 && s.parted > 0) ||
              TEST_DIVISOR > 1,
          "some kind never came up in %d rounds", rounds);
}

TEST(health_of_damaged_voxels_is_the_truth)
{
    model *m = &scratch_model;
    seen s = {0};
    const int rounds = test_rounds(30);

    for (int round = 0; round < rounds; round++) {
        m->count = 0;
        make_voxels_model(m, test_uniform(0.1, 0.4));
        change(m, round);
        check_model(m, &s, round);
    }
    CHECK((s.closed > 0 && s.open > 0 && s.joined > 0 && s.crowded > 0 && s.several > 0) ||
              TEST_DIVISOR > 1,
          "some kind never came up in %d rounds", rounds);
}
