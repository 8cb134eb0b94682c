/* test_depth_regions.c - each region of an overlap has a depth of its own. */
#include "ask.h"
#include "couple.h"
#include "depth/depth_climb.h"
#include "test.h"

#include <math.h>

/* Rings in one another, and a hollow pin in the middle, sunk into a plate by these depths: the box
 * of each region holds all smaller ones. Takes place in any position. */
enum { MAX_RINGS = 4 };

static void check_rings(int rings, const double *depths, const double placement[16])
{
    stl_image image[2] = {
        make_box((double[]){-9, -9, -2}, (double[]){9, 9, 0}, 7),
        make_hollow_box((double[]){-0.4, -0.5, -depths[0]}, (double[]){0.4, 0.5, 1}, 0.05)};
    stlclash_options options = stlclash_options_default();
    for (int i = 1; i <= rings; i++) {
        stl_image ring = make_torus(1.6 * i, 0.5, 48, 24);
        image_move(&ring, 0, 0, 0.5 - depths[i]);
        image_join(&image[1], &ring);
        image_free(&ring);
    }
    image_shuffle(&image[1]);
    options.placement[0] = options.placement[1] = placement;
    for (int swapped = 0; swapped < 2; swapped++) {
        stlclash_mesh *a = ask_mesh(&image[swapped]), *b = ask_mesh(&image[1 - swapped]);
        stlclash_result *r = ask_pair(a, b, &options);
        CHECK_INT(r->overlap.region_count, rings + 1);
        for (int i = 0; i <= rings; i++) {
            int found = 0;
            for (size_t k = 0; k < r->overlap.region_count; k++) {
                double depth = r->overlap.regions[k].depth;
                found += fabs(depth - depths[i]) <= 0.0101 * depths[i];
            }
            CHECK(found == 1, "%d of %d rings: %d regions are %g deep", i, rings, found, depths[i]);
        }
        stlclash_result_free(r);
        stlclash_mesh_free(a);
        stlclash_mesh_free(b);
    }
    image_free(&image[0]);
    image_free(&image[1]);
}

TEST(regions_have_depths_of_their_own)
{
    check_rings(1, (double[]){0.4, 0.1}, NULL);
    for (int round = test_rounds(20); round > 0; round--) {
        double depths[MAX_RINGS + 1], placement[16];
        int rings = 1 + test_below(MAX_RINGS);
        for (int i = 0; i <= rings; i++) { /* each by more than its error from all others */
            depths[i] = 0.05 * pow(1.1, i + (MAX_RINGS + 1) * test_below(4));
        }
        ask_placement(placement, 3);
        check_rings(rings, depths, placement);
    }
}

/* A part with a shell in it that is outward as well: what is deepest may lie next to that, which
 * bounds no region, and must not be taken for the depth of the region at the other end. */
static void add_quad(stl_image *to, const float p[4][3])
{
    const float corners[2][9] = {
        {p[0][0], p[0][1], p[0][2], p[1][0], p[1][1], p[1][2], p[2][0], p[2][1], p[2][2]},
        {p[0][0], p[0][1], p[0][2], p[2][0], p[2][1], p[2][2], p[3][0], p[3][1], p[3][2]}};
    stl_image quad = make_facets(corners[0], 2);
    image_join(to, &quad);
    image_free(&quad);
}

/* About the z axis, from half the width `in` to `out` in x and y, from low to high. */
static stl_image make_frame(float in, float out, float low, float high)
{
    stl_image frame = make_facets(NULL, 0);
    for (int k = 0; k < 4; k++) {
        const float x = k == 0 || k == 3 ? -1 : 1, y = k < 2 ? -1 : 1;            /* a corner */
        const float u = k == 0 || k == 1 ? 1 : -1, v = k == 1 || k == 2 ? 1 : -1; /* the next */
        const float a[2] = {x * out, y * out}, b[2] = {u * out, v * out};
        const float c[2] = {x * in, y * in}, d[2] = {u * in, v * in};
        add_quad(&frame, (const float[4][3]){{a[0], a[1], high},
                                             {b[0], b[1], high},
                                             {d[0], d[1], high},
                                             {c[0], c[1], high}});
        add_quad(&frame,
                 (const float[4][3]){
                     {a[0], a[1], low}, {c[0], c[1], low}, {d[0], d[1], low}, {b[0], b[1], low}});
        add_quad(&frame,
                 (const float[4][3]){
                     {a[0], a[1], low}, {b[0], b[1], low}, {b[0], b[1], high}, {a[0], a[1], high}});
        add_quad(&frame,
                 (const float[4][3]){
                     {c[0], c[1], low}, {c[0], c[1], high}, {d[0], d[1], high}, {d[0], d[1], low}});
    }
    return frame;
}

/* A box, its faces divided as those of the frame. */
static stl_image make_crate(float x, float y, float z, float u, float v, float w)
{
    stl_image crate = make_facets(NULL, 0);
    const float faces[6][4][3] = {
        {{x, y, z}, {x, v, z}, {u, v, z}, {u, y, z}}, {{x, y, w}, {u, y, w}, {u, v, w}, {x, v, w}},
        {{x, y, z}, {u, y, z}, {u, y, w}, {x, y, w}}, {{u, y, z}, {u, v, z}, {u, v, w}, {u, y, w}},
        {{u, v, z}, {x, v, z}, {x, v, w}, {u, v, w}}, {{x, v, z}, {x, y, z}, {x, y, w}, {x, v, w}}};
    for (int k = 0; k < 6; k++) {
        add_quad(&crate, faces[k]);
    }
    return crate;
}

/* A post deep in a block, and a frame about it, wall to wall, half a unit deep: where the walls
 * pass the top of the block both regions end. */
TEST(regions_wall_to_wall_keep_their_depths)
{
    for (int i = 0; i < 8; i++) {
        stl_image post = make_crate(-2, -2, 2, 2, 2, 13), frame = make_frame(2, 4, 9.5f, 12);
        stl_image a = make_crate(-26, -23, -20, 25, 31, 10);
        stl_image b = i % 2 ? image_joined(post, frame) : image_joined(frame, post);
        stlclash_mesh *mesh[2] = {ask_mesh(&a), ask_mesh(&b)};
        stlclash_result *r = ask_pair(mesh[0], mesh[1], NULL);
        CHECK_INT(r->overlap.region_count, 2);
        for (size_t k = 0; k < r->overlap.region_count; k++) {
            const stlclash_region *region = &r->overlap.regions[k];
            const double depth = region->volume > 64 ? 8.0 : 0.5;
            CHECK(fabs(region->depth - depth) <= 0.0101 * depth, "%g instead of %g deep",
                  region->depth, depth);
        }
        stlclash_result_free(r);
        for (int k = 0; k < 2; k++) {
            stlclash_mesh_free(mesh[k]);
        }
        image_free(&a);
        image_free(&b);
    }
}

/* Bodies side by side of one part, with a block deep in one of them and flush with another: turned
 * and rounded they overlap there in a sliver, and each other. */
TEST(slivers_of_rounding_have_depths_of_their_own)
{
    int slivers = 0;
    for (int round = test_rounds(60); round > 0; round--) {
        stl_image a = image_joined(box(0, 1, 0, 1, 3, 2, 1), box(2, 1, 2, 4, 2, 3, 1));
        stl_image b = image_joined(box(2, 2, 2, 3, 4, 3, 1), box(0, 1, 1, 2, 2, 3, 1));
        b = image_joined(b, box(1, 0, 2, 2, 1, 4, 1));
        const double angle[3] = {test_uniform(-3, 3), test_uniform(-3, 3), test_uniform(-3, 3)};
        image_turn(&a, angle[0], angle[1], angle[2]);
        image_turn(&b, angle[0], angle[1], angle[2]);
        stlclash_result *r = ask_images(&a, &b, NULL);
        CHECK(r->status == STLCLASH_CLASH && r->overlap.region_count > 0, "no clash");
        for (size_t i = 0; i < r->overlap.region_count; i++) {
            const stlclash_region *region = &r->overlap.regions[i];
            const bool sliver = region->volume < 1e-5;
            CHECK(fabs(region->depth - (sliver ? 0.0 : 0.5)) <= (sliver ? 1e-6 : 0.00501),
                  "round %d: %g deep, of a volume of %g", round, region->depth, region->volume);
            slivers += sliver;
        }
        stlclash_result_free(r);
        image_free(&a);
        image_free(&b);
    }
    CHECK(slivers > 0 || TEST_DIVISOR > 1, "no slivers");
}

TEST(regions_of_parts_that_overlap_themselves)
{
    for (int round = test_rounds(12); round > 0; round--) {
        const double x = test_uniform(3.2, 5.5), y = test_uniform(0.3, 2.0),
                     z = test_uniform(0.3, 2.0);
        stl_image a = image_joined(box(0, 0, 0, 10, 4, 4, 1),
                                   box(x, y, z, x + test_uniform(0.3, 1.2),
                                       y + test_uniform(0.3, 1.6), z + test_uniform(0.3, 1.6), 1));
        stl_image b = image_joined(box(3, -9, -9, 7, 15, 15, 1), box(9.5, -1, -1, 11, 5, 5, 1));
        stlclash_mesh *mesh[2] = {ask_mesh(&a), ask_mesh(&b)};
        stlclash_options options = stlclash_options_default();
        stlclash_result *r = ask_pair(mesh[0], mesh[1], &options);
        int found = 0;
        for (size_t i = 0; i < r->overlap.region_count; i++) {
            const stlclash_region *region = &r->overlap.regions[i];
            if (fabs(region->volume - 8.0) < 1e-9) { /* x from 9.5 to 10 */
                CHECK(fabs(region->depth - 0.5) <= 0.00501, "%g deep", region->depth);
                found++;
            }
        }
        CHECK_INT(found, 1);
        stlclash_result_free(r);
        for (int i = 0; i < 2; i++) {
            stlclash_mesh_free(mesh[i]);
        }
        image_free(&a);
        image_free(&b);
    }
}

/* From a low end uphill in the first of two parts that are turned alike: to how deep. */
static double climbed(stl_image *a, stl_image *b, const double from[3])
{
    const float at = 1e-3f; /* about `from` */
    const float spot[9] = {(float)from[0] - at, (float)from[1] - at, (float)from[2],
                           (float)from[0] + at, (float)from[1],      (float)from[2] - at,
                           (float)from[0],      (float)from[1] + at, (float)from[2] + at};
    const double turn[3] = {test_uniform(-3, 3), test_uniform(-3, 3), test_uniform(-3, 3)};
    stl_image place = make_facets(spot, 1), *images[] = {a, b, &place};
    for (int i = 0; i < 3; i++) {
        image_turn(images[i], turn[0], turn[1], turn[2]);
    }
    const shape_facet start = image_get(&place, 0);
    couple c;
    couple_make(&c, a, b);
    sc_surface surface[2] = {couple_surface(&c, 0), couple_surface(&c, 1)};
    sc_vec3 p = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        p.x += (double)start.corner[k][0] / 3;
        p.y += (double)start.corner[k][1] / 3;
        p.z += (double)start.corner[k][2] / 3;
    }
    const double depth = sc_depth_climb(surface, 0, &c.within, 1.0 / 800, INFINITY, &p);
    couple_free(&c);
    for (int i = 0; i < 3; i++) {
        image_free(images[i]);
    }
    return depth;
}

TEST(climbs_follow_ridges_and_walls)
{
    for (int round = test_rounds(30); round > 0; round--) {
        /* Between the flanks of a wedge, up by a tenth of the way. */
        const double wedge[][2] = {{0, -0.5}, {20, -2.5}, {20, 2.5}, {0, 0.5}};
        stl_image a = make_prism(wedge, 4, -20, 20), b = make_crate(-50, -50, -50, 50, 50, 50);
        double depth = climbed(&a, &b, (double[]){2, 0.1, 0});
        CHECK(depth > 0.97 * 2.2625 && depth < 2.2626, "round %d: ridge %g", round, depth);

        /* Along the slope of the other part, again by a tenth. */
        const double slope[][2] = {{-10, -5}, {10, -5}, {10, 3}, {-10, 1}};
        a = make_crate(-60, 0, -60, 60, 200, 60);
        b = make_prism(slope, 4, -4, 4);
        depth = climbed(&a, &b, (double[]){-9, 0.5, 0.3});
        CHECK(depth > 0.97 * 3 && depth < 3.0001, "round %d: wall %g", round, depth);
    }
}
