/* test_region_depths.c - how deep each region of an overlap is, of parts of several bodies that
 * stand on, beside and a little in each other: against distances from all facets. Only the public
 * interface is asked. */
#include "ask.h"
#include "oracle_solid.h"
#include "test.h"

#include <math.h>

enum { MOST_BODIES = 4 };

/* Boxes, and all of them as one part. */
typedef struct bodies {
    sc_box box[MOST_BODIES];
    int count;
    stl_image image;
} bodies;

static bool overlap_by_much(const bodies *b, const sc_box *box)
{
    bool much = false;
    for (int i = 0; i < b->count; i++) {
        const sc_box common = sc_boxes_common(&b->box[i], box);
        much |= common.high[0] - common.low[0] > 0.5 && common.high[1] - common.low[1] > 0.5 &&
                common.high[2] - common.low[2] > 0.5;
    }
    return much;
}

static void add_body(bodies *b, const sc_box *box)
{
    b->box[b->count++] = *box;
    b->image = image_joined(b->image, make_box(box->low, box->high, 1));
}

/* Wall to wall on a grid, but for a displacement of some of them by up to `slip` along each axis:
 * then there are gaps, and slivers that two of them cover. */
static bodies make_bodies(double slip)
{
    bodies b = {.image = make_facets(NULL, 0)};
    const int count = 1 + test_below(MOST_BODIES);
    while (b.count < count) {
        sc_box box;
        for (int k = 0; k < 3; k++) {
            const double aside = test_below(2) * test_uniform(-slip, slip);
            const int low = test_below(3), high = low + 1 + test_below(2);
            box.low[k] = (double)(float)(low + aside);
            box.high[k] = (double)(float)(high + aside);
        }
        if (!overlap_by_much(&b, &box)) {
            add_body(&b, &box);
        }
    }
    return b;
}

static void free_bodies(bodies *b)
{
    image_free(&b->image);
}

static double volume_of(const sc_box *box)
{
    return (box->high[0] - box->low[0]) * (box->high[1] - box->low[1]) *
           (box->high[2] - box->low[2]);
}

/* What one body of either part have in common, if that alone has the volume; else false. */
static bool find_common(const bodies b[2], double volume, sc_box *found)
{
    int count = 0;
    for (int i = 0; i < b[0].count * b[1].count; i++) {
        const sc_box common = sc_boxes_common(&b[0].box[i / b[1].count], &b[1].box[i % b[1].count]);
        const bool is_empty = common.low[0] >= common.high[0] || common.low[1] >= common.high[1] ||
                              common.low[2] >= common.high[2];
        if (!is_empty && fabs(volume_of(&common) - volume) <= 1e-9 * volume) {
            *found = common;
            count++;
        }
    }
    return count == 1;
}

/* The greatest depth of a grid of points in a box. */
static double sampled_depth(const bodies b[2], const sc_box *box)
{
    enum { STEPS = 8 };
    double most = 0.0;
    for (int i = 0; i < (STEPS + 1) * (STEPS + 1) * (STEPS + 1); i++) {
        const int at[3] = {i % (STEPS + 1), i / (STEPS + 1) % (STEPS + 1),
                           i / (STEPS + 1) / (STEPS + 1)};
        double p[3];
        for (int k = 0; k < 3; k++) {
            p[k] = box->low[k] + (box->high[k] - box->low[k]) * at[k] / STEPS;
        }
        most = fmax(most, fmax(oracle_distance(&b[0].image, p), oracle_distance(&b[1].image, p)));
    }
    return most;
}

/* Slivers of any thickness down to a few times the rounding, beside regions that lie deep. Depths
 * are told nearly always, and none is far from what points say. */
TEST(regions_of_parts_of_several_bodies_have_depths_of_their_own)
{
    stlclash_options o = ask_usual();
    int told = 0, unknown = 0;
    for (int round = test_rounds(120); round > 0; round--) {
        const double slip = pow(10.0, test_uniform(-5, -2));
        bodies b[2] = {make_bodies(slip), make_bodies(slip)};
        double placement[16];
        ask_placement(placement, 10.0);
        stlclash_mesh *mesh[2] = {ask_mesh(&b[0].image), ask_mesh(&b[1].image)};
        o.placement[0] = o.placement[1] = round % 2 ? placement : NULL;
        stlclash_result *r = ask_pair(mesh[0], mesh[1], &o);
        for (size_t i = 0; i < r->overlap.region_count; i++) {
            const stlclash_region *region = &r->overlap.regions[i];
            sc_box common;
            if (!find_common(b, region->volume, &common)) {
                continue;
            }
            const double sampled = sampled_depth(b, &common), rounding = 4.0 * r->resolution;
            told += !isnan(region->depth);
            unknown += isnan(region->depth);
            CHECK(isnan(region->depth) || (region->depth >= sampled / 1.0101 - rounding &&
                                           region->depth <= 1.3 * sampled + rounding),
                  "round %d, slip %g: region %zu of volume %g is %g deep, not %g", round, slip, i,
                  region->volume, region->depth, sampled);
        }
        stlclash_result_free(r);
        for (int i = 0; i < 2; i++) {
            stlclash_mesh_free(mesh[i]);
            free_bodies(&b[i]);
        }
    }
    CHECK(unknown * 50 <= told || TEST_DIVISOR > 1,
          "of %d regions it is not known how deep they are, of %d it is", unknown, told);
}

/* A bar that lies deep in one block, and by a sliver in the next: however they are turned, what is
 * deep is not taken for a part of the sliver, whose depth is told nearly always. */
TEST(a_sliver_beside_what_lies_deep_is_not_deep)
{
    static const double sliver = 0x1p-18;
    stlclash_options o = ask_usual();
    int told = 0, unknown = 0;
    for (int round = test_rounds(20); round > 0; round--) {
        const double angle[3] = {test_uniform(-3, 3), test_uniform(-3, 3), test_uniform(-3, 3)};
        stl_image bar = make_box((double[]){1, 2, 0}, (double[]){2 + sliver, 3, 1}, 1);
        stl_image blocks = image_joined(
            make_box((double[]){0, 2, 0}, (double[]){2 - 2 * sliver, 3, 2}, 1),
            make_box((double[]){2, 1 - 2 * sliver, -sliver}, (double[]){4, 3 - 2 * sliver, 2}, 1));
        image_turn(&bar, angle[0], angle[1], angle[2]);
        image_turn(&blocks, angle[0], angle[1], angle[2]);
        stlclash_result *r = ask_images(&bar, &blocks, &o);
        CHECK(r->overlap.region_count >= 2, "round %d: %zu regions", round,
              r->overlap.region_count);
        for (size_t i = 1; i < r->overlap.region_count; i++) {
            const double depth = r->overlap.regions[i].depth;
            told += !isnan(depth);
            unknown += isnan(depth);
            CHECK(!(depth > 1.01 * sliver + 2.0 * r->resolution), "round %d: %g deep", round,
                  depth);
        }
        stlclash_result_free(r);
        image_free(&bar);
        image_free(&blocks);
    }
    CHECK(unknown * 10 <= told || TEST_DIVISOR > 1,
          "of %d slivers it is not known how deep they are, of %d it is", unknown, told);
}

/* A body that stands in a block by as much as touching allows, beside another one that does not:
 * all that they have in common is one sheet, and cells as thin as that would be many. */
TEST(a_sheet_under_one_of_two_bodies_is_no_deeper_than_it_is_thick)
{
    static const double step = 0x1p-23; /* from 1 on half of what is between floats */
    stlclash_options o = ask_usual();
    stl_image standing = image_joined(make_box((double[]){2, 1.25 * step, 2 + 2 * step},
                                               (double[]){3, 1 + step, 3 + 2 * step}, 1),
                                      make_box((double[]){2, 1 + 5 * step, 2 - 8 * step},
                                               (double[]){3, 3 + 4 * step, 4 - 8 * step}, 1));
    stl_image blocks =
        image_joined(make_box((double[]){1, 2 - 7 * step, 5.5 * step},
                              (double[]){2, 3 - 6 * step, 1 + 6 * step}, 1),
                     make_box((double[]){2, -8.25 * step, 0}, (double[]){3, 2 - 8 * step, 2}, 1));
    /* touching allows 8 steps of parts that end at 4 */
    blocks = image_joined(blocks, make_box((double[]){0, 2, 2}, (double[]){1, 3, 4}, 1));
    for (int way = 0; way < 2; way++) {
        stlclash_result *r =
            way ? ask_images(&blocks, &standing, &o) : ask_images(&standing, &blocks, &o);
        CHECK(r->status == STLCLASH_CONTACT && fabs(r->overlap.depth - 8 * step) < 0.01 * step,
              "way %d: status %d, %g deep", way, r->status, r->overlap.depth);
        CHECK(!ask_has_note(r, "depth_undecided"), "way %d", way);
        stlclash_result_free(r);
    }
    image_free(&standing);
    image_free(&blocks);
}

/* Bodies that come a little into each other beside their edges, turned: what is common is much
 * longer than thin, and so are the cells that show how deep it is. */
TEST(sheets_along_edges_of_bodies_have_a_depth)
{
    static const double thin = 0x1p-19;
    for (int round = 0; round < test_rounds(20); round++) {
        const double angle[3] = {test_uniform(-3, 3), test_uniform(-3, 3), test_uniform(-3, 3)};
        const double roof[3][2] = {{0, 1.5}, {1, 1.5}, {0, 2.5}};
        const double bar[3][2] = {{1.75, 1.5}, {0.25, 2.375}, {0.25, 0.625}};
        const double foot[4][2] = {
            {2.5, thin}, {2, 0.875 + thin}, {1, 0.875 + thin}, {0.5 + thin, thin}};
        stl_image a =
            image_joined(make_box((double[]){1, 1, 0.5}, (double[]){1.5, 3, 3.5}, 1),
                         image_joined(make_prism(roof, 3, 1, 4.5), make_prism(bar, 3, 1, 1.0625)));
        stl_image b = image_joined(
            make_box((double[]){1 + thin, thin, 0}, (double[]){3 + thin, 1 + thin, 3}, 1),
            make_prism(foot, 4, 0, 0.5));
        image_turn(&a, angle[0], angle[1], angle[2]);
        image_turn(&b, angle[0], angle[1], angle[2]);
        stlclash_result *r = ask_images(&a, &b, NULL);
        const stlclash_overlap *o = &r->overlap;
        CHECK(o->has_depth && !ask_has_note(r, "depth_undecided"), "round %d", round);
        CHECK(fabs(o->depth - thin) < 2 * r->resolution && o->depth_error <= 0.0101 * o->depth,
              "round %d: %g deep, by %g", round, o->depth, o->depth_error);
        stlclash_result_free(r);
        image_free(&a);
        image_free(&b);
    }
}
