/* test_overlap_mesh.c - the mesh of an overlap against the parts themselves: it winds around a
 * point as often as both parts together, also right behind and before each of its facets; what each
 * region has of it holds as much as the region. */
#include "ask.h"
#include "oracle_solid.h"
#include "solid_truth.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is asked of a mesh; of its sides, that nearly all are right. */
enum { CLOSED = 1, POINTS = 2, SIDES = 4, MOST_SIDES = 8 };
enum { ALL = CLOSED | POINTS | SIDES };

static void corners_of(const stlclash_overlap *o, size_t facet, double v[3][3])
{
    for (int k = 0; k < 3; k++) {
        memcpy(v[k], o->vertices[o->facets[facet][k]], sizeof v[k]);
    }
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
    }
}

static double determinant(double v[3][3])
{
    double normal[3];
    cross(v[1], v[2], normal);
    return dot(v[0], normal);
}

/* As oracle_winding, of the mesh. */
static double winding(const stlclash_overlap *o, const double p[3])
{
    double sum = 0.0;
    for (size_t i = 0; i < o->facet_count; i++) {
        double v[3][3], length[3];
        corners_of(o, i, v);
        for (int k = 0; k < 3; k++) {
            for (int c = 0; c < 3; c++) {
                v[k][c] -= p[c];
            }
            length[k] = sqrt(dot(v[k], v[k]));
        }
        sum +=
            atan2(determinant(v), length[0] * length[1] * length[2] + dot(v[0], v[1]) * length[2] +
                                      dot(v[1], v[2]) * length[0] + dot(v[2], v[0]) * length[1]);
    }
    return sum / (2.0 * M_PI);
}

/* How often both parts cover a point together. */
static double both(const stl_image *a, const stl_image *b, const double p[3])
{
    return round(oracle_winding(a, p)) * round(oracle_winding(b, p));
}

/* ---- what must hold ------------------------------------------------------------- */

typedef struct edge {
    uint32_t low, high;
    int times;
} edge;

static int by_ends(const void *x, const void *y)
{
    const edge *a = x, *b = y;
    return a->low != b->low ? (a->low < b->low ? -1 : 1)
                            : (a->high > b->high) - (a->high < b->high);
}

/* Edges that are not used as often one way as the other. */
static size_t open_edges(const stlclash_overlap *o)
{
    edge *edges = malloc((3 * o->facet_count + 1) * sizeof *edges);
    size_t open = 0, count = 3 * o->facet_count;

    for (size_t i = 0; i < count; i++) {
        const uint32_t *f = o->facets[i / 3], from = f[i % 3], to = f[(i + 1) % 3];
        edges[i] = from < to ? (edge){from, to, 1} : (edge){to, from, -1};
    }
    qsort(edges, count, sizeof *edges, by_ends);
    for (size_t i = 0; i < count;) {
        int times = 0;
        for (const edge first = edges[i]; i < count && by_ends(&edges[i], &first) == 0; i++) {
            times += edges[i].times;
        }
        open += times != 0;
    }
    free(edges);
    return open;
}

/* The facets of one region after the other, as much in each as it says. */
static void check_volumes(const stlclash_overlap *o, double extent, const char *what)
{
    size_t next = 0;
    for (size_t i = 0; i < o->region_count; i++) {
        const stlclash_region *region = &o->regions[i];
        double sum = 0.0;
        CHECK(region->first_facet == next && region->facet_count > 0,
              "%s: region %zu begins at %zu, not %zu", what, i, region->first_facet, next);
        next += region->facet_count;
        for (size_t k = region->first_facet; k < next && k < o->facet_count; k++) {
            double v[3][3];
            corners_of(o, k, v);
            for (int c = 0; c < 9; c++) {
                v[c / 3][c % 3] -= o->centroid[c % 3];
            }
            sum += determinant(v) / 6.0;
        }
        const double rounding = 1e-13 * extent * extent * extent;
        CHECK(fabs(sum - region->volume) <= 1e-12 * o->volume + o->volume_error + rounding,
              "%s: region %zu of %zu holds %.17g, its mesh %.17g", what, i, o->region_count,
              region->volume, sum);
    }
    CHECK(next == o->facet_count, "%s: %zu facets, %zu in regions", what, o->facet_count, next);
}

static void check_numbers(const stlclash_overlap *o, const char *what)
{
    uint8_t *used = calloc(o->vertex_count + 1, 1);
    size_t unused = 0;
    for (size_t i = 0; i < o->facet_count; i++) {
        const uint32_t *f = o->facets[i];
        CHECK(f[0] != f[1] && f[1] != f[2] && f[2] != f[0], "%s: facet %zu is an edge", what, i);
        for (int k = 0; k < 3; k++) {
            CHECK(f[k] < o->vertex_count, "%s: no vertex %u", what, (unsigned)f[k]);
            used[f[k] < o->vertex_count ? f[k] : 0] = 1;
        }
    }
    for (size_t i = 0; i < o->vertex_count; i++) {
        unused += !used[i];
    }
    CHECK(unused == 0, "%s: %zu vertices of no facet", what, unused);
    free(used);
}

/* The facets, but for slivers, that do not have more right behind them than before them. */
static size_t wrong_sides(const stlclash_overlap *o, const stl_image *a, const stl_image *b,
                          double extent)
{
    const double aside = 1e-7 * extent;
    size_t wrong = 0;
    for (size_t i = 0; i < o->facet_count; i++) {
        double v[3][3], u[3], w[3], normal[3], longest = 0.0, covered[2];
        corners_of(o, i, v);
        for (int c = 0; c < 3; c++) {
            u[c] = v[1][c] - v[0][c];
            w[c] = v[2][c] - v[0][c];
        }
        cross(u, w, normal);
        longest = sqrt(fmax(dot(u, u), dot(w, w)));
        const double area = sqrt(dot(normal, normal));
        if (area < 1e-4 * extent * longest) {
            continue;
        }
        for (int side = 0; side < 2; side++) {
            double p[3];
            for (int c = 0; c < 3; c++) {
                p[c] = (v[0][c] + v[1][c] + v[2][c]) / 3.0 +
                       (side ? 1.0 : -1.0) * aside * normal[c] / area;
            }
            covered[side] = both(a, b, p);
        }
        wrong += covered[0] <= covered[1];
    }
    return wrong;
}

static void check_points(const stlclash_overlap *o, const stl_image *a, const stl_image *b,
                         const char *what)
{
    for (int i = 0; i < 12; i++) {
        double p[3];
        for (int c = 0; c < 3; c++) {
            const double size = o->bounds[1][c] - o->bounds[0][c];
            p[c] = o->bounds[0][c] + size * test_uniform(-0.2, 1.2);
        }
        const double expected = both(a, b, p), got = winding(o, p);
        CHECK(fabs(got - expected) < 1e-3,
              "%s: the mesh winds %g times around a point that is %g "
              "times in both",
              what, got, expected);
    }
}

static bool same_meshes(const stlclash_overlap *x, const stlclash_overlap *y)
{
    return x->vertex_count == y->vertex_count && x->facet_count == y->facet_count &&
           (x->facet_count == 0 ||
            (memcmp(x->vertices, y->vertices, x->vertex_count * sizeof *x->vertices) == 0 &&
             memcmp(x->facets, y->facets, x->facet_count * sizeof *x->facets) == 0));
}

/* Whether there is an overlap. */
static bool check_pair(const stl_image *a, const stl_image *b, int asked, const char *what)
{
    stlclash_options o = exact();
    o.overlap_mesh = o.no_depth = o.no_distance = true;
    stlclash_result *r = ask_images(a, b, &o), *exchanged = ask_images(b, a, &o);
    const stlclash_overlap *overlap = &r->overlap;
    const double extent = extent_of(a, b);
    const bool has = r->has_overlap && overlap->volume > 1e3 * overlap->volume_error;

    CHECK(same_meshes(overlap, &exchanged->overlap), "%s: another mesh, exchanged", what);
    CHECK(r->has_overlap == (overlap->facet_count > 0), "%s: %zu facets", what,
          overlap->facet_count);
    check_numbers(overlap, what);
    if (asked & CLOSED) {
        CHECK(open_edges(overlap) == 0, "%s: %zu open edges", what, open_edges(overlap));
    }
    if (has) {
        check_volumes(overlap, extent, what);
    }
    if (has && (asked & POINTS)) {
        check_points(overlap, a, b, what);
    }
    if (has && (asked & (SIDES | MOST_SIDES))) {
        const size_t wrong = wrong_sides(overlap, a, b, extent);
        const size_t most = asked & MOST_SIDES ? overlap->facet_count / 50 : 0;
        CHECK(wrong <= most, "%s: %zu of %zu facets turned over", what, wrong,
              overlap->facet_count);
    }
    stlclash_result_free(r);
    stlclash_result_free(exchanged);
    return has;
}

/* The parts are made larger by a power of two: so is the mesh. */
static void check_scaled(stl_image *a, stl_image *b, double factor, const char *what)
{
    stlclash_options o = exact();
    o.overlap_mesh = o.no_depth = o.no_distance = true;
    stlclash_result *r = ask_images(a, b, &o);
    image_scale(a, factor);
    image_scale(b, factor);
    stlclash_result *s = ask_images(a, b, &o);
    const stlclash_overlap *x = &r->overlap, *y = &s->overlap;
    bool same = x->facet_count == y->facet_count && x->vertex_count == y->vertex_count;
    for (size_t i = 0; same && i < x->vertex_count; i++) {
        for (int c = 0; c < 3; c++) {
            same = same && x->vertices[i][c] * factor == y->vertices[i][c];
        }
    }
    same = same && (x->facet_count == 0 ||
                    memcmp(x->facets, y->facets, x->facet_count * sizeof *x->facets) == 0);
    CHECK(same, "%s: another mesh where all is %g times as large", what, factor);
    stlclash_result_free(r);
    stlclash_result_free(s);
}

/* ---- pairs ---------------------------------------------------------------------- */

TEST(meshes_of_tetrahedra)
{
    static const int grids[] = {3, 4, 6, 1000};
    int overlaps = 0;
    for (int i = 0; i < test_rounds(3000); i++) {
        int v[4][3], w[4][3];
        double a[4][3], b[4][3];
        char what[40];
        oracle_tetra_random(grids[i % 4], v);
        oracle_tetra_random(grids[i % 4], w);
        oracle_tetra_doubles(v, a);
        oracle_tetra_doubles(w, b);
        stl_image ia = make_tetra(a), ib = make_tetra(b);
        snprintf(what, sizeof what, "tetrahedra %d", i);
        overlaps += check_pair(&ia, &ib, ALL, what);
        check_scaled(&ia, &ib, i % 8 < 4 ? 0x1p-90 : 0x1p60, what);
        image_free(&ia);
        image_free(&ib);
    }
    CHECK(TEST_DIVISOR > 1 || overlaps > 300, "%d overlaps", overlaps);
}

/* Flush faces may leave sheets, two facets back to back, where A cannot be moved out of all of
 * them. So half a cell apart, too. */
TEST(meshes_of_voxels)
{
    static const int none[3] = {0, 0, 0};
    int overlaps = 0;
    for (int i = 0; i < test_rounds(600); i++) {
        const bool flush = i % 3 == 0;
        const int n = 2 + test_below(3), shift[3] = {test_below(3) - 1, test_below(3) - 1, 0};
        const oracle_frame f = i % 2 ? oracle_frame_random() : oracle_frame_plain();
        const double half[3] = {0.5, 0.5, flush ? 0.0 : 0.25};
        oracle_frame aside = f;
        if (!flush) {
            oracle_frame_place(&f, half, aside.origin);
        }
        oracle_voxels a = oracle_voxels_random(n, test_uniform(0.2, 0.9));
        oracle_voxels b = oracle_voxels_random(n, test_uniform(0.2, 0.9));
        char what[40];
        stl_image ia = oracle_voxels_mesh(&a, none, &f), ib = oracle_voxels_mesh(&b, shift, &aside);
        snprintf(what, sizeof what, "voxels %d", i);
        overlaps += check_pair(&ia, &ib, flush ? CLOSED | POINTS : ALL, what);
        image_free(&ia);
        image_free(&ib);
    }
    CHECK(TEST_DIVISOR > 1 || overlaps > 100, "%d overlaps", overlaps);
}

/* Faces of which the edges meet those of others between their ends: what is cut from them does,
 * too. */
TEST(meshes_of_boxes_with_t_junctions)
{
    int overlaps = 0;
    for (int i = 0; i < test_rounds(600); i++) {
        const oracle_frame f = i % 2 ? oracle_frame_random() : oracle_frame_plain();
        truth_box a, b;
        char what[40];
        random_boxes(true, &a, &b);
        stl_image ia = oracle_split_box(a.low, a.high, 0.125, &f);
        stl_image ib = oracle_split_box(b.low, b.high, 0.125, &f);
        snprintf(what, sizeof what, "split boxes %d", i);
        overlaps += check_pair(&ia, &ib, POINTS | SIDES, what);
        image_free(&ia);
        image_free(&ib);
    }
    CHECK(TEST_DIVISOR > 1 || overlaps > 50, "%d overlaps", overlaps);
}

/* The same, placed: they come apart by as much as rounding, and so may the mesh. */
TEST(meshes_of_placed_boxes_with_t_junctions)
{
    int overlaps = 0;
    for (int i = 0; i < test_rounds(300); i++) {
        const oracle_frame f = i % 2 ? oracle_frame_random() : oracle_frame_plain();
        double placement[16];
        truth_box a, b;
        random_boxes(true, &a, &b);
        ask_placement(placement, 5.0);
        stl_image ia = oracle_split_box(a.low, a.high, 0.125, &f);
        stl_image ib = oracle_split_box(b.low, b.high, 0.125, &f);
        stlclash_options o = ask_usual();
        o.overlap_mesh = o.no_depth = o.no_distance = true;
        o.placement[0] = o.placement[1] = placement;
        stlclash_result *r = ask_images(&ia, &ib, &o);
        const stlclash_overlap *overlap = &r->overlap;
        const bool has = r->status == STLCLASH_CLASH;
        CHECK(!has || overlap->facet_count > 0, "pair %d: no mesh", i);
        for (int k = 0; k < 12 && has; k++) {
            double p[3], placed[3];
            for (int c = 0; c < 3; c++) {
                p[c] = test_uniform(-0.5, 4.5);
            }
            for (int c = 0; c < 3; c++) {
                placed[c] = dot(placement + 4 * c, p) + placement[4 * c + 3];
            }
            const double expected = both(&ia, &ib, p), got = winding(overlap, placed);
            CHECK(fabs(got - expected) < 1e-3, "pair %d: the mesh winds %g times, both %g times", i,
                  got, expected);
        }
        overlaps += has;
        stlclash_result_free(r);
        image_free(&ia);
        image_free(&ib);
    }
    CHECK(TEST_DIVISOR > 1 || overlaps > 50, "%d overlaps", overlaps);
}

/* What bends, in any place and turn; B swallowed, with a cavity, in two bodies, and more than
 * once. */
TEST(meshes_of_what_bends)
{
    int overlaps = 0;
    for (int i = 0; i < test_rounds(150); i++) {
        const double at[3] = {test_uniform(-1.2, 1.2), test_uniform(-1.2, 1.2),
                              test_uniform(-1, 1)};
        stl_image a = make_bumpy(1.0, 4 + (uint32_t)test_below(5)), b;
        char what[40];
        switch (i % 5) {
        case 0: b = make_torus(0.9, 0.3, 12 + (uint32_t)test_below(9), 7); break;
        case 1:
            b = make_hollow_box((double[]){-0.8, -0.8, -0.8}, (double[]){0.9, 0.9, 0.7}, 0.2);
            break;
        case 2: b = make_sphere(0.2, 4); break;
        case 3: b = image_joined(make_sphere(0.8, 5), make_cylinder(0.3, 1.5, 9)); break;
        default: b = make_cylinder(0.4, 2.5, 5 + (uint32_t)test_below(30)); break;
        }
        image_turn(&b, test_uniform(-3, 3), test_uniform(-3, 3), test_uniform(-3, 3));
        image_move(&b, at[0], at[1], at[2]);
        if (i % 7 == 0) {
            image_move(&a, 1000.0, -500.0, 70.0);
            image_move(&b, 1000.0, -500.0, 70.0);
        }
        snprintf(what, sizeof what, "bent pair %d", i);
        overlaps += check_pair(&a, &b, i % 5 == 3 ? CLOSED | POINTS | MOST_SIDES : ALL, what);
        image_free(&a);
        image_free(&b);
    }
    CHECK(TEST_DIVISOR > 1 || overlaps > 50, "%d overlaps", overlaps);
}

/* Surfaces that cross everywhere: many regions, and more crossings than are summed at a time. */
TEST(meshes_of_what_crosses_everywhere)
{
    shape pair[2];
    CHECK(shape_pair("cross", TEST_DIVISOR > 1 ? 2000 : 20000, pair), "no pair");
    stl_image a = image_of(&pair[0]), b = image_of(&pair[1]);
    CHECK(check_pair(&a, &b, CLOSED, "cross"), "no overlap");
    image_free(&a);
    image_free(&b);
}
