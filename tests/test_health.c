/* test_health.c - closed or not, shells and their orientation, warnings, volume; against
 * brute force on meshes with small integer coordinates, where all arithmetic is exact. */
#include "ask.h"
#include "base/alloc.h"
#include "health/health.h"
#include "health/health_boundary.h"
#include "health/health_scan.h"
#include "health/health_volume.h"
#include "shapes.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- judging ------------------------------------------------------------------ */

typedef struct judged {
    stlclash_mesh *mesh;
    sc_health health;
} judged;

static void judge(judged *j, const stl_image *image, bool full)
{
    stlclash_error error = {STLCLASH_OK, ""};
    j->mesh = ask_mesh(image);
    CHECK_INT(sc_health_judge(j->mesh, full, &j->health, &error), STLCLASH_OK);
}

static void judged_free(judged *j)
{
    sc_health_free(&j->health);
    stlclash_mesh_free(j->mesh);
}

static uint64_t warned(const sc_health *h, const char *code, uint64_t *first)
{
    for (size_t i = 0; i < h->warning_count; i++) {
        if (strcmp(h->warnings[i].code, code) == 0) {
            if (first) {
                *first = h->warnings[i].first;
            }
            CHECK(h->warnings[i].count > 0 && strlen(h->warnings[i].text) > 20, "%s: \"%s\"", code,
                  h->warnings[i].text);
            return h->warnings[i].count;
        }
    }
    return 0;
}

static int turned(const sc_health *h, size_t facet)
{
    return h->orientation ? h->orientation[facet] : 1;
}

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

/* ---- meshes with integer coordinates -------------------------------------------- */

enum { MOST = 4096 };

typedef struct model {
    int v[MOST][3][3];
    int count;
} model;

static void add_triangle(model *m, const int a[3], const int b[3], const int c[3])
{
    if (m->count < MOST) {
        memcpy(m->v[m->count][0], a, sizeof m->v[0][0]);
        memcpy(m->v[m->count][1], b, sizeof m->v[0][0]);
        memcpy(m->v[m->count++][2], c, sizeof m->v[0][0]);
    }
}

/* A rectangle across `axis`, its normal along it (side 1) or against it (side 0). */
static void add_rectangle(model *m, int axis, int side, int at, const int low[2], const int high[2])
{
    int corner[4][3];
    for (int k = 0; k < 4; k++) {
        corner[k][axis] = at;
        corner[k][(axis + 1) % 3] = k == 1 || k == 2 ? high[0] : low[0];
        corner[k][(axis + 2) % 3] = k >= 2 ? high[1] : low[1];
    }
    int turn = test_below(2); /* either diagonal */
    const int *p[4];
    for (int k = 0; k < 4; k++) {
        p[k] = corner[((side ? k : 3 - k) + turn) % 4];
    }
    add_triangle(m, p[0], p[1], p[2]);
    add_triangle(m, p[0], p[2], p[3]);
}

/* Cut at random places, so that neighbours meet in T-junctions. */
static void add_cut_rectangle(model *m, int axis, int side, int at, const int low[2],
                              const int high[2], int cuts)
{
    int along = test_below(2);
    if (cuts == 0 || high[along] - low[along] < 2) {
        add_rectangle(m, axis, side, at, low, high);
        return;
    }
    int place = low[along] + 1 + test_below(high[along] - low[along] - 1);
    int middle_high[2] = {high[0], high[1]}, middle_low[2] = {low[0], low[1]};
    middle_high[along] = middle_low[along] = place;
    add_cut_rectangle(m, axis, side, at, low, middle_high, cuts - 1);
    add_cut_rectangle(m, axis, side, at, middle_low, high, cuts - 1);
}

static void add_box(model *m, const int low[3], const int high[3], int cuts, bool inverted)
{
    for (int face = 0; face < 6; face++) {
        int axis = face / 2, side = face % 2;
        int i = (axis + 1) % 3, j = (axis + 2) % 3;
        const int a[2] = {low[i], low[j]}, b[2] = {high[i], high[j]};
        add_cut_rectangle(m, axis, side != inverted, side ? high[axis] : low[axis], a, b, cuts);
    }
}

/* Facets and corners in any order, some zeros negative. */
static void shuffle_model(model *m)
{
    for (int i = m->count - 1; i > 0; i--) {
        int j = test_below(i + 1), keep[3][3];
        memcpy(keep, m->v[i], sizeof keep);
        memcpy(m->v[i], m->v[j], sizeof keep);
        memcpy(m->v[j], keep, sizeof keep);
    }
}

static void flip_triangle(model *m, int i)
{
    int keep[3];
    memcpy(keep, m->v[i][0], sizeof keep);
    memcpy(m->v[i][0], m->v[i][1], sizeof keep);
    memcpy(m->v[i][1], keep, sizeof keep);
}

static stl_image image_of_model(const model *m)
{
    float *corners = malloc(((size_t)m->count + 1) * 9 * sizeof corners[0]);
    for (int i = 0; i < m->count && corners; i++) {
        int first = test_below(3);
        for (int k = 0; k < 9; k++) {
            float x = (float)m->v[i][(first + k / 3) % 3][k % 3];
            corners[9 * i + k] = x == 0 && test_below(2) ? -0.0f : x;
        }
    }
    stl_image image = make_facets(corners, (size_t)m->count);
    free(corners);
    return image;
}

/* ---- brute force ------------------------------------------------------------------ */

static bool between(const int p[3], const int a[3], const int b[3])
{
    int u[3], v[3], dot = 0, length = 0;
    for (int k = 0; k < 3; k++) {
        u[k] = b[k] - a[k];
        v[k] = p[k] - a[k];
        dot += u[k] * v[k];
        length += u[k] * u[k];
    }
    return u[1] * v[2] == u[2] * v[1] && u[2] * v[0] == u[0] * v[2] && u[0] * v[1] == u[1] * v[0] &&
           dot > 0 && dot < length;
}

typedef struct piece {
    int end[2][3]; /* in order */
    int net, uses;
} piece;

static int by_ends(const void *a, const void *b)
{
    return memcmp(a, b, sizeof((const piece *)0)->end);
}

static int by_distance(const void *a, const void *b)
{
    const int *p = a, *q = b;
    return (p[3] > q[3]) - (p[3] < q[3]);
}

/* Every edge cut at every corner on it: pieces that odd and even numbers of facets
 * leave unbalanced. */
static void brute_boundary(const model *m, int *odd, int *even)
{
    static piece pieces[MOST * 24];
    static int on[MOST * 3][4];
    int count = 0;

    for (int i = 0; i < m->count; i++) {
        for (int k = 0; k < 3; k++) {
            const int *a = m->v[i][k], *b = m->v[i][(k + 1) % 3];
            int n = 0;
            for (int j = 0; j < 3 * m->count; j++) {
                const int *p = m->v[j / 3][j % 3];
                if (between(p, a, b)) {
                    int d = abs(p[0] - a[0]) + abs(p[1] - a[1]) + abs(p[2] - a[2]);
                    memcpy(on[n], p, 3 * sizeof p[0]);
                    on[n++][3] = d;
                }
            }
            qsort(on, (size_t)n, sizeof on[0], by_distance);
            const int *from = a;
            for (int j = 0; j <= n; j++) {
                const int *to = j < n ? on[j] : b;
                if (memcmp(from, to, 3 * sizeof from[0]) == 0) {
                    continue;
                }
                int order = memcmp(from, to, 3 * sizeof from[0]);
                piece *p = &pieces[count++];
                memcpy(p->end[0], order < 0 ? from : to, sizeof p->end[0]);
                memcpy(p->end[1], order < 0 ? to : from, sizeof p->end[0]);
                p->net = order < 0 ? 1 : -1;
                from = to;
            }
        }
    }
    qsort(pieces, (size_t)count, sizeof pieces[0], by_ends);
    *odd = *even = 0;
    for (int i = 0, j; i < count; i = j) {
        int net = 0;
        for (j = i; j < count && by_ends(&pieces[i], &pieces[j]) == 0; j++) {
            net += pieces[j].net;
        }
        *odd += net % 2 != 0;
        *even += net != 0 && net % 2 == 0;
    }
}

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

/* ---- sound meshes ------------------------------------------------------------------ */

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

/* ---- boundaries against brute force -------------------------------------------------- */

/* Cells of a grid, chosen at random: all kinds of crowded edges and corners. Returns
 * how many. */
enum { GRID = 5 };
static int add_voxels(model *m, bool full[GRID][GRID][GRID], double density)
{
    int count = 0;
    memset(full, 0, GRID * sizeof full[0]);
    for (int i = 0; i < 27; i++) {
        bool on = test_uniform(0, 1) < density;
        full[1 + i / 9][1 + i / 3 % 3][1 + i % 3] = on;
        count += on;
    }
    for (int i = 0; i < GRID * GRID * GRID; i++) {
        int cell[3] = {i / (GRID * GRID), i / GRID % GRID, i % GRID};
        if (!full[cell[0]][cell[1]][cell[2]]) {
            continue;
        }
        for (int face = 0; face < 6; face++) {
            int other[3] = {cell[0], cell[1], cell[2]}, axis = face / 2;
            other[axis] += face % 2 ? 1 : -1;
            if (!full[other[0]][other[1]][other[2]]) {
                int a = (axis + 1) % 3, b = (axis + 2) % 3;
                const int low[2] = {cell[a], cell[b]}, high[2] = {cell[a] + 1, cell[b] + 1};
                add_rectangle(m, axis, face % 2, cell[axis] + face % 2, low, high);
            }
        }
    }
    return count;
}

/* Duplicates, holes and facets the wrong way round. */
static void damage(model *m)
{
    for (int k = 1 + test_below(3); k > 0; k--) {
        int i = test_below(m->count);
        switch (test_below(3)) {
        case 0: memcpy(m->v[i], m->v[--m->count], sizeof m->v[i]); break;
        case 1: flip_triangle(m, i); break;
        default: memcpy(m->v[m->count++], m->v[i], sizeof m->v[i]);
        }
    }
}

/* Either pass tells the same, with facets without area and without; what vanishes is closed. */
static bool check_boundary(const stlclash_mesh *mesh, bool closed)
{
    sc_scan scan;
    bool vanishes = sc_boundary_vanishes(mesh);
    CHECK(sc_health_scan(mesh, false, &scan), "out of memory");
    CHECK(vanishes == (sc_scan_balanced(&scan) && scan.facets > 0), "the passes disagree");
    CHECK(!vanishes || closed, "the boundary of an open mesh vanishes");
    sc_scan_free(&scan);
    return vanishes;
}

static model scratch_model;

TEST(health_against_brute_force)
{
    model *m = &scratch_model;
    int rounds = test_rounds(400), open = 0, vanishing = 0;

    for (int round = 0; round < rounds; round++) {
        bool cells[GRID][GRID][GRID];
        m->count = 0;
        if (round % 2) {
            const int low[3] = {0, -3, 2}, high[3] = {6, 2, 9};
            add_box(m, low, high, test_below(4), false);
        } else if (add_voxels(m, cells, 0.5) == 0) {
            continue;
        }
        if (round % 4 >= 2) {
            damage(m);
        }
        shuffle_model(m);
        int odd, even;
        brute_boundary(m, &odd, &even);
        stl_image image = image_of_model(m);
        for (int full = 0; full < 2; full++) {
            judged j;
            judge(&j, &image, full);
            uint64_t first = UINT64_MAX;
            CHECK(j.health.closed == (odd + even == 0), "round %d: closed %d, but %d and %d", round,
                  j.health.closed, odd, even);
            uint64_t edges = warned(&j.health, "open_edges", &first);
            CHECK((edges > 0) == (odd > 0), "round %d: %d open, %llu found", round, odd,
                  (unsigned long long)edges);
            CHECK(edges == 0 || first < (uint64_t)m->count, "no first facet");
            vanishing += check_boundary(j.mesh, odd + even == 0);
            CHECK(odd > 0 || (warned(&j.health, "mixed_orientation", NULL) > 0) == (even > 0),
                  "round %d: %d mixed", round, even);
            open += !j.health.closed;
            judged_free(&j);
        }
        image_free(&image);
    }
    CHECK(open > rounds / 5, "only %d open meshes", open);
    CHECK(vanishing > rounds / 5, "only %d vanishing boundaries", vanishing);
}

TEST(health_counts_open_edges)
{
    /* Not cut by T-junctions, so that pieces are edges. */
    model *m = &scratch_model;
    for (int round = 0; round < 60; round++) {
        bool cells[GRID][GRID][GRID];
        m->count = 0;
        if (add_voxels(m, cells, 0.4) == 0) {
            continue;
        }
        damage(m);
        int odd, even;
        brute_boundary(m, &odd, &even);
        stl_image image = image_of_model(m);
        judged j;
        judge(&j, &image, round % 2);
        CHECK_INT(warned(&j.health, "open_edges", NULL), odd);
        CHECK_INT(warned(&j.health, "mixed_orientation", NULL), even);
        judged_free(&j);
        image_free(&image);
    }
}

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

/* ---- shells ------------------------------------------------------------------------- */

TEST(health_of_voxels)
{
    model *m = &scratch_model;
    int rounds = test_rounds(300), cavities = 0;

    for (int round = 0; round < rounds; round++) {
        bool cells[GRID][GRID][GRID];
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
        for (int i = 0; i < GRID * GRID * GRID && round < 300; i++) {
            int cell[3] = {i / (GRID * GRID), i / GRID % GRID, i % GRID};
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
            int owner[MOST], from = 0;
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
            if (cuts > 0 && strstr(k->name, "in an edge")) {
                continue; /* T-junctions on the common edge may make them one shell */
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

TEST(health_of_edges_nested_on_a_line)
{
    /* Sheets that stand on one line, each with one triangle in front and two behind. */
    model *m = &scratch_model;
    enum { SHEETS = 80 };
    m->count = 0;
    for (int i = 0; i < SHEETS; i++) {
        const int a[3] = {2 * i, 0, 0}, b[3] = {8 * SHEETS - 3 * i, 0, 0};
        const int top[3] = {4 * SHEETS, 10 + i, 1 + i % 7}, split[3] = {4 * SHEETS + i, 0, 0};
        add_triangle(m, a, b, top);
        add_triangle(m, split, a, top);
        add_triangle(m, b, split, top);
    }
    shuffle_model(m);
    for (int open = 0; open < 2; open++) {
        m->count -= open;
        stl_image image = image_of_model(m);
        for (int full = 0; full < 2; full++) {
            judged j;
            judge(&j, &image, full);
            CHECK(j.health.closed == !open && !j.health.orientation, "closed %d", j.health.closed);
            CHECK(fabs(j.health.volume) < 1e-3, "volume %g", j.health.volume);
            uint64_t cut = warned(&j.health, "t_junctions", NULL);
            CHECK(!full || open || cut == 3 * SHEETS, "%llu edges at T-junctions",
                  (unsigned long long)cut);
            judged_free(&j);
        }
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

/* ---- memory -------------------------------------------------------------------------- */

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

/* ---- files from elsewhere -------------------------------------------------------------- */

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
