/* test_health_edges.c - which meshes are closed, however their edges are cut: against brute
 * force. */
#include "health/health_boundary.h"
#include "health/health_scan.h"
#include "judged.h"
#include "model.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- brute force ---------------------------------------------------------------- */

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
    static piece pieces[MODEL_MOST * 24];
    static int on[MODEL_MOST * 3][4];
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

/* ---- boundaries ----------------------------------------------------------------- */

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
        bool cells[MODEL_GRID][MODEL_GRID][MODEL_GRID];
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
        uint64_t first[2] = {UINT64_MAX, UINT64_MAX}, edges[2], mixed[2];
        for (int full = 0; full < 2; full++) {
            judged j;
            judge(&j, &image, full);
            CHECK(j.health.closed == (odd + even == 0), "round %d: closed %d, but %d and %d", round,
                  j.health.closed, odd, even);
            edges[full] = warned(&j.health, "open_edges", &first[full]);
            CHECK((edges[full] > 0) == (odd > 0), "round %d: %d open, %llu found", round, odd,
                  (unsigned long long)edges[full]);
            CHECK(edges[full] == 0 || first[full] < (uint64_t)m->count, "no first facet");
            vanishing += check_boundary(j.mesh, odd + even == 0);
            mixed[full] = warned(&j.health, "mixed_orientation", NULL);
            CHECK(odd > 0 || (mixed[full] > 0) == (even > 0), "round %d: %d mixed", round, even);
            open += !j.health.closed;
            judged_free(&j);
        }
        CHECK(edges[0] == edges[1] && first[0] == first[1] && mixed[0] == mixed[1],
              "round %d: what does not balance is not what all edges tell", round);
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
        bool cells[MODEL_GRID][MODEL_GRID][MODEL_GRID];
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
