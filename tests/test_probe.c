/* test_probe.c - probes of whole parts against rationals. */
#include "ask.h"
#include "base/alloc.h"
#include "oracle_exact.h"
#include "oracle_probe.h"
#include "shapes.h"
#include "stlclash.h"
#include "test.h"
#include "triangles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- whole parts ------------------------------------------------------------------------ */

/* A part, its placed triangles, and what a segment meets of them by brute force. */
typedef struct part_case {
    stl_image image;
    stlclash_mesh *mesh;
    stlclash_prober *prober;
    sc_vec3 (*triangles)[3];
    int count;
    bool closed;
} part_case;

typedef struct truth_hit {
    mpq_t t0, t1;
    uint32_t triangle, triangles;
} truth_hit;

static void make_part(part_case *c, stl_image image, const double *placement)
{
    stlclash_error error;
    sc_placement placed;
    *c = (part_case){.image = image, .count = (int)image_facets(&image)};
    CHECK(stlclash_mesh_parse(image.bytes, image.size, &c->mesh, &error) == STLCLASH_OK, "%s",
          error.text);
    CHECK(stlclash_prober_make(c->mesh, placement, true, &c->prober, &error) == STLCLASH_OK, "%s",
          error.text);
    sc_placement_make(placement, "it", 1.0, &placed, &error);
    c->triangles = calloc((size_t)c->count, sizeof *c->triangles);
    for (int i = 0; i < c->count; i++) {
        shape_facet facet = image_get(&image, (size_t)i);
        for (int k = 0; k < 3; k++) {
            c->triangles[i][k] = sc_place(&placed, facet.corner[k]);
        }
    }
    c->closed = stlclash_prober_part(c->prober).closed;
}

static void free_part(part_case *c)
{
    stlclash_prober_free(c->prober);
    stlclash_mesh_free(c->mesh);
    image_free(&c->image);
    free(c->triangles);
}

static int by_start(const void *a, const void *b)
{
    const truth_hit *x = a, *y = b;
    int order = mpq_cmp(x->t0, y->t0);
    return order ? order : (x->triangle > y->triangle) - (x->triangle < y->triangle);
}

enum { MOST_HITS = 4096 };
static truth_hit truth[MOST_HITS];

/* The places at which the segment meets the part, in order. */
static int find_truth(const part_case *c, sc_vec3 p, sc_vec3 q)
{
    static bool made;
    int count = 0, places = 0;
    bool inside;
    for (int i = 0; i < MOST_HITS && !made; i++) {
        mpq_inits(truth[i].t0, truth[i].t1, NULL);
    }
    made = true;
    for (int i = 0; i < c->count && count < MOST_HITS; i++) {
        if (oracle_stretch(p, q, (const sc_vec3 *)c->triangles[i], truth[count].t0, truth[count].t1,
                           &inside)) {
            truth[count].triangle = (uint32_t)i;
            truth[count++].triangles = 1;
        }
    }
    qsort(truth, (size_t)count, sizeof *truth, by_start);
    for (int i = 0; i < count; i++) {
        truth_hit *last = places > 0 ? &truth[places - 1] : NULL;
        if (!last || mpq_cmp(truth[i].t0, last->t1) > 0) {
            mpq_swap(truth[places].t0, truth[i].t0);
            mpq_swap(truth[places].t1, truth[i].t1);
            truth[places].triangle = truth[i].triangle;
            truth[places++].triangles = 1;
            continue;
        }
        last->triangles++;
        last->triangle = truth[i].triangle < last->triangle ? truth[i].triangle : last->triangle;
        if (mpq_cmp(truth[i].t1, last->t1) > 0) {
            mpq_set(last->t1, truth[i].t1);
        }
    }
    return places;
}

static sc_vec3 vertex_of(const part_case *c)
{
    return c->triangles[test_below(c->count)][test_below(3)];
}

static sc_vec3 random_point(const part_case *c, double beyond)
{
    stlclash_part_result part = stlclash_prober_part(c->prober);
    double x[3];
    for (int k = 0; k < 3; k++) {
        double low = part.bounds[0][k], high = part.bounds[1][k], margin = beyond * (high - low);
        x[k] = test_uniform(low - margin, high + margin);
        if (test_below(3) == 0) { /* floats: sums and doubles of them are exact */
            x[k] = (double)(float)x[k];
        }
    }
    return (sc_vec3){x[0], x[1], x[2]};
}

/* Random ones, and those that go through vertices, edges and along facets. */
static stlclash_probe draw_probe(const part_case *c, int kind)
{
    sc_vec3 p = random_point(c, 0.3), q = random_point(c, 0.3);
    const sc_vec3 *t = c->triangles[test_below(c->count)];
    int axis = test_below(3);
    double way[3];

    switch (kind) {
    case 1: q = sc_sub(sc_scale(vertex_of(c), 2.0), p); break;
    case 2: q = vertex_of(c); break;
    case 3: p = vertex_of(c), q = vertex_of(c); break;
    case 4: q = sc_sub(sc_add(t[0], t[1]), p); break;
    case 5: /* along an edge */
        p = sc_sub(sc_scale(t[0], 2.0), t[1]);
        q = sc_sub(sc_scale(t[1], 3.0), sc_scale(t[0], 2.0));
        break;
    case 6: /* parallel to an axis, through a vertex */
    case 7: /* or from it */
        p = vertex_of(c);
        way[0] = q.x, way[1] = q.y, way[2] = q.z;
        q = p;
        (axis == 0 ? &q.x : axis == 1 ? &q.y : &q.z)[0] = way[axis];
        if (kind == 6) {
            (axis == 0   ? &p.x
             : axis == 1 ? &p.y
                         : &p.z)[0] = 2.0 * sc_component(p, axis) - way[axis];
        }
        break;
    case 8: /* a short one */ q = sc_mul_add(p, 0x1p-6, sc_sub(q, p)); break;
    case 9: q = p; break;
    case 10: p = sc_mul_add(q, 1000.0, sc_sub(p, q)); break; /* from far away */
    }
    return (stlclash_probe){.from = {p.x, p.y, p.z}, .to = {q.x, q.y, q.z}};
}
enum { PROBE_WAYS = 11 };

static stlclash_passing passing_of(bool before, bool after)
{
    return before == after ? STLCLASH_TOUCHES : after ? STLCLASH_ENTERS : STLCLASH_LEAVES;
}

/* What is inside between the places, by rays of its own. */
static void check_passings(const part_case *c, sc_vec3 p, sc_vec3 q, const stlclash_probe_hit *hits,
                           int count)
{
    mpq_t middle, zero, one;
    mpq_inits(middle, zero, one, NULL);
    mpq_set_ui(one, 1, 1);
    bool before = false;
    for (int i = 0; i <= count; i++) {
        mpq_t *from = i > 0 ? &truth[i - 1].t1 : &zero, *to = i < count ? &truth[i].t0 : &one;
        bool gap = mpq_cmp(*from, *to) < 0, after = false;
        if (gap) {
            mpq_add(middle, *from, *to);
            mpq_div_2exp(middle, middle, 1);
            after = oracle_inside(p, q, middle, (const sc_vec3(*)[3])c->triangles, c->count);
        }
        if (i > 0) {
            bool ends = mpq_sgn(truth[i - 1].t0) == 0 || mpq_cmp(truth[i - 1].t1, one) == 0;
            stlclash_passing expected = ends ? STLCLASH_TOUCHES : passing_of(before, after);
            CHECK(hits[i - 1].passing == expected, "hit %d of %d: %s, not %s", i - 1, count,
                  stlclash_passing_text(hits[i - 1].passing), stlclash_passing_text(expected));
        }
        before = after;
    }
    mpq_clears(middle, zero, one, NULL);
}

static void check_probe(const part_case *c, const stlclash_probe *probe, const char *what)
{
    stlclash_error error;
    stlclash_probe_hit *hits, first;
    size_t count;
    bool any, found;
    sc_vec3 p = {probe->from[0], probe->from[1], probe->from[2]};
    sc_vec3 q = {probe->to[0], probe->to[1], probe->to[2]};
    int expected = find_truth(c, p, q);

    stlclash_prober_all(c->prober, probe, &hits, &count, &error);
    stlclash_prober_any(c->prober, probe, &any, &error);
    stlclash_prober_first(c->prober, probe, &found, &first, &error);
    CHECK((int)count == expected, "%s: %zu places, not %d, from %a,%a,%a to %a,%a,%a", what, count,
          expected, p.x, p.y, p.z, q.x, q.y, q.z);
    CHECK(any == (expected > 0) && found == any, "%s: any %d, first %d of %d", what, any, found,
          expected);
    CHECK(!found || count == 0 || memcmp(&first, &hits[0], sizeof first) == 0,
          "%s: the first is another", what);
    bool point = p.x == q.x && p.y == q.y && p.z == q.z;
    for (int i = 0; i < expected && (int)count == expected && !point; i++) {
        CHECK(hits[i].triangle == truth[i].triangle && hits[i].triangles == truth[i].triangles &&
                  oracle_close(hits[i].t, truth[i].t0) && oracle_close(hits[i].t_end, truth[i].t1),
              "%s: hit %d: %u (%u) at %.17g .. %.17g, not %u (%u) at %.17g .. %.17g", what, i,
              hits[i].triangle, hits[i].triangles, hits[i].t, hits[i].t_end, truth[i].triangle,
              truth[i].triangles, mpq_get_d(truth[i].t0), mpq_get_d(truth[i].t1));
    }
    if (c->closed && (int)count == expected && !point) {
        check_passings(c, p, q, hits, expected);
    }
    stlclash_probe_hits_free(hits);
}

static void check_part(stl_image image, const double *placement, int probes, const char *what)
{
    part_case c;
    make_part(&c, image, placement);
    for (int i = 0; i < probes; i++) {
        stlclash_probe probe = draw_probe(&c, i % PROBE_WAYS);
        check_probe(&c, &probe, what);
    }
    free_part(&c);
}

static const double zeros[3] = {0, 0, 0}, ones[3] = {1, 1, 1};

/* So far that floats tell nothing about the part. */
TEST(probes_from_far_away)
{
    part_case c;
    make_part(&c, make_soup(50, 0.9), NULL);
    for (double far = 1e3; far < 1e21; far *= 1e3) {
        for (int i = 0, count = test_rounds(40); i < count; i++) {
            double y = test_uniform(0, 1), z = test_uniform(0, 1);
            stlclash_probe probe = {.from = {far, y, z}, .to = {-far, y, z}};
            check_probe(&c, &probe, "far away");
        }
    }
    free_part(&c);
}

TEST(probes_meet_parts_as_rationals_say)
{
    for (int place = 0; place < 2; place++) {
        const double *placement = place ? ask_aslant : NULL;
        int n = test_rounds(55);
        check_part(make_box(zeros, ones, 1), placement, n, "cube");
        check_part(make_box(zeros, (double[]){3, 1, 2}, 4), placement, n, "box");
        check_part(make_sphere(1.0, 4), placement, n, "sphere");
        check_part(make_torus(2.0, 0.5, 16, 8), placement, n, "torus");
        check_part(make_cylinder(0.3, 40.0, 24), placement, n, "needles");
        check_part(make_cylinder(1.0, 2.0, 90), placement, n, "more in one corner than are kept");
        check_part(make_l_prism(2.0), placement, n, "L");
        check_part(make_hollow_box(zeros, ones, 0.25), placement, n, "hollow");
        check_part(make_soup(150, 0.3), placement, n, "soup");
    }
}

TEST(probes_meet_odd_parts_as_rationals_say)
{
    int n = test_rounds(55);
    stl_image far = make_box(zeros, ones, 3), huge = make_sphere(1.0, 3);
    stl_image tiny = make_sphere(1.0, 3), inverted = make_torus(2.0, 0.5, 12, 6);
    stl_image twice = make_box(zeros, ones, 2), again = make_box(zeros, ones, 2);
    stl_image shuffled = make_bumpy(1.0, 5);
    float odd[12 * 9];

    image_move(&far, 70000.0, -30000.0, 5.0);
    check_part(far, NULL, n, "far");
    image_scale(&huge, 1e37);
    check_part(huge, NULL, n, "huge");
    image_scale(&tiny, 1e-37);
    check_part(tiny, NULL, n, "tiny");
    image_invert(&inverted);
    check_part(inverted, NULL, n, "inverted");
    image_shuffle(&shuffled);
    image_rotate_corners(&shuffled);
    check_part(shuffled, NULL, n, "shuffled");
    image_join(&twice, &again); /* every facet twice: parity says nothing */
    image_free(&again);
    part_case c;
    make_part(&c, twice, NULL);
    c.closed = false;
    for (int i = 0; i < n; i++) {
        stlclash_probe probe = draw_probe(&c, i % PROBE_WAYS);
        check_probe(&c, &probe, "twice");
    }
    free_part(&c);
    for (int round = test_rounds(20); round > 0; round--) { /* points, segments, flat ones */
        for (int i = 0; i < 12 * 9; i++) {
            odd[i] = (float)test_below(4);
        }
        check_part(make_facets(odd, 12), NULL, 33, "degenerate");
    }
}

/* A box of size 1 with a box-shaped cavity, and a body in that. */
static stl_image make_nested(const double corner[3])
{
    stl_image all = {0};
    for (int level = 0; level < 3; level++) {
        double low[3], high[3], edge = level * test_uniform(0.125, 0.2);
        for (int k = 0; k < 3; k++) {
            low[k] = corner[k] + edge;
            high[k] = corner[k] + 1.0 - edge;
        }
        stl_image box = make_box(low, high, (uint32_t)(1 + test_below(2)));
        if (level == 0) {
            all = box;
            continue;
        }
        if (level == 1) {
            image_invert(&box);
        }
        image_join(&all, &box);
        image_free(&box);
    }
    return all;
}

TEST(probes_enter_and_leave_shells_that_touch)
{
    /* Exact; what is rounded may overlap by that, and be entered before the other is left. */
    static const double quarter_turn[16] = {0, -1, 0, 3, 1, 0, 0, -2, 0, 0, 1, 0.5, 0, 0, 0, 1};
    for (int round = test_rounds(16); round > 0; round--) {
        stl_image all = make_nested(zeros);
        for (int axis = test_below(4) - 1; axis >= 0; axis--) {
            double corner[3] = {0, 0, 0};
            corner[axis] = 1.0; /* a face in common with the first; and with others, what comes */
            for (int k = 0; k < axis; k++) {
                corner[k] = 0.5 * test_below(3);
            }
            stl_image more = make_nested(corner);
            image_join(&all, &more);
            image_free(&more);
        }
        check_part(all, round % 2 ? quarter_turn : NULL, 2 * PROBE_WAYS, "shells");
    }
}

/* ---- distance ---------------------------------------------------------------------------- */

TEST(nearest_is_that_of_all_triangles)
{
    mpq_t square, least;
    mpq_inits(square, least, NULL);
    for (int kind = 0; kind < 6; kind++) {
        part_case c;
        make_part(&c,
                  kind < 2   ? make_torus(2.0, 0.5, 14, 7)
                  : kind < 4 ? make_cylinder(0.3, 40.0, 40)
                             : make_soup(100, 0.2),
                  kind % 2 ? ask_aslant : NULL);
        for (int i = test_rounds(60); i > 0; i--) {
            stlclash_probe probe = draw_probe(&c, i % PROBE_WAYS);
            stlclash_probe_gap gap;
            stlclash_error error;
            bool found, less;
            sc_vec3 s[3];
            for (int k = 0; k < 3; k++) {
                const double *x = k == 0 ? probe.from : probe.to;
                s[k] = (sc_vec3){x[0], x[1], x[2]};
            }
            stlclash_prober_nearest(c.prober, &probe, INFINITY, &found, &gap, &error);
            for (int t = 0; t < c.count; t++) {
                oracle_distance_sq(square, s, (const sc_vec3 *)c.triangles[t]);
                if (t == 0 || mpq_cmp(square, least) < 0) {
                    mpq_set(least, square);
                }
            }
            double error_of = oracle_sqrt_error(least, gap.distance);
            double size = sc_length(sc_sub(s[1], s[0])) + gap.distance + 50.0;
            CHECK(found && fabs(error_of) <= 0x1p-49 * size, "shape %d: distance %a is off by %a",
                  kind, gap.distance, error_of);
            stlclash_prober_nearest(c.prober, &probe, gap.distance, &less, &gap, &error);
            CHECK(less, "shape %d: not found within its own distance", kind);
            if (gap.distance > 0.0) {
                stlclash_prober_nearest(c.prober, &probe, gap.distance * 0.999, &less, &gap,
                                        &error);
                CHECK(!less, "shape %d: found within less", kind);
            }
        }
        free_part(&c);
    }
    mpq_clears(square, least, NULL);
}

/* ---- many, placed, rays -------------------------------------------------------------------- */

TEST(many_probes_are_answered_like_one)
{
    enum { MANY = 300 };
    static stlclash_probe probes[MANY];
    static stlclash_probe_hit hits[MANY];
    static bool any[MANY];
    stlclash_error error;
    part_case c;

    make_part(&c, make_bumpy(1.0, 12), ask_aslant);
    for (int i = 0; i < MANY; i++) {
        probes[i] = draw_probe(&c, i % PROBE_WAYS);
        probes[i].ray = i % 4 == 3 && (probes[i].to[0] != 0.0 || probes[i].to[1] != 0.0);
    }
    stlclash_prober_first_many(c.prober, probes, MANY, hits, &error);
    stlclash_prober_any_many(c.prober, probes, MANY, any, &error);
    for (int i = 0; i < MANY; i++) {
        stlclash_probe_hit hit;
        bool found;
        stlclash_prober_first(c.prober, &probes[i], &found, &hit, &error);
        CHECK(found == any[i] && found == (hits[i].triangles > 0) &&
                  (!found || memcmp(&hit, &hits[i], sizeof hit) == 0),
              "probe %d is answered otherwise among many", i);
    }
    probes[7].from[1] = NAN;
    CHECK_INT(stlclash_prober_first_many(c.prober, probes, MANY, hits, &error),
              STLCLASH_E_ARGUMENT);
    free_part(&c);
}

TEST(a_placed_prober_is_one_made_there)
{
    stlclash_error error;
    part_case there, stored;
    stlclash_prober *placed;

    make_part(&there, make_torus(2.0, 0.5, 24, 12), ask_aslant);
    make_part(&stored, make_torus(2.0, 0.5, 24, 12), NULL);
    CHECK_INT(stlclash_prober_place(stored.prober, ask_aslant, &placed, &error), STLCLASH_OK);
    stlclash_prober_free(stored.prober); /* either may go first */
    stored.prober = placed;
    for (int i = test_rounds(400); i > 0; i--) {
        stlclash_probe probe = draw_probe(&there, i % PROBE_WAYS);
        stlclash_probe_hit *a, *b;
        size_t count_a, count_b;
        stlclash_prober_all(there.prober, &probe, &a, &count_a, &error);
        stlclash_prober_all(stored.prober, &probe, &b, &count_b, &error);
        CHECK(count_a == count_b && (count_a == 0 || memcmp(a, b, count_a * sizeof *a) == 0),
              "probe %d: %zu and %zu hits", i, count_a, count_b);
        stlclash_probe_hits_free(a);
        stlclash_probe_hits_free(b);
    }
    CHECK_INT(stlclash_prober_place(stored.prober, (double[16]){2, 0, 0, 0}, &placed, &error),
              STLCLASH_E_ARGUMENT);
    free_part(&there);
    free_part(&stored);
}

TEST(rays_are_segments_that_end_outside)
{
    stlclash_error error;
    part_case c;

    make_part(&c, make_box(zeros, ones, 2), NULL);
    for (int i = test_rounds(2000); i > 0; i--) {
        stlclash_probe ray = {.ray = true}, segment = {.radius = 0.0};
        double size = ldexp(1.0, test_below(40) - 20);
        for (int k = 0; k < 3; k++) { /* small whole numbers: nothing is rounded */
            ray.from[k] = 0.25 * test_below(9) - 0.5;
            ray.to[k] = size * (test_below(5) - 2);
            segment.from[k] = ray.from[k];
            segment.to[k] = ray.from[k] + ray.to[k] * (64.0 / size);
        }
        stlclash_probe_hit *a, *b;
        size_t count_a = 0, count_b = 0;
        bool still = ray.to[0] == 0.0 && ray.to[1] == 0.0 && ray.to[2] == 0.0;
        stlclash_code code = stlclash_prober_all(c.prober, &ray, &a, &count_a, &error);
        CHECK_INT(code, still ? STLCLASH_E_ARGUMENT : STLCLASH_OK);
        stlclash_prober_all(c.prober, &segment, &b, &count_b, &error);
        CHECK(still || count_a == count_b, "%zu hits, not %zu", count_a, count_b);
        for (size_t h = 0; h < count_a && count_a == count_b; h++) {
            CHECK(a[h].passing == b[h].passing && a[h].triangle == b[h].triangle &&
                      memcmp(a[h].point, b[h].point, sizeof a[h].point) == 0 &&
                      fabs(a[h].t * size - b[h].t * 64.0) <= 1e-12,
                  "hit %zu: %s at %a, not %s at %a", h, stlclash_passing_text(a[h].passing), a[h].t,
                  stlclash_passing_text(b[h].passing), b[h].t);
        }
        stlclash_probe_hits_free(a);
        stlclash_probe_hits_free(b);
    }
    free_part(&c);
}

/* ---- verdicts ------------------------------------------------------------------------------ */

static bool has_note(const stlclash_probe_result *r, const char *note)
{
    bool found = false;
    for (size_t i = 0; i < r->note_count; i++) {
        found = found || strcmp(r->notes[i], note) == 0;
    }
    return found;
}

TEST(capsules_are_judged_by_their_distance)
{
    stlclash_error error;
    part_case c;
    mpq_t t;
    int statuses[STLCLASH_CLEAR + 1] = {0}, contacts = 0;

    mpq_init(t);
    make_part(&c, make_l_prism(2.0), NULL);
    for (int i = test_rounds(600); i > 0; i--) {
        stlclash_probe probe = draw_probe(&c, i % 2 ? 0 : 8);
        stlclash_options options = stlclash_options_default();
        stlclash_probe_result *r;
        sc_vec3 s[2] = {{probe.from[0], probe.from[1], probe.from[2]},
                        {probe.to[0], probe.to[1], probe.to[2]}};
        probe.radius = test_uniform(0.0, 0.4);
        options.clearance = 0.2;
        CHECK_INT(stlclash_prober_check(c.prober, &probe, &options, &r, &error), STLCLASH_OK);
        bool inside = oracle_inside(s[0], s[1], t, (const sc_vec3(*)[3])c.triangles, c.count);
        stlclash_probe_gap gap;
        bool found;
        stlclash_prober_nearest(c.prober, &probe, INFINITY, &found, &gap, &error);
        double d = gap.distance - probe.radius;
        stlclash_status expected = inside || d < 0.0 ? STLCLASH_CLASH
                                   : d < 0.2         ? STLCLASH_NEAR
                                                     : STLCLASH_CLEAR;
        CHECK(r->status == expected, "%s, not %s, at %g", stlclash_status_text(r->status),
              stlclash_status_text(expected), d);
        CHECK(r->pass == (expected == STLCLASH_CLEAR), "pass is %d", r->pass);
        CHECK(r->has_inside && r->inside == inside, "inside is %d", r->inside);
        statuses[r->status]++;
        /* The ball may go as far as it says, and hardly farther. */
        stlclash_prober_nearest(
            c.prober,
            &(stlclash_probe){.from = {s[0].x, s[0].y, s[0].z}, .to = {s[0].x, s[0].y, s[0].z}},
            INFINITY, &found, &gap, &error);
        bool begins_clear = !inside && gap.distance > probe.radius + 1e-6;
        CHECK(r->has_contact == (begins_clear && d < 0.0) || fabs(d) < 1e-6 ||
                  fabs(gap.distance - probe.radius) < 1e-6,
              "contact is %d where it begins %g clear, and %g at best", r->has_contact,
              gap.distance - probe.radius, d);
        if (r->has_contact) {
            contacts++;
            const double *x = r->contact_centre;
            stlclash_probe at = {.from = {x[0], x[1], x[2]}, .to = {x[0], x[1], x[2]}};
            stlclash_prober_nearest(c.prober, &at, INFINITY, &found, &gap, &error);
            CHECK(fabs(gap.distance - probe.radius) < 1e-8 || has_note(r, "contact_early"),
                  "at the contact it is %a from it", gap.distance - probe.radius);
            at.to[0] = probe.from[0], at.to[1] = probe.from[1], at.to[2] = probe.from[2];
            stlclash_prober_nearest(c.prober, &at, INFINITY, &found, &gap, &error);
            CHECK(gap.distance >= probe.radius * (1.0 - 0x1p-40), "late: %a too near before",
                  probe.radius - gap.distance);
        }
        stlclash_probe_result_free(r);
    }
    CHECK(statuses[STLCLASH_CLASH] && statuses[STLCLASH_NEAR] && statuses[STLCLASH_CLEAR] &&
              contacts,
          "a kind of verdict is missing");
    mpq_clear(t);
    free_part(&c);
}

TEST(probes_out_of_range_are_refused)
{
    const struct {
        stlclash_probe probe;
        stlclash_code code;
    } row[] = {
        {{.from = {NAN, 0, 0}, .to = {1, 0, 0}}, STLCLASH_E_ARGUMENT},
        {{.from = {0, 0, 0}, .to = {1, INFINITY, 0}}, STLCLASH_E_ARGUMENT},
        {{.to = {1, 0, 0}, .radius = -1}, STLCLASH_E_ARGUMENT},
        {{.to = {1, 0, 0}, .radius = NAN}, STLCLASH_E_ARGUMENT},
        {{.from = {0, 0, 1e60}, .to = {0, 0, 1}}, STLCLASH_E_RANGE},
        {{.from = {1, 0, 0}, .ray = true}, STLCLASH_E_ARGUMENT},
        {{.from = {1, 0, 0}, .to = {0, 1e-310, 0}, .ray = true}, STLCLASH_E_RANGE},
        {{.from = {0.1, 0.2, 0.3}, .to = {0.3, 0, 1e59}}, STLCLASH_E_RANGE},
    };
    stlclash_error error;
    stlclash_prober *surface;
    part_case c;

    make_part(&c, make_box(zeros, ones, 1), NULL);
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        stlclash_probe_hit hit;
        bool found = true;
        error.text[0] = 0;
        stlclash_code code = stlclash_prober_first(c.prober, &row[i].probe, &found, &hit, &error);
        CHECK(code == row[i].code && !found && error.text[0], "row %zu: %s", i,
              stlclash_code_text(code));
    }
    const stlclash_probe probe = {.from = {2, 2, 2}, .to = {3, 3, 3}};
    stlclash_probe_gap gap;
    stlclash_probe_result *result;
    bool found;
    CHECK_INT(stlclash_prober_nearest(c.prober, &probe, -1, &found, &gap, &error),
              STLCLASH_E_ARGUMENT);
    CHECK_INT(stlclash_prober_nearest(c.prober, &probe, NAN, &found, &gap, &error),
              STLCLASH_E_ARGUMENT);
    CHECK_INT(stlclash_prober_make(c.mesh, NULL, false, &surface, &error), STLCLASH_OK);
    CHECK_INT(stlclash_prober_check(surface, &probe, NULL, &result, &error), STLCLASH_E_ARGUMENT);
    CHECK(!result && strstr(error.text, "solid"), "%s", error.text);
    stlclash_prober_free(surface);
    free_part(&c);
}

/* How deep the point lies in the part; 0 outside. */
static double depth_at(const part_case *c, const double x[3])
{
    const stlclash_probe at = {.from = {x[0], x[1], x[2]}, .to = {x[0], x[1], x[2]}};
    const stlclash_options exact = {.exact = true};
    stlclash_probe_result *r;
    stlclash_probe_gap gap;
    stlclash_error error;
    bool found;
    CHECK_INT(stlclash_prober_check(c->prober, &at, &exact, &r, &error), STLCLASH_OK);
    stlclash_prober_nearest(c->prober, &at, INFINITY, &found, &gap, &error);
    const bool inside = r->has_inside && r->inside;
    stlclash_probe_result_free(r);
    return inside ? gap.distance : 0;
}

/* Lines that lie in the part, or partly, against many points of them. */
TEST(lines_are_judged_by_their_deepest_point)
{
    enum { POINTS = 100 };
    int statuses[STLCLASH_CLEAR + 1] = {0};
    part_case c;

    make_part(&c, make_l_prism(2.0), NULL);
    for (int i = 20 + test_rounds(100); i > 0; i--) {
        stlclash_probe probe = draw_probe(&c, 0);
        stlclash_options options = stlclash_options_default();
        stlclash_probe_result *r;
        stlclash_error error;
        double deepest = 0, way[3];
        for (int k = 0; k < 3; k++) {
            way[k] = probe.to[k] - probe.from[k];
        }
        for (int n = 0; n <= POINTS; n++) {
            double x[3];
            for (int k = 0; k < 3; k++) {
                x[k] = probe.from[k] + way[k] * n / POINTS;
            }
            deepest = fmax(deepest, depth_at(&c, x));
        }
        const double slack = sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]) / POINTS;
        options.touch_overlap = test_uniform(0.01, 0.5);
        CHECK_INT(stlclash_prober_check(c.prober, &probe, &options, &r, &error), STLCLASH_OK);
        if (deepest > options.touch_overlap) {
            CHECK(r->status == STLCLASH_CLASH, "%s: %g deep", stlclash_status_text(r->status),
                  deepest);
        } else if (deepest > 0 && deepest + slack < options.touch_overlap) {
            CHECK(r->status == STLCLASH_CONTACT, "%s: %g deep", stlclash_status_text(r->status),
                  deepest);
        }
        statuses[r->status]++;
        stlclash_probe_result_free(r);
    }
    CHECK(statuses[STLCLASH_CLASH] && statuses[STLCLASH_CONTACT], "a kind of verdict is missing");
    free_part(&c);
}

/* Outwards, and inwards: before its start there is no line. */
TEST(lines_that_start_on_a_face_touch_it)
{
    part_case c;
    stlclash_options options = stlclash_options_default();
    options.exact = true;
    make_part(&c, make_box((double[]){0, 0, 0}, (double[]){10, 10, 10}, 1), NULL);
    for (int side = 0; side < 6; side++) {
        for (int end = 0; end < 2; end++) { /* or that end on it */
            for (int in = 0; in < 2; in++) {
                double on[3] = {3, 4, 6}, off[3];
                stlclash_probe probe = {.radius = 0};
                stlclash_probe_result *r;
                stlclash_error error;
                on[side / 2] = side % 2 ? 10 : 0;
                memcpy(off, on, sizeof off);
                off[side / 2] += side % 2 == in ? -2 : 2;
                memcpy(probe.from, end ? off : on, sizeof on);
                memcpy(probe.to, end ? on : off, sizeof on);
                CHECK_INT(stlclash_prober_check(c.prober, &probe, &options, &r, &error),
                          STLCLASH_OK);
                CHECK(r->status == (in ? STLCLASH_CLASH : STLCLASH_CONTACT),
                      "side %d, end %d, in %d: %s", side, end, in, stlclash_status_text(r->status));
                stlclash_probe_result_free(r);
            }
        }
    }
    free_part(&c);
}

/* Corners, middles of edges, and inside facets: a probe that is a point of the surface. */
TEST(points_of_the_surface_touch_it)
{
    const stl_image images[] = {make_box(zeros, ones, 2), make_hollow_box(zeros, ones, 0.25),
                                make_l_prism(2.0)};
    const stlclash_options options = {.exact = true};

    for (size_t i = 0; i < sizeof images / sizeof *images; i++) {
        part_case c;
        make_part(&c, images[i], NULL);
        for (int n = 0; n < 9 * c.count; n++) {
            static const double shares[3][3] = {{1, 0, 0}, {0.5, 0.5, 0}, {0.5, 0.25, 0.25}};
            const double *share = shares[n / 3 % 3];
            stlclash_probe probe = {.radius = 0};
            stlclash_probe_result *r;
            stlclash_error error;
            for (int k = 0; k < 3; k++) {
                const sc_vec3 v = c.triangles[n / 9][(n + k) % 3];
                probe.from[0] += share[k] * v.x;
                probe.from[1] += share[k] * v.y;
                probe.from[2] += share[k] * v.z;
            }
            memcpy(probe.to, probe.from, sizeof probe.to);
            CHECK_INT(stlclash_prober_check(c.prober, &probe, &options, &r, &error), STLCLASH_OK);
            CHECK(r->status == STLCLASH_CONTACT && r->hit_count == 1 && !r->has_inside,
                  "part %zu, point %d: %s", i, n, stlclash_status_text(r->status));
            stlclash_probe_result_free(r);
        }
        free_part(&c);
    }
}

/* All along at the depth that is allowed for; from so far off that places are less well known. */
TEST(probes_say_what_they_do_not_know)
{
    part_case c;
    stlclash_options options = stlclash_options_default();
    stlclash_probe_result *r, *far;
    stlclash_error error;
    stlclash_probe probe = {.from = {2, 5, 1.25}, .to = {8, 5, 1.25}};

    make_part(&c, make_box((double[]){0, 0, 0}, (double[]){10, 10, 10}, 1), NULL);
    options.touch_overlap = 1.25;
    CHECK_INT(stlclash_prober_check(c.prober, &probe, &options, &r, &error), STLCLASH_OK);
    CHECK(r->status == STLCLASH_UNDECIDED && has_note(r, "depth_undecided"), "%s",
          stlclash_status_text(r->status));
    for (int end = 0; end < 2; end++) {
        probe = (stlclash_probe){.from = {-3, 5, 5}, .to = {-2, 5, 5}};
        (end == 0 ? probe.from : probe.to)[0] = -1e12;
        CHECK_INT(stlclash_prober_check(c.prober, &probe, &options, &far, &error), STLCLASH_OK);
        CHECK(far->resolution > 100 * r->resolution, "%g, not %g", far->resolution, r->resolution);
        stlclash_probe_result_free(far);
    }
    stlclash_probe_result_free(r);

    /* A ball that is as far off as it is wide, and one that comes nearer ever so slowly. */
    for (int slow = 0; slow < 2; slow++) {
        const double off = slow * 1e-6, radius = slow ? 1 : 0.1;
        probe = (stlclash_probe){
            .from = {1, 5, 10 + radius + off}, .to = {9, 5, 10 + radius - off}, .radius = radius};
        options = stlclash_options_default();
        options.exact = !slow;
        CHECK_INT(stlclash_prober_check(c.prober, &probe, &options, &r, &error), STLCLASH_OK);
        CHECK(has_note(r, slow ? "contact_early" : "within_rounding"), "%d: no note", slow);
        CHECK(r->has_contact == slow, "%d: contact is %d", slow, r->has_contact);
        stlclash_probe_result_free(r);
    }
    free_part(&c);
}

TEST(probes_without_memory_say_so)
{
    stlclash_error error;
    stlclash_mesh *mesh;
    stl_image image = make_torus(2.0, 0.5, 24, 12);
    stlclash_probe probes[40];
    stlclash_probe_result *results[40];

    CHECK_INT(stlclash_mesh_parse(image.bytes, image.size, &mesh, &error), STLCLASH_OK);
    for (int i = 0; i < 40; i++) {
        probes[i] = (stlclash_probe){.from = {-4, 0.1 * i - 2, 0}, .to = {4, 0, 0}, .radius = 0.1};
    }
    int failures = 0;
    sc_alloc_fail_at(0);
    for (unsigned long n = 1, done = 0; !done && n < 100000; n += n < 60 ? 1 : n / 10) {
        stlclash_prober *prober;
        stlclash_probe_hit *hits = NULL, hit;
        size_t count;
        bool found;
        sc_alloc_fail_at(n);
        stlclash_code code = stlclash_prober_make(mesh, NULL, true, &prober, &error);
        if (code == STLCLASH_OK) {
            code = stlclash_prober_all(prober, &probes[20], &hits, &count, &error);
            stlclash_probe_hits_free(hits);
        }
        if (code == STLCLASH_OK) {
            code = stlclash_prober_first(prober, &probes[20], &found, &hit, &error);
        }
        if (code == STLCLASH_OK) {
            code = stlclash_prober_check_many(prober, probes, 40, NULL, results, &error);
            for (int i = 0; i < 40; i++) {
                CHECK(code == STLCLASH_OK || !results[i], "a result of a failed call");
                stlclash_probe_result_free(results[i]);
            }
        }
        stlclash_prober_free(prober);
        CHECK(code == STLCLASH_OK || code == STLCLASH_E_MEMORY, "code %d", code);
        failures += code != STLCLASH_OK;
        done = sc_alloc_fail_at(0) < n;
    }
    CHECK(failures > 20, "only %d failures", failures);
    stlclash_mesh_free(mesh);
    image_free(&image);
}

/* As a program may have none, with arrays that have no address. */
TEST(no_probes_are_answered)
{
    static const double low[3] = {0, 0, 0}, high[3] = {1, 1, 1};
    stl_image image = make_box(low, high, 1);
    stlclash_mesh *mesh;
    stlclash_prober *prober;
    stlclash_error error;

    CHECK_INT(stlclash_mesh_parse(image.bytes, image.size, &mesh, &error), STLCLASH_OK);
    CHECK_INT(stlclash_prober_make(mesh, NULL, true, &prober, &error), STLCLASH_OK);
    CHECK_INT(stlclash_prober_any_many(prober, NULL, 0, NULL, &error), STLCLASH_OK);
    CHECK_INT(stlclash_prober_first_many(prober, NULL, 0, NULL, &error), STLCLASH_OK);
    CHECK_INT(stlclash_prober_check_many(prober, NULL, 0, NULL, NULL, &error), STLCLASH_OK);
    stlclash_prober_free(prober);
    stlclash_mesh_free(mesh);
    image_free(&image);
}
