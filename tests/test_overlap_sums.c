/* test_overlap_sums.c - the sums over the boundary of an overlap: the same for any number of
 * threads, those of the pieces together that of all, and the surfaces of both parts together
 * closed; and what its corners are found by. */
#include "measured.h"
#include "overlap/overlap_corners.h"
#include "test.h"

#include <string.h>

static bool same_sums(const sc_sums *x, const sc_sums *y, size_t pieces)
{
    return memcmp(&x->all, &y->all, sizeof x->all) == 0 &&
           memcmp(x->moment, y->moment, sizeof x->moment) == 0 &&
           memcmp(x->area, y->area, sizeof x->area) == 0 && x->area_terms == y->area_terms &&
           memcmp(x->of, y->of, pieces * sizeof *x->of) == 0;
}

/* The boxes of runs of patch facets, and what the pieces add up to. */
static void check_whole(const sc_crossings *x, const sc_sums *s, size_t pieces, const char *name)
{
    sc_account all = {.bounds = sc_box_empty()};
    for (size_t i = 0; i < pieces; i++) {
        sc_account_join(&all, &s->of[i]);
    }
    CHECK(fabs(sc_sum_total(&all.volume6) - sc_sum_total(&s->all.volume6)) <=
              1e-14 * s->all.volume6.magnitude,
          "%s: the pieces hold %.17g, all %.17g", name, sc_sum_total(&all.volume6) / 6.0,
          sc_sum_total(&s->all.volume6) / 6.0);
    CHECK(fabs(all.volume6.magnitude - s->all.volume6.magnitude) <= 1e-9 * s->all.volume6.magnitude,
          "%s: products of the pieces %.17g, of all %.17g", name, all.volume6.magnitude,
          s->all.volume6.magnitude);
    CHECK(memcmp(&all.bounds, &s->all.bounds, sizeof all.bounds) == 0, "%s: the bounds", name);
    for (int part = 0; part < 2; part++) {
        const sc_windings *in = &x->windings[part];
        for (size_t i = 0; i < in->patch_facet_count; i++) {
            sc_vec3 v[3];
            sc_solid_facet(x->solid[part], in->patch_facets[i], v);
            const sc_box box = sc_box_of_points(v, 3);
            const sc_box *run = &s->runs[part][i / SC_SUMS_RUN];
            sc_box joined = *run;
            sc_box_add_box(&joined, &box);
            CHECK(memcmp(&joined, run, sizeof joined) == 0, "%s: facet %zu of a patch", name, i);
        }
    }
}

/* The corners that lie on the sides of a box or beyond. */
typedef struct beyond {
    sc_box inner;
    size_t count;
    double sum;
} beyond;

static void note_corner(void *context, sc_boundary_line *line, const sc_boundary_corner *c)
{
    beyond *b = context;
    (void)line;
    bool is_beyond = false;
    for (int k = 0; k < 3; k++) {
        const double at = sc_component(c->at, k);
        is_beyond = is_beyond || at <= b->inner.low[k] || at >= b->inner.high[k];
    }
    if (is_beyond && c->times != 0) {
        b->count++;
        b->sum += (double)c->times * (c->at.x + 3.0 * c->at.y + 7.0 * c->at.z);
    }
}

/* Runs that are passed by have no corner beyond a box, which may be nearly all of the bounds. */
static void check_runs(const sc_crossings *x, const sc_sums *s, const char *name)
{
    size_t some = 0;
    for (int i = 0; i < 20; i++) {
        beyond all = {.inner = s->all.bounds};
        for (int k = 0; k < 3; k++) {
            const double aside = i % 4 == 0 ? 1e-6 : 0.5;
            const double size = s->all.bounds.high[k] - s->all.bounds.low[k];
            all.inner.low[k] += size * test_uniform(0.0, aside);
            all.inner.high[k] -= size * test_uniform(0.0, aside);
        }
        beyond found = all;
        const sc_corner_visitor by_one = {.corner = note_corner, .context = &all};
        const sc_corner_visitor by_runs = {&found.inner, NULL, s, note_corner, &found};
        sc_overlap_corners(x, &by_one);
        sc_overlap_corners(x, &by_runs);
        CHECK(found.count == all.count && found.sum == all.sum,
              "%s: %zu corners beyond the box, not %zu", name, found.count, all.count);
        some += all.count > 0;
    }
    CHECK(some > 10, "%s: corners beyond %zu boxes", name, some);
}

/* What of either surface lies inside the other part bounds the overlap together, where no faces are
 * flush: their areas, as vectors, are opposed. */
static void check_closed(const sc_sums *a, const sc_sums *b, const char *name)
{
    for (int k = 0; k < 3; k++) {
        CHECK(fabs(sc_sum_total(&a->area[k]) + sc_sum_total(&b->area[k])) <=
                  1e-12 * (a->area_terms + b->area_terms),
              "%s: areas %.17g and %.17g along axis %d", name, sc_sum_total(&a->area[k]),
              sc_sum_total(&b->area[k]), k);
        CHECK(fabs(sc_sum_total(&a->moment[k]) - sc_sum_total(&b->moment[k])) <=
                  1e-12 * a->all.volume6.magnitude,
              "%s: moments %.17g and %.17g along axis %d", name, sc_sum_total(&a->moment[k]),
              sc_sum_total(&b->moment[k]), k);
    }
}

/* Enough of each that several shares are summed up, in several pieces and in one. */
TEST(overlap_is_summed_in_shares)
{
    static const char *const names[] = {"cross", "slivers", "overlap", "screw", "pins"};
    sc_crew *crew = sc_crew_new(3);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        shape pair[2];
        CHECK(shape_pair(names[i], TEST_DIVISOR > 1 ? 3000 : 30000, pair), "no %s", names[i]);
        stl_image a = image_of(&pair[0]), b = image_of(&pair[1]);
        measured m, exchanged;
        sc_sums one, three, other;
        measured_make(&m, &a, &b);
        measured_make(&exchanged, &b, &a);
        CHECK(sc_sums_make(&m.crossings, &m.pieces, NULL, &one) &&
                  sc_sums_make(&m.crossings, &m.pieces, crew, &three) &&
                  sc_sums_make(&exchanged.crossings, &exchanged.pieces, crew, &other),
              "out of memory");
        CHECK(same_sums(&one, &three, m.pieces.count), "%s: other sums by three threads", names[i]);
        check_whole(&m.crossings, &one, m.pieces.count, names[i]);
        check_runs(&m.crossings, &one, names[i]);
        check_closed(&one, &other, names[i]);
        sc_sums_free(&one);
        sc_sums_free(&three);
        sc_sums_free(&other);
        measured_free(&m);
        measured_free(&exchanged);
        image_free(&a);
        image_free(&b);
    }
    sc_crew_free(crew);
}

static long double volume_of(const stl_image *image)
{
    long double six = 0.0L;
    for (size_t i = 0; i < image_facets(image); i++) {
        const shape_facet f = image_get(image, i);
        for (int k = 0; k < 3; k++) {
            const int m = (k + 1) % 3, n = (k + 2) % 3;
            six += (long double)f.corner[0][k] *
                   ((long double)f.corner[1][m] * (long double)f.corner[2][n] -
                    (long double)f.corner[1][n] * (long double)f.corner[2][m]);
        }
    }
    return six / 6.0L;
}

/* A ball that lies wholly inside, which is one patch; or two, and a bar that crosses the wall. */
TEST(balls_inside_are_summed_in_shares)
{
    const uint32_t cells = TEST_DIVISOR > 1 ? 9 : 54;
    for (int i = 0; i < 4; i++) {
        const bool crosses = i / 2, exchanged = i % 2;
        stl_image a = make_sphere(0.5, cells), b = cube(-2.0, 2.0);
        if (crosses) {
            image_move(&a, -1.0, 0.0, 0.0);
            a = image_joined(a, make_sphere(0.3, cells));
        }
        const double expected = (double)volume_of(&a) + (crosses ? 0.125 : 0.0);
        if (crosses) {
            a = image_joined(a, simple_box(1.5, 2.5, -0.25, 0.25, -0.25, 0.25));
        }
        both parts;
        both_make(&parts, exchanged ? &b : &a, exchanged ? &a : &b);
        parts.solid[exchanged].one_shell = !crosses;
        sc_solid *solid[2] = {&parts.solid[0], &parts.solid[1]};
        sc_crossings x;
        sc_pieces pieces;
        sc_sums sums;
        CHECK(sc_crossings_find(solid, parts.hits, parts.hit_count, NULL, &x) &&
                  sc_crossings_wind(&x, NULL) && sc_pieces_find(&x, NULL, &pieces) &&
                  sc_sums_make(&x, &pieces, NULL, &sums),
              "out of memory");
        const double volume = sc_sum_total(&sums.all.volume6) / 6.0;
        CHECK(fabs(volume - expected) <= 1e-12, "%zu pieces hold %.17g, not %.17g", pieces.count,
              volume, expected);
        CHECK(crosses || x.windings[exchanged].patch_count == 1, "%zu patches",
              x.windings[exchanged].patch_count);
        check_whole(&x, &sums, pieces.count, "balls");
        check_runs(&x, &sums, "balls");
        sc_sums_free(&sums);
        sc_pieces_free(&pieces);
        sc_crossings_free(&x);
        both_free(&parts);
        image_free(&a);
        image_free(&b);
    }
}
