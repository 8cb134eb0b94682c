/* Frames, slabs and octrees: nothing of a part may lie outside of what encloses it, and no
 * facet may be lost. Checked in long double against the facets themselves. */
#include "ask.h"
#include "divide.h"
#include "octree.h"
#include "shapes.h"
#include "solids/normals.h"
#include "test.h"

#include <stdlib.h>

typedef struct tree_case {
    stl_image image;
    stlclash_mesh *mesh;
    sc_placement placement;
    sc_frame frame;
    sc_octree tree;
    const char *what;
} tree_case;

/* Position of a vertex in the frame. */
static long double in_frame(const tree_case *c, sc_vec3 v, int axis)
{
    return ((long double)sc_component(v, axis) - (long double)c->frame.origin[axis]) *
           (long double)c->frame.scale;
}

static bool box_holds(const tree_case *c, const sc_octet *octet, uint32_t i, const sc_vec3 v[3])
{
    for (int n = 0; n < 9; n++) {
        long double x = in_frame(c, v[n / 3], n % 3);
        if (!(x >= (long double)octet->low[n % 3][i] && x <= (long double)octet->high[n % 3][i])) {
            return false;
        }
    }
    return true;
}

static bool slab_holds(tree_case *c, int level, uint32_t index, const sc_vec3 v[3])
{
    const sc_slab *slab = sc_octree_slab(&c->tree, level, index);
    const sc_tube *tube = sc_slab_tube(slab);
    const sc_fbox box = sc_octree_box(&c->tree, (sc_node){index, level});
    float centre[4];
    sc_fbox_centre(&box, centre);
    for (int n = 0; n < 3; n++) {
        long double at = 0.0L, away = 0.0L, beside = 0.0L, along = 0.0L, unit = 0.0L;
        for (int k = 0; k < 3; k++) {
            long double x = in_frame(c, v[n], k), out = x - (long double)centre[k];
            const long double way = tube ? (long double)tube->along[k] : 0.0L;
            const long double off = tube ? x - (long double)tube->centre[k] : 0.0L;
            at += x * (long double)slab->normal[k];
            away += out * out;
            beside += off * off;
            along += off * way;
            unit += way * way;
        }
        if (at < (long double)slab->low || at > (long double)slab->high ||
            away > (long double)slab->radius * (long double)slab->radius ||
            (tube && beside - along * along / unit >
                         (long double)tube->radius * (long double)tube->radius)) {
            return false;
        }
    }
    return true;
}

/* Whether the normal of a facet is among those of a node of level 1 or 0, as far as some way and
 * the spread tell. */
static bool normals_hold(tree_case *c, int level, uint32_t index, const sc_vec3 v[3])
{
    const sc_normals *normals = sc_octree_normals(&c->tree, level, index);
    const sc_vec3 some = {test_uniform(-1, 1), test_uniform(-1, 1), test_uniform(-1, 1)};
    const sc_vec3 way = sc_unit(some);
    const long double d[2][3] = {
        {(long double)v[1].x - v[0].x, (long double)v[1].y - v[0].y, (long double)v[1].z - v[0].z},
        {(long double)v[2].x - v[0].x, (long double)v[2].y - v[0].y, (long double)v[2].z - v[0].z}};
    long double n[3], length = 0.0L, along = 0.0L, off = 0.0L;

    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        n[k] = d[0][i] * d[1][j] - d[0][j] * d[1][i];
        length += n[k] * n[k];
    }
    length = sqrtl(length);
    for (int k = 0; k < 3 && length > 0.0L; k++) {
        const long double from_axis = n[k] / length - (long double)sc_component(normals->axis, k);
        along += n[k] / length * (long double)sc_component(way, k);
        off += from_axis * from_axis;
    }
    return !(length > 0.0L) || (along >= (long double)sc_normals_least(normals, way) &&
                                sqrtl(off) <= (long double)sc_normals_spread(normals));
}

/* All facets below a node lie in its box, and in its slab if it has one; and face as its normals
 * do. */
static void check_node(tree_case *c, int level, uint32_t index, uint8_t *seen)
{
    const sc_octet *siblings = sc_octree_siblings(&c->tree, level, index);
    if (!(siblings->low[0][index % 8] <= siblings->high[0][index % 8])) {
        return;
    }
    if (level >= 0) {
        CHECK(sc_octree_children(&c->tree, level, index) != NULL, "%s: out of memory", c->what);
        for (uint32_t i = 0; i < 8; i++) {
            check_node(c, level - 1, 8 * index + i, seen);
        }
        return;
    }
    const sc_leaf *leaf = sc_octree_leaf(&c->tree, index);
    for (uint32_t i = 0; i < leaf->slab.count; i++) {
        const uint32_t facet = sc_leaf_facet(leaf, (int)i);
        sc_vec3 v[3];
        sc_triangle_vertices(&c->mesh->file.facets, &c->placement, facet, v);
        seen[facet]++;
        CHECK(box_holds(c, sc_octree_children(&c->tree, -1, index), i, v),
              "%s: facet %u sticks out of its box", c->what, facet);
        for (int up = -1; up < c->tree.levels; up++) {
            uint32_t at = index >> 3 * (up + 1);
            CHECK(box_holds(c, sc_octree_siblings(&c->tree, up, at), at % 8, v),
                  "%s: facet %u sticks out of its node of level %d", c->what, facet, up);
            CHECK(up > 0 || slab_holds(c, up, at, v),
                  "%s: facet %u sticks out of its slab of level %d", c->what, facet, up);
            CHECK(up < 0 || up > 1 || normals_hold(c, up, at, v),
                  "%s: facet %u faces another way than its node of level %d", c->what, facet, up);
        }
    }
}

/* From the top; each facet is in one leaf. */
static void check_nodes(tree_case *c)
{
    const uint32_t facets = c->mesh->file.facets.count;
    uint8_t *seen = calloc(facets, 1);
    check_node(c, c->tree.levels - 1, 0, seen);
    for (uint32_t i = 0; i < facets; i++) {
        CHECK(seen[i] == 1, "%s: facet %u is in %d leaves", c->what, i, seen[i]);
    }
    free(seen);
}

/* What is forgotten is opened anew, and counted once. */
static void check_forgotten(tree_case *c)
{
    const size_t bytes = sc_arena_size(&c->tree.opened), opened = sc_octree_opened(&c->tree);
    sc_octree_forget(&c->tree, bytes + 1);
    CHECK(sc_arena_size(&c->tree.opened) == bytes, "%s: little is forgotten", c->what);
    for (int again = 0; again < 2; again++) { /* of all, and of one family */
        sc_octree_forget(&c->tree, again ? 0 : bytes);
        CHECK(sc_arena_size(&c->tree.opened) == 0, "%s: it takes memory still", c->what);
        CHECK_INT(sc_octree_opened(&c->tree), opened);
        sc_octree_children(&c->tree, 1, 0);
        CHECK_INT(sc_octree_opened(&c->tree), opened);
    }
    check_nodes(c);
    CHECK_INT(sc_octree_opened(&c->tree), opened);
}

/* Returns whether facets of it were put in order. */
static bool check_tree(stl_image image, double scale, const double offset[3], bool turned,
                       const char *what)
{
    tree_case c = {.image = image, .what = what};
    stlclash_error error;
    double m[16] = {0.36, 0.48, -0.8, 1.0, -0.8, 0.6, 0.0, 2.0, 0.48, 0.64, 0.6, 3.0, 0, 0, 0, 1};

    image_scale(&c.image, scale);
    image_move(&c.image, offset[0], offset[1], offset[2]);
    c.mesh = ask_mesh(&c.image);
    const sc_facets *facets = &c.mesh->file.facets;
    CHECK(sc_placement_make(turned ? m : NULL, "it", sc_box_reach(&c.mesh->blocks.bounds),
                            &c.placement, &error) == STLCLASH_OK,
          "%s: %s", what, error.text);
    sc_box bounds = sc_blocks_placed_bounds(&c.mesh->blocks, facets, &c.placement);
    c.frame = sc_frame_make(&bounds, &bounds);
    const sc_octree_request request = {
        .mesh = c.mesh, .placement = &c.placement, .frame = &c.frame, .region = &bounds};
    CHECK(sc_octree_build(&request, &c.tree, &error) == STLCLASH_OK, "%s: %s", what, error.text);
    check_nodes(&c);
    check_forgotten(&c);
    const bool ordered = c.tree.pool != NULL;
    sc_octree_free(&c.tree);
    stlclash_mesh_free(c.mesh);
    image_free(&c.image);
    return ordered;
}

/* What stands in the file in no order takes longest: it is put in one. */
TEST(an_octree_is_built_while_there_is_time)
{
    const sc_placement as_stored = {.is_identity = 1};
    stl_image image = make_sphere(1.0, 40);
    image_shuffle(&image);
    stlclash_mesh *mesh = ask_mesh(&image);
    const sc_frame frame = sc_frame_make(&mesh->blocks.bounds, &mesh->blocks.bounds);
    for (int over = 0; over < 2; over++) {
        sc_watch watch = {.over = over != 0};
        sc_octree tree;
        stlclash_error error;
        const sc_octree_request request = {.mesh = mesh,
                                           .placement = &as_stored,
                                           .frame = &frame,
                                           .region = &mesh->blocks.bounds,
                                           .watch = &watch};
        CHECK_INT(sc_octree_build(&request, &tree, &error), over ? STLCLASH_E_MEMORY : STLCLASH_OK);
        CHECK(over ? tree.levels == 0 : tree.levels > 1, "%d levels, time over: %d", tree.levels,
              over);
        sc_octree_free(&tree);
    }
    stlclash_options options = ask_usual();
    options.max_seconds = 1e-9;
    stlclash_result *result = ask_images(&image, &image, &options);
    CHECK_INT(result->status, STLCLASH_UNDECIDED);
    CHECK(ask_has_note(result, "time_limit"), "not told why");
    stlclash_result_free(result);
    stlclash_mesh_free(mesh);
    image_free(&image);
}

TEST(nothing_sticks_out_of_an_octree)
{
    const double none[3] = {0, 0, 0}, far[3] = {1000, -3000, 500};
    const double scales[] = {1.0, 1e-3, 1e5, 1e-30, 1e30, 1e-41};

    for (size_t s = 0; s < sizeof scales / sizeof scales[0]; s++) {
        for (int shuffled = 0; shuffled < 2; shuffled++) {
            for (int turned = 0; turned < 2; turned++) {
                stl_image image = make_bumpy(1.0, 12);
                if (shuffled) {
                    image_shuffle(&image);
                }
                check_tree(image, scales[s], none, turned, "bumpy");
            }
        }
    }
    check_tree(make_bumpy(1.0, 12), 1.0, far, false, "far");
    check_tree(make_bumpy(1.0, 12), 1.0, far, true, "far and turned");
    check_tree(make_cylinder(0.2, 10.0, 500), 1.0, none, false, "slivers");
    check_tree(make_cylinder(0.2, 10.0, 500), 1.0, none, true, "turned slivers");
    check_tree(make_bumpy(1.0, 1), 1.0, none, false, "a few facets");
    const float hair[] = {0, 0, 0, 1 + 0x1p-23f, 1, 0, 1, 1 - 0x1p-23f, 0};
    check_tree(image_joined(make_bumpy(1.0, 12), make_facets(hair, 1)), 1.0, none, false, "hair");
    check_tree(image_joined(make_bumpy(1.0, 12), make_facets(hair, 1)), 1.0, none, true,
               "turned hair");
}

/* Blocks in which a row of a grid ends reach from one end of it to the other: cut there, they are
 * as good as others. Not so where facets stand in no order, in all of the file or in half of it. */
TEST(blocks_are_cut_where_rows_end)
{
    const double none[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        stl_image image = make_bumpy(1.0, 75);
        if (k > 0) {
            image_shuffle(&image);
        }
        if (k == 2) {
            image = image_joined(image, make_bumpy(1.0, 75));
        }
        CHECK(check_tree(image, 1.0, none, k == 1, "rows") == (k > 0), "put in order, or not: %d",
              k);
    }
}

/* What of a tree is opened when is up to the threads that search it: at once with their families
 * are clusters only where those before came to be opened. */
TEST(facets_below_a_node_do_not_depend_on_what_was_opened)
{
    const sc_placement as_stored = {.is_identity = 1};
    stl_image image = make_bumpy(1.0, 50);
    stlclash_mesh *mesh = ask_mesh(&image);
    const sc_frame frame = sc_frame_make(&mesh->blocks.bounds, &mesh->blocks.bounds);
    const sc_octree_request request = {
        .mesh = mesh, .placement = &as_stored, .frame = &frame, .region = &mesh->blocks.bounds};
    sc_octree tree[2]; /* one whose clusters are opened late, if at all, one where all are */
    int at_once = 0;

    for (int t = 0; t < 2; t++) {
        stlclash_error error;
        CHECK(sc_octree_build(&request, &tree[t], &error) == STLCLASH_OK, "%s", error.text);
        for (uint32_t i = 0; i < tree[t].count[1]; i++) {
            const sc_octet *clusters = sc_octree_children(&tree[t], 1, i);
            for (uint32_t k = 8 * i; t == 1 && k < 8 * i + 8; k++) {
                if (clusters->low[0][k % 8] <= clusters->high[0][k % 8]) {
                    at_once += (int)sc_octree_cluster(&tree[t], k)->leaves[0].slab.ordered;
                }
            }
        }
    }
    CHECK(at_once > 0, "no cluster was opened at once");
    for (uint32_t i = 0; i < 8 * tree[0].count[1]; i++) {
        const sc_octet *clusters = sc_octree_siblings(&tree[0], 0, i);
        uint32_t facet[2][SC_FAMILY], count[2];
        if (!(clusters->low[0][i % 8] <= clusters->high[0][i % 8])) {
            continue;
        }
        for (int t = 0; t < 2; t++) {
            count[t] = sc_octree_facets(&tree[t], 0, i, facet[t]);
        }
        CHECK(count[0] == count[1] && memcmp(facet[0], facet[1], count[0] * sizeof(uint32_t)) == 0,
              "cluster %u: other facets, or in another order", i);
        CHECK(sc_octree_some_facet(&tree[0], 0, i) == sc_octree_some_facet(&tree[1], 0, i),
              "cluster %u: another facet", i);
    }
    for (int t = 0; t < 2; t++) {
        sc_octree_free(&tree[t]);
    }
    stlclash_mesh_free(mesh);
    image_free(&image);
}

/* No more than they have to be: a node of a sphere is a cap, and its normals point to it. */
TEST(normals_of_a_node_are_told_closely)
{
    const sc_placement as_stored = {.is_identity = 1};
    stl_image image = make_sphere(1.0, 40);
    stlclash_mesh *mesh = ask_mesh(&image);
    const sc_frame frame = sc_frame_make(&mesh->blocks.bounds, &mesh->blocks.bounds);
    const sc_octree_request request = {
        .mesh = mesh, .placement = &as_stored, .frame = &frame, .region = &mesh->blocks.bounds};
    sc_octree tree;
    stlclash_error error;

    CHECK(sc_octree_build(&request, &tree, &error) == STLCLASH_OK, "%s", error.text);
    for (int level = 1; level >= 0; level--) {
        const uint32_t nodes = (uint32_t)tree.count[1] * (level > 0 ? 1 : 8);
        for (uint32_t i = 0; i < nodes; i++) {
            const sc_octet *siblings = sc_octree_siblings(&tree, level, i);
            if (!(siblings->low[0][i % 8] <= siblings->high[0][i % 8])) {
                continue;
            }
            const sc_fbox box = sc_octree_box(&tree, (sc_node){i, level});
            const double size = (double)(box.high[0] - box.low[0] + box.high[1] - box.low[1] +
                                         box.high[2] - box.low[2]) /
                                frame.scale;
            const double spread = sc_normals_spread(sc_octree_normals(&tree, level, i));
            CHECK(spread < size, "node %u of level %d, of size %g: %g", i, level, size, spread);
        }
    }
    sc_octree_free(&tree);
    stlclash_mesh_free(mesh);
    image_free(&image);
}

/* Runs of the divided order tell halves apart: up to the first cut along some axis. */
TEST(divided_boxes_are_halved)
{
    for (int round = 0; round < test_rounds(300); round++) {
        float centre[SC_DIVIDE_MAX][4] = {{0}};
        uint32_t order[SC_DIVIDE_MAX], count = 1 + (uint32_t)test_below(SC_DIVIDE_MAX);
        uint32_t size = test_below(2) ? 8 : 64, seen[SC_DIVIDE_MAX] = {0};
        int steps = test_below(3) ? 1 << 13 : 3; /* often equal */

        for (uint32_t i = 0; i < count; i++) {
            for (int k = 0; k < 3; k++) {
                centre[i][k] = (float)(test_below(steps) - steps / 2) * (k == 1 ? 4.0f : 1.0f);
            }
        }
        sc_divide((const float(*)[4])centre, order, count, size);
        for (uint32_t i = 0; i < count; i++) {
            CHECK(order[i] < count && seen[order[i]]++ == 0, "%u boxes: %u twice", count, order[i]);
        }
        uint32_t half = ((count + size - 1) / size + 1) / 2 * size;
        bool apart = count <= size;
        for (int k = 0; k < 3 && !apart; k++) {
            float last = -INFINITY, first = INFINITY;
            for (uint32_t i = 0; i < count; i++) {
                float x = centre[order[i]][k];
                last = i < half && x > last ? x : last;
                first = i >= half && x < first ? x : first;
            }
            apart = last <= first;
        }
        CHECK(apart, "%u boxes by %u: the halves are mixed", count, size);
    }
}

/* Slivers aslant, of which all boxes meet: tubes keep whole families of them apart, else there
 * would be five times as many looks at boxes. */
TEST(octree_slivers_aslant)
{
    shape pair[2];
    CHECK(shape_pair("slivers", 200000, pair), "no such pair");
    stl_image a = image_of(&pair[0]), b = image_of(&pair[1]);
    stlclash_options o = ask_usual();
    o.no_overlap = true;
    stlclash_result *r = ask_images(&a, &b, &o);
    CHECK(r->stats.box_tests < 5 * image_facets(&a), "%llu boxes looked at",
          (unsigned long long)r->stats.box_tests);
    stlclash_result_free(r);
    image_free(&a);
    image_free(&b);
}
