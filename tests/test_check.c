/* test_check.c - stlclash_check against all pairs, and what it promises: the same
 * result for any order of the parts, number of threads and order of facets. */
#include "ask.h"
#include "base/alloc.h"
#include "check/check.h"
#include "geom/tri_distance.h"
#include "geom/tri_intersect.h"
#include "mesh.h"
#include "shapes.h"
#include "solid_truth.h"
#include "stlclash.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- all pairs ------------------------------------------------------------ */

typedef struct all_pairs {
    uint64_t hits, crossings;
    double distance_sq;
    uint32_t a, b;
} all_pairs;

static sc_triangle triangle(const stlclash_mesh *mesh, const sc_placement *placement, uint32_t i)
{
    sc_vec3 v[3];
    sc_triangle_vertices(&mesh->file.facets, placement, i, v);
    return sc_triangle_make(v);
}

static all_pairs try_all_pairs(const stlclash_mesh *a, const sc_placement *pa,
                               const stlclash_mesh *b, const sc_placement *pb)
{
    all_pairs all = {.distance_sq = INFINITY};
    for (uint32_t i = 0; i < a->file.facets.count; i++) {
        sc_triangle ta = triangle(a, pa, i);
        for (uint32_t j = 0; j < b->file.facets.count; j++) {
            sc_triangle tb = triangle(b, pb, j);
            sc_meeting meeting = sc_tri_meet(ta.v, tb.v);
            if (meeting != SC_APART) {
                all.hits++;
                all.crossings += meeting == SC_CROSS;
                continue;
            }
            double d = sc_tri_closest(&ta, &tb).distance_sq;
            if (d < all.distance_sq) {
                all = (all_pairs){all.hits, all.crossings, d, i, j};
            }
        }
    }
    return all;
}

static const sc_placement identity = {.is_identity = 1};

/* The mirrored result, bit for bit; -0 and 0 count as one. */
static void check_mirrored(const stlclash_result *x, const stlclash_result *y, const char *what)
{
    const stlclash_separation *s = &x->separation, *t = &y->separation;
    CHECK(x->status == y->status && x->pass == y->pass, "%s: status", what);
    CHECK(x->has_separation == y->has_separation && s->distance == t->distance, "%s: distance",
          what);
    CHECK(s->triangle_a == t->triangle_b && s->triangle_b == t->triangle_a, "%s: triangles", what);
    CHECK(s->feature_a == t->feature_b && s->feature_b == t->feature_a, "%s: features", what);
    CHECK(same_bits(s->point_a, t->point_b, 3) && same_bits(s->point_b, t->point_a, 3),
          "%s: points", what);
    for (int k = 0; k < 3; k++) {
        CHECK(s->vector[k] == -t->vector[k], "%s: vector", what);
    }
    CHECK(x->has_hit_count == y->has_hit_count && x->hit_count == y->hit_count, "%s: hits", what);
    CHECK(x->hits_listed == y->hits_listed, "%s: hits listed", what);
    for (uint64_t i = 0; i < x->hits_listed; i++) {
        bool found = false;
        for (uint64_t j = 0; j < y->hits_listed && !found; j++) {
            found = x->hits[i].triangle_a == y->hits[j].triangle_b &&
                    x->hits[i].triangle_b == y->hits[j].triangle_a &&
                    x->hits[i].point_count == y->hits[j].point_count &&
                    same_bits(x->hits[i].points[0], y->hits[j].points[0], 18);
        }
        CHECK(found, "%s: hit %d has no mirror image", what, (int)i);
    }
}

/* One pair of meshes, A the smaller: against all pairs, swapped, and quick. */
static void try_pair(const stl_image *ia, const stl_image *ib, const double *placement,
                     const char *what)
{
    stlclash_mesh *a = ask_mesh(ia), *b = ask_mesh(ib);
    sc_placement placed = identity;
    stlclash_error error;
    stlclash_options options = stlclash_options_default(), mirrored;

    options.max_hits = STLCLASH_ALL_HITS;
    options.placement[1] = placement;
    mirrored = options;
    mirrored.placement[0] = placement;
    mirrored.placement[1] = NULL;
    sc_placement_make(placement, "B", sc_box_reach(&b->blocks.bounds), &placed, &error);
    all_pairs all = try_all_pairs(a, &identity, b, &placed);
    stlclash_result *r = ask_pair(a, b, &options), *m = ask_pair(b, a, &mirrored);
    check_mirrored(r, m, what);

    CHECK(r->has_hit_count && r->hit_count == all.hits, "%s: %llu hits of %llu", what,
          (unsigned long long)r->hit_count, (unsigned long long)all.hits);
    CHECK(r->has_separation, "%s: no distance", what);
    if (all.hits > 0) {
        CHECK(r->separation.distance == 0.0, "%s: distance %g of parts that meet", what,
              r->separation.distance);
        CHECK(r->status == STLCLASH_CLASH || r->status == STLCLASH_CONTACT, "%s: %s", what,
              stlclash_status_text(r->status));
    } else {
        CHECK(r->separation.distance == sqrt(all.distance_sq) &&
                  r->separation.triangle_a == all.a && r->separation.triangle_b == all.b,
              "%s: %.17g at %u, %u instead of %.17g at %u, %u", what, r->separation.distance,
              r->separation.triangle_a, r->separation.triangle_b, sqrt(all.distance_sq), all.a,
              all.b);
    }
    CHECK(r->hits_listed == r->hit_count, "%s: list cut", what);
    for (uint64_t i = 1; i < r->hits_listed; i++) {
        const stlclash_hit *h = &r->hits[i - 1], *next = h + 1;
        CHECK(h->triangle_a < next->triangle_a ||
                  (h->triangle_a == next->triangle_a && h->triangle_b < next->triangle_b),
              "%s: hits out of order", what);
    }

    stlclash_options quick = options;
    quick.quick = true;
    quick.clearance = all.hits > 0 ? 0.0 : sqrt(all.distance_sq) * (test_below(2) ? 0.5 : 2.0);
    options.clearance = quick.clearance;
    stlclash_result *full = ask_pair(a, b, &options), *fast = ask_pair(a, b, &quick);
    CHECK(full->status == fast->status && full->pass == fast->pass, "%s: quick says %s, full %s",
          what, stlclash_status_text(fast->status), stlclash_status_text(full->status));
    stlclash_result_free(r);
    stlclash_result_free(m);
    stlclash_result_free(full);
    stlclash_result_free(fast);
    stlclash_mesh_free(a);
    stlclash_mesh_free(b);
}

static void turn_about(double m[16], double angle, double x, double y, double z)
{
    double c = cos(angle), s = sin(angle);
    memcpy(m, (double[16]){c, -s, 0, x, s, c, 0, y, 0, 0, 1, z, 0, 0, 0, 1}, 16 * sizeof m[0]);
}

static stl_image random_shape(void)
{
    double low[3] = {test_below(3), test_below(3), test_below(3)};
    double high[3] = {low[0] + 1 + test_below(2), low[1] + 1, low[2] + 1 + test_below(3)};
    switch (test_below(7)) {
    case 0: return make_box(low, high, 1 + (uint32_t)test_below(5));
    case 1: return make_bumpy(test_uniform(0.5, 2), 2 + (uint32_t)test_below(8));
    case 2: return make_torus(2, 0.5, 8 + (uint32_t)test_below(20), 6 + (uint32_t)test_below(8));
    case 3: return make_cylinder(0.3, 4, 5 + (uint32_t)test_below(60));
    case 4: return make_l_prism(2);
    case 5: return make_hollow_box(low, high, 0.25);
    default: return make_soup(20 + test_below(400), test_uniform(0.01, 0.6));
    }
}

static void move_somewhere(stl_image *image)
{
    switch (test_below(4)) {
    case 0: /* on a coarse grid: flush faces */
        image_move(image, 0.5 * test_below(6), 0.5 * test_below(6), 0.5 * test_below(6));
        break;
    case 1: image_move(image, test_uniform(-2, 4), test_uniform(-2, 4), test_uniform(-2, 4)); break;
    case 2:
        image_turn(image, test_uniform(0, 6), test_uniform(0, 6), test_uniform(0, 6));
        image_move(image, test_uniform(-5, 5), test_uniform(-5, 5), 0);
        break;
    default: image_move(image, test_uniform(5, 50), 0, 0); break;
    }
}

TEST(random_pairs_agree_with_all_pairs)
{
    int rounds = test_rounds(150);
    for (int i = 0; i < rounds; i++) {
        stl_image a = random_shape(), b = random_shape();
        double m[16];
        char what[40];
        move_somewhere(&b);
        if (test_below(2)) {
            image_shuffle(&a);
            image_rotate_corners(&b);
        }
        if (test_below(4) == 0) { /* far away from the origin, and tiny or huge */
            double s = ldexp(1.0, test_below(41) - 20), far = test_below(2) ? 1000.0 : 0.0;
            image_move(&a, far, far, far);
            image_move(&b, far, far, far);
            image_scale(&a, s);
            image_scale(&b, s);
        }
        turn_about(m, test_uniform(0, 6), test_uniform(-1, 1), test_uniform(-1, 1), 0.25);
        snprintf(what, sizeof what, "round %d", i);
        bool ordered = image_facets(&a) < image_facets(&b);
        if (image_facets(&a) != image_facets(&b)) { /* else their order is not plain to see */
            try_pair(ordered ? &a : &b, ordered ? &b : &a, test_below(3) ? NULL : m, what);
        }
        image_free(&a);
        image_free(&b);
    }
}

/* Large enough for several octree levels and for the pooling of shuffled blocks. */
TEST(large_pairs_agree_with_all_pairs)
{
    const uint32_t cells = TEST_DIVISOR > 1 ? 7 : 13;
    for (int i = 0; i < 4; i++) {
        stl_image a = make_bumpy(1.0, cells), b = make_bumpy(1.0, cells + 2);
        image_turn(&b, 0.3, 0.7, 1.1);
        image_move(&b, i == 0 ? 1.2 : i == 1 ? 2.2 : 0.01, 0.07, 0.0);
        if (i == 2) {
            image_shuffle(&a);
            image_shuffle(&b);
        }
        if (i == 3) {
            image_scale(&b, 1.2);
            image_shuffle(&b);
        }
        try_pair(&a, &b, NULL, i == 0 ? "overlap" : i == 1 ? "gap" : i == 2 ? "shuffled" : "shell");
        image_free(&a);
        image_free(&b);
    }
}

/* Facets as long as the part, whose boxes all meet: crosswise and apart. */
TEST(slivers_agree_with_all_pairs)
{
    for (int i = 0; i < 6; i++) {
        stl_image a = make_cylinder(0.2, 10.0, 150), b = make_cylinder(0.2, 10.0, 180);
        image_turn(&b, 0.1, 0.2, 0.3 + 0.2 * i);
        image_move(&b, 0.3, 0.1 + 0.05 * i, 0.15 * i);
        if (i % 2) {
            image_shuffle(&a);
        }
        try_pair(&a, &b, NULL, "slivers");
        image_free(&a);
        image_free(&b);
    }
}

/* A fine part beside, across or inside of one whose facets are as large as it or larger: they go
 * down its tree one by one. */
TEST(wide_facets_agree_with_all_pairs)
{
    for (int i = test_rounds(24); i > 0; i--) {
        const double low[3] = {-1.1, -1.2, -1.3}, high[3] = {1.2, 1.4, 1.3};
        stl_image fine = i % 3 ? make_bumpy(1.0, 12) : make_torus(0.7, 0.3, 40, 30), wide;
        switch (test_below(4)) {
        case 0: wide = make_sphere(test_uniform(1.1, 20.0), 2 + (uint32_t)test_below(4)); break;
        case 1: wide = make_hollow_box(low, high, 0.05); break;
        case 2: wide = make_cylinder(1.2, 30.0, 5 + (uint32_t)test_below(20)); break;
        default: wide = make_box(low, high, 1 + (uint32_t)test_below(2)); break;
        }
        image_turn(&wide, test_uniform(0, 6), test_uniform(0, 6), test_uniform(0, 6));
        if (test_below(2)) {
            double off = test_below(2) ? 3.0 : 0.2;
            image_move(&wide, off * test_uniform(-1, 1), off * test_uniform(-1, 1), 0.0);
        }
        if (test_below(4) == 0) {
            image_move(&wide, 1000.0, 500.0, -2000.0);
            image_move(&fine, 1000.0, 500.0, -2000.0);
        }
        try_pair(&wide, &fine, NULL, "wide facets");
        image_free(&wide);
        image_free(&fine);
    }
}

/* ---- what is left out ------------------------------------------------------ */

/* All but the distance beyond what decides is the same as in a full check. */
static void check_without_distance(const stl_image *a, const stl_image *b, double clearance)
{
    stlclash_options options = ask_usual();
    options.clearance = clearance;
    stlclash_result *full = ask_images(a, b, &options);
    options.no_distance = true;
    stlclash_result *r = ask_images(a, b, &options);
    const double distance = full->separation.distance;
    const bool decides = distance <= fmax(clearance, full->touch_gap);

    CHECK(r->status == full->status && r->pass == full->pass && r->hit_count == full->hit_count,
          "%s at %g, %s without the distance", stlclash_status_text(full->status), distance,
          stlclash_status_text(r->status));
    CHECK(r->has_overlap == full->has_overlap && r->overlap.volume == full->overlap.volume &&
              r->overlap.depth == full->overlap.depth &&
              r->overlap.contained == full->overlap.contained,
          "volume %g, %g without the distance", full->overlap.volume, r->overlap.volume);
    CHECK(r->has_separation == decides && ask_has_note(r, "distance_not_needed") == !decides,
          "distance %g of clearance %g: %s", distance, clearance,
          r->has_separation ? "told" : "left out");
    if (r->has_separation) {
        CHECK(same_bits(r->separation.vector, full->separation.vector, 3) &&
                  r->separation.triangle_a == full->separation.triangle_a,
              "another separation than with the distance");
    }
    stlclash_result_free(full);
    stlclash_result_free(r);
}

TEST(no_distance_leaves_out_what_decides_nothing)
{
    for (int i = 0; i < 6; i++) { /* beside, across, inside, around, flush */
        stl_image a = make_bumpy(1.0, 15), b = make_bumpy(i == 3 ? 0.5 : 1.0, 13);
        image_turn(&b, 0.3, 0.7, 1.1);
        image_move(&b, i == 0 ? 2.5 : i == 1 ? 1.2 : 0.0, 0.07, 0.0);
        if (i == 4) {
            image_scale(&b, 3.0);
        }
        if (i == 5) {
            const double low[3] = {0, 0, 0}, high[3] = {1, 1, 1};
            image_free(&a);
            image_free(&b);
            a = make_box(low, high, 20);
            b = make_box(low, high, 23);
            image_move(&b, 1.0, 0.25, 0.0);
        }
        stlclash_result *r = ask_images(&a, &b, NULL);
        const double distance = r->separation.distance;
        stlclash_result_free(r);
        check_without_distance(&a, &b, 0.0);
        check_without_distance(&a, &b, 0.9 * distance);
        check_without_distance(&a, &b, 1.1 * distance);
        image_free(&a);
        image_free(&b);
    }
}

/* ---- invariance ----------------------------------------------------------- */

static void check_same(const stlclash_result *x, const stlclash_result *y, const char *what)
{
    CHECK(x->status == y->status && x->has_separation == y->has_separation &&
              x->hit_count == y->hit_count && x->hits_listed == y->hits_listed,
          "%s: status or counts differ", what);
    CHECK(x->separation.distance == y->separation.distance &&
              same_bits(x->separation.vector, y->separation.vector, 9) &&
              x->separation.triangle_a == y->separation.triangle_a &&
              x->separation.triangle_b == y->separation.triangle_b,
          "%s: separations differ", what);
    const stlclash_overlap *p = &x->overlap, *q = &y->overlap;
    CHECK(x->has_overlap == y->has_overlap && same_bits(&p->volume, &q->volume, 1) &&
              same_bits(p->centroid, q->centroid, 3) && same_bits(&p->depth, &q->depth, 1) &&
              same_bits(p->deepest_point, q->deepest_point, 3) && p->deepest_in == q->deepest_in,
          "%s: overlaps differ", what);
    if (x->hits_listed == y->hits_listed && x->hits_listed > 0) {
        CHECK(memcmp(x->hits, y->hits, (size_t)x->hits_listed * sizeof *x->hits) == 0,
              "%s: lists differ", what);
    }
}

/* Quick: of several threads that find a crossing it must be the same one whose crossing is told. */
TEST(any_number_of_threads_gives_the_same)
{
    enum { QUICK = 4, CASES = 6 };
    /* the last of those measured lies inside the other, large enough to be summed in stretches */
    const double shift[CASES] = {1.2, 2.2, 0.0, 0.0, 1.2, 0.0};
    const double radius[CASES] = {1.0, 1.0, 1.01, 2.0, 1.0, 1.0};
    for (int i = 0; i < CASES; i++) {
        stl_image ia = make_bumpy(1.0, 110), ib = make_bumpy(radius[i], 110);
        image_turn(&ib, 0.3, 0.7, 1.1);
        image_move(&ib, shift[i], 0, 0);
        if (i >= QUICK) { /* so that no crossing is found before the search */
            image_shuffle(&ia);
            image_shuffle(&ib);
        }
        stlclash_mesh *a = ask_mesh(&ia), *b = ask_mesh(&ib);
        stlclash_options options = stlclash_options_default();
        CHECK(sc_check_threads(8, image_facets(&ia) + image_facets(&ib)) == 8, "too small");
        options.quick = i >= QUICK;
        options.threads = 1;
        stlclash_result *one = ask_pair(a, b, &options);
        CHECK(radius[i] < 2.0 || fabs(one->overlap.volume - oracle_volume(&ia)) < 1e-9,
              "%.17g is the volume of what lies inside", one->overlap.volume);
        for (int n = 0; n < (options.quick ? 12 : 4); n++) { /* who comes first is chance */
            options.threads = 2 + n % 4;
            stlclash_result *more = ask_pair(a, b, &options);
            check_same(one, more, "threads");
            stlclash_result_free(more);
        }
        stlclash_result_free(one);
        stlclash_mesh_free(a);
        stlclash_mesh_free(b);
        image_free(&ia);
        image_free(&ib);
    }
}

/* A quick check of parts that can only touch ends at the first pair that does, the same one for
 * any number of threads and either order; flat parts that pass through something do not count. */
TEST(quick_contact_ends_at_the_first_touch)
{
    const double low[3] = {-1.5, -1.5, -0.25}, top[3] = {1.5, 1.5, 0.0};
    const double bottom[3] = {-0.51, -0.49, 0.0}, high[3] = {0.49, 0.51, 1.0};
    const float flat[9] = {-0.2f, 0.0f, 0.1f, 0.2f, 0.0f, 0.1f, 0.0f, 0.0f, 2.0f};
    stl_image plate = make_box(low, top, 25), block = make_box(bottom, high, 27);
    stl_image sheet = make_facets(flat, 1);

    image_shuffle(&plate);
    image_shuffle(&block);
    stlclash_mesh *a = ask_mesh(&plate), *b = ask_mesh(&block), *c = ask_mesh(&sheet);
    stlclash_options options = stlclash_options_default();
    options.quick = true;
    options.threads = 1;
    stlclash_result *one = ask_pair(a, b, &options), *mirrored = ask_pair(b, a, &options);
    CHECK(one->status == STLCLASH_CONTACT && one->pass && !one->has_hit_count &&
              one->separation.distance == 0.0 && one->separation.point_a[2] == 0.0,
          "%s", stlclash_status_text(one->status));
    check_mirrored(one, mirrored, "touch");
    for (options.threads = 2; options.threads < 8; options.threads++) {
        stlclash_result *more = ask_pair(a, b, &options);
        check_same(one, more, "threads");
        stlclash_result_free(more);
    }
    stlclash_result *through = ask_pair(b, c, &options);
    CHECK(through->status == STLCLASH_CLASH, "a sheet: %s", stlclash_status_text(through->status));
    stlclash_result_free(through);
    stlclash_result_free(mirrored);
    stlclash_result_free(one);
    stlclash_mesh_free(a);
    stlclash_mesh_free(b);
    stlclash_mesh_free(c);
    image_free(&plate);
    image_free(&block);
    image_free(&sheet);
}

/* B moved by as much along each axis. */
static void check_quick(const stl_image *ia, const stl_image *ib, double by,
                        stlclash_status expected, bool ends_early, const char *what)
{
    const double moved[16] = {1, 0, 0, by, 0, 1, 0, by, 0, 0, 1, by, 0, 0, 0, 1};
    stlclash_mesh *a = ask_mesh(ia), *b = ask_mesh(ib);
    stlclash_options options = stlclash_options_default(), other;
    options.placement[1] = by != 0.0 ? moved : NULL;
    stlclash_result *full = ask_pair(a, b, &options);
    options.quick = true;
    other = options;
    other.placement[0] = options.placement[1];
    other.placement[1] = NULL;
    stlclash_result *quick = ask_pair(a, b, &options), *mirrored = ask_pair(b, a, &other);
    CHECK(full->status == expected, "%s: %s", what, stlclash_status_text(full->status));
    CHECK(quick->status == expected, "%s, quick: %s", what, stlclash_status_text(quick->status));
    CHECK(quick->has_hit_count == !ends_early, "%s: counted or not", what);
    CHECK(ask_has_note(quick, "stopped_at_proof") == ends_early &&
              ask_has_note(quick, "overlap_skipped") ==
                  (expected == STLCLASH_CLASH || expected == STLCLASH_CONTACT),
          "%s: notes of what was left out", what);
    check_mirrored(quick, mirrored, what);
    stlclash_result_free(full);
    stlclash_result_free(quick);
    stlclash_result_free(mirrored);
    stlclash_mesh_free(a);
    stlclash_mesh_free(b);
}

/* What lies inside is told before anything is searched, where that is sure. */
TEST(quick_knows_what_lies_inside)
{
    double low[3] = {-2, -2, -2}, high[3] = {2, 2, 2};
    stl_image outer = make_box(low, high, 3), hollow = make_hollow_box(low, high, 0.5);
    stl_image small = make_bumpy(1.0, 4), open = make_box(low, high, 3);
    stl_image dot = make_box((double[]){0, 0, 0}, (double[]){1e-30, 1e-30, 1e-30}, 1);

    shape_facet facet = image_get(&open, 0);
    memcpy(facet.corner[1], facet.corner[0], sizeof facet.corner[0]);
    image_set(&open, 0, &facet); /* as good as none */
    check_quick(&outer, &small, 0.0, STLCLASH_CLASH, true, "inside");
    check_quick(&hollow, &small, 0.0, STLCLASH_CLEAR, false, "in a cavity");
    check_quick(&open, &small, 0.0, STLCLASH_UNDECIDED, false, "in an open part");
    check_quick(&outer, &dot, 0.25, STLCLASH_CONTACT, false, "a dot"); /* once it is placed */
    image_invert(&outer);
    check_quick(&outer, &small, 0.0, STLCLASH_CLASH, true, "inside out");
    image_invert(&small);
    check_quick(&outer, &small, 0.0, STLCLASH_CLASH, true, "both inside out");
    image_scale(&small, 1.9);
    check_quick(&outer, &small, 0.0, STLCLASH_CLASH, true, "through the walls");
    stl_image bar[2] = {simple_box(-3, 3, -1, 1, -1, 1), simple_box(-.5, .5, -3, 3, -.5, .5)};
    check_quick(&bar[0], &bar[1], 0.0, STLCLASH_CLASH, true, "bars that cross");
    image_free(&bar[0]);
    image_free(&bar[1]);
    image_free(&outer);
    image_free(&hollow);
    image_free(&open);
    image_free(&small);
    image_free(&dot);
}

/* A part and what is cast around it: they touch all over, and have nothing in common. */
static stl_image make_mould(const stl_image *part)
{
    stl_image mould = make_box((double[]){-2, -2, -2}, (double[]){2, 2, 2}, 2), inner = {0};
    image_join(&inner, part);
    image_invert(&inner);
    return image_joined(mould, inner);
}

/* So is what lies half way between walls, of parts that touch all over without a crossing. */
TEST(quick_knows_what_is_there_twice)
{
    stl_image part = make_bumpy(1.0, 24), mould = make_mould(&part);
    stl_image open = make_bumpy(1.0, 24), small = make_bumpy(0.5, 16);
    shape_facet facet = image_get(&open, 0);
    stlclash_options options = stlclash_options_default();

    check_quick(&part, &part, 0.0, STLCLASH_CLASH, true, "twice");
    check_quick(&part, &mould, 0.0, STLCLASH_CONTACT, false, "in its mould");
    memcpy(facet.corner[1], facet.corner[0], sizeof facet.corner[0]);
    image_set(&open, 0, &facet); /* as good as none */
    options.quick = true;
    stlclash_result *r = ask_images(&open, &part, &options);
    CHECK(r->status == STLCLASH_CONTACT, "open: %s", stlclash_status_text(r->status));
    stlclash_result_free(r);
    stl_image other = make_bumpy(1.0, 24);
    image_shuffle(&other);
    image_rotate_corners(&other);
    check_quick(&part, &other, 0.0, STLCLASH_CLASH, true, "twice, shuffled");
    image_invert(&small);
    image_join(&part, &small); /* hollow, as the other one is not */
    check_quick(&part, &other, 0.0, STLCLASH_CLASH, true, "hollow and solid");
    image_free(&part);
    image_free(&mould);
    image_free(&open);
    image_free(&small);
    image_free(&other);
}

/* Parts that are pressed into each other, flush at their ends: no facets cross properly, and what
 * lies between them tells before their shells are looked at, or all that they have in common. */
TEST(quick_knows_what_is_pressed_flush)
{
    stl_image image[2] = {make_bush(0.5, 1.0, 2.0, 300, 3), make_bush(0.2, 0.52, 2.0, 300, 3)};
    stlclash_options options = stlclash_options_default();
    for (int i = 0; i < 3; i++) {
        options.quick = i == 0;
        options.no_overlap = i == 1;
        options.max_depth = i == 2 ? 1.0 : options.max_depth;
        stlclash_result *r = ask_images(&image[0], &image[1], &options);
        CHECK(r->status == STLCLASH_CLASH && r->pass == (i == 2), "%d: %s", i,
              stlclash_status_text(r->status));
        CHECK(r->has_overlap == (i == 2) && (i == 2 || !r->part[0].has_volume),
              "%d: more was looked at than the verdict needs", i);
        stlclash_result_free(r);
    }
    image_free(&image[0]);
    image_free(&image[1]);
}

TEST(same_placement_keeps_contact)
{
    double low[3] = {0, 0, 0}, high[3] = {1, 1, 1}, next[3] = {2, 1, 1}, m[16];
    double side[3] = {1, 0, 0};
    stl_image ia = make_box(low, high, 3), ib = make_box(side, next, 2);
    stlclash_mesh *a = ask_mesh(&ia), *b = ask_mesh(&ib);
    stlclash_options options = stlclash_options_default();
    turn_about(m, 0.7, 3, 4, 5);
    options.exact = true;
    options.placement[0] = options.placement[1] = m;
    stlclash_result *placed = ask_pair(a, b, &options), *stored = ask_pair(a, b, NULL);
    CHECK(placed->status == STLCLASH_CONTACT && placed->hit_count == stored->hit_count,
          "status %s, %d hits", stlclash_status_text(placed->status), (int)placed->hit_count);
    const double *p = placed->separation.point_a, *q = stored->separation.point_a;
    CHECK(fabs(p[0] - (m[0] * q[0] + m[1] * q[1] + 3)) < 1e-12 && fabs(p[2] - q[2] - 5) < 1e-12,
          "the common point is not placed");
    CHECK(fabs(placed->part[0].bounds[1][0] - (cos(0.7) + 3)) < 1e-12, "bounds are not placed");
    stlclash_result_free(placed);
    stlclash_result_free(stored);
    stlclash_mesh_free(a);
    stlclash_mesh_free(b);
    image_free(&ia);
    image_free(&ib);
}

/* Cubes that lie edge to edge, each by a placement of its own: as rounded they may be 1e-16 apart,
 * which computes to 0 before anything is searched. */
TEST(parts_that_all_but_touch_are_not_clear)
{
    static const double step[5][3] = {{2, 1, 0}, {2, 1, 0.5}, {2, 1, 1}, {2, -1, 0}, {2, 0, 0}};
    double low[3] = {0, 0, 0}, high[3] = {1, 1, 1}, m[16], turned[16];
    stl_image cube = make_box(low, high, 1);
    stlclash_options options = stlclash_options_default();
    options.placement[0] = m;
    options.placement[1] = turned;
    options.clearance = 0.1;
    for (int round = 0; round < test_rounds(1000); round++) {
        const double *at = step[test_below(5)];
        ask_placement(m, 20);
        memcpy(turned, ask_identity, sizeof turned);
        for (int k = 0; k < 3; k++) { /* a quarter turn about z, then the step */
            const double *row = &m[4 * k];
            turned[4 * k] = row[1];
            turned[4 * k + 1] = -row[0];
            turned[4 * k + 2] = row[2];
            turned[4 * k + 3] = row[0] * at[0] + row[1] * at[1] + row[2] * at[2] + row[3];
        }
        options.exact = round % 2;
        options.no_overlap = !options.exact;
        stlclash_status status = ask_status(&cube, &cube, &options);
        CHECK(status != STLCLASH_CLEAR && status != STLCLASH_UNDECIDED, "round %d: %s", round,
              stlclash_status_text(status));
    }
    image_free(&cube);
}

/* ---- verdicts ------------------------------------------------------------- */

/* Two unit cubes side by side, `gap` apart and not quite aligned, checked as the
 * options say. */
static void try_gap(double gap, const stlclash_options *options, stlclash_status status, bool pass)
{
    double low[3] = {0, 0, 0}, high[3] = {1, 1, 1}, low2[3] = {1 + gap, 0.25, 0.25},
           high2[3] = {2 + gap, 1.25, 1.25};
    stl_image ia = make_box(low, high, 1), ib = make_box(low2, high2, 1);
    stlclash_mesh *a = ask_mesh(&ia), *b = ask_mesh(&ib);
    for (int quick = 0; quick < 2; quick++) {
        stlclash_options o = *options;
        o.quick = quick;
        stlclash_result *r = ask_pair(a, b, &o);
        CHECK(r->status == status && r->pass == pass, "gap %g%s: %s, pass %d", gap,
              quick ? " quick" : "", stlclash_status_text(r->status), r->pass);
        stlclash_result_free(r);
    }
    stlclash_mesh_free(a);
    stlclash_mesh_free(b);
    image_free(&ia);
    image_free(&ib);
}

TEST(status_follows_the_tolerances)
{
    stlclash_options o = stlclash_options_default();
    double ulp = 0x1p-23; /* of coordinates in 1 .. 2; the largest is 2, or above: 2 ulps */

    try_gap(0, &o, STLCLASH_CONTACT, true);
    try_gap(4 * ulp, &o, STLCLASH_CONTACT, true); /* two resolutions of 2^-22 */
    try_gap(6 * ulp, &o, STLCLASH_CLEAR, true);
    try_gap(0.5, &o, STLCLASH_CLEAR, true);
    try_gap(-0.25, &o, STLCLASH_CLASH, false);

    o.clearance = 0.5;
    try_gap(0, &o, STLCLASH_CONTACT, false);
    try_gap(0.25, &o, STLCLASH_NEAR, false);
    try_gap(0.5, &o, STLCLASH_CLEAR, true);           /* the bound itself passes */
    try_gap(0.5 - 2 * ulp, &o, STLCLASH_CLEAR, true); /* one resolution short of it */
    try_gap(0.5 - 4 * ulp, &o, STLCLASH_NEAR, false);

    o.exact = true;
    try_gap(0.5, &o, STLCLASH_CLEAR, true);
    try_gap(0.5 - 2 * ulp, &o, STLCLASH_NEAR, false);
    o.clearance = 0;
    try_gap(2 * ulp, &o, STLCLASH_CLEAR, true);
    try_gap(0, &o, STLCLASH_CONTACT, true);
    o.contact_fails = true;
    try_gap(0, &o, STLCLASH_CONTACT, false);

    o = stlclash_options_default();
    o.touch_gap = 0.125;
    try_gap(0.125, &o, STLCLASH_CONTACT, true);
    try_gap(0.25, &o, STLCLASH_CLEAR, true);
}

TEST(options_out_of_range_are_refused)
{
    stl_image image = make_l_prism(1);
    stlclash_mesh *mesh = ask_mesh(&image);
    stlclash_result *result;
    stlclash_error error;
    double scaled[16] = {2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1};
    double mirror[16] = {-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    double far[16] = {1, 0, 0, 1e70, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    double nan[16] = {1, 0, 0, NAN, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    enum { CASES = 16 };
    stlclash_options bad[CASES];
    for (int i = 0; i < CASES; i++) {
        bad[i] = stlclash_options_default();
    }
    bad[0].clearance = -1;
    bad[1].clearance = NAN;
    bad[2].clearance = INFINITY;
    bad[3].touch_gap = -2;
    bad[4].threads = -1;
    bad[5].placement[0] = scaled;
    bad[6].placement[1] = mirror;
    bad[7].placement[0] = far;
    bad[8].placement[1] = nan;
    bad[9].depth_error = 1e-7;
    bad[10].depth_error = 2;
    bad[11].max_depth = -0.5;
    bad[12].max_volume = NAN;
    bad[13].touch_overlap = INFINITY;
    bad[14].max_seconds = -1;
    bad[15].max_seconds = NAN;
    for (int i = 0; i < CASES; i++) {
        stlclash_code code = stlclash_check(mesh, mesh, &bad[i], &result, &error);
        CHECK((code == STLCLASH_E_ARGUMENT || code == STLCLASH_E_RANGE) && !result && error.text[0],
              "case %d gives %s", i, stlclash_code_text(code));
    }
    CHECK(strstr(error.text, "a number"), "NaN seconds: %s", error.text);
    stlclash_mesh_free(mesh);
    image_free(&image);
}

/* Of each code and word its own, also where a caller passes what there is not. */
TEST(all_that_is_told_has_a_text)
{
    const char *text[32];
    int count = 0;
    for (int i = 0; i <= STLCLASH_E_MEMORY + 1; i++) {
        text[count++] = stlclash_code_text((stlclash_code)i);
    }
    for (int i = 0; i <= STLCLASH_CLEAR + 1; i++) {
        text[count++] = stlclash_status_text((stlclash_status)i);
    }
    for (int i = 0; i <= STLCLASH_FACE + 1; i++) {
        text[count++] = stlclash_feature_text((stlclash_feature)i);
    }
    for (int i = 0; i < count; i++) {
        CHECK(text[i] && text[i][0], "%d has no text", i);
        for (int k = 0; k < i; k++) {
            CHECK(strcmp(text[i], text[k]) != 0, "%s twice", text[i]);
        }
    }
}

static bool refuse(void *context, double done)
{
    (void)done;
    (*(int *)context)++;
    return false;
}

TEST(a_cancelled_check_is_undecided)
{
    stl_image image = make_bumpy(1, 8);
    stlclash_mesh *mesh = ask_mesh(&image);
    stlclash_options options = stlclash_options_default();
    int calls = 0;
    options.progress = refuse;
    options.progress_context = &calls;
    stlclash_result *r = ask_pair(mesh, mesh, &options);
    CHECK(calls > 0 && r->status == STLCLASH_UNDECIDED && !r->pass, "not undecided");
    CHECK(r->note_count == 1 && strcmp(r->notes[0], "cancelled") == 0, "no note");
    CHECK(!r->has_separation && !r->has_hit_count, "something is claimed");
    stlclash_result_free(r);
    stlclash_mesh_free(mesh);
    image_free(&image);
}

/* ---- memory --------------------------------------------------------------- */

/* Each in turn, or in a slow build some: then the check says so, or does without it. Returns how
 * many there are. */
static unsigned long fail_each(const stl_image *ia, const stl_image *ib,
                               const stlclash_options *options)
{
    const unsigned long step = TEST_DIVISOR > 1 ? 7 : 1;
    unsigned long n = 1;
    for (bool more = true; more && n < 100000; n += step) {
        stlclash_mesh *a = NULL, *b = NULL;
        stlclash_result *result = NULL;
        stlclash_error error;
        sc_alloc_fail_at(n);
        stlclash_code code = stlclash_mesh_parse(ia->bytes, ia->size, &a, &error);
        code = code ? code : stlclash_mesh_parse(ib->bytes, ib->size, &b, &error);
        code = code ? code : stlclash_check(a, b, options, &result, &error);
        const unsigned long made = sc_alloc_fail_at(0);
        CHECK(code == STLCLASH_OK || code == STLCLASH_E_MEMORY, "allocation %lu gives %s", n,
              stlclash_code_text(code));
        CHECK((code == STLCLASH_OK) == (result != NULL), "allocation %lu: result", n);
        CHECK(!result || result->status == STLCLASH_CLASH, "allocation %lu: %s", n,
              stlclash_status_text(result->status));
        stlclash_result_free(result);
        stlclash_mesh_free(a);
        stlclash_mesh_free(b);
        more = made >= n;
    }
    return n;
}

TEST(every_allocation_may_fail)
{
    stl_image ia = make_bumpy(1, 12), ib = make_bumpy(1, 13);
    image_move(&ib, 1.2, 0, 0);
    image_shuffle(&ib);
    stlclash_options options = stlclash_options_default();
    options.max_hits = STLCLASH_ALL_HITS;
    options.overlap_mesh = true;
    const unsigned long n = fail_each(&ia, &ib, &options);
    CHECK(n > 50, "only %lu allocations", n);
    image_free(&ia);
    image_free(&ib);
}

/* Where one proof is enough. */
TEST(every_allocation_of_a_glance_may_fail)
{
    stl_image twice = make_bumpy(1, 21);
    stl_image bush[2] = {make_bush(0.5, 1.0, 2.0, 40, 1), make_bush(0.2, 0.52, 2.0, 40, 1)};
    stlclash_options options = stlclash_options_default();
    options.quick = true;
    options.threads = 1;
    CHECK(fail_each(&twice, &twice, &options) > 20, "hardly any allocations");
    CHECK(fail_each(&bush[0], &bush[1], &options) > 20, "hardly any allocations");
    image_free(&twice);
    image_free(&bush[0]);
    image_free(&bush[1]);
}
