/* test_normal.c - the contact normal of parts that touch at points and edges, where no two
 * faces lie on each other: known by construction, in small integers, so that they touch
 * exactly; and of parts that overlap and have walls in common. */
#include "ask.h"
#include "model.h"
#include "test.h"

#include <math.h>
#include <string.h>

typedef struct whole {
    int x[3];
} whole;

static whole random_whole(int size)
{
    return (whole){{test_below(2 * size + 1) - size, test_below(2 * size + 1) - size,
                    test_below(2 * size + 1) - size}};
}

static whole along(whole p, int s, whole u)
{
    for (int k = 0; k < 3; k++) {
        p.x[k] += s * u.x[k];
    }
    return p;
}

static whole cross(whole u, whole v)
{
    whole c;
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        c.x[k] = u.x[i] * v.x[j] - u.x[j] * v.x[i];
    }
    return c;
}

static int dot(whole u, whole v)
{
    return u.x[0] * v.x[0] + u.x[1] * v.x[1] + u.x[2] * v.x[2];
}

static whole between(whole p, whole q)
{
    return along(q, -1, p);
}

/* A point strictly on the side of the plane through p to which d points. */
static whole beyond(whole p, whole d)
{
    whole q;
    do {
        q = along(p, 1, random_whole(9));
    } while (dot(d, between(p, q)) <= 0);
    return q;
}

/* A closed tetrahedron, or a bare image of the four points in one plane. */
static bool tetrahedron(const whole v[4], stl_image *image)
{
    static const int facets[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    float corners[4][9];
    int volume = dot(cross(between(v[0], v[1]), between(v[0], v[2])), between(v[0], v[3]));

    for (int f = 0; f < 4; f++) {
        for (int c = 0; c < 3; c++) {
            const whole *p = &v[facets[f][volume > 0 ? c : 2 - c]];
            for (int k = 0; k < 3; k++) {
                corners[f][3 * c + k] = (float)p->x[k];
            }
        }
    }
    *image = make_facets(corners[0], 4);
    return volume != 0;
}

/* The normal of the pair, either way round, is d. Frees the images. */
static void expect(stl_image a, stl_image b, whole d, const char *what)
{
    stlclash_options o = stlclash_options_default();
    double length = sqrt(dot(d, d));

    o.exact = true;
    image_shuffle(&a);
    image_rotate_corners(&b);
    stlclash_mesh *mesh[2] = {ask_mesh(&a), ask_mesh(&b)};
    for (int way = 0; way < 2; way++) {
        stlclash_result *r = ask_pair(mesh[way], mesh[1 - way], &o);
        double most = 0.0;
        for (int k = 0; k < 3; k++) {
            double wanted = (way ? -1 : 1) * d.x[k] / length;
            most = fmax(most, fabs(r->normal[k] - wanted));
        }
        CHECK(r->status == STLCLASH_CONTACT, "%s: %s", what, stlclash_status_text(r->status));
        CHECK(r->has_normal && most < 1e-12, "%s: normal %g %g %g of %d, wanted %d %d %d", what,
              r->normal[0], r->normal[1], r->normal[2], r->has_normal, d.x[0], d.x[1], d.x[2]);
        stlclash_result_free(r);
    }
    for (int i = 0; i < 2; i++) {
        stlclash_mesh_free(mesh[i]);
    }
    image_free(&a);
    image_free(&b);
}

TEST(edges_that_cross)
{
    for (int round = 0, rounds = test_rounds(2000); round < rounds; round++) {
        whole p = random_whole(20), u = random_whole(5), v = random_whole(5), d = cross(u, v);
        if (dot(d, d) == 0) {
            continue;
        }
        whole down = along((whole){{0, 0, 0}}, -1, d);
        whole a[4] = {along(p, 1, u), along(p, -2, u), beyond(p, d), beyond(p, d)};
        whole b[4] = {along(p, 1, v), along(p, -1, v), beyond(p, down), beyond(p, down)};
        stl_image images[2];
        bool solid = tetrahedron(a, &images[0]);
        if (tetrahedron(b, &images[1]) && solid) {
            expect(images[0], images[1], d, "edges");
        } else {
            image_free(&images[0]);
            image_free(&images[1]);
        }
    }
}

TEST(corners_and_edges_on_a_face)
{
    for (int round = 0, rounds = test_rounds(2000); round < rounds; round++) {
        whole p = random_whole(20), u = random_whole(5), v = random_whole(5), d = cross(u, v);
        if (dot(d, d) == 0) {
            continue;
        }
        /* p is a third of the way from each side of the face; an edge within it, or not. */
        bool edge = test_below(2);
        whole down = along((whole){{0, 0, 0}}, -1, d);
        whole origin = along(along(p, -6, u), -6, v);
        whole a[4] = {origin, along(origin, 18, u), along(origin, 18, v), beyond(p, d)};
        whole b[4] = {p, edge ? along(along(p, 1, u), 1, v) : beyond(p, down), beyond(p, down),
                      beyond(p, down)};
        stl_image images[2];
        bool solid = tetrahedron(a, &images[0]);
        if (tetrahedron(b, &images[1]) && solid) {
            expect(images[0], images[1], d, edge ? "edge on face" : "corner on face");
        } else {
            image_free(&images[0]);
            image_free(&images[1]);
        }
    }
}

/* Where the face is divided the corner touches several facets of one plane. */
TEST(corner_where_a_face_is_divided)
{
    static const double low[3] = {-4, -4, 0}, high[3] = {4, 4, 4};
    for (int x = -3; x < 4; x++) {
        for (int y = -3; y < 4; y++) {
            whole b[4] = {{{x, y, 4}}, {{x + 1, y, 9}}, {{x, y + 2, 9}}, {{x - 1, y - 1, 9}}};
            stl_image tip;
            tetrahedron(b, &tip);
            expect(make_box(low, high, 4), tip, (whole){{0, 0, -1}}, "divided face");
        }
    }
}

/* What p and a plane through it separate, they meet in p alone, corner on corner: many normals are
 * right, but each has all corners of A on the one side and those of B on the other. */
TEST(corners_on_corners)
{
    for (int round = 0, rounds = test_rounds(2000); round < rounds; round++) {
        whole p = random_whole(20), d = random_whole(3);
        if (dot(d, d) == 0) {
            continue;
        }
        whole down = along((whole){{0, 0, 0}}, -1, d);
        whole v[2][4] = {{p, beyond(p, d), beyond(p, d), beyond(p, d)},
                         {p, beyond(p, down), beyond(p, down), beyond(p, down)}};
        stl_image images[2];
        bool solid = tetrahedron(v[0], &images[0]);
        if (tetrahedron(v[1], &images[1]) && solid) {
            stlclash_mesh *mesh[2] = {ask_mesh(&images[0]), ask_mesh(&images[1])};
            stlclash_options o = stlclash_options_default();
            o.exact = true;
            stlclash_result *r = ask_pair(mesh[0], mesh[1], &o);
            CHECK(r->status == STLCLASH_CONTACT && r->has_normal, "round %d: %s", round,
                  stlclash_status_text(r->status));
            for (int i = 0; i < 8; i++) {
                whole way = between(p, v[i / 4][i % 4]);
                double above =
                    r->normal[0] * way.x[0] + r->normal[1] * way.x[1] + r->normal[2] * way.x[2];
                CHECK((i < 4 ? above : -above) > -1e-12, "round %d: normal %g %g %g leads into %s",
                      round, r->normal[0], r->normal[1], r->normal[2], i < 4 ? "A" : "B");
            }
            stlclash_result_free(r);
            stlclash_mesh_free(mesh[0]);
            stlclash_mesh_free(mesh[1]);
        }
        image_free(&images[0]);
        image_free(&images[1]);
    }
}

/* No direction is better than its opposite. */
TEST(coplanar_surfaces_have_no_normal)
{
    static const float corners[9] = {0, 0, 0, 4, 0, 0, 0, 4, 0};
    static const float others[9] = {1, 1, 0, 9, 1, 0, 1, 9, 0};
    stl_image a = make_facets(corners, 1), b = make_facets(others, 1);
    stlclash_mesh *mesh[2] = {ask_mesh(&a), ask_mesh(&b)};
    stlclash_result *r = ask_pair(mesh[0], mesh[1], NULL);

    CHECK(r->status == STLCLASH_CONTACT && !r->has_normal, "%s, normal %g %g %g",
          stlclash_status_text(r->status), r->normal[0], r->normal[1], r->normal[2]);
    stlclash_result_free(r);
    stlclash_mesh_free(mesh[0]);
    stlclash_mesh_free(mesh[1]);
    image_free(&a);
    image_free(&b);
}

/* Two images turned at random, and freed; and the cosine between the normal and this way, which is
 * turned with them. */
static stlclash_result *ask_turned(stl_image *a, stl_image *b, const float way[3], double *cosine)
{
    stl_image turned = make_facets((float[]){way[0], way[1], way[2], 0, 0, 0, 0, 0, 0}, 1);
    const double angle[3] = {test_uniform(-3, 3), test_uniform(-3, 3), test_uniform(-3, 3)};
    stl_image *image[3] = {a, b, &turned};

    for (int k = 0; k < 3; k++) {
        image_turn(image[k], angle[0], angle[1], angle[2]);
    }
    stlclash_result *r = ask_images(a, b, NULL);
    const shape_facet f = image_get(&turned, 0);
    *cosine = 0;
    for (int k = 0; k < 3; k++) {
        *cosine += r->normal[k] * (double)f.corner[0][k];
        image_free(image[k]);
    }
    return r;
}

/* Rounding lets a box in the notch of an L overlap it by slivers, along whichever wall: the normal
 * is that of the wall that it lies on with the larger face. */
TEST(normal_of_faces_that_are_flush_but_for_rounding)
{
    for (int round = 0, rounds = test_rounds(200); round < rounds; round++) {
        stl_image l = make_l_prism(4);
        stl_image block = make_box((double[]){2, 2, 0}, (double[]){4, 3, 4}, 1);
        double cosine;
        stlclash_result *r = ask_turned(&l, &block, (float[]){0, -1, 0}, &cosine);
        CHECK(r->status == STLCLASH_CONTACT, "round %d: %s", round,
              stlclash_status_text(r->status));
        CHECK(r->has_normal && cosine > 1 - 1e-6, "round %d: normal %g %g %g", round, r->normal[0],
              r->normal[1], r->normal[2]);
        stlclash_result_free(r);
    }
}

/* Or keeps such faces apart by less than it is. */
TEST(normal_of_faces_that_rounding_keeps_apart)
{
    int apart = 0;
    for (int round = 0, rounds = test_rounds(200); round < rounds; round++) {
        stl_image a = make_box((double[]){0, 0, 0}, (double[]){2, 3, 1}, 1);
        stl_image b = make_box((double[]){1, 1, 1}, (double[]){3, 2, 2}, 1);
        double cosine;
        stlclash_result *r = ask_turned(&a, &b, (float[]){0, 0, -1}, &cosine);
        CHECK(r->status == STLCLASH_CONTACT && r->has_normal && cosine > 1 - 1e-6,
              "round %d: %s, normal %g %g %g", round, stlclash_status_text(r->status), r->normal[0],
              r->normal[1], r->normal[2]);
        apart += r->hit_count == 0;
        stlclash_result_free(r);
    }
    CHECK(apart > 0 || TEST_DIVISOR > 1, "all meet");
}

/* A point over a face, no farther than the touch gap; or below it, all of its part inside. */
TEST(normal_across_a_gap)
{
    const whole corner[4] = {{{3, 3, 3}}, {{6, 2, 9}}, {{2, 6, 9}}, {{1, 1, 9}}};
    stl_image box = make_box((double[]){0, 0, 0}, (double[]){7, 7, 2}, 1), point;
    stl_image around = make_box((double[]){-9, -9, 2}, (double[]){16, 16, 20}, 1);
    CHECK(tetrahedron(corner, &point), "no tetrahedron");
    stlclash_mesh *mesh[2] = {ask_mesh(&box), ask_mesh(&point)};
    stlclash_options within = ask_usual();
    within.touch_gap = 1.5;
    stlclash_result *inside = ask_images(&point, &around, &within);
    CHECK(inside->status == STLCLASH_CLASH && !inside->has_normal, "%s, normal %g %g %g",
          stlclash_status_text(inside->status), inside->normal[0], inside->normal[1],
          inside->normal[2]);
    stlclash_result_free(inside);
    image_free(&around);
    for (int i = 0; i < 6; i++) {
        stlclash_options o = ask_usual();
        o.touch_gap = i % 3 ? 1.5 : 0.5;
        o.no_overlap = i % 3 == 2;
        stlclash_result *r = ask_pair(mesh[i / 3], mesh[1 - i / 3], &o);
        const double up = i / 3 ? 1 : -1;
        CHECK(r->status == (i % 3 ? STLCLASH_CONTACT : STLCLASH_CLEAR), "round %d: %s", i,
              stlclash_status_text(r->status));
        CHECK(r->has_normal == (i % 3 == 1) && (!r->has_normal || r->normal[2] == up),
              "round %d: normal %g %g %g", i, r->normal[0], r->normal[1], r->normal[2]);
        stlclash_result_free(r);
    }
    stlclash_mesh_free(mesh[0]);
    stlclash_mesh_free(mesh[1]);
    image_free(&box);
    image_free(&point);
}

/* Of faces across an axis it is exactly that axis, whatever their area. */
TEST(normal_along_an_axis_is_exact)
{
    for (int side = 1; side < 60; side++) {
        stl_image a = make_box((double[]){0, 0, 0}, (double[]){side, 7, 1}, 1);
        stl_image b = make_box((double[]){-1, -1, 1}, (double[]){side + 1, 8, 2}, 1);
        for (int sunk = 0; sunk < 2; sunk++) {
            stlclash_result *r = ask_images(&a, &b, NULL);
            CHECK(r->has_normal && r->normal[0] == 0 && r->normal[1] == 0 && r->normal[2] == -1,
                  "side %d, sunk %d: normal %.17g %.17g %.17g", side, sunk, r->normal[0],
                  r->normal[1], r->normal[2]);
            stlclash_result_free(r);
            image_move(&b, 0, 0, -0.25);
        }
        image_free(&a);
        image_free(&b);
    }
}

/* ---- parts that overlap ------------------------------------------------------ */

typedef bool grid[MODEL_GRID][MODEL_GRID][MODEL_GRID];

/* The mean over the surface of A inside B, into A, where faces in which both face one way count by
 * half and those in which they face each other not at all. */
static whole normal_of_cells(grid a, grid b, int *common)
{
    whole n = {{0, 0, 0}};
    *common = 0;
    for (int i = 0; i < 27; i++) {
        const int cell[3] = {1 + i / 9, 1 + i / 3 % 3, 1 + i % 3};
        if (!a[cell[0]][cell[1]][cell[2]] || !b[cell[0]][cell[1]][cell[2]]) {
            continue;
        }
        ++*common;
        for (int face = 0; face < 6; face++) {
            int next[3] = {cell[0], cell[1], cell[2]}, side = face % 2 ? 1 : -1;
            next[face / 2] += side;
            if (!a[next[0]][next[1]][next[2]]) {
                n.x[face / 2] -= side * (b[next[0]][next[1]][next[2]] ? 2 : 1);
            }
        }
    }
    return n;
}

/* Each cell a body of its own, wall to wall. */
static void add_bricks(model *m, grid full)
{
    for (int i = 0; i < 27; i++) {
        const int low[3] = {1 + i / 9, 1 + i / 3 % 3, 1 + i % 3};
        if (full[low[0]][low[1]][low[2]]) {
            add_box(m, low, (int[]){low[0] + 1, low[1] + 1, low[2] + 1}, 0, false);
        }
    }
}

/* Some cells, of one body or of one each. */
static void make_cells(model *m, grid full)
{
    m->count = 0;
    add_voxels(m, full, test_uniform(0.2, 0.9));
    if (test_below(4) == 0) {
        m->count = 0;
        add_bricks(m, full);
    }
}

/* Faces that lie in one another lean it no way, whichever part they are taken to belong to. */
TEST(normal_of_parts_with_walls_in_common)
{
    static model m[2];
    static grid cells[2];
    const double length_of_a_turn = 3;
    const int turn[3][3] = {{1, 2, 2}, {2, -2, 1}, {2, 1, -2}};
    stlclash_options o = ask_usual();
    int told = 0;

    o.no_depth = true;
    for (int round = 0, rounds = test_rounds(300); round < rounds; round++) {
        stl_image image[2];
        const bool turned = round % 2;
        for (int part = 0; part < 2; part++) {
            make_cells(&m[part], cells[part]);
            for (int i = 0; i < 3 * m[part].count && turned; i++) {
                int *v = m[part].v[i / 3][i % 3];
                const whole p = {{v[0], v[1], v[2]}};
                for (int k = 0; k < 3; k++) {
                    v[k] = dot((whole){{turn[k][0], turn[k][1], turn[k][2]}}, p);
                }
            }
            shuffle_model(&m[part]);
            image[part] = image_of_model(&m[part]);
        }
        int common;
        const whole n = normal_of_cells(cells[0], cells[1], &common);
        if (common > 0 && dot(n, n) > 0) {
            stlclash_result *r = ask_images(&image[0], &image[1], &o);
            double most = 0;
            for (int k = 0; k < 3; k++) {
                const whole row = {{turn[k][0], turn[k][1], turn[k][2]}};
                const double wanted = turned ? dot(row, n) / length_of_a_turn : n.x[k];
                most = fmax(most, fabs(r->normal[k] - wanted / sqrt(dot(n, n))));
            }
            CHECK(r->status == STLCLASH_CLASH, "round %d: %s", round,
                  stlclash_status_text(r->status));
            CHECK(r->hit_count == 0 || (r->has_normal && most < 1e-12),
                  "round %d: normal %g %g %g of %d, wanted %d %d %d", round, r->normal[0],
                  r->normal[1], r->normal[2], r->has_normal, n.x[0], n.x[1], n.x[2]);
            told += r->has_normal;
            stlclash_result_free(r);
        }
        image_free(&image[0]);
        image_free(&image[1]);
    }
    CHECK(told > 100 || TEST_DIVISOR > 1, "%d normals", told);
}

/* Turned and rounded, such faces lie inside the other part or not as it happens, and so do those
 * that face each other, and walls of bodies of one part against each other. */
TEST(normal_of_cells_with_walls_in_common_but_for_rounding)
{
    static model m[2];
    static grid cells[2];
    int told = 0;

    for (int round = 0, rounds = test_rounds(300); round < rounds; round++) {
        stl_image image[2];
        for (int part = 0; part < 2; part++) {
            make_cells(&m[part], cells[part]);
            image[part] = image_of_model(&m[part]);
        }
        int common;
        const whole n = normal_of_cells(cells[0], cells[1], &common);
        const double length = sqrt(dot(n, n));
        const float way[3] = {(float)n.x[0], (float)n.x[1], (float)n.x[2]};
        double cosine;
        stlclash_result *r = ask_turned(&image[0], &image[1], way, &cosine);
        CHECK(common == 0 || length == 0 || cosine > (1 - 1e-6) * length,
              "round %d: normal %g %g %g, wanted %d %d %d", round, r->normal[0], r->normal[1],
              r->normal[2], n.x[0], n.x[1], n.x[2]);
        told += r->has_normal;
        stlclash_result_free(r);
    }
    CHECK(told > 100 || TEST_DIVISOR > 1, "%d normals", told);
}

TEST(normal_of_boxes_with_walls_in_common_but_for_rounding)
{
    for (int round = 0, rounds = test_rounds(300); round < rounds; round++) {
        stl_image a = make_box((double[]){0, 0, 0}, (double[]){2, 3, 1}, 1);
        stl_image b = make_box((double[]){1, 0, 0}, (double[]){3, 3, 1}, 1);
        double cosine;
        stlclash_result *r = ask_turned(&a, &b, (float[]){-1, 0, 0}, &cosine);
        CHECK(r->has_normal && cosine > 1 - 1e-6, "round %d: normal %g %g %g", round, r->normal[0],
              r->normal[1], r->normal[2]);
        stlclash_result_free(r);
    }
}

/* Placed, each by itself, what is inside is so by less than doubles tell of a distance. */
TEST(normal_of_placed_boxes_with_walls_in_common)
{
    const double shift[3] = {3, -5, 2};
    stl_image ia = make_box((double[]){0, 0, 0}, (double[]){2, 3, 1}, 1);
    stl_image ib = make_box((double[]){4, -5, 2}, (double[]){6, -2, 3}, 1);
    stlclash_mesh *a = ask_mesh(&ia), *b = ask_mesh(&ib);
    for (int round = 0, rounds = test_rounds(300); round < rounds; round++) {
        stlclash_options o = ask_usual();
        double to[2][16], cosine = 0;
        ask_placement(to[0], 5);
        memcpy(to[1], to[0], sizeof to[1]);
        for (int k = 0; k < 3; k++) {
            for (int m = 0; m < 3; m++) {
                to[1][4 * k + 3] -= to[0][4 * k + m] * shift[m];
            }
        }
        o.placement[0] = to[0];
        o.placement[1] = to[1];
        stlclash_result *r = ask_pair(a, b, &o);
        for (int k = 0; k < 3; k++) {
            cosine -= r->normal[k] * to[0][4 * k];
        }
        CHECK(r->has_normal && cosine > 1 - 1e-9, "round %d: normal %g %g %g", round, r->normal[0],
              r->normal[1], r->normal[2]);
        stlclash_result_free(r);
    }
    stlclash_mesh_free(a);
    stlclash_mesh_free(b);
    image_free(&ia);
    image_free(&ib);
}
