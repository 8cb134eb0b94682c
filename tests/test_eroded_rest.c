/* test_eroded_rest.c - what is left where erosion does not show that parts lie no deeper: all that
 * lies deeper is in its boxes. */
#include "ask.h"
#include "base/alloc.h"
#include "couple.h"
#include "erosion/eroded_rest.h"
#include "erosion/erosion_apart.h"
#include "geom/tri_intersect.h"
#include "shapes.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A screw in a nut that is too tight, of unlike tessellations; or a box in a hollow one, a little
 * aslant, and small bodies that lie within the walls: of the one part in the other, or the other
 * way round. */
static void make_tight(int round, stl_image *a, stl_image *b)
{
    if (round % 3 == 0) {
        shape pair[2];
        CHECK(shape_pair("screw", 10000 + test_below(5000), pair), "no screw");
        *a = image_of(&pair[0]);
        *b = image_of(&pair[1]);
        return;
    }
    const double more = ldexp(1.0, -5 - test_below(4)), low = 1 - more, high = 3 + more;
    *a = make_hollow_box((double[]){0, 0, 0}, (double[]){4, 4, 4}, 1);
    *b = make_box((double[]){low, low, low}, (double[]){high, high, high},
                  1 + (uint32_t)test_below(8));
    image_turn(b, test_uniform(0, 0.5 * more), test_uniform(0, 0.5 * more), 0);
    if (round % 3 == 1) {
        *b = image_joined(*b, make_box((double[]){0.25, 0.25, 0.25}, (double[]){0.75, 0.75, 0.75},
                                       1 + (uint32_t)test_below(2)));
    } else {
        *a = image_joined(*a, make_box((double[]){1.5, 1.5, 1.5}, (double[]){2.25, 2.25, 2.25},
                                       1 + (uint32_t)test_below(2)));
    }
}

static bool is_in_boxes(const sc_erosion_rest *rest, sc_vec3 p)
{
    for (size_t k = 0; k < rest->boxes; k++) {
        if (sc_box_holds(&rest->box[k], p)) {
            return true;
        }
    }
    return false;
}

/* Of some facets of part i, every so many: as many pairs with facets of the other part are listed
 * as meet. */
static void check_listed(const couple *c, int i, const sc_erosion *eroded,
                         const sc_eroded_pairs *met, int round)
{
    enum { MOST = 2000000 };
    const sc_part *own = &c->part[i], *other = &c->part[1 - i];
    const sc_facets *facets = &other->mesh->file.facets;
    const uint32_t all = own->mesh->file.facets.count;
    const uint32_t step = 1 + (uint32_t)((uint64_t)all * facets->count / MOST);
    size_t meet = 0, listed = 0;
    for (uint32_t f = 0; f < all; f += step) {
        uint32_t first, pieces = sc_erosion_pieces(eroded, f, &first);
        for (uint32_t k = 0; k < pieces * facets->count; k++) {
            sc_vec3 v[3], w[3];
            sc_erosion_vertices(eroded, first + k / facets->count, v);
            sc_triangle_vertices(facets, &other->used, k % facets->count, w);
            meet += sc_tri_meet(v, w) != SC_APART;
        }
    }
    for (size_t k = 0; k < met->count; k++) {
        listed += met->facet[k][0] % step == 0;
    }
    CHECK(listed == meet, "round %d, part %d: %zu pairs listed, %zu meet", round, i, listed, meet);
}

/* Some vertices stay where they are: then a look at what was displaced tells as much as one at
 * all. */
static void check_again(const sc_erosion_proof *proof, int i, sc_erosion *eroded,
                        const sc_eroded_pairs *met, int round)
{
    bool *displaced = calloc(eroded->fans, sizeof *displaced), apart[2];
    sc_eroded_pairs again[2] = {{.most = met->most}, {.most = met->most}};
    for (int k = 0; k < 2; k++) {
        again[k].facet = malloc(met->most * sizeof *met->facet);
    }
    again[1].count = met->count;
    again[1].displaced = displaced;
    memcpy(again[1].facet, met->facet, met->count * sizeof *met->facet);
    for (uint32_t k = 0; k < eroded->fans; k++) {
        displaced[k] = test_below(8) == 0;
        eroded->way[k] = sc_scale(eroded->way[k], displaced[k] ? 0.25 : 1.0);
    }
    sc_erosion_go(eroded, eroded->by, eroded->most);
    for (int k = 0; k < 2; k++) {
        CHECK(sc_erosion_is_apart(proof, i, eroded, &again[k], &apart[k]), "memory");
    }
    CHECK(apart[0] == apart[1] && again[0].count == again[1].count &&
              memcmp(again[0].facet, again[1].facet, again[0].count * sizeof *met->facet) == 0,
          "round %d, part %d: %zu pairs, %zu by what was displaced", round, i, again[0].count,
          again[1].count);
    for (int k = 0; k < 2; k++) {
        free(again[k].facet);
    }
    free(displaced);
}

/* Drawn back by the limit, one part or the other. Counts the places that lie deeper in the boxes,
 * the deepest of all first. */
static int check_rest(couple *c, int i, sc_vec3 deepest, double limit, int round)
{
    enum { MOST = 65536, LOOKS = 1000000 };
    sc_erosion_rest rest = {.depth = 0.0};
    const sc_erosion_proof proof = {
        .solid = {&c->solid[0], &c->solid[1]}, .limit = limit, .rest = &rest};
    sc_eroded_pairs met = {.facet = malloc(MOST * sizeof *met.facet), .most = MOST};
    sc_erosion eroded;
    const int places = LOOKS / (int)sc_parts_facets(&c->part[0], &c->part[1]);
    bool possible, apart;
    int found = 0;

    CHECK(sc_erosion_make(&c->part[i], NULL, NULL, NULL, &eroded, &possible) && possible, "made");
    const double share = round % 3 == 0 ? 1.0 : (test_below(4) + 1) * 0.25;
    sc_erosion_go(&eroded, share * limit, (1.0 - 0x1p-20) * limit);
    CHECK(sc_erosion_is_apart(&proof, i, &eroded, &met, &apart) && met.count < met.most, "met");
    check_listed(c, i, &eroded, &met, round);
    CHECK(sc_eroded_rest_boxes(&proof, i, &eroded, &met), "boxes");
    for (int n = 0; n < places && rest.boxes > 0 && !apart; n++) {
        const sc_vec3 p = n == 0 ? deepest : some_place(c, 2.0 * limit);
        const bool is_left = is_in_boxes(&rest, p);
        if (!is_left || n % 8 == 0) {
            const double depth = depth_at(c, p);
            CHECK(is_left || depth <= limit, "round %d, part %d: %g deep, not left at %g", round, i,
                  depth, limit);
            found += is_left && depth > limit;
        }
    }
    check_again(&proof, i, &eroded, &met, round);
    sc_erosion_free(&eroded);
    free(met.facet);
    sc_free(rest.box);
    return found;
}

TEST(all_that_lies_deeper_is_in_what_is_left)
{
    int found[3] = {0, 0, 0};
    for (int round = 0; round < test_rounds(30); round++) {
        stl_image a, b;
        couple c;
        make_tight(round, &a, &b);
        couple_make(&c, &a, &b);
        c.budget = 20000;
        const sc_depth depth = find(&c, 0.01, -1.0);
        for (int i = 0; i < 2; i++) {
            const bool is_screw = round % 3 == 0; /* of which much is left, by less */
            const double most = is_screw ? depth.depth : fmin(depth.depth, 0.05);
            const double limit = most * test_uniform(is_screw ? 0.85 : 0.5, 0.99);
            found[round % 3] += check_rest(&c, i, depth.point, limit, round);
        }
        couple_free(&c);
        image_free(&a);
        image_free(&b);
    }
    for (int k = 0; k < 3; k++) {
        CHECK(TEST_DIVISOR > 1 || found[k] > 0, "kind %d: nothing lies deeper", k);
    }
}

/* By erosion and a search of its rest; a search of all of it, which takes longer, finds nothing
 * deeper. */
TEST(the_depth_of_a_screw_in_a_tight_nut_is_told)
{
    for (int round = 0; round < test_rounds(4); round++) {
        shape pair[2];
        CHECK(shape_pair("screw", 3000 + 1500 * (round % 4), pair), "no screw");
        stl_image a = image_of(&pair[0]), b = image_of(&pair[1]);
        couple c;
        couple_make(&c, &a, &b);
        const stlclash_options options = ask_usual();
        stlclash_result *r = ask_images(&a, &b, &options);
        CHECK(r->has_overlap && !isnan(r->overlap.depth), "round %d: no depth", round);
        const sc_depth all = find(&c, 0.001, -1.0);
        const double most = r->overlap.depth + r->overlap.depth_error;
        CHECK(!all.complete || (all.depth <= most && all.bound >= r->overlap.depth * 0.9999),
              "round %d: %g to %g deep, not %g to %g", round, all.depth, all.bound,
              r->overlap.depth, most);
        const double *p = r->overlap.deepest_point, *v = r->overlap.deepest_vector;
        const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        CHECK(fabs(length - r->overlap.depth) <= 1e-9, "round %d: %g long, %g deep", round, length,
              r->overlap.depth);
        double winding;
        const double there = probe(c.mesh[r->overlap.deepest_in == STLCLASH_B],
                                   (sc_vec3){p[0], p[1], p[2]}, &winding);
        CHECK(winding > 0.5 && fabs(there - r->overlap.depth) <= 1e-9,
              "round %d: %g deep there, not %g", round, there, r->overlap.depth);
        stlclash_result_free(r);
        couple_free(&c);
        image_free(&a);
        image_free(&b);
    }
}

/* Stretches of a surface, and boxes, side by side. */
TEST(what_is_pressed_together_does_not_depend_on_threads)
{
    shape pair[2];
    CHECK(shape_pair("screw", 6000, pair), "no screw");
    stl_image a = image_of(&pair[0]), b = image_of(&pair[1]);
    stlclash_options o = ask_usual();
    o.threads = 1;
    stlclash_result *one = ask_images(&a, &b, &o);
    CHECK(one->has_overlap && one->overlap.depth > 0, "%g deep", one->overlap.depth);
    for (o.threads = 2; o.threads <= 4; o.threads++) {
        stlclash_result *more = ask_images(&a, &b, &o);
        CHECK(memcmp(&one->overlap.depth, &more->overlap.depth, sizeof(double)) == 0 &&
                  memcmp(&one->overlap.depth_error, &more->overlap.depth_error, sizeof(double)) ==
                      0,
              "%d threads: %.17g, error %.17g, not %.17g, %.17g", o.threads, more->overlap.depth,
              more->overlap.depth_error, one->overlap.depth, one->overlap.depth_error);
        CHECK(memcmp(one->overlap.deepest_point, more->overlap.deepest_point,
                     sizeof one->overlap.deepest_point) == 0,
              "%d threads: another deepest point", o.threads);
        stlclash_result_free(more);
    }
    stlclash_result_free(one);
    image_free(&a);
    image_free(&b);
}
